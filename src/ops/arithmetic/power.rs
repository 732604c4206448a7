//! `Power`: the first input to the power of the second, elementwise.
//!
//! - Spec: `arithmetic/power-1`
//! - Shape: the broadcast of both shapes by `auto_broadcast`; of the common element type.
//! - Errors: `type-conflict`, `shape-conflict`.
//! - Differs from OpenVINO: even powers of bases on both sides of 0 include 0, which its bounds exclude. Powers of integers
//!   that a double does not hold exactly are approximate; OpenVINO gives the minimum of the type for those beyond i32 and
//!   i64.

use crate::ops::prelude::*;
use crate::ops::shared::elementwise::{BINARY, binary};
use crate::types::float_interval::{corners, loosened, magnitude, unless_overflown};

pub(super) static POWER_1: OpSpec = OpSpec { name: "Power", eval: Eval::Compute(Bounding::Rising, eval), ..BINARY };

fn eval(cx: &InferCtx, outputs: &[Fact]) -> Option<Vec<Value>> {
    let ty = outputs.first()?.ty;
    let (lowest, highest) = ty.integer_range().unwrap_or((i64::MIN, i64::MAX));
    let fits = |span: &Interval| span.lower >= lowest.into() && span.upper <= highest.into();
    let of_whole = |a: Interval, b: Interval| match (a.value(), b.value()) {
        (Some(base), Some(exponent)) => through_double(ty, base, exponent).or_else(|| whole(a, b).filter(fits)),
        // If the smallest power does not fit, no power does.
        _ if a.lower > 1 && b.lower > 0 => through_double(ty, a.lower, b.lower)
            .filter(|least| *least == Interval::exact(lowest.into()))
            .or_else(|| whole(a, b).filter(fits)),
        _ => whole(a, b).filter(fits),
    };
    binary(cx, outputs, of_whole, |a, b| unless_overflown(real(ty, a, b), &[a, b]))
}

/// A power of i32 or i64 numbers that a double holds only approximately. OpenVINO gives the minimum of the type if it does
/// not fit.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "OpenVINO computes in doubles")]
fn through_double(ty: ElementType, base: i128, exponent: i128) -> Option<Interval> {
    let (lowest, highest) = ty.integer_range().filter(|_| matches!(ty, ElementType::I32 | ElementType::I64))?;
    let power = libm::pow(base as f64, exponent as f64);
    let slack = if power.is_finite() { power.abs() * f64::EPSILON } else { 0.0 };
    let (lower, upper) = ((power - slack) as i128, (power + slack) as i128);
    let (lowest, highest) = (i128::from(lowest), i128::from(highest));
    match () {
        () if highest < lower || upper < lowest => Some(Interval::exact(lowest)),
        () if power.abs() <= 9_007_199_254_740_992.0 => None,
        () => Some(Interval::between(lower, upper)).filter(|span| lowest <= span.lower && span.upper <= highest),
    }
}

fn real(ty: ElementType, base: Bounds<f64>, exponent: Bounds<f64>) -> Bounds<f64> {
    let power = |base| corners(base, exponent, |base, exponent| power(ty, base, exponent));
    let is_positive = base.lower > 0.0 || base.lower == 0.0 && exponent.lower > 0.0;
    match exponent.value().filter(|exponent| *exponent >= 0.0 && exponent.fract() == 0.0) {
        _ if base.value().is_some() && exponent.value().is_some() => power(base),
        // With a whole exponent every base has a power, and powers of adjacent bases differ by more than the last digit.
        Some(whole) if whole % 2.0 == 0.0 => power(magnitude(base)),
        Some(_) => power(base),
        None if is_positive => loosened(ty, power(base)),
        None => Bounds::<f64>::ANY,
    }
}

#[allow(clippy::cast_possible_truncation, reason = "f16, bf16 and f32 numbers, which f32 holds exactly")]
fn power(ty: ElementType, base: f64, exponent: f64) -> f64 {
    if ty == ElementType::F64 { libm::pow(base, exponent) } else { libm::powf(base as f32, exponent as f32).into() }
}

fn whole(base: Interval, exponent: Interval) -> Option<Interval> {
    if exponent.upper < 0 {
        return fraction(base, exponent);
    }
    if exponent.lower < 0 {
        return None;
    }
    if base.lower >= 0 {
        let least = if base.lower == 0 && exponent.upper > 0 { 0 } else { raised(base.lower, exponent.lower)? };
        let most = raised(base.upper, if base.upper == 0 { exponent.lower } else { exponent.upper })?;
        return Some(Interval::between(least, most));
    }
    let exact = exponent.value()?;
    if exact % 2 == 0 {
        return whole(base.magnitude(), exponent);
    }
    let signed = |base: i128| Some(base.signum() * raised(base.saturating_abs(), exact)?);
    Some(Interval::between(signed(base.lower)?, signed(base.upper)?))
}

