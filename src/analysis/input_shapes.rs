//! Input shapes that replace the declared ones.
//!
//! The syntax is that of `benchmark_app` and `ovc`: `images[1,3,640,640],mask[1,?]`, or `[1,2..8]` for a single input.

use super::Model;
use crate::ir::{Graph, Layer, LayerId, Role, lookup};
use crate::limits::Limits;
use crate::source::Source;
use crate::types::{Dim, PartialShape};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// Shapes that replace those of Parameters; none by default.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct InputShapes(Vec<(Option<String>, PartialShape)>);

impl InputShapes {
    /// Creates shapes by input name.
    pub(crate) fn of(shapes: impl IntoIterator<Item = (String, PartialShape)>) -> Self {
        Self(shapes.into_iter().map(|(name, shape)| (Some(name), shape)).collect())
    }

    /// Whether every input keeps its shape.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether all dimensions are static.
    pub fn are_static(&self) -> bool {
        self.0.iter().all(|(_, shape)| shape.is_static())
    }

    /// Returns the shape of each Parameter. Inputs are identified by names of layers or tensors.
    pub fn resolve(
        &self,
        graph: &Graph,
        source: &Source,
        limits: &Limits,
    ) -> Result<BTreeMap<LayerId, PartialShape>, String> {
        let mut shapes = BTreeMap::new();
        for (id, (_, shape)) in self.parameter_ids(graph, source, limits)?.into_iter().zip(&self.0) {
            if shapes.insert(id, shape.clone()).is_some() {
                let name = graph.layer(id).map(|layer| graph.full_name(source, layer).into_owned());
                return Err(format!("input `{}` is given two shapes", name.unwrap_or_default()));
            }
        }
        Ok(shapes)
    }

    /// Returns the Parameter of each shape.
    fn parameter_ids(&self, graph: &Graph, source: &Source, limits: &Limits) -> Result<Vec<LayerId>, String> {
        if self.is_empty() {
            return Ok(Vec::new());
        }
        let called = by_name(graph, source);
        let find = |(name, shape): &(Option<String>, PartialShape)| {
            if let Some(rank) = shape.rank().filter(|rank| *rank > limits.rank) {
                let most = limits.rank;
                return Err(format!(
                    "a shape has {rank} dimensions, more than {most}; raise the limit with --max-rank"
                ));
            }
            match name {
                Some(name) => match called.get(name.as_str()).copied().flatten() {
                    Some(id) => Ok(id),
                    None => lookup::input(graph, source, name),
                },
                None => only_input(graph, source),
            }
        };
        self.0.iter().map(find).collect()
    }

    /// Returns a copy with other values for some dimensions of Parameters.
    pub(crate) fn with_lengths(&self, model: &Model, lengths: &[(LayerId, usize, i64)]) -> Option<Self> {
        let parameter_ids = self.parameter_ids(&model.net()?.graph, model.source(), model.limits()).ok()?;
        let mut changed = self.clone();
        for (id, (_, shape)) in parameter_ids.iter().zip(&mut changed.0) {
            for (_, axis, length) in lengths.iter().filter(|(of, ..)| of == id) {
                *shape.dims_mut()?.get_mut(*axis)? = Dim::exact(*length);
            }
        }
        Some(changed)
    }

    /// Returns a copy that leaves every dimension open which it changes; `None` if it changes no fixed dimension of the model.
    pub(super) fn opened(&self, model: &Model) -> Option<Self> {
        let facts = model.facts()?;
        let parameter_ids = self.parameter_ids(&model.net()?.graph, model.source(), model.limits()).ok()?;
        let (mut open, mut changes) = (self.clone(), false);
        for (id, (_, shape)) in parameter_ids.iter().zip(&mut open.0) {
            let [fact] = facts.outputs(*id) else { return None };
            let known = fact.shape.dims().filter(|dims| Some(dims.len()) == shape.rank())?;
            for (dim, known) in shape.dims_mut()?.iter_mut().zip(known) {
                if dim.length() != known.length() {
                    changes |= known.is_exact();
                    *dim = Dim::ANY;
                }
            }
        }
        changes.then_some(open)
    }
}

/// The Parameters by name, for fast lookup; `None` for a name that several share.
fn by_name<'a>(graph: &'a Graph, source: &'a Source) -> BTreeMap<Cow<'a, str>, Option<LayerId>> {
    let parameters = graph.entries().filter(|(_, layer)| graph.kind(layer).role == Role::Parameter);
    let mut ids = BTreeMap::new();
    for (id, layer) in parameters {
        let id_of_name = ids.entry(graph.full_name(source, layer)).or_insert(Some(id));
        *id_of_name = id_of_name.filter(|known| *known == id);
    }
    ids
}

