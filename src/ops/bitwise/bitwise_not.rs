//! `BitwiseNot`: every bit inverted; a boolean is negated.
//!
//! - Spec: `bitwise/bitwise-not-13`
//! - Shape: that of the input, and its element type.
//! - Errors: `input-type` for floating-point numbers; `string` and `nf4` pass, as in OpenVINO.
//! - Differs from OpenVINO: values are evaluated.

use crate::ops::prelude::*;
use crate::ops::shared::elementwise::{UNARY, unary};

pub(super) static BITWISE_NOT_13: OpSpec = OpSpec {
    name: "BitwiseNot",
    opset: 13,
    inputs: &[Input::of("data", TypeSet::INTEGRAL_OR_BOOLEAN)],
    eval: Eval::Compute(Bounding::Never, eval),
    ..UNARY
};

fn eval(cx: &InferCtx, outputs: &[Fact]) -> Option<Vec<Value>> {
    // Inverted, a signed number `n` is `-1 - n`, an unsigned one is `max - n`.
    // The `max` of u64 is past `i64::MAX`; -1 wraps to it.
    let (lowest, highest) = cx.input(0).ty.integer_range()?;
    let all_ones = if lowest < 0 || cx.input(0).ty == ElementType::U64 { -1 } else { highest.into() };
    let turned = |a: Interval| Some(Interval::exact(all_ones).plus(a.negated()));
    unary(cx, outputs, turned, |_| Bounds::<f64>::ANY)
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("BitwiseNot", 13, ["i32[2,?]"]).gives(["i32[2,?]"]);
        op("BitwiseNot", 13, ["string[...]"]).gives(["string[...]"]);
        op("BitwiseNot", 13, ["i64[3] = 0,-3,2..5"]).gives(["i64[3] = -1,2,-6..-3"]);
        op("BitwiseNot", 13, ["u8[2] = 1,2..5"]).gives(["u8[2] = 254,250..253"]);
        op("BitwiseNot", 13, ["boolean[2] = 0,1"]).gives(["boolean[2] = 1,0"]);
    }

    #[test]
    fn errors() {
        op("BitwiseNot", 13, ["f32[2]"]).fails("input-type", "BitwiseNot does not accept f32 at input 0 `data`");
    }
}
