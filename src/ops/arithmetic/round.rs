//! `Round`: the nearest whole number; a number halfway goes to the even one or away from zero.
//!
//! - Spec: `arithmetic/round-5`
//! - Shape: that of the input, and its element type, which may be any: OpenVINO does not check it.
//! - Differs from OpenVINO: bounds are propagated.

use crate::ops::prelude::*;
use crate::ops::shared::elementwise::{UNARY, unary};

pub(super) static ROUND_5: OpSpec = OpSpec {
    name: "Round",
    opset: 5,
    inputs: &[Input::any("data")],
    attrs: &[Attr::optional("mode", Kind::Choice(&["half_to_even", "half_away_from_zero"]), "half_to_even")],
    eval: Eval::Compute(Bounding::Constants, eval),
    ..UNARY
};

fn eval(cx: &InferCtx, outputs: &[Fact]) -> Option<Vec<Value>> {
    let round = if cx.choice("mode") == "half_to_even" { f64::round_ties_even } else { f64::round };
    unary(cx, outputs, Some, |a| Bounds::between(round(a.lower), round(a.upper)).with_symbol(a.symbol))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let round = |data| op("Round", 5, [data]);
        round("f32[2,?,3..4]").gives(["f32[2,?,3..4]"]);
        round("string[...]").gives(["string[...]"]);
        round("f32[4] = -2.5,0.5,1.5,2.4..3.6").gives(["f32[4] = -2,0,2,2..4"]);
        round("f32[3] = -2.5,0.5,1.5").attr("mode", "HALF_AWAY_FROM_ZERO").gives(["f32[3] = -3,1,2"]);
        round("i64[2] = 5,3..").gives(["i64[2] = 5,3.."]);
    }

    #[test]
    fn errors() {
        op("Round", 5, ["f32[2]"])
            .attr("mode", "up")
            .fails("attribute-value", "`mode=\"up\"` of Round must be one of half_to_even, half_away_from_zero");
    }
}
