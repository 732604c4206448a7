//! Operations that simulate quantization.

mod fake_convert;
mod fake_quantize;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] = &[&fake_convert::FAKE_CONVERT_13, &fake_quantize::FAKE_QUANTIZE_1];
