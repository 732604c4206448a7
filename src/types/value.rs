//! Small tensors whose elements are known exactly or between bounds.

mod text;

pub(crate) use text::{integer_text, number_text};

use super::symbol::Symbol;
use super::{Bounds, ElementType, PartialShape};
use smallvec::SmallVec;

/// The elements of a value in row-major order.
#[derive(Clone, PartialEq, Debug)]
pub enum Elements {
    /// Of an integer or boolean type; u64 elements are read as i64.
    Integers(SmallVec<[Bounds<i64>; 2]>),
    /// Of a floating-point type, widened to f64.
    Floats(SmallVec<[Bounds<f64>; 2]>),
    /// This many constants that are not taken for numbers: strings, and types that nothing is counted in. Strings may determine
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

    /// Whether it is known what some of the elements equal.
    pub(super) fn has_symbols(&self) -> bool {
        match &self.elements {
            Elements::Integers(all) => all.iter().any(|one| !one.symbol.is_none()),
            Elements::Floats(all) => all.iter().any(|one| !one.symbol.is_none()),
            Elements::Opaque(..) => false,
        }
    }

    /// Forgets what the elements equal.
    pub(super) fn forget_symbols(&mut self) {
        match &mut self.elements {
            Elements::Integers(all) => all.iter_mut().for_each(|one| one.symbol = Symbol::NONE),
            Elements::Floats(all) => all.iter_mut().for_each(|one| one.symbol = Symbol::NONE),
            Elements::Opaque(..) => {}
        }
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
            Elements::Floats(all) => all
                .iter()
                .map(|one| Bounds::between(truncate(one.lower), truncate(one.upper)).named(one.symbol))
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
