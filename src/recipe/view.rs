//! A model with the queries that recipes and pipelines need: inputs and outputs by tensor name, layers by their producers;
//! and findings about these.

use super::Chosen;
use crate::analysis::Model;
use crate::diagnostic::{Diagnostic, Direction, Rule, Text};
use crate::infer::Facts;
use crate::ir::{self, Graph, Layer, LayerId, Net, Role, find_attribute, unescape};
use crate::ops::Action;
use crate::query::ends;
use crate::source::Span;
use crate::types::Fact;
use std::collections::HashMap;

/// A readable model.
pub(crate) struct View<'a> {
    pub model: &'a Model,
    pub net: &'a Net,
    pub facts: &'a Facts,
    /// The inputs and outputs as OpenVINO lists them, used or not.
    pub inputs: Vec<Port<'a>>,
    pub outputs: Vec<Port<'a>>,
    /// The recipe, with the configuration file that it reads; `None` for the member of a pipeline.
    pub chosen: Option<&'a Chosen>,
}

/// An input or output of the model.
pub(crate) struct Port<'a> {
    /// The Parameter or the Result.
    pub index: LayerId,
    pub layer: &'a Layer,
    /// The tensor names.
    pub names: Vec<String>,
    /// The fact of the tensor.
    pub fact: Option<Fact>,
}

impl Port<'_> {
    pub(crate) fn is(&self, name: &str) -> bool {
        self.names.iter().any(|own| own == name)
    }
}

/// A layer that reads or writes a variable, with the variable's name.
pub(crate) struct State<'a> {
    pub index: LayerId,
    pub layer: &'a Layer,
    pub variable: String,
}

impl<'a> View<'a> {
    /// Creates the view; `None` if the file is not an IR.
    pub(crate) fn of(model: &'a Model, chosen: Option<&'a Chosen>) -> Option<Self> {
        let (net, facts) = (model.net()?, model.facts()?);
        let ports = |direction, role| {
            let layers = net.graph.entries().filter(|(_, layer)| net.graph.kind(layer).role == role);
            let ports = layers.zip(ends(model, direction));
            ports.map(|((index, layer), end)| Port { index, layer, names: end.tensors, fact: end.fact }).collect()
        };
        let inputs = ports(Direction::Input, Role::Parameter);
        let outputs = ports(Direction::Output, Role::Result);
        Some(Self { model, net, facts, inputs, outputs, chosen })
    }

    /// Returns the inputs or the outputs.
    pub(crate) fn ports(&self, direction: Direction) -> &[Port<'a>] {
        if direction == Direction::Input { &self.inputs } else { &self.outputs }
    }

