//! `Elu`: an exponential below 0, the number itself above.
//!
//! - Spec: `activation/elu-1`; `alpha` is required there, OpenVINO reads a missing one as 0.
//! - Shape: that of the input, and its element type, which may be any: OpenVINO does not check it.

use crate::ops::prelude::*;
use crate::ops::shared::elementwise::UNARY;

pub(super) static ELU_1: OpSpec =
    OpSpec { name: "Elu", inputs: &[Input::any("data")], attrs: &[Attr::optional("alpha", Kind::Float, "0")], ..UNARY };

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("Elu", 1, ["f32[2,?,3..4]"]).attr("alpha", "1").gives(["f32[2,?,3..4]"]);
        op("Elu", 1, ["string[...]"]).gives(["string[...]"]);
    }

    #[test]
    fn errors() {
        op("Elu", 1, ["f32[2]"]).attr("alpha", "x").fails("attribute-value", "`alpha=\"x\"` of Elu must be a number");
    }
}
