//! `SquaredDifference`: the square of the difference of two tensors, elementwise.
//!
//! - Spec: `arithmetic/squared-difference-1`
//! - Shape: the broadcast of both shapes by `auto_broadcast`; of the common element type.
//! - Errors: `type-conflict`, `shape-conflict`.
//! - Differs from OpenVINO: values of integers are evaluated.

use crate::ops::prelude::*;
use crate::ops::shared::elementwise::{BINARY, binary};
use crate::types::float_interval;

pub(super) static SQUARED_DIFFERENCE_1: OpSpec =
    OpSpec { name: "SquaredDifference", eval: Eval::Compute(Bounding::Never, eval), ..BINARY };

fn eval(cx: &InferCtx, outputs: &[Fact]) -> Option<Vec<Value>> {
    let ty = outputs.first()?.ty;
    let whole = |a: Interval, b: Interval| {
        let distance = a.plus(b.negated()).magnitude();
        Some(distance.times(distance))
    };
    binary(cx, outputs, whole, |a, b| {
        let distance = float_interval::magnitude(float_interval::plus(a, float_interval::negated(b)));
        let step = |end| float_interval::rounded(ty, end).unwrap_or(f64::NAN);
        let distance = float_interval::between(step(distance.lower), step(distance.upper));
        float_interval::times(distance, distance)
    })
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let squared = |a, b| op("SquaredDifference", 1, [a, b]);
        squared("f32[2,1,4]", "f32[3,1]").gives(["f32[2,3,4]"]);
        squared("i64[4] = 7,2..5,..8,4..", "i64[] = 3").gives(["i64[4] = 16,0..4,0..,1.."]);
        squared("f32[2] = 1.5,-1..4", "f32[] = 3").gives(["f32[2] = 2.25,0..16"]);
    }

    #[test]
    fn errors() {
        let squared = |a, b| op("SquaredDifference", 1, [a, b]);
        squared("f32[3]", "f32[4]")
            .fails("shape-conflict", "shapes [3] and [4] do not broadcast: 3 meets 4 at axis -1");
        squared("f32[2]", "i32[2]").fails("type-conflict", "`b` is i32, `a` is f32");
        squared("f32[2]", "boolean[2]").fails("input-type", "SquaredDifference does not accept boolean at input 1 `b`");
    }
}
