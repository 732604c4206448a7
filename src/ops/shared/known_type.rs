//! Element types that must be known while a file is read, as far as other inputs do not tell them.

use crate::ops::apply::unknown_type;
use crate::ops::context::InferCtx;
use crate::ops::fault::Fault;
use crate::ops::shared::agreement::agreed_type;
use crate::types::ElementType;

/// The type that `inputs` share, which at least one of them must tell.
pub(crate) fn told_type(cx: &InferCtx, inputs: &[usize]) -> Result<ElementType, Fault> {
    let ty = agreed_type(cx, inputs)?;
    match inputs.first() {
        Some(first) if ty == ElementType::Dynamic && inputs.iter().all(|i| !cx.input(*i).assumed) => {
            Err(unknown_type(cx.spec, *first))
        }
        _ => Ok(ty),
    }
}

/// The type that `inputs` share, which either all of them or none must tell; those that the layer leaves out do not count.
pub(crate) fn equal_type(cx: &InferCtx, inputs: &[usize]) -> Result<ElementType, Fault> {
    let ty = agreed_type(cx, inputs)?;
    let silent = |i: &&usize| cx.has_input(**i) && cx.input(**i).ty == ElementType::Dynamic && !cx.input(**i).assumed;
    match inputs.iter().find(silent) {
        Some(i) if ty != ElementType::Dynamic => Err(unknown_type(cx.spec, *i)),
        _ => Ok(ty),
    }
}
