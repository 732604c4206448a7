//! Inputs of one number: a scalar or, if the operation allows it, a list of one element.

use super::prelude::*;

/// Rejects a list at input `i` that cannot have exactly one element.
pub(crate) fn single(cx: &InferCtx, i: usize) -> Result<(), Fault> {
    let shape = &cx.input(i).shape;
    if cx.has_input(i) {
        shape.elements().demand_equal(Dim::exact(1));
    }
    if shape.elements().admits(1) {
        return Ok(());
    }
    let message = format!("`{}` must hold one number, its shape is {shape}", cx.input_name(i));
    Err(Fault::at(At::Input(i), &INPUT_VALUE, message).primary(format!("shape {shape}")))
}

/// The length in input `i`, which must be a single number; any length if it is unknown.
pub(crate) fn single_length(cx: &InferCtx, i: usize) -> Result<Dim, Fault> {
    single(cx, i)?;
    let Some(bounds) = cx.bounds(i).and_then(|all| all.first().copied()) else { return Ok(Dim::ANY) };
    bounds.to_dim().ok_or_else(|| {
        let message = format!("`{}` is {}, wanted a length from 0 on", cx.input_name(i), bounds.upper);
        Fault::at(At::Input(i), &INPUT_VALUE, message)
    })
}
