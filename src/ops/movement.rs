//! Operations that move elements around: split, join, slice, gather, permute, reshape.

mod split;
mod variadic_split;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] = &[&split::SPLIT_1, &variadic_split::VARIADIC_SPLIT_1];
