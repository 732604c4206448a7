//! Poolings: the maximum or mean of every window.

mod adaptive_avg_pool;
mod adaptive_max_pool;
mod avg_pool;
mod max_pool;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] = &[
    &adaptive_avg_pool::ADAPTIVE_AVG_POOL_8,
    &adaptive_max_pool::ADAPTIVE_MAX_POOL_8,
    &avg_pool::AVG_POOL_1,
    &avg_pool::AVG_POOL_14,
    &avg_pool::AVG_POOL_16,
    &max_pool::MAX_POOL_1,
    &max_pool::MAX_POOL_8,
    &max_pool::MAX_POOL_14,
];
