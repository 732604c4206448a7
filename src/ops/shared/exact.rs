//! Where floating-point arithmetic is exact.

use crate::types::ElementType;

/// Up to where a floating-point type holds every whole number, so that sums and products of such numbers are exact.
pub(crate) fn whole_up_to(ty: ElementType) -> Option<f64> {
    match ty {
        ElementType::F64 => Some(9_007_199_254_740_992.0),
        ElementType::F32 => Some(16_777_216.0),
        ElementType::F16 => Some(2_048.0),
        ElementType::Bf16 => Some(256.0),
        _ => None,
    }
}
