//! Interval arithmetic on floating-point numbers, with which operations compute elements that are known by their bounds only.
//!
//! Bounds are computed in f64 and rounded to the element type afterwards. That equals the arithmetic of the type itself,
//! as rounding is monotone and f64 has more than twice the digits of f32. Bounds do not exclude NaN; only an exact NaN is
//! known to be one.

use super::codec::float;
use super::interval::Interval;
use crate::types::{Bounds, ElementType};

/// Rounds `number` to type `ty`; `None` for types below 16 bits, for which nothing is computed.
#[allow(clippy::cast_possible_truncation, reason = "rounds to what the type holds, as OpenVINO does")]
pub(crate) fn rounded(ty: ElementType, number: f64) -> Option<f64> {
    match ty {
        ElementType::F64 => Some(number),
        ElementType::F32 => Some((number as f32).into()),
        // OpenVINO converts to these from f32 only.
        ElementType::F16 | ElementType::Bf16 => Some(float::rounded(ty, f64::from(number as f32))),
        _ => None,
    }
}

/// Rounds bounds to type `ty`; `None` for types below 16 bits. Bounds that are not exact become unknown if they overflow: an
/// infinite end means unbounded, and devices compute f16 in f32, where numbers stay finite.
pub(crate) fn fitted(ty: ElementType, bounds: Bounds<f64>) -> Option<Bounds<f64>> {
    let (lower, upper) = (rounded(ty, bounds.lower)?, rounded(ty, bounds.upper)?);
    let overflows = bounds.lower.is_finite() && lower.is_infinite() || bounds.upper.is_finite() && upper.is_infinite();
    let fitted = if overflows && bounds.value().is_none() { Bounds::<f64>::ANY } else { Bounds::between(lower, upper) };
    // Lengths are taken to be exact in f32 and f64, but not in narrower types.
    Some(if matches!(ty, ElementType::F32 | ElementType::F64) { fitted.with_symbol(bounds.symbol) } else { fitted })
}

/// Returns `results`, or unknown bounds if their upper end overflows although the arguments `of` have finite bounds. Exact
/// arguments may overflow.
pub(crate) fn unless_overflown(results: Bounds<f64>, of: &[Bounds<f64>]) -> Bounds<f64> {
    let is_exact = of.iter().all(|one| one.value().is_some());
    let is_open = of.iter().any(|one| one.lower.is_infinite() || one.upper.is_infinite());
    if is_exact || is_open || results.upper < f64::INFINITY { results } else { Bounds::<f64>::ANY }
}

/// The largest finite number of type `ty`.
pub(crate) fn largest(ty: ElementType) -> f64 {
    match ty {
        ElementType::F16 => 65504.0,
        ElementType::F64 => f64::MAX,
        ElementType::Bf16 => f64::from(f32::from_bits(0x7F7F_0000)),
        _ => f32::MAX.into(),
    }
}

/// The bounds with two ends; any number if one end is NaN.
pub(crate) fn between(lower: f64, upper: f64) -> Bounds<f64> {
    if lower.is_nan() || upper.is_nan() { Bounds::<f64>::ANY } else { Bounds::between(lower, upper) }
}

/// The bounds of the results of a function that is monotone in each argument.
pub(crate) fn corners(a: Bounds<f64>, b: Bounds<f64>, f: impl Fn(f64, f64) -> f64) -> Bounds<f64> {
    if let (Some(a), Some(b)) = (a.value(), b.value()) {
        return Bounds::exact(f(a, b));
    }
    let all = [f(a.lower, b.lower), f(a.lower, b.upper), f(a.upper, b.lower), f(a.upper, b.upper)];
    if all.iter().any(|end| end.is_nan()) {
        return Bounds::<f64>::ANY;
    }
    let (lower, upper) = (all.iter().copied().fold(all[0], f64::min), all.iter().copied().fold(all[0], f64::max));
    Bounds::between(lower, upper)
}

