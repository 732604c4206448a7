//! Elementwise operations on the bits of whole numbers.

mod bitwise_not;
mod connect;
mod shift;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] = &[
    &bitwise_not::BITWISE_NOT_13,
    &connect::BITWISE_AND_13,
    &connect::BITWISE_OR_13,
    &connect::BITWISE_XOR_13,
    &shift::BITWISE_LEFT_SHIFT_15,
    &shift::BITWISE_RIGHT_SHIFT_15,
];