/// Powers with negative exponents: 0 except for the bases 1 and -1. The base 0 has none.
fn fraction(base: Interval, exponent: Interval) -> Option<Interval> {
    let has = |number| base.lower <= number && number <= base.upper;
    if has(0) {
        return None;
    }
    let of_minus_1 = has(-1).then(|| match exponent.value() {
        Some(exponent) => Interval::exact(if exponent % 2 == 0 { 1 } else { -1 }),
        None => Interval::between(-1, 1),
    });
    let of_1 = has(1).then_some(Interval::exact(1));
    let of_more = (base.value() != Some(1) && base.value() != Some(-1)).then_some(Interval::exact(0));
    [of_minus_1, of_1, of_more].into_iter().flatten().reduce(Interval::hull)
}

/// A power of non-negative numbers; `None` if a double does not hold it exactly.
fn raised(base: i128, exponent: i128) -> Option<i128> {
    match (base, exponent) {
        (_, 0) => Some(1),
        (0 | 1, _) => Some(base),
        _ => base.checked_pow(u32::try_from(exponent).ok()?).filter(|result| *result <= 1 << 53),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let power = |a, b| op("Power", 1, [a, b]);
        power("f32[2,1,4]", "f32[3,1]").gives(["f32[2,3,4]"]);
        power("i64[4] = 7,2..5,0..8,4..", "i64[] = 2").gives(["i64[4] = 49,4..25,0..64,?"]);
        power("i64[3] = 0..8,-3..2,-2", "i64[] = 3").gives(["i64[3] = 0..512,-27..8,-8"]);
        power("i64[3] = 0..8,2,5", "i64[3] = 0..2,-1,0..").gives(["i64[3] = 0..64,0,?"]);
        power("i64[1] = 3", "i64[1] = 39").gives(["i64[1] = 4052555153018975232..4052555153018977280"]);
        power("i64[3] = 10,-2,-3", "i64[3] = 19,65,41")
            .gives(["i64[3] = -9223372036854775808,-9223372036854775808,-9223372036854775808"]);
        power("i64[2] = 2..10,4..", "i64[] = 65536").gives(["i64[2] = -9223372036854775808,-9223372036854775808"]);
        power("i32[2] = 3,0", "i32[2] = 20,-1").gives(["i32[2] = -2147483648,-2147483648"]);
        power("u32[1] = 3", "u32[1] = 21").gives(["u32[1]"]);
        power("i64[4] = 8..10,-4..-2,1..3,0..3", "i64[1] = -1").gives(["i64[4] = 0,0,0..1,?"]);
        power("i64[3] = -3..-1,-1,1", "i64[3] = -3,-3..-2,-3..-2").gives(["i64[3] = -1..0,-1..1,1"]);
        power("f32[2] = 2,9", "f32[] = 0.5").gives(["f32[2] = 1.4142135381698608,3"]);
        power("f32[2] = 12..24,0..3", "f32[1] = 3").gives(["f32[2] = 1728..13824,0..27"]);
        power("f32[1] = 0.5..2", "f32[1] = -1").gives(["f32[1] = 0.4999994933605194..2.000001907348633"]);
        power("f32[4] = -1..2,-3..-2,?,-2", "f32[4] = 2,3,0,-2").gives(["f32[4] = 0..4,-27..-8,1,0.25"]);
        power("f32[1] = -1..2", "f32[1] = 0.5").gives(["f32[1]"]);
        power("f32[2] = 2..1000,2..", "f32[1] = 39").gives(["f32[2] = ?,549755813888.."]);
    }

    #[test]
    fn bounds_hold_every_power() {
        let spans = |from: i128, to: i128| {
            (from..=to).flat_map(move |lower| (lower..=to).map(move |upper| Interval::between(lower, upper)))
        };
        for (a, b) in spans(-3, 3).flat_map(|a| spans(-3, 4).map(move |b| (a, b))) {
            let Some(found) = whole(a, b) else { continue };
            for (x, y) in (a.lower..=a.upper).flat_map(|x| (b.lower..=b.upper).map(move |y| (x, y))) {
                let raised = x.pow(u32::try_from(y.abs()).unwrap());
                let result = if y < 0 { 1 / raised } else { raised };
                assert!(found.lower <= result && result <= found.upper, "{a:?} {b:?} {found:?} {result}");
            }
        }
    }

    #[test]
    fn errors() {
        let power = |a, b| op("Power", 1, [a, b]);
        power("f32[3]", "f32[4]").fails("shape-conflict", "shapes [3] and [4] do not broadcast: 3 meets 4 at axis -1");
        power("f32[2]", "i32[2]").fails("type-conflict", "`b` is i32, `a` is f32");
        power("f32[2]", "boolean[2]").fails("input-type", "Power does not accept boolean at input 1 `b`");
    }
}
