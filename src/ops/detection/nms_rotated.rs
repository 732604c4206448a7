//! `NMSRotated`: `NonMaxSuppression` of rotated boxes.
//!
//! - Spec: `sort/nms-rotated-13`
//! - Shape: as `NonMaxSuppression` since 5, with five numbers to a box.
//! - Errors: as `NonMaxSuppression`.
//! - Differs from OpenVINO: as `NonMaxSuppression`.

use super::non_max_suppression::{limit, selection};
use crate::ops::prelude::*;

pub(super) static NMS_ROTATED_13: OpSpec = OpSpec {
    inputs: &[
        Input::of("boxes", REALS).ranks(&[3]),
        Input::of("scores", REALS).ranks(&[3]),
        Input::index("max_output_boxes_per_class").unread().ranks(&[0, 1]),
        Input::of("iou_threshold", REALS).ranks(&[0, 1]),
        Input::of("score_threshold", REALS).ranks(&[0, 1]),
    ],
    attrs: &[
        Attr::optional("sort_result_descending", Kind::Flag, "true"),
        index_type_attr("output_type"),
        Attr::optional("clockwise", Kind::Flag, "true"),
    ],
    outputs: Outputs::Exactly(3),
    demands: None,
    action: Action::Detects,
    ..OpSpec::new("NMSRotated", 13, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    for i in 2..=4 {
        wanted_dim(cx, i, 0, Dim::exact(1), "one number")?;
    }
    selection(cx, 5, limit(cx))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let nms = |boxes, limit| op("NMSRotated", 13, [boxes, "f32[2,5,1000]", limit, "f32[]", "f32[1]"]);
        nms("f32[2,1000,5]", "i64[] = 10").gives(["i64[..100,3]", "f32[..100,3]", "i64[1]"]);
        nms("f64[...]", "i64[]").attr("output_type", "i32").gives(["i32[..10000,3]", "f32[..10000,3]", "i32[1]"]);
    }

    #[test]
    fn errors() {
        let nms = |boxes, limit| op("NMSRotated", 13, [boxes, "f32[2,5,1000]", limit, "f32[]", "f32[]"]);
        nms("f32[2,1000,4]", "i64[] = 10")
            .fails("shape-conflict", "dimension 2 of `boxes` is 4, wanted 5: the numbers that make a box");
        nms("f32[2,1000,5]", "f32[] = 10")
            .fails("index-type", "`max_output_boxes_per_class` must be of an integer type, but is f32");
    }
}
