//! Small tensors whose elements are known exactly or between bounds.

use super::{Dim, ElementType, PartialShape};
use smallvec::SmallVec;
use std::fmt;

/// What is known of one number: it lies in `lower..=upper`.
///
/// Integers use `i64::MIN` and `i64::MAX` for no bound, floats the infinities. An exact infinity or NaN of a float
/// constant is `lower == upper` or both NaN.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bounds<T> {
    /// The smallest possible value.
    pub lower: T,
    /// The largest possible value.
    pub upper: T,
}

impl<T: Copy> Bounds<T> {
    /// Just `value`.
    pub const fn exact(value: T) -> Self {
        Self { lower: value, upper: value }
    }
}

impl Bounds<i64> {
    /// Any integer.
    pub const ANY: Self = Self { lower: i64::MIN, upper: i64::MAX };

    /// Any number of type `ty`; `None` unless it is one of whole numbers or flags. The numbers of u64 may be such as i64 holds
    /// below 0 only.
    pub fn of(ty: ElementType) -> Option<Self> {
        let (lower, upper) = ty.integer_range()?;
        Some(if ty == ElementType::U64 { Self::ANY } else { Self { lower, upper } })
    }

    /// The only value, if there is one.
    pub fn value(self) -> Option<i64> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// The lengths this number allows as a dimension; `None` if it is always negative. The largest number is any length.
    pub fn to_dim(self) -> Option<Dim> {
        match self {
            Self { lower: i64::MAX, .. } => Some(Dim::ANY),
            Self { upper: ..0, .. } => None,
            Self { lower, upper } => Dim::between(lower, upper),
        }
    }

    /// Whether type `ty` holds these numbers. A single number of u64 is kept by its bits, which may be those below 0.
    pub fn fits(self, ty: ElementType) -> bool {
        let is_in = |(lower, upper)| lower <= self.lower && self.upper <= upper;
        let is_kept = || ty == ElementType::U64 && (self.value().is_some() || self == Self::ANY);
        ty.integer_range().is_some_and(is_in) || is_kept()
    }

    /// Whether `value` is possible.
    pub fn admits(self, value: i64) -> bool {
        self.lower <= value && value <= self.upper
    }
}

impl Bounds<f64> {
    /// Any number.
    pub const ANY: Self = Self { lower: f64::NEG_INFINITY, upper: f64::INFINITY };

    /// The only value, if there is one.
    #[allow(clippy::float_cmp, reason = "bounds are exact or they are not")]
    pub fn value(self) -> Option<f64> {
        (self.lower == self.upper || self.lower.is_nan()).then_some(self.lower)
    }
}

impl From<Dim> for Bounds<i64> {
    fn from(dim: Dim) -> Self {
        Self { lower: dim.lower(), upper: dim.upper().unwrap_or(i64::MAX) }
    }
}

/// The elements of a value in row-major order.
#[derive(Clone, PartialEq, Debug)]
pub enum Elements {
    /// Of an integer or boolean type; u64 elements are read as i64.
    Integers(SmallVec<[Bounds<i64>; 2]>),
    /// Of a floating-point type, widened to f64.
    Floats(SmallVec<[Bounds<f64>; 2]>),
    /// This many constants that are not taken for numbers: strings, and types that nothing is counted in. Strings may tell
    /// how many bytes they take together.
    Opaque(usize, Option<i64>),
}

/// A tensor of static shape whose elements are known or bounded.
#[derive(Clone, PartialEq, Debug)]
pub struct Value {
    lengths: SmallVec<[usize; 2]>,
    elements: Elements,
    is_stored: bool,
}

impl Value {
    /// The tensor of shape `lengths` with these elements; `None` if their number does not fit the shape.
    pub fn new(lengths: &[usize], elements: Elements) -> Option<Self> {
        let count = lengths.iter().try_fold(1_usize, |n, length| n.checked_mul(*length))?;
        let value = Self { lengths: lengths.into(), elements, is_stored: false };
        (value.len() == count).then_some(value)
    }

    /// The same, as the bytes of a constant hold it.
    #[must_use]
    pub fn stored(self) -> Self {
        Self { is_stored: true, ..self }
    }

    /// Whether the bytes of a constant hold it, instead of some layer working it out.
    pub fn is_stored(&self) -> bool {
        self.is_stored
    }

