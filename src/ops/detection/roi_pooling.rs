//! `ROIPooling`: pools regions of images to one size.
//!
//! - Spec: `detection/roi-pooling-1`
//! - Shape: `[regions, channels, height, width]`; the size is `pooled_h` and `pooled_w`, each else from `output_roi`,
//!   else from `output_size`.
//! - Errors: `input-rank`; `needs-type`; `type-conflict`; `missing-attribute`; `attribute-value`; `shape-conflict` if `rois` has not five
//!   numbers.

use crate::ops::prelude::*;

pub(super) static ROI_POOLING_2: OpSpec = OpSpec {
    inputs: &[Input::of("feature_maps", REALS).ranks(&[4]).typed(), Input::of("rois", REALS).ranks(&[2]).typed()],
    attrs: &[
        Attr::optional("output_size", Kind::COUNTS, "0,0").unsigned(),
        Attr::optional("output_roi", Kind::COUNTS, "0,0").unsigned(),
        Attr::optional("pooled_h", Kind::COUNT, "0").unsigned(),
        Attr::optional("pooled_w", Kind::COUNT, "0").unsigned(),
        Attr::required("spatial_scale", Kind::Float),
        Attr::optional("method", Kind::Text, "max"),
    ],
    demands: None,
    ..OpSpec::new("ROIPooling", 2, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let ty = agreed_type(cx, &[0, 1])?;
    positive(cx, "spatial_scale")?;
    exact_word(cx, "method", &["max", "bilinear"])?;
    let [height, width] = pooled(cx)?;
    wanted_dim(cx, 1, 1, Dim::exact(5), "an image and four coordinates")?;
    let shape = PartialShape::of([cx.dim(1, 0), cx.dim(0, 1), Dim::exact(height), Dim::exact(width)]);
    Ok(vec![Fact::new(ty, shape)])
}

/// The height and width of the output.
fn pooled(cx: &InferCtx) -> Result<[i64; 2], Fault> {
    let list = if cx.writes("output_roi") { "output_roi" } else { "output_size" };
    let [height, width] = *cx.ints(list) else {
        let message = format!("`{list}` has {}, wanted 2", counted(cx.ints(list).len(), "element"));
        return Err(wrong_attr(list, message).since(release(2023, 3)));
    };
    let alone = |name: &'static str, listed: i64| if cx.writes(name) { (name, cx.int(name)) } else { (list, listed) };
    let sizes = [alone("pooled_h", height), alone("pooled_w", width)];
    match sizes.iter().find(|(_, size)| *size == 0) {
        Some((name, _)) => {
            Err(wrong_attr(name, format!("the pooled size is {} x {}, wanted at least 1 x 1", sizes[0].1, sizes[1].1)))
        }
        None => Ok(sizes.map(|(_, size)| size)),
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let pool = |maps, rois| op("ROIPooling", 2, [maps, rois]).attr("spatial_scale", "0.0625");
        pool("f32[1,3,38,63]", "f32[300,5]").attr("output_roi", "7,6").gives(["f32[300,3,7,6]"]);
        pool("f16[1,?,38,63]", "f16[..300,?]").attr("pooled_h", 7).attr("pooled_w", 6).gives(["f16[..300,?,7,6]"]);
        pool("f32[1,3,9,9]", "f32[1,5]").attr("output_roi", "7,6").attr("pooled_w", 2).gives(["f32[1,3,7,2]"]);
        pool("f32[...]", "f32[...]").attr("output_size", "7,6").attr("method", "bilinear").gives(["f32[?,?,7,6]"]);
    }

    #[test]
    fn errors() {
        let pool = |maps, rois| op("ROIPooling", 2, [maps, rois]).attr("spatial_scale", "0.0625");
        pool("f32[1,3,38,63]", "f32[300,4]")
            .attr("output_roi", "7,6")
            .fails("shape-conflict", "dimension 1 of `rois` is 4, wanted 5: an image and four coordinates");
        pool("f32[1,3,38,63]", "f32[300,5]")
            .attr("pooled_h", 7)
            .fails("attribute-value", "the pooled size is 7 x 0, wanted at least 1 x 1");
        pool("f32[1,3,38,63]", "f32[300,5]")
            .attr("output_roi", "7")
            .fails("attribute-value", "`output_roi` has 1 element, wanted 2");
        pool("f32[1,3,38,63]", "f32[300,5]")
            .attr("output_roi", "7,6")
            .attr("method", "MAX")
            .fails("attribute-value", "`method=\"MAX\"` of ROIPooling must be one of max, bilinear");
        op("ROIPooling", 2, ["f32[1,3,38,63]", "f32[300,5]"])
            .fails("missing-attribute", "ROIPooling has no `spatial_scale`");
        op("ROIPooling", 2, ["f32[1,3,38,63]", "f32[300,5]"])
            .attr("output_roi", "7,6")
            .attr("spatial_scale", "inf")
            .fails("attribute-value", "`spatial_scale` is inf, wanted a number above 0");
    }
}
