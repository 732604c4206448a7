//! The XML and the weights of a part of a model: the edits that remove other layers, and the new inputs, constants and
//! Results.

use super::choice::{Choice, Plan, Treatment};
use super::constants::{Packed, constants};
use super::document::PartKind;
use super::known::known_bytes;
use super::names::Names;
use super::original::Original;
use crate::diagnostic::Edit;
use crate::edit::{Bytes, applied, outermost};
use crate::ir::{Id, Layer, LayerId, OutputRef, Port, Role};
use crate::source::Span;
use crate::types::Fact;
use std::fmt::Write;
use std::sync::Arc;

/// A model that may still show the fault.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The XML.
    pub xml: Vec<u8>,
    /// The weights.
    pub weights: Bytes,
    /// The number of layers, without those of bodies.
    pub layers: usize,
}

/// A part of a model, as edits of the original text.
#[derive(Debug)]
pub(crate) struct Cut {
    /// The edits, in order and without overlap.
    pub edits: Vec<Edit>,
    /// The weights.
    pub weights: Bytes,
    /// The number of layers, without those of bodies.
    pub layers: usize,
    /// A flag per layer: kept or not.
    pub stays: Vec<bool>,
    /// The new inputs, constants and Results: name, role and fact of each.
    pub new: Vec<(String, Role, Fact)>,
}

impl Candidate {
    pub(crate) fn of(original: &Original, choice: &Choice) -> Self {
        let Cut { edits, weights, layers, .. } = Cut::of(original, choice);
        Self { xml: applied(original.source.bytes(), &edits), weights, layers }
    }
}

impl Cut {
    pub(crate) fn of(original: &Original, choice: &Choice) -> Self {
        let bodies = choice.bodies.iter();
        let bodies: Vec<_> = bodies.filter_map(|(at, chosen)| Some((at.0, original.body(*at)?, chosen))).collect();
        let mut outer = Draft::of(original, choice.clone());
        let inner = bodies.iter().filter(|(layer, ..)| outer.plan.has(*layer));
        let mut inner: Vec<_> = inner.map(|(_, body, chosen)| Draft::of(body, choice.of_body(body, chosen))).collect();
        let mut shared = Shared::default();
        shared.rename(&outer);
        for draft in inner.iter_mut().chain([&mut outer]) {
            draft.add_layers(&mut shared);
        }
        shared.pack(&outer, &inner);
        for draft in inner.iter().chain([&outer]) {
            draft.add_edits(&mut shared.edits);
        }
        let edits = outermost(shared.edits);
        let layers = outer.plan.stays.iter().filter(|stays| **stays).count() + outer.new.layers.len();
        let weights = match choice.weights {
            Treatment::Whole => Bytes::Original(Arc::default()),
            Treatment::Extended => Bytes::Original(Arc::clone(&original.known().bytes)),
            Treatment::Packed => Bytes::New(shared.packed.bytes),
        };
        Self { edits, weights, layers, stays: outer.plan.stays, new: outer.new.layers }
    }
}

/// The state that the drafts of a model and of its bodies share.
#[derive(Default)]
struct Shared {
    packed: Packed,
    names: Names,
    /// The edits of all parts. One that starts within another one is dropped.
    edits: Vec<Edit>,
}

impl Shared {
    fn rename(&mut self, outer: &Draft) {
        if outer.choice.is_anonymous {
            Names::of_model(outer.original, &mut self.edits);
            for (_, layer) in outer.staying() {
                self.names.edit(outer.original, layer, &mut self.edits);
            }
        }
    }

    /// Packs the kept constants into the new weights.
    fn pack<'o, 'm>(&mut self, outer: &Draft<'o, 'm>, inner: &[Draft<'o, 'm>]) {
        if outer.choice.weights != Treatment::Packed {
            return;
        }
        let mut found = Vec::new();
        for draft in inner.iter().chain([outer]) {
            for (at, layer) in draft.staying() {
                let is_reduced = |body: usize| draft.choice.bodies.contains_key(&(at, body));
                constants(draft.original, draft.original.graph, layer, &is_reduced, &mut found);
            }
        }
        self.packed.add_all(outer.original, found.iter().map(|(_, constant)| *constant));
        for (span, constant) in found {
            let offset = self.packed.offset(constant.offset);
            self.edits.extend(offset.map(|offset| Edit { span, text: offset.to_string() }));
        }
    }
}

/// The XML that a candidate adds to the parts of the original.
#[derive(Default)]
struct New {
    inputs: String,
    results: String,
    edges: String,
    layers: Vec<(String, Role, Fact)>,
}

/// A candidate in the making: of the model, or of one body.
struct Draft<'o, 'm> {
    original: &'o Original<'m>,
    plan: Plan,
    choice: Choice,
    new: New,
}

impl<'o, 'm> Draft<'o, 'm> {
    fn of(original: &'o Original<'m>, choice: Choice) -> Self {
        Self { original, plan: Plan::of(original, &choice), choice, new: New::default() }
    }

    fn staying(&self) -> impl Iterator<Item = (LayerId, &'m Layer)> {
        self.original.graph.entries().filter(|(at, _)| self.plan.has(*at))
    }

    /// Returns the escaped name of an output.
    fn name(&self, output: OutputRef, shared: &mut Shared) -> String {
        let name = self.original.name(output);
        match self.original.graph.layer(output.layer).filter(|_| self.choice.is_anonymous) {
            Some(layer) => shared.names.layer(&name, &self.original.graph.kind(layer).ty),
            None => name,
        }
    }

