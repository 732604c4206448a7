//! The side table of inferred facts.

use super::declared_output;
use super::order::CycleEdge;
use super::plan::Plan;
use super::symbols::Symbols;
use crate::ir::{Body, BodyKind, Graph, Layer, LayerId, OutputRef, Port};
use crate::types::Fact;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is known of every output of a graph and of its bodies.
#[derive(Debug)]
pub struct Facts {
    /// Outputs that are the same are here once.
    facts: Vec<Fact>,
    /// Per layer: the first fact and the number of facts.
    places: Vec<(u32, u32)>,
    assumed: Vec<bool>,
    bodies: BTreeMap<(LayerId, BodyKind), Facts>,
    plan: Arc<Plan>,
    /// What the symbols of dimensions stand for, and what layers demand of them.
    symbols: Option<Box<Symbols>>,
}

impl Facts {
    /// No fact yet of a graph that is inferred by a plan.
    pub(super) fn new(graph: &Graph, plan: &Arc<Plan>) -> Self {
        let layers = graph.layers.len();
        Self {
            // Memory that is not used costs nothing.
            facts: Vec::with_capacity(layers),
            places: vec![(0, 0); layers],
            assumed: vec![false; layers],
            bodies: BTreeMap::new(),
            plan: Arc::clone(plan),
            symbols: None,
        }
    }

    pub(super) fn set_symbols(&mut self, symbols: Option<Symbols>) {
        self.symbols = symbols.map(Box::new);
    }

    /// What the symbols of dimensions stand for and what layers demand of them, if they were asked for.
    pub(crate) fn symbols(&self) -> Option<&Symbols> {
        self.symbols.as_deref()
    }

    /// The same, which this forgets: facts are as they would be if none had been asked for.
    pub(crate) fn take_symbols(&mut self) -> Option<Box<Symbols>> {
        let symbols = self.symbols.take()?;
        self.forget_symbols();
        Some(symbols)
    }

    fn forget_symbols(&mut self) {
        self.facts.iter_mut().for_each(Fact::forget_symbols);
        self.bodies.values_mut().for_each(Self::forget_symbols);
    }

    /// Gives a layer the outputs of an earlier one.
    pub(super) fn share(&mut self, layer: LayerId, earlier: LayerId) {
        let shared = self.places.get(earlier.index()).copied().unwrap_or_default();
        if let Some(place) = self.places.get_mut(layer.index()) {
            *place = shared;
        }
    }

    pub(super) fn set(&mut self, layer: LayerId, outputs: impl IntoIterator<Item = Fact>) {
        let start = self.facts.len();
        self.facts.extend(outputs);
        let clip = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        if let Some(place) = self.places.get_mut(layer.index()) {
            *place = (clip(start), clip(self.facts.len() - start));
        }
    }

    /// Takes the outputs of a layer from what it declares, without the lengths if those are for other inputs.
    pub(super) fn assume(&mut self, index: LayerId, graph: &Graph, layer: &Layer, is_reshaped: bool) {
        let mut outputs: Vec<Fact> =
            (0..graph.outputs(layer).len()).map(|i| declared_output(graph, layer, i)).collect();
        if is_reshaped {
            for output in &mut outputs {
                output.shape = output.shape.forget_dims();
            }
        }
        self.mark_unknown(index);
        self.set(index, outputs);
    }

    /// Marks the layer's outputs as unknown.
    pub(super) fn mark_unknown(&mut self, index: LayerId) {
        if let Some(assumed) = self.assumed.get_mut(index.index()) {
            *assumed = true;
        }
    }

    /// Forgets the elements of every output so far.
    pub(super) fn forget_values(&mut self) {
        self.facts.iter_mut().for_each(|fact| fact.value = None);
    }

    pub(super) fn add_body(&mut self, layer: LayerId, kind: BodyKind, facts: Facts) {
        self.bodies.insert((layer, kind), facts);
    }

    /// The outputs of a layer; as many as inference gives, not as many as are declared.
    pub fn outputs(&self, layer: LayerId) -> &[Fact] {
        let (start, count) = self.places.get(layer.index()).copied().unwrap_or_default();
        self.facts.get(start as usize..(start + count) as usize).unwrap_or_default()
    }

    /// The number of outputs, those of bodies included.
    pub fn output_count(&self) -> usize {
        self.places.iter().map(|(_, count)| *count as usize).sum::<usize>()
            + self.bodies.values().map(Facts::output_count).sum::<usize>()
    }

    /// One output of a layer.
    pub fn output(&self, output: OutputRef) -> Option<&Fact> {
        self.outputs(output.layer).get(output.output as usize)
    }

    /// Where the fact of an output is kept; the same place holds the same fact.
    pub(crate) fn place(&self, output: OutputRef) -> Option<u32> {
        let (start, count) = self.places.get(output.layer.index())?;
        (output.output < *count).then(|| start + output.output)
    }

    /// The fact at a place.
    pub(crate) fn at(&self, place: u32) -> Option<&Fact> {
        self.facts.get(place as usize)
    }

    /// What arrives at an input port.
    pub fn of_port(&self, port: &Port) -> Option<&Fact> {
        self.output(port.source()?)
    }

    /// Whether a layer leads to a Result or an Assign, so that OpenVINO builds it.
    pub fn is_reachable(&self, layer: LayerId) -> bool {
        self.plan.is_reachable(layer)
    }

    /// Whether the outputs of a layer are taken from what it declares.
    pub fn is_assumed(&self, layer: LayerId) -> bool {
        self.assumed.get(layer.index()).copied().unwrap_or(false)
    }

    /// Whether there are facts of any body.
    pub fn has_bodies(&self) -> bool {
        !self.bodies.is_empty()
    }

    /// The facts of a body.
    pub fn body(&self, layer: LayerId, kind: BodyKind) -> Option<&Facts> {
        self.bodies.get(&(layer, kind))
    }

    /// The bodies of a layer with the facts of each.
    pub fn bodies<'l>(&self, place: LayerId, layer: &'l Layer) -> impl Iterator<Item = (&'l Body, &Facts)> {
        layer.bodies().filter_map(move |body| Some((body, self.body(place, body.kind)?)))
    }

    /// What was planned before any fact: the order of the layers, the cycles, how bodies are wired.
    pub(crate) fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// The places of all layers, producers before consumers as far as cycles allow.
    pub(crate) fn order(&self) -> &[LayerId] {
        &self.plan.order
    }

    /// The cycles of the graph, each as its edges.
    pub(crate) fn cycles(&self) -> &[Vec<CycleEdge>] {
        &self.plan.cycles
    }
}
