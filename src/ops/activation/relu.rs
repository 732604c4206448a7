//! `ReLU`: the maximum of a number and 0.
//!
//! - Spec: `activation/relu-1`
//! - Shape: that of the input, and its element type.
//! - Errors: `input-type` for `boolean` and `string`.
//! - Differs from OpenVINO: bounds are propagated.

use crate::ops::prelude::*;
use crate::ops::shared::elementwise::{UNARY, unary};

pub(super) static RELU_1: OpSpec =
    OpSpec { name: "ReLU", action: Action::Selects, eval: Eval::Compute(Bounding::Constants, eval), ..UNARY };

fn eval(cx: &InferCtx, outputs: &[Fact]) -> Option<Vec<Value>> {
    let real = |end: f64| if end < 0.0 { 0.0 } else { end };
    let whole = |a: Interval| Some(a.max(Interval::exact(0)));
    unary(cx, outputs, whole, |a| Bounds::between(real(a.lower), real(a.upper)))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("ReLU", 1, ["f32[2,?,3..4]"]).gives(["f32[2,?,3..4]"]);
        op("ReLU", 1, ["i4[...]"]).gives(["i4[...]"]);
        op("ReLU", 1, ["i64[4] = -7,2..5,-3..8,-4.."]).gives(["i64[4] = 0,2..5,0..8,0.."]);
        op("ReLU", 1, ["f32[3] = -7.5,NaN,-3..8"]).gives(["f32[3] = 0,NaN,0..8"]);
    }

    #[test]
    fn errors() {
        op("ReLU", 1, ["boolean[2]"]).fails("input-type", "ReLU does not accept boolean at input 0 `data`");
    }
}
