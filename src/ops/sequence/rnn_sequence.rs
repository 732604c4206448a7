//! `RNNSequence`: a plain recurrent network over a sequence.
//!
//! - Spec: `sequence/rnn-sequence-5`
//! - Shape: Y `[batch, directions, length of X, hidden]`, H `[batch, directions, hidden]`; otherwise as `RNNCell`, with the
//!   directions before the gates in W, R and B.
//! - Errors: as `RNNCell`, but activation functions are not examined; `shape-conflict` if an input has not as many
//!   directions as `direction` says.
//! - Differs from OpenVINO: as `RNNCell`.

use crate::ops::prelude::*;
use crate::ops::shared::recurrent::{ACTIVATIONS, ALPHA, BETA, CLIP, DIRECTION, HIDDEN_SIZE, Recurrent};
use crate::ops::spec::recurrent;

pub(super) static RNN_SEQUENCE_5: OpSpec = OpSpec {
    inputs: INPUTS,
    attrs: &[DIRECTION, HIDDEN_SIZE, ACTIVATIONS, ALPHA, BETA, CLIP],
    outputs: Outputs::Exactly(2),
    macs: Macs::Of(|cx, _| recurrent(cx, &[cx.dim(0, 0), cx.dim(0, 1)], 3)),
    ..OpSpec::new("RNNSequence", 5, |cx| NETWORK.sequence(cx, &[0, 1, 3, 4, 5]))
};

pub(super) const INPUTS: &[Input] = &[
    Input::any("X").ranks(&[3]),
    Input::any("H").ranks(&[3]),
    Input::any("sequence_lengths").ranks(&[1]),
    Input::any("W").ranks(&[3]),
    Input::any("R").ranks(&[3]),
    Input::any("B").ranks(&[2]),
];

const NETWORK: Recurrent = Recurrent { gates: 1, biases: 1, states: 1, is_sequence: true, functions: 1 };

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let rnn =
            |x, h, lengths| op("RNNSequence", 5, [x, h, lengths, "f32[?,128,16]", "f32[?,128,128]", "f32[?,128]"]);
        rnn("f32[2,7,16]", "f32[2,1,128]", "i32[2]")
            .attr("activations", "tanh")
            .gives(["f32[2,1,7,128]", "f32[2,1,128]"]);
        rnn("f32[?,..7,16]", "f32[...]", "i64[2]")
            .attr("direction", "bidirectional")
            .attr("activations", "tanh")
            .gives(["f32[2,2,..7,128]", "f32[2,2,128]"]);
        op("RNNSequence", 5, ["f32[...]"; 6]).attr("activations", "tanh").gives(["f32[?,1,?,?]", "f32[?,1,?]"]);
    }

    #[test]
    fn errors() {
        let rnn = |h, lengths| {
            op("RNNSequence", 5, ["f32[2,7,16]", h, lengths, "f32[1,128,16]", "f32[1,128,128]", "f32[1,128]"])
        };
        rnn("f32[2,2,128]", "i32[2]")
            .fails("shape-conflict", "dimension 1 of `H` is 2, wanted 1: `direction` is forward");
        rnn("f32[2,1,128]", "i32[3]")
            .fails("shape-conflict", "dimension 0 of `sequence_lengths` is 3, dimension 0 of `X` is 2");
        rnn("f32[2,1,128]", "i32[]")
            .fails("input-rank", "`sequence_lengths` of RNNSequence must be a list (rank 1), but is i32[]");
        rnn("f32[2,1,128]", "i32[2]").attr("direction", "backward").fails(
            "attribute-value",
            "`direction=\"backward\"` of RNNSequence must be one of forward, reverse, bidirectional",
        );
    }
}
