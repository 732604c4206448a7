//! `MulticlassNms`: suppresses overlapping boxes class by class, then selects the best of all.
//!
//! - Spec: `sort/multiclass-non-max-suppression-8`, `-9`
//! - Shape: as `MatrixNms`. With `roisnum` `[images]`, boxes are `[classes, boxes, 4]` and scores `[classes, boxes]`.
//! - Errors: as `MatrixNms`; `attribute-value` if `nms_eta` is not from 0 to 1.
//! - Differs from OpenVINO: as `MatrixNms`; scores may have an unknown rank.
//! - Revisions: 9 adds `roisnum`.

use super::matrix_nms::{BACKGROUND_CLASS, KEEP_TOP_K, NMS_TOP_K, SCORES, SORT, kept};
use crate::ops::Recent;
use crate::ops::prelude::*;
use crate::ops::shared::boxes::Candidates;
use crate::types::release;

pub(super) static MULTICLASS_NMS_8: OpSpec = OpSpec {
    inputs: &[Input::of("boxes", SCORES).ranks(&[3]).typed(), Input::of("scores", SCORES).ranks(&[3]).typed()],
    attrs: &[
        SORT,
        index_type_attr("output_type"),
        NMS_TOP_K.checked(Checked::Always),
        KEEP_TOP_K.checked(Checked::Always),
        Attr::optional("sort_result_across_batch", Kind::Flag, "false"),
        Attr::optional("iou_threshold", Kind::Float, "0"),
        Attr::optional("score_threshold", Kind::Float, "0"),
        BACKGROUND_CLASS,
        Attr::optional("nms_eta", Kind::Float, "1"),
        Attr::optional("normalized", Kind::Flag, "true"),
    ],
    outputs: Outputs::Exactly(3),
    recent: &[Recent {
        what: "boxes whose number of coordinates is not known",
        first: release(2023, 1),
        attr: "",
        is_used: |inputs, _| {
            let boxes = inputs.first().copied().flatten().and_then(|boxes| boxes.shape.dims());
            boxes.and_then(|boxes| boxes.get(2)).is_some_and(|coordinates| !coordinates.is_exact())
        },
    }],
    action: Action::Detects,
    ..OpSpec::new("MulticlassNms", 8, infer)
};

pub(super) static MULTICLASS_NMS_9: OpSpec = OpSpec {
    opset: 9,
    inputs: &[
        Input::of("boxes", SCORES).ranks(&[3]).typed(),
        Input::of("scores", SCORES).ranks(&[2, 3]).typed(),
        Input::of("roisnum", TypeSet::I32_OR_I64).ranks(&[1]).typed().optional(),
    ],
    ..MULTICLASS_NMS_8
};

fn infer(cx: &InferCtx) -> Inferred {
    let ty = agreed_type(cx, &[0, 1])?;
    let eta = cx.float("nms_eta");
    if !(0.0..=1.0).contains(&eta) {
        return Err(wrong_attr("nms_eta", format!("`nms_eta` is {eta}, wanted 0 to 1")));
    }
    let regions = cx.has_input(2);
    let wanted = if regions { 2 } else { 3 };
    if cx.input(1).rank().is_some_and(|rank| rank != wanted) {
        let with = if regions { "with" } else { "without" };
        return Err(wrong_rank(cx, 1, &format!("of rank {wanted} {with} `roisnum`")));
    }
    let found = if regions { by_region(cx)? } else { Candidates::read(cx, 4)? };
    Ok(kept(cx, ty, found))
}

/// The boxes of regions that `roisnum` assigns to the images.
fn by_region(cx: &InferCtx) -> Result<Candidates, Fault> {
    let classes = agreed_dim(cx, &[(0, 0), (1, 0)])?;
    let boxes = agreed_dim(cx, &[(0, 1), (1, 1)])?;
    wanted_dim(cx, 0, 2, Dim::exact(4), "the numbers that make a box")?;
    Ok(Candidates { batch: cx.dim(2, 0), classes, boxes })
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("MulticlassNms", 8, ["f32[2,1000,4]", "f32[2,5,1000]"]).attr("nms_top_k", 10).gives([
            "f32[..100,6]",
            "i64[..100,1]",
            "i64[2]",
        ]);
        op("MulticlassNms", 9, ["f32[5,1000,4]", "f32[5,1000]", "i32[2]"]).attr("keep_top_k", 7).gives([
            "f32[..14,6]",
            "i64[..14,1]",
            "i64[2]",
        ]);
        op("MulticlassNms", 9, ["f32[5,1000,4]", "f32[...]", "i64[?]"]).gives(["f32[?,6]", "i64[?,1]", "i64[?]"]);
    }

    #[test]
    fn errors() {
        op("MulticlassNms", 9, ["f32[5,1000,4]", "f32[5,1000]"])
            .fails("input-rank", "`scores` of MulticlassNms must be of rank 3 without `roisnum`, but is f32[5,1000]");
        op("MulticlassNms", 9, ["f32[5,1000,4]", "f32[4,1000]", "i32[2]"])
            .fails("shape-conflict", "dimension 0 of `scores` is 4, dimension 0 of `boxes` is 5");
        op("MulticlassNms", 9, ["f32[5,1000,4]", "f32[5,1000]", "u8[2]"])
            .fails("input-type", "MulticlassNms does not accept u8 at input 2 `roisnum`");
        op("MulticlassNms", 8, ["f32[2,1000,4]", "f32[2,5,1000]"])
            .attr("nms_eta", 2)
            .fails("attribute-value", "`nms_eta` is 2, wanted 0 to 1");
    }
}
