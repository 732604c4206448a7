//! `Divide`: the quotient of two tensors, elementwise.
//!
//! - Spec: `arithmetic/divide-1`; `m_pythondiv` rounds quotients of integers down instead of toward zero.
//! - Shape: the broadcast of both shapes by `auto_broadcast`; of the common element type.
//! - Errors: `type-conflict`, `shape-conflict`; `input-value` for a constant integer divided by a constant 0.
//! - Differs from OpenVINO: a bound is kept without the other one; integers divided by 0 have no result, so an integer
//!   divisor `..8` counts as `1..8`.

use crate::diagnostic::Refusal;
use crate::ops::prelude::*;
use crate::ops::shared::broadcast::{AUTO_BROADCAST, BROADCAST_AXIS};
use crate::ops::shared::elementwise::{BINARY, binary, division_by_0, infer_binary, leave_division_open};
use crate::types::float_interval;
use crate::types::interval::floor_div;

pub(super) static DIVIDE_1: OpSpec = OpSpec {
    name: "Divide",
    action: Action::Divides,
    attrs: &[AUTO_BROADCAST, BROADCAST_AXIS, Attr::optional("m_pythondiv", Kind::Flag, "true")],
    infer,
    eval: Eval::Compute(Bounding::Between, eval),
    ..BINARY
};

fn infer(cx: &InferCtx) -> Inferred {
    leave_division_open(cx);
    let note = "OpenVINO fails when it works it out: as it reads the file, if a shape depends on it";
    let fault =
        |at: At| Some(division_by_0(cx, at)?.runtime(Runtime::Rejects).refused(Refusal::DivisionByZero).note(note));
    if let Some(fault) = fault(At::Input(1)).filter(|_| cx.constant(0).is_some()) {
        // A number that is computed may be one that OpenVINO does not need.
        let is_stored = cx.value(0).is_some_and(Value::is_stored);
        return Err(fault.decided_if(is_stored));
    }
    if let Some(fault) = fault(At::Input(0)) {
        cx.report_if_bounded(0..1, fault.label(At::Input(1), "0"));
    }
    infer_binary(cx)
}

fn eval(cx: &InferCtx, outputs: &[Fact]) -> Option<Vec<Value>> {
    let round: fn(i128, i128) -> i128 = if cx.flag("m_pythondiv") { floor_div } else { |a, b| a / b };
    binary(cx, outputs, |a: Interval, b| Some(a.divided(b, round)), float_interval::divided)
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let divide = |a, b| op("Divide", 1, [a, b]);
        divide("f32[2,1,4]", "f32[3,1]").gives(["f32[2,3,4]"]);
        divide("i64[4] = 7,2..5,3..,-7", "i64[] = 2").gives(["i64[4] = 3,1..2,1..,-4"]);
        divide("i64[1] = -7", "i64[] = 2").attr("m_pythondiv", "false").gives(["i64[1] = -3"]);
        divide("i64[] = 100", "i64[3] = 7,2..5,..8").gives(["i64[3] = 14,20..50,-100..100"]);
        divide("i64[] = 100", "i64[1] = 0..8").gives(["i64[1] = 12..100"]);
        divide("f32[3] = 7,2..5,3..", "f32[] = 2").gives(["f32[3] = 3.5,1..2.5,1.5.."]);
        divide("f32[1] = 1", "f32[1] = 1..2").gives(["f32[1] = 0.5..1"]);
        divide("f32[1] = 1", "f32[1] = 0..2").gives(["f32[1]"]);
        divide("f32[1] = 1", "f32[1] = 3").gives(["f32[1] = 0.3333333432674408"]);
    }

    #[test]
    fn errors() {
        let divide = |a, b| op("Divide", 1, [a, b]);
        divide("i64[1] = 1", "i64[1] = 0").fails("input-value", "`b` holds 0, by which integers are not divided");
        divide("f32[3]", "f32[4]").fails("shape-conflict", "shapes [3] and [4] do not broadcast: 3 meets 4 at axis -1");
        divide("f32[2]", "i32[2]").fails("type-conflict", "`b` is i32, `a` is f32");
        divide("f32[2]", "boolean[2]").fails("input-type", "Divide does not accept boolean at input 1 `b`");
    }
}
