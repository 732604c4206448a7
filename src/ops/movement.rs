//! Operations that move elements around: split, join, slice, gather, permute, reshape.

mod concat;
mod gather;
mod slice;
mod split;
mod strided_slice;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] = &[
    &concat::CONCAT_1,
    &gather::GATHER_1,
    &gather::GATHER_7,
    &gather::GATHER_8,
    &slice::SLICE_8,
    &split::SPLIT_1,
    &strided_slice::STRIDED_SLICE_1,
];
