//! Interval arithmetic on whole numbers, with which operations compute elements and dimensions that are known by their bounds
//! only.
//!
//! Bounds are computed in 128 bits, which suffice for one operation on signed 64-bit numbers and saturate beyond, and fitted to
//! the element type afterwards. A bounded number that may overflow becomes unknown. An unbounded number is assumed not to
//! overflow, unless every possible value lies close to an end of its type.

#[cfg(test)]
mod tests;

use super::symbol::{self, Operand, Symbol, demand};
use crate::types::{Bounds, Dim, ElementType};

/// The whole numbers in `lower..=upper`; an end beyond `FAR`, positive or negative, means unbounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    /// The smallest number.
    pub(crate) lower: i128,
    /// The largest number.
    pub(crate) upper: i128,
    /// The expression that the number equals; none if it is unknown or the number is exact.
    symbol: Symbol,
}

/// The upper end of an unbounded interval, and the negated lower one.
const INFINITE: i128 = i128::MAX;

/// The largest end that is a bound: no product of two signed 64-bit numbers exceeds it.
const FAR: i128 = 1 << 126;

/// Maximum number of pairs of numbers to enumerate.
const MAX_PAIRS: i128 = 64;

impl Interval {
    /// Any number.
    pub(crate) const ANY: Self = Self::between(-INFINITE, INFINITE);

    /// The numbers in `lower..=upper`.
    pub(crate) const fn between(lower: i128, upper: i128) -> Self {
        Self { lower, upper, symbol: Symbol::NONE }
    }

    pub(crate) fn with_symbol(self, symbol: Symbol) -> Self {
        self.equal_to(|| symbol)
    }

    fn equal_to(self, symbol: impl FnOnce() -> Symbol) -> Self {
        if self.value().is_some() { self } else { Self { symbol: symbol(), ..self } }
    }

    fn operand(self) -> Operand {
        match self.value() {
            Some(number) => i64::try_from(number).map_or(Operand::Unknown, Operand::Known),
            None => Operand::new(None, self.symbol),
        }
    }

    /// Exactly `number`.
    pub(crate) const fn exact(number: i128) -> Self {
        Self::between(number, number)
    }

    /// The exact number, if there is one.
    pub(crate) fn value(self) -> Option<i128> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// The symbol; none for exact numbers.
    pub(crate) fn symbol(self) -> Symbol {
        self.symbol
    }

    /// Records the demand that the number is 0 or more.
    pub(crate) fn demand_at_least_0(self) {
        if self.value().is_none() {
            demand::at_least(self.operand(), Operand::Known(0));
        }
    }

    /// The smallest interval that contains both.
    pub(crate) fn hull(self, other: Self) -> Self {
        let hull = Self::between(self.lower.min(other.lower), self.upper.max(other.upper));
        if self.symbol == other.symbol { hull.with_symbol(self.symbol) } else { hull }
    }

    /// The part between `from` and `to`; `None` if it is empty.
    pub(crate) fn within(self, from: i128, to: i128) -> Option<Self> {
        let (lower, upper) = (self.lower.max(from), self.upper.min(to));
        (lower <= upper).then_some(Self::between(lower, upper))
    }

    /// The interval of the results of a non-decreasing function.
    pub(crate) fn rising(self, f: impl Fn(i128) -> i128) -> Self {
        Self::between(f(self.lower), f(self.upper))
    }

    pub(crate) fn negated(self) -> Self {
        Self::between(self.upper.saturating_neg(), self.lower.saturating_neg())
            .equal_to(|| symbol::minus(Operand::Known(0), self.operand()))
    }

    /// The absolute values.
    pub(crate) fn magnitude(self) -> Self {
        match self {
            Self { lower: 0.., .. } => self,
            Self { upper: ..=0, .. } => self.negated(),
            Self { lower, upper, .. } => Self::between(0, upper.max(lower.saturating_neg())),
        }
    }

