//! The `axes` input of normalizations.

use crate::ops::prelude::*;
use crate::ops::shared::elementwise::infer_unary;

/// Infers the type and shape of the output from the first input and checks the axes in the second; if `bounded`, also that they
/// are not more than its dimensions.
pub(super) fn checked_axes(cx: &InferCtx, bounded: bool) -> Inferred {
    let (data, axes) = (cx.input(0), cx.input(1));
    let count = axes.shape.dim(0).lower();
    if let Some(rank) = data.rank().filter(|rank| bounded && usize::try_from(count).is_ok_and(|count| count > *rank)) {
        let message = format!("`axes` of {} has {count} elements, `data` has {rank} dimensions", cx.spec.name);
        return Err(Fault::at(At::Input(1), &INPUT_RANK, message)
            .primary(format!("shape {}", axes.shape))
            .label(At::Input(0), cx.shown(0)));
    }
    cx.axes(1, 0)?;
    infer_unary(cx)
}
