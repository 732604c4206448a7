//! `Mod`: the remainder of division toward zero; it has the sign of the dividend.
//!
//! - Spec: `arithmetic/mod-1`
//! - Shape: the broadcast of both shapes by `auto_broadcast`; of the common element type.
//! - Errors: `type-conflict`, `shape-conflict`; `input-value` for a constant integer divided by a constant 0.
//! - Differs from OpenVINO: its bounds are wrong for negative divisors (`0..12` by -2 gives `-3..0`). Here a dividend below
//!   the divisor is kept (`2..3` by 4), integers without a value are bounded by the divisor, and floating-point numbers
//!   are evaluated.

use crate::ops::prelude::*;
use crate::ops::shared::elementwise::{BINARY, binary, infer_remainder};
use crate::types::float_interval::magnitude;

pub(super) static MOD_1: OpSpec =
    OpSpec { name: "Mod", infer: infer_remainder, eval: Eval::Compute(Bounding::Mistaken, eval), ..BINARY };

fn eval(cx: &InferCtx, outputs: &[Fact]) -> Option<Vec<Value>> {
    binary(
        cx,
        outputs,
        |a, b| Some(remainder(a, b)),
        |a, b| match (a.value(), b.value()) {
            (Some(a), Some(b)) => Bounds::exact(a % b),
            _ if b.lower <= 0.0 && 0.0 <= b.upper => Bounds::<f64>::ANY,
            _ => {
                let most = magnitude(b).upper;
                Bounds::between(a.lower.clamp(-most, 0.0), a.upper.clamp(0.0, most))
            }
        },
    )
}

/// The remainders of `a` by `b`, with the sign of `a`. A divisor of 0 has no result and counts as any other number.
fn remainder(a: Interval, b: Interval) -> Interval {
    let by = b.magnitude().within(1, i128::MAX).unwrap_or(Interval::between(1, i128::MAX));
    if let Some(left) = a.pairs(by, |a, by| a % by) {
        return left;
    }
    if let Some(by) = by.value().filter(|by| a.lower / by == a.upper / by && (a.lower >= 0) == (a.upper >= 0)) {
        return Interval::between(a.lower % by, a.upper % by);
    }
    if a.magnitude().upper < by.lower {
        return a;
    }
    Interval::between(a.lower.clamp(1 - by.upper, 0), a.upper.clamp(0, by.upper - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let modulo = |a, b| op("Mod", 1, [a, b]);
        modulo("f32[2,1,4]", "f32[3,1]").gives(["f32[2,3,4]"]);
        modulo("i32[1] = -2147483648", "i32[] = -1").gives(["i32[1] = 0"]);
        modulo("i64[4] = 7,2..5,0..8,?", "i64[] = 4").gives(["i64[4] = 3,0..3,0..3,-3..3"]);
        modulo("i64[4] = -7,5..6,2..3,-1..9", "i64[] = 4").gives(["i64[4] = -3,1..2,2..3,-1..3"]);
        modulo("i64[3] = 7,100,13..14", "i64[3] = 2..5,4..5,5..6").gives(["i64[3] = 1..3,0,1..4"]);
        modulo("i64[2] = 7,0..", "i64[2] = 2..99,0..").gives(["i64[2] = 0..7,0.."]);
        modulo("u8[2]", "u8[] = 3").gives(["u8[2] = 0..2,0..2"]);
        modulo("f32[3] = -7.5,1..9,?", "f32[] = 2").gives(["f32[3] = -1.5,0..2,-2..2"]);
    }

    #[test]
    fn bounds_hold_every_remainder() {
        let spans = || (-5..=5_i128).flat_map(|lower| (lower..=5).map(move |upper| Interval::between(lower, upper)));
        for (a, b) in spans().flat_map(|a| spans().map(move |b| (a, b))) {
            for (x, y) in (a.lower..=a.upper).flat_map(|x| (b.lower..=b.upper).map(move |y| (x, y))) {
                if let Some(left) = x.checked_rem(y) {
                    let found = remainder(a, b);
                    assert!(found.lower <= left && left <= found.upper, "{a:?} {b:?} {found:?} {left}");
                }
            }
        }
    }

    #[test]
    fn errors() {
        let modulo = |a, b| op("Mod", 1, [a, b]);
        modulo("i64[] = 7", "i64[] = 0").fails("input-value", "`b` holds 0, by which integers are not divided");
        modulo("f32[3]", "f32[4]").fails("shape-conflict", "shapes [3] and [4] do not broadcast: 3 meets 4 at axis -1");
        modulo("f32[2]", "i32[2]").fails("type-conflict", "`b` is i32, `a` is f32");
        modulo("f32[2]", "boolean[2]").fails("input-type", "Mod does not accept boolean at input 1 `b`");
    }
}
