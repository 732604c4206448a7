//! The inputs and outputs of a model as OpenVINO shows them to callers.

use crate::analysis::Model;
use crate::diagnostic::Direction;
use crate::domain::Names;
use crate::infer::Facts;
use crate::ir::{Graph, Layer, LayerId, Port, Role, name_list};
use crate::lint::legacy::exposed_type;
use crate::source::Source;
use crate::types::Fact;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::fmt::Write;

/// An input or output.
#[derive(Debug, Clone, PartialEq)]
pub struct End {
    /// The name of the layer.
    pub layer: String,
    /// The tensor names.
    pub tensors: Vec<String>,
    /// Its fact; `None` for an output that is not connected.
    pub fact: Option<Fact>,
    /// The symbolic expressions of its dimensions, as far as inference with symbols knows them.
    pub symbolic: Option<Vec<Option<String>>>,
}

impl Serialize for End {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let unknown = Fact::unknown();
        let fact = self.fact.as_ref().unwrap_or(&unknown);
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("name", &self.layer)?;
        fields.serialize_entry("tensors", &self.tensors)?;
        fields.serialize_entry("type", &fact.ty)?;
        fields.serialize_entry("shape", &fact.shape)?;
        if let Some(symbolic) = &self.symbolic {
            fields.serialize_entry("symbolic", symbolic)?;
        }
        fields.serialize_entry("basis", &fact.basis())?;
        fields.end()
    }
}

/// Returns the layers of a role in the order of the file, which is that of [`ends`].
pub(crate) fn of_role(model: &Model, role: Role) -> impl Iterator<Item = &Layer> {
    let graph = model.net().map(|net| &net.graph);
    graph.into_iter().flat_map(move |graph| graph.layers.iter().filter(move |one| graph.kind(one).role == role))
}

/// Formats a fact with the names of its dimensions: `f32[batch, 3]`. A dimension that the data decides has no name.
pub(crate) fn named_fact(names: Option<&Names>, fact: Option<&Fact>) -> String {
    let mut text = String::with_capacity(32);
    push_named_fact(&mut text, names, fact);
    text
}

/// Appends a fact as [`named_fact`] formats it.
pub(crate) fn push_named_fact(text: &mut String, names: Option<&Names>, fact: Option<&Fact>) {
    let Some(fact) = fact else { return text.push_str("not connected") };
    text.push_str(fact.ty.name());
    let Some(dims) = fact.shape.dims() else { return text.push_str("[...]") };
    for (axis, dim) in dims.iter().enumerate() {
        text.push_str(if axis == 0 { "[" } else { ", " });
        match names.and_then(|names| names.open_dim(*dim)) {
            Some(name) => text.push_str(&name),
            None => drop(write!(text, "{dim}")),
        }
    }
    text.push_str(if dims.is_empty() { "[]" } else { "]" });
}

/// Returns the inputs or outputs of a model, in the order of the file.
///
/// For IR version 10, OpenVINO also names tensors after their layers, and exposes some tensors with another type.
pub fn ends(model: &Model, direction: Direction) -> Vec<End> {
    let (Some(net), Some(facts)) = (model.net(), model.facts()) else { return Vec::new() };
    let (graph, source, is_old) = (&net.graph, model.source(), net.version == 10);
    let role = if direction == Direction::Input { Role::Parameter } else { Role::Result };
    let layers = graph.entries().filter(|(_, layer)| graph.kind(layer).role == role);
    let end = |(index, layer): (LayerId, &Layer)| {
        let (tensors, fact) = match direction {
            Direction::Input => {
                let names = graph.outputs(layer).first().map(|port| name_list(source, port.tag, "names"));
                (named(names, is_old.then(|| graph.name(source, layer).into_owned())), facts.outputs(index).first())
            }
            Direction::Output => {
                let names = output_names((graph, facts, source), layer, is_old);
                (names, graph.inputs(layer).first().and_then(|port| facts.of_port(port)))
            }
        };
        let fact = fact.cloned().map(|fact| Fact { ty: exposed_type(net.version, direction, fact.ty), ..fact });
        End { layer: graph.name(source, layer).into_owned(), tensors, fact, symbolic: None }
    };
    layers.map(end).collect()
}

/// Returns the tensor names of a Result: its own, or else those of the output port that it consumes.
fn output_names((graph, facts, source): (&Graph, &Facts, &Source), layer: &Layer, is_old: bool) -> Vec<String> {
    let own = if is_old { Vec::new() } else { name_list(source, layer.tag, "output_names") };
    if !own.is_empty() {
        return own;
    }
    let Some(from) = graph.inputs(layer).first().and_then(Port::source) else { return Vec::new() };
    let Some(producer) = graph.layer(from.layer) else { return Vec::new() };
    let (ports, name) = (graph.outputs(producer), graph.name(source, producer));
    let name = if ports.len().max(facts.outputs(from.layer).len()) > 1 {
        format!("{name}.{}", from.output)
    } else {
        name.into_owned()
    };
    named(ports.get(from.output as usize).map(|port| name_list(source, port.tag, "names")), is_old.then_some(name))
}

/// Returns the names of a port and an optional further name, without duplicates.
fn named(names: Option<Vec<String>>, also: Option<String>) -> Vec<String> {
    let mut names = names.unwrap_or_default();
    names.extend(also.filter(|also| !names.contains(also)));
    names
}
