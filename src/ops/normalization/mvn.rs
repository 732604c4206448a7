//! `MVN`: data normalized to mean 0 and, optionally, variance 1.
//!
//! - Spec: `normalization/mvn-1`, `normalization/mvn-6`; some attributes are required there, OpenVINO has defaults.
//! - Shape: that of `data`, and its element type, which may be any.
//! - Errors: from opset6 `input-rank` unless `axes` is a list of no more axes than `data` has; `axis-range`; `index-type`.
//! - Differs from OpenVINO: OpenVINO reads a model with axes out of range and fails to compile it, with a message about a
//!   `ReduceMean` that is not in the model; likewise with axes of other types than integers, but for some of the last axes.
//! - Revisions: opset6 takes `axes` as an input instead of attributes.

use super::axes::checked_axes;
use crate::ops::prelude::*;
use crate::ops::shared::elementwise::{UNARY, infer_unary};

pub(super) static MVN_2: OpSpec = OpSpec {
    name: "MVN",
    opset: 2,
    inputs: &[Input::any("data")],
    attrs: &[
        Attr::optional("eps", Kind::Float, "0"),
        Attr::optional("across_channels", Kind::Flag, "false"),
        Attr::optional("normalize_variance", Kind::Flag, "false"),
        Attr::optional("reduction_axes", Kind::INTS, ""),
    ],
    eval: Eval::None,
    needs_no_bytes: true,
    defers: Some(&INPUT_RANK),
    ..UNARY
};

pub(super) static MVN_6: OpSpec = OpSpec {
    opset: 6,
    inputs: &[Input::any("data"), Input::any("axes").ranks(&[1]).reads_value()],
    attrs: &[
        Attr::optional("eps", Kind::Float, "0"),
        Attr::optional("normalize_variance", Kind::Flag, "false"),
        Attr::optional("eps_mode", Kind::Choice(&["INSIDE_SQRT", "OUTSIDE_SQRT"]), "INSIDE_SQRT"),
    ],
    infer: |cx| {
        let ty = cx.input(1).ty;
        if ty != ElementType::Dynamic && !ty.is_integer() {
            let message = format!("`axes` must be of an integer type, but is {ty}");
            let fault = Fault::at(At::Input(1), &INDEX_TYPE, message).primary(ty.to_string());
            // The plugin has an MVN of its own over the last axes, which reads any type.
            match checked_axes(cx, true) {
                Ok(_) => cx.warn(fault.severity(Severity::Warning).runtime(Runtime::Accepts)),
                Err(_) => cx.pass(fault.runtime(Runtime::NotCompiled))?,
            }
            return infer_unary(cx);
        }
        checked_axes(cx, true).or_else(|fault| {
            cx.pass(if fault.rule == &AXIS_RANGE { fault.runtime(Runtime::NotCompiled) } else { fault })?;
            infer_unary(cx)
        })
    },
    ..MVN_2
};

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("MVN", 2, ["f32[2,?,3..4]"]).attr("across_channels", "true").gives(["f32[2,?,3..4]"]);
        let mvn = |data, axes| op("MVN", 6, [data, axes]);
        mvn("f32[2,3,4]", "i64[2] = 1,-1").attr("eps_mode", "outside_sqrt").gives(["f32[2,3,4]"]);
        mvn("string[...]", "i64[1] = 7").gives(["string[...]"]);
        mvn("f32[2,3]", "dynamic[?]").gives(["f32[2,3]"]);
    }

    #[test]
    fn axes_are_compiled() {
        op("MVN", 6, ["f32[2,3]", "i64[1] = 7"]).passes(["f32[2,3]"]);
        op("MVN", 6, ["f32[2,3]", "i64[1] = -7"]).passes(["f32[2,3]"]);
        op("MVN", 6, ["f32[2,3]", "f32[1] = -7"]).passes(["f32[2,3]"]);
    }

    #[test]
    fn errors() {
        let mvn = |data, axes| op("MVN", 6, [data, axes]);
        mvn("f32[2,3]", "i64[1] = 2").fails("axis-range", "axis 2 is outside -2..1");
        mvn("f32[2,3]", "f32[1] = -7").fails("index-type", "`axes` must be of an integer type, but is f32");
        mvn("f32[2,3]", "f32[1] = -1").warns("index-type", "`axes` must be of an integer type, but is f32");
        mvn("f32[2,3]", "i64[] = 1").fails("input-rank", "`axes` of MVN must be a list (rank 1), but is i64[]");
        mvn("f32[2,3]", "i64[3]").fails("input-rank", "`axes` of MVN has 3 elements, `data` has 2 dimensions");
        op("MVN", 6, ["f32[2,3]"]).fails("wrong-input-count", "MVN takes 2 inputs, this layer has 1");
    }
}
