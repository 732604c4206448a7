//! `Loop`: runs a body as often as a trip count and conditions allow.
//!
//! - Spec: `infrastructure/loop-5`
//! - Shape: a concatenated output joins a part of every iteration; any other output is that of the last iteration.
//! - Errors: `input-rank` if a count or condition has more than one dimension. The inference pass reports the other
//!   errors of a Loop, and those in its body.
//! - Differs from OpenVINO: values carried between iterations are inferred to a fixpoint, even if no output returns them,
//!   unless their shapes certainly do not fit; if the body may not run at all, the last value may be the initial one.

use crate::ops::WithBodies;
use crate::ops::prelude::*;
use crate::ops::shared::bodies::of_bodies;

pub(super) static LOOP_5: OpSpec = OpSpec {
    name: "Loop",
    opset: 5,
    inputs: &[
        Input::any("trip_count").ranks(&[0, 1]).reads_value(),
        Input::any("execution_condition").ranks(&[0, 1]).reads_value(),
        Input::any("inputs").optional().variadic(),
    ],
    ..of_bodies(WithBodies::Loop)
};

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("Loop", 5, ["i64[]", "boolean[]", "f32[2]"]).declared(1).gives(["dynamic[...]"]);
    }

    #[test]
    fn errors() {
        op("Loop", 5, ["i64[]"]).fails("wrong-input-count", "Loop takes at least 2 inputs, this layer has 1");
        op("Loop", 5, ["i64[1,1]", "boolean[]"])
            .fails("input-rank", "`trip_count` of Loop must be a scalar or a list, but is i64[1,1]");
    }
}
