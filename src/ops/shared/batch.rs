//! Leading dimensions that broadcast from the right, as numpy does.

use crate::types::Dim;
use smallvec::SmallVec;

/// The dimensions of both together; the place counted from the front and the two dimensions that never fit.
pub(crate) fn broadcast(a: &[Dim], b: &[Dim]) -> Result<SmallVec<[Dim; 4]>, (usize, Dim, Dim)> {
    let rank = a.len().max(b.len());
    let dim = |dims: &[Dim], i: usize| {
        let place = (i + dims.len()).checked_sub(rank);
        place.and_then(|place| dims.get(place).copied()).unwrap_or(Dim::exact(1))
    };
    (0..rank).map(|i| (i, dim(a, i), dim(b, i))).map(|(i, a, b)| a.broadcast(b).ok_or((i, a, b))).collect()
}