/// Whether an operand is NaN, which makes any sum, product and quotient NaN.
fn has_nan(a: Bounds<f64>, b: Bounds<f64>) -> bool {
    a.lower.is_nan() || b.lower.is_nan()
}

/// The sums.
pub(crate) fn plus(a: Bounds<f64>, b: Bounds<f64>) -> Bounds<f64> {
    match (a.value(), b.value()) {
        (Some(a), Some(b)) => Bounds::exact(a + b),
        _ if has_nan(a, b) => Bounds::exact(f64::NAN),
        _ => between(a.lower + b.lower, a.upper + b.upper),
    }
}

pub(crate) fn negated(a: Bounds<f64>) -> Bounds<f64> {
    Bounds::between(-a.upper, -a.lower)
}

/// The products; unless both factors are exact, 0 times an unbounded end is 0.
pub(crate) fn times(a: Bounds<f64>, b: Bounds<f64>) -> Bounds<f64> {
    if has_nan(a, b) {
        return Bounds::exact(f64::NAN);
    }
    let exact = a.value().is_some() && b.value().is_some();
    corners(a, b, |x, y| if !exact && (x == 0.0 || y == 0.0) { 0.0 } else { x * y })
}

/// The quotients; unless both operands are exact, any number if the divisor may be 0: quotients may be infinite or NaN then.
pub(crate) fn divided(a: Bounds<f64>, b: Bounds<f64>) -> Bounds<f64> {
    if has_nan(a, b) {
        return Bounds::exact(f64::NAN);
    }
    match (a.value(), b.value()) {
        (Some(a), Some(b)) => Bounds::exact(a / b),
        _ if b.lower <= 0.0 && 0.0 <= b.upper => Bounds::<f64>::ANY,
        _ => corners(a, b, |x, y| if x.is_infinite() { x * y.signum() } else { x / y }),
    }
}

/// The absolute values.
pub(crate) fn magnitude(a: Bounds<f64>) -> Bounds<f64> {
    match a {
        Bounds { lower, .. } if lower >= 0.0 || lower.is_nan() => a,
        Bounds { upper, .. } if upper <= 0.0 => negated(a),
        Bounds { lower, upper, .. } => Bounds::between(0.0, upper.max(-lower)),
    }
}

/// Widens bounds a little, for functions whose last digits depend on the math library.
pub(crate) fn loosened(ty: ElementType, bounds: Bounds<f64>) -> Bounds<f64> {
    let slack = if ty == ElementType::F64 { 1e-14 } else { 1e-6 };
    let by = |end: f64| if end.is_finite() { end.abs() * slack } else { 0.0 };
    Bounds::between(bounds.lower - by(bounds.lower), bounds.upper + by(bounds.upper))
}

/// A function of one number.
#[derive(Debug, Clone, Copy)]
pub struct Function {
    /// The function in f32, used for f32, f16 and bf16.
    pub(crate) single: fn(f32) -> f32,
    /// The function in f64.
    pub(crate) double: fn(f64) -> f64,
    /// The monotonicity.
    pub(crate) course: Course,
    /// The domain; outside of it, nothing is known about the results.
    pub(crate) domain: (f64, f64),
    /// The range of the results.
    pub(crate) range: (f64, f64),
    /// The arguments for which the last digit of the result depends on the math library.
    pub(crate) rough: Option<(f64, f64)>,
}

/// The monotonicity of a function.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Course {
    /// Non-decreasing.
    Rising,
    /// Non-increasing.
    Falling,
    /// Even, and non-decreasing in the absolute value.
    Even,
    /// Not monotone, with results between two numbers.
    Between(f64, f64),
}

impl Function {
    /// A non-decreasing function whose domain and range are all numbers.
    pub(crate) const fn rising(single: fn(f32) -> f32, double: fn(f64) -> f64) -> Self {
        let anywhere = (f64::NEG_INFINITY, f64::INFINITY);
        Self { single, double, course: Course::Rising, domain: anywhere, range: anywhere, rough: None }
    }

