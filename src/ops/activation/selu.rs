//! `Selu`: a scaled exponential below 0, the scaled number above.
//!
//! - Spec: `activation/selu-1`
//! - Shape: that of `data`; of the floating-point type that all three share. OpenVINO does not check the shapes of `alpha`
//!   and `lambda`.
//! - Errors: `input-type`, `type-conflict`.

use crate::ops::prelude::*;
use crate::ops::shared::elementwise::shaped_like;

pub(super) static SELU_1: OpSpec = OpSpec {
    inputs: &[Input::of("data", TypeSet::REAL), Input::of("alpha", TypeSet::REAL), Input::of("lambda", TypeSet::REAL)],
    ..OpSpec::new("Selu", 1, |cx| shaped_like(cx.input(0), agreed_type(cx, &[0, 1, 2])?))
};

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("Selu", 1, ["f32[2,?,3..4]", "f32[]", "f32[1]"]).gives(["f32[2,?,3..4]"]);
        op("Selu", 1, ["dynamic[...]", "f16[]", "f16[]"]).gives(["f16[...]"]);
    }

    #[test]
    fn errors() {
        op("Selu", 1, ["f32[2]", "f16[]", "f32[]"]).fails("type-conflict", "`alpha` is f16, `data` is f32");
        op("Selu", 1, ["f32[2]", "f32[]", "i64[]"]).fails("input-type", "Selu does not accept i64 at input 2 `lambda`");
    }
}
