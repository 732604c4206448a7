//! The shape of a tensor, whose rank or dimensions may be unknown.

use super::Dim;
use smallvec::SmallVec;
use std::fmt;

/// A list of dimensions, or an unknown rank.
///
/// Up to four dimensions are stored without an allocation.
#[derive(PartialEq, Eq)]
pub struct PartialShape(Option<SmallVec<[Dim; 4]>>);

impl Clone for PartialShape {
    fn clone(&self) -> Self {
        // Copies the dimensions as a block; a derived `clone` goes one by one.
        Self(self.dims().map(SmallVec::from_slice))
    }
}

impl PartialShape {
    /// A shape of unknown rank.
    pub const UNKNOWN: Self = Self(None);

    /// The shape of a scalar.
    pub fn scalar() -> Self {
        Self(Some(SmallVec::new()))
    }

    /// The shape with these dimensions.
    pub fn of(dims: impl IntoIterator<Item = Dim>) -> Self {
        Self(Some(dims.into_iter().collect()))
    }

    /// The shape with these lengths.
    pub fn exact(lengths: &[i64]) -> Self {
        Self::of(lengths.iter().map(|length| Dim::exact(*length)))
    }

    /// A shape of `rank` dimensions of any length.
    pub fn of_rank(rank: usize) -> Self {
        Self::of(std::iter::repeat_n(Dim::ANY, rank))
    }

    /// The number of dimensions, if known.
    pub fn rank(&self) -> Option<usize> {
        self.0.as_ref().map(SmallVec::len)
    }

    /// The rank as the length of a list with an element for every dimension.
    pub(crate) fn rank_dim(&self) -> Dim {
        self.rank().map_or(Dim::ANY, Dim::of_count)
    }

    /// The dimensions, if the rank is known.
    pub fn dims(&self) -> Option<&[Dim]> {
        self.0.as_deref()
    }

    /// The dimensions, mutably, if the rank is known.
    pub fn dims_mut(&mut self) -> Option<&mut [Dim]> {
        self.0.as_deref_mut()
    }

    /// Dimension `axis`; any length if the rank is unknown or too small.
    pub fn dim(&self, axis: usize) -> Dim {
        self.dims().and_then(|dims| dims.get(axis)).copied().unwrap_or(Dim::ANY)
    }

    /// The lengths of the dimensions, if all are known.
    pub fn lengths(&self) -> Option<SmallVec<[i64; 6]>> {
        self.dims()?.iter().map(|dim| dim.length()).collect()
    }

    /// The lengths of the dimensions as `usize`, if all are known.
    pub fn sizes(&self) -> Option<SmallVec<[usize; 6]>> {
        self.dims()?.iter().map(|dim| dim.size()).collect()
    }

    /// Whether every length is known.
    pub fn is_static(&self) -> bool {
        self.dims().is_some_and(|dims| dims.iter().all(|dim| dim.is_exact()))
    }

    /// The numbers of elements that the shape can have.
    pub fn elements(&self) -> Dim {
        match self.dims() {
            Some(dims) => dims.iter().fold(Dim::exact(1), |count, dim| count.times(*dim)),
            None => Dim::ANY,
        }
    }

    /// The number of elements as `usize`, if it is known.
    pub fn count(&self) -> Option<usize> {
        self.elements().size()
    }

    /// Whether a dimension is exactly 0, and so the tensor has no elements.
    pub fn is_empty(&self) -> bool {
        self.dims().is_some_and(|dims| dims.iter().any(|dim| dim.length() == Some(0)))
    }

    /// This shape with `dim` at `axis`, if it has that axis.
    #[must_use]
    pub fn with(&self, axis: usize, dim: Dim) -> Self {
        let mut shape = self.clone();
        if let Some(place) = shape.dims_mut().and_then(|dims| dims.get_mut(axis)) {
            *place = dim;
        }
        shape
    }

    /// A shape of the same rank with unknown lengths.
    #[must_use]
    pub fn forget_dims(&self) -> Self {
        self.rank().map_or(Self::UNKNOWN, Self::of_rank)
    }

    /// The intersection; `None` if it is empty.
    pub fn merge(&self, other: &Self) -> Option<Self> {
        self.joined(other, Dim::merge)
    }

    /// The intersection; records the demand that all dimensions are equal. `None` if it is empty.
    pub(crate) fn agree(&self, other: &Self) -> Option<Self> {
        self.joined(other, Dim::agree)
    }

    #[inline]
    fn joined(&self, other: &Self, join: impl Fn(Dim, Dim) -> Option<Dim>) -> Option<Self> {
        let (Some(a), Some(b)) = (self.dims(), other.dims()) else {
            return Some(if self.rank().is_some() { self.clone() } else { other.clone() });
        };
        if a.len() != b.len() {
            return None;
        }
        let mut dims: SmallVec<[Dim; 4]> = SmallVec::from_slice(a);
        for (own, other) in dims.iter_mut().zip(b) {
            *own = join(*own, *other)?;
        }
        Some(Self(Some(dims)))
    }

    /// The smallest shape that contains both: dimension by dimension, or unknown if the ranks differ.
    #[must_use]
    pub fn hull(&self, other: &Self) -> Self {
        match (self.dims(), other.dims()) {
            (Some(a), Some(b)) if a.len() == b.len() => Self::of(a.iter().zip(b).map(|(a, b)| a.hull(*b))),
            _ => Self::UNKNOWN,
        }
    }

    /// Whether `self` allows every shape that `other` allows.
    pub fn contains(&self, other: &Self) -> bool {
        match (self.dims(), other.dims()) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(a), Some(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.contains(*b)),
        }
    }
}

impl fmt::Display for PartialShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(dims) = self.dims() else {
            return f.write_str("[...]");
        };
        f.write_str("[")?;
        for (i, dim) in dims.iter().enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            write!(f, "{dim}")?;
        }
        f.write_str("]")
    }
}

impl fmt::Debug for PartialShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Normalizes a possibly negative axis; `None` if it is out of range.
pub fn from_front(axis: i64, rank: usize) -> Option<usize> {
    let rank = i64::try_from(rank).ok()?;
    let place = if axis < 0 { axis.checked_add(rank)? } else { axis };
    usize::try_from(place).ok().filter(|_| place < rank)
}
