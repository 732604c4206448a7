//! Values: small tensors whose elements are exact or bounded.

mod text;

pub(crate) use text::{integer_text, number_text};

use super::symbol::Symbol;
use super::{Bounds, ElementType, PartialShape};
use smallvec::SmallVec;

/// The elements of a value in row-major order.
#[derive(Clone, PartialEq, Debug)]
pub enum Elements {
    /// Elements of an integer or boolean type; a u64 is stored as the i64 with the same bits.
    Integers(SmallVec<[Bounds<i64>; 2]>),
    /// Elements of a floating-point type, widened to f64.
    Floats(SmallVec<[Bounds<f64>; 2]>),
    /// The number of constant elements without a numeric value (strings, and types that ovlint does not compute with), and the
    /// total bytes of strings, if known.
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
    /// A tensor of shape `lengths`; `None` if it has another number of elements.
    pub fn new(lengths: &[usize], elements: Elements) -> Option<Self> {
        let count = lengths.iter().try_fold(1_usize, |n, length| n.checked_mul(*length))?;
        let value = Self { lengths: lengths.into(), elements, is_stored: false };
        (value.len() == count).then_some(value)
    }

    /// Marks the value as stored in the bytes of a constant.
    #[must_use]
    pub fn stored(self) -> Self {
        Self { is_stored: true, ..self }
    }

    /// Whether the value is stored in the bytes of a constant and not computed by a layer.
    pub fn is_stored(&self) -> bool {
        self.is_stored
    }

    pub(super) fn has_symbols(&self) -> bool {
        match &self.elements {
            Elements::Integers(all) => all.iter().any(|one| !one.symbol.is_none()),
            Elements::Floats(all) => all.iter().any(|one| !one.symbol.is_none()),
            Elements::Opaque(..) => false,
        }
    }

    pub(super) fn forget_symbols(&mut self) {
        match &mut self.elements {
            Elements::Integers(all) => all.iter_mut().for_each(|one| one.symbol = Symbol::NONE),
            Elements::Floats(all) => all.iter_mut().for_each(|one| one.symbol = Symbol::NONE),
            Elements::Opaque(..) => {}
        }
    }

    /// An integer tensor of this shape; `None` if the shape is not static or has another number of elements.
    pub fn integers(shape: &PartialShape, elements: impl IntoIterator<Item = Bounds<i64>>) -> Option<Self> {
        Self::new(&shape.sizes()?, Elements::Integers(elements.into_iter().collect()))
    }

    /// A floating-point tensor of this shape; `None` if the shape is not static or has another number of elements.
    pub fn floats(shape: &PartialShape, elements: impl IntoIterator<Item = Bounds<f64>>) -> Option<Self> {
        Self::new(&shape.sizes()?, Elements::Floats(elements.into_iter().collect()))
    }

    /// The same elements in another shape; `None` if the shape is not static or has another number of elements.
    pub fn reshaped(&self, shape: &PartialShape) -> Option<Self> {
        Self::new(&shape.sizes()?, self.elements.clone())
    }

    /// The element-wise hull; `None` if the shapes or kinds of elements differ, or an element is opaque or NaN.
    pub fn hull(&self, other: &Self) -> Option<Self> {
        let elements = match (&self.elements, &other.elements) {
            (Elements::Integers(a), Elements::Integers(b)) => Elements::Integers(
                a.iter().zip(b).map(|(a, b)| Bounds::between(a.lower.min(b.lower), a.upper.max(b.upper))).collect(),
            ),
            (Elements::Floats(a), Elements::Floats(b)) if !a.iter().chain(b).any(|one| one.lower.is_nan()) => {
                Elements::Floats(
                    a.iter().zip(b).map(|(a, b)| Bounds::between(a.lower.min(b.lower), a.upper.max(b.upper))).collect(),
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

    /// The first `most` elements as a list; the whole value, in its shape, if it has no more.
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

    /// The total bytes of string elements, if known.
    pub fn string_bytes(&self) -> Option<i64> {
        match self.elements {
            Elements::Opaque(_, bytes) => bytes,
            Elements::Integers(_) | Elements::Floats(_) => None,
        }
    }

    /// Every element as an integer, floats truncated toward zero; `None` unless all are exact. NaN and floats that do not fit
    /// become `i64::MIN`.
    pub fn exact_integers(&self) -> Option<SmallVec<[i64; 4]>> {
        match &self.elements {
            Elements::Integers(all) => all.iter().map(|one| one.value()).collect(),
            Elements::Floats(all) => all.iter().map(|one| one.value().map(cut)).collect(),
            Elements::Opaque(..) => None,
        }
    }

    /// Every element as an integer, as OpenVINO reads elements of this type for a shape; `None` unless all are exact.
    pub fn read_integers(&self, ty: ElementType) -> Option<SmallVec<[i64; 4]>> {
        if let (Elements::Floats(all), ElementType::F32 | ElementType::F64) = (&self.elements, ty) {
            return clamped(all);
        }
        self.exact_integers()
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

    /// The bounds of every element as integers, floats truncated toward zero; any integer for an opaque element and for NaN,
    /// which OpenVINO reads differently by type.
    pub fn integer_bounds(&self) -> SmallVec<[Bounds<i64>; 4]> {
        match &self.elements {
            Elements::Integers(all) => all.iter().copied().collect(),
            Elements::Floats(all) => all
                .iter()
                .map(|one| {
                    let is_nan = one.lower.is_nan() || one.upper.is_nan();
                    let whole = || Bounds::between(truncate(one.lower), truncate(one.upper));
                    if is_nan { Bounds::<i64>::ANY } else { whole().with_symbol(one.symbol) }
                })
                .collect(),
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

    /// Whether type `ty` can hold the elements.
    pub fn fits(&self, ty: ElementType) -> bool {
        match &self.elements {
            Elements::Integers(all) => ty.integer_range().is_some() && all.iter().all(|one| one.fits(ty)),
            Elements::Floats(_) => ty.is_float(),
            Elements::Opaque(..) => true,
        }
    }
}

/// Truncates a float toward zero, saturating; NaN becomes 0.
#[allow(clippy::cast_possible_truncation, reason = "`as` saturates, and that is what is wanted")]
pub(crate) fn truncate(number: f64) -> i64 {
    number as i64
}

/// Truncates floats toward zero, saturating; NaN becomes `i64::MAX`.
#[cold]
fn clamped(all: &[Bounds<f64>]) -> Option<SmallVec<[i64; 4]>> {
    let clamp = |number: f64| if number.is_nan() { i64::MAX } else { truncate(number) };
    all.iter().map(|one| one.value().map(clamp)).collect()
}

/// Truncates a float toward zero as OpenVINO does on x86: NaN and numbers that do not fit become `i64::MIN`.
pub(crate) fn cut(number: f64) -> i64 {
    const END: f64 = 9_223_372_036_854_775_808.0;
    if (-END..END).contains(&number) { truncate(number) } else { i64::MIN }
}
