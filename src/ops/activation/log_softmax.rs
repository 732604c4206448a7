//! `LogSoftmax`: the logarithm of `SoftMax`.
//!
//! - Spec: `activation/log-soft-max-5`
//! - Shape: that of the input.
//! - Errors: `axis-range`. A scalar has axis 0.

use super::softmax::SOFTMAX_8;
use crate::ops::prelude::*;

pub(super) static LOG_SOFTMAX_5: OpSpec = OpSpec { name: "LogSoftmax", opset: 5, ..SOFTMAX_8 };

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("LogSoftmax", 5, ["f32[2,3..]"]).gives(["f32[2,3..]"]);
        op("LogSoftmax", 5, ["bf16[...]"]).attr("axis", -3).gives(["bf16[...]"]);
    }

    #[test]
    fn errors() {
        op("LogSoftmax", 5, ["f32[2,3]"]).attr("axis", -3).fails("axis-range", "axis -3 is outside -2..1");
    }
}
