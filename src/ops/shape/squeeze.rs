//! `Squeeze`: removes dimensions of length 1.
//!
//! - Spec: `shape/squeeze-1`, `shape/squeeze-15`
//! - Shape: a dimension in `axes` is removed if it can be 1, and kept if it cannot. Without axes every 1 is removed, and an
//!   inexact dimension that may be 1 leaves the rank unknown.
//! - Errors: `axis-range`, `input-rank`, `index-type` for constants that OpenVINO cannot read. A named dimension that is never 1 is a warning, `input-value`.
//! - Revisions: opset15 adds `allow_axis_skip`: an inexact dimension in `axes` that may be 1 leaves the rank unknown.
//!
//! Without `allow_axis_skip` a dynamic dimension counts as 1, as specified, although a tensor with another length keeps it.

use crate::ops::Recent;
use crate::ops::prelude::*;
use crate::types::from_front;
use std::collections::BTreeSet;

pub(super) static SQUEEZE_1: OpSpec = OpSpec {
    inputs: &[Input::any("data"), axes_input().if_ranked().optional()],
    eval: Eval::Copy(Bounding::Moved),
    recent: &[Recent {
        what: "an axis whose length is not 1",
        first: release(2024, 3),
        attr: "",
        is_used: keeps_an_axis,
    }],
    defers: Some(&INPUT_RANK),
    ..OpSpec::new("Squeeze", 1, infer)
};

/// Whether a constant names an axis whose length is not 1.
fn keeps_an_axis(inputs: &[Option<&Fact>], _: Option<&str>) -> bool {
    let [Some(data), Some(axes)] = inputs else { return false };
    let (Some(dims), Some(axes)) = (data.shape.dims(), axes.value.as_deref().and_then(Value::as_integers)) else {
        return false;
    };
    let named = axes.iter().filter_map(|axis| from_front(axis.value()?, dims.len()));
    named.filter_map(|axis| dims.get(axis)).any(|dim| !dim.admits(1))
}

pub(super) static SQUEEZE_15: OpSpec =
    OpSpec { opset: 15, attrs: &[Attr::optional("allow_axis_skip", Kind::Flag, "false")], ..SQUEEZE_1 };

/// The input of axes; OpenVINO accepts floating-point numbers and booleans too.
pub(super) const fn axes_input() -> Input {
    Input::index("axes").types(TypeSet::ANY).ranks(&[0, 1])
}

fn infer(cx: &InferCtx) -> Inferred {
    warn_of_floats(cx, 1);
    Ok(vec![Fact::new(cx.input(0).ty, shape(cx)?)])
}

fn shape(cx: &InferCtx) -> Result<PartialShape, Fault> {
    let Some(dims) = cx.input(0).shape.dims() else { return Ok(PartialShape::UNKNOWN) };
    let may_be_one = |dim: &Dim| dim.admits(1);
    if cx.is_openvino() && has_unread_axes(cx, dims.len()) {
        return Ok(PartialShape::UNKNOWN);
    }
    if !cx.has_input(1) || cx.input(1).shape.is_empty() {
        let unsure = dims.iter().any(|dim| dim.admits(1) && !dim.is_exact());
        return Ok(if unsure { PartialShape::UNKNOWN } else { keep(dims, |_, dim| !may_be_one(dim)) });
    }
    let Some(named) = axes(cx, dims.len())? else {
        return Ok(match cx.input(1).shape.elements().length() {
            _ if !dims.iter().any(may_be_one) => PartialShape::of(dims.iter().copied()),
            Some(1) if !cx.flag("allow_axis_skip") => PartialShape::of_rank(dims.len().saturating_sub(1)),
            _ => PartialShape::UNKNOWN,
        });
    };
    // OpenVINO keeps a dimension that is not 1.
    for dim in named.iter().filter_map(|axis| dims.get(*axis)).filter(|dim| dim.admits(1)) {
        dim.demand_usually_one();
    }
    let find = |test: fn(&Dim) -> bool| named.iter().find(|axis| dims.get(**axis).is_some_and(test));
    if cx.flag("allow_axis_skip") {
        if find(|dim| dim.admits(1) && !dim.is_exact()).is_some() {
            demand::leave_open();
            return Ok(PartialShape::UNKNOWN);
        }
    } else if let Some(axis) = find(|dim| !dim.admits(1)) {
        warn_of_skip(cx, *axis);
    }
    Ok(keep(dims, |axis, dim| !(named.contains(&axis) && may_be_one(dim))))
}

/// Whether OpenVINO infers nothing from the number of unknown axes: they are none or several, or the data is a scalar.
fn has_unread_axes(cx: &InferCtx, rank: usize) -> bool {
    let is_read = |value: &Value| value.is_stored() || !cx.input(1).shape.is_empty();
    let is_one = cx.input(1).shape.elements().length() == Some(1);
    cx.has_input(1) && !cx.value(1).is_some_and(is_read) && (rank == 0 || !is_one)
}

