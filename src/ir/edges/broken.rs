//! Ends of broken edges. The edge has its own finding, so its consequences are not reported again.

use crate::diagnostic::Direction;
use crate::ir::LayerId;
use std::collections::BTreeSet;

/// The layers and inputs that broken edges may have been meant for.
#[derive(Debug, Default)]
pub struct LooseEnds {
    producers: BTreeSet<LayerId>,
    inputs: BTreeSet<(LayerId, u32)>,
    /// Layers of which any input may be meant.
    all_inputs: BTreeSet<LayerId>,
    any_producer: bool,
    any_input: bool,
    missing_ports: BTreeSet<(LayerId, Direction, u64)>,
    shared: BTreeSet<LayerId>,
    /// Layers with an input that has several edges, with what all but the first come from.
    again: BTreeSet<(LayerId, LayerId)>,
}

impl LooseEnds {
    /// Whether an output of the layer was meant to feed something.
    pub fn has_producer(&self, layer: LayerId) -> bool {
        self.any_producer || self.producers.contains(&layer)
    }

    /// Whether an edge was meant for the input at this position.
    pub fn has_input(&self, layer: LayerId, input: u32) -> bool {
        self.any_input || self.inputs.contains(&(layer, input)) || self.all_inputs.contains(&layer)
    }

    /// Whether an edge names a port that this side of the layer lacks.
    pub fn lacks_port(&self, layer: LayerId, direction: Direction) -> bool {
        let of_side = (layer, direction, 0)..=(layer, direction, u64::MAX);
        !self.missing_ports.is_empty() && self.missing_ports.range(of_side).next().is_some()
    }

    /// Whether another layer has the id of this one, so that edges of one lead to the other.
    pub fn shares_id(&self, layer: LayerId) -> bool {
        self.shared.contains(&layer)
    }

    /// What further edges to inputs of the layer come from, which have one already.
    pub fn further_producers(&self, layer: LayerId) -> impl Iterator<Item = LayerId> {
        self.again.iter().filter(move |(to, _)| *to == layer).map(|(_, from)| *from)
    }

    pub(in crate::ir) fn add_again(&mut self, to: LayerId, from: LayerId) {
        self.again.insert((to, from));
    }

    pub(in crate::ir) fn add_shared(&mut self, layer: LayerId) {
        self.shared.insert(layer);
    }

    /// Notes a port that an edge names; false if another edge named it before.
    pub(in crate::ir) fn add_missing_port(&mut self, layer: LayerId, direction: Direction, port: u64) -> bool {
        self.missing_ports.insert((layer, direction, port))
    }

    pub(in crate::ir) fn add_producer(&mut self, layer: LayerId) {
        self.producers.insert(layer);
    }

    pub(in crate::ir) fn add_input(&mut self, layer: LayerId, input: u32) {
        self.inputs.insert((layer, input));
    }

    /// An edge may be meant for any input of the layer.
    pub(in crate::ir) fn add_inputs(&mut self, layer: LayerId) {
        self.all_inputs.insert(layer);
    }

    /// An edge starts nowhere, so that any layer without consumers may be meant.
    pub(in crate::ir) fn add_any_producer(&mut self) {
        self.any_producer = true;
    }

    /// The graph has no edges at all.
    pub(in crate::ir) fn add_everything(&mut self) {
        (self.any_producer, self.any_input) = (true, true);
    }
}
