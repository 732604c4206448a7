//! The name under which operations of the category `sequence` request one element type.

use super::agreement::agreed_type_named;
use crate::ops::{Fault, InferCtx};
use crate::types::ElementType;
use smallvec::SmallVec;

/// The one element type of these inputs, which are called by their positions.
pub(crate) fn same_type(cx: &InferCtx, inputs: impl IntoIterator<Item = usize>) -> Result<ElementType, Fault> {
    let inputs: SmallVec<[usize; 6]> = inputs.into_iter().collect();
    agreed_type_named(cx, &inputs, |_, i| format!("input {i}"))
}