/// The normalized axes; a scalar counts as a list of one element.
fn axes(cx: &InferCtx, rank: usize) -> Result<Option<BTreeSet<usize>>, Fault> {
    let Some(values) = cx.constant(1) else { return Ok(None) };
    let axes = values.iter().map(|axis| cx.normalize(At::Input(1), *axis, rank.max(1)));
    axes.collect::<Result<_, _>>().map(Some)
}

fn keep(dims: &[Dim], stays: impl Fn(usize, &Dim) -> bool) -> PartialShape {
    PartialShape::of(dims.iter().enumerate().filter(|(axis, dim)| stays(*axis, dim)).map(|(_, dim)| *dim))
}

fn warn_of_skip(cx: &InferCtx, axis: usize) {
    let message = format!("dimension {axis} is {}, not 1; OpenVINO leaves it", cx.dim(0, axis));
    let fault = Fault::at(At::Input(1), &INPUT_VALUE, message).severity(Severity::Warning);
    cx.warn(fault.runtime(Runtime::Accepts).label(At::Input(0), cx.input(0).to_string()));
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let squeeze = |data, axes| op("Squeeze", 1, [data, axes]);
        squeeze("f32[1,3,1]", "i64[2] = 0,2").gives(["f32[3]"]);
        squeeze("f32[1,3,1]", "i32[] = -1").gives(["f32[1,3]"]);
        squeeze("f32[1,3,1]", "i64[2] = 0,-3").gives(["f32[3,1]"]);
        squeeze("f32[..5,2..4,1]", "i64[1] = 0").gives(["f32[2..4,1]"]);
        squeeze("f32[1,3,1]", "i64[0] = ").gives(["f32[3]"]);
        squeeze("f32[1,3,1]", "i64[1]").gives(["f32[?,?]"]);
        squeeze("f32[1,3,1]", "i64[]").gives(["f32[?,?]"]);
        squeeze("f32[1,3,1]", "i64[2]").gives(["f32[...]"]);
        squeeze("f32[]", "i64[0]").gives(["f32[]"]);
        squeeze("f32[]", "i64[0]").gives_openvino(["f32[...]"]);
        squeeze("f32[2,3]", "i64[1]").gives_openvino(["f32[2,3]"]);
        squeeze("f32[]", "i64[] = 0").gives(["f32[]"]);
        squeeze("f32[...]", "i64[1] = 7").gives(["f32[...]"]);
        squeeze("i64[1,2] = 3..4,?", "i64[] = 0").gives(["i64[2] = 3..4,?"]);
        squeeze("i64[1] = 7", "i64[] = 0").gives(["i64[] = 7"]);
        squeeze("f32[1,2]", "f64[] = 0.9")
            .warns("float-index", "`axes` is f64; OpenVINO truncates its values to integers")
            .gives(["f32[2]"]);
        op("Squeeze", 1, ["f32[1,3,1]"]).gives(["f32[3]"]);
        op("Squeeze", 1, ["f32[1,2..5,3]"]).gives(["f32[2..5,3]"]);
        op("Squeeze", 1, ["f32[1,..5,3]"]).gives(["f32[...]"]);
        op("Squeeze", 1, ["f32[...]"]).gives(["f32[...]"]);
    }

    #[test]
    fn dimensions_that_are_never_1_stay() {
        let skip = |data, axes| op("Squeeze", 15, [data, axes]).attr("allow_axis_skip", "true");
        skip("f32[1,3,1]", "i64[2] = 0,1").gives(["f32[3,1]"]);
        skip("f32[1,2..5]", "i64[2] = 0,1").gives(["f32[2..5]"]);
        skip("f32[?,3,1]", "i64[1] = 0").gives(["f32[...]"]);
        skip("f32[1,3,1]", "i64[1]").gives(["f32[...]"]);
        skip("f32[2,3]", "i64[1]").gives(["f32[2,3]"]);
        op("Squeeze", 1, ["f32[2,3]", "i64[1]"]).yields(["f32[2,3]"]);
        op("Squeeze", 15, ["f32[1,3,1]", "i64[1] = 1"])
            .warns("input-value", "dimension 1 is 3, not 1; OpenVINO leaves it")
            .yields(["f32[1,3,1]"]);
    }

    #[test]
    fn errors() {
        let squeeze = |data, axes| op("Squeeze", 1, [data, axes]);
        squeeze("f32[1,3]", "i64[1] = 2").fails("axis-range", "axis 2 is outside -2..1");
        squeeze("f32[]", "i64[] = 1").fails("axis-range", "axis 1 is outside -1..0");
        squeeze("f32[1,3]", "i64[1,1]")
            .fails("input-rank", "`axes` of Squeeze must be a scalar or a list, but is i64[1,1]");
        squeeze("f32[1,3]", "f8e4m3[1] = 0")
            .fails("index-type", "`axes` of Squeeze holds constants of type f8e4m3, which OpenVINO cannot read");
        squeeze("f32[...]", "f8e4m3[1] = 0").gives(["f32[...]"]);
        squeeze("f32[1,3]", "boolean[]").warns("index-type", "`axes` should be of an integer type, but is boolean");
        squeeze("f32[...]", "boolean[] = 0").gives(["f32[...]"]);
    }
}
