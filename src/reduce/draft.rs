//! The XML and the weights of a candidate.

use super::choice::{Choice, Plan, Treatment};
use super::constants::{Packed, constants};
use super::document::PartKind;
use super::known::known_bytes;
use super::names::Names;
use super::original::Original;
use crate::diagnostic::Edit;
use crate::ir::{Id, Layer, LayerId, OutputRef, Port, Role};
use crate::source::{Source, Span};
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

/// The bytes of a weights file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Bytes {
    /// The original file, with these bytes appended.
    Original(Arc<[u8]>),
    /// A file of its own.
    New(Vec<u8>),
}

impl Bytes {
    /// Returns the size of the file, for an original of the given size.
    pub fn size(&self, original: u64) -> u64 {
        match self {
            Self::Original(more) => original.saturating_add(more.len() as u64),
            Self::New(bytes) => bytes.len() as u64,
        }
    }
}

impl Candidate {
    pub(super) fn of(original: &Original, choice: &Choice) -> Self {
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
        for draft in &inner {
            let text = String::from_utf8_lossy(&draft.text(&shared)).into_owned();
            shared.edits.push(Edit { span: draft.original.document.span(), text });
        }
        shared.edits.sort_by_key(|edit| edit.span);
        let xml = outer.text(&shared);
        let layers = outer.plan.stays.iter().filter(|stays| **stays).count() + outer.new.layers;
        let weights = match choice.weights {
            Treatment::Whole => Bytes::Original(Arc::default()),
            Treatment::Extended => Bytes::Original(Arc::clone(&original.known().bytes)),
            Treatment::Packed => Bytes::New(shared.packed.bytes),
        };
        Self { xml, weights, layers }
    }
}

/// The state that the drafts of a model and of its bodies share.
#[derive(Default)]
struct Shared {
    packed: Packed,
    names: Names,
    /// The edits of kept parts, in order. An edit that starts within another one is dropped.
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
        self.edits.sort_by_key(|edit| edit.span);
    }

    /// Copies a part byte for byte, except for the edits.
    fn copy(&self, source: &Source, part: Span, text: &mut Vec<u8>) {
        let first = self.edits.partition_point(|edit| edit.span.start < part.start);
        let mut at = part.start;
        for edit in self.edits.iter().skip(first).take_while(|edit| edit.span.end <= part.end) {
            if at <= edit.span.start {
                text.extend_from_slice(source.slice(Span { start: at, end: edit.span.start }));
                text.extend_from_slice(edit.text.as_bytes());
                at = edit.span.end;
            }
        }
        text.extend_from_slice(source.slice(Span { start: at, end: part.end }));
    }
}

/// The XML that a candidate adds to the parts of the original.
#[derive(Default)]
struct New {
    inputs: String,
    results: String,
    edges: String,
    layers: usize,
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
        self.new.layers += 1;
        self.original.free_id + self.new.layers as u64 - 1
    }

    /// Adds a layer in place of an output of a removed layer: a Const if every element is known, else a Parameter.
    fn add_input(&mut self, output: OutputRef, shared: &mut Shared) -> u64 {
        let (id, fact, name) = (self.next_id(), self.original.fact(output), self.name(output, shared));
        let shape = fact.shape.to_string();
        let shape = shape.trim_start_matches('[').trim_end_matches(']');
        let mut data = format!("shape=\"{shape}\" element_type=\"{}\"", fact.ty);
        let known = match self.choice.weights {
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
        let data = format!("\n\t\t\t<data {data} />");
        self.new.inputs += &layer(id, &name, role, &format!("{data}{}", ports("output", &fact)));
        id
    }

    fn add_result(&mut self, output: OutputRef, shared: &mut Shared) -> u64 {
        let (id, fact, name) = (self.next_id(), self.original.fact(output), self.name(output, shared));
        self.new.results += &layer(id, &format!("{name}/sink_port_0"), Role::Result, &ports("input", &fact));
        id
    }

    fn add_edge(&mut self, from: (u64, u64), to: (u64, u64)) {
        let ((from, from_port), (to, to_port)) = (from, to);
        let _ = write!(
            self.new.edges,
            "\n\t\t<edge from-layer=\"{from}\" from-port=\"{from_port}\" to-layer=\"{to}\" to-port=\"{to_port}\" />"
        );
    }

    fn text(&self, shared: &Shared) -> Vec<u8> {
        let stays = |layer: LayerId| layer == LayerId::NONE || self.plan.has(layer);
        let (source, mut text) = (self.original.source, Vec::new());
        for part in &self.original.document.parts {
            match part.kind {
                PartKind::Layer(layer) if self.plan.has(layer) => shared.copy(source, part.span, &mut text),
                PartKind::Edge(from, to) if stays(from) && stays(to) => shared.copy(source, part.span, &mut text),
                PartKind::Extra(extra) if self.choice.extras.get(extra) == Some(&true) => {
                    shared.copy(source, part.span, &mut text);
                }
                PartKind::Frame => shared.copy(source, part.span, &mut text),
                PartKind::Inputs => text.extend_from_slice(self.new.inputs.as_bytes()),
                PartKind::Results => text.extend_from_slice(self.new.results.as_bytes()),
                PartKind::Edges => text.extend_from_slice(self.new.edges.as_bytes()),
                PartKind::NoEdges if self.new.edges.is_empty() => shared.copy(source, part.span, &mut text),
                PartKind::NoEdges => {
                    text.extend_from_slice(format!("\n\t<edges>{}\n\t</edges>", self.new.edges).as_bytes());
                }
                PartKind::Layer(_) | PartKind::Edge(..) | PartKind::Extra(_) => {}
            }
        }
        text
    }
}

/// Formats a new layer; `name` must be escaped.
fn layer(id: u64, name: &str, role: Role, content: &str) -> String {
    let ty = role.type_name();
    format!("\n\t\t<layer id=\"{id}\" name=\"{name}\" type=\"{ty}\" version=\"opset1\">{content}\n\t\t</layer>")
}

/// Formats one side of a layer that has a single port there.
fn ports(side: &str, fact: &Fact) -> String {
    let mut text = format!("\n\t\t\t<{side}>\n\t\t\t\t<port id=\"0\" precision=\"{}\">", fact.ty.port_name());
    for dim in fact.shape.dims().unwrap_or_default() {
        let _ = write!(text, "\n\t\t\t\t\t<dim>{}</dim>", dim.length().unwrap_or(-1));
    }
    text + &format!("\n\t\t\t\t</port>\n\t\t\t</{side}>")
}
