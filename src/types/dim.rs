//! A dimension: a non-empty interval of lengths.

use super::interval::Interval;
use super::symbol::{self, Operand, Symbol, demand};
use std::fmt;

/// The lengths that a dimension can have: `7`, `2..5`, `..5`, `2..` or `?`, with both ends included.
///
/// Never empty: operations whose result may be empty return `Option`. An upper bound of `i64::MAX` means unbounded, and sums
/// and products that exceed it become unbounded. A dimension that is not exact may have a symbol: the expression that it
/// equals.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dim {
    lower: i64,
    upper: i64,
    symbol: Symbol,
}

const UNBOUNDED: i64 = i64::MAX;

impl Dim {
    /// Any length.
    pub const ANY: Self = Self::from_to(0, UNBOUNDED);

    const fn from_to(lower: i64, upper: i64) -> Self {
        Self { lower, upper, symbol: Symbol::NONE }
    }

    /// The same lengths without the symbol.
    #[must_use]
    pub(crate) fn bare(self) -> Self {
        Self { symbol: Symbol::NONE, ..self }
    }

    #[must_use]
    pub(crate) fn with_symbol(self, symbol: Symbol) -> Self {
        if self.is_exact() { self } else { Self { symbol, ..self } }
    }

    /// The quotient `self / by`, if `by` divides `self`; 1 if `by` is 0.
    pub(crate) fn exact_quotient(self, by: Self) -> Operand {
        match (self.length(), by.length()) {
            (_, Some(0)) => Operand::Known(1),
            (Some(whole), Some(by)) => Operand::Known(whole / by),
            _ => Operand::new(None, symbol::quotient_or_1(self.operand(), by.operand())),
        }
    }

    /// The symbol of `none` if this dimension is 0, else of `some`.
    pub(crate) fn choose(self, some: Operand, none: Operand) -> Symbol {
        symbol::choose(self.operand(), some, none)
    }

    /// The symbol of `other` if this dimension is 0, else of this dimension.
    pub(crate) fn or(self, other: Self) -> Symbol {
        if self.equals(other) { self.symbol } else { self.choose(self.operand(), other.operand()) }
    }

    /// The same lengths with the symbol of the number that `number` returns; it is called only if the length is not exact.
    #[must_use]
    pub(crate) fn equal(self, number: impl FnOnce() -> Option<Interval>) -> Self {
        self.equal_to(|| number().map(Interval::symbol).unwrap_or_default())
    }

    fn equal_to(self, symbol: impl FnOnce() -> Symbol) -> Self {
        if self.is_exact() { self } else { Self { symbol: symbol(), ..self } }
    }

    /// Whether both are known to have the same length, exact or symbolic.
    pub(crate) fn equals(self, other: Self) -> bool {
        self.is_exact() && self.length() == other.length() || !self.symbol.is_none() && self.symbol == other.symbol
    }

    /// The symbol; none for exact dimensions.
    pub(crate) fn symbol(self) -> Symbol {
        self.symbol
    }

    fn operand(self) -> Operand {
        Operand::new(self.length(), self.symbol)
    }

    /// Exactly `length`, or 0 if that is negative.
    pub const fn exact(length: i64) -> Self {
        let length = if length < 0 { 0 } else { length };
        Self::from_to(length, length)
    }

    /// The length of a list of `count` elements.
    pub(crate) fn of_count(count: usize) -> Self {
        Self::exact(i64::try_from(count).unwrap_or(UNBOUNDED))
    }

    /// `lower..upper`, both included; `None` if that has no length of 0 or more.
    pub const fn between(lower: i64, upper: i64) -> Option<Self> {
        let lower = if lower < 0 { 0 } else { lower };
        if lower > upper { None } else { Some(Self::from_to(lower, upper)) }
    }

    /// `lower..`; a negative bound becomes 0.
    pub const fn at_least(lower: i64) -> Self {
        Self::from_to(if lower < 0 { 0 } else { lower }, UNBOUNDED)
    }

    /// `..upper`, included; a negative bound becomes 0.
    pub const fn at_most(upper: i64) -> Self {
        Self::from_to(0, if upper < 0 { 0 } else { upper })
    }

    /// The lower bound.
    pub const fn lower(self) -> i64 {
        self.lower
    }

    /// The upper bound; `None` if unbounded.
    pub const fn upper(self) -> Option<i64> {
        if self.upper == UNBOUNDED { None } else { Some(self.upper) }
    }

    /// The exact length; `None` if there are several.
    pub const fn length(self) -> Option<i64> {
        if self.lower == self.upper && self.upper != UNBOUNDED { Some(self.lower) } else { None }
    }

    /// The length, if there is only one and it fits in memory.
    pub(crate) fn size(self) -> Option<usize> {
        usize::try_from(self.length()?).ok()
    }

    /// Whether there is only one length.
    pub const fn is_exact(self) -> bool {
        self.length().is_some()
    }

    /// Whether `length` is one of the lengths.
    pub const fn admits(self, length: i64) -> bool {
        self.lower <= length && length <= self.upper
    }

    /// Whether every length of `other` is one of `self`.
    pub const fn contains(self, other: Self) -> bool {
        self.lower <= other.lower && other.upper <= self.upper
    }

    /// The intersection; `None` if it is empty.
    pub fn merge(self, other: Self) -> Option<Self> {
        let both = Self::between(self.lower.max(other.lower), self.upper.min(other.upper))?;
        Some(both.equal_to(|| symbol::either(self.symbol, other.symbol)))
    }

