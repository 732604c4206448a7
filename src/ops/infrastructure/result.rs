//! `Result`: an output of the graph.
//!
//! - Spec: `infrastructure/result-1`
//! - Shape: none; it has no outputs of its own.
//! - Errors: only `wrong-input-count`.

use crate::ops::prelude::*;

/// The type as layers write it.
pub(crate) const NAME: &str = "Result";

pub(super) static RESULT_1: OpSpec =
    OpSpec { inputs: &[Input::any("data")], outputs: Outputs::Exactly(0), ..OpSpec::new(NAME, 1, |_| Ok(Vec::new())) };

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
