//! `PSROIPooling`: pools every cell of a region from channels of its own.
//!
//! - Spec: `detection/psroi-pooling-1`
//! - Shape: `[regions, output_dim, group_size, group_size]`; regions from `rois`.
//! - Errors: `input-rank`; `needs-type`; `input-type`; `missing-attribute`; `attribute-value`; `shape-conflict` if `feature_maps` has not
//!   `output_dim` channels for every cell, or `rois` not five numbers.

use crate::ops::prelude::*;

pub(super) static PSROI_POOLING_1: OpSpec = OpSpec {
    inputs: &[Input::of("feature_maps", REALS).ranks(&[4]).typed(), Input::of("rois", REALS).ranks(&[2]).typed()],
    attrs: &[
        Attr::required("output_dim", Kind::COUNT).checked(Checked::Static),
        Attr::required("group_size", Kind::from(1)).unsigned(),
        Attr::required("spatial_scale", Kind::Float),
        Attr::required("mode", Kind::Text),
        Attr::optional("spatial_bins_x", Kind::INT32, "0"),
        Attr::optional("spatial_bins_y", Kind::INT32, "0"),
    ],
    demands: None,
    ..OpSpec::new("PSROIPooling", 1, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    positive(cx, "spatial_scale")?;
    let (outputs, group) = (Dim::exact(cx.int("output_dim")), Dim::exact(cx.int("group_size")));
    let (cells, why) = if exact_word(cx, "mode", &["average", "bilinear"])? == "average" {
        (group.times(group), "`output_dim` * `group_size` * `group_size`")
    } else {
        if let Some(name) = ["spatial_bins_x", "spatial_bins_y"].into_iter().find(|name| cx.int(name) <= 0) {
            return Err(wrong_attr(name, format!("`{name}` is {}, wanted more than 0", cx.int(name))));
        }
        let bins = Dim::exact(cx.int("spatial_bins_x")).times(Dim::exact(cx.int("spatial_bins_y")));
        (bins, "`output_dim` * `spatial_bins_x` * `spatial_bins_y`")
    };
    wanted_dim(cx, 0, 1, outputs.times(cells), why)?;
    wanted_dim(cx, 1, 1, Dim::exact(5), "an image and four coordinates")?;
    Ok(vec![Fact::new(cx.input(0).ty, PartialShape::of([cx.dim(1, 0), outputs, group, group]))])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn pool(maps: &str, rois: &str, mode: &'static str) -> OpTest {
        op("PSROIPooling", 1, [maps, rois])
            .attr("output_dim", 8)
            .attr("group_size", 7)
            .attr("spatial_scale", "0.0625")
            .attr("mode", mode)
    }

    #[test]
    fn shapes() {
        pool("f32[1,392,38,63]", "f32[300,5]", "average").gives(["f32[300,8,7,7]"]);
        pool("f16[1,?,38,63]", "f32[..300,?]", "average").gives(["f16[..300,8,7,7]"]);
        pool("f32[1,32,38,63]", "f32[...]", "bilinear")
            .attr("spatial_bins_x", 2)
            .attr("spatial_bins_y", 2)
            .gives(["f32[?,8,7,7]"]);
    }

    #[test]
    fn errors() {
        pool("f32[1,393,38,63]", "f32[300,5]", "average").fails(
            "shape-conflict",
            "dimension 1 of `feature_maps` is 393, wanted 392: `output_dim` * `group_size` * `group_size`",
        );
        pool("f32[1,392,38,63]", "f32[300,4]", "average")
            .fails("shape-conflict", "dimension 1 of `rois` is 4, wanted 5: an image and four coordinates");
        pool("f32[1,392,38,63]", "f32[300,5]", "bilinear")
            .fails("attribute-value", "`spatial_bins_x` is 0, wanted more than 0");
        pool("f32[1,392,38,63]", "f32[300,5]", "Average")
            .fails("attribute-value", "`mode=\"Average\"` of PSROIPooling must be one of average, bilinear");
        op("PSROIPooling", 1, ["f32[1,392,38,63]", "f32[300,5]"])
            .attr("output_dim", 8)
            .attr("group_size", 7)
            .attr("spatial_scale", "0")
            .attr("mode", "average")
            .fails("attribute-value", "`spatial_scale` is 0, wanted more than 0");
    }
}
