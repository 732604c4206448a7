//! Narrowing of the dimensions of a Reshape by its constant number of elements.

use crate::ops::prelude::*;

/// Limit for the rank of shapes that are narrowed.
const NARROWED_RANK: usize = 64;

/// The exact quotients of `whole` by `others`; `None` if there are none. For an `others` of 0, any length fits.
pub(super) fn quotient(whole: Dim, others: Dim) -> Option<Dim> {
    let lower = match others.upper() {
        Some(0) => 0,
        Some(upper) => whole.lower() / upper + i64::from(whole.lower() % upper != 0),
        None => whole.lower().min(1),
    };
    match (whole.upper(), others.lower().max(1)) {
        (Some(upper), divisor) => Dim::between(lower, upper / divisor),
        (None, _) => Some(Dim::at_least(lower)),
    }
}

pub(super) fn product(dims: impl Iterator<Item = Dim>) -> Dim {
    dims.fold(Dim::exact(1), Dim::times)
}

/// Whether the number of elements exceeds 64 bits, so that no length fits a -1. To OpenVINO, `i64::MAX` is not a length.
pub(super) fn overflows(dims: &(impl Iterator<Item = Dim> + Clone)) -> bool {
    let count = || dims.clone().try_fold(1_i64, |count, dim| count.checked_mul(dim.lower()));
    let has_largest = || dims.clone().any(|dim| dim.lower() == i64::MAX);
    has_largest() && dims.clone().all(|dim| dim.is_exact() || dim.lower() == i64::MAX)
        || dims.clone().all(|dim| dim.lower() > 0) && count().is_none()
}

/// Whether a tensor of this shape has more elements than fit 64 bits.
fn is_beyond_count(shape: &PartialShape) -> bool {
    let dims = shape.dims().unwrap_or_default();
    let count = || dims.iter().try_fold(1_i64, |count, dim| count.checked_mul(dim.lower()));
    dims.iter().all(|dim| dim.lower() > 0) && count().is_none()
}

/// Narrows the inexact dimensions of the shape by the number of elements; `None` if the numbers never agree.
pub(super) fn narrowed(data: &PartialShape, shape: PartialShape) -> Option<PartialShape> {
    let whole = data.elements();
    whole.merge(shape.elements())?;
    if whole.upper().is_some() && is_beyond_count(&shape) {
        return None;
    }
    if shape.rank().is_some_and(|rank| rank > NARROWED_RANK) {
        return Some(shape);
    }
    // A non-empty tensor has no length of 0; an unbounded dimension stays unknown.
    let least = Dim::at_least(whole.lower().min(1));
    let filled = |dim: &Dim| if *dim == Dim::ANY { Some(*dim) } else { dim.merge(least) };
    let dims = shape.dims().unwrap_or_default().iter().map(filled).collect::<Option<Vec<Dim>>>()?;
    let mut narrow = PartialShape::of(dims.iter().copied());
    for (axis, dim) in dims.iter().enumerate().filter(|(_, dim)| !dim.is_exact()) {
        let others = product(dims.iter().enumerate().filter(|(other, _)| *other != axis).map(|(_, dim)| *dim));
        if others.lower() > 0 {
            let left = quotient(whole, others)?.with_symbol(whole.exact_quotient(others).symbol());
            narrow = narrow.with(axis, dim.merge(left)?);
        }
    }
    whole.merge(narrow.elements()).map(|_| narrow)
}
