//! `Proposal`: turns the scores of anchors into regions that may hold an object.
//!
//! - Spec: `detection/proposal-1`, `-4`
//! - Shape: `[batch * post_nms_topn, 5]`; batch from both inputs.
//! - Errors: `input-rank`; `needs-type`; `input-type`; `shape-conflict` if batches differ, `bbox_deltas` has not twice the channels of
//!   `class_probs`, or `image_shape` has neither three nor four elements.
//! - Revisions: 4 adds the scores of the regions.

use crate::ops::prelude::*;

pub(super) static PROPOSAL_1: OpSpec = OpSpec {
    inputs: &[
        Input::of("class_probs", REALS).ranks(&[4]).typed(),
        Input::of("bbox_deltas", REALS).ranks(&[4]).typed(),
        Input::of("image_shape", REALS).ranks(&[1]).typed(),
    ],
    attrs: &[
        Attr::optional("base_size", Kind::INT, "0"),
        Attr::optional("pre_nms_topn", Kind::INT, "0"),
        Attr::optional("post_nms_topn", Kind::COUNT, "0").unsigned(),
        Attr::optional("nms_thresh", Kind::Float, "0"),
        Attr::optional("feat_stride", Kind::INT, "1"),
        Attr::optional("min_size", Kind::INT, "1"),
        Attr::optional("ratio", Kind::Floats, ""),
        Attr::optional("scale", Kind::Floats, ""),
        Attr::optional("clip_before_nms", Kind::Flag, "true"),
        Attr::optional("clip_after_nms", Kind::Flag, "false"),
        Attr::optional("normalize", Kind::Flag, "false"),
        Attr::optional("box_size_scale", Kind::Float, "1"),
        Attr::optional("box_coordinate_scale", Kind::Float, "1"),
        Attr::optional("framework", Kind::Word(&["", "tensorflow"]), ""),
    ],
    demands: None,
    ..OpSpec::new("Proposal", 1, infer)
};

pub(super) static PROPOSAL_4: OpSpec = OpSpec { opset: 4, outputs: Outputs::Exactly(2), infer: infer_4, ..PROPOSAL_1 };

fn infer(cx: &InferCtx) -> Inferred {
    let batch = agreed_dim(cx, &[(0, 0), (1, 0)])?;
    wanted_dim(cx, 1, 1, cx.dim(0, 1).times(Dim::exact(2)), "twice the channels of `class_probs`")?;
    let image = cx.dim(2, 0);
    if !image.admits(3) && !image.admits(4) {
        return Err(conflict(cx, 2, format!("`image_shape` has {image} element{s}, wanted 3 or 4", s = plural(image))));
    }
    let regions = batch.times(Dim::exact(cx.int("post_nms_topn")));
    Ok(vec![Fact::new(cx.input(0).ty, PartialShape::of([regions, Dim::exact(5)]))])
}

fn infer_4(cx: &InferCtx) -> Inferred {
    let mut outputs = infer(cx)?;
    let scores = outputs.first().map(|regions| Fact::new(regions.ty, PartialShape::of([regions.shape.dim(0)])));
    outputs.extend(scores);
    Ok(outputs)
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let proposal =
            |opset, probs, deltas, image| op("Proposal", opset, [probs, deltas, image]).attr("post_nms_topn", 300);
        proposal(1, "f32[1,18,34,62]", "f32[1,36,34,62]", "f16[3]").gives(["f32[300,5]"]);
        proposal(4, "f32[1..2,18,34,62]", "f32[?,36,?,?]", "f32[?]").gives(["f32[300..600,5]", "f32[300..600]"]);
        proposal(4, "f32[...]", "f32[...]", "f32[...]").gives(["f32[?,5]", "f32[?]"]);
    }

    #[test]
    fn errors() {
        let proposal = |probs, deltas, image| op("Proposal", 1, [probs, deltas, image]).attr("post_nms_topn", 300);
        proposal("f32[1,18,34,62]", "f32[1,35,34,62]", "f32[3]").fails(
            "shape-conflict",
            "dimension 1 of `bbox_deltas` is 35, wanted 36: twice the channels of `class_probs`",
        );
        proposal("f32[2,18,34,62]", "f32[1,36,34,62]", "f32[3]")
            .fails("shape-conflict", "dimension 0 of `bbox_deltas` is 1, dimension 0 of `class_probs` is 2");
        proposal("f32[1,18,34,62]", "f32[1,36,34,62]", "f32[5..]")
            .fails("shape-conflict", "`image_shape` has 5.. elements, wanted 3 or 4");
        proposal("i32[1,18,34,62]", "f32[1,36,34,62]", "f32[3]")
            .fails("input-type", "Proposal does not accept i32 at input 0 `class_probs`");
        op("Proposal", 1, ["f32[1,18,34,62]", "f32[1,36,34,62]", "f32[3]"])
            .attr("post_nms_topn", 300)
            .attr("framework", "caffe")
            .fails("attribute-value", "`framework=\"caffe\"` of Proposal must be one of \"\", tensorflow");
    }
}
