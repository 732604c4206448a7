//! `HardSigmoid`: `alpha` times a number plus `beta`, clamped to 0..1.
//!
//! - Spec: `activation/hard-sigmoid-1`
//! - Shape: that of `data`; of the type that all three share, which may be any.
//! - Errors: `input-rank` unless `alpha` and `beta` are scalars; `type-conflict`; `needs-type` if only some types are known.
//! - Differs from OpenVINO: an unknown element type fits the others.

use crate::ops::prelude::*;
use crate::ops::shared::elementwise::shaped_like;

pub(super) static HARD_SIGMOID_1: OpSpec = OpSpec {
    inputs: &[Input::any("data"), Input::any("alpha").ranks(&[0]), Input::any("beta").ranks(&[0])],
    defers: Some(&INPUT_RANK),
    ..OpSpec::new("HardSigmoid", 1, |cx| shaped_like(cx.input(0), equal_type(cx, &[0, 1, 2])?))
};

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let hard = |data, alpha, beta| op("HardSigmoid", 1, [data, alpha, beta]);
        hard("f32[2,?,3..4]", "f32[] = 0.2", "f32[]").gives(["f32[2,?,3..4]"]);
        hard("dynamic[...]", "dynamic[...]", "dynamic[]").gives(["dynamic[...]"]);
    }

    #[test]
    fn errors() {
        let hard = |data, alpha, beta| op("HardSigmoid", 1, [data, alpha, beta]);
        hard("f32[2]", "f32[1]", "f32[]").fails("input-rank", "`alpha` of HardSigmoid must be a scalar, but is f32[1]");
        hard("f32[2]", "dynamic[]", "f32[]")
            .fails("needs-type", "the element type of `alpha` of HardSigmoid is not known");
        hard("f32[2]", "f32[]", "f16[]").fails("type-conflict", "`beta` is f16, `data` is f32");
    }
}
