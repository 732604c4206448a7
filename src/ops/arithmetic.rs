//! Arithmetic on elements, and the cumulative sum.

mod add;
mod cum_sum;
mod divide;
mod floor_mod;
mod maximum;
mod minimum;
mod modulo;
mod multiply;
mod power;
mod round;
mod squared_difference;
mod subtract;
mod unary;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] = &[
    &add::ADD_1,
    &cum_sum::CUM_SUM_3,
    &divide::DIVIDE_1,
    &floor_mod::FLOOR_MOD_1,
    &maximum::MAXIMUM_1,
    &minimum::MINIMUM_1,
    &modulo::MOD_1,
    &multiply::MULTIPLY_1,
    &power::POWER_1,
    &round::ROUND_5,
    &squared_difference::SQUARED_DIFFERENCE_1,
    &subtract::SUBTRACT_1,
    &unary::ABS_1,
    &unary::ACOS_1,
    &unary::ACOSH_4,
    &unary::ASIN_1,
    &unary::ASINH_4,
    &unary::ATAN_1,
    &unary::ATANH_4,
    &unary::CEILING_1,
    &unary::COS_1,
    &unary::COSH_1,
    &unary::ERF_1,
    &unary::ERF_INV_17,
    &unary::FLOOR_1,
    &unary::LOG_1,
    &unary::NEGATIVE_1,
    &unary::SIGN_1,
    &unary::SIN_1,
    &unary::SINH_1,
    &unary::SQRT_1,
    &unary::TAN_1,
    &unary::TANH_1,
];
