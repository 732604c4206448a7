//! Sizes of dimensions by their names, as `ovlint reshape --set batch=1,seq=128` takes them, and the dimensions of inputs and
//! states that they stand for.

use super::inputs::Inputs;
use super::records::LayerRecords;
use crate::analysis::Model;
use crate::arrange::Fill;
use crate::domain::Form;
use crate::ir::LayerId;
use crate::text::{did_you_mean, nearest};
use crate::types::Dim;
use crate::types::symbol::Length;
use std::collections::BTreeMap;
use std::str::FromStr;

/// Sizes by the names that `ovlint inputs` shows; none by default.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sizes(Vec<(String, Dim)>);

/// The sizes of the dimensions of a layer, by axis.
pub(crate) type Axes = BTreeMap<LayerId, BTreeMap<usize, Dim>>;

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
    pub(crate) fn axes(&self, model: &Model) -> Result<Axes, String> {
        let mut axes = Axes::new();
        if self.is_empty() {
            return Ok(axes);
        }
        let symbolic = model.with_symbols().map_err(|error| error.to_string())?;
        let inputs = Inputs::for_screen(&symbolic).ok_or("the model has no inputs that can be read")?;
        for (length, size) in self.lengths(&inputs)? {
            let (Ok(layer), Ok(axis)) = (usize::try_from(length.layer), usize::try_from(length.axis)) else { continue };
            axes.entry(LayerId::new(layer)).or_default().insert(axis, size);
        }
        Ok(axes)
    }

    /// Returns the numbers that dimensions of inputs and states are given, unless the model does not work for them.
    pub(crate) fn numbers(&self, inputs: &Inputs) -> Result<BTreeMap<Length, i64>, String> {
        if self.is_empty() {
            return Ok(BTreeMap::new());
        }
        let numbers = self.lengths(inputs)?.into_iter().filter_map(|(length, size)| Some((length, size.length()?)));
        let numbers: BTreeMap<Length, i64> = numbers.into_map();
        let number = |length: Length| numbers.get(&length).copied();
        for constraint in &inputs.domain.constraints {
            let layer = || constraint.layers.first().and_then(|id| LayerRecords::of(inputs.model)?.layer(*id));
            match (&constraint.form, inputs.domain.holds(constraint, &number)) {
                (_, Some(false)) => {
                    let because = layer().map(|layer| format!(" because of {layer}")).unwrap_or_default();
                    return Err(format!("the model does not work for these sizes{because}; see `ovlint inputs`"));
                }
                (Form::Solved(length, _), None) if number(*length).is_some() => {
                    return Err(format!("`{}` follows from other sizes: set those", inputs.names.name(*length)));
                }
                _ => {}
            }
        }
        Ok(numbers)
    }

    /// Returns the sizes by dimension.
    ///
    /// A name stands for the dimensions of all inputs that share it, and for a state only if no input has it. An input that
    /// equals an expression of others gets its value.
    fn lengths(&self, inputs: &Inputs) -> Result<BTreeMap<Length, Dim>, String> {
        let mut sizes = BTreeMap::new();
        for (name, size) in &self.0 {
            let named = inputs.names.lengths().find(|length| inputs.names.name(*length) == *name);
            let length = named.ok_or_else(|| unknown(inputs, name))?;
            let mut all = equal(inputs, length);
            if all.iter().any(|one| !is_state(inputs, *one)) {
                all.retain(|one| *one == length || !is_state(inputs, *one));
            }
            for one in all {
                if sizes.insert(one, *size).is_some_and(|other| other != *size) {
                    return Err(format!("`{name}` is given two sizes"));
                }
            }
        }
        let known: BTreeMap<Length, i64> =
            sizes.iter().filter_map(|(one, size)| Some((*one, size.length()?))).into_map();
        for constraint in &inputs.domain.constraints {
            let Form::Solved(length, symbol) = constraint.form else { continue };
            let value = inputs.domain.expressions.evaluate(symbol, &|one| known.get(&one).copied());
            if let Some(value) = value.filter(|_| !is_state(inputs, length)) {
                sizes.entry(length).or_insert(Dim::exact(value));
            }
        }
        Ok(sizes)
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
