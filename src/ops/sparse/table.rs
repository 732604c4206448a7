//! Code of the operations that gather and reduce rows of a table.

use crate::ops::prelude::*;

pub(super) const INDICES: TypeSet = TypeSet::I32_OR_I64;

pub(super) const REDUCTION: Attr = Attr::optional("reduction", Kind::Choice(&["sum", "mean"]), "sum");

/// The common shape of inputs `a` and `b`.
pub(super) fn same_shape(cx: &InferCtx, a: usize, b: usize) -> Result<PartialShape, Fault> {
    let (left, right) = (&cx.input(a).shape, &cx.input(b).shape);
    left.agree(right).ok_or_else(|| {
        let names = (cx.input_name(b), cx.input_name(a));
        misfit(cx, b, &[a], format!("`{}` has shape {right}, `{}` has {left}", names.0, names.1))
    })
}

/// The shape of the table in input 0 with `rows` rows; a fault for a scalar.
pub(super) fn with_rows(cx: &InferCtx, rows: Dim) -> Result<PartialShape, Fault> {
    least_rank(cx, 0, 1)?;
    Ok(cx.input(0).shape.with(0, rows))
}

/// Checks that the reduction is a sum if there are weights at input `i`.
pub(super) fn weights_need_sums(cx: &InferCtx, i: usize) -> Result<(), Fault> {
    if !cx.has_input(i) || cx.choice(REDUCTION.name) == "sum" {
        return Ok(());
    }
    let message = format!("`reduction=\"{}\"` does not go with `{}`", cx.choice(REDUCTION.name), cx.input_name(i));
    Err(Fault::at(At::Attr(REDUCTION.name), &ATTRIBUTE_VALUE, message).label(At::Input(i), cx.input_name(i)))
}

/// The number of segments in input `i`, a scalar; any number if it is unknown.
pub(super) fn segments(cx: &InferCtx, i: usize) -> Result<Dim, Fault> {
    let Some([count]) = cx.bounds(i).as_deref().and_then(|all| <[_; 1]>::try_from(all).ok()) else {
        return Ok(Dim::ANY);
    };
    passed_length(cx, count, || {
        let message = format!("`{}` is {}, the number of segments cannot be negative", cx.input_name(i), count.upper);
        Fault::at(At::Input(i), &INPUT_VALUE, message).runtime(Runtime::Accepts)
    })
}
