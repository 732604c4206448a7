//! `FakeQuantize`: numbers rounded to one of `levels` values between limits.
//!
//! - Spec: `quantization/fake-quantize-1`; `levels` is required there, OpenVINO reads a missing one as 0.
//! - Shape: that of `data`, and its element type. The limits broadcast with it as `auto_broadcast` says; OpenVINO takes
//!   limits larger than `data` too, which do not change the shape.
//! - Errors: `shape-conflict`.

use crate::ops::context::InferCtx;
use crate::ops::shared::agreement::misfit;
use crate::ops::shared::broadcast::{AUTO_BROADCAST, Mode};
use crate::ops::shared::elementwise::shaped_like;
use crate::ops::spec::{Attr, Eval, Inferred, Input, Kind, OpSpec, Outputs};

pub(super) static FAKE_QUANTIZE_1: OpSpec = OpSpec {
    name: "FakeQuantize",
    opset: 1,
    inputs: &[
        Input::any("data"),
        Input::any("input_low"),
        Input::any("input_high"),
        Input::any("output_low"),
        Input::any("output_high"),
    ],
    attrs: &[Attr::optional("levels", Kind::INT, "0"), AUTO_BROADCAST],
    outputs: Outputs::Exactly(1),
    infer,
    eval: Eval::None,
};

fn infer(cx: &InferCtx) -> Inferred {
    let data = cx.input(0);
    let mode = Mode::of(cx);
    let mut met = data.shape.clone();
    for limit in 1..5 {
        let shape = &cx.input(limit).shape;
        // A limit of unknown rank says nothing, and must not hide what the next ones say.
        if shape.rank().is_some() {
            met = mode.meet(&met, shape).map_err(|message| misfit(cx, limit, &[0], message))?;
        }
    }
    shaped_like(data, data.ty)
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn quantize(data: &'static str, low: &'static str, high: &'static str) -> OpTest {
        op("FakeQuantize", 1, [data, low, high, "f32[]", "f32[]"]).attr("levels", 256)
    }

    #[test]
    fn shapes() {
        quantize("f32[2,3,?]", "f32[1,3,1]", "f32[3,1]").gives(["f32[2,3,?]"]);
        quantize("f16[...]", "f32[1,3,1]", "i64[1,3,1]").gives(["f16[...]"]);
        quantize("f32[2,3]", "f32[...]", "f32[2..4,1]").gives(["f32[2,3]"]);
        quantize("f32[1]", "f32[2,3]", "f32[3]").gives(["f32[1]"]);
        quantize("f32[2,3]", "f32[2]", "f32[2,1]").attr("auto_broadcast", "pdpd").gives(["f32[2,3]"]);
        quantize("f32[]", "f32[]", "f32[]").attr("auto_broadcast", "none").gives(["f32[]"]);
    }

    #[test]
    fn errors() {
        quantize("f32[2,3]", "f32[4]", "f32[]")
            .fails("shape-conflict", "shapes [2,3] and [4] do not broadcast: 3 meets 4 at axis -1");
        quantize("f32[1]", "f32[2]", "f32[3]")
            .fails("shape-conflict", "shapes [2] and [3] do not broadcast: 2 meets 3 at axis -1");
        quantize("f32[2]", "f32[2]", "f32[2]")
            .attr("auto_broadcast", "none")
            .fails("shape-conflict", "shapes [2] and [] differ, without broadcasting");
    }
}
