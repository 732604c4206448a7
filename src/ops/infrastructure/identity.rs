//! `Identity`: returns its input.
//!
//! - Spec: `activation/identity-16`
//! - Shape: that of the input, with its elements.
//! - Errors: only `wrong-input-count`.
//! - Differs from OpenVINO: elements stay known; OpenVINO loses them here.

use crate::ops::prelude::*;

pub(super) static IDENTITY_16: OpSpec = OpSpec {
    inputs: &[Input::any("data")],
    eval: Eval::Copy(Bounding::Never),
    ..OpSpec::new("Identity", 16, |cx| Ok(vec![Fact::new(cx.input(0).ty, cx.input(0).shape.clone())]))
};

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("Identity", 16, ["f32[2,?,3..]"]).gives(["f32[2,?,3..]"]);
        op("Identity", 16, ["i64[2] = 1,2..5"]).gives(["i64[2] = 1,2..5"]);
        op("Identity", 16, ["string[...]"]).gives(["string[...]"]);
    }

    #[test]
    fn errors() {
        op("Identity", 16, ["f32[2]", "f32[2]"]).fails("wrong-input-count", "Identity takes 1 input, this layer has 2");
    }
}
