//! `Result`: an output of the graph.
//!
//! - Spec: `infrastructure/result-1`
//! - Shape: none; it has no outputs of its own.
//! - Errors: only `wrong-input-count`.

use crate::ops::spec::{Eval, Input, OpSpec, Outputs};

pub(super) static RESULT_1: OpSpec = OpSpec {
    name: "Result",
    opset: 1,
    inputs: &[Input::any("data")],
    attrs: &[],
    outputs: Outputs::Exactly(0),
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
