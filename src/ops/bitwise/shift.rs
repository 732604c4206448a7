//! `BitwiseLeftShift` and `BitwiseRightShift`: bits shifted by the second input.
//!
//! - Spec: `bitwise/bitwise-left-shift-15`, `bitwise/bitwise-right-shift-15`
//! - Shape: the broadcast of both shapes by `auto_broadcast`; of the common element type.
//! - Errors: `input-type` for flags and floating-point numbers; OpenVINO lets `string` and `nf4` pass. `type-conflict`,
//!   `shape-conflict`.
//! - Differs from OpenVINO: bounds are propagated too.

use crate::ops::prelude::*;
use crate::ops::shared::elementwise::{BINARY, binary};
use crate::types::interval::floor_div;

pub(super) static BITWISE_LEFT_SHIFT_15: OpSpec = OpSpec {
    name: "BitwiseLeftShift",
    opset: 15,
    inputs: &[Input::of("a", TypeSet::INTEGRAL), Input::of("b", TypeSet::INTEGRAL)],
    eval: Eval::Compute(Bounding::Constants, |cx, outputs| shift(cx, outputs, Interval::times)),
    ..BINARY
};

pub(super) static BITWISE_RIGHT_SHIFT_15: OpSpec = OpSpec {
    name: "BitwiseRightShift",
    eval: Eval::Compute(Bounding::Constants, |cx, outputs| shift(cx, outputs, |a, by| a.divided(by, floor_div))),
    ..BITWISE_LEFT_SHIFT_15
};

/// Evaluates shifts as products or quotients by powers of 2, for counts below the width of the type.
fn shift(cx: &InferCtx, outputs: &[Fact], by_power: fn(Interval, Interval) -> Interval) -> Option<Vec<Value>> {
    let bits = i128::from(outputs.first()?.ty.bits());
    let shifted = |a: Interval, by: Interval| {
        let known = by.lower >= 0 && by.upper < bits;
        known.then(|| by_power(a, by.rising(|places| 1 << places)))
    };
    binary(cx, outputs, shifted, |_, _| Bounds::<f64>::ANY)
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        for name in ["BitwiseLeftShift", "BitwiseRightShift"] {
            op(name, 15, ["i32[2,1,?]", "i32[3,1]"]).gives(["i32[2,3,?]"]);
            op(name, 15, ["string[2]", "dynamic[...]"]).gives(["string[...]"]);
        }
        let shift = |name, b| op(name, 15, ["i64[4] = 6,-1,2..5,3..", b]);
        shift("BitwiseLeftShift", "i64[] = 2").gives(["i64[4] = 24,-4,8..20,12.."]);
        shift("BitwiseRightShift", "i64[] = 1").gives(["i64[4] = 3,-1,1..2,1.."]);
        shift("BitwiseRightShift", "i64[] = 64").gives(["i64[4]"]);
        shift("BitwiseRightShift", "i64[] = ..2").gives(["i64[4]"]);
        op("BitwiseLeftShift", 15, ["i8[3] = -3,127,-64..-1", "i8[] = 1"]).gives(["i8[3] = -6,-2,-128..-2"]);
        op("BitwiseRightShift", 15, ["i8[2] = -3,-5..4", "i8[] = 1"]).gives(["i8[2] = -2,-3..2"]);
        op("BitwiseLeftShift", 15, ["u8[2] = 255,3", "u8[2] = 1,0..2"]).gives(["u8[2] = 254,3..12"]);
    }

    #[test]
    fn errors() {
        op("BitwiseLeftShift", 15, ["i32[2]", "i64[2]"]).fails("type-conflict", "`b` is i64, `a` is i32");
        op("BitwiseRightShift", 15, ["boolean[2]", "i64[2]"])
            .fails("input-type", "BitwiseRightShift does not accept boolean at input 0 `a`");
        op("BitwiseLeftShift", 15, ["i64[2]", "i64[3]"])
            .fails("shape-conflict", "shapes [2] and [3] do not broadcast: 2 meets 3 at axis -1");
    }
}
