//! Operations that change or read the shape of a tensor.

mod reshape;
mod shape_of;
mod squeeze;
mod unsqueeze;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] = &[
    &reshape::RESHAPE_1,
    &shape_of::SHAPE_OF_1,
    &shape_of::SHAPE_OF_3,
    &squeeze::SQUEEZE_1,
    &squeeze::SQUEEZE_15,
    &unsqueeze::UNSQUEEZE_1,
];
