//! `TensorIterator`: runs a body once for every slice of its inputs.
//!
//! - Spec: `infrastructure/tensor-iterator-1`
//! - Shape: concatenated outputs have a part per slice; the others are those of the last iteration.
//! - Errors: none of its own; the inference pass reports errors in the body.
//! - Differs from OpenVINO: values carried between iterations are inferred to a fixpoint; OpenVINO stops after the first
//!   iteration.

use crate::ops::WithBodies;
use crate::ops::prelude::*;
use crate::ops::shared::bodies::of_bodies;

pub(super) static TENSOR_ITERATOR_1: OpSpec = OpSpec {
    name: "TensorIterator",
    inputs: &[Input::any("inputs").optional().variadic()],
    ..of_bodies(WithBodies::TensorIterator)
};

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("TensorIterator", 1, ["f32[2]", "f32[3]"]).declared(1).gives(["dynamic[...]"]);
    }

    #[test]
    fn errors() {
        op("TensorIterator", 1, [])
            .attr("axis", 1)
            .warns("unknown-op-attribute", "TensorIterator has no attribute `axis`; OpenVINO ignores it");
    }
}
