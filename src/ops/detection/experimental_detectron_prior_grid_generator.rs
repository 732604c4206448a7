//! `ExperimentalDetectronPriorGridGenerator`: moves priors over every cell of a feature map.
//!
//! - Spec: `detection/experimental-detectron-prior-grid-generator-6`
//! - Shape: `[height, width, priors, 4]`, with `flatten` `[height * width * priors, 4]`; height and width are those of
//!   `feature_map`.
//! - Errors: `input-rank`; `input-type`; `type-conflict`; `shape-conflict` if `priors` has not four numbers or batches differ.
//! - Differs from OpenVINO: nowhere; `h` and `w` do not matter.

use crate::ops::prelude::*;

pub(super) static EXPERIMENTAL_DETECTRON_PRIOR_GRID_GENERATOR_6: OpSpec = OpSpec {
    inputs: &[
        Input::of("priors", REALS).ranks(&[2]),
        Input::of("feature_map", REALS).ranks(&[4]),
        Input::of("im_data", REALS).ranks(&[4]),
    ],
    attrs: &[
        Attr::optional("flatten", Kind::Flag, "false"),
        Attr::optional("h", Kind::INT, "0"),
        Attr::optional("w", Kind::INT, "0"),
        Attr::optional("stride_x", Kind::Float, "0"),
        Attr::optional("stride_y", Kind::Float, "0"),
    ],
    ..OpSpec::new("ExperimentalDetectronPriorGridGenerator", 6, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let ty = agreed_type(cx, &[0, 1, 2])?;
    let four = Dim::exact(4);
    wanted_dim(cx, 0, 1, four, "the corners of a prior")?;
    agreed_dim(cx, &[(1, 0), (2, 0)])?;
    let (priors, height, width) = (cx.dim(0, 0), cx.dim(1, 2), cx.dim(1, 3));
    let shape = if cx.flag("flatten") {
        PartialShape::of([height.times(width).times(priors), four])
    } else {
        PartialShape::of([height, width, priors, four])
    };
    Ok(vec![Fact::new(ty, shape)])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn grid(priors: &str, map: &str) -> OpTest {
        op("ExperimentalDetectronPriorGridGenerator", 6, [priors, map, "f32[1,3,800,1344]"])
    }

    #[test]
    fn shapes() {
        grid("f32[3,4]", "f32[1,256,25,42]").attr("flatten", true).gives(["f32[3150,4]"]);
        grid("f32[3..4,4]", "f32[?,256,25,..42]").attr("flatten", true).gives(["f32[..4200,4]"]);
        grid("f32[3,?]", "f32[...]").gives(["f32[?,?,3,4]"]);
    }

    #[test]
    fn errors() {
        grid("f32[3,5]", "f32[1,256,25,42]")
            .fails("shape-conflict", "dimension 1 of `priors` is 5, wanted 4: the corners of a prior");
        grid("f32[3,4]", "f32[2,256,25,42]")
            .fails("shape-conflict", "dimension 0 of `im_data` is 1, dimension 0 of `feature_map` is 2");
    }
}