    /// The sums.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self::between(self.lower.saturating_add(other.lower), self.upper.saturating_add(other.upper))
            .equal_to(|| symbol::plus(self.operand(), other.operand()))
    }

    /// The products; 0 times anything is 0.
    pub(crate) fn times(self, other: Self) -> Self {
        self.corners(other, i128::saturating_mul).equal_to(|| symbol::times(self.operand(), other.operand()))
    }

    /// The quotients, rounded by `round` down or toward zero. A divisor of 0 has no result, so only other divisors count; if
    /// there are none, the result is as for any other divisor.
    pub(crate) fn divided(self, by: Self, round: fn(i128, i128) -> i128) -> Self {
        let quotient = |a: i128, b: i128| match (far(a), far(b)) {
            (true, _) => a.signum() * b.signum() * INFINITE,
            _ => round(a, b),
        };
        let part = |divisor: Option<Self>| divisor.map(|divisor| self.corners(divisor, quotient));
        let parts = [part(by.within(1, INFINITE)), part(by.within(-INFINITE, -1))];
        let quotients = parts.into_iter().flatten().reduce(Self::hull).unwrap_or(self.hull(self.negated()));
        quotients.equal_to(|| {
            let is_floor = round(-1, 2) == -1 || self.lower >= 0 && by.lower >= 0;
            if is_floor { symbol::floor_div(self.operand(), by.operand()) } else { Symbol::NONE }
        })
    }

    /// The quotients by a positive `step`, rounded up.
    pub(crate) fn div_ceil(self, step: Self) -> Self {
        self.plus(step).plus(Self::exact(-1)).divided(step, floor_div)
    }

    /// The smaller of two numbers.
    pub(crate) fn min(self, other: Self) -> Self {
        Self::between(self.lower.min(other.lower), self.upper.min(other.upper))
            .equal_to(|| symbol::min(self.operand(), other.operand()))
    }

    /// The larger of two numbers.
    pub(crate) fn max(self, other: Self) -> Self {
        Self::between(self.lower.max(other.lower), self.upper.max(other.upper))
            .equal_to(|| symbol::max(self.operand(), other.operand()))
    }

    /// Adds the symbol `a - a//by*by` to these remainders of `a` by `by`, which have the sign of `by`. Adds none if `by` may be
    /// 0, for which OpenVINO gives some number.
    pub(crate) fn as_remainder(self, a: Self, by: Self) -> Self {
        if by.within(0, 0).is_some() {
            return self;
        }
        self.equal_to(|| {
            let quotient = Operand::new(None, symbol::floor_div(a.operand(), by.operand()));
            let taken = Operand::new(None, symbol::times(quotient, by.operand()));
            symbol::minus(a.operand(), taken)
        })
    }

    /// The hull of the results for every pair of numbers; `None` if there are too many pairs.
    pub(crate) fn pairs(self, other: Self, f: impl Fn(i128, i128) -> i128) -> Option<Self> {
        let count = |one: Self| one.upper.saturating_sub(one.lower).saturating_add(1);
        if count(self).saturating_mul(count(other)) > MAX_PAIRS {
            return None;
        }
        let others = |a| (other.lower..=other.upper).map(move |b| (a, b));
        let results = (self.lower..=self.upper).flat_map(others).map(|(a, b)| Self::exact(f(a, b)));
        results.reduce(Self::hull)
    }

    /// The interval of the results of a function that is monotone in each argument.
    fn corners(self, other: Self, f: impl Fn(i128, i128) -> i128) -> Self {
        let at = |end: i128| {
            let (one, two) = (f(end, other.lower), f(end, other.upper));
            Self::between(one.min(two), one.max(two))
        };
        at(self.lower).hull(at(self.upper))
    }

    /// The interval for the bounds of a number of type `ty`. Negative bounds of u64 represent numbers past `i64::MAX`.
    pub(crate) fn of(ty: ElementType, bounds: Bounds<i64>) -> Self {
        if ty == ElementType::U64 && bounds.lower < 0 {
            let exact = bounds.value().map(|number| Self::exact(number.cast_unsigned().into()));
            return exact.unwrap_or(Self::between(0, u64::MAX.into()));
        }
        let (lowest, highest) = ty.integer_range().unwrap_or((i64::MIN, i64::MAX));
        let bounded = bounds.value().is_some() || ty.bits() < 32;
        let no_lower = bounds.lower == i64::MIN || bounds.lower == lowest && lowest < 0;
        let no_upper = bounds.upper == i64::MAX || bounds.upper == highest;
        Self::between(
            if no_lower && !bounded { -INFINITE } else { bounds.lower.into() },
            if no_upper && !bounded { INFINITE } else { bounds.upper.into() },
        )
        .with_symbol(bounds.symbol)
    }

    /// The bounds of type `ty` for this interval; any number of the type if some do not fit.
    pub(crate) fn bounds(self, ty: ElementType) -> Option<Bounds<i64>> {
        if let (ElementType::U64, Some(number)) = (ty, self.value().and_then(|number| u64::try_from(number).ok())) {
            return Some(Bounds::exact(number.cast_signed()));
        }
        let (lowest, highest) = ty.integer_range()?;
        let any = Bounds::<i64>::of(ty)?;
        let lower = if far(self.lower) && lowest < 0 { Some(lowest) } else { i64::try_from(self.lower).ok() };
        let upper = if far(self.upper) { Some(highest) } else { i64::try_from(self.upper).ok() };
        let fits = |end: i64| (lowest..=highest).contains(&end);
        // In the types of shape arithmetic, numbers are assumed not to overflow, unless all of them do.
        let may_fit = self.within(lowest.into(), highest.into()).is_some();
        let is_wide = matches!(ty, ElementType::I32 | ElementType::I64) && may_fit;
        // All values are so close to an end that adding a length with half the bits of the type could exceed it. Then assume
        // that a number that is not exact overflows.
        let is_at_end = || {
            let (lowest, highest) = (i128::from(lowest), i128::from(highest));
            let room = highest >> (ty.bits() / 2 - 1);
            let (is_low, is_high) = (self.lower < lowest, self.upper > highest);
            is_high && self.lower > highest - room || is_low && self.upper < lowest + room
        };
        match (lower, upper) {
            _ if is_wide && self.value().is_none() && is_at_end() => Some(any),
            _ if ty.bits() < 32 && (far(self.lower) || far(self.upper)) => Some(any),
            (Some(lower), Some(upper)) if fits(lower) && fits(upper) => {
                Some(Bounds::between(lower, upper).with_symbol(self.symbol))
            }
            _ => Some(any.with_symbol(if is_wide { self.symbol } else { Symbol::NONE })),
        }
    }

    /// An exact number wrapped around to the range of type `ty`.
    pub(crate) fn wrapped(self, ty: ElementType) -> Self {
        let (Some(number), Some((lowest, highest))) = (self.value(), ty.integer_range()) else { return self };
        let bits = if ty == ElementType::Boolean { 1 } else { ty.bits() };
        let modulus = 1_i128 << bits;
        let wrapped = number.rem_euclid(modulus);
        let signed = if lowest < 0 && wrapped > i128::from(highest) { wrapped - modulus } else { wrapped };
        if far(number) { self } else { Self::exact(signed) }
    }
}

impl From<Dim> for Interval {
    fn from(dim: Dim) -> Self {
        Self::between(dim.lower().into(), dim.upper().map_or(INFINITE, i128::from)).with_symbol(dim.symbol())
    }
}

impl From<Interval> for Bounds<i128> {
    fn from(span: Interval) -> Self {
        Self::between(span.lower, span.upper)
    }
}

/// Whether an end of an interval means unbounded.
pub(crate) fn far(end: i128) -> bool {
    end.unsigned_abs() > FAR.unsigned_abs()
}

/// `a / b` rounded down.
pub(crate) fn floor_div(a: i128, b: i128) -> i128 {
    let quotient = a / b;
    if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
}