/// Returns the only Parameter, or an error if there is not exactly one.
fn only_input(graph: &Graph, source: &Source) -> Result<LayerId, String> {
    let parameters = graph.entries().filter(|(_, layer)| graph.kind(layer).role == Role::Parameter);
    let parameters: Vec<(LayerId, &Layer)> = parameters.collect();
    let [(id, _)] = parameters[..] else {
        let name = |(_, layer): &(LayerId, &Layer)| format!("`{}`", graph.full_name(source, layer));
        let known = parameters.iter().map(name).collect::<Vec<_>>().join(", ");
        let known = if known.is_empty() { "none" } else { &known };
        return Err(format!("a shape without a name is for models with one input; the inputs of this one are {known}"));
    };
    Ok(id)
}

impl FromStr for InputShapes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a list of shapes such as `images[1,3,640,640],mask[1,?]`");
        let mut shapes = Vec::new();
        let mut rest = text.trim();
        while !rest.is_empty() {
            // Names may contain commas and brackets: a shape ends only at a bracket before a comma or the end.
            let ends = rest.match_indices(']').map(|(at, _)| at + 1);
            let next = |end: &usize| rest.get(*end..).unwrap_or_default().trim_start();
            let end = ends.into_iter().find(|end| next(end).is_empty() || next(end).starts_with(','));
            let end = end.ok_or_else(wrong)?;
            let (input, more) = rest.split_at(end);
            let (name, shape) = input.split_at(input.rfind('[').ok_or_else(wrong)?);
            let name = name.trim();
            shapes.push(((!name.is_empty()).then(|| name.to_owned()), shape_of(shape).ok_or_else(wrong)?));
            let more = more.trim_start();
            rest = more.strip_prefix(',').unwrap_or(more).trim_start();
            if rest.is_empty() && !more.is_empty() {
                return Err(wrong());
            }
        }
        if shapes.is_empty() { Err(wrong()) } else { Ok(Self(shapes)) }
    }
}

/// Parses a shape in brackets; `-1` is another spelling of `?`.
fn shape_of(text: &str) -> Option<PartialShape> {
    let inner = text.strip_prefix('[')?.strip_suffix(']')?.trim();
    if inner == "..." || inner.is_empty() {
        return format!("[{inner}]").parse().ok();
    }
    let length = |text: &str| text.trim().parse::<i64>().ok().filter(|length| *length >= 0);
    let dim = |text: &str| match (text.trim(), text.split_once("..")) {
        ("?" | "-1", _) => Some(Dim::ANY),
        (_, Some((lower, upper))) => {
            let lower = if lower.trim().is_empty() { 0 } else { length(lower)? };
            if upper.trim().is_empty() { Some(Dim::at_least(lower)) } else { Dim::between(lower, length(upper)?) }
        }
        (text, None) => length(text).map(Dim::exact),
    };
    inner.split(',').map(dim).collect::<Option<Vec<_>>>().map(PartialShape::of)
}

impl fmt::Display for InputShapes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (name, shape)) in self.0.iter().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            write!(f, "{comma}{}{shape}", name.as_deref().unwrap_or_default())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_other_tools_are_read() {
        for (text, wanted) in [
            ("images[1,3,640,640],mask[1,?]", "images[1,3,640,640],mask[1,?]"),
            (" x [ 1 , -1 , 2..8 , ..4 , 3.. ] , y[]", "x[1,?,2..8,..4,3..],y[]"),
            ("[1,2]", "[1,2]"),
            ("x[...]", "x[...]"),
            ("a,b[1],c[0][2]", "a,b[1],c[0][2]"),
        ] {
            let shapes: Result<InputShapes, _> = text.parse();
            assert_eq!(shapes.map(|shapes| shapes.to_string()), Ok(wanted.to_owned()));
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "x", "x[1", "x[1],", "x[1]y", "x[a]", "x[-2]", "x[4..2]", "x[1,,2]", "x]1[", "x1]"] {
            assert!(text.parse::<InputShapes>().is_err(), "{text}");
        }
        let message = "`x[a]` is not a list of shapes such as `images[1,3,640,640],mask[1,?]`";
        assert_eq!("x[a]".parse::<InputShapes>().unwrap_err(), message);
    }
}
