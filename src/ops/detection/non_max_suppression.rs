//! `NonMaxSuppression`: selects the best boxes of every class without those that overlap a better one too much.
//!
//! - Spec: `sort/non-max-suppression-1`, `-3`, `-4`, `-9`, `no-max-suppression-5`
//! - Shape: rows of batch, class and box. 1 and 3: `min(boxes, limit * classes)` rows, with the numbers from `boxes` and
//!   `scores`; 4: `min(boxes, limit)` rows per class of every image; since 5 up to that many, with their scores, and their
//!   number. The limit is `max_output_boxes_per_class`, which must be known before 5. Without that input it is 0; since 5
//!   there is no limit.
//! - Errors: `input-rank`; `input-type`; `shape-conflict` if `boxes` and `scores` do not go together.
//! - Differs from OpenVINO: bounds are used, and both inputs determine the number of boxes and images; a negative limit means
//!   no limit. The rows of 1 and 3 ignore the number of images, but devices return those of all images; the shape allows
//!   both if the number of rows is not constant. In 4 OpenVINO uses the upper bounds of `scores` as lengths; the shape
//!   allows the result.
//! - Revisions: 3 adds `output_type`; 4 counts per image; 5 adds soft suppression, scores and number; 9 as 5.

use crate::ops::prelude::*;
use crate::ops::shared::boxes::CHECK_OF_OPEN_SHAPES;
use crate::ops::shared::boxes::{Candidates, limited, up_to};
use crate::types::ElementType as T;

pub(super) static NON_MAX_SUPPRESSION_1: OpSpec = OpSpec {
    inputs: &[
        Input::any("boxes").ranks(&[3]),
        Input::any("scores").ranks(&[3]),
        LIMIT.ranks(&[0]).optional(),
        Input::any("iou_threshold").ranks(&[0]).optional(),
        Input::any("score_threshold").ranks(&[0]).skippable(),
    ],
    attrs: &[BOX_ENCODING, SORT],
    late_check: Some(CHECK_OF_OPEN_SHAPES),
    action: Action::Detects,
    ..OpSpec::new("NonMaxSuppression", 1, infer_1)
};

pub(super) static NON_MAX_SUPPRESSION_3: OpSpec =
    OpSpec { opset: 3, attrs: &[BOX_ENCODING, SORT, OUTPUT_TYPE], ..NON_MAX_SUPPRESSION_1 };

pub(super) static NON_MAX_SUPPRESSION_4: OpSpec = OpSpec { opset: 4, infer: infer_4, ..NON_MAX_SUPPRESSION_3 };

pub(super) static NON_MAX_SUPPRESSION_5: OpSpec = OpSpec {
    opset: 5,
    inputs: &[
        Input::of("boxes", SCORES).ranks(&[3]),
        Input::of("scores", SCORES).ranks(&[3]),
        LIMIT.ranks(&[0, 1]).unread().optional(),
        Input::of("iou_threshold", SCORES).ranks(&[0, 1]).optional(),
        Input::of("score_threshold", SCORES).ranks(&[0, 1]).skippable(),
        Input::of("soft_nms_sigma", SCORES).ranks(&[0, 1]).optional(),
    ],
    outputs: Outputs::Exactly(3),
    infer: infer_5,
    ..NON_MAX_SUPPRESSION_3
};

pub(super) static NON_MAX_SUPPRESSION_9: OpSpec = OpSpec { opset: 9, ..NON_MAX_SUPPRESSION_5 };

const LIMIT: Input = Input::index("max_output_boxes_per_class").types(TypeSet::ANY).if_ranked();
const SCORES: TypeSet = TypeSet::of(&[T::F32, T::F16, T::Bf16]);
const BOX_ENCODING: Attr = Attr::optional("box_encoding", Kind::Choice(&["corner", "center"]), "corner");
const SORT: Attr = Attr::optional("sort_result_descending", Kind::Flag, "true");
const OUTPUT_TYPE: Attr = index_type_attr("output_type");

fn infer_1(cx: &InferCtx) -> Inferred {
    let found = Candidates::read(cx, 4)?;
    let limit = limit(cx);
    let formula = match (cx.dim(0, 1).length(), found.classes.length(), limit) {
        (Some(boxes), Some(classes), Some(limit)) => Some(Dim::exact(classes.saturating_mul(limit).min(boxes))),
        _ => None,
    };
    let rows = formula.unwrap_or_else(|| found.selected(limit).hull(up_to(smaller(found, limit))));
    Ok(vec![rows_of_three(index_type(cx, "output_type"), rows)])
}

fn infer_4(cx: &InferCtx) -> Inferred {
    let found = Candidates::read(cx, 4)?;
    let limit = limit(cx);
    let each = found.classes.times(limited(found.boxes, limit));
    // OpenVINO uses the upper bounds of `scores` as lengths and writes that to files, whatever `boxes` determines.
    let most = up_to(cx.dim(1, 0).times(each));
    let least = if limit.is_some() { found.batch.times(each).lower() } else { 0 };
    let rows = most.merge(Dim::at_least(least)).unwrap_or(most);
    Ok(vec![rows_of_three(index_type(cx, "output_type"), rows)])
}

fn infer_5(cx: &InferCtx) -> Inferred {
    for i in 2..=5 {
        wanted_dim(cx, i, 0, Dim::exact(1), "one number")?;
    }
    if [0, 1].iter().all(|i| cx.input(*i).rank().is_some()) && cx.has_input(2) {
        check_reading(cx, 2)?;
    }
    let limit = if cx.has_input(2) { limit(cx) } else { None };
    selection(cx, 4, limit)
}

