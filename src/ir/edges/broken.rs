//! Ends of broken edges. A broken edge has its own finding; these ends suppress findings about its consequences.

use crate::diagnostic::Direction;
use crate::ir::LayerId;
use std::collections::BTreeSet;

/// The layers and ports that broken edges may have been meant for.
#[derive(Debug, Default)]
pub struct BrokenEdgeEnds {
    producers: BTreeSet<LayerId>,
    inputs: BTreeSet<(LayerId, u32)>,
    /// Layers of which every input is a candidate.
    all_inputs: BTreeSet<LayerId>,
    any_producer: bool,
    any_input: bool,
    missing_ports: BTreeSet<(LayerId, Direction, u64)>,
    shared: BTreeSet<LayerId>,
    /// Pairs of a layer and the source of a further edge into one of its inputs that already has an edge.
    again: BTreeSet<(LayerId, LayerId)>,
    /// The edges from missing layers, by target, and those to missing layers, by id.
    from_missing: BTreeSet<(LayerId, u64)>,
    to_missing: BTreeSet<(u64, LayerId)>,
}

impl BrokenEdgeEnds {
    /// Whether a broken edge may have been meant to start at the layer.
    pub fn has_producer(&self, layer: LayerId) -> bool {
        self.any_producer || self.producers.contains(&layer)
    }

    /// Whether a broken edge may have been meant for the input at this index.
    pub fn has_input(&self, layer: LayerId, input: u32) -> bool {
        self.any_input || self.inputs.contains(&(layer, input)) || self.all_inputs.contains(&layer)
    }

    /// Whether an edge names a missing port on this side of the layer.
    pub fn lacks_port(&self, layer: LayerId, direction: Direction) -> bool {
        let of_side = (layer, direction, 0)..=(layer, direction, u64::MAX);
        !self.missing_ports.is_empty() && self.missing_ports.range(of_side).next().is_some()
    }

    /// Whether another layer has the same id, so that edges meant for the one may lead to the other.
    pub fn shares_id(&self, layer: LayerId) -> bool {
        self.shared.contains(&layer)
    }

    /// Returns the sources of further edges into inputs of the layer that already have an edge.
    pub fn further_producers(&self, layer: LayerId) -> impl Iterator<Item = LayerId> {
        let of_layer = self.again.range((layer, LayerId::new(0))..);
        of_layer.take_while(move |(to, _)| *to == layer).map(|(_, from)| *from)
    }

    /// Returns the ids of missing layers with an edge to the layer.
    pub fn missing_producers(&self, layer: LayerId) -> impl Iterator<Item = u64> {
        let of_layer = self.from_missing.range((layer, 0)..);
        of_layer.take_while(move |(to, _)| *to == layer).map(|(_, id)| *id)
    }

    /// Returns the layers with an edge to a missing layer.
    pub fn producers_of_missing(&self, id: u64) -> impl Iterator<Item = LayerId> {
        let of_id = self.to_missing.range((id, LayerId::new(0))..);
        of_id.take_while(move |(to, _)| *to == id).map(|(_, from)| *from)
    }

    pub(in crate::ir) fn add_from_missing(&mut self, id: u64, to: LayerId) {
        self.from_missing.insert((to, id));
    }

    pub(in crate::ir) fn add_to_missing(&mut self, from: LayerId, id: u64) {
        self.to_missing.insert((id, from));
    }

    pub(in crate::ir) fn add_again(&mut self, to: LayerId, from: LayerId) {
        self.again.insert((to, from));
    }

    pub(in crate::ir) fn add_shared(&mut self, layer: LayerId) {
        self.shared.insert(layer);
    }

    /// Records a missing port that an edge names; false if another edge named it before.
    pub(in crate::ir) fn add_missing_port(&mut self, layer: LayerId, direction: Direction, port: u64) -> bool {
        self.missing_ports.insert((layer, direction, port))
    }

    pub(in crate::ir) fn add_producer(&mut self, layer: LayerId) {
        self.producers.insert(layer);
    }

    pub(in crate::ir) fn add_input(&mut self, layer: LayerId, input: u32) {
        self.inputs.insert((layer, input));
    }

    /// Makes every input of the layer a candidate.
    pub(in crate::ir) fn add_inputs(&mut self, layer: LayerId) {
        self.all_inputs.insert(layer);
    }

    /// Makes every output a candidate, for an edge from an unknown layer.
    pub(in crate::ir) fn add_any_producer(&mut self) {
        self.any_producer = true;
    }

    /// Makes every port a candidate, for a graph without any edge.
    pub(in crate::ir) fn add_everything(&mut self) {
        (self.any_producer, self.any_input) = (true, true);
    }
}
