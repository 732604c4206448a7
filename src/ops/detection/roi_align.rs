//! `ROIAlign`: samples regions of images to one size.
//!
//! - Spec: `detection/roi-align-3`, `-9`
//! - Shape: `[regions, channels, pooled_h, pooled_w]`; regions from `rois` and `batch_indices`.
//! - Errors: `input-rank`; `input-type`; `needs-type`; `type-conflict`; `shape-conflict` if `rois` has not four numbers, or there are
//!   other regions than indices; `attribute-value` for a length of -1.
//! - Differs from OpenVINO: OpenVINO reads -1 as any length, and refuses to run.
//! - Revisions: 9 adds `aligned_mode`.

use crate::ops::prelude::*;

pub(super) static ROI_ALIGN_3: OpSpec = OpSpec {
    inputs: INPUTS,
    attrs: &[POOLED_H, POOLED_W, SAMPLING, SCALE, MODE],
    ..OpSpec::new("ROIAlign", 3, |cx| aligned(cx, 4))
};

pub(super) static ROI_ALIGN_9: OpSpec = OpSpec {
    opset: 9,
    attrs: &[
        POOLED_H,
        POOLED_W,
        SAMPLING,
        SCALE,
        MODE,
        Attr::optional("aligned_mode", Kind::Choice(&["asymmetric", "half_pixel_for_nn", "half_pixel"]), "asymmetric"),
    ],
    ..ROI_ALIGN_3
};

pub(super) const INPUTS: &[Input] = &[
    Input::of("data", REALS).ranks(&[4]),
    Input::of("rois", REALS).ranks(&[2]),
    Input::of("batch_indices", TypeSet::INTEGRAL).ranks(&[1]),
];
pub(super) const POOLED_H: Attr = Attr::optional("pooled_h", Kind::INT32, "0");
pub(super) const POOLED_W: Attr = Attr::optional("pooled_w", Kind::INT32, "0");
pub(super) const SAMPLING: Attr = Attr::optional("sampling_ratio", Kind::INT, "0");
pub(super) const SCALE: Attr = Attr::optional("spatial_scale", Kind::Float, "0");
const MODE: Attr = Attr::optional("mode", Kind::Choice(&["avg", "max"]), "avg");

/// Infers the output for regions described by `numbers` each.
pub(super) fn aligned(cx: &InferCtx, numbers: i64) -> Inferred {
    let ty = determined_type(cx, &[0, 1])?;
    wanted_dim(cx, 1, 1, Dim::exact(numbers), "the numbers that make a region")?;
    let regions = agreed_dim(cx, &[(1, 0), (2, 0)])?;
    let (height, width) = (pooled(cx, POOLED_H.name)?, pooled(cx, POOLED_W.name)?);
    Ok(vec![Fact::new(ty, PartialShape::of([regions, cx.dim(0, 1), height, width]))])
}

/// The length in an attribute; OpenVINO reads less than -1 as 0.
fn pooled(cx: &InferCtx, name: &'static str) -> Result<Dim, Fault> {
    if cx.int(name) == -1 {
        let fault = wrong_attr(name, format!("`{name}` is -1, wanted 1 or more")).runtime(Runtime::Accepts);
        cx.pass(fault)?;
        return Ok(Dim::ANY);
    }
    Ok(Dim::exact(cx.int(name)))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let align = |opset, data, rois, indices| {
            op("ROIAlign", opset, [data, rois, indices]).attr("pooled_h", 7).attr("pooled_w", 6)
        };
        align(3, "f32[2,3,38,63]", "f32[300,4]", "i32[300]").gives(["f32[300,3,7,6]"]);
        align(9, "f16[2,?,38,63]", "dynamic[200..300,4]", "i32[250..]")
            .attr("aligned_mode", "half_pixel")
            .gives(["f16[250..300,?,7,6]"]);
        align(3, "f32[...]", "f32[...]", "i64[...]").gives(["f32[?,?,7,6]"]);
    }

    #[test]
    fn any_length_is_read() {
        op("ROIAlign", 3, ["f32[2,3,5,5]", "f32[7,4]", "i32[7]"])
            .attr("pooled_h", -1)
            .attr("pooled_w", 6)
            .passes(["f32[7,3,?,6]"]);
    }

    #[test]
    fn errors() {
        let align = |rois, indices| op("ROIAlign", 3, ["f32[2,3,38,63]", rois, indices]);
        align("f32[300,5]", "i32[300]")
            .fails("shape-conflict", "dimension 1 of `rois` is 5, wanted 4: the numbers that make a region");
        align("f32[300,4]", "i32[301]")
            .fails("shape-conflict", "dimension 0 of `batch_indices` is 301, dimension 0 of `rois` is 300");
        align("f32[300,4]", "f32[300]").fails("input-type", "ROIAlign does not accept f32 at input 2 `batch_indices`");
        align("f32[300,4]", "i32[300]")
            .attr("pooled_w", -1)
            .fails("attribute-value", "`pooled_w` is -1, wanted 1 or more");
        align("f32[300,4]", "i32[300]").attr("pooled_h", 0).attr("pooled_w", -2).gives(["f32[300,3,0,0]"]);
        op("ROIAlign", 3, ["dynamic[2,3,38,63]", "dynamic[300,4]", "i32[300]"])
            .fails("needs-type", "the element type of `data` of ROIAlign is not known");
        align("f16[300,4]", "i32[300]").fails("type-conflict", "`rois` is f16, `data` is f32");
    }
}
