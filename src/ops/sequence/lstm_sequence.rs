//! `LSTMSequence`: a network with long short-term memory over a sequence.
//!
//! - Spec: `sequence/lstm-sequence-5`
//! - Shape: as `RNNSequence`, with the gates of `LSTMCell` and a third output C like H.
//! - Errors: as `RNNSequence`.
//! - Differs from OpenVINO: as `RNNCell`.

use crate::ops::prelude::*;
use crate::ops::shared::recurrent::{ACTIVATIONS, ALPHA, BETA, CLIP, DIRECTION, HIDDEN_SIZE, Recurrent};
use crate::ops::spec::recurrent;

pub(super) static LSTM_SEQUENCE_5: OpSpec = OpSpec {
    inputs: &[
        Input::any("X").ranks(&[3]),
        Input::any("H").ranks(&[3]),
        Input::any("C").ranks(&[3]),
        Input::any("sequence_lengths").ranks(&[1]),
        Input::any("W").ranks(&[3]),
        Input::any("R").ranks(&[3]),
        Input::any("B").ranks(&[2]),
    ],
    attrs: &[DIRECTION, HIDDEN_SIZE, ACTIVATIONS, ALPHA, BETA, CLIP],
    outputs: Outputs::Exactly(3),
    macs: Macs::Of(|cx, _| recurrent(cx, &[cx.dim(0, 0), cx.dim(0, 1)], 4)),
    ..OpSpec::new("LSTMSequence", 5, |cx| NETWORK.sequence(cx, &[0, 1, 2, 4, 5, 6]))
};

const NETWORK: Recurrent = Recurrent { gates: 4, biases: 4, states: 2, is_sequence: true, functions: 3 };

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let lstm = |x, c, w| {
            op("LSTMSequence", 5, [x, "f32[?,?,?]", c, "i32[?]", w, "f32[1,512,?]", "f32[1,512]"])
                .attr("direction", "reverse")
                .attr("activations", "sigmoid,tanh,tanh")
        };
        lstm("f32[2,7,16]", "f32[2,1,128]", "f32[1,512,16]").gives(["f32[2,1,7,128]", "f32[2,1,128]", "f32[2,1,128]"]);
        lstm("f32[...]", "f32[...]", "f32[...]").gives(["f32[?,1,?,128]", "f32[?,1,128]", "f32[?,1,128]"]);
    }

    #[test]
    fn errors() {
        let lstm = |c, w| {
            op("LSTMSequence", 5, ["f32[2,7,16]", "f32[2,1,128]", c, "i32[2]", w, "f32[1,512,128]", "f32[1,512]"])
        };
        lstm("f32[2,2,128]", "f32[1,512,16]")
            .fails("shape-conflict", "dimension 1 of `C` is 2, wanted 1: `direction` is forward");
        lstm("f32[2,1,128]", "f32[1,500,16]")
            .fails("shape-conflict", "dimension 1 of `W` is 500, wanted 512: 4 x hidden size 128");
        lstm("f32[2,1,128]", "f16[1,512,16]").fails("type-conflict", "`W` is f16, `X` is f32");
    }
}
