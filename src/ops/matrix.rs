//! Linear algebra: products and inverses of matrices.

mod mat_mul;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] = &[&mat_mul::MAT_MUL_1];