    /// An integer tensor whose shape is that of a fact; `None` if that shape is not static or does not fit.
    pub fn integers(shape: &PartialShape, elements: impl IntoIterator<Item = Bounds<i64>>) -> Option<Self> {
        Self::new(&shape.sizes()?, Elements::Integers(elements.into_iter().collect()))
    }

    /// A floating-point tensor whose shape is that of a fact; `None` if that shape is not static or does not fit.
    pub fn floats(shape: &PartialShape, elements: impl IntoIterator<Item = Bounds<f64>>) -> Option<Self> {
        Self::new(&shape.sizes()?, Elements::Floats(elements.into_iter().collect()))
    }

    /// The same elements in another shape of as many elements.
    pub fn reshaped(&self, shape: &PartialShape) -> Option<Self> {
        Self::new(&shape.sizes()?, self.elements.clone())
    }

    /// Every element between the bounds of both; `None` if the shapes differ or one holds no numbers.
    pub fn hull(&self, other: &Self) -> Option<Self> {
        let elements = match (&self.elements, &other.elements) {
            (Elements::Integers(a), Elements::Integers(b)) => Elements::Integers(
                a.iter()
                    .zip(b)
                    .map(|(a, b)| Bounds { lower: a.lower.min(b.lower), upper: a.upper.max(b.upper) })
                    .collect(),
            ),
            (Elements::Floats(a), Elements::Floats(b)) if !a.iter().chain(b).any(|one| one.lower.is_nan()) => {
                Elements::Floats(
                    a.iter()
                        .zip(b)
                        .map(|(a, b)| Bounds { lower: a.lower.min(b.lower), upper: a.upper.max(b.upper) })
                        .collect(),
                )
            }
            _ => return None,
        };
        (self.lengths == other.lengths).then(|| Self { lengths: self.lengths.clone(), elements, is_stored: false })
    }

    /// The length of every dimension.
    pub fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    /// The elements in row-major order.
    pub fn elements(&self) -> &Elements {
        &self.elements
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        match &self.elements {
            Elements::Integers(all) => all.len(),
            Elements::Floats(all) => all.len(),
            Elements::Opaque(count, _) => *count,
        }
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The elements of an integer tensor.
    pub fn as_integers(&self) -> Option<&[Bounds<i64>]> {
        match &self.elements {
            Elements::Integers(all) => Some(all),
            Elements::Floats(_) | Elements::Opaque(..) => None,
        }
    }

    /// The elements of a floating-point tensor.
    pub fn as_floats(&self) -> Option<&[Bounds<f64>]> {
        match &self.elements {
            Elements::Floats(all) => Some(all),
            Elements::Integers(_) | Elements::Opaque(..) => None,
        }
    }

    /// The first elements as a list; all of them, in their shape, if there are no more than `most`.
    #[must_use]
    pub fn first(&self, most: usize) -> Self {
        if self.len() <= most {
            return self.clone();
        }
        let elements = match &self.elements {
            Elements::Integers(all) => Elements::Integers(all.iter().take(most).copied().collect()),
            Elements::Floats(all) => Elements::Floats(all.iter().take(most).copied().collect()),
            Elements::Opaque(..) => Elements::Opaque(most, None),
        };
        Self { lengths: SmallVec::from_slice(&[most]), elements, is_stored: self.is_stored }
    }

    /// The bytes that strings take together, if they are known.
    pub fn string_bytes(&self) -> Option<i64> {
        match self.elements {
            Elements::Opaque(_, bytes) => bytes,
            Elements::Integers(_) | Elements::Floats(_) => None,
        }
    }

    /// Every element as an integer, floats truncated toward zero; `None` unless all are exact. What fits no integer is
    /// read as the least one.
    pub fn exact_integers(&self) -> Option<SmallVec<[i64; 4]>> {
        match &self.elements {
            Elements::Integers(all) => all.iter().map(|one| one.value()).collect(),
            Elements::Floats(all) => all.iter().map(|one| one.value().map(cut)).collect(),
            Elements::Opaque(..) => None,
        }
    }

    /// Every element as a float; `None` unless all are exact.
    #[allow(clippy::cast_precision_loss, reason = "OpenVINO reads integers as floats the same way")]
    pub fn exact_floats(&self) -> Option<SmallVec<[f64; 4]>> {
        match &self.elements {
            Elements::Integers(all) => all.iter().map(|one| one.value().map(|v| v as f64)).collect(),
            Elements::Floats(all) => all.iter().map(|one| one.value()).collect(),
            Elements::Opaque(..) => None,
        }
    }

    /// Bounds of every element as integers, floats truncated toward zero.
    pub fn integer_bounds(&self) -> SmallVec<[Bounds<i64>; 4]> {
        match &self.elements {
            Elements::Integers(all) => all.iter().copied().collect(),
            Elements::Floats(all) => {
                all.iter().map(|one| Bounds { lower: truncate(one.lower), upper: truncate(one.upper) }).collect()
            }
            Elements::Opaque(count, _) => std::iter::repeat_n(Bounds::<i64>::ANY, *count).collect(),
        }
    }

    /// Whether every element is exact.
    pub fn is_exact(&self) -> bool {
        match &self.elements {
            Elements::Integers(all) => all.iter().all(|one| one.value().is_some()),
            Elements::Floats(all) => all.iter().all(|one| one.value().is_some()),
            Elements::Opaque(..) => false,
        }
    }

    /// Whether the elements are such as type `ty` holds.
    pub fn fits(&self, ty: ElementType) -> bool {
        match &self.elements {
            Elements::Integers(all) => ty.integer_range().is_some() && all.iter().all(|one| one.fits(ty)),
            Elements::Floats(_) => ty.is_float(),
            Elements::Opaque(..) => true,
        }
    }
}

/// A float as an integer: toward zero, saturating, NaN as 0.
#[allow(clippy::cast_possible_truncation, reason = "`as` saturates, and that is what is wanted")]
pub(crate) fn truncate(number: f64) -> i64 {
    number as i64
}

/// A float as OpenVINO reads it on x86: toward zero, and the least integer for NaN and what does not fit.
pub(crate) fn cut(number: f64) -> i64 {
    const END: f64 = 9_223_372_036_854_775_808.0;
    if (-END..END).contains(&number) { truncate(number) } else { i64::MIN }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.elements {
            Elements::Integers(all) => list(f, all.iter().map(|one| integer_text(*one))),
            Elements::Floats(all) => list(f, all.iter().map(|one| float_text(*one))),
            Elements::Opaque(_, None) => f.write_str("*"),
            Elements::Opaque(_, Some(bytes)) => write!(f, "{bytes} bytes"),
        }
    }
}

