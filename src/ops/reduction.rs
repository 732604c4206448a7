//! Reductions along axes.

mod reduce;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] = &[
    &reduce::REDUCE_SUM_1,
    &reduce::REDUCE_L1_4,
    &reduce::REDUCE_L2_4,
    &reduce::REDUCE_MAX_1,
    &reduce::REDUCE_MEAN_1,
    &reduce::REDUCE_MIN_1,
    &reduce::REDUCE_PROD_1,
    &reduce::REDUCE_LOGICAL_AND_1,
    &reduce::REDUCE_LOGICAL_OR_1,
];
