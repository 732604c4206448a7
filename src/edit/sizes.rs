//! Sizes of dimensions by their names, as `ovlint reshape --set batch=1,seq=128` takes them, and the dimensions of inputs and
//! states that they stand for.

use super::edited::Refusal;
use crate::analysis::Model;
use crate::arrange::Fill;
use crate::domain::Form;
use crate::ir::LayerId;
use crate::query::inputs::Inputs;
use crate::text::{did_you_mean, nearest};
use crate::types::Dim;
use crate::types::symbol::Length;
use std::collections::BTreeMap;
use std::str::FromStr;

/// Sizes by the names that `ovlint inputs` shows; none by default.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sizes(Vec<(String, Dim)>);

/// The sizes of the dimensions of a layer, by axis.
pub(super) type Axes = BTreeMap<LayerId, BTreeMap<usize, Dim>>;

impl FromStr for Sizes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a list of sizes such as `batch=1,seq=128`");
        let one = |part: &str| {
            let (name, size) = part.split_once('=')?;
            let size = if size.trim() == "-1" { Dim::ANY } else { size.trim().parse().ok()? };
            (!name.trim().is_empty()).then(|| (name.trim().to_owned(), size))
        };
        text.split(',').map(one).collect::<Option<Vec<_>>>().map(Self).ok_or_else(wrong)
    }
}

impl Sizes {
    /// Adds the sizes of another list.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Whether no size is set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the sizes of the dimensions of inputs, and of states that are named.
    ///
    /// A name stands for the dimensions of all inputs that share it, and for a state only if no input has it. An input that
    /// equals an expression of others gets its value.
    pub(super) fn axes(&self, model: &Model) -> Result<Axes, Refusal> {
        let mut axes = Axes::new();
        if self.is_empty() {
            return Ok(axes);
        }
        let symbolic = model.with_symbols().map_err(|error| error.to_string())?;
        let inputs = Inputs::for_screen(&symbolic).ok_or("the model has no inputs that can be read".to_owned())?;
        let mut sizes = BTreeMap::new();
        for (name, size) in &self.0 {
            let named = inputs.names.lengths().find(|length| inputs.names.name(*length) == *name);
            let length = named.ok_or_else(|| unknown(&inputs, name))?;
            let mut all = equal(&inputs, length);
            if all.iter().any(|one| !is_state(&inputs, *one)) {
                all.retain(|one| *one == length || !is_state(&inputs, *one));
            }
            for one in all {
                if sizes.insert(one, *size).is_some_and(|other| other != *size) {
                    return Err(format!("`{name}` is given two sizes").into());
                }
            }
        }
        let known: BTreeMap<Length, i64> =
            sizes.iter().filter_map(|(one, size)| Some((*one, size.length()?))).into_map();
        for constraint in &inputs.domain.constraints {
            let Form::Solved(length, symbol) = constraint.form else { continue };
            let value = inputs.domain.expressions.evaluate(symbol, &|one| known.get(&one).copied());
            if let Some(value) = value.filter(|_| !is_state(&inputs, length)) {
                sizes.entry(length).or_insert(Dim::exact(value));
            }
        }
        for (length, size) in sizes {
            let (Ok(layer), Ok(axis)) = (usize::try_from(length.layer), usize::try_from(length.axis)) else { continue };
            axes.entry(LayerId::new(layer)).or_default().insert(axis, size);
        }
        Ok(axes)
    }
}

/// Returns the dimensions that must equal one, and itself.
fn equal(inputs: &Inputs, length: Length) -> Vec<Length> {
    let classes = inputs.domain.constraints.iter().filter_map(|constraint| match &constraint.form {
        Form::Equal(lengths) => Some(lengths),
        _ => None,
    });
    classes.into_iter().find(|class| class.contains(&length)).cloned().unwrap_or_else(|| vec![length])
}

fn is_state(inputs: &Inputs, length: Length) -> bool {
    inputs.names.input(length).is_some_and(|input| input.is_state)
}

fn unknown(inputs: &Inputs, name: &str) -> String {
    let names: Vec<&str> = inputs.names.inputs().map(|input| input.name.as_str()).collect();
    if names.is_empty() {
        return format!(
            "there is no dimension `{name}`: the file fixes all of them; `--shape` gives inputs other shapes"
        );
    }
    let near = nearest(name, names.iter().copied());
    let known: Vec<String> = names.iter().take(8).map(|name| format!("`{name}`")).collect();
    let hint = if near.is_some() { did_you_mean(near) } else { format!("; they have {}", known.join(", ")) };
    format!("the inputs and states have no dimension `{name}`{hint}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        let sizes: Sizes = "batch=1, seq = 128,past=?,w=1..8".parse().unwrap();
        let texts: Vec<String> = sizes.0.iter().map(|(name, size)| format!("{name}={size}")).collect();
        assert_eq!(texts, ["batch=1", "seq=128", "past=?", "w=1..8"]);
        for text in ["", "batch", "=1", "batch=", "batch=x", "batch=-2", "batch=1,"] {
            assert!(text.parse::<Sizes>().is_err(), "{text}");
        }
    }
}