/// The outputs: indices, scores and number of the selected boxes.
pub(super) fn selection(cx: &InferCtx, numbers: i64, limit: Option<i64>) -> Result<Vec<Fact>, Fault> {
    let rows = Candidates::read(cx, numbers)?.selected(limit);
    let ty = index_type(cx, "output_type");
    let one = Fact::new(ty, PartialShape::of([Dim::exact(1)]));
    Ok(vec![rows_of_three(ty, rows), rows_of_three(T::F32, rows), one])
}

/// The limit of boxes per class, if it is known and not negative; 0 if the input is omitted.
pub(super) fn limit(cx: &InferCtx) -> Option<i64> {
    if !cx.has_input(2) {
        return Some(0);
    }
    warn_of_floats(cx, 2);
    match cx.constant(2)?[..] {
        [limit] if limit >= 0 => Some(limit),
        _ => None,
    }
}

/// The number of rows in revisions 1 and 3.
fn smaller(found: Candidates, limit: Option<i64>) -> Dim {
    match limit.and_then(|limit| found.classes.times(Dim::exact(limit)).upper()) {
        Some(all) => limited(found.boxes, Some(all)),
        None => found.boxes,
    }
}

fn rows_of_three(ty: T, rows: Dim) -> Fact {
    Fact::new(ty, PartialShape::of([rows, Dim::exact(3)]))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let nms = |opset, boxes, scores, limit| op("NonMaxSuppression", opset, [boxes, scores, limit]);
        nms(1, "f32[2,10,4]", "f32[2,5,10]", "i64[] = 1").gives(["i64[5,3]"]);
        nms(1, "f32[2,10,4]", "f32[2,1..5,10]", "i64[] = 3").gives(["i64[..30,3]"]);
        nms(1, "f32[2,?,4]", "f32[2,5,?]", "i64[] = 3").gives(["i64[..30,3]"]);
        nms(1, "f32[2,8..10,4]", "f32[2,5,10]", "i64[] = 1").gives(["i64[..10,3]"]);
        nms(1, "f32[?,8..10,4]", "f32[0,5,10]", "i64[] = 1").gives(["i64[..5,3]"]);
        nms(3, "i8[?,10,4]", "f32[...]", "i64[]").attr("output_type", "i32").gives(["i32[?,3]"]);
        nms(4, "f32[2,10,4]", "f32[2,5,10]", "f32[] = 3.7")
            .warns("float-index", "`max_output_boxes_per_class` is f32; OpenVINO truncates its values to integers")
            .gives(["i64[30,3]"]);
        nms(4, "f32[2,8..10,4]", "f32[..2,5,?]", "i64[] = 9").gives(["i64[80..90,3]"]);
        nms(4, "f32[2,10,4]", "f32[1..3,4..5,10]", "i64[] = 1").gives(["i64[8..15,3]"]);
        nms(5, "f32[2,10..20,4]", "f16[?,5,15..30]", "i64[1] = 100").gives(["i64[..200,3]", "f32[..200,3]", "i64[1]"]);
        nms(9, "f32[2,10,4]", "f32[2,5,10]", "i64[]").gives(["i64[..100,3]", "f32[..100,3]", "i64[1]"]);
        nms(9, "f32[2,?,4]", "f32[2,?,?]", "i32[] = 0").gives(["i64[0,3]", "f32[0,3]", "i64[1]"]);
        nms(9, "f32[2,?,4]", "f32[2,?,?]", "i32[] = 1").gives(["i64[?,3]", "f32[?,3]", "i64[1]"]);
        op("NonMaxSuppression", 4, ["f32[2,10,4]", "f32[2,5,10]"]).gives(["i64[0,3]"]);
        op("NonMaxSuppression", 9, ["f32[2,10,4]", "f32[2,5,10]"]).gives(["i64[..100,3]", "f32[..100,3]", "i64[1]"]);
    }

    #[test]
    fn errors() {
        let nms = |opset, boxes, scores, limit| op("NonMaxSuppression", opset, [boxes, scores, limit]);
        nms(9, "f32[2,10,4]", "f32[2,5,10]", "u1[] = 1").fails(
            "index-type",
            "`max_output_boxes_per_class` of NonMaxSuppression holds constants of type u1, which OpenVINO cannot read",
        );
        nms(9, "f32[2,10,4]", "f32[...]", "u1[] = 1").yields(["i64[?,3]", "f32[?,3]", "i64[1]"]);
        nms(9, "f32[2,10,4]", "f32[3,5,10]", "i64[] = 1")
            .fails("shape-conflict", "dimension 0 of `scores` is 3, dimension 0 of `boxes` is 2");
        nms(9, "f32[2,10,4]", "f32[2,5,11]", "i64[] = 1")
            .fails("shape-conflict", "dimension 2 of `scores` is 11, dimension 1 of `boxes` is 10");
        nms(9, "f32[2,10,5]", "f32[2,5,10]", "i64[] = 1")
            .fails("shape-conflict", "dimension 2 of `boxes` is 5, wanted 4: the numbers that make a box");
        nms(9, "f32[2,10,4]", "f32[2,5,10]", "i64[2] = 1,2")
            .fails("shape-conflict", "dimension 0 of `max_output_boxes_per_class` is 2, wanted 1: one number");
        nms(1, "f32[2,10,4]", "f32[2,5,10]", "i64[1] = 1")
            .fails("input-rank", "`max_output_boxes_per_class` of NonMaxSuppression must be a scalar, but is i64[1]");
        nms(9, "f64[2,10,4]", "f32[2,5,10]", "i64[] = 1")
            .fails("input-type", "NonMaxSuppression does not accept f64 at input 0 `boxes`");
        nms(9, "f32[2,10,4]", "f32[2,5,10]", "i64[] = 1")
            .attr("output_type", "i16")
            .fails("attribute-value", "`output_type=\"i16\"` of NonMaxSuppression must be one of i64, i32");
    }
}
