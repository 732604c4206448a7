//! Hypothetical facts: assuming them in place of those of the file shows which errors would disappear.

use crate::ir::Layer;
use crate::types::Fact;
use std::collections::BTreeMap;

/// Facts that override those of producers. The key of a layer is the byte at which it starts, which is unique across bodies.
#[derive(Debug, Default)]
pub(crate) struct Supposed {
    outputs: BTreeMap<u32, Vec<Fact>>,
    inputs: BTreeMap<(u32, usize), Fact>,
}

impl Supposed {
    /// Assumes the outputs of a layer; its operation is not applied.
    pub(crate) fn set_outputs(&mut self, layer: &Layer, outputs: Vec<Fact>) {
        self.outputs.insert(layer.tag.start, outputs);
    }

    /// Assumes the fact at input `i` of a layer.
    pub(crate) fn set_input(&mut self, layer: &Layer, i: usize, fact: Fact) {
        self.inputs.insert((layer.tag.start, i), fact);
    }

    /// Returns the assumed outputs of a layer.
    pub(super) fn outputs(&self, layer: &Layer) -> Option<&[Fact]> {
        self.outputs.get(&layer.tag.start).map(Vec::as_slice)
    }

    /// Returns the assumed fact at input `i` of a layer.
    pub(super) fn input(&self, layer: &Layer, i: usize) -> Option<&Fact> {
        self.inputs.get(&(layer.tag.start, i))
    }

    /// Whether any input of a layer is assumed.
    pub(super) fn has_inputs(&self, layer: &Layer) -> bool {
        let at = layer.tag.start;
        self.inputs.range((at, 0)..=(at, usize::MAX)).next().is_some()
    }
}
