//! `GRN`: each position divided by the norm of its channels.
//!
//! - Spec: `normalization/grn-1`. It requires `bias`; OpenVINO reads a missing one as 1, and so does this.
//! - Shape: the shape and the element type of the input.
//! - Errors: `input-rank` unless it has 2 to 4 dimensions.

use crate::ops::prelude::*;
use crate::ops::shared::elementwise::UNARY;

pub(super) static GRN_1: OpSpec = OpSpec {
    name: "GRN",
    inputs: &[Input::any("data").ranks(&[2, 3, 4])],
    attrs: &[Attr::optional("bias", Kind::Float, "1")],
    ..UNARY
};

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("GRN", 1, ["f32[2,?,3..4]"]).attr("bias", "0.5").gives(["f32[2,?,3..4]"]);
        op("GRN", 1, ["i64[...]"]).gives(["i64[...]"]);
    }

    #[test]
    fn errors() {
        op("GRN", 1, ["f32[3]"]).fails("input-rank", "`data` of GRN must be of rank 2, 3 or 4, but is f32[3]");
    }
}
