//! Activations of one number without attributes: `HSigmoid`, `HSwish`, `Mish`, `Sigmoid`, `SoftPlus` and `SoftSign`.
//!
//! - Spec: `activation/sigmoid-1` and the like
//! - Shape: that of the input, and its element type.
//! - Errors: `input-type` for `boolean` and `string`; `Mish`, `SoftPlus` and `SoftSign` take floating-point numbers only.

use crate::ops::shared::elementwise::UNARY;
use crate::ops::spec::{Input, OpSpec};
use crate::types::TypeSet;

pub(super) static SIGMOID_1: OpSpec = OpSpec { name: "Sigmoid", ..UNARY };

pub(super) static H_SIGMOID_5: OpSpec = OpSpec { name: "HSigmoid", opset: 5, ..UNARY };

pub(super) static H_SWISH_4: OpSpec = OpSpec { name: "HSwish", opset: 4, ..UNARY };

pub(super) static MISH_4: OpSpec =
    OpSpec { name: "Mish", opset: 4, inputs: &[Input::of("data", TypeSet::REAL)], ..UNARY };

pub(super) static SOFT_PLUS_4: OpSpec = OpSpec { name: "SoftPlus", ..MISH_4 };

pub(super) static SOFT_SIGN_9: OpSpec = OpSpec { name: "SoftSign", opset: 9, ..MISH_4 };

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        for name in ["HSigmoid", "HSwish", "Mish", "Sigmoid", "SoftPlus", "SoftSign"] {
            op(name, 9, ["f32[2,?,3..4]"]).gives(["f32[2,?,3..4]"]);
            op(name, 9, ["f16[...]"]).gives(["f16[...]"]);
        }
        op("Sigmoid", 1, ["i64[2]"]).gives(["i64[2]"]);
    }

    #[test]
    fn errors() {
        op("Sigmoid", 1, ["string[2]"]).fails("input-type", "Sigmoid does not accept string at input 0 `data`");
        op("Mish", 4, ["i64[2]"]).fails("input-type", "Mish does not accept i64 at input 0 `data`");
    }
}
