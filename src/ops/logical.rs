//! Elementwise logic on booleans.

mod connect;
mod logical_not;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] = &[
    &connect::LOGICAL_AND_1,
    &connect::LOGICAL_OR_1,
    &connect::LOGICAL_XOR_1,
    &connect::XOR_1,
    &logical_not::LOGICAL_NOT_1,
];
