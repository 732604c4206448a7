//! Operations between strings and their bytes.

mod string_tensor_pack;
mod string_tensor_unpack;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] =
    &[&string_tensor_pack::STRING_TENSOR_PACK_15, &string_tensor_unpack::STRING_TENSOR_UNPACK_15];
