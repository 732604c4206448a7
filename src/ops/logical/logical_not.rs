//! `LogicalNot`: whether an element is false, or 0.
//!
//! - Spec: `logical/logical-not-1`
//! - Shape: that of the input, and its element type, which may be any; OpenVINO does not convert it to boolean.

use crate::ops::prelude::*;
use crate::ops::shared::elementwise::{UNARY, unary};

pub(super) static LOGICAL_NOT_1: OpSpec = OpSpec {
    name: "LogicalNot",
    inputs: &[Input::any("data")],
    eval: Eval::Compute(Bounding::Constants, eval),
    ..UNARY
};

fn eval(cx: &InferCtx, outputs: &[Fact]) -> Option<Vec<Value>> {
    let of_whole = |a: Interval| match a {
        Interval { lower: 0, upper: 0, .. } => Interval::exact(1),
        Interval { lower: 1.., .. } | Interval { upper: ..0, .. } => Interval::exact(0),
        _ => Interval::between(0, 1),
    };
    let of_real = |a: Bounds<f64>| match a.value() {
        Some(0.0) => Bounds::exact(1.0),
        Some(_) => Bounds::exact(0.0),
        None => Bounds::between(0.0, 1.0),
    };
    unary(cx, outputs, |a| Some(of_whole(a)), of_real)
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("LogicalNot", 1, ["boolean[2,?]"]).gives(["boolean[2,?]"]);
        op("LogicalNot", 1, ["string[...]"]).gives(["string[...]"]);
        op("LogicalNot", 1, ["boolean[3] = 0,1,0..1"]).gives(["boolean[3] = 1,0,0..1"]);
        op("LogicalNot", 1, ["i64[3] = 0,7..,-1..1"]).gives(["i64[3] = 1,0,0..1"]);
        op("LogicalNot", 1, ["f32[5] = -0,0.5,NaN,inf,0..1"]).gives(["f32[5] = 1,0,0,0,0..1"]);
    }

    #[test]
    fn errors() {
        op("LogicalNot", 1, []).fails("wrong-input-count", "LogicalNot takes 1 input, this layer has 0");
    }
}