    /// Sets the domain.
    pub(crate) const fn on(self, lower: f64, upper: f64) -> Self {
        Self { domain: (lower, upper), ..self }
    }

    /// Sets the range.
    pub(crate) const fn within(self, lower: f64, upper: f64) -> Self {
        Self { range: (lower, upper), ..self }
    }

    /// Sets the monotonicity.
    pub(crate) const fn course(self, course: Course) -> Self {
        Self { course, ..self }
    }

    /// Marks the last digit of all results as dependent on the math library.
    pub(crate) const fn rough(self) -> Self {
        self.rough_between(f64::NEG_INFINITY, f64::INFINITY)
    }

    /// Marks the last digit of results as dependent on the math library for arguments between these two.
    pub(crate) const fn rough_between(self, lower: f64, upper: f64) -> Self {
        Self { rough: Some((lower, upper)), ..self }
    }

    /// The result for one number of type `ty`.
    #[allow(clippy::cast_possible_truncation, reason = "f16, bf16 and f32 numbers, which f32 holds exactly")]
    fn at(&self, ty: ElementType, number: f64) -> f64 {
        if ty == ElementType::F64 { (self.double)(number) } else { (self.single)(number as f32).into() }
    }

    /// The results for numbers of type `ty`.
    pub(crate) fn real(&self, ty: ElementType, bounds: Bounds<f64>) -> Bounds<f64> {
        if let Some(number) = bounds.value() {
            let result = Bounds::exact(self.at(ty, number));
            let is_rough = self.rough.is_some_and(|(lower, upper)| lower < number && number < upper);
            return if is_rough { self.loosened(ty, result) } else { result };
        }
        if bounds.lower < self.domain.0 || self.domain.1 < bounds.upper {
            return Bounds::<f64>::ANY;
        }
        let over = |a: Bounds<f64>| between(self.at(ty, a.lower), self.at(ty, a.upper));
        let results = match self.course {
            Course::Rising => over(bounds),
            Course::Falling => over(Bounds::between(bounds.upper, bounds.lower)),
            Course::Even => over(magnitude(bounds)),
            Course::Between(lower, upper) => Bounds::between(lower, upper),
        };
        self.loosened(ty, unless_overflown(results, &[bounds]))
    }

    fn loosened(&self, ty: ElementType, results: Bounds<f64>) -> Bounds<f64> {
        let loose = loosened(ty, results);
        Bounds::between(loose.lower.max(self.range.0), loose.upper.min(self.range.1))
    }

