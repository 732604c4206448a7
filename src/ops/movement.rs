//! Operations that move, copy or select elements: Split, Concat, Slice, Gather, Transpose, Pad, Tile, Unique and others.

mod batch_to_space;
mod broadcast;
mod concat;
mod depth_to_space;
mod gather;
mod gather_elements;
mod gather_nd;
mod gather_tree;
mod pad;
mod reverse;
mod reverse_sequence;
mod roll;
mod scatter_elements_update;
mod scatter_nd_update;
mod scatter_update;
mod shuffle_channels;
mod slice;
mod slice_scatter;
mod space_to_batch;
mod space_to_depth;
mod split;
mod strided_slice;
mod tile;
mod transpose;
mod unique;
pub(crate) mod variadic_split;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] = &[
    &batch_to_space::BATCH_TO_SPACE_2,
    &broadcast::BROADCAST_1,
    &broadcast::BROADCAST_3,
    &concat::CONCAT_1,
    &depth_to_space::DEPTH_TO_SPACE_1,
    &gather::GATHER_1,
    &gather::GATHER_7,
    &gather::GATHER_8,
    &gather_elements::GATHER_ELEMENTS_6,
    &gather_nd::GATHER_ND_5,
    &gather_nd::GATHER_ND_8,
    &gather_tree::GATHER_TREE_1,
    &pad::PAD_1,
    &pad::PAD_12,
    &reverse::REVERSE_1,
    &reverse_sequence::REVERSE_SEQUENCE_1,
    &roll::ROLL_7,
    &scatter_elements_update::SCATTER_ELEMENTS_UPDATE_3,
    &scatter_elements_update::SCATTER_ELEMENTS_UPDATE_12,
    &scatter_nd_update::SCATTER_ND_UPDATE_4,
    &scatter_nd_update::SCATTER_ND_UPDATE_15,
    &scatter_update::SCATTER_UPDATE_3,
    &shuffle_channels::SHUFFLE_CHANNELS_1,
    &slice::SLICE_8,
    &slice_scatter::SLICE_SCATTER_15,
    &space_to_batch::SPACE_TO_BATCH_2,
    &space_to_depth::SPACE_TO_DEPTH_1,
    &split::SPLIT_1,
    &strided_slice::STRIDED_SLICE_1,
    &tile::TILE_1,
    &transpose::TRANSPOSE_1,
    &unique::UNIQUE_10,
    &variadic_split::VARIADIC_SPLIT_1,
];
