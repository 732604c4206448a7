//! Operations that move elements around: split, join, slice, gather, permute, reshape.

mod broadcast;
mod concat;
mod gather;
mod scatter_update;
mod slice;
mod split;
mod strided_slice;
mod tile;
mod transpose;
mod variadic_split;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] = &[
    &broadcast::BROADCAST_1,
    &broadcast::BROADCAST_3,
    &concat::CONCAT_1,
    &gather::GATHER_1,
    &gather::GATHER_7,
    &gather::GATHER_8,
    &scatter_update::SCATTER_UPDATE_3,
    &slice::SLICE_8,
    &split::SPLIT_1,
    &strided_slice::STRIDED_SLICE_1,
    &tile::TILE_1,
    &transpose::TRANSPOSE_1,
    &variadic_split::VARIADIC_SPLIT_1,
];
