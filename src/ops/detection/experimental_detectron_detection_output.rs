//! `ExperimentalDetectronDetectionOutput`: the best boxes of all classes.
//!
//! - Spec: `detection/experimental-detectron-detection-output-6`
//! - Shape: `max_detections_per_image` boxes `[.., 4]`, their classes and their scores.
//! - Errors: `input-rank`; `input-type`; `type-conflict`; `missing-attribute`; `shape-conflict` if regions or classes differ.

use crate::ops::prelude::*;

pub(super) static EXPERIMENTAL_DETECTRON_DETECTION_OUTPUT_6: OpSpec = OpSpec {
    inputs: &[
        Input::of("rois", REALS).ranks(&[2]),
        Input::of("deltas", REALS).ranks(&[2]),
        Input::of("scores", REALS).ranks(&[2]),
        Input::of("im_info", REALS).ranks(&[2]),
    ],
    attrs: &[
        Attr::optional("score_threshold", Kind::Float, "0"),
        Attr::optional("nms_threshold", Kind::Float, "0"),
        Attr::optional("max_delta_log_wh", Kind::Float, "0"),
        Attr::required("num_classes", Kind::INT),
        Attr::optional("post_nms_count", Kind::INT, "0"),
        Attr::optional("max_detections_per_image", Kind::COUNT, "0").unsigned(),
        Attr::optional("class_agnostic_box_regression", Kind::Flag, "false"),
        Attr::optional("deltas_weights", Kind::Floats, ""),
    ],
    outputs: Outputs::Exactly(3),
    demands: None,
    waits: &[&SHAPE_CONFLICT],
    action: Action::Detects,
    ..OpSpec::new("ExperimentalDetectronDetectionOutput", 6, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let ty = agreed_type(cx, &[0, 1, 2, 3])?;
    let classes = Dim::exact(cx.int("num_classes"));
    agreed_dim(cx, &[(0, 0), (1, 0), (2, 0)])?;
    wanted_dim(cx, 0, 1, Dim::exact(4), "the corners of a region")?;
    wanted_dim(cx, 1, 1, classes.times(Dim::exact(4)), "four per class")?;
    wanted_dim(cx, 2, 1, classes, "`num_classes`")?;
    wanted_dim(cx, 3, 0, Dim::exact(1), "there is one image")?;
    wanted_dim(cx, 3, 1, Dim::exact(3), "height, width and scale")?;
    let kept = Dim::exact(cx.int("max_detections_per_image"));
    let list = PartialShape::of([kept]);
    Ok(vec![
        Fact::new(ty, PartialShape::of([kept, Dim::exact(4)])),
        Fact::new(ElementType::I32, list.clone()),
        Fact::new(ty, list),
    ])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn output(rois: &str, deltas: &str, scores: &str) -> OpTest {
        op("ExperimentalDetectronDetectionOutput", 6, [rois, deltas, scores, "f32[1,3]"])
            .attr("num_classes", 81)
            .attr("max_detections_per_image", 100)
    }

    #[test]
    fn shapes() {
        output("f32[1000,4]", "f32[1000,324]", "f32[1000,81]").gives(["f32[100,4]", "i32[100]", "f32[100]"]);
        output("f32[?,?]", "dynamic[...]", "f32[1000,?]").gives(["f32[100,4]", "i32[100]", "f32[100]"]);
    }

    #[test]
    fn errors() {
        output("f32[1000,4]", "f32[1000,323]", "f32[1000,81]")
            .fails("shape-conflict", "dimension 1 of `deltas` is 323, wanted 324: four per class");
        output("f32[1000,4]", "f32[1000,324]", "f32[1000,80]")
            .fails("shape-conflict", "dimension 1 of `scores` is 80, wanted 81: `num_classes`");
        output("f32[999,4]", "f32[1000,324]", "f32[1000,81]")
            .fails("shape-conflict", "dimension 0 of `deltas` is 1000, dimension 0 of `rois` is 999");
        output("f32[1000,4]", "f16[1000,324]", "f32[1000,81]").fails("type-conflict", "`deltas` is f16, `rois` is f32");
        op("ExperimentalDetectronDetectionOutput", 6, ["f32[...]", "f32[...]", "f32[...]", "f32[...]"])
            .fails("missing-attribute", "ExperimentalDetectronDetectionOutput has no `num_classes`");
    }
}
