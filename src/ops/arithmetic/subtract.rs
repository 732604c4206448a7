//! `Subtract`: the difference of two tensors, elementwise.
//!
//! - Spec: `arithmetic/subtract-1`
//! - Shape: the broadcast of both shapes by `auto_broadcast`; of the common element type.
//! - Errors: `type-conflict`, `shape-conflict`.
//! - Differs from OpenVINO: a bound is kept without the other one.

use crate::ops::prelude::*;
use crate::ops::shared::elementwise::{BINARY, binary};
use crate::types::float_interval;

pub(super) static SUBTRACT_1: OpSpec =
    OpSpec { name: "Subtract", action: Action::Subtracts, eval: Eval::Compute(Bounding::Combined, eval), ..BINARY };

fn eval(cx: &InferCtx, outputs: &[Fact]) -> Option<Vec<Value>> {
    binary(
        cx,
        outputs,
        |a: Interval, b| Some(a.plus(b.negated())),
        |a, b| float_interval::plus(a, float_interval::negated(b)),
    )
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let subtract = |a, b| op("Subtract", 1, [a, b]);
        subtract("f32[2,1,4]", "f32[3,1]").gives(["f32[2,3,4]"]);
        subtract("i64[3] = 4,2..5,3..", "i64[] = 1").gives(["i64[3] = 3,1..4,2.."]);
        subtract("i64[] = 20", "i64[3] = 6,2..5,..8").gives(["i64[3] = 14,15..18,12.."]);
        subtract("i64[2] = 0..,?", "i64[2] = 0..,1").gives(["i64[2]"]);
        subtract("u8[2] = 3,3..4", "u8[] = 5").gives(["u8[2] = 254,0..255"]);
        subtract("f32[2] = 1.5,0..", "f32[] = 1").gives(["f32[2] = 0.5,-1.."]);
    }

    #[test]
    fn errors() {
        let subtract = |a, b| op("Subtract", 1, [a, b]);
        subtract("f32[3]", "f32[4]")
            .fails("shape-conflict", "shapes [3] and [4] do not broadcast: 3 meets 4 at axis -1");
        subtract("i32[2]", "i64[2]").fails("type-conflict", "`b` is i64, `a` is i32");
        subtract("boolean[2]", "f32[2]").fails("input-type", "Subtract does not accept boolean at input 0 `a`");
    }
}
