//! Row-major offsets in tensors of known shape, strided views, and movers that work axis by axis.

use super::prelude::*;
use crate::ops::ZERO;
use smallvec::SmallVec;

/// One number per dimension.
pub(crate) type PerAxis = SmallVec<[usize; 6]>;

/// The number of elements; `None` on overflow.
pub(crate) fn count(lengths: &[usize]) -> Option<usize> {
    lengths.iter().try_fold(1_usize, |count, length| count.checked_mul(*length))
}

/// The row-major strides.
pub(crate) fn strides(lengths: &[usize]) -> PerAxis {
    let mut strides: PerAxis = lengths.iter().map(|_| 1).collect();
    let mut step = 1_usize;
    for (stride, length) in strides.iter_mut().zip(lengths).rev() {
        *stride = step;
        step = step.saturating_mul(*length);
    }
    strides
}

/// The position of element `index` along every axis.
pub(crate) fn position(index: usize, lengths: &[usize]) -> PerAxis {
    let mut position: PerAxis = lengths.iter().map(|_| 0).collect();
    let mut rest = index;
    for (index, length) in position.iter_mut().zip(lengths).rev() {
        *index = rest.checked_rem(*length).unwrap_or(0);
        rest = rest.checked_div(*length).unwrap_or(0);
    }
    position
}

/// The index of the element at `position`.
pub(crate) fn index(position: impl IntoIterator<Item = usize>, strides: &[usize]) -> usize {
    position.into_iter().zip(strides).map(|(index, stride)| index * stride).sum()
}

/// A strided view of a tensor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct View {
    start: i64,
    dims: SmallVec<[(usize, i64); 6]>,
}

impl View {
    /// A view without dimensions of the element at `start`.
    pub(crate) fn new(start: i64) -> Self {
        Self { start, dims: SmallVec::new() }
    }

    /// Adds an innermost dimension of `length` elements with stride `distance`.
    pub(crate) fn push(&mut self, length: usize, distance: i64) {
        // Merges a dimension that is contiguous with the one before.
        if let Some((before, step)) = self.dims.last_mut()
            && let (Some(whole), Ok(count)) = (before.checked_mul(length), i64::try_from(length))
            && distance.checked_mul(count) == Some(*step)
        {
            (*before, *step) = (whole, distance);
        } else {
            self.dims.push((length, distance));
        }
    }

    /// Moves the start by `offset` elements.
    pub(crate) fn advance(&mut self, offset: i64) {
        self.start = self.start.saturating_add(offset);
    }

    /// The offset of element `i` of the view in the tensor; `usize::MAX` if it is out of range.
    pub(crate) fn offset(&self, mut i: usize) -> usize {
        let mut offset = self.start;
        for (length, distance) in self.dims.iter().rev() {
            let index = i64::try_from(i.checked_rem(*length).unwrap_or(0)).unwrap_or(i64::MAX);
            offset = offset.saturating_add(index.saturating_mul(*distance));
            i = i.checked_div(*length).unwrap_or(0);
        }
        usize::try_from(offset).unwrap_or(usize::MAX)
    }

    /// A mover that takes the elements of `input` in this view.
    pub(crate) fn mover(self, input: usize) -> Mover<'static> {
        Box::new(move |i| (input, self.offset(i)))
    }
}

/// A mover of elements of input 0 to an output of these lengths. The source offset is the sum over the axes of
/// `term(axis, index)`.
pub(crate) fn by_axis<'a>(output: &[usize], term: impl Fn(usize, usize) -> usize) -> Mover<'a> {
    by_axis_or(output, ZERO, |axis, index| Some(term(axis, index)))
}

/// As [`by_axis`], with `otherwise` for elements without a term along some axis.
pub(crate) fn by_axis_or<'a>(
    output: &[usize],
    otherwise: (usize, usize),
    term: impl Fn(usize, usize) -> Option<usize>,
) -> Mover<'a> {
    // An empty output needs no terms, and its other lengths may be huge.
    let lengths = if output.contains(&0) { &[] } else { output };
    let row = |(axis, length): (usize, &usize)| (0..*length).map(|index| term(axis, index)).collect();
    let rows: Vec<Vec<Option<usize>>> = lengths.iter().enumerate().map(row).collect();
    Box::new(move |i| {
        let mut rest = i;
        let mut source = 0_usize;
        for row in rows.iter().rev() {
            match row.get(rest % row.len()) {
                // A saturated offset is out of range in every tensor.
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
        assert_eq!(rows.offset(23), 23);
    }
}
