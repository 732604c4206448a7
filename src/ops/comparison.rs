//! Elementwise comparisons and tests with boolean results.

mod compare;
mod is;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] = &[
    &compare::EQUAL_1,
    &compare::NOT_EQUAL_1,
    &compare::LESS_1,
    &compare::GREATER_1,
    &compare::LESS_EQUAL_1,
    &compare::GREATER_EQUAL_1,
    &is::IS_FINITE_10,
    &is::IS_INF_10,
    &is::IS_NAN_10,
];
