//! Inputs that hold one number: a scalar, or where the operation allows it a list of one element.

use crate::ops::context::InferCtx;
use crate::ops::fault::{At, Fault};
use crate::ops::rules::{FLOAT_INDEX, INPUT_VALUE};

/// The fault of input `i` being a list that never has just one element.
pub(crate) fn single(cx: &InferCtx, i: usize) -> Result<(), Fault> {
    let shape = &cx.input(i).shape;
    if shape.elements().admits(1) {
        return Ok(());
    }
    let message = format!("`{}` must hold one number, its shape is {shape}", cx.input_name(i));
    Err(Fault::at(At::Input(i), &INPUT_VALUE, message).primary(format!("shape {shape}")))
}

/// Takes note of input `i` holding floating-point numbers where integers are meant.
pub(crate) fn warn_of_float(cx: &InferCtx, i: usize) {
    let ty = cx.input(i).ty;
    if ty.is_float() {
        let message =
            format!("`{}` of {} is {ty}; OpenVINO cuts off what follows the point", cx.input_name(i), cx.spec.name);
        cx.warn(Fault::at(At::Input(i), &FLOAT_INDEX, message).primary(ty.to_string()));
    }
}
