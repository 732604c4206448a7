//! `FloorMod`: the remainder of floor division; it has the sign of the divisor.
//!
//! - Spec: `arithmetic/floormod-1`
//! - Shape: the broadcast of both shapes by `auto_broadcast`; of the common element type.
//! - Errors: `type-conflict`, `shape-conflict`; `input-value` for a constant integer divided by a constant 0.
//! - Differs from OpenVINO: OpenVINO uses the remainders of the bounds as bounds of the remainder, which is wrong (`..8` by 4
//!   gives 0, `2..5` by 4 gives `1..2`); here the bounds contain every remainder. OpenVINO divides integers as doubles, so
//!   results for integers that a double cannot hold are unknown.

use crate::ops::prelude::*;
use crate::ops::shared::elementwise::{BINARY, binary, infer_remainder};
use crate::types::interval::floor_div;

pub(super) static FLOOR_MOD_1: OpSpec =
    OpSpec { name: "FloorMod", infer: infer_remainder, eval: Eval::Compute(Bounding::Mistaken, eval), ..BINARY };

fn eval(cx: &InferCtx, outputs: &[Fact]) -> Option<Vec<Value>> {
    binary(
        cx,
        outputs,
        |a, b| Some(remainder(if a.magnitude().lower > 1 << 53 { Interval::ANY } else { a }, b)),
        |a, b| match (a.value(), b.value()) {
            (Some(a), Some(b)) => Bounds::exact(floored(a, b)),
            _ if b.lower > 0.0 => Bounds::between(0.0, b.upper),
            _ if b.upper < 0.0 => Bounds::between(b.lower, 0.0),
            _ => Bounds::<f64>::ANY,
        },
    )
}

fn floored(a: f64, b: f64) -> f64 {
    let left = a % b;
    if left != 0.0 && (left < 0.0) != (b < 0.0) { left + b } else { left }
}

/// The remainders of `a` by `b`, with the sign of `b`. A divisor of 0 has no result and counts as any other number.
fn remainder(a: Interval, b: Interval) -> Interval {
    let b = if b.value() == Some(0) { Interval::ANY } else { b };
    let above = b.within(1, i128::MAX).map(|by| positive(a, by));
    let below = b.negated().within(1, i128::MAX).map(|by| positive(a.negated(), by).negated());
    above.into_iter().chain(below).reduce(Interval::hull).unwrap_or(Interval::ANY).as_remainder(a, b)
}

/// The remainders by a positive divisor.
fn positive(a: Interval, by: Interval) -> Interval {
    if let Some(left) = a.pairs(by, i128::rem_euclid) {
        return left;
    }
    if let Some(by) = by.value().filter(|by| floor_div(a.lower, *by) == floor_div(a.upper, *by)) {
        return Interval::between(a.lower.rem_euclid(by), a.upper.rem_euclid(by));
    }
    if a.lower >= 0 && a.upper < by.lower {
        return a;
    }
    if a.upper < 0 && a.lower.saturating_neg() <= by.lower {
        return a.plus(by);
    }
    let most = if a.lower >= 0 { a.upper } else { i128::MAX };
    Interval::between(0, most.min(by.upper - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let modulo = |a, b| op("FloorMod", 1, [a, b]);
        modulo("f32[2,1,4]", "f32[3,1]").gives(["f32[2,3,4]"]);
        modulo("i64[4] = 7,2..5,0..8,?", "i64[] = 4").gives(["i64[4] = 3,0..3,0..3,0..3"]);
        modulo("i64[4] = -7,5..6,2..3,-1..9", "i64[] = 4").gives(["i64[4] = 1,1..2,2..3,0..3"]);
        modulo("i64[2] = 7,1..3", "i64[] = -4").gives(["i64[2] = -1,-3..-1"]);
        modulo("i64[3] = -2,-3..-1,-9", "i64[] = 3..8").gives(["i64[3] = 1..6,0..7,0..7"]);
        modulo("i64[3] = 100,13..14,-2", "i64[3] = 4..5,5..6,3..99").gives(["i64[3] = 0,1..4,1..97"]);
        modulo("i64[2] = 9007199254740992,9007199254740993", "i64[] = 3").gives(["i64[2] = 2,0..2"]);
        modulo("u8[2]", "u8[] = 3").gives(["u8[2] = 0..2,0..2"]);
        modulo("f32[3] = -7.5,1..9,?", "f32[] = 2").gives(["f32[3] = 0.5,0..2,0..2"]);
    }

    #[test]
    fn bounds_hold_every_remainder() {
        let spans = || (-5..=5_i128).flat_map(|lower| (lower..=5).map(move |upper| Interval::between(lower, upper)));
        for (a, b) in spans().flat_map(|a| spans().map(move |b| (a, b))) {
            for (x, y) in (a.lower..=a.upper).flat_map(|x| (b.lower..=b.upper).map(move |y| (x, y))) {
                if y != 0 {
                    let (found, left) = (remainder(a, b), x - y * floor_div(x, y));
                    assert!(found.lower <= left && left <= found.upper, "{a:?} {b:?} {found:?} {left}");
                }
            }
        }
    }

    #[test]
    fn errors() {
        let modulo = |a, b| op("FloorMod", 1, [a, b]);
        modulo("i64[] = 7", "i64[] = 0").fails("input-value", "`b` holds 0, by which integers are not divided");
        modulo("f32[3]", "f32[4]").fails("shape-conflict", "shapes [3] and [4] do not broadcast: 3 meets 4 at axis -1");
        modulo("f32[2]", "i32[2]").fails("type-conflict", "`b` is i32, `a` is f32");
        modulo("f32[2]", "boolean[2]").fails("input-type", "FloorMod does not accept boolean at input 1 `b`");
    }
}
