//! `If`: one of two bodies, depending on a condition.
//!
//! - Spec: `condition/if-8`
//! - Shape: that of the executed body if the condition is known, else the hull of both bodies.
//! - Errors: `input-rank` if `cond` has more than one dimension. The inference pass reports errors in bodies.

use crate::ops::WithBodies;
use crate::ops::prelude::*;
use crate::ops::shared::bodies::of_bodies;

pub(super) static IF_8: OpSpec = OpSpec {
    name: "If",
    opset: 8,
    inputs: &[Input::any("cond").ranks(&[0, 1]).reads_value(), Input::any("inputs").optional().variadic()],
    ..of_bodies(WithBodies::If)
};

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("If", 8, ["boolean[]", "f32[2]"]).declared(2).gives(["dynamic[...]", "dynamic[...]"]);
    }

    #[test]
    fn errors() {
        op("If", 8, []).fails("wrong-input-count", "If takes at least 1 input, this layer has 0");
        op("If", 8, ["boolean[1,1]"])
            .fails("input-rank", "`cond` of If must be a scalar or a list, but is boolean[1,1]");
    }
}
