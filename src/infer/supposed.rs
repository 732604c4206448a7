//! What is supposed of a file in place of what it says, to see which of its errors would be gone.

use crate::ir::Layer;
use crate::types::Fact;
use std::collections::BTreeMap;

/// Facts that hold whatever the layers before them give. No two layers start at the same byte, those of bodies included.
#[derive(Debug, Default)]
pub(crate) struct Supposed {
    outputs: BTreeMap<u32, Vec<Fact>>,
    inputs: BTreeMap<(u32, usize), Fact>,
}

impl Supposed {
    /// Supposes the outputs of a layer; its operation is not applied.
    pub(crate) fn set_outputs(&mut self, layer: &Layer, outputs: Vec<Fact>) {
        self.outputs.insert(layer.tag.start, outputs);
    }

    /// Supposes what arrives at input `i` of a layer.
    pub(crate) fn set_input(&mut self, layer: &Layer, i: usize, fact: Fact) {
        self.inputs.insert((layer.tag.start, i), fact);
    }

    /// The outputs that are supposed of a layer.
    pub(super) fn outputs(&self, layer: &Layer) -> Option<&[Fact]> {
        self.outputs.get(&layer.tag.start).map(Vec::as_slice)
    }

    /// What is supposed to arrive at input `i` of a layer.
    pub(super) fn input(&self, layer: &Layer, i: usize) -> Option<&Fact> {
        self.inputs.get(&(layer.tag.start, i))
    }

    /// Whether anything is supposed of the inputs of a layer.
    pub(super) fn has_inputs(&self, layer: &Layer) -> bool {
        let at = layer.tag.start;
        self.inputs.range((at, 0)..=(at, usize::MAX)).next().is_some()
    }
}
