//! Interval arithmetic on whole numbers: what `+`, `*` and the like make of bounds.
//!
//! Bounds are widened to 128 bits, where no single operation on two of them overflows, and fitted to the element type
//! afterwards. A number without a bound is taken not to overflow, unless all it may be lies next to an end of its type; one with
//! bounds may, and then nothing is known of it.

use super::symbol::{self, Operand, Symbol, demand};
use crate::types::{Bounds, Dim, ElementType};

/// The whole numbers in `lower..=upper`; ends beyond `FAR` are not bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    /// The smallest number.
    pub(crate) lower: i128,
    /// The largest number.
    pub(crate) upper: i128,
    /// What the number equals, if that is known and it is not exact.
    symbol: Symbol,
}

/// An end that is not a bound.
const INFINITE: i128 = i128::MAX;

/// Products of two 64-bit numbers do not pass this.
const FAR: i128 = 1 << 126;

/// How many pairs of numbers are tried one by one.
const FEW: i128 = 64;

impl Interval {
    /// Any number.
    pub(crate) const ANY: Self = Self::between(-INFINITE, INFINITE);

    /// The numbers in `lower..=upper`.
    pub(crate) const fn between(lower: i128, upper: i128) -> Self {
        Self { lower, upper, symbol: Symbol::NONE }
    }

    /// The same, equal to what `symbol` stands for.
    pub(crate) fn named(self, symbol: Symbol) -> Self {
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

    /// Just `number`.
    pub(crate) const fn exact(number: i128) -> Self {
        Self::between(number, number)
    }

    /// The only number, if there is one.
    pub(crate) fn value(self) -> Option<i128> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// What the number equals, if that is known and it is not exact.
    pub(crate) fn symbol(self) -> Symbol {
        self.symbol
    }

    /// The layer at work demands that it is 0 or more.
    pub(crate) fn demand_at_least_0(self) {
        if self.value().is_none() {
            demand::at_least(self.operand(), Operand::Known(0));
        }
    }

    /// The smallest span around both.
    pub(crate) fn hull(self, other: Self) -> Self {
        let hull = Self::between(self.lower.min(other.lower), self.upper.max(other.upper));
        if self.symbol == other.symbol { hull.named(self.symbol) } else { hull }
    }

    /// The numbers from `from` to `to`; `None` if there are none.
    pub(crate) fn within(self, from: i128, to: i128) -> Option<Self> {
        let (lower, upper) = (self.lower.max(from), self.upper.min(to));
        (lower <= upper).then_some(Self::between(lower, upper))
    }

    /// Both bounds through a function that never falls.
    pub(crate) fn rising(self, f: impl Fn(i128) -> i128) -> Self {
        Self::between(f(self.lower), f(self.upper))
    }

    /// Numbers of the other sign.
    pub(crate) fn negated(self) -> Self {
        Self::between(self.upper.saturating_neg(), self.lower.saturating_neg())
            .equal_to(|| symbol::minus(Operand::Known(0), self.operand()))
    }

    /// Distances from 0.
    pub(crate) fn magnitude(self) -> Self {
        match self {
            Self { lower: 0.., .. } => self,
            Self { upper: ..=0, .. } => self.negated(),
            Self { lower, upper, .. } => Self::between(0, upper.max(lower.saturating_neg())),
        }
    }

    /// Sums.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self::between(self.lower.saturating_add(other.lower), self.upper.saturating_add(other.upper))
            .equal_to(|| symbol::plus(self.operand(), other.operand()))
    }

    /// Products; 0 times anything is 0.
    pub(crate) fn times(self, other: Self) -> Self {
        self.corners(other, i128::saturating_mul).equal_to(|| symbol::times(self.operand(), other.operand()))
    }

