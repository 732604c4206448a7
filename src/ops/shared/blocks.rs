//! Checks of the operations that divide dimensions into blocks, such as those that move blocks of space to or from depth or
//! batch.

use super::prelude::*;
use crate::diagnostic::Refusal;
use crate::ops::shared::agreement::{least_rank, unfit};
use crate::ops::shared::index::NEGATIVES;
use crate::ops::shared::strides::PerAxis;
use smallvec::SmallVec;

/// The dimensions of `data`, if the rank is known; a fault if there are fewer than `least`.
pub(crate) fn dims_of_rank<'a>(cx: &'a InferCtx, least: usize) -> Result<Option<&'a [Dim]>, Fault> {
    least_rank(cx, 0, least)?;
    Ok(cx.input(0).shape.dims())
}

/// The constant in input `i`, if no element is negative.
pub(crate) fn unsigned(cx: &InferCtx, i: usize) -> Option<PerAxis> {
    cx.constant(i)?.iter().map(|n| usize::try_from(*n).ok()).collect()
}

/// `dim` divided by `parts`, or the fault at `at` if it is not a multiple of them.
pub(crate) fn divided(cx: &InferCtx, at: At, axis: usize, dim: Dim, parts: i64) -> Result<Dim, Fault> {
    dim.cut(parts).ok_or_else(|| {
        let message = format!("dimension {axis} is {dim}, not a multiple of {parts}");
        let fault = unfit(cx, at, message).primary(format!("{dim} / {parts}"));
        // A product that does not fit 64 bits wraps around, and OpenVINO divides by no negative number.
        if parts == i64::MAX { fault.refused(Refusal::Unnamed) } else { fault }
    })
}

/// The numbers in input `i`, one per dimension of `data` and each `least` or more; `None` unless all are known.
pub(crate) fn sizes(cx: &InferCtx, i: usize, least: i64) -> Result<Option<SmallVec<[i64; 4]>>, Fault> {
    let sizes = cx.constant(i);
    if let Some(small) = sizes.iter().flatten().find(|size| **size < least) {
        let message = format!("`{}` holds {small}, wanted {least} or more", cx.input_name(i));
        let fault = Fault::at(At::Input(i), &INPUT_VALUE, message).primary(small.to_string());
        // OpenVINO accepts negative pads, but not negative crops and blocks.
        let is_pad = cx.spec.name == "SpaceToBatch" && i > 1;
        // It divides every dimension but the batch by a block.
        let is_multiplied =
            cx.spec.name == "SpaceToBatch" && i == 1 && sizes.iter().flatten().skip(1).all(|size| *size >= least);
        let fault = fault.decided_if(!is_multiplied);
        let read_as = || format!("OpenVINO reads {NEGATIVES}");
        cx.pass(if is_pad { fault.runtime(Runtime::Accepts).note(read_as()) } else { fault })?;
        // OpenVINO reads -1 as any size and less as 0.
        let read = |sizes: SmallVec<[i64; 4]>| sizes.into_iter().map(|size| size.max(0)).collect();
        return Ok(sizes.filter(|sizes| !sizes.contains(&-1)).map(read));
    }
    Ok(sizes)
}

/// Checks that inputs 1, 2 and 3 are lists of one number per dimension of `data`.
pub(crate) fn check_lists(cx: &InferCtx) -> Result<(), Fault> {
    let mut shape = PartialShape::of([cx.input(0).shape.rank_dim()]);
    for i in 1..=3 {
        let list = &cx.input(i).shape;
        let Some(both) = shape.agree(list) else {
            let message = format!("`{}` has shape {list}, wanted {shape}: one number per dimension", cx.input_name(i));
            let fault = Fault::at(At::Input(i), &SHAPE_CONFLICT, message).primary(format!("shape {list}"));
            // OpenVINO compares the lists with each other, and those of crops with the rank.
            let is_agreed = || [2, 3].iter().all(|other| cx.input(1).shape.agree(&cx.input(*other).shape).is_some());
            let may_pass = cx.spec.name == "SpaceToBatch" && is_agreed();
            let fault = fault.decided_if(!may_pass);
            return Err(fault.label(At::Input(0), format!("rank {}", cx.input(0).shape.rank().unwrap_or(0))));
        };
        shape = both;
    }
    Ok(())
}