/// Elements that are written out; more would fill a message with megabytes.
const WRITTEN: usize = 1_000;

fn list(f: &mut fmt::Formatter<'_>, items: impl Iterator<Item = String>) -> fmt::Result {
    for (i, item) in items.enumerate() {
        if i == WRITTEN {
            return f.write_str(",...");
        }
        if i > 0 {
            f.write_str(",")?;
        }
        f.write_str(&item)?;
    }
    Ok(())
}

/// One number as values write it.
pub(crate) fn integer_text(bounds: Bounds<i64>) -> String {
    match (bounds.lower, bounds.upper) {
        (lower, upper) if lower == upper => lower.to_string(),
        (i64::MIN, i64::MAX) => "?".to_owned(),
        (lower, i64::MAX) => format!("{lower}.."),
        (i64::MIN, upper) => format!("..{upper}"),
        (lower, upper) => format!("{lower}..{upper}"),
    }
}

fn float_text(bounds: Bounds<f64>) -> String {
    if let Some(value) = bounds.value() {
        return digits(value);
    }
    match (bounds.lower, bounds.upper) {
        (f64::NEG_INFINITY, f64::INFINITY) => "?".to_owned(),
        (lower, f64::INFINITY) => format!("{}..", digits(lower)),
        (f64::NEG_INFINITY, upper) => format!("..{}", digits(upper)),
        (lower, upper) => format!("{}..{}", digits(lower), digits(upper)),
    }
}

/// A number with all its digits; far from 1 as `3e-45`.
fn digits(number: f64) -> String {
    if is_plain(number) { number.to_string() } else { format!("{number:e}") }
}

/// A number for people: with the digits of an `f32` where that holds it.
pub(crate) fn number_text(number: f64) -> String {
    #[allow(
        clippy::cast_possible_truncation,
        reason = "rounded to compare: a number that does not keep its value stays"
    )]
    let short = number as f32;
    match (f64::from(short).to_bits() == number.to_bits(), is_plain(number)) {
        (false, _) => digits(number),
        (true, true) => short.to_string(),
        (true, false) => format!("{short:e}"),
    }
}

/// Whether a number takes few digits before and behind the point.
fn is_plain(number: f64) -> bool {
    number == 0.0 || (1e-5..1e16).contains(&number.abs()) || !number.is_finite()
}