    /// Quotients, rounded down or toward zero; by any number if the divisor is 0, which has no result.
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
            if is_floor { symbol::floor_divided(self.operand(), by.operand()) } else { Symbol::NONE }
        })
    }

    /// These numbers over `step`, a positive number, rounded up.
    pub(crate) fn steps(self, step: Self) -> Self {
        self.plus(step).plus(Self::exact(-1)).divided(step, floor_quotient)
    }

    /// The smaller of two numbers.
    pub(crate) fn least(self, other: Self) -> Self {
        Self::between(self.lower.min(other.lower), self.upper.min(other.upper))
            .equal_to(|| symbol::least(self.operand(), other.operand()))
    }

    /// The larger of two numbers.
    pub(crate) fn greatest(self, other: Self) -> Self {
        Self::between(self.lower.max(other.lower), self.upper.max(other.upper))
            .equal_to(|| symbol::greatest(self.operand(), other.operand()))
    }

    /// These remainders of `a` by `by`, which have the sign of `by`. Of a division by 0 OpenVINO makes some number.
    pub(crate) fn as_remainder(self, a: Self, by: Self) -> Self {
        if by.within(0, 0).is_some() {
            return self;
        }
        self.equal_to(|| {
            let quotient = Operand::new(None, symbol::floor_divided(a.operand(), by.operand()));
            let taken = Operand::new(None, symbol::times(quotient, by.operand()));
            symbol::minus(a.operand(), taken)
        })
    }

    /// The results of a function for every pair of numbers; `None` if there are many.
    pub(crate) fn pairs(self, other: Self, f: impl Fn(i128, i128) -> i128) -> Option<Self> {
        let count = |one: Self| one.upper.saturating_sub(one.lower).saturating_add(1);
        if count(self).saturating_mul(count(other)) > FEW {
            return None;
        }
        let others = |a| (other.lower..=other.upper).map(move |b| (a, b));
        let results = (self.lower..=self.upper).flat_map(others).map(|(a, b)| Self::exact(f(a, b)));
        results.reduce(Self::hull)
    }

    /// The extremes of a function that is monotone in each argument.
    fn corners(self, other: Self, f: impl Fn(i128, i128) -> i128) -> Self {
        let at = |end: i128| {
            let (one, two) = (f(end, other.lower), f(end, other.upper));
            Self::between(one.min(two), one.max(two))
        };
        at(self.lower).hull(at(self.upper))
    }

    /// The numbers that bounds of type `ty` allow. Bounds of u64 below 0 are numbers that i64 does not hold.
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
        .named(bounds.symbol)
    }

    /// Bounds of type `ty` for these numbers; every number of the type where some do not fit.
    pub(crate) fn bounds(self, ty: ElementType) -> Option<Bounds<i64>> {
        if let (ElementType::U64, Some(number)) = (ty, self.value().and_then(|number| u64::try_from(number).ok())) {
            return Some(Bounds::exact(number.cast_signed()));
        }
        let (lowest, highest) = ty.integer_range()?;
        let any = Bounds::<i64>::of(ty)?;
        let lower = if far(self.lower) && lowest < 0 { Some(lowest) } else { i64::try_from(self.lower).ok() };
        let upper = if far(self.upper) { Some(highest) } else { i64::try_from(self.upper).ok() };
        let fits = |end: i64| (lowest..=highest).contains(&end);
        // What shapes are made of does not overflow, unless it cannot but do so.
        let may_fit = self.within(lowest.into(), highest.into()).is_some();
        let is_wide = matches!(ty, ElementType::I32 | ElementType::I64) && may_fit;
        // Where a length of half the bits of the type may pass an end, an open number is taken to overflow.
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
                Some(Bounds::between(lower, upper).named(self.symbol))
            }
            _ => Some(any.named(if is_wide { self.symbol } else { Symbol::NONE })),
        }
    }

    /// A single number as type `ty` holds it, wrapped around where it does not fit.
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
        Self::between(dim.lower().into(), dim.upper().map_or(INFINITE, i128::from)).named(dim.symbol())
    }
}

impl From<Interval> for Bounds<i128> {
    fn from(span: Interval) -> Self {
        Self::between(span.lower, span.upper)
    }
}

/// Whether an end is not a bound.
pub(crate) fn far(end: i128) -> bool {
    end.unsigned_abs() > FAR.unsigned_abs()
}

