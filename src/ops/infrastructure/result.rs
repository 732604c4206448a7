//! `Result`: an output of the graph.
//!
//! - Spec: `infrastructure/result-1`
//! - Shape: none; it has no outputs of its own.
//! - Errors: only `wrong-input-count`.

use crate::ops::spec::{Action, Eval, Input, OpSpec, Outputs};

/// The type as layers write it.
pub(crate) const NAME: &str = "Result";

pub(super) static RESULT_1: OpSpec = OpSpec {
    name: NAME,
    opset: 1,
    inputs: &[Input::any("data")],
    attrs: &[],
    outputs: Outputs::Exactly(0),
    action: Action::Other,
    infer: |_| Ok(Vec::new()),
    eval: Eval::None,
};

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("Result", 1, ["f32[2,?]"]).gives([]);
    }

    #[test]
    fn errors() {
        op("Result", 1, []).fails("wrong-input-count", "Result takes 1 input, this layer has 0");
    }
}
