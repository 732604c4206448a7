//! What the operations that write updates into a tensor share: `data` is input 0, `updates` is input 2.

use crate::ops::context::InferCtx;
use crate::ops::fault::{At, Fault};
use crate::ops::rules::TYPE_CONFLICT;
use crate::types::ElementType;

/// The element type of `data` and `updates` together.
pub(crate) fn merged_type(cx: &InferCtx) -> Result<ElementType, Fault> {
    let [data, updates] = [0, 2].map(|i| cx.input(i).ty);
    data.merge(updates).ok_or_else(|| {
        Fault::at(At::Input(2), &TYPE_CONFLICT, format!("`updates` is {updates}, `data` is {data}"))
            .primary(updates.to_string())
            .label(At::Input(0), format!("data is {data}"))
    })
}

/// The element that index `value` names among `length`, counted from the end if it is negative.
pub(crate) fn element(value: i64, length: usize) -> Option<usize> {
    let from_front = if value < 0 { value.checked_add(i64::try_from(length).ok()?)? } else { value };
    usize::try_from(from_front).ok().filter(|element| *element < length)
}
