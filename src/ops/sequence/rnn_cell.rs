//! `RNNCell`: one step of a plain recurrent network.
//!
//! - Spec: `sequence/rnn-cell-3`
//! - Shape: `[batch, hidden]`; batch from X and H, hidden from H, W, R and B.
//! - Errors: `type-conflict`; `input-rank`; `shape-conflict` if batch or hidden size differ; `attribute-value` for an
//!   unknown activation function.
//! - Differs from OpenVINO: W and B narrow the hidden size, too. Different numbers of features in X and W are a
//!   `shape-conflict`, and a `hidden_size` that differs from the inputs is a warning; OpenVINO checks both only when it
//!   compiles the model.

use crate::ops::prelude::*;
use crate::ops::shared::recurrent::{ACTIVATIONS, ALPHA, BETA, CLIP, HIDDEN_SIZE, Recurrent};
use crate::ops::spec::recurrent;

pub(super) static RNN_CELL_1: OpSpec = OpSpec {
    inputs: INPUTS,
    attrs: &[HIDDEN_SIZE, ACTIVATIONS, ALPHA, BETA, CLIP],
    macs: Macs::Of(|cx, _| recurrent(cx, &[cx.dim(0, 0)], 2)),
    ..OpSpec::new("RNNCell", 1, |cx| CELL.cell(cx, &[0, 1, 2, 3, 4]))
};

pub(super) const INPUTS: &[Input] = &[
    Input::any("X").ranks(&[2]),
    Input::any("H").ranks(&[2]),
    Input::any("W").ranks(&[2]),
    Input::any("R").ranks(&[2]),
    Input::any("B").ranks(&[1]),
];

const CELL: Recurrent = Recurrent { gates: 1, biases: 1, states: 1, is_sequence: false, functions: 1 };

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let cell = |x, h, w, r, b| op("RNNCell", 1, [x, h, w, r, b]).attr("hidden_size", 128);
        cell("f32[1,16]", "f32[1,128]", "f32[128,16]", "f32[128,128]", "f32[128]").gives(["f32[1,128]"]);
        cell("f32[..4,16]", "f32[2..,?]", "f32[?,16]", "f32[...]", "f32[128]").gives(["f32[2..4,128]"]);
        cell("f32[...]", "f32[...]", "f32[...]", "f32[...]", "f32[...]").gives(["f32[?,?]"]);
        cell("f32[1,17]", "f32[1,128]", "f32[128,16]", "f32[128,128]", "f32[128]")
            .attr("activations", "ReLU")
            .fails("shape-conflict", "`X` has 17 features, `W` has weights for 16")
            .passes(["f32[1,128]"]);
        op("RNNCell", 1, ["f32[1,16]", "f32[1,128]", "f32[128,16]", "f32[128,128]", "f32[128]"])
            .attr("hidden_size", 100)
            .warns("attribute-value", "`hidden_size` is 100, the inputs have 128")
            .fails_if_bounded("attribute-value", "`hidden_size` is 100, the inputs have 128")
            .gives(["f32[1,128]"]);
        op("RNNCell", 1, ["f32[1,16]", "f32[1,128]", "f32[128,16]", "f32[128,128]", "f32[128]"])
            .warns("missing-attribute", "RNNCell has no `hidden_size`")
            .fails_if_bounded("missing-attribute", "RNNCell has no `hidden_size`")
            .gives(["f32[1,128]"]);
    }

    #[test]
    fn errors() {
        let cell = |x, h, w| op("RNNCell", 1, [x, h, w, "f32[128,128]", "f32[128]"]);
        cell("f32[2,16]", "f32[1,128]", "f32[128,16]")
            .fails("shape-conflict", "dimension 0 of `H` is 1, dimension 0 of `X` is 2");
        cell("f32[1,16]", "f32[1,127]", "f32[128,16]")
            .fails("shape-conflict", "dimension 1 of `R` is 128, dimension 1 of `H` is 127");
        cell("f32[1,16]", "f32[1,128]", "f32[129,16]")
            .fails("shape-conflict", "dimension 0 of `W` is 129, wanted 128: 1 x hidden size 128");
        cell("f32[1,16]", "f32[1,128]", "f16[128,16]").fails("type-conflict", "`W` is f16, `X` is f32");
        cell("f32[16]", "f32[1,128]", "f32[128,16]")
            .fails("input-rank", "`X` of RNNCell must be of rank 2, but is f32[16]");
        cell("f32[1,16]", "f32[1,128]", "f32[128,16]")
            .attr("activations", "elu")
            .fails("attribute-value", "`elu` is not an activation function: they are sigmoid, tanh, relu, hardsigmoid");
        cell("f32[1,16]", "f32[1,128]", "f32[128,16]")
            .attr("activations", "")
            .fails("attribute-value", "`activations` names 0 functions, wanted 1");
    }
}
