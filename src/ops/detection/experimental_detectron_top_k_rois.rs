//! `ExperimentalDetectronTopKROIs`: the likeliest regions.
//!
//! - Spec: `sort/experimental-detectron-top-krois-6`
//! - Shape: `[max_rois, 4]`.
//! - Errors: `input-rank`; `input-type`; `type-conflict`; `shape-conflict` if the numbers of regions and probabilities differ,
//!   or a region does not have four numbers.

use crate::ops::prelude::*;
use crate::ops::shared::agreement::CHECK_OF_TYPES;

pub(super) static EXPERIMENTAL_DETECTRON_TOP_K_ROIS_6: OpSpec = OpSpec {
    inputs: &[Input::of("rois", REALS).ranks(&[2]), Input::of("rois_probs", REALS).ranks(&[1])],
    attrs: &[Attr::optional("max_rois", Kind::COUNT, "0").unsigned()],
    late_check: Some(CHECK_OF_TYPES),
    ..OpSpec::new("ExperimentalDetectronTopKROIs", 6, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let ty = agreed_type(cx, &[0, 1])?;
    agreed_dim(cx, &[(0, 0), (1, 0)])?;
    let four = wanted_dim(cx, 0, 1, Dim::exact(4), "the corners of a region")?;
    Ok(vec![Fact::new(ty, PartialShape::of([Dim::exact(cx.int("max_rois")), four]))])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let top = |rois, probs| op("ExperimentalDetectronTopKROIs", 6, [rois, probs]).attr("max_rois", 1000);
        top("f32[5000,4]", "f32[5000]").gives(["f32[1000,4]"]);
        top("f32[?,?]", "f32[...]").gives(["f32[1000,4]"]);
    }

    #[test]
    fn errors() {
        let top = |rois, probs| op("ExperimentalDetectronTopKROIs", 6, [rois, probs]).attr("max_rois", 1000);
        top("f32[5000,4]", "f32[4999]")
            .fails("shape-conflict", "dimension 0 of `rois_probs` is 4999, dimension 0 of `rois` is 5000");
        top("f32[5000,5]", "f32[5000]")
            .fails("shape-conflict", "dimension 1 of `rois` is 5, wanted 4: the corners of a region");
    }
}
