//! Convolutions and their transposes.

mod binary_convolution;
mod convolution;
mod convolution_backprop_data;
mod deformable_convolution;
mod group_convolution;
mod group_convolution_backprop_data;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] = &[
    &binary_convolution::BINARY_CONVOLUTION_1,
    &convolution::CONVOLUTION_1,
    &convolution_backprop_data::CONVOLUTION_BACKPROP_DATA_1,
    &deformable_convolution::DEFORMABLE_CONVOLUTION_1,
    &deformable_convolution::DEFORMABLE_CONVOLUTION_8,
    &group_convolution::GROUP_CONVOLUTION_1,
    &group_convolution_backprop_data::GROUP_CONVOLUTION_BACKPROP_DATA_1,
];
