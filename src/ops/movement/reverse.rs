//! `Reverse`: reverses axes.
//!
//! - Spec: `movement/reverse-1`
//! - Shape: that of `data`. With `mode="index"` the second input lists axes, with `mask` it has a boolean per axis.
//! - Errors: `axis-range`, `input-rank`, `shape-conflict` for a mask of another length, `index-type`,
//!   `input-type`, `needs-type` for a mask.

use crate::ops::apply::unknown_type;
use crate::ops::prelude::*;
use crate::ops::shared::strides::{by_axis, strides};

pub(super) static REVERSE_1: OpSpec = OpSpec {
    inputs: &[Input::any("data"), Input::any("reversed_axes").reads_value().ranks(&[1])],
    attrs: &[Attr::optional("mode", Kind::Choice(&["index", "mask"]), "index")],
    eval: Eval::Move(Bounding::Constants, mover),
    ..OpSpec::new("Reverse", 1, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let data = cx.input(0);
    let ty = cx.input(1).ty;
    let mask = cx.choice("mode") == "mask";
    let allowed = if mask { TypeSet::of(&[ElementType::Boolean]) } else { TypeSet::INTEGRAL };
    if mask && ty == ElementType::Dynamic && !cx.input(1).assumed {
        return Err(unknown_type(cx.spec, 1));
    }
    if ty != ElementType::Dynamic && !allowed.has(ty) {
        if !mask {
            return Err(no_index(cx, 1));
        }
        let message = format!("`reversed_axes` must be boolean, but is {ty}");
        return Err(Fault::at(At::Input(1), &INPUT_TYPE, message).primary(ty.to_string()));
    }
    let rank = data.rank().and_then(|rank| i64::try_from(rank).ok());
    if let Some(rank) = rank.filter(|rank| mask && !cx.dim(1, 0).admits(*rank)) {
        let message = format!("the mask has {} elements for a tensor of rank {rank}", cx.dim(1, 0));
        return Err(unfit(cx, At::Input(1), message));
    }
    turned(cx)?;
    Ok(vec![Fact::new(data.ty, data.shape.clone())])
}

/// For every axis `true` if it is reversed; `None` if unknown.
fn turned(cx: &InferCtx) -> Result<Option<Vec<bool>>, Fault> {
    if cx.choice("mode") == "mask" {
        return Ok(cx.constant(1).map(|mask| mask.iter().map(|flag| *flag != 0).collect()));
    }
    let axes = match cx.axes(1, 0) {
        Ok(axes) => axes,
        Err(fault) => {
            cx.pass(passing_below_0(cx, 1, Runtime::Accepts, fault))?;
            None
        }
    };
    let (Some(axes), Some(rank)) = (axes, cx.input(0).rank()) else { return Ok(None) };
    Ok(Some((0..rank).map(|axis| axes.contains(&axis)).collect()))
}

fn mover<'a>(cx: &'a InferCtx, _: usize) -> Option<Mover<'a>> {
    let input = cx.input(0).shape.sizes()?;
    let turned = turned(cx).ok()??;
    let steps = strides(&input);
    Some(by_axis(&input, |axis, index| {
        let from = if turned.get(axis) == Some(&true) { input[axis] - 1 - index } else { index };
        from * steps[axis]
    }))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let reverse = |data, axes| op("Reverse", 1, [data, axes]);
        reverse("f32[2,?]", "i64[1] = 1").gives(["f32[2,?]"]);
        reverse("f32[...]", "i64[1] = 9").gives(["f32[...]"]);
        reverse("f32[2,3]", "i64[?]").gives(["f32[2,3]"]);
        reverse("i64[3] = 4,6..7,8", "i64[1] = 0").gives(["i64[3] = 8,6..7,4"]);
        reverse("i64[2,2] = 1,2,3,4", "i64[2] = -1,0").gives(["i64[2,2] = 4,3,2,1"]);
        reverse("i64[2,2] = 1,2,3,4", "boolean[2] = 0,1").attr("mode", "mask").gives(["i64[2,2] = 2,1,4,3"]);
        reverse("i64[2] = 1,2", "i64[1]").gives(["i64[2]"]);
    }

    #[test]
    fn axes_below_0_pass() {
        op("Reverse", 1, ["f32[2,3]", "i64[1] = -7"]).passes(["f32[2,3]"]);
    }

    #[test]
    fn errors() {
        let reverse = |data, axes| op("Reverse", 1, [data, axes]);
        reverse("f32[2,3]", "i64[1] = 2").fails("axis-range", "axis 2 is outside -2..1");
        reverse("f32[2,3]", "i64[] = 1")
            .fails("input-rank", "`reversed_axes` of Reverse must be a list (rank 1), but is i64[]");
        reverse("f32[2,3]", "f32[1] = 1").fails("index-type", "`reversed_axes` must be of an integer type, but is f32");
        reverse("f32[2,3]", "i64[2] = 1,0")
            .attr("mode", "mask")
            .fails("input-type", "`reversed_axes` must be boolean, but is i64");
        reverse("f32[2,3]", "dynamic[2]")
            .attr("mode", "mask")
            .fails("needs-type", "the element type of `reversed_axes` of Reverse is not known");
        reverse("f32[2,3]", "dynamic[2]").gives(["f32[2,3]"]);
        reverse("f32[2,3]", "boolean[3]")
            .attr("mode", "mask")
            .fails("shape-conflict", "the mask has 3 elements for a tensor of rank 2");
    }
}
