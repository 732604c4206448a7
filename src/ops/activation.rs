//! Activation functions.

mod clamp;
mod curve;
mod elu;
mod exp;
mod gelu;
mod hard_sigmoid;
mod log_softmax;
mod prelu;
mod relu;
mod selu;
mod softmax;
mod swish;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] = &[
    &clamp::CLAMP_1,
    &curve::SIGMOID_1,
    &curve::H_SIGMOID_5,
    &curve::H_SWISH_4,
    &curve::MISH_4,
    &curve::SOFT_PLUS_4,
    &curve::SOFT_SIGN_9,
    &elu::ELU_1,
    &exp::EXP_1,
    &gelu::GELU_2,
    &gelu::GELU_7,
    &hard_sigmoid::HARD_SIGMOID_1,
    &log_softmax::LOG_SOFTMAX_5,
    &prelu::PRELU_1,
    &relu::RELU_1,
    &selu::SELU_1,
    &softmax::SOFTMAX_1,
    &softmax::SOFTMAX_8,
    &swish::SWISH_4,
];
