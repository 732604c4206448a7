//! Sums and products of many floating-point numbers, whose last digits depend on the order of evaluation.

use super::prelude::*;
use crate::types::float_interval::{between, largest, rounded, times};

/// The sum of numbers of type `ty` in any order.
pub(crate) fn sum(ty: ElementType, terms: &[Bounds<f64>]) -> Bounds<f64> {
    if terms.iter().any(|term| !is_number(*term)) {
        return Bounds::<f64>::ANY;
    }
    let (lower, upper) = terms.iter().fold((0.0, 0.0), |(lower, upper), term| (lower + term.lower, upper + term.upper));
    let total = between(lower, upper);
    let size: f64 = sizes(terms).sum();
    if terms.len() < 2 || is_whole(ty, terms, size) {
        return total;
    }
    let slack = rounding(ty, terms.len()) * size;
    let rises = |sign: f64| terms.iter().all(|term| term.value().is_some_and(|number| number * sign >= 0.0));
    let grows = rises(1.0) || rises(-1.0);
    unless_overflow(ty, Bounds::between(total.lower - slack, total.upper + slack), size, grows)
}

/// The product of numbers of type `ty` in any order.
pub(crate) fn product(ty: ElementType, factors: &[Bounds<f64>]) -> Bounds<f64> {
    if factors.iter().any(|factor| !is_number(*factor)) {
        return Bounds::<f64>::ANY;
    }
    let total = factors.iter().copied().fold(Bounds::exact(1.0), times);
    let size: f64 = sizes(factors).map(|size| size.max(1.0)).product();
    if factors.len() < 2 || is_whole(ty, factors, size) {
        return total;
    }
    let slack = |end: f64| {
        let slack = rounding(ty, factors.len()) * end.abs() + smallest(ty) * size;
        if end.is_finite() && slack.is_finite() { slack } else { 0.0 }
    };
    let loose = Bounds::between(total.lower - slack(total.lower), total.upper + slack(total.upper));
    let grows = factors.iter().all(|factor| factor.value().is_some_and(|number| number.abs() >= 1.0));
    unless_overflow(ty, loose, size, grows)
}

/// Returns unknown if intermediate results, whose magnitude is at most `size`, may overflow; but if they only grow, an
/// infinite result is exact.
fn unless_overflow(ty: ElementType, results: Bounds<f64>, size: f64, grows: bool) -> Bounds<f64> {
    if size <= largest(ty) {
        return results;
    }
    match (rounded(ty, results.lower), rounded(ty, results.upper)) {
        (Some(lower), Some(upper)) if grows && lower.is_infinite() && lower.to_bits() == upper.to_bits() => {
            Bounds::exact(lower)
        }
        _ => Bounds::<f64>::ANY,
    }
}

/// Whether all numbers are whole and so small in total that nothing is rounded.
fn is_whole(ty: ElementType, all: &[Bounds<f64>], size: f64) -> bool {
    let is_whole = |end: f64| end.is_infinite() || end.fract() == 0.0;
    all.iter().all(|one| is_whole(one.lower) && is_whole(one.upper))
        && whole_up_to(ty).is_some_and(|limit| size <= limit)
}

/// The limit up to which a floating-point type holds every whole number, so that sums and products are exact.
pub(crate) fn whole_up_to(ty: ElementType) -> Option<f64> {
    match ty {
        ElementType::F64 => Some(9_007_199_254_740_992.0),
        ElementType::F32 => Some(16_777_216.0),
        ElementType::F16 => Some(2_048.0),
        ElementType::Bf16 => Some(256.0),
        _ => None,
    }
}

/// Whether the number is not an exact infinity or NaN; an infinite end of inexact bounds means unbounded.
fn is_number(bounds: Bounds<f64>) -> bool {
    bounds.value().is_none_or(f64::is_finite)
}

/// The largest finite absolute values of the bounds.
fn sizes(all: &[Bounds<f64>]) -> impl Iterator<Item = f64> {
    all.iter().filter_map(|one| {
        [one.lower, one.upper].into_iter().filter(|end| end.is_finite()).map(f64::abs).reduce(f64::max)
    })
}

/// The relative error of `count` roundings in type `ty`.
#[allow(clippy::cast_precision_loss, reason = "a count")]
fn rounding(ty: ElementType, count: usize) -> f64 {
    let digits = match ty {
        ElementType::F16 => 11,
        ElementType::Bf16 => 8,
        ElementType::F64 => 52,
        _ => 23,
    };
    count as f64 * 0.5_f64.powi(digits)
}

/// The absolute rounding error close to 0.
fn smallest(ty: ElementType) -> f64 {
    match ty {
        ElementType::F16 => 0.5_f64.powi(14),
        ElementType::F64 => f64::MIN_POSITIVE,
        _ => f64::from(f32::MIN_POSITIVE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ElementType as T;

    fn exact(numbers: &[f64]) -> Vec<Bounds<f64>> {
        numbers.iter().copied().map(Bounds::exact).collect()
    }

    #[test]
    fn whole_numbers_are_exact_while_the_type_holds_them() {
        assert_eq!(sum(T::F32, &exact(&[3.0, 4.0])), Bounds::exact(7.0));
        assert_eq!(product(T::F32, &exact(&[3.0, -4.0])), Bounds::exact(-12.0));
        let from = |lower| Bounds::between(lower, f64::INFINITY);
        assert_eq!(sum(T::F32, &[from(3.0); 2]), from(6.0));
        let rough = sum(T::F16, &exact(&[2048.0, 1.0, 1.0, 1.0]));
        assert!(rough.lower <= 2048.0 && 2051.0 <= rough.upper);
        assert_eq!(sum(T::F32, &[]), Bounds::exact(0.0));
        assert_eq!(product(T::F32, &[]), Bounds::exact(1.0));
    }

    #[test]
    fn what_overflows_for_certain_is_infinite() {
        assert_eq!(product(T::F16, &exact(&[300.0, 300.0])), Bounds::exact(f64::INFINITY));
        assert_eq!(product(T::F16, &exact(&[300.0, -300.0])), Bounds::exact(f64::NEG_INFINITY));
        assert_eq!(product(T::F16, &exact(&[300.0, 300.0, 0.5])), Bounds::<f64>::ANY);
        assert_eq!(sum(T::F16, &exact(&[60_000.0, 60_000.0])), Bounds::exact(f64::INFINITY));
        assert_eq!(sum(T::F16, &exact(&[60_000.0, 60_000.0, -60_000.0])), Bounds::<f64>::ANY);
        assert_eq!(sum(T::F16, &[Bounds::between(1.0, 60_000.0); 2]), Bounds::<f64>::ANY);
    }

    /// Compares with several orders of a few numbers in f32.
    #[test]
    #[allow(clippy::cast_possible_truncation, reason = "the numbers are of f32")]
    fn bounds_hold_what_every_order_gives() {
        let numbers = [0.1_f32, 1e7, -3.7, 2.5e-3, -1e7, 13.0];
        let all: Vec<Bounds<f64>> = numbers.iter().map(|number| Bounds::exact(f64::from(*number))).collect();
        let (total, power) = (sum(T::F32, &all), product(T::F32, &all));
        for turn in 0..numbers.len() {
            let turned = || numbers.iter().cycle().skip(turn).take(numbers.len());
            for (found, bounds) in [(turned().sum::<f32>(), total), (turned().product::<f32>(), power)] {
                assert!(bounds.lower <= f64::from(found) && f64::from(found) <= bounds.upper, "{found} {bounds:?}");
            }
        }
    }
}
