//! The result of inference, in a table beside the graph: the fact of every output, in bodies too, with the plan and the
//! symbols that belong to it.

use super::canonical::sorted;
use super::declared_output;
use super::order::CycleEdge;
use super::plan::Plan;
use crate::ir::walk::Beside;
use crate::ir::{Body, BodyKind, Graph, Layer, LayerId, OutputRef, Port};
use crate::source::Source;
use crate::types::Fact;
use crate::types::symbol::Expressions;
use crate::types::symbol::demand::Demands;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The facts of every output of a graph and its bodies.
#[derive(Debug)]
pub struct Facts {
    /// Deduplicated: equal outputs of several layers are stored once.
    facts: Vec<Fact>,
    /// Per layer: the index of its first fact, and the number of its facts.
    ranges: Vec<(u32, u32)>,
    assumed: Vec<bool>,
    bodies: BTreeMap<(LayerId, BodyKind), Facts>,
    plan: Arc<Plan>,
    /// The expressions behind the symbols of dimensions, and the constraints of layers on them.
    symbols: Option<Box<Symbols>>,
}

impl Facts {
    /// Creates an empty table for a graph.
    pub(super) fn new(graph: &Graph, plan: &Arc<Plan>) -> Self {
        let layers = graph.layers.len();
        Self {
            // Unused capacity is never touched, so it costs no memory.
            facts: Vec::with_capacity(layers),
            ranges: vec![(0, 0); layers],
            assumed: vec![false; layers],
            bodies: BTreeMap::new(),
            plan: Arc::clone(plan),
            symbols: None,
        }
    }

    pub(super) fn set_symbols(&mut self, symbols: Option<Symbols>) {
        self.symbols = symbols.map(Box::new);
    }

    /// Returns the expressions of dimensions and the constraints on them, if inference was symbolic.
    pub(crate) fn symbols(&self) -> Option<&Symbols> {
        self.symbols.as_deref()
    }

    /// Removes the symbols and returns them: the facts are then as they would be without symbolic inference.
    pub(crate) fn take_symbols(&mut self) -> Option<Box<Symbols>> {
        let symbols = self.symbols.take()?;
        self.forget_symbols();
        Some(symbols)
    }

    fn forget_symbols(&mut self) {
        self.facts.iter_mut().for_each(Fact::forget_symbols);
        self.bodies.values_mut().for_each(Self::forget_symbols);
    }

    /// Lets a layer share the outputs of an earlier one.
    pub(super) fn share(&mut self, layer: LayerId, earlier: LayerId) {
        let shared = self.ranges.get(earlier.index()).copied().unwrap_or_default();
        if let Some(range) = self.ranges.get_mut(layer.index()) {
            *range = shared;
        }
    }

    pub(super) fn set(&mut self, layer: LayerId, outputs: impl IntoIterator<Item = Fact>) {
        let start = self.facts.len();
        self.facts.extend(outputs);
        let clip = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        if let Some(range) = self.ranges.get_mut(layer.index()) {
            *range = (clip(start), clip(self.facts.len() - start));
        }
    }

    /// Falls back to the declared outputs of a layer, without dimensions if the declared ones are for other input shapes.
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

    /// Marks the outputs of a layer as assumed.
    pub(super) fn mark_unknown(&mut self, index: LayerId) {
        if let Some(assumed) = self.assumed.get_mut(index.index()) {
            *assumed = true;
        }
    }

    /// Drops the values of all outputs so far.
    pub(super) fn forget_values(&mut self) {
        self.facts.iter_mut().for_each(|fact| fact.value = None);
    }

    pub(super) fn add_body(&mut self, layer: LayerId, kind: BodyKind, facts: Facts) {
        self.bodies.insert((layer, kind), facts);
    }

    /// Returns the outputs of a layer: as many as inferred, which can differ from the declared ones.
    pub fn outputs(&self, layer: LayerId) -> &[Fact] {
        let (start, count) = self.ranges.get(layer.index()).copied().unwrap_or_default();
        self.facts.get(start as usize..(start + count) as usize).unwrap_or_default()
    }

