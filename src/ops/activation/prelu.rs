//! `PReLU`: numbers below 0 times a slope, the others as they are.
//!
//! - Spec: `activation/prelu-1`
//! - Shape: that of `data`, and its element type. OpenVINO checks neither types nor the shape of `slope`.

use crate::ops::prelude::*;
use crate::ops::shared::elementwise::UNARY;

pub(super) static PRELU_1: OpSpec =
    OpSpec { name: "PReLU", inputs: &[Input::any("data"), Input::any("slope")], ..UNARY };

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("PReLU", 1, ["f32[2,?,3..4]", "f32[3]"]).gives(["f32[2,?,3..4]"]);
        op("PReLU", 1, ["string[...]", "f32[7]"]).gives(["string[...]"]);
    }

    #[test]
    fn errors() {
        op("PReLU", 1, ["f32[2]"]).fails("wrong-input-count", "PReLU takes 2 inputs, this layer has 1");
    }
}
