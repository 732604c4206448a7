//! `Exp`: e to the power of a number.
//!
//! - Spec: `activation/exp-1`
//! - Shape: that of the input, and its element type.
//! - Errors: `input-type` for `boolean` and `string`.
//! - Differs from OpenVINO: bounds are propagated; for whole numbers, the result is bounded by the two whole numbers around
//!   it.

use crate::ops::prelude::*;
use crate::ops::shared::elementwise::function;
use crate::types::Function;

pub(super) static EXP_1: OpSpec = function("Exp", 1, Function::rising(libm::expf, libm::exp));

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("Exp", 1, ["f32[2,?,3..4]"]).gives(["f32[2,?,3..4]"]);
        op("Exp", 1, ["u8[...]"]).gives(["u8[...]"]);
        op("Exp", 1, ["f32[1] = 0"]).gives(["f32[1] = 1"]);
        op("Exp", 1, ["i64[2] = 2,0..1"]).gives(["i64[2] = 7..8,0..3"]);
    }

    #[test]
    fn errors() {
        op("Exp", 1, ["boolean[2]"]).fails("input-type", "Exp does not accept boolean at input 0 `data`");
    }
}
