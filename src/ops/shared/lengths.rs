//! Lengths of dimensions that an input holds.

use super::single::single;
use crate::limits::Limits;
use crate::ops::context::InferCtx;
use crate::ops::fault::{At, Fault};
use crate::ops::rules::INPUT_VALUE;
use crate::types::{Bounds, Dim, ElementType, PartialShape};

/// The one length in input `i`; any while it is not known.
pub(crate) fn length(cx: &InferCtx, i: usize) -> Result<Dim, Fault> {
    single(cx, i)?;
    let bounds = cx.bounds(i).and_then(|all| all.first().copied());
    bounds.map_or(Ok(Dim::ANY), |bounds| dim(cx, i, None, bounds))
}

/// The lengths that the list in input `i` gives; only their number, or nothing, while they are not known.
pub(crate) fn lengths(cx: &InferCtx, i: usize) -> Result<PartialShape, Fault> {
    if let Some(all) = cx.bounds(i) {
        let dims: Result<Vec<Dim>, Fault> = all.iter().enumerate().map(|(n, one)| dim(cx, i, Some(n), *one)).collect();
        return Ok(PartialShape::of(dims?));
    }
    let count = cx.dim(i, 0).length().filter(|_| cx.input(i).rank() == Some(1));
    let count = count.and_then(|count| usize::try_from(count).ok()).filter(|count| *count <= Limits::default().rank);
    Ok(count.map_or(PartialShape::UNKNOWN, PartialShape::of_rank))
}

/// The largest i32 stands for no bound, as in what a shape operation gives for an unbounded dimension.
fn dim(cx: &InferCtx, i: usize, element: Option<usize>, bounds: Bounds<i64>) -> Result<Dim, Fault> {
    let unbounded =
        cx.input(i).ty == ElementType::I32 && bounds.value().is_none() && bounds.upper >= i64::from(i32::MAX);
    let bounds = if unbounded { Bounds { upper: i64::MAX, ..bounds } } else { bounds };
    bounds.to_dim().ok_or_else(|| {
        let (name, upper) = (cx.input_name(i), bounds.upper);
        let message = match element {
            Some(n) => format!("element {n} of `{name}` is {upper}, wanted a length from 0 on"),
            None => format!("`{name}` is {upper}, wanted a length from 0 on"),
        };
        Fault::at(At::Input(i), &INPUT_VALUE, message)
    })
}
