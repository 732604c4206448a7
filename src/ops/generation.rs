//! Operations that make tensors out of numbers: ranges, identity matrices, random draws.

mod range;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] = &[&range::RANGE_1, &range::RANGE_4];
