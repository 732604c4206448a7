//! Linear algebra: products and inverses of matrices.

mod einsum;
mod grouped_mat_mul;
mod inverse;
mod mat_mul;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] =
    &[&einsum::EINSUM_7, &grouped_mat_mul::GROUPED_MAT_MUL_17, &inverse::INVERSE_14, &mat_mul::MAT_MUL_1];
