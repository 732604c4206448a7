//! Fourier transforms along the axes of input 1, of the lengths in input 2.

use super::agreement::{conflict, wrong_rank};
use super::prelude::*;
use crate::types::ElementType as T;

/// The inputs of `DFT`, `RDFT` and their inverses.
pub(crate) const INPUTS: &[Input] = &[
    Input::of("data", TypeSet::of(&[T::F32, T::F16, T::Bf16])),
    Input::index("axes").types(SIZES).ranks(&[1]),
    Input::index("signal_size").types(SIZES).if_ranked().ranks(&[1]).followed().optional(),
];

/// The types of lengths and steps of signals.
pub(crate) const SIZES: TypeSet = TypeSet::I32_OR_I64;

/// The result of a transform. If the axes are unknown, `axes` is empty, and the dimensions are those of the data or, if there
/// are sizes, unknown.
pub(crate) struct Transformed {
    /// The dimensions without the complex pair.
    pub dims: Vec<Dim>,
    /// The axes in the order of input 1.
    axes: Vec<usize>,
}

impl Transformed {
    /// The last axis of input 1.
    pub(crate) fn last(&self) -> Option<usize> {
        self.axes.last().copied()
    }

    /// Widens all axes but the last by the lengths of the data if the sizes are not constant: OpenVINO then infers the lengths
    /// of the data, and files that it writes declare them.
    pub(crate) fn admit_lengths_of_data(&mut self, cx: &InferCtx) {
        if !cx.has_input(2) || cx.constant(2).is_some() {
            return;
        }
        for axis in self.axes.iter().rev().skip(1) {
            if let Some(dim) = self.dims.get_mut(*axis) {
                *dim = dim.hull(cx.dim(0, *axis));
            }
        }
    }
}

/// Resizes `dims`, the data without the complex pair. `whole` gives the length of the last axis in input 1 if it has no size.
pub(crate) fn transformed(cx: &InferCtx, dims: &[Dim], whole: fn(Dim) -> Dim) -> Result<Transformed, Fault> {
    let count = cx.dim(1, 0);
    if usize::try_from(count.lower()).is_ok_and(|count| count > dims.len()) {
        let message = format!("`axes` has {count} elements, the data has {} axes to choose", dims.len());
        return Err(conflict(cx, 1, message));
    }
    // From unknown sizes OpenVINO infers unsound lengths; where its own inference is followed, they are unknown instead.
    let is_sized = !cx.has_input(2) || cx.constant(2).is_some();
    let Some(values) = cx.constant(1).filter(|_| is_sized || !cx.is_openvino()) else {
        let dims = if cx.has_input(2) { vec![Dim::ANY; dims.len()] } else { dims.to_vec() };
        return Ok(Transformed { dims, axes: Vec::new() });
    };
    let mut axes = Vec::with_capacity(values.len());
    for axis in values {
        let axis = cx.normalize(At::Input(1), axis, dims.len())?;
        if axes.contains(&axis) {
            return Err(Fault::at(At::Input(1), &INPUT_VALUE, format!("`axes` names axis {axis} twice")));
        }
        axes.push(axis);
    }
    let mut dims = dims.to_vec();
    for (n, axis) in axes.iter().enumerate() {
        if let Some(dim) = dims.get_mut(*axis) {
            let kept = if n + 1 == axes.len() { whole(*dim) } else { *dim };
            *dim = sized(cx, n, kept)?;
        }
    }
    Ok(Transformed { dims, axes })
}

/// Checks that there is a size per axis and that the data has `least` dimensions or more.
pub(crate) fn check(cx: &InferCtx, least: usize) -> Result<(), Fault> {
    if cx.has_input(2) && cx.dim(1, 0).agree(cx.dim(2, 0)).is_none() {
        let (sizes, axes) = (cx.dim(2, 0), cx.dim(1, 0));
        let message = format!("`signal_size` has {sizes} element{s} for {axes} axes", s = plural(sizes));
        return Err(conflict(cx, 2, message));
    }
    if cx.input(0).rank().is_some_and(|rank| rank < least) {
        return Err(wrong_rank(cx, 0, &format!("of rank {least} or more")));
    }
    Ok(())
}

/// The length along axis number `n` of input 1; a size of -1 means `kept`.
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
        let note = "OpenVINO reads less than -1 as 0";
        cx.pass(Fault::at(At::Input(2), &INPUT_VALUE, message).runtime(Runtime::Accepts).note(note))?;
        return Ok(Dim::exact(0));
    }
    let given = if size.upper < 0 { None } else { size.to_dim() };
    let kept = size.admits(-1).then_some(kept);
    // OpenVINO reads less than -1 as 0.
    let nothing = (size.lower < -1).then_some(Dim::exact(0));
    Ok([given, kept, nothing].into_iter().flatten().reduce(Dim::hull).unwrap_or(Dim::ANY))
}
