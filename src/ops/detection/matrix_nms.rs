//! `MatrixNms`: lowers the scores of overlapping boxes, then selects the best.
//!
//! - Spec: `sort/matrix-non-max-suppression-8`
//! - Shape: up to M rows of class, score and box, as many indices, and their number per image; M is `keep_top_k` per image,
//!   at most `nms_top_k` per class of the boxes there are. Negative limits mean no limit.
//! - Errors: `input-rank`; `needs-type`; `type-conflict`; `shape-conflict` if `boxes` and `scores` do not go together.
//! - Differs from OpenVINO: both inputs determine the number of boxes and images.

use crate::ops::LateCheck;
use crate::ops::prelude::*;
use crate::ops::shared::boxes::Candidates;
use crate::types::ElementType as T;

pub(super) static MATRIX_NMS_8: OpSpec = OpSpec {
    inputs: &[Input::of("boxes", SCORES).ranks(&[3]).typed(), Input::of("scores", SCORES).ranks(&[3]).typed()],
    attrs: &[
        SORT,
        index_type_attr("output_type"),
        NMS_TOP_K,
        KEEP_TOP_K,
        Attr::optional("sort_result_across_batch", Kind::Flag, "false"),
        Attr::optional("score_threshold", Kind::Float, "0"),
        BACKGROUND_CLASS,
        Attr::optional("decay_function", Kind::Choice(&["gaussian", "linear"]), "linear"),
        Attr::optional("gaussian_sigma", Kind::Float, "2"),
        Attr::optional("post_threshold", Kind::Float, "0"),
        Attr::optional("normalized", Kind::Flag, "true"),
    ],
    outputs: Outputs::Exactly(3),
    late_check: Some(LateCheck { first: release(2023, 1), finds: |_, _| true }),
    action: Action::Detects,
    ..OpSpec::new("MatrixNms", 8, |cx| Ok(kept(cx, agreed_type(cx, &[0, 1])?, Candidates::read(cx, 4)?)))
};

pub(super) const SCORES: TypeSet = TypeSet::of(&[T::F32, T::F16, T::Bf16]);
pub(super) const SORT: Attr = Attr::optional("sort_result_type", Kind::Choice(&["classid", "score", "none"]), "none");
pub(super) const NMS_TOP_K: Attr = Attr::optional("nms_top_k", Kind::Int32(-1), "-1").checked(Checked::Ranked);
pub(super) const KEEP_TOP_K: Attr = Attr::optional("keep_top_k", Kind::Int32(-1), "-1").checked(Checked::Ranked);

pub(super) const BACKGROUND_CLASS: Attr = Attr::optional("background_class", Kind::Int32(-1), "-1");

/// The outputs: rows, indices and numbers of the selected boxes.
pub(super) fn kept(cx: &InferCtx, ty: T, found: Candidates) -> Vec<Fact> {
    let rows = found.kept(cx.int("nms_top_k"), cx.int("keep_top_k"));
    let index = index_type(cx, "output_type");
    vec![
        Fact::new(ty, PartialShape::of([rows, Dim::exact(6)])),
        Fact::new(index, PartialShape::of([rows, Dim::exact(1)])),
        Fact::new(index, PartialShape::of([found.batch])),
    ]
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let nms = |boxes, scores| op("MatrixNms", 8, [boxes, scores]);
        nms("f32[2,1000,4]", "f32[2,5,1000]").gives(["f32[..10000,6]", "i64[..10000,1]", "i64[2]"]);
        nms("f16[2,1000,4]", "f16[2,5,1000]").attr("nms_top_k", 10).gives(["f16[..100,6]", "i64[..100,1]", "i64[2]"]);
        nms("f32[2,1000,4]", "f32[1..2,..5,?]").attr("keep_top_k", 7).attr("output_type", "i32").gives([
            "f32[..14,6]",
            "i32[..14,1]",
            "i32[2]",
        ]);
        nms("f32[...]", "f32[...]").gives(["f32[?,6]", "i64[?,1]", "i64[?]"]);
    }

    #[test]
    fn errors() {
        let nms = |boxes, scores| op("MatrixNms", 8, [boxes, scores]);
        nms("f32[2,1000,4]", "f32[2,5,999]")
            .fails("shape-conflict", "dimension 2 of `scores` is 999, dimension 1 of `boxes` is 1000");
        nms("f32[2,1000,4]", "f16[2,5,1000]").fails("type-conflict", "`scores` is f16, `boxes` is f32");
        nms("f32[2,1000,4]", "f32[2,5,1000]")
            .attr("nms_top_k", -2)
            .fails("attribute-value", "`nms_top_k=\"-2\"` of MatrixNms must be at least -1");
    }
}
