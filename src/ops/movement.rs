//! Operations that move elements around: split, join, slice, gather, permute, reshape.

mod split;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] = &[&split::SPLIT_1];
