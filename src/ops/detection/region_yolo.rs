//! `RegionYolo`: turns the last features of a YOLO network into boxes and scores.
//!
//! - Spec: `detection/region-yolo-1`
//! - Shape: with `do_softmax`, `data` with the dimensions from `axis` to `end_axis` made one; without,
//!   `(classes + coords + 1) * mask` channels. An unknown rank stays unknown.
//! - Errors: `input-rank`; `input-type`; `needs-type`; `axis-range`; `shape-conflict`, as a warning, of too few channels.
//! - Differs from OpenVINO: bounds are exact; an `end_axis` just before `axis` inserts a dimension of 1.

use crate::ops::prelude::*;

pub(super) static REGION_YOLO_1: OpSpec = OpSpec {
    inputs: &[Input::of("data", REALS).ranks(&[4]).typed()],
    attrs: &[
        Attr::optional("anchors", Kind::Floats, ""),
        Attr::optional("axis", Kind::INT32, "0"),
        Attr::optional("coords", Kind::COUNT, "0").unsigned(),
        Attr::optional("classes", Kind::COUNT, "0").unsigned(),
        Attr::optional("end_axis", Kind::INT32, "0"),
        Attr::optional("num", Kind::INT, "0"),
        Attr::optional("do_softmax", Kind::Flag, "false"),
        Attr::optional("mask", Kind::INTS, ""),
    ],
    action: Action::Detects,
    ..OpSpec::new("RegionYolo", 1, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let data = cx.input(0);
    let Some(dims) = data.shape.dims() else { return unranked(data.ty) };
    let masks = i64::try_from(cx.ints("mask").len()).unwrap_or(i64::MAX);
    let regions = if cx.flag("do_softmax") { cx.int("num") } else { masks };
    let each = cx.int("classes").saturating_add(cx.int("coords")).saturating_add(1);
    let channels = each.saturating_mul(regions);
    check_channels(cx, data.shape.dim(1), channels);
    if !cx.flag("do_softmax") {
        return Ok(vec![Fact::new(data.ty, data.shape.with(1, Dim::exact(channels)))]);
    }
    let first = cx.normalize(At::Attr("axis"), cx.int("axis"), dims.len())?;
    let last = cx.normalize(At::Attr("end_axis"), cx.int("end_axis"), dims.len())?;
    let (Some(before), Some(flat), Some(after)) = (dims.get(..first), dims.get(first..=last), dims.get(last + 1..))
    else {
        return Ok(vec![Fact::new(data.ty, data.shape.clone())]);
    };
    if flat.is_empty() && cx.is_openvino() {
        return Ok(vec![Fact::new(data.ty, data.shape.clone())]);
    }
    let flat = flat.iter().fold(Dim::exact(1), |all, dim| all.times(*dim));
    let shape = PartialShape::of(before.iter().copied().chain([flat]).chain(after.iter().copied()));
    Ok(vec![Fact::new(data.ty, shape)])
}

/// Warns of fewer channels than the regions need; OpenVINO still infers a shape.
fn check_channels(cx: &InferCtx, given: Dim, wanted: i64) {
    if given.upper().is_some_and(|most| most < wanted) {
        let message = format!("`data` has {given} channels, wanted at least {wanted}");
        let fault =
            Fault::at(At::Input(0), &SHAPE_CONFLICT, message).severity(Severity::Warning).runtime(Runtime::Accepts);
        cx.warn(fault.note(
            "a region has `classes` + `coords` + 1; there are `num`, or as many as `mask` has without `do_softmax`",
        ));
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn region(data: &str, softmax: bool) -> OpTest {
        op("RegionYolo", 1, [data]).attr("classes", 80).attr("coords", 4).attr("do_softmax", softmax)
    }

    #[test]
    fn shapes() {
        region("f32[1,255,13,13]", false).attr("mask", "0,1").gives(["f32[1,170,13,13]"]);
        region("f16[?,?,13,..9]", true).attr("axis", -3).attr("end_axis", -1).gives(["f16[?,?]"]);
        region("f32[2,255,13,13]", true).attr("axis", 1).attr("end_axis", 2).gives(["f32[2,3315,13]"]);
        region("f32[2,255,13,13]", true).attr("axis", 3).attr("end_axis", 1).gives(["f32[2,255,13,13]"]);
        region("f32[...]", true).attr("axis", 9).gives(["f32[...]"]);
    }

    #[test]
    fn openvino_keeps_what_no_axis_flattens() {
        let region = region("f32[2,255,13,13]", true).attr("axis", 2).attr("end_axis", 1);
        region.gives_openvino(["f32[2,255,13,13]"]).gives(["f32[2,255,1,13,13]"]);
    }

    #[test]
    fn regions_need_channels() {
        region("f32[1,255,13,13]", true).attr("num", 3).attr("axis", 1).attr("end_axis", 3).gives(["f32[1,43095]"]);
        region("f32[1,?,13,13]", true).attr("num", 9).attr("axis", 1).attr("end_axis", 1).gives(["f32[1,?,13,13]"]);
        region("f32[1,..254,13,13]", true)
            .attr("num", 3)
            .warns("shape-conflict", "`data` has ..254 channels, wanted at least 255");
        region("f32[1,84,13,13]", false)
            .attr("mask", "0")
            .warns("shape-conflict", "`data` has 84 channels, wanted at least 85");
    }

    #[test]
    fn errors() {
        region("f32[1,255,13,13]", true)
            .attr("axis", 1)
            .attr("end_axis", 4)
            .fails("axis-range", "axis 4 is outside -4..3");
        region("i32[1,255,13,13]", true).fails("input-type", "RegionYolo does not accept i32 at input 0 `data`");
        region("dynamic[1,255,13,13]", true)
            .fails("needs-type", "the element type of `data` of RegionYolo is not known");
        region("f32[255,13,13]", true)
            .fails("input-rank", "`data` of RegionYolo must be of rank 4, but is f32[255,13,13]");
    }
}
