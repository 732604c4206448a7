//! `NormalizeL2`: numbers divided by their norm along axes.
//!
//! - Spec: `normalization/normalize-l2-1`; its attributes are required there, OpenVINO has defaults.
//! - Shape: that of `data`, and its element type, which may be any.
//! - Errors: `input-rank` unless `axes` is a scalar or a list; `axis-range`; `index-type`.

use super::axes::checked_axes;
use crate::ops::prelude::*;

pub(super) static NORMALIZE_L2_1: OpSpec = OpSpec {
    inputs: &[Input::any("data"), Input::index("axes").types(TypeSet::ANY).ranks(&[0, 1]).if_ranked()],
    attrs: &[Attr::optional("eps", Kind::Float, "0"), Attr::optional("eps_mode", Kind::Choice(&["add", "max"]), "add")],
    ..OpSpec::new("NormalizeL2", 1, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    if cx.input(1).ty.is_float() {
        let message = format!("`axes` is {}; OpenVINO truncates its values to integers", cx.input(1).ty);
        cx.warn(Fault::at(At::Input(1), &FLOAT_INDEX, message));
    }
    checked_axes(cx, false)
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let norm = |data, axes| op("NormalizeL2", 1, [data, axes]);
        norm("f32[2,3,4]", "i64[1] = 1").attr("eps_mode", "max").gives(["f32[2,3,4]"]);
        norm("u8[?,3..4]", "i32[] = -1").gives(["u8[?,3..4]"]);
        norm("f32[...]", "i64[1] = 7").gives(["f32[...]"]);
        norm("f32[2,3]", "i64[5]").gives(["f32[2,3]"]);
        norm("f32[2,3]", "f32[1] = 1.5")
            .warns("float-index", "`axes` is f32; OpenVINO truncates its values to integers")
            .gives(["f32[2,3]"]);
    }

    #[test]
    fn errors() {
        let norm = |data, axes| op("NormalizeL2", 1, [data, axes]);
        norm("f32[2,3]", "i64[1] = 2").fails("axis-range", "axis 2 is outside -2..1");
        norm("f32[]", "i64[1] = 0").fails("axis-range", "axis 0 does not exist: the tensor is a scalar");
        norm("f32[2,3]", "i64[1,1] = 1")
            .fails("input-rank", "`axes` of NormalizeL2 must be a scalar or a list, but is i64[1,1]");
        norm("f32[2,3]", "boolean[1] = 1")
            .fails("index-type", "`axes` of NormalizeL2 holds constants of type boolean, which OpenVINO cannot read");
        norm("f32[2,3]", "boolean[1]").warns("index-type", "`axes` should be of an integer type, but is boolean");
        norm("f32[2,3]", "i64[1] = 1")
            .attr("eps_mode", "x")
            .fails("attribute-value", "`eps_mode=\"x\"` of NormalizeL2 must be one of add, max");
    }
}
