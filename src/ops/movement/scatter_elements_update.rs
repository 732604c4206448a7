//! `ScatterElementsUpdate`: writes every update to an element at the same position along the other axes.
//!
//! - Spec: `movement/scatter-elements-update-3`, `movement/scatter-elements-update-12`
//! - Shape: that of `data`; `indices` and `updates` are of one shape and of the rank of `data`.
//! - Errors: `shape-conflict`, `type-conflict`, `axis-range`, `input-rank`, `index-type`; `input-type` for the mean of booleans;
//!   `input-value` for indices outside `data`, which is a warning unless a shape depends on its elements.
//! - Revisions: opset12 adds `reduction` and `use_init_val`, and lets indices be negative.

use crate::ops::Untyped;
use crate::ops::prelude::*;
use crate::ops::shared::scatter::{Targets, check_indices, reduced, replacing};
use crate::ops::shared::strides::{index, position, strides};
use crate::types::from_front;

pub(super) static SCATTER_ELEMENTS_UPDATE_3: OpSpec = OpSpec {
    inputs: &[
        Input::any("data"),
        Input::index("indices").unread().untyped(Untyped::Ignored).followed().types(TypeSet::INTEGRAL_OR_BOOLEAN),
        Input::any("updates"),
        Input::index("axis").types(TypeSet::INTEGRAL_OR_BOOLEAN).if_ranked().ranks(&[0, 1]),
    ],
    eval: Eval::Move(Bounding::Updated, |cx, _| Some(replacing(&targets(cx)?, cx.input(0).shape.count()?, 2))),
    waits: &[&AXIS_RANGE],
    ..OpSpec::new("ScatterElementsUpdate", 3, infer)
};

pub(super) static SCATTER_ELEMENTS_UPDATE_12: OpSpec = OpSpec {
    opset: 12,
    attrs: &[
        Attr::optional("reduction", Kind::Choice(&["none", "sum", "prod", "min", "max", "mean"]), "none"),
        Attr::optional("use_init_val", Kind::Flag, "true"),
    ],
    eval: Eval::Compute(Bounding::Updated, |cx, outputs| {
        Some(vec![reduced(cx, outputs.first()?, &targets(cx)?, cx.flag("use_init_val"))?])
    }),
    ..SCATTER_ELEMENTS_UPDATE_3
};

fn infer(cx: &InferCtx) -> Inferred {
    let ty = agreed_type(cx, &[0, 2])?;
    if ty == ElementType::Boolean && cx.spec.opset > 3 && cx.choice("reduction") == "mean" {
        let message = format!("{} with reduction=\"mean\" does not accept boolean at input 0 `data`", cx.spec.name);
        return Err(Fault::at(At::Input(0), &INPUT_TYPE, message).primary("boolean"));
    }
    let [data, indices, updates, axis] = [0, 1, 2, 3].map(|i| &cx.input(i).shape);
    if !axis.elements().admits(1) {
        let message = format!("`axis` of {} holds {} elements, wanted one axis", cx.spec.name, axis.elements());
        return Err(Fault::at(At::Input(3), &INPUT_RANK, message).runtime(Runtime::Accepts));
    }
    if let (Some(rank), Some(other)) = (data.rank(), indices.rank())
        && rank != other
    {
        return Err(misfit(cx, 2, &[0, 1], format!("`indices` has rank {other}, `data` has rank {rank}")));
    }
    if indices.agree(updates).is_none() {
        return Err(misfit(cx, 2, &[0, 1], format!("`indices` has shape {indices}, `updates` {updates}")));
    }
    if let Some(axis) = cx.axis(3, 0)? {
        check_indices(cx, |_| axis, true)?;
    }
    Ok(vec![Fact::new(ty, data.clone())])
}

