//! `GRUCell`: one step of a network of gated recurrent units.
//!
//! - Spec: `sequence/gru-cell-3`
//! - Shape: as `RNNCell`, with three gates in W and R, and in B three, or four with `linear_before_reset`.
//! - Errors: as `RNNCell`; the element type of W is not compared.
//! - Differs from OpenVINO: as `RNNCell`.

use super::rnn_cell::INPUTS;
use crate::ops::prelude::*;
use crate::ops::shared::recurrent::{ACTIVATIONS, ALPHA, BETA, CLIP, HIDDEN_SIZE, Recurrent};
use crate::ops::spec::recurrent;

pub(super) static GRU_CELL_3: OpSpec = OpSpec {
    inputs: INPUTS,
    attrs: &[LINEAR_BEFORE_RESET, HIDDEN_SIZE, ACTIVATIONS, ALPHA, BETA, CLIP],
    macs: Macs::Of(|cx, _| recurrent(cx, &[cx.dim(0, 0)], 2)),
    ..OpSpec::new("GRUCell", 3, |cx| gru(cx, false).cell(cx, &[0, 1, 3, 4]))
};

pub(super) const LINEAR_BEFORE_RESET: Attr = Attr::optional("linear_before_reset", Kind::Flag, "false");

pub(super) fn gru(cx: &InferCtx, is_sequence: bool) -> Recurrent {
    let biases = if cx.flag("linear_before_reset") { 4 } else { 3 };
    Recurrent { gates: 3, biases, states: 1, is_sequence, functions: 2 }
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let cell = |h, b| op("GRUCell", 3, ["f32[2,16]", h, "f16[384,16]", "f32[384,128]", b]);
        cell("f32[2,128]", "f32[384]").gives(["f32[2,128]"]);
        cell("f32[...]", "f32[512]").attr("linear_before_reset", true).gives(["f32[2,128]"]);
        op("GRUCell", 3, ["f32[...]", "f32[?,?]", "f32[5..7,?]", "f32[?,?]", "f32[?]"]).gives(["f32[?,2]"]);
    }

    #[test]
    fn errors() {
        let cell = |w, b| op("GRUCell", 3, ["f32[2,16]", "f32[2,?]", w, "f32[384,?]", b]);
        cell("f32[384,16]", "f32[512]")
            .fails("shape-conflict", "dimension 0 of `B` is 512, wanted 384: 3 x hidden size 128");
        cell("f32[383,16]", "f32[384]").fails("shape-conflict", "dimension 0 of `W` is 383, not a multiple of 3 gates");
        op("GRUCell", 3, ["f32[2,16]", "f32[2,128]", "f32[384,16]", "f32[384,128]"])
            .fails("wrong-input-count", "GRUCell takes 5 inputs, this layer has 4");
        cell("f32[384,16]", "f32[384]")
            .attr("activations", "sigmoid")
            .fails("attribute-value", "`activations` names 1 function, wanted 2");
    }
}
