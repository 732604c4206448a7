//! A view of a tensor: its elements at a start and at regular distances along every dimension.

use crate::ops::spec::Mover;
use crate::types::PartialShape;
use smallvec::SmallVec;

/// Where the elements of a view lie in the tensor below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct View {
    start: i64,
    dims: SmallVec<[(usize, i64); 6]>,
}

impl View {
    /// A view without dimensions: the element at `start`.
    pub(crate) fn new(start: i64) -> Self {
        Self { start, dims: SmallVec::new() }
    }

    /// With another dimension, inside those before: `length` elements, each `distance` after the one before.
    pub(crate) fn push(&mut self, length: usize, distance: i64) {
        self.dims.push((length, distance));
    }

    /// Begins `offset` elements later.
    pub(crate) fn advance(&mut self, offset: i64) {
        self.start = self.start.saturating_add(offset);
    }

    /// The place of element `i` of the view; `usize::MAX` if the tensor below cannot have it.
    pub(crate) fn place(&self, mut i: usize) -> usize {
        let mut place = self.start;
        for (length, distance) in self.dims.iter().rev() {
            let index = i64::try_from(i % length).unwrap_or(i64::MAX);
            place = place.saturating_add(index.saturating_mul(*distance));
            i /= length;
        }
        usize::try_from(place).unwrap_or(usize::MAX)
    }

    /// Takes the elements of `input` that the view shows.
    pub(crate) fn mover(self, input: usize) -> Mover<'static> {
        Box::new(move |i| (input, self.place(i)))
    }
}

/// The distance between neighbours along every dimension of a tensor in row-major order; `None` unless it is static.
pub(crate) fn distances(shape: &PartialShape) -> Option<SmallVec<[i64; 6]>> {
    let lengths = shape.lengths()?;
    let mut all: SmallVec<[i64; 6]> = SmallVec::from_elem(1, lengths.len());
    let mut distance = 1_i64;
    for (place, length) in all.iter_mut().zip(&lengths).rev() {
        *place = distance;
        distance = distance.checked_mul(*length)?;
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_every_other_row_backwards() {
        let shape = PartialShape::exact(&[5, 2]);
        assert_eq!(distances(&shape).as_deref(), Some(&[2, 1][..]));
        let mut view = View::new(8);
        view.push(3, -4);
        view.push(2, 1);
        let mover = view.mover(0);
        assert_eq!((0..6).map(|i| mover(i).1).collect::<Vec<_>>(), [8, 9, 4, 5, 0, 1]);
    }
}