    /// Counts the outputs, those of bodies included.
    pub fn output_count(&self) -> usize {
        self.ranges.iter().map(|(_, count)| *count as usize).sum::<usize>()
            + self.bodies.values().map(Facts::output_count).sum::<usize>()
    }

    /// Returns one output of a layer.
    pub fn output(&self, output: OutputRef) -> Option<&Fact> {
        self.outputs(output.layer).get(output.output as usize)
    }

    /// Returns the index of an output's fact in the table. Outputs with the same index have the same fact.
    pub(crate) fn place(&self, output: OutputRef) -> Option<u32> {
        let (start, count) = self.ranges.get(output.layer.index())?;
        (output.output < *count).then(|| start + output.output)
    }

    /// Returns the fact at an index.
    pub(crate) fn at(&self, index: u32) -> Option<&Fact> {
        self.facts.get(index as usize)
    }

    /// Returns the fact at an input port: that of the output at the other end of its edge.
    pub fn of_port(&self, port: &Port) -> Option<&Fact> {
        self.output(port.source()?)
    }

    /// Whether a layer leads to a Result or an Assign, so that OpenVINO builds it.
    pub fn is_reachable(&self, layer: LayerId) -> bool {
        self.plan.is_reachable(layer)
    }

    /// Whether the outputs of a layer are its declared ports.
    pub fn is_assumed(&self, layer: LayerId) -> bool {
        self.assumed.get(layer.index()).copied().unwrap_or(false)
    }

    /// Whether there are facts of any body.
    pub fn has_bodies(&self) -> bool {
        !self.bodies.is_empty()
    }

    /// Returns the facts of a body.
    pub fn body(&self, layer: LayerId, kind: BodyKind) -> Option<&Facts> {
        self.bodies.get(&(layer, kind))
    }

    /// Returns the bodies of a layer, each with its facts.
    pub fn bodies<'l>(&self, index: LayerId, layer: &'l Layer) -> impl Iterator<Item = (&'l Body, &Facts)> {
        layer.bodies().filter_map(move |body| Some((body, self.body(index, body.kind)?)))
    }

    /// Returns the plan: topological order, cycles, wiring of bodies.
    pub(crate) fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// Returns all layers in topological order, as far as cycles allow.
    pub(crate) fn order(&self) -> &[LayerId] {
        &self.plan.order
    }

    /// Returns the position of every layer in an order that does not depend on the file; 0 for all if there are cycles.
    pub(crate) fn places(&self, graph: &Graph, source: &Source) -> Vec<usize> {
        let mut places = vec![0; graph.layers.len()];
        for (place, index) in sorted(graph, source, self.order()).into_iter().enumerate() {
            if let Some(slot) = places.get_mut(index.index()) {
                *slot = place;
            }
        }
        places
    }

    /// Returns the cycles of the graph, each as its edges.
    pub(crate) fn cycles(&self) -> &[Vec<CycleEdge>] {
        &self.plan.cycles
    }
}

impl Beside for &Facts {
    fn body(self, layer: LayerId, kind: BodyKind) -> Option<Self> {
        Facts::body(self, layer, kind)
    }
}

/// The symbolic part of inference.
#[derive(Debug)]
pub(crate) struct Symbols {
    /// The expressions behind the symbols.
    pub(crate) expressions: Box<Expressions>,
    /// The constraints of layers, in topological order.
    pub(crate) demanded: Vec<Demanded>,
    /// The layers whose constraints are those of an equal layer, each after that layer.
    pub(crate) shared: Vec<(LayerId, LayerId)>,
}

impl Symbols {
    /// Adds the layers that have the same constraints as one of these.
    pub(crate) fn add_equal(&self, layers: &mut Vec<LayerId>) {
        let mut known = layers.clone();
        known.sort_unstable();
        let is_known = |earlier: &LayerId| known.binary_search(earlier).is_ok();
        layers.extend(self.shared.iter().filter(|(earlier, _)| is_known(earlier)).map(|(_, index)| *index));
    }
}

/// The constraints that one layer puts on dynamic dimensions.
#[derive(Debug)]
pub(crate) struct Demanded {
    pub(crate) layer: LayerId,
    pub(crate) demands: Demands,
}