    /// The results for whole numbers of type `ty`; `None` if they may not fit the type. OpenVINO rounds the results of some
    /// functions and truncates those of others, so the bounds allow both.
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "rounded outwards if it fits")]
    pub(crate) fn whole(&self, ty: ElementType, bounds: Bounds<i64>) -> Option<Bounds<i64>> {
        let (lowest, highest) = ty.integer_range()?;
        let (span, most) =
            (Interval::of(ty, bounds), if ty == ElementType::U64 { u64::MAX.into() } else { highest.into() });
        let end = |end: i128| end.clamp(lowest.into(), most) as f64;
        let results = self.real(ElementType::F64, Bounds::between(end(span.lower), end(span.upper)));
        let fits = lowest as f64 <= results.lower && results.upper < highest as f64;
        fits.then(|| Bounds::between(results.lower.floor() as i64, results.upper.ceil() as i64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ElementType as T;

    fn b(lower: f64, upper: f64) -> Bounds<f64> {
        Bounds::between(lower, upper)
    }

    #[test]
    fn numbers_are_those_of_their_type() {
        assert_eq!(rounded(T::F32, 0.1), Some(f64::from(0.1_f32)));
        assert_eq!(rounded(T::F16, 2049.0), Some(2048.0));
        assert_eq!(rounded(T::Bf16, 257.0), Some(256.0));
        assert_eq!(rounded(T::F16, 70000.0), Some(f64::INFINITY));
        assert_eq!(rounded(T::F8e4m3, 1.0), None);
        assert_eq!(rounded(T::F16, 1.0 + 2_f64.powi(-11) + 2_f64.powi(-30)), Some(1.0));
    }

    #[test]
    fn nothing_is_known_of_numbers_that_may_become_infinite() {
        assert_eq!(fitted(T::F16, b(5.0, 70_000.0)), Some(Bounds::<f64>::ANY));
        assert_eq!(fitted(T::F16, b(66_000.0, f64::INFINITY)), Some(Bounds::<f64>::ANY));
        assert_eq!(fitted(T::F16, b(66_000.0, 66_000.0)), Some(Bounds::exact(f64::INFINITY)));
        assert_eq!(fitted(T::F16, b(5.0, f64::INFINITY)), Some(b(5.0, f64::INFINITY)));
        assert_eq!(fitted(T::F32, b(5.0, 70_000.0)), Some(b(5.0, 70_000.0)));
    }

    #[test]
    fn bounds_hold_every_result() {
        assert_eq!(plus(b(1.0, f64::INFINITY), b(2.0, 3.0)), b(3.0, f64::INFINITY));
        assert_eq!(times(b(0.0, f64::INFINITY), b(-2.0, 0.5)), b(f64::NEG_INFINITY, f64::INFINITY));
        assert_eq!(times(b(0.0, 0.0), b(0.0, f64::INFINITY)), b(0.0, 0.0));
        assert!(times(b(0.0, 0.0), Bounds::exact(f64::INFINITY)).lower.is_nan());
        assert_eq!(divided(b(100.0, 100.0), b(2.0, 5.0)), b(20.0, 50.0));
        assert_eq!(divided(b(1.0, 2.0), b(-5.0, -1.0)), b(-2.0, -0.2));
        for by in [b(0.0, 5.0), b(-5.0, -0.0), b(-1.0, 5.0), b(0.0, f64::INFINITY)] {
            assert_eq!(divided(b(1.0, 2.0), by), Bounds::<f64>::ANY);
        }
        assert_eq!(divided(b(3.0, f64::INFINITY), b(2.0, f64::INFINITY)), b(0.0, f64::INFINITY));
        assert_eq!(magnitude(b(-3.0, 2.0)), b(0.0, 3.0));
    }

    #[test]
    fn functions_follow_their_course() {
        let sqrt = Function::rising(f32::sqrt, f64::sqrt).on(0.0, f64::INFINITY);
        assert_eq!(sqrt.real(T::F32, Bounds::exact(2.0)), Bounds::exact(2_f32.sqrt().into()));
        assert_eq!(sqrt.real(T::F32, b(-1.0, 4.0)), Bounds::<f64>::ANY);
        assert_eq!(sqrt.whole(T::I64, Bounds::exact(9)), Some(Bounds::exact(3)));
        assert_eq!(sqrt.whole(T::I64, Bounds::exact(8)), Some(Bounds::between(2, 3)));
        assert_eq!(sqrt.whole(T::I64, Bounds::between(4, i64::MAX)).map(|b| b.lower), Some(1));
        assert_eq!(sqrt.whole(T::I64, Bounds::<i64>::ANY), None);
        let exp = Function::rising(libm::expf, libm::exp);
        assert_eq!(exp.real(T::F32, b(0.0, 100.0)), Bounds::<f64>::ANY);
        assert!(exp.real(T::F32, b(0.0, f64::INFINITY)).upper.is_infinite());
        assert_eq!(exp.whole(T::I32, Bounds::between(0, 44)), None);
        let cosh = Function::rising(libm::coshf, libm::cosh).course(Course::Even);
        assert!(cosh.real(T::F32, b(-1.0, 0.0)).lower < 1.0);
    }
}
