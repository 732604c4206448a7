//! `ROIAlignRotated`: `ROIAlign` of rotated regions.
//!
//! - Spec: `detection/roi-align-rotated-15`
//! - Shape: as `ROIAlign`, with five numbers to a region.
//! - Errors: as `ROIAlign`.

use super::roi_align::{INPUTS, POOLED_H, POOLED_W, SAMPLING, SCALE, aligned};
use crate::ops::prelude::*;

pub(super) static ROI_ALIGN_ROTATED_15: OpSpec = OpSpec {
    inputs: INPUTS,
    attrs: &[POOLED_H, POOLED_W, SAMPLING, SCALE, Attr::optional("clockwise_mode", Kind::Flag, "false")],
    demands: None,
    ..OpSpec::new("ROIAlignRotated", 15, |cx| aligned(cx, 5))
};

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("ROIAlignRotated", 15, ["f32[2,3,38,63]", "f32[?,5]", "i32[300]"])
            .attr("pooled_h", 7)
            .attr("pooled_w", 6)
            .gives(["f32[300,3,7,6]"]);
    }

    #[test]
    fn errors() {
        op("ROIAlignRotated", 15, ["f32[2,3,38,63]", "f32[300,4]", "i32[300]"])
            .fails("shape-conflict", "dimension 1 of `rois` is 4, wanted 5: the numbers that make a region");
    }
}
