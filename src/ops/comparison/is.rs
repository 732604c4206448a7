//! `IsFinite`, `IsInf` and `IsNaN`: classification of floating-point numbers.
//!
//! - Spec: `comparison/isfinite-10`, `comparison/isinf-10`, `comparison/isnan-10`
//! - Shape: that of the input; boolean.
//! - Errors: `input-type` unless the input is of a floating-point type.
//! - Differs from OpenVINO: elements that are known exactly are evaluated.

use crate::ops::prelude::*;
use crate::ops::shared::broadcast::Mode;
use crate::ops::shared::elementwise::{Operand, UNARY, flag, real, shaped_like, wholes};

pub(super) static IS_FINITE_10: OpSpec = OpSpec {
    name: "IsFinite",
    opset: 10,
    inputs: &[Input::of("data", TypeSet::REAL)],
    infer: |cx| shaped_like(cx.input(0), ElementType::Boolean),
    eval: Eval::Compute(Bounding::Never, |cx, outputs| test(cx, outputs, f64::is_finite)),
    ..UNARY
};

pub(super) static IS_INF_10: OpSpec = OpSpec {
    name: "IsInf",
    attrs: &[
        Attr::optional("detect_negative", Kind::Flag, "true"),
        Attr::optional("detect_positive", Kind::Flag, "true"),
    ],
    eval: Eval::Compute(Bounding::Never, |cx, outputs| {
        let (negative, positive) = (cx.flag("detect_negative"), cx.flag("detect_positive"));
        test(cx, outputs, |number| number.is_infinite() && if number < 0.0 { negative } else { positive })
    }),
    ..IS_FINITE_10
};

pub(super) static IS_NAN_10: OpSpec = OpSpec {
    name: "IsNaN",
    eval: Eval::Compute(Bounding::Never, |cx, outputs| test(cx, outputs, f64::is_nan)),
    ..IS_FINITE_10
};

/// Evaluates `is` for elements that are known exactly; the results of others are 0 or 1.
fn test(cx: &InferCtx, outputs: &[Fact], is: impl Fn(f64) -> bool) -> Option<Vec<Value>> {
    let [output] = outputs else { return None };
    let data = real(cx, 0, Mode::None, &output.shape.sizes()?).filter(Operand::is_known)?;
    wholes(output, |i| Some(flag(data.at(i).value().map(&is))))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("IsFinite", 10, ["f32[2,?]"]).gives(["boolean[2,?]"]);
        op("IsInf", 10, ["f16[...]"]).gives(["boolean[...]"]);
        op("IsNaN", 10, ["dynamic[2..3]"]).gives(["boolean[2..3]"]);
        op("IsFinite", 10, ["f32[4] = 1,inf,NaN,1..2"]).gives(["boolean[4] = 1,0,0,0..1"]);
        op("IsNaN", 10, ["f32[3] = 1,inf,NaN"]).gives(["boolean[3] = 0,0,1"]);
        op("IsInf", 10, ["f32[3] = 1,inf,-inf"]).gives(["boolean[3] = 0,1,1"]);
        op("IsInf", 10, ["f32[3] = 1,inf,-inf"]).attr("detect_negative", "false").gives(["boolean[3] = 0,1,0"]);
    }

    #[test]
    fn errors() {
        op("IsFinite", 10, ["i64[2]"]).fails("input-type", "IsFinite does not accept i64 at input 0 `data`");
        op("IsNaN", 10, ["nf4[2]"]).fails("input-type", "IsNaN does not accept nf4 at input 0 `data`");
    }
}
