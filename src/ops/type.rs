//! Conversions of tensors to other element types.

mod convert;
mod convert_like;
mod convert_promote_types;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] =
    &[&convert::CONVERT_1, &convert_like::CONVERT_LIKE_1, &convert_promote_types::CONVERT_PROMOTE_TYPES_14];
