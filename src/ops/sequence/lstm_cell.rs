//! `LSTMCell`: one step of a network with long short-term memory.
//!
//! - Spec: `sequence/lstm-cell-1` for both opsets
//! - Shape: H and C, both `[batch, hidden]`, as `RNNCell` with four gates in W, R and B; `hidden_size` where no input determines
//!   exactly.
//! - Errors: as `RNNCell`; the element type of P is not compared. Without P `needs-type`, and `input-type` for types
//!   without a zero.
//! - Differs from OpenVINO: as `RNNCell`.
//! - Revisions: 1 may omit B and the peepholes P, and then trusts `hidden_size`; 4 needs B.

use crate::ops::apply::unknown_type;
use crate::ops::prelude::*;
use crate::ops::shared::recurrent::{ACTIVATIONS, ALPHA, BETA, CLIP, HIDDEN_SIZE, Recurrent};
use crate::ops::spec::recurrent;

pub(super) static LSTM_CELL_1: OpSpec = OpSpec {
    inputs: &[
        Input::any("X").ranks(&[2]),
        Input::any("H").ranks(&[2]),
        Input::any("C").ranks(&[2]),
        Input::any("W").ranks(&[2]),
        Input::any("R").ranks(&[2]),
        Input::any("B").ranks(&[1]).skippable(),
        Input::any("P").ranks(&[1]).skippable(),
    ],
    attrs: &[
        HIDDEN_SIZE,
        ACTIVATIONS,
        ALPHA,
        BETA,
        CLIP,
        Attr::optional("input_forget", Kind::Flag, "false"),
        Attr::optional("weights_format", Kind::Choice(&["fico", "icof", "ifco", "ifoc", "iofc"]), "ifco"),
    ],
    outputs: Outputs::Exactly(2),
    macs: Macs::Of(|cx, _| recurrent(cx, &[cx.dim(0, 0)], 3)),
    ..OpSpec::new("LSTMCell", 1, infer_1)
};

pub(super) static LSTM_CELL_4: OpSpec = OpSpec {
    opset: 4,
    inputs: &[
        Input::any("X").ranks(&[2]),
        Input::any("H").ranks(&[2]),
        Input::any("C").ranks(&[2]),
        Input::any("W").ranks(&[2]),
        Input::any("R").ranks(&[2]),
        Input::any("B").ranks(&[1]),
    ],
    attrs: &[HIDDEN_SIZE, ACTIVATIONS, ALPHA, BETA, CLIP],
    infer,
    ..LSTM_CELL_1
};

/// The largest hidden size of which the bytes of three gates can be counted.
const LARGEST: i64 = i64::MAX / 24;

const CELL: Recurrent = Recurrent { gates: 4, biases: 4, states: 2, is_sequence: false, functions: 3 };

fn infer(cx: &InferCtx) -> Inferred {
    let mut step = CELL.unrolled(cx, &[0, 1, 2, 3, 4, 5])?;
    let written = Dim::exact(cx.int("hidden_size"));
    if cx.writes("hidden_size") && step.hidden.contains(written) {
        step.hidden = written;
    }
    Ok(step.states(cx))
}

fn infer_1(cx: &InferCtx) -> Inferred {
    if cx.has_input(6) {
        let outputs = infer(cx)?;
        let hidden = outputs.first().map_or(Dim::ANY, |state| state.shape.dim(1));
        wanted_dim(cx, 6, 0, hidden.times(Dim::exact(3)), &format!("3 x hidden size {hidden}"))?;
        return Ok(outputs);
    }
    // OpenVINO creates a missing B or P: zeros of the type of X and the size `hidden_size`.
    let x = cx.input(0);
    match x.ty {
        ElementType::Dynamic if !x.assumed => return Err(unknown_type(cx.spec, 0)),
        ElementType::String | ElementType::F8e8m0 => {
            let message = format!("LSTMCell without peepholes `P` does not accept {} at input 0 `X`", x.ty);
            let fault = Fault::at(At::Input(0), &INPUT_TYPE, message).primary(x.ty.to_string());
            return Err(fault.note("without `P`, the peepholes are zeros of this type"));
        }
        _ => {}
    }
    let size = cx.int("hidden_size");
    if size > LARGEST {
        let message = format!("`hidden_size` is {size}, and no memory holds as many peepholes");
        return Err(wrong_attr("hidden_size", message).runtime(Runtime::Unknown));
    }
    let mut step = CELL.unrolled(cx, &[0, 1, 2, 3, 4, 5])?;
    let written = Dim::exact(size);
    if !step.hidden.contains(written) {
        let message = format!("`hidden_size` is {written}, the inputs have {}", step.hidden);
        return Err(wrong_attr("hidden_size", message).decided_if(step.is_sized));
    }
    step.hidden = written;
    Ok(step.states(cx))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let cell =
            |x, h, c| op("LSTMCell", 4, [x, h, c, "f32[512,16]", "f32[512,?]", "f32[512]"]).attr("hidden_size", 128);
        cell("f32[1,16]", "f32[1,128]", "f32[1,128]").gives(["f32[1,128]"; 2]);
        cell("f32[...]", "f32[?,?]", "f32[3..5,?]").gives(["f32[3..5,128]"; 2]);
        op("LSTMCell", 4, ["f32[?,?]", "f32[?,?]", "f32[?,?]", "f32[?,?]", "f32[?,?]", "f32[?]"])
            .attr("hidden_size", 7)
            .gives(["f32[?,7]"; 2]);
        op("LSTMCell", 1, ["f32[1,16]", "f32[1,?]", "f32[1,?]", "f32[512,16]", "f32[512,128]"])
            .attr("hidden_size", 128)
            .gives(["f32[1,128]"; 2]);
        let peeps = ["f32[1,16]", "f32[1,128]", "f32[1,128]", "f32[512,16]", "f32[512,128]", "f32[512]", "i8[384]"];
        op("LSTMCell", 1, peeps).gives(["f32[1,128]"; 2]);
    }

    #[test]
    fn errors() {
        let cell = |c, r| {
            op("LSTMCell", 4, ["f32[1,16]", "f32[1,128]", c, "f32[512,16]", r, "f32[512]"]).attr("hidden_size", 128)
        };
        cell("f32[2,128]", "f32[512,128]").fails("shape-conflict", "dimension 0 of `C` is 2, dimension 0 of `X` is 1");
        cell("f32[1,128]", "f32[513,128]")
            .fails("shape-conflict", "dimension 0 of `R` is 513, wanted 512: 4 x hidden size 128");
        op("LSTMCell", 1, ["f32[1,16]", "f32[1,128]", "f32[1,128]", "f32[512,16]", "f32[512,128]"])
            .attr("hidden_size", 100)
            .fails("attribute-value", "`hidden_size` is 100, the inputs have 128");
        let first = |x| op("LSTMCell", 1, [x, "f32[1,1]", "f32[1,1]", "f32[4,4]", "f32[4,1]"]).attr("hidden_size", 1);
        first("dynamic[1,4]").fails("needs-type", "the element type of `X` of LSTMCell is not known");
        first("string[1,4]")
            .fails("input-type", "LSTMCell without peepholes `P` does not accept string at input 0 `X`");
        let peeps = ["f32[1,16]", "f32[1,128]", "f32[1,128]", "f32[512,16]", "f32[512,128]", "f32[512]", "f32[385]"];
        op("LSTMCell", 1, peeps).fails("shape-conflict", "dimension 0 of `P` is 385, wanted 384: 3 x hidden size 128");
    }
}
