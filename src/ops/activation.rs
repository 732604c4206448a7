//! Activation functions.

mod log_softmax;
mod softmax;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] = &[&log_softmax::LOG_SOFTMAX_5, &softmax::SOFTMAX_1, &softmax::SOFTMAX_8];
