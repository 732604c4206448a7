//! `Gelu`: a number times the cumulative normal distribution at it.
//!
//! - Spec: `activation/gelu-2`, `activation/gelu-7`
//! - Shape: that of the input, and its element type.
//! - Errors: `input-type` unless the input is of a floating-point type.
//! - Revisions: opset7 adds `approximation_mode`.

use crate::ops::prelude::*;
use crate::ops::shared::elementwise::UNARY;

pub(super) static GELU_2: OpSpec =
    OpSpec { name: "Gelu", opset: 2, inputs: &[Input::of("data", TypeSet::REAL)], ..UNARY };

pub(super) static GELU_7: OpSpec = OpSpec {
    opset: 7,
    attrs: &[Attr::optional("approximation_mode", Kind::Choice(&["ERF", "TANH"]), "ERF")],
    ..GELU_2
};

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("Gelu", 2, ["f32[2,?,3..4]"]).gives(["f32[2,?,3..4]"]);
        op("Gelu", 7, ["bf16[...]"]).attr("approximation_mode", "tanh").gives(["bf16[...]"]);
    }

    #[test]
    fn errors() {
        op("Gelu", 2, ["i64[2]"]).fails("input-type", "Gelu does not accept i64 at input 0 `data`");
        op("Gelu", 7, ["f32[2]"])
            .attr("approximation_mode", "none")
            .fails("attribute-value", "`approximation_mode=\"none\"` of Gelu must be one of ERF, TANH");
    }
}