    fn add_layers(&mut self, shared: &mut Shared) {
        let graph = self.original.graph;
        let id_of = |layer: LayerId| graph.layer(layer).and_then(|layer| layer.id).map(Id::get).unwrap_or_default();
        let port_id = |port: Option<&Port>| port.and_then(|port| port.id).map(Id::get).unwrap_or_default();
        for (output, consumers) in std::mem::take(&mut self.plan.cuts) {
            let id = self.add_input(output, shared);
            for (to, input) in consumers {
                let port = graph.layer(to).and_then(|layer| graph.inputs(layer).get(input as usize));
                self.add_edge((id, 0), (id_of(to), port_id(port)));
            }
        }
        for output in std::mem::take(&mut self.plan.results) {
            let id = self.add_result(output, shared);
            self.add_edge((id_of(output.layer), port_id(self.original.output_port(output))), (id, 0));
        }
    }

    fn next_id(&mut self) -> u64 {
        self.original.free_id + self.new.layers.len() as u64
    }

    /// Adds a layer in place of an output of a removed layer: a Const if every element is known, else a Parameter. An output
    /// that is cut on request gets a Parameter.
    fn add_input(&mut self, output: OutputRef, shared: &mut Shared) -> u64 {
        let (id, fact, mut name) = (self.next_id(), self.original.fact(output), self.name(output, shared));
        let shape = fact.shape.to_string();
        let shape = shape.trim_start_matches('[').trim_end_matches(']');
        let mut data = format!("shape=\"{shape}\" element_type=\"{}\"", fact.ty);
        let is_asked = self.choice.cut.contains(&output);
        let known = match self.choice.weights {
            _ if is_asked => None,
            Treatment::Whole => None,
            Treatment::Extended => {
                self.original.known().locations.get(&output).copied().filter(|_| !self.original.is_body)
            }
            Treatment::Packed => known_bytes(&fact).map(|bytes| (shared.packed.append(&bytes), bytes.len())),
        };
        if let Some((offset, size)) = known {
            let _ = write!(data, " offset=\"{offset}\" size=\"{size}\"");
        }
        let role = if known.is_some() { Role::Const } else { Role::Parameter };
        // The names of the tensor go to the new layer, unless the tensor stays.
        let mut names = String::new();
        if self.plan.has(output.layer) {
            name += "/input";
        } else if self.choice.keeps_names && role == Role::Parameter {
            let own = self.original.tensor_names(output).unwrap_or_else(|| name.replace(',', "\\,"));
            names = format!(" names=\"{own}\"");
        }
        let data = format!("\n\t\t\t<data {data} />");
        self.new.inputs += &layer(id, &name, role, &format!("{data}{}", ports("output", &fact, &names)));
        self.new.layers.push((name, role, fact));
        id
    }

    fn add_result(&mut self, output: OutputRef, shared: &mut Shared) -> u64 {
        let (id, fact, name) = (self.next_id(), self.original.fact(output), self.name(output, shared));
        let name = format!("{name}/sink_port_0");
        self.new.results += &layer(id, &name, Role::Result, &ports("input", &fact, ""));
        self.new.layers.push((name, Role::Result, fact));
        id
    }

    fn add_edge(&mut self, from: (u64, u64), to: (u64, u64)) {
        let ((from, from_port), (to, to_port)) = (from, to);
        let _ = write!(
            self.new.edges,
            "\n\t\t<edge from-layer=\"{from}\" from-port=\"{from_port}\" to-layer=\"{to}\" to-port=\"{to_port}\" />"
        );
    }

    /// Adds the edits that remove what does not stay, and insert what is new.
    fn add_edits(&self, edits: &mut Vec<Edit>) {
        let stays = |layer: LayerId| layer == LayerId::NONE || self.plan.has(layer);
        let is_cut = |span: Span| self.plan.dropped.range(span.start..span.end).next().is_some();
        for part in &self.original.document.parts {
            let text = match part.kind {
                PartKind::Layer(layer) if self.plan.has(layer) => continue,
                PartKind::Edge(from, to) if stays(from) && stays(to) && !is_cut(part.span) => continue,
                PartKind::Extra(extra) if self.choice.extras.get(extra) == Some(&true) => continue,
                PartKind::NoEdges if self.new.edges.is_empty() => continue,
                PartKind::Frame => continue,
                PartKind::Layer(_) | PartKind::Edge(..) | PartKind::Extra(_) => String::new(),
                PartKind::Inputs => self.new.inputs.clone(),
                PartKind::Results => self.new.results.clone(),
                PartKind::Edges => self.new.edges.clone(),
                PartKind::NoEdges => format!("\n\t<edges>{}\n\t</edges>", self.new.edges),
            };
            edits.push(Edit { span: part.span, text });
        }
    }
}

/// Formats a new layer; `name` must be escaped.
fn layer(id: u64, name: &str, role: Role, content: &str) -> String {
    let ty = role.type_name();
    format!("\n\t\t<layer id=\"{id}\" name=\"{name}\" type=\"{ty}\" version=\"opset1\">{content}\n\t\t</layer>")
}

/// Formats one side of a layer that has a single port there, with further attributes.
fn ports(side: &str, fact: &Fact, more: &str) -> String {
    let mut text = format!("\n\t\t\t<{side}>\n\t\t\t\t<port id=\"0\" precision=\"{}\"{more}>", fact.ty.port_name());
    for dim in fact.shape.dims().unwrap_or_default() {
        let _ = write!(text, "\n\t\t\t\t\t<dim>{}</dim>", dim.length().unwrap_or(-1));
    }
    text + &format!("\n\t\t\t\t</port>\n\t\t\t</{side}>")
}
