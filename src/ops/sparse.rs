//! Operations on tables of rows and on sparse tensors.

mod embedding_bag_offsets;
mod embedding_bag_packed;
mod embedding_segments_sum;
mod segment_max;
mod sparse_fill_empty_rows;
mod table;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] = &[
    &embedding_bag_offsets::EMBEDDING_BAG_OFFSETS_SUM_3,
    &embedding_bag_offsets::EMBEDDING_BAG_OFFSETS_15,
    &embedding_bag_packed::EMBEDDING_BAG_PACKED_SUM_3,
    &embedding_bag_packed::EMBEDDING_BAG_PACKED_15,
    &embedding_segments_sum::EMBEDDING_SEGMENTS_SUM_3,
    &segment_max::SEGMENT_MAX_16,
    &sparse_fill_empty_rows::SPARSE_FILL_EMPTY_ROWS_16,
];
