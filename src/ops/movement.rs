//! Operations that move elements around: split, join, slice, gather, permute, reshape.

mod broadcast;
mod scatter_update;
mod split;
mod tile;
mod transpose;
mod variadic_split;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] = &[
    &broadcast::BROADCAST_1,
    &broadcast::BROADCAST_3,
    &scatter_update::SCATTER_UPDATE_3,
    &split::SPLIT_1,
    &tile::TILE_1,
    &transpose::TRANSPOSE_1,
    &variadic_split::VARIADIC_SPLIT_1,
];
