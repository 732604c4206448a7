//! `BitwiseAnd`, `BitwiseOr` and `BitwiseXor`.
//!
//! - Spec: `bitwise/bitwise-and-13` and the like
//! - Shape: the broadcast of both shapes by `auto_broadcast`; of the common element type.
//! - Errors: `input-type` for floating-point numbers; OpenVINO lets `string` and `nf4` pass. `type-conflict`,
//!   `shape-conflict`.
//! - Differs from OpenVINO: values are evaluated.

use crate::ops::prelude::*;
use crate::ops::shared::elementwise::{BINARY, binary};
use crate::types::interval::far;

const BITS: TypeSet = TypeSet::INTEGRAL_OR_BOOLEAN;

pub(super) static BITWISE_AND_13: OpSpec = OpSpec {
    name: "BitwiseAnd",
    opset: 13,
    inputs: &[Input::of("a", BITS), Input::of("b", BITS)],
    eval: Eval::Compute(Bounding::Never, |cx, outputs| {
        binary(cx, outputs, |a, b| connected(a, b, |a, b| a & b, i128::min), |_, _| Bounds::<f64>::ANY)
    }),
    ..BINARY
};

pub(super) static BITWISE_OR_13: OpSpec = OpSpec {
    name: "BitwiseOr",
    eval: Eval::Compute(Bounding::Never, |cx, outputs| {
        binary(cx, outputs, |a, b| connected(a, b, |a, b| a | b, all_bits), |_, _| Bounds::<f64>::ANY)
    }),
    ..BITWISE_AND_13
};

pub(super) static BITWISE_XOR_13: OpSpec = OpSpec {
    name: "BitwiseXor",
    eval: Eval::Compute(Bounding::Never, |cx, outputs| {
        binary(cx, outputs, |a, b| connected(a, b, |a, b| a ^ b, all_bits), |_, _| Bounds::<f64>::ANY)
    }),
    ..BITWISE_AND_13
};

/// Combines the bits of exact numbers. For other non-negative numbers, `most` gives the largest result.
fn connected(a: Interval, b: Interval, bits: fn(i128, i128) -> i128, most: fn(i128, i128) -> i128) -> Option<Interval> {
    if let (Some(a), Some(b)) = (a.value(), b.value()) {
        return Some(Interval::exact(bits(a, b)));
    }
    (a.lower >= 0 && b.lower >= 0).then(|| Interval::between(0, most(a.upper, b.upper)))
}

/// The number of all ones with as many bits as the longer number.
fn all_bits(a: i128, b: i128) -> i128 {
    let longer = a.max(b);
    if far(longer) {
        longer
    } else {
        (longer + 1).unsigned_abs().next_power_of_two().try_into().unwrap_or(i128::MAX) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        for name in ["BitwiseAnd", "BitwiseOr", "BitwiseXor"] {
            op(name, 13, ["i32[2,1,?]", "i32[3,1]"]).gives(["i32[2,3,?]"]);
            op(name, 13, ["boolean[2..3]", "dynamic[...]"]).gives(["boolean[...]"]);
            op(name, 13, ["string[2]", "string[2]"]).gives(["string[2]"]);
        }
    }

    #[test]
    fn values() {
        let bits = |name, b| op(name, 13, ["i64[4] = 6,-1,2..5,3..", b]);
        bits("BitwiseAnd", "i64[4] = 3,5,4,7").gives(["i64[4] = 2,5,0..4,0..7"]);
        bits("BitwiseOr", "i64[4] = 3,5,4,7").gives(["i64[4] = 7,-1,0..7,0.."]);
        bits("BitwiseXor", "i64[4] = 3,5,4,-1").gives(["i64[4] = 5,-6,0..7,?"]);
        op("BitwiseXor", 13, ["boolean[2] = 0,1", "boolean[] = 1"]).gives(["boolean[2] = 1,0"]);
    }

    #[test]
    fn bounds_hold_every_result() {
        let spans = || (0..7_i128).flat_map(|lower| (lower..7).map(move |upper| Interval::between(lower, upper)));
        for (a, b) in spans().flat_map(|a| spans().map(move |b| (a, b))) {
            for (x, y) in (a.lower..=a.upper).flat_map(|x| (b.lower..=b.upper).map(move |y| (x, y))) {
                let holds = |span: Option<Interval>, one: i128| span.is_some_and(|s| s.lower <= one && one <= s.upper);
                assert!(holds(connected(a, b, |a, b| a & b, i128::min), x & y));
                assert!(holds(connected(a, b, |a, b| a | b, all_bits), x | y));
                assert!(holds(connected(a, b, |a, b| a ^ b, all_bits), x ^ y));
            }
        }
    }

    #[test]
    fn errors() {
        op("BitwiseAnd", 13, ["i32[2]", "i64[2]"]).fails("type-conflict", "`b` is i64, `a` is i32");
        op("BitwiseOr", 13, ["f32[2]", "i64[2]"]).fails("input-type", "BitwiseOr does not accept f32 at input 0 `a`");
        op("BitwiseXor", 13, ["i64[2]", "i64[3]"])
            .fails("shape-conflict", "shapes [2] and [3] do not broadcast: 2 meets 3 at axis -1");
    }
}