/// `a / b` rounded down.
pub(crate) fn floor_quotient(a: i128, b: i128) -> i128 {
    let quotient = a / b;
    if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::symbol::{Atom, Length, atom, recording};
    use ElementType as T;

    fn spans() -> impl Iterator<Item = Interval> {
        (-4..=4).flat_map(|lower| (lower..=4).map(move |upper| Interval::between(lower, upper)))
    }

    fn sound(of: impl Fn(Interval, Interval) -> Option<Interval>, exact: impl Fn(i128, i128) -> Option<i128>) {
        for (a, b) in spans().flat_map(|a| spans().map(move |b| (a, b))) {
            let found = of(a, b);
            let results = (a.lower..=a.upper).flat_map(|x| (b.lower..=b.upper).map(move |y| (x, y)));
            for result in results.filter_map(|(x, y)| exact(x, y)) {
                let found = found.unwrap();
                assert!(found.lower <= result && result <= found.upper, "{a:?} {b:?} {found:?} {result}");
            }
        }
    }

    #[test]
    fn every_result_lies_in_the_span() {
        sound(|a, b| Some(a.plus(b)), |x, y| Some(x + y));
        sound(|a, b| Some(a.times(b)), |x, y| Some(x * y));
        sound(|a, b| Some(a.divided(b, floor_quotient)), |x, y| (y != 0).then(|| floor_quotient(x, y)));
        sound(|a, b| Some(a.divided(b, |x, y| x / y)), i128::checked_div);
        sound(|a, _| Some(a.magnitude()), |x, _| Some(x.abs()));
    }

    #[test]
    fn ends_of_64_bits_do_not_overflow() {
        let ends = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX].map(i128::from);
        for (a, b) in ends.into_iter().flat_map(|a| ends.map(|b| (a, b))) {
            let (one, other) = (Interval::exact(a), Interval::exact(b));
            assert_eq!((one.plus(other), one.times(other)), (Interval::exact(a + b), Interval::exact(a * b)));
            assert_eq!((one.negated(), one.magnitude()), (Interval::exact(-a), Interval::exact(a.abs())));
            if b != 0 {
                assert_eq!(one.divided(other, floor_quotient), Interval::exact(floor_quotient(a, b)));
            }
            for open in [Interval::between(a, INFINITE), Interval::between(-INFINITE, a), Interval::ANY] {
                let all = [open.plus(other), open.times(other), open.divided(other, floor_quotient), open.steps(other)];
                assert!(all.iter().all(|one| one.lower <= one.upper && one.bounds(T::I64).is_some()), "{all:?}");
            }
        }
    }

    #[test]
    fn unbounded_ends_stay_unbounded() {
        let from = |lower| Interval::between(lower, INFINITE);
        assert_eq!(from(3).plus(Interval::exact(2)).bounds(T::I64), Some(Bounds::between(5, i64::MAX)));
        assert_eq!(from(3).times(Interval::exact(2)).bounds(T::I32), Some(Bounds::between(6, i32::MAX.into())));
        assert_eq!(from(3).divided(Interval::exact(2), floor_quotient), from(1));
        assert_eq!(Interval::exact(3).divided(from(2), floor_quotient), Interval::between(0, 1));
        assert_eq!(Interval::of(T::I32, Bounds::between(2, i32::MAX.into())), from(2));
        assert_eq!(Interval::of(T::U8, Bounds::between(2, 255)), Interval::between(2, 255));
    }

    #[test]
    fn what_may_have_wrapped_around_in_u64_is_any_number() {
        let wrapped = Interval::between(-3, 5).bounds(T::U64).unwrap();
        assert_eq!(wrapped, Bounds::<i64>::ANY);
        let span = Interval::of(T::U64, wrapped);
        assert_eq!(span.plus(Interval::exact(3)).bounds(T::U64), Some(Bounds::<i64>::ANY));
        assert_eq!(span.bounds(T::I64), Some(Bounds::<i64>::ANY));
        assert_eq!(Interval::of(T::U64, Bounds::between(2, i64::MAX)), Interval::between(2, INFINITE));
    }

    #[test]
    fn what_overflows_or_divides_by_0_equals_nothing() {
        let (found, _) = recording(true, || {
            let length = Length { layer: 0, output: 0, axis: 0 };
            let from = |least| Interval::between(least, 9).named(atom(Atom::Input(length, (0, 9))));
            let lowest = Interval::exact(i32::MIN.into());
            let has_name = |of: Interval| of.bounds(T::I32).is_some_and(|of| !of.symbol.is_none());
            let remainder = |by| Interval::between(0, 5).as_remainder(Interval::exact(5), by);
            let names = [lowest.plus(from(1).negated()), lowest.plus(from(0)), remainder(from(0)), remainder(from(1))];
            names.map(has_name)
        });
        assert_eq!(found, [false, true, false, true]);
    }

    #[test]
    fn numbers_wrap_and_bounds_do_not() {
        assert_eq!(Interval::exact(450).wrapped(T::U8), Interval::exact(194));
        assert_eq!(Interval::exact(1 << 63).wrapped(T::I64), Interval::exact(i64::MIN.into()));
        assert_eq!(Interval::between(0, 300).bounds(T::U8), Some(Bounds::between(0, 255)));
        assert_eq!(Interval::between(0, 1 << 63).bounds(T::I64), Some(Bounds::<i64>::ANY));
    }
}
