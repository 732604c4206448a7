//! `ConvertLike`: the elements of a tensor converted to the type of another.
//!
//! - Spec: `type/convert-like-1`
//! - Shape: that of `data`; of the type of `like`.
//! - Differs from OpenVINO: values are propagated.

use super::convert::converted;
use crate::ops::prelude::*;
use crate::ops::shared::elementwise::shaped_like;

pub(super) static CONVERT_LIKE_1: OpSpec = OpSpec {
    inputs: &[Input::any("data"), Input::any("like")],
    eval: Eval::Compute(Bounding::Never, |cx, outputs| Some(vec![converted(cx, 0, outputs.first()?)?])),
    ..OpSpec::new("ConvertLike", 1, |cx| shaped_like(cx.input(0), cx.input(1).ty))
};

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let like = |data, like| op("ConvertLike", 1, [data, like]);
        like("f32[2,?,3..4]", "i64[7]").gives(["i64[2,?,3..4]"]);
        like("f32[...]", "dynamic[7]").gives(["dynamic[...]"]);
        like("i64[3] = 4,2..5,3..", "f32[]").gives(["f32[3] = 4,2..5,3.."]);
    }

    #[test]
    fn errors() {
        op("ConvertLike", 1, ["f32[2]"]).fails("wrong-input-count", "ConvertLike takes 2 inputs, this layer has 1");
    }
}
