//! `Maximum`: the larger of two elements.
//!
//! - Spec: `arithmetic/maximum-1`
//! - Shape: the broadcast of both shapes by `auto_broadcast`; of the common element type.
//! - Errors: `type-conflict`, `shape-conflict`.
//! - Differs from OpenVINO: integers without a value are bounded by the other input.

use crate::ops::prelude::*;
use crate::ops::shared::elementwise::{BINARY, binary};
use crate::types::float_interval::corners;

pub(super) static MAXIMUM_1: OpSpec =
    OpSpec { name: "Maximum", eval: Eval::Compute(Bounding::Combined, eval), ..BINARY };

fn eval(cx: &InferCtx, outputs: &[Fact]) -> Option<Vec<Value>> {
    binary(cx, outputs, |a: Interval, b| Some(a.max(b)), |a, b| corners(a, b, |a, b| if a < b { b } else { a }))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let maximum = |a, b| op("Maximum", 1, [a, b]);
        maximum("f32[2,1,4]", "f32[3,1]").gives(["f32[2,3,4]"]);
        maximum("i64[4] = 7,2..5,..8,4..", "i64[] = 3").gives(["i64[4] = 7,3..5,3..8,4.."]);
        maximum("i32[2]", "i32[] = 1").gives(["i32[2] = 1..2147483647,1..2147483647"]);
        maximum("f32[2] = 1,2..5", "f32[] = 3.5").gives(["f32[2] = 3.5,3.5..5"]);
        maximum("f32[2]", "f32[] = 3.5").gives(["f32[2]"]);
    }

    #[test]
    fn errors() {
        let maximum = |a, b| op("Maximum", 1, [a, b]);
        maximum("f32[3]", "f32[4]")
            .fails("shape-conflict", "shapes [3] and [4] do not broadcast: 3 meets 4 at axis -1");
        maximum("f32[2]", "i32[2]").fails("type-conflict", "`b` is i32, `a` is f32");
        maximum("f32[2]", "boolean[2]").fails("input-type", "Maximum does not accept boolean at input 1 `b`");
    }
}
