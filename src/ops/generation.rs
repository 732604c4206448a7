//! Operations that generate tensors: ranges, identity matrices, random numbers.

mod eye;
mod multinomial;
mod random_uniform;
mod range;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] =
    &[&eye::EYE_9, &multinomial::MULTINOMIAL_13, &random_uniform::RANDOM_UNIFORM_8, &range::RANGE_1, &range::RANGE_4];
