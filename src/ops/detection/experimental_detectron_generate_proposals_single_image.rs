//! `ExperimentalDetectronGenerateProposalsSingleImage`: the best regions of one image.
//!
//! - Spec: `detection/experimental-detectron-generate-proposals-single-image-6`
//! - Shape: `post_nms_count` regions `[.., 4]` and their scores.
//! - Errors: `input-rank`; `input-type`; `type-conflict`; `shape-conflict` if heights or widths differ, or if
//!   an anchor has no 4 numbers or `im_info` no 3.
//! - Differs from OpenVINO: nowhere; numbers of anchors are not compared.

use crate::ops::prelude::*;
use crate::ops::shared::agreement::CHECK_OF_TYPES;

pub(super) static EXPERIMENTAL_DETECTRON_GENERATE_PROPOSALS_SINGLE_IMAGE_6: OpSpec = OpSpec {
    inputs: &[
        Input::of("im_info", REALS).ranks(&[1]),
        Input::of("anchors", REALS).ranks(&[2]),
        Input::of("deltas", REALS).ranks(&[3]),
        Input::of("scores", REALS).ranks(&[3]),
    ],
    attrs: &[
        Attr::optional("min_size", Kind::Float, "0"),
        Attr::optional("nms_threshold", Kind::Float, "0"),
        Attr::optional("post_nms_count", Kind::INT, "0"),
        Attr::optional("pre_nms_count", Kind::INT, "0"),
    ],
    outputs: Outputs::Exactly(2),
    late_check: Some(CHECK_OF_TYPES),
    ..OpSpec::new("ExperimentalDetectronGenerateProposalsSingleImage", 6, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let ty = agreed_type(cx, &[0, 1, 2, 3])?;
    wanted_dim(cx, 0, 0, Dim::exact(3), "height, width and scale")?;
    wanted_dim(cx, 1, 1, Dim::exact(4), "the corners of an anchor")?;
    agreed_dim(cx, &[(2, 1), (3, 1)])?;
    agreed_dim(cx, &[(2, 2), (3, 2)])?;
    let kept = Dim::exact(cx.int("post_nms_count"));
    Ok(vec![Fact::new(ty, PartialShape::of([kept, Dim::exact(4)])), Fact::new(ty, PartialShape::of([kept]))])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn generate(info: &str, anchors: &str, deltas: &str) -> OpTest {
        op("ExperimentalDetectronGenerateProposalsSingleImage", 6, [info, anchors, deltas, "f32[3,200,336]"])
            .attr("post_nms_count", 1000)
    }

    #[test]
    fn shapes() {
        generate("f32[3]", "f32[201600,4]", "f32[12,200,336]").gives(["f32[1000,4]", "f32[1000]"]);
        generate("f32[...]", "f32[?,?]", "f32[?,100..,?]").gives(["f32[1000,4]", "f32[1000]"]);
    }

    #[test]
    fn errors() {
        generate("f32[4]", "f32[201600,4]", "f32[12,200,336]")
            .fails("shape-conflict", "dimension 0 of `im_info` is 4, wanted 3: height, width and scale");
        generate("f32[3]", "f32[201600,5]", "f32[12,200,336]")
            .fails("shape-conflict", "dimension 1 of `anchors` is 5, wanted 4: the corners of an anchor");
        generate("f32[3]", "f32[201600,4]", "f32[12,201,336]")
            .fails("shape-conflict", "dimension 1 of `scores` is 200, dimension 1 of `deltas` is 201");
    }
}
