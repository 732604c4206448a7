//! Row-major places in tensors of known shape, views of tensors, and movers that work axis by axis.

use crate::ops::{Mover, ZERO};
use smallvec::SmallVec;

/// One number per dimension.
pub(crate) type PerAxis = SmallVec<[usize; 6]>;

/// The number of elements; `None` if it does not fit.
pub(crate) fn count(lengths: &[usize]) -> Option<usize> {
    lengths.iter().try_fold(1_usize, |count, length| count.checked_mul(*length))
}

/// The number of elements from one position of each axis to the next.
pub(crate) fn strides(lengths: &[usize]) -> PerAxis {
    let mut strides: PerAxis = lengths.iter().map(|_| 1).collect();
    let mut step = 1_usize;
    for (stride, length) in strides.iter_mut().zip(lengths).rev() {
        *stride = step;
        step = step.saturating_mul(*length);
    }
    strides
}

/// The position along every axis of element `index`.
pub(crate) fn position(index: usize, lengths: &[usize]) -> PerAxis {
    let mut position: PerAxis = lengths.iter().map(|_| 0).collect();
    let mut rest = index;
    for (place, length) in position.iter_mut().zip(lengths).rev() {
        *place = rest.checked_rem(*length).unwrap_or(0);
        rest = rest.checked_div(*length).unwrap_or(0);
    }
    position
}

/// The index of the element at `position`.
pub(crate) fn index(position: impl IntoIterator<Item = usize>, strides: &[usize]) -> usize {
    position.into_iter().zip(strides).map(|(place, stride)| place * stride).sum()
}

/// A view of a tensor: its elements at a start and at regular distances along every dimension.
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
        // A dimension that goes on where the one before steps to next is one with it.
        if let Some((before, step)) = self.dims.last_mut()
            && let (Some(whole), Ok(count)) = (before.checked_mul(length), i64::try_from(length))
            && distance.checked_mul(count) == Some(*step)
        {
            (*before, *step) = (whole, distance);
        } else {
            self.dims.push((length, distance));
        }
    }

    /// Begins `offset` elements later.
    pub(crate) fn advance(&mut self, offset: i64) {
        self.start = self.start.saturating_add(offset);
    }

    /// The place of element `i` of the view; `usize::MAX` if the tensor below cannot have it.
    pub(crate) fn place(&self, mut i: usize) -> usize {
        let mut place = self.start;
        for (length, distance) in self.dims.iter().rev() {
            let index = i64::try_from(i.checked_rem(*length).unwrap_or(0)).unwrap_or(i64::MAX);
            place = place.saturating_add(index.saturating_mul(*distance));
            i = i.checked_div(*length).unwrap_or(0);
        }
        usize::try_from(place).unwrap_or(usize::MAX)
    }

    /// Takes the elements of `input` that the view shows.
    pub(crate) fn mover(self, input: usize) -> Mover<'static> {
        Box::new(move |i| (input, self.place(i)))
    }
}

/// Moves elements of input 0 to an output of these lengths: the index to take is the sum over the axes of
/// `term(axis, place)`.
pub(crate) fn by_axis<'a>(output: &[usize], term: impl Fn(usize, usize) -> usize) -> Mover<'a> {
    by_axis_or(output, ZERO, |axis, place| Some(term(axis, place)))
}

/// The same, with `otherwise` wherever there is no term along some axis.
pub(crate) fn by_axis_or<'a>(
    output: &[usize],
    otherwise: (usize, usize),
    term: impl Fn(usize, usize) -> Option<usize>,
) -> Mover<'a> {
    // Without elements nothing is wanted, and one of the other lengths may be huge.
    let lengths = if output.contains(&0) { &[] } else { output };
    let row = |(axis, length): (usize, &usize)| (0..*length).map(|place| term(axis, place)).collect();
    let rows: Vec<Vec<Option<usize>>> = lengths.iter().enumerate().map(row).collect();
    Box::new(move |i| {
        let mut rest = i;
        let mut source = 0_usize;
        for row in rows.iter().rev() {
            match row.get(rest % row.len()) {
                // A place that no tensor has is found in none.
                Some(Some(term)) => source = term.saturating_add(source),
                _ => return otherwise,
            }
            rest /= row.len();
        }
        (0, source)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_shows_every_other_row_backwards() {
        assert_eq!(strides(&[5, 2])[..], [2, 1]);
        let mut view = View::new(8);
        view.push(3, -4);
        view.push(2, 1);
        let mover = view.mover(0);
        assert_eq!((0..6).map(|i| mover(i).1).collect::<Vec<_>>(), [8, 9, 4, 5, 0, 1]);
    }

    #[test]
    fn dimensions_that_follow_each_other_are_one() {
        let mut rows = View::new(0);
        for (length, distance) in [(2, 12), (3, 4), (4, 1)] {
            rows.push(length, distance);
        }
        let mut row = View::new(0);
        row.push(24, 1);
        assert_eq!(rows, row);
        assert_eq!(rows.place(23), 23);
    }
}
