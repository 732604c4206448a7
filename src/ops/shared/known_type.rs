//! Element types that OpenVINO must know when it reads a file.

use super::prelude::*;
use crate::ops::apply::{missing, unknown_type};
use crate::ops::shared::agreement::agreed_type;

/// The common type of `inputs`, at least one of which must have a known type.
pub(crate) fn determined_type(cx: &InferCtx, inputs: &[usize]) -> Result<ElementType, Fault> {
    let ty = agreed_type(cx, inputs)?;
    match inputs.first() {
        Some(first) if ty == ElementType::Dynamic && inputs.iter().all(|i| !cx.input(*i).assumed) => {
            Err(unknown_type(cx.spec, *first))
        }
        _ => Ok(ty),
    }
}

/// The output type in attribute `name`. Without it OpenVINO continues with `dynamic` until it compiles the model or evaluates
/// elements.
pub(crate) fn given_type(cx: &InferCtx, name: &'static str) -> ElementType {
    let ty = cx.ty(name);
    if ty == ElementType::Dynamic {
        let fault = if cx.writes(name) {
            let message = format!("`{name}` of {} is dynamic, wanted a type of elements", cx.spec.name);
            Fault::at(At::Attr(name), &ATTRIBUTE_VALUE, message)
        } else {
            missing(cx.spec, name)
        };
        // Whether it evaluates them can depend on what is known of other inputs downstream.
        cx.report_if_evaluated(fault.clone().runtime(Runtime::Unknown));
        // The check of attributes reports a missing one.
        if cx.writes(name) {
            cx.warn(fault.runtime(Runtime::NotCompiled));
        }
    }
    ty
}

/// The common type of `inputs`, of which either all or none must have a known type; skips inputs that the layer omits.
pub(crate) fn equal_type(cx: &InferCtx, inputs: &[usize]) -> Result<ElementType, Fault> {
    let ty = agreed_type(cx, inputs)?;
    let silent = |i: &&usize| cx.has_input(**i) && cx.input(**i).ty == ElementType::Dynamic && !cx.input(**i).assumed;
    match inputs.iter().find(silent) {
        Some(i) if ty != ElementType::Dynamic => Err(unknown_type(cx.spec, *i)),
        _ => Ok(ty),
    }
}
