//! `Add`: the sum of two tensors, elementwise.
//!
//! - Spec: `arithmetic/add-1`
//! - Shape: the broadcast of both shapes by `auto_broadcast`; of the common element type.
//! - Errors: `type-conflict`, `shape-conflict`.
//! - Differs from OpenVINO: a lower bound is kept without an upper one (`3..` + 2 is `5..`).

use crate::ops::prelude::*;
use crate::ops::shared::elementwise::{BINARY, binary};
use crate::types::float_interval;

pub(super) static ADD_1: OpSpec = OpSpec { name: "Add", eval: Eval::Compute(Bounding::Combined, eval), ..BINARY };

fn eval(cx: &InferCtx, outputs: &[Fact]) -> Option<Vec<Value>> {
    binary(cx, outputs, |a: Interval, b| Some(a.plus(b)), float_interval::plus)
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let add = |a, b| op("Add", 1, [a, b]);
        add("f32[2,1,4]", "f32[3,1]").gives(["f32[2,3,4]"]);
        add("i64[1..5]", "i64[3..9]").gives(["i64[3..9]"]);
        add("f16[...]", "f16[2]").gives(["f16[...]"]);
        add("dynamic[?]", "u8[4]").gives(["u8[4]"]);
        add("f32[2,3,4]", "f32[2]").attr("auto_broadcast", "pdpd").gives(["f32[2,3,4]"]);
        let at = |axis: i64| {
            let add = add("f32[2,3,4]", "f32[3]").attr("auto_broadcast", "pdpd");
            add.attr("auto_broadcast.auto_broadcast_axis", axis)
        };
        at(1).gives(["f32[2,3,4]"]);
        at(3).fails("shape-conflict", "pdpd does not broadcast [3] to [2,3,4] from axis 3 on, wanted -1..2");
        add("f32[2,?]", "f32[?,3]").attr("auto_broadcast", "NONE").gives(["f32[2,3]"]);
        add("f32[2]", "f32[...]").attr("auto_broadcast", "explicit").gives(["f32[2]"]);
    }

    #[test]
    fn values() {
        let add = |a, b| op("Add", 1, [a, b]);
        add("i64[3] = 4,2..5,3..", "i64[] = 2").gives(["i64[3] = 6,4..7,5.."]);
        add("i32[2] = 2..2147483647,-2147483648..5", "i32[1] = 2").gives(["i32[2] = 4..2147483647,-2147483648..7"]);
        add("u8[2] = 250,250..255", "u8[] = 10").gives(["u8[2] = 4,0..255"]);
        add("f32[2] = 0.1,0..", "f32[] = 16777216").gives(["f32[2] = 16777216,16777216.."]);
        add("i64[2,2] = 1,2,3,4", "i64[2] = 10,20").gives(["i64[2,2] = 11,22,13,24"]);
        let pdpd = add("i64[2,2] = 1,2,3,4", "i64[2] = 10,20").attr("auto_broadcast", "pdpd");
        pdpd.gives(["i64[2,2] = 11,12,23,24"]);
        add("i64[2]", "i64[2] = 1,2").gives(["i64[2]"]);
    }

    #[test]
    fn errors() {
        let add = |a, b| op("Add", 1, [a, b]);
        add("f32[2,3]", "f32[4]")
            .fails("shape-conflict", "shapes [2,3] and [4] do not broadcast: 3 meets 4 at axis -1");
        add("f32[2]", "f16[2]").fails("type-conflict", "`b` is f16, `a` is f32");
        add("f32[2]", "string[2]").fails("input-type", "Add does not accept string at input 1 `b`");
        add("f32[2,3]", "f32[3]")
            .attr("auto_broadcast", "none")
            .fails("shape-conflict", "shapes [2,3] and [3] differ, without broadcasting");
        add("f32[2,3]", "f32[3]")
            .attr("auto_broadcast", "pdpd")
            .fails("shape-conflict", "pdpd does not broadcast [3] to [2,3]: 3 meets 2 at axis 0");
        add("f32[2]", "f32[2]")
            .attr("auto_broadcast", "foo")
            .fails("attribute-value", "`auto_broadcast=\"foo\"` of Add must be one of numpy, none, pdpd, explicit");
        op("Add", 1, ["f32[2]"]).fails("wrong-input-count", "Add takes 2 inputs, this layer has 1");
    }
}
