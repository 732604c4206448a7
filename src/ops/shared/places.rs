//! Row-major places in tensors of known shape, and movers that work axis by axis.

use crate::ops::spec::{Mover, ZERO};
use crate::types::PartialShape;
use smallvec::SmallVec;

/// One number per dimension.
pub(crate) type PerAxis = SmallVec<[usize; 6]>;

/// The lengths of a static shape.
pub(crate) fn lengths(shape: &PartialShape) -> Option<PerAxis> {
    shape.dims()?.iter().map(|dim| usize::try_from(dim.length()?).ok()).collect()
}

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
    // Without elements nothing is asked for, and one of the other lengths may be huge.
    let lengths = if output.contains(&0) { &[] } else { output };
    let row = |(axis, length): (usize, &usize)| (0..*length).map(|place| term(axis, place)).collect();
    let rows: Vec<Vec<Option<usize>>> = lengths.iter().enumerate().map(row).collect();
    Box::new(move |i| {
        let mut rest = i;
        let mut source = 0;
        for row in rows.iter().rev() {
            match row.get(rest % row.len()) {
                Some(Some(term)) => source += term,
                _ => return otherwise,
            }
            rest /= row.len();
        }
        (0, source)
    })
}