    /// The intersection; records the demand that both are equal. `None` if it is empty.
    #[inline]
    pub(crate) fn agree(self, other: Self) -> Option<Self> {
        if self.is_exact() && other.is_exact() {
            return (self.lower == other.lower).then_some(self);
        }
        demand::equal(self.operand(), other.operand());
        self.merge(other)
    }

    /// The smallest interval that contains both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        let hull = Self::from_to(self.lower.min(other.lower), self.upper.max(other.upper));
        if self.symbol == other.symbol { hull.with_symbol(self.symbol) } else { hull }
    }

    /// The lengths that the NumPy broadcast of both can have; `None` if no two of them broadcast.
    pub fn broadcast(self, other: Self) -> Option<Self> {
        let equal = self.merge(other);
        let stretched = self.admits(1).then_some(other);
        let stretching = other.admits(1).then_some(self);
        let hull = [equal, stretched, stretching].into_iter().flatten().reduce(Self::hull)?;
        Some(hull.equal_to(|| symbol::broadcast(self.operand(), other.operand())))
    }

    /// The broadcast; records the demand that both broadcast.
    pub(crate) fn meet(self, other: Self) -> Option<Self> {
        if !self.is_exact() || !other.is_exact() {
            demand::broadcast(self.operand(), other.operand());
        } else if self.lower == other.lower {
            return Some(self);
        }
        self.broadcast(other)
    }

    /// The sums of the lengths.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self::from_to(self.lower.saturating_add(other.lower), self.upper.saturating_add(other.upper))
            .canonical()
            .equal_to(|| symbol::plus(self.operand(), other.operand()))
    }

    /// The differences of the lengths, 0 where they are negative.
    #[must_use]
    pub fn minus(self, taken: Self) -> Self {
        let upper = if self.upper == UNBOUNDED { UNBOUNDED } else { (self.upper - taken.lower).max(0) };
        let lower = if taken.upper == UNBOUNDED { 0 } else { self.lower.saturating_sub(taken.upper).max(0) };
        Self::from_to(lower, upper).equal_to(|| {
            let left = symbol::minus(self.operand(), taken.operand());
            symbol::max(Operand::new(None, left), Operand::Known(0))
        })
    }

    /// The products of the lengths; 0 times anything is 0.
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        let upper = if self.upper == 0 || other.upper == 0 { 0 } else { self.upper.saturating_mul(other.upper) };
        Self::from_to(self.lower.saturating_mul(other.lower), upper)
            .canonical()
            .equal_to(|| symbol::times(self.operand(), other.operand()))
    }

    /// The lengths of one of `parts` equal parts; `None` if no length is a multiple of `parts` or `parts` is not positive.
    pub fn divide(self, parts: i64) -> Option<Self> {
        if parts <= 0 {
            return None;
        }
        let lower = self.lower / parts + i64::from(self.lower % parts != 0);
        let upper = if self.upper == UNBOUNDED { UNBOUNDED } else { self.upper / parts };
        let divided = || symbol::floor_div(self.operand(), Operand::Known(parts));
        Some(Self::between(lower, upper)?.equal_to(divided))
    }

    /// The lengths of one of `parts` equal parts; records the demand that `parts` divides the length.
    pub(crate) fn cut(self, parts: i64) -> Option<Self> {
        if !self.is_exact() && parts > 0 {
            demand::multiple_of(self.operand(), Operand::Known(parts));
        }
        self.divide(parts)
    }

    /// Records the demand that `part` broadcasts to this dimension: it is equal or 1.
    pub(crate) fn demand_stretch(self, part: Self) {
        if !self.is_exact() || !part.is_exact() {
            demand::stretch(part.operand(), self.operand());
        }
    }

    pub(crate) fn demand_equal(self, other: Self) {
        if !self.is_exact() || !other.is_exact() {
            demand::equal(self.operand(), other.operand());
        }
    }

    /// Records that the layer gives shapes of the usual rank if this is 1.
    pub(crate) fn demand_usually_one(self) {
        if !self.is_exact() {
            demand::usually_one(self.operand());
        }
    }

    /// Records the demand that this is a multiple of `by`.
    pub(crate) fn demand_multiple(self, by: Self) {
        if !self.is_exact() || !by.is_exact() {
            demand::multiple_of(self.operand(), by.operand());
        }
    }

    /// Records the demand that in `none` (if this dimension is 0) or `some` (if not) the first is a multiple of the second.
    pub(crate) fn demand_choice(self, some: (Self, Self), none: (Self, Self)) {
        let operands = |(whole, by): (Self, Self)| (whole.operand(), by.operand());
        demand::multiple_by_choice(self.operand(), operands(some), operands(none));
    }

    /// Records the demand that this is `least` or more.
    pub(crate) fn demand_at_least(self, least: Self) {
        if !self.is_exact() || !least.is_exact() {
            demand::at_least(self.operand(), least.operand());
        }
    }

    /// Replaces a lower bound of `i64::MAX`, which would mean an unbounded length, by no bound at all.
    fn canonical(self) -> Self {
        if self.lower == UNBOUNDED { Self::ANY } else { self }
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.lower, self.upper()) {
            (0, None) => f.write_str("?"),
            (lower, None) => write!(f, "{lower}.."),
            (lower, Some(upper)) if lower == upper => write!(f, "{lower}"),
            (0, Some(upper)) => write!(f, "..{upper}"),
            (lower, Some(upper)) => write!(f, "{lower}..{upper}"),
        }
    }
}

impl fmt::Debug for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<i64> for Dim {
    fn from(length: i64) -> Self {
        Self::exact(length)
    }
}
