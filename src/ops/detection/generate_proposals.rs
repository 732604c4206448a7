//! `GenerateProposals`: the best regions of every image, out of anchors, their deltas and scores.
//!
//! - Spec: `detection/generate-proposals-9`
//! - Shape: up to `images * post_nms_count` regions `[.., 4]`, their scores, and their number per image.
//! - Errors: `input-rank`; `missing-attribute`; `attribute-value`; `shape-conflict` if images, anchors, heights or widths
//!   differ.

use crate::ops::prelude::*;
use crate::ops::shared::boxes::up_to;

pub(super) static GENERATE_PROPOSALS_9: OpSpec = OpSpec {
    inputs: &[
        Input::any("im_info").ranks(&[2]),
        Input::any("anchors").ranks(&[4]),
        Input::any("boxesdeltas").ranks(&[4]),
        Input::any("scores").ranks(&[4]),
    ],
    attrs: &[
        Attr::optional("min_size", Kind::Float, "0"),
        Attr::optional("nms_threshold", Kind::Float, "0"),
        Attr::required("post_nms_count", Kind::from(1)),
        Attr::required("pre_nms_count", Kind::from(1)),
        Attr::optional("normalized", Kind::Flag, "true"),
        Attr::optional("nms_eta", Kind::Float, "1"),
        index_type_attr("roi_num_type"),
    ],
    outputs: Outputs::Exactly(3),
    demands: None,
    ..OpSpec::new("GenerateProposals", 9, infer)
};

const INFO: usize = 0;
const ANCHORS: usize = 1;
const DELTAS: usize = 2;
const SCORES: usize = 3;

#[allow(clippy::float_cmp, reason = "OpenVINO takes only the very number 1")]
fn infer(cx: &InferCtx) -> Inferred {
    if cx.float("nms_eta") != 1.0 {
        return Err(wrong_attr("nms_eta", format!("`nms_eta` is {}, wanted 1", cx.float("nms_eta"))));
    }
    // OpenVINO compares the others with the scores only, and the images of the scores with the deltas alone.
    let met = |fault: Fault, axis| {
        let is_met = fault.at == At::Input(SCORES) || cx.dim(SCORES, axis).is_exact();
        fault.late_unless(is_met)
    };
    let images = agreed_dim(cx, &[(INFO, 0), (DELTAS, 0), (SCORES, 0)])
        .map_err(|fault| fault.late_unless(cx.dim(DELTAS, 0).is_exact() && cx.input(SCORES).rank().is_some()))?;
    let info = cx.dim(INFO, 1);
    if !info.admits(3) && !info.admits(4) {
        return Err(conflict(cx, INFO, format!("dimension 1 of `im_info` is {info}, wanted 3 or 4")));
    }
    for axis in [0, 1] {
        let dims = [(ANCHORS, axis), (DELTAS, axis + 2), (SCORES, axis + 2)];
        agreed_dim(cx, &dims).map_err(|fault| met(fault, axis + 2))?;
    }
    let anchors = agreed_dim(cx, &[(ANCHORS, 2), (SCORES, 1)])?;
    wanted_dim(cx, ANCHORS, 3, Dim::exact(4), "the corners of an anchor")?;
    let wanted = anchors.times(Dim::exact(4));
    wanted_dim(cx, DELTAS, 1, wanted, "four per anchor").map_err(|fault| met(fault, 1))?;
    let regions = up_to(images.times(Dim::exact(cx.int("post_nms_count"))));
    let ty = cx.input(0).ty;
    Ok(vec![
        Fact::new(ty, PartialShape::of([regions, Dim::exact(4)])),
        Fact::new(ty, PartialShape::of([regions])),
        Fact::new(index_type(cx, "roi_num_type"), PartialShape::of([images])),
    ])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn generate(info: &str, anchors: &str, deltas: &str, scores: &str) -> OpTest {
        op("GenerateProposals", 9, [info, anchors, deltas, scores]).attr("post_nms_count", 100)
    }

    #[test]
    fn shapes() {
        generate("f32[8,3]", "f32[50,84,3,4]", "f32[8,12,50,84]", "f32[8,3,50,84]").attr("pre_nms_count", 100).gives([
            "f32[..800,4]",
            "f32[..800]",
            "i64[8]",
        ]);
        generate("f16[...]", "f32[...]", "f32[2..8,?,50,84]", "f32[?,3,50,84]")
            .attr("pre_nms_count", 100)
            .attr("roi_num_type", "i32")
            .gives(["f16[..800,4]", "f16[..800]", "i32[2..8]"]);
    }

    #[test]
    fn errors() {
        let full = |info, anchors, deltas, scores| generate(info, anchors, deltas, scores).attr("pre_nms_count", 100);
        full("f32[8,5]", "f32[50,84,3,4]", "f32[8,12,50,84]", "f32[8,3,50,84]")
            .fails("shape-conflict", "dimension 1 of `im_info` is 5, wanted 3 or 4");
        full("f32[8,3]", "f32[50,84,3,4]", "f32[8,13,50,84]", "f32[8,3,50,84]")
            .fails("shape-conflict", "dimension 1 of `boxesdeltas` is 13, wanted 12: four per anchor");
        full("f32[8,3]", "f32[50,84,3,4]", "f32[8,12,51,84]", "f32[8,3,50,84]")
            .fails("shape-conflict", "dimension 2 of `boxesdeltas` is 51, dimension 0 of `anchors` is 50");
        full("f32[8,3]", "f32[50,84,3,4]", "f32[7,12,50,84]", "f32[8,3,50,84]")
            .fails("shape-conflict", "dimension 0 of `boxesdeltas` is 7, dimension 0 of `im_info` is 8");
        full("f32[8,3]", "f32[50,84,3,4]", "f32[8,12,50,84]", "f32[8,3,50,84]")
            .attr("nms_eta", "0.9")
            .fails("attribute-value", "`nms_eta` is 0.9, wanted 1");
        generate("f32[8,3]", "f32[50,84,3,4]", "f32[8,12,50,84]", "f32[8,3,50,84]")
            .fails("missing-attribute", "GenerateProposals has no `pre_nms_count`");
    }
}
