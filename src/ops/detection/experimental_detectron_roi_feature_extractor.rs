//! `ExperimentalDetectronROIFeatureExtractor`: samples every region from the layer of a pyramid that suits its size.
//!
//! - Spec: `detection/experimental-detectron-roi-feature-extractor-6`
//! - Shape: `[regions, channels, output_size, output_size]` and the regions `[regions, 4]`.
//! - Errors: `wrong-input-count`; `input-rank`; `input-type`; `type-conflict`; `shape-conflict` if layers differ in channels
//!   or hold several images, or `rois` has not four numbers.

use crate::ops::prelude::*;
use crate::ops::shared::agreement::CHECK_OF_TYPES;

pub(super) static EXPERIMENTAL_DETECTRON_ROI_FEATURE_EXTRACTOR_6: OpSpec = OpSpec {
    inputs: &[Input::of("rois", REALS).ranks(&[2]), Input::of("pyramid_layer", REALS).ranks(&[4]).variadic()],
    attrs: &[
        Attr::optional("output_size", Kind::INT, "0"),
        Attr::optional("sampling_ratio", Kind::INT, "0"),
        Attr::optional("pyramid_scales", Kind::INTS, ""),
        Attr::optional("aligned", Kind::Flag, "false"),
    ],
    outputs: Outputs::Exactly(2),
    late_check: Some(CHECK_OF_TYPES),
    ..OpSpec::new("ExperimentalDetectronROIFeatureExtractor", 6, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let inputs: Vec<usize> = (0..cx.inputs().len()).collect();
    let ty = agreed_type(cx, &inputs)?;
    let (size, four) = (Dim::exact(cx.int("output_size")), Dim::exact(4));
    wanted_dim(cx, 0, 1, four, "the corners of a region")?;
    let mut places = Vec::new();
    for layer in inputs.into_iter().skip(1) {
        wanted_dim(cx, layer, 0, Dim::exact(1), "there is one image")?;
        places.push((layer, 1));
    }
    let channels = agreed_dim(cx, &places)?;
    let regions = cx.dim(0, 0);
    Ok(vec![
        Fact::new(ty, PartialShape::of([regions, channels, size, size])),
        Fact::new(ty, PartialShape::of([regions, four])),
    ])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let extract =
            |rois, a, b| op("ExperimentalDetectronROIFeatureExtractor", 6, [rois, a, b]).attr("output_size", 7);
        extract("f32[1000,4]", "f32[1,256,200,336]", "f32[1,256,100,168]").gives(["f32[1000,256,7,7]", "f32[1000,4]"]);
        extract("f32[...]", "f32[1,?,?,?]", "dynamic[?,5,?,?]").gives(["f32[?,5,7,7]", "f32[?,4]"]);
    }

    #[test]
    fn errors() {
        let extract = |rois, a, b| op("ExperimentalDetectronROIFeatureExtractor", 6, [rois, a, b]);
        extract("f32[1000,4]", "f32[1,256,200,336]", "f32[1,255,100,168]")
            .fails("shape-conflict", "dimension 1 of `pyramid_layer` is 255, dimension 1 of `pyramid_layer` is 256");
        extract("f32[1000,4]", "f32[2,256,200,336]", "f32[1,256,100,168]")
            .fails("shape-conflict", "dimension 0 of `pyramid_layer` is 2, wanted 1: there is one image");
        op("ExperimentalDetectronROIFeatureExtractor", 6, ["f32[1000,4]"]).fails(
            "wrong-input-count",
            "ExperimentalDetectronROIFeatureExtractor takes at least 2 inputs, this layer has 1",
        );
    }
}
