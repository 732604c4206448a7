//! `Multiply`: the product of two tensors, elementwise.
//!
//! - Spec: `arithmetic/multiply-1`
//! - Shape: the broadcast of both shapes by `auto_broadcast`; of the common element type.
//! - Errors: `type-conflict`, `shape-conflict`.
//! - Differs from OpenVINO: one bound is kept if the other is unknown, and 0 times an unknown element is 0.

use crate::ops::prelude::*;
use crate::ops::shared::elementwise::{BINARY, binary};
use crate::types::float_interval;

pub(super) static MULTIPLY_1: OpSpec =
    OpSpec { name: "Multiply", action: Action::Multiplies, eval: Eval::Compute(Bounding::Between, eval), ..BINARY };

fn eval(cx: &InferCtx, outputs: &[Fact]) -> Option<Vec<Value>> {
    binary(cx, outputs, |a: Interval, b| Some(a.times(b)), float_interval::times)
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let multiply = |a, b| op("Multiply", 1, [a, b]);
        multiply("f32[2,1,4]", "f32[3,1]").gives(["f32[2,3,4]"]);
        multiply("i64[3] = 4,2..5,3..", "i64[] = 2").gives(["i64[3] = 8,4..10,6.."]);
        multiply("i64[3] = 4,2..5,3..", "i64[] = -1").gives(["i64[3] = -4,-5..-2,..-3"]);
        multiply("i64[2] = 2..5,-1..3", "i64[1] = -2..3").gives(["i64[2] = -10..15,-6..9"]);
        multiply("i64[2]", "i64[2] = 0,3").gives(["i64[2] = 0,?"]);
        multiply("f32[3] = 4,2..5,3..", "f32[] = 0.5").gives(["f32[3] = 2,1..2.5,1.5.."]);
        multiply("f32[1] = 2..5", "f32[] = NaN").gives(["f32[1] = NaN"]);
        multiply("f16[1] = 0.333251953125", "f16[1] = 3").gives(["f16[1] = 1"]);
        multiply("i64[1] = ..4000000000", "i64[1] = ..4000000000").gives(["i64[1]"]);
    }

    #[test]
    fn errors() {
        let multiply = |a, b| op("Multiply", 1, [a, b]);
        multiply("f32[3]", "f32[4]")
            .fails("shape-conflict", "shapes [3] and [4] do not broadcast: 3 meets 4 at axis -1");
        multiply("f32[2]", "i8[2]").fails("type-conflict", "`b` is i8, `a` is f32");
        multiply("string[2]", "f32[2]").fails("input-type", "Multiply does not accept string at input 0 `a`");
    }
}