fn targets(cx: &InferCtx) -> Option<Targets> {
    let axis = cx.axis(3, 0).ok()??;
    let (data, updates) = (cx.input(0).shape.sizes()?, cx.input(1).shape.sizes()?);
    let length = *data.get(axis)?;
    let steps = strides(&data);
    let target = |(i, value): (usize, &i64)| {
        let mut coords = position(i, &updates);
        *coords.get_mut(axis)? = from_front(*value, length)?;
        let inside = coords.iter().zip(&data).all(|(coords, length)| coords < length);
        inside.then(|| index(coords, &steps))
    };
    Some(Targets { slices: cx.constant(1)?.iter().enumerate().map(target).collect::<Option<_>>()?, length: 1 })
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn scatter(opset: u8, data: &str, indices: &str, updates: &str) -> OpTest {
        op("ScatterElementsUpdate", opset, [data, indices, updates, "i64[] = 0"])
    }

    #[test]
    fn shapes() {
        let along = |axis| op("ScatterElementsUpdate", 3, ["f32[2,?]", "i32[2,2]", "f32[2,2]", axis]);
        along("i64[] = 1").gives(["f32[2,?]"]);
        along("i8[1] = -1").gives(["f32[2,?]"]);
        along("i64[?]").gives(["f32[2,?]"]);
        scatter(12, "dynamic[...]", "boolean[...]", "f16[2]").gives(["f16[...]"]);
    }

    #[test]
    fn values() {
        let data = "i64[3] = 4,6..7,?";
        scatter(3, data, "i64[1] = 1", "i64[1] = 9").gives(["i64[3] = 4,9,?"]);
        scatter(12, data, "i64[2] = -1,-1", "i64[2] = 8,9").gives(["i64[3] = 4,6..7,9"]);
        scatter(3, "i64[2,2] = 1,2,3,4", "i64[1,2] = 1,0", "i64[1,2] = 8,9").gives(["i64[2,2] = 1,9,8,4"]);
        let reduce = |by: &'static str| scatter(12, data, "i64[3] = 0,1,2", "i64[3] = 2,-3..1,5").attr("reduction", by);
        reduce("sum").gives(["i64[3] = 6,3..8,?"]);
        reduce("prod").gives(["i64[3] = 8,-21..7,?"]);
        reduce("min").gives(["i64[3] = 2,-3..1,..5"]);
        reduce("max").gives(["i64[3] = 4,6..7,5.."]);
        reduce("mean").gives(["i64[3] = 3,1..4,?"]);
        let mean = |data, updates| scatter(12, data, "i64[3] = 0,0,0", updates).attr("reduction", "mean");
        mean("i64[1] = 0", "i64[3] = 1,-9,4").attr("use_init_val", "false").gives(["i64[1] = -2"]);
        mean("f32[2] = 0,3", "f32[3] = 1,-9,4").gives(["f32[2] = -1,3"]);
        reduce("sum").attr("use_init_val", "false").gives(["i64[3] = 2,-3..1,5"]);
        scatter(12, "f32[2] = 1,2", "i64[1] = 0", "f32[1] = 3").attr("reduction", "max").gives(["f32[2] = 3,2"]);
        let flags = |by: &'static str| {
            let data = "boolean[5] = 0,0,1,1,0..1";
            scatter(12, data, "i64[5] = 0,1,2,3,4", "boolean[5] = 0,1,0,1,1").attr("reduction", by)
        };
        flags("sum").gives(["boolean[5] = 0,1,1,1,1"]);
        flags("max").gives(["boolean[5] = 0,1,1,1,1"]);
        flags("prod").gives(["boolean[5] = 0,0,0,1,0..1"]);
        flags("min").gives(["boolean[5] = 0,0,0,1,0..1"]);
        scatter(12, "f32[2] = 1,2", "i64[1] = 0", "f32[1] = 3").attr("reduction", "sum").gives(["f32[2] = 4,2"]);
    }

    #[test]
    fn errors() {
        scatter(3, "f32[2,3]", "i32[2,2]", "f32[2,3]")
            .fails("shape-conflict", "`indices` has shape [2,2], `updates` [2,3]");
        scatter(3, "f32[2,3]", "i32[2]", "f32[2]").fails("shape-conflict", "`indices` has rank 1, `data` has rank 2");
        scatter(3, "i64[2] = 1,2", "i64[1] = -3", "i64[1] = 9")
            .fails("input-value", "`indices` holds -3, dimension 0 of `data` is 2");
        scatter(3, "f32[2]", "i32[2]", "f16[2]").fails("type-conflict", "`updates` is f16, `data` is f32");
        scatter(3, "f32[2]", "f32[2]", "f32[2]")
            .fails("index-type", "`indices` must be of an integer type, but is f32");
        op("ScatterElementsUpdate", 3, ["f32[2]", "i32[2]", "f32[2]", "i64[] = 1"])
            .fails("axis-range", "axis 1 is outside -1..0");
        op("ScatterElementsUpdate", 3, ["f32[2]", "i32[2]", "f32[2]", "i64[2]"])
            .fails("input-rank", "`axis` of ScatterElementsUpdate holds 2 elements, wanted one axis");
        scatter(12, "boolean[2]", "i32[2]", "boolean[2]").attr("reduction", "sum").gives(["boolean[2]"]);
        scatter(12, "boolean[2]", "i32[2]", "boolean[2]").attr("reduction", "mean").fails(
            "input-type",
            "ScatterElementsUpdate with reduction=\"mean\" does not accept boolean at input 0 `data`",
        );
        scatter(12, "f32[2]", "i32[2]", "f32[2]").attr("reduction", "sub").fails(
            "attribute-value",
            "`reduction=\"sub\"` of ScatterElementsUpdate must be one of none, sum, prod, min, max, mean",
        );
    }
}
