//! Fourier transforms along the axes of input 1, of the lengths in input 2.

use super::agreement::{conflict, wrong_rank};
use crate::ops::rules::INPUT_VALUE;
use crate::ops::{At, Fault, InferCtx, Input};
use crate::text::plural;
use crate::types::symbol::demand;
use crate::types::{Dim, ElementType as T, TypeSet};

/// The inputs of every transform.
pub(crate) const INPUTS: &[Input] = &[
    Input::of("data", TypeSet::of(&[T::F32, T::F16, T::Bf16])),
    Input::index("axes").types(SIZES).ranks(&[1]),
    Input::index("signal_size").types(SIZES).ranks(&[1]).followed().optional(),
];

/// What lengths and steps of signals can be.
pub(crate) const SIZES: TypeSet = TypeSet::of(&[T::I32, T::I64]);

/// The dimensions of a transform, and the axes that it names; none while they are not known, and the dimensions as they are
/// or may have become by a size.
pub(crate) struct Transformed {
    /// The dimensions, the complex pair left out.
    pub dims: Vec<Dim>,
    /// The axes in the order in which they are named.
    named: Vec<usize>,
}

impl Transformed {
    /// The axis named last.
    pub(crate) fn last(&self) -> Option<usize> {
        self.named.last().copied()
    }

    /// Admits the lengths of the data for all axes but the last while the sizes are not constant: OpenVINO takes them for
    /// the lengths of the result, and files that it writes declare them.
    pub(crate) fn admit(&mut self, cx: &InferCtx) {
        if !cx.has_input(2) || cx.constant(2).is_some() {
            return;
        }
        for axis in self.named.iter().rev().skip(1) {
            if let Some(dim) = self.dims.get_mut(*axis) {
                *dim = dim.hull(cx.dim(0, *axis));
            }
        }
    }
}

/// Resizes `dims`, those of the data but for the complex pair; `whole` determines the length of the last axis where no size does.
pub(crate) fn transformed(cx: &InferCtx, dims: &[Dim], whole: fn(Dim) -> Dim) -> Result<Transformed, Fault> {
    let count = cx.dim(1, 0);
    if usize::try_from(count.lower()).is_ok_and(|count| count > dims.len()) {
        return Err(conflict(
            cx,
            1,
            format!("`axes` has {count} elements, the data has {} axes to choose", dims.len()),
        ));
    }
    // Of sizes that are not known, OpenVINO makes lengths that are not sound.
    let is_sized = !cx.has_input(2) || cx.constant(2).is_some();
    let Some(values) = cx.constant(1).filter(|_| is_sized || !cx.is_openvino()) else {
        let dims = if cx.has_input(2) { vec![Dim::ANY; dims.len()] } else { dims.to_vec() };
        return Ok(Transformed { dims, named: Vec::new() });
    };
    let mut named = Vec::with_capacity(values.len());
    for axis in values {
        let axis = cx.normalize(At::Input(1), axis, dims.len())?;
        if named.contains(&axis) {
            return Err(Fault::at(At::Input(1), &INPUT_VALUE, format!("`axes` names axis {axis} twice")));
        }
        named.push(axis);
    }
    let mut dims = dims.to_vec();
    for (n, axis) in named.iter().enumerate() {
        if let Some(dim) = dims.get_mut(*axis) {
            let kept = if n + 1 == named.len() { whole(*dim) } else { *dim };
            *dim = sized(cx, n, kept)?;
        }
    }
    Ok(Transformed { dims, named })
}

/// Reports sizes that are not as many as axes, and data of less than `least` dimensions.
pub(crate) fn check(cx: &InferCtx, least: usize) -> Result<(), Fault> {
    if cx.has_input(2) && cx.dim(1, 0).agree(cx.dim(2, 0)).is_none() {
        let (sizes, axes) = (cx.dim(2, 0), cx.dim(1, 0));
        return Err(conflict(
            cx,
            2,
            format!("`signal_size` has {sizes} element{s} for {axes} axes", s = plural(sizes)),
        ));
    }
    if cx.input(0).rank().is_some_and(|rank| rank < least) {
        return Err(wrong_rank(cx, 0, &format!("of rank {least} or more")));
    }
    Ok(())
}

/// The length along the axis that is named at `n`, where -1 stands for `kept`.
fn sized(cx: &InferCtx, n: usize, kept: Dim) -> Result<Dim, Fault> {
    if !cx.has_input(2) {
        return Ok(kept);
    }
    let size = cx.bounds(2).and_then(|sizes| sizes.get(n).copied());
    if size.is_none_or(|size| size.value().is_none() && size.lower < -1) {
        demand::leave_open();
    }
    let Some(size) = size else { return Ok(Dim::ANY) };
    if size.upper < -1 {
        let message = format!("`signal_size` requests a length of {}, wanted 0 or more, or -1", size.upper);
        cx.pass(cx.below_0(2, "less than -1 as 0", Fault::at(At::Input(2), &INPUT_VALUE, message)))?;
        return Ok(Dim::exact(0));
    }
    let given = if size.upper < 0 { None } else { size.to_dim() };
    let kept = size.admits(-1).then_some(kept);
    // OpenVINO takes what is less than -1 for 0.
    let nothing = (size.lower < -1).then_some(Dim::exact(0));
    Ok([given, kept, nothing].into_iter().flatten().reduce(Dim::hull).unwrap_or(Dim::ANY))
}
