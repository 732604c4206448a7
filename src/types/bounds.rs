//! The bounds between which a number lies, such as an element of a tensor: exact, an interval, or anything.

use super::interval::Interval;
use super::symbol::Symbol;
use super::{Dim, ElementType};

/// The bounds of a number in `lower..=upper`.
///
/// Integers use `i64::MIN` and `i64::MAX` for no bound, floats the infinities. An exact infinity has `lower == upper`, an
/// exact NaN is NaN in both.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bounds<T> {
    /// The smallest possible value.
    pub lower: T,
    /// The largest possible value.
    pub upper: T,
    /// The expression that the number equals; `Symbol::NONE` if no expression is known or the number is exact.
    pub(crate) symbol: Symbol,
}

impl<T: Copy> Bounds<T> {
    /// A number in `lower..=upper`.
    pub const fn between(lower: T, upper: T) -> Self {
        Self { lower, upper, symbol: Symbol::NONE }
    }

    /// Exactly `value`.
    pub const fn exact(value: T) -> Self {
        Self::between(value, value)
    }
}

impl<T> Bounds<T> {
    #[must_use]
    pub(crate) fn with_symbol(self, symbol: Symbol) -> Self {
        Self { symbol, ..self }
    }
}

impl Bounds<i64> {
    /// Any integer.
    pub const ANY: Self = Self::between(i64::MIN, i64::MAX);

    /// Any number of an integer or boolean type; `None` for other types. The bounds of u64 are those of i64, as numbers past
    /// `i64::MAX` are stored as negative ones.
    pub fn of(ty: ElementType) -> Option<Self> {
        let (lower, upper) = ty.integer_range()?;
        Some(if ty == ElementType::U64 { Self::ANY } else { Self::between(lower, upper) })
    }

    /// The exact value, if there is one.
    pub fn value(self) -> Option<i64> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// The dimension with this number as its length; `None` if the number is always negative. Exactly `i64::MAX` gives
    /// any length.
    pub fn to_dim(self) -> Option<Dim> {
        match self {
            Self { lower: i64::MAX, symbol, .. } => Some(Dim::ANY.with_symbol(symbol)),
            Self { upper: ..0, .. } => None,
            Self { lower, upper, .. } => {
                Some(Dim::between(lower, upper)?.equal(|| Some(Interval::from(self).max(Interval::exact(0)))))
            }
        }
    }

    /// Whether type `ty` can hold these numbers. An exact u64 is stored by its bits, so it may be negative here.
    pub fn fits(self, ty: ElementType) -> bool {
        let is_in = |(lower, upper)| lower <= self.lower && self.upper <= upper;
        let is_kept = || ty == ElementType::U64 && (self.value().is_some() || self == Self::ANY);
        ty.integer_range().is_some_and(is_in) || is_kept()
    }

    /// Whether `value` is within the bounds.
    pub fn admits(self, value: i64) -> bool {
        self.lower <= value && value <= self.upper
    }
}

impl From<Bounds<i64>> for Interval {
    fn from(bounds: Bounds<i64>) -> Self {
        Self::between(bounds.lower.into(), bounds.upper.into()).with_symbol(bounds.symbol)
    }
}

impl Bounds<f64> {
    /// Any number.
    pub const ANY: Self = Self::between(f64::NEG_INFINITY, f64::INFINITY);

    /// The exact value, if there is one.
    #[allow(clippy::float_cmp, reason = "bounds are exact or they are not")]
    pub fn value(self) -> Option<f64> {
        (self.lower == self.upper || self.lower.is_nan()).then_some(self.lower)
    }
}

impl From<Dim> for Bounds<i64> {
    fn from(dim: Dim) -> Self {
        Self::between(dim.lower(), dim.upper().unwrap_or(i64::MAX)).with_symbol(dim.symbol())
    }
}
