//! `DeformablePSROIPooling`: `PSROIPooling` whose cells are moved by offsets.
//!
//! - Spec: `detection/deformable-psroi-pooling-1`
//! - Shape: `[regions, output_dim, group_size, group_size]`; regions from `coords`.
//! - Errors: `input-rank`; `missing-attribute`; `attribute-value`.

use crate::ops::prelude::*;

pub(super) static DEFORMABLE_PSROI_POOLING_1: OpSpec = OpSpec {
    inputs: &[
        Input::any("input").ranks(&[4]),
        Input::any("coords").ranks(&[2]),
        Input::any("offsets").ranks(&[4]).optional(),
    ],
    attrs: &[
        Attr::required("output_dim", Kind::from(1)),
        Attr::optional("spatial_scale", Kind::Float, "0"),
        Attr::optional("group_size", Kind::from(1), "1"),
        Attr::optional("mode", Kind::Word(&["bilinear_deformable"]), "bilinear_deformable"),
        Attr::optional("spatial_bins_x", Kind::INT, "1"),
        Attr::optional("spatial_bins_y", Kind::INT, "1"),
        Attr::optional("trans_std", Kind::Float, "1"),
        Attr::optional("part_size", Kind::INT, "1"),
    ],
    ..OpSpec::new("DeformablePSROIPooling", 1, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let (outputs, group) = (Dim::exact(cx.int("output_dim")), Dim::exact(cx.int("group_size")));
    Ok(vec![Fact::new(cx.input(0).ty, PartialShape::of([cx.dim(1, 0), outputs, group, group]))])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("DeformablePSROIPooling", 1, ["f32[1,392,38,63]", "f32[300,5]", "f32[300,2,7,7]"])
            .attr("output_dim", 8)
            .attr("group_size", 7)
            .gives(["f32[300,8,7,7]"]);
        op("DeformablePSROIPooling", 1, ["i8[...]", "f32[...]"]).attr("output_dim", 8).gives(["i8[?,8,1,1]"]);
    }

    #[test]
    fn errors() {
        op("DeformablePSROIPooling", 1, ["f32[1,392,38,63]", "f32[300,5]"])
            .attr("output_dim", 0)
            .fails("attribute-value", "`output_dim=\"0\"` of DeformablePSROIPooling must be at least 1");
        op("DeformablePSROIPooling", 1, ["f32[1,392,38,63]", "f32[300]"])
            .attr("output_dim", 8)
            .fails("input-rank", "`coords` of DeformablePSROIPooling must be of rank 2, but is f32[300]");
    }
}
