//! `LRN`: local response normalization along axes.
//!
//! - Spec: `normalization/lrn-1`; its attributes are required there, OpenVINO reads missing ones as 0.
//! - Shape: that of `data`, and its element type, which may be any.
//! - Errors: `index-type`; `input-rank` unless `axes` is a list of no more axes than `data` has; `axis-range`.
//! - Differs from OpenVINO: OpenVINO reads any negative axis, but does not compile such a model.

use super::axes::checked_axes;
use crate::ops::prelude::*;
use crate::ops::shared::elementwise::shaped_like;

pub(super) static LRN_1: OpSpec = OpSpec {
    inputs: &[Input::any("data"), Input::index("axes").unread().ranks(&[1])],
    attrs: &[
        Attr::optional("alpha", Kind::Float, "0"),
        Attr::optional("beta", Kind::Float, "0"),
        Attr::optional("bias", Kind::Float, "0"),
        Attr::optional("size", Kind::INT, "0"),
    ],
    defers: Some(&INPUT_RANK),
    ..OpSpec::new("LRN", 1, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    checked_axes(cx, true).or_else(|fault| {
        cx.pass(passing_below_0(cx, 1, Runtime::NotCompiled, fault))?;
        shaped_like(cx.input(0), cx.input(0).ty)
    })
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let lrn = |data, axes| op("LRN", 1, [data, axes]);
        lrn("f32[2,3,4]", "i64[1] = 1").attr("alpha", "0.1").attr("size", 5).gives(["f32[2,3,4]"]);
        lrn("string[?,3..4]", "i32[2] = -1,0").gives(["string[?,3..4]"]);
        lrn("f32[...]", "i64[1] = 7").gives(["f32[...]"]);
        lrn("f32[2,3]", "i64[?]").gives(["f32[2,3]"]);
        lrn("f32[]", "i64[0] = ").gives(["f32[]"]);
    }

    #[test]
    fn axes_below_0_are_compiled() {
        op("LRN", 1, ["f32[2,3]", "i64[1] = -3"]).passes(["f32[2,3]"]);
    }

    #[test]
    fn errors() {
        let lrn = |data, axes| op("LRN", 1, [data, axes]);
        lrn("f32[2,3]", "i64[1] = 2").fails("axis-range", "axis 2 is outside -2..1");
        lrn("f32[2,3]", "i64[1] = -3").fails("axis-range", "axis -3 is outside -2..1");
        lrn("f32[2,3]", "i64[] = 1").fails("input-rank", "`axes` of LRN must be a list (rank 1), but is i64[]");
        lrn("f32[2,3]", "i64[3]").fails("input-rank", "`axes` of LRN has 3 elements, `data` has 2 dimensions");
        lrn("f32[2,3]", "f32[1] = 1").fails("index-type", "`axes` must be of an integer type, but is f32");
    }
}
