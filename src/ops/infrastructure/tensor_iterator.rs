//! `TensorIterator`: runs a body once for every slice of its inputs.
//!
//! - Spec: `infrastructure/tensor-iterator-1`
//! - Shape: concatenated outputs have as many parts as there are slices; the others are what the last iteration gives.
//! - Errors: what is wrong with the body, the driver reports.
//! - Differs from OpenVINO: what is passed on from iteration to iteration is followed until it settles; OpenVINO stops at
//!   the first one.

use crate::ops::shared::bodies::of_bodies;
use crate::ops::{Input, OpSpec, WithBodies};

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
