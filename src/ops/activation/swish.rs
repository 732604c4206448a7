//! `Swish`: a number times the sigmoid of `beta` times the number; `beta` is 1 by default.
//!
//! - Spec: `activation/swish-4`
//! - Shape: that of `data`; of the floating-point type that both share.
//! - Errors: `input-type`, `type-conflict`; `needs-type` if only one type is known; `input-rank` unless `beta` is a scalar.
//! - Differs from OpenVINO: an unknown element type fits the other.

use crate::ops::prelude::*;
use crate::ops::shared::elementwise::shaped_like;

pub(super) static SWISH_4: OpSpec = OpSpec {
    inputs: &[Input::of("data", TypeSet::REAL), Input::of("beta", TypeSet::REAL).ranks(&[0]).optional()],
    ..OpSpec::new("Swish", 4, |cx| shaped_like(cx.input(0), equal_type(cx, &[0, 1])?))
};

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("Swish", 4, ["f32[2,?,3..4]"]).gives(["f32[2,?,3..4]"]);
        op("Swish", 4, ["dynamic[...]", "dynamic[]"]).gives(["dynamic[...]"]);
    }

    #[test]
    fn errors() {
        op("Swish", 4, ["f32[2]", "f32[1]"]).fails("input-rank", "`beta` of Swish must be a scalar, but is f32[1]");
        op("Swish", 4, ["dynamic[2]", "f32[]"]).fails("needs-type", "the element type of `data` of Swish is not known");
        op("Swish", 4, ["f32[2]", "f16[]"]).fails("type-conflict", "`beta` is f16, `data` is f32");
        op("Swish", 4, ["i64[2]"]).fails("input-type", "Swish does not accept i64 at input 0 `data`");
    }
}
