//! `GRUSequence`: a network of gated recurrent units over a sequence.
//!
//! - Spec: `sequence/gru-sequence-5`
//! - Shape: as `RNNSequence`, with the gates of `GRUCell`.
//! - Errors: as `RNNSequence`.
//! - Differs from OpenVINO: as `RNNCell`.

use super::gru_cell::{LINEAR_BEFORE_RESET, gru};
use super::rnn_sequence::INPUTS;
use crate::ops::prelude::*;
use crate::ops::shared::recurrent::{ACTIVATIONS, ALPHA, BETA, CLIP, DIRECTION, HIDDEN_SIZE};
use crate::ops::spec::recurrent;

pub(super) static GRU_SEQUENCE_5: OpSpec = OpSpec {
    inputs: INPUTS,
    attrs: &[DIRECTION, LINEAR_BEFORE_RESET, HIDDEN_SIZE, ACTIVATIONS, ALPHA, BETA, CLIP],
    outputs: Outputs::Exactly(2),
    macs: Macs::Of(|cx, _| recurrent(cx, &[cx.dim(0, 0), cx.dim(0, 1)], 3)),
    ..OpSpec::new("GRUSequence", 5, |cx| gru(cx, true).sequence(cx, &[0, 1, 3, 4, 5]))
};

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    #[test]
    fn shapes() {
        let gru = |h, b| {
            op("GRUSequence", 5, ["f32[2,7,16]", h, "i32[2]", "f32[2,384,16]", "f32[2,384,?]", b])
                .attr("activations", "sigmoid,tanh")
        };
        gru("f32[2,2,128]", "f32[2,384]").attr("direction", "bidirectional").gives(["f32[2,2,7,128]", "f32[2,2,128]"]);
        gru("f32[?,?,?]", "f32[2,512]")
            .attr("direction", "bidirectional")
            .attr("linear_before_reset", true)
            .gives(["f32[2,2,7,128]", "f32[2,2,128]"]);
    }

    #[test]
    fn functions_are_compiled() {
        let inputs = ["f32[2,7,16]", "f32[2,1,128]", "i32[2]", "f32[1,384,16]", "f32[1,384,128]", "f32[1,384]"];
        let gru = || op("GRUSequence", 5, inputs).attr("hidden_size", 128);
        let passes = |layer: OpTest| layer.passes(["f32[2,1,7,128]", "f32[2,1,128]"]);
        passes(gru().fails("missing-attribute", "GRUSequence has no `activations`"));
        passes(gru().attr("activations", "").fails("attribute-value", "`activations` names 0 functions, wanted 2"));
        passes(gru().attr("activations", "sigmoid,floor").fails(
            "attribute-value",
            "`floor` is not an activation function: they are sigmoid, tanh, relu, hardsigmoid",
        ));
    }

    #[test]
    fn errors() {
        op("GRUSequence", 5, ["f32[2,7,16]", "f32[2,1,128]", "i32[2]", "f32[1,384,16]", "f32[1,384,?]", "f32[1,512]"])
            .fails("shape-conflict", "dimension 1 of `B` is 512, wanted 384: 3 x hidden size 128");
    }
}