    /// Returns the inputs or the outputs by tensor name; the first port of each name.
    pub(super) fn named(&self, direction: Direction) -> HashMap<&str, &Port<'a>> {
        let ports = self.ports(direction).iter().rev();
        ports.flat_map(|port| port.names.iter().map(move |name| (name.as_str(), port))).collect()
    }

    pub(crate) fn graph(&self) -> &'a Graph {
        &self.net.graph
    }

    /// Returns the layers that OpenVINO builds.
    pub(crate) fn layers(&self) -> impl Iterator<Item = (LayerId, &'a Layer)> + use<'a> {
        let facts = self.facts;
        self.net.graph.entries().filter(move |(index, _)| facts.is_reachable(*index))
    }

    /// Returns the first input with this tensor name.
    pub(crate) fn input(&self, name: &str) -> Option<&Port<'a>> {
        self.inputs.iter().find(|input| input.is(name))
    }

    pub(crate) fn producer(&self, layer: &Layer, input: usize) -> Option<(LayerId, &'a Layer)> {
        let from = self.graph().inputs(layer).get(input)?.source()?.layer;
        Some((from, self.graph().layer(from)?))
    }

    pub(super) fn producers(&self, layer: &Layer) -> impl Iterator<Item = LayerId> + use<'a> {
        self.graph().inputs(layer).iter().filter_map(ir::Port::source).map(|from| from.layer)
    }

    pub(crate) fn fact(&self, layer: &Layer, input: usize) -> Option<&'a Fact> {
        self.facts.of_port(self.graph().inputs(layer).get(input)?)
    }

    /// Whether a layer has this type, from one of these opset numbers; an empty list allows any.
    pub(super) fn is(&self, layer: &Layer, ty: &str, revisions: &[u8]) -> bool {
        let spec = self.graph().kind(layer).spec();
        spec.is_some_and(|spec| spec.name == ty && (revisions.is_empty() || revisions.contains(&spec.opset)))
    }

    pub(super) fn has_action(&self, layer: &Layer, action: Action) -> bool {
        self.graph().kind(layer).action() == action
    }

    /// Returns the layers that read variables, or those that write them.
    pub(crate) fn states(&self, action: Action) -> Vec<State<'a>> {
        let of = |(index, layer)| State { index, layer, variable: self.variable(layer) };
        self.layers().filter(|(_, layer)| self.has_action(layer, action)).map(of).collect()
    }

    pub(super) fn variable(&self, layer: &Layer) -> String {
        let id = find_attribute(self.model.source(), layer.data, "variable_id");
        id.map(|id| unescape(self.model.source().slice(id.value)).into_owned()).unwrap_or_default()
    }

    /// Formats the name and the type of a layer for messages.
    pub(super) fn called(&self, layer: &Layer) -> String {
        let graph = self.graph();
        format!("`{}` ({})", graph.name(self.model.source(), layer), graph.kind(layer).ty)
    }

    /// Returns the span of an input's tensor names, or of its tag.
    pub(crate) fn names_span(&self, input: &Port) -> Span {
        let port = self.graph().outputs(input.layer).first();
        let names = port.and_then(|port| find_attribute(self.model.source(), port.tag, "names"));
        names.map_or(input.layer.tag, |names| names.value)
    }

    pub(crate) fn about(&self, rule: &'static Rule, layer: &Layer, span: Span, message: String) -> Diagnostic {
        Diagnostic::new(rule, span, message).layer(self.graph().layer_ref(self.model.source(), layer))
    }

    pub(super) fn about_input(&self, rule: &'static Rule, layer: &Layer, at: usize, message: String) -> Diagnostic {
        let span = self.graph().inputs(layer).get(at).map_or(layer.tag, |port| port.tag);
        let port = self.graph().port_ref(self.model.source(), layer, Direction::Input, at);
        self.about(rule, layer, span, message).port(port)
    }

    /// Creates a finding about the model as a whole.
    pub(crate) fn about_model(&self, rule: &'static Rule, message: impl Into<Text>) -> Diagnostic {
        Diagnostic::new(rule, self.graph().tag, message)
    }

    /// Returns the name of an input or output: its first tensor name, or else that of its layer.
    pub(crate) fn name(&self, port: &Port) -> String {
        match port.names.first() {
            Some(name) => format!("`{name}`"),
            None => format!("`{}` (without a tensor name)", self.graph().name(self.model.source(), port.layer)),
        }
    }

    /// Lists the inputs or outputs for a note.
    pub(crate) fn listed(&self, direction: Direction) -> String {
        let ports = self.ports(direction);
        let names: Vec<String> = ports.iter().take(SHOWN).map(|port| self.name(port)).collect();
        match (ports.len(), ports.len().saturating_sub(SHOWN)) {
            (0, _) => format!("the model has no {direction}s"),
            (1, _) => format!("the only {direction} is {}", names.join(", ")),
            (_, 0) => format!("the {direction}s are {}", names.join(", ")),
            (_, more) => format!("the {direction}s are {} and {more} more", names.join(", ")),
        }
    }
}

/// The maximum number of names that a note lists.
const SHOWN: usize = 12;
