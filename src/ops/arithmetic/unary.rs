//! Functions of one number: `Abs` to `Tanh`.
//!
//! - Spec: `arithmetic/abs-1` and the like; `Exp` is an activation, and `Round` has an attribute.
//! - Shape: that of the input, and its element type.
//! - Errors: `input-type` for `boolean` and `string`; `ErfInv` takes floating-point numbers only.
//! - Differs from OpenVINO: bounds are propagated through every function but `Tan` and `ErfInv`. OpenVINO propagates those
//!   of `Abs` only, and wrongly: `-3..2` becomes `2..3`. For whole numbers it rounds the results of some functions and
//!   truncates others, and its devices differ, so a fractional result is bounded by the two whole numbers around it.

use crate::ops::prelude::*;
use crate::ops::shared::elementwise::{UNARY, function, unary};
use crate::types::float_interval;
use crate::types::float_interval::{Course, Function};

pub(super) static ABS_1: OpSpec = OpSpec {
    name: "Abs",
    eval: Eval::Compute(Bounding::Rising, |cx, outputs| {
        unary(cx, outputs, |a| Some(a.magnitude()), float_interval::magnitude)
    }),
    ..UNARY
};

pub(super) static ACOS_1: OpSpec =
    function("Acos", 1, Function::rising(libm::acosf, libm::acos).on(-1.0, 1.0).course(Course::Falling));
pub(super) static ACOSH_4: OpSpec =
    function("Acosh", 4, Function::rising(libm::acoshf, libm::acosh).on(1.0, f64::INFINITY).rough());
pub(super) static ASIN_1: OpSpec = function("Asin", 1, Function::rising(libm::asinf, libm::asin).on(-1.0, 1.0));
pub(super) static ASINH_4: OpSpec = function("Asinh", 4, Function::rising(libm::asinhf, libm::asinh).rough());
pub(super) static ATAN_1: OpSpec = function("Atan", 1, Function::rising(libm::atanf, libm::atan));
pub(super) static ATANH_4: OpSpec =
    function("Atanh", 4, Function::rising(libm::atanhf, libm::atanh).on(-1.0, 1.0).rough());

pub(super) static CEILING_1: OpSpec = OpSpec {
    name: "Ceiling",
    eval: Eval::Compute(Bounding::Constants, |cx, outputs| unary(cx, outputs, Some, |a| ends(a, f64::ceil))),
    ..UNARY
};

pub(super) static COS_1: OpSpec =
    function("Cos", 1, Function::rising(libm::cosf, libm::cos).course(Course::Between(-1.0, 1.0)));
pub(super) static COSH_1: OpSpec = function("Cosh", 1, Function::rising(libm::coshf, libm::cosh).course(Course::Even));
// Farther from 0 the result is 1 or -1, except in f64.
pub(super) static ERF_1: OpSpec =
    function("Erf", 1, Function::rising(libm::erff, libm::erf).within(-1.0, 1.0).rough_between(-4.5, 4.5));

pub(super) static ERF_INV_17: OpSpec =
    OpSpec { name: "ErfInv", opset: 17, inputs: &[Input::of("data", TypeSet::REAL)], ..UNARY };

pub(super) static FLOOR_1: OpSpec = OpSpec {
    name: "Floor",
    eval: Eval::Compute(Bounding::Constants, |cx, outputs| unary(cx, outputs, Some, |a| ends(a, f64::floor))),
    ..UNARY
};

pub(super) static LOG_1: OpSpec = function("Log", 1, Function::rising(libm::logf, libm::log).on(0.0, f64::INFINITY));

pub(super) static NEGATIVE_1: OpSpec = OpSpec {
    name: "Negative",
    eval: Eval::Compute(Bounding::Constants, |cx, outputs| {
        unary(cx, outputs, |a| Some(a.negated()), float_interval::negated)
    }),
    ..UNARY
};

pub(super) static SIGN_1: OpSpec = OpSpec {
    name: "Sign",
    eval: Eval::Compute(Bounding::Constants, |cx, outputs| {
        let of_real = |number: f64| if number == 0.0 { 0.0 } else { number.signum() };
        unary(
            cx,
            outputs,
            |a: Interval| Some(a.rising(i128::signum)),
            |a| Bounds::between(of_real(a.lower), of_real(a.upper)),
        )
    }),
    ..UNARY
};

pub(super) static SIN_1: OpSpec =
    function("Sin", 1, Function::rising(libm::sinf, libm::sin).course(Course::Between(-1.0, 1.0)));
pub(super) static SINH_1: OpSpec = function("Sinh", 1, Function::rising(libm::sinhf, libm::sinh));
pub(super) static SQRT_1: OpSpec = function("Sqrt", 1, Function::rising(f32::sqrt, f64::sqrt).on(0.0, f64::INFINITY));
pub(super) static TAN_1: OpSpec = function(
    "Tan",
    1,
    Function::rising(libm::tanf, libm::tan).course(Course::Between(f64::NEG_INFINITY, f64::INFINITY)),
);
pub(super) static TANH_1: OpSpec = function("Tanh", 1, Function::rising(libm::tanhf, libm::tanh));

/// The image under a non-decreasing function that is exact and keeps whole numbers.
fn ends(bounds: Bounds<f64>, f: impl Fn(f64) -> f64) -> Bounds<f64> {
    Bounds::between(f(bounds.lower), f(bounds.upper)).with_symbol(bounds.symbol)
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        for name in ["Abs", "Acos", "Asin", "Atan", "Ceiling", "Cos", "Cosh", "Erf", "Floor", "Log", "Negative", "Sign"]
        {
            op(name, 1, ["f32[2,?,3..4]"]).gives(["f32[2,?,3..4]"]);
            op(name, 1, ["u4[...]"]).gives(["u4[...]"]);
        }
        for name in ["Acosh", "Asinh", "Atanh", "Sin", "Sinh", "Sqrt", "Tan", "Tanh"] {
            op(name, 4, ["i64[2,?]"]).gives(["i64[2,?]"]);
        }
        op("ErfInv", 17, ["f16[2]"]).gives(["f16[2]"]);
    }

    #[test]
    fn values() {
        op("Abs", 1, ["i64[4] = -3,-3..2,..-2,?"]).gives(["i64[4] = 3,0..3,2..,0.."]);
        op("Negative", 1, ["i64[3] = 3,-3..2,4.."]).gives(["i64[3] = -3,-2..3,..-4"]);
        op("Negative", 1, ["i8[2] = -128,-128..2"]).gives(["i8[2] = -128,-128..127"]);
        op("Sign", 1, ["i64[3] = -3,0..2,4.."]).gives(["i64[3] = -1,0..1,1"]);
        op("Sign", 1, ["f32[3] = -0.5,0,4.."]).gives(["f32[3] = -1,0,1"]);
        op("Floor", 1, ["f32[3] = -0.5,1.5..2.5,4.."]).gives(["f32[3] = -1,1..2,4.."]);
        op("Ceiling", 1, ["f16[3] = -1.5,1.5..2.5,4.."]).gives(["f16[3] = -1,2..3,4.."]);
        op("Floor", 1, ["i32[2] = 5,3..4"]).gives(["i32[2] = 5,3..4"]);
        op("Sqrt", 1, ["f32[2] = 16,2"]).gives(["f32[2] = 4,1.4142135381698608"]);
        op("Sqrt", 1, ["i64[4] = 16,8,9..17,?"]).gives(["i64[4] = 4,2..3,2..5,?"]);
        op("Sqrt", 1, ["f32[1] = -1"]).gives(["f32[1] = NaN"]);
        op("Log", 1, ["f32[2] = 1,0"]).gives(["f32[2] = 0,-inf"]);
        op("Log", 1, ["f32[1] = -1..2"]).gives(["f32[1]"]);
        op("Cos", 1, ["f32[2] = 0,0..9"]).gives(["f32[2] = 1,-1.0000009536743164..1.0000009536743164"]);
        op("Cosh", 1, ["i64[1] = -1..0"]).gives(["i64[1] = 0..2"]);
        op("Asinh", 4, ["f32[2] = 0,2"]).gives(["f32[2] = 0,1.443634033203125..1.4436368942260742"]);
        op("Erf", 1, ["f32[3] = 0,5,-100"]).gives(["f32[3] = 0,1,-1"]);
        op("Erf", 1, ["f32[1] = 1"]).gives(["f32[1] = 0.8426999449729919..0.8427016139030457"]);
        op("Erf", 1, ["i64[2] = 0,1"]).gives(["i64[2] = 0,0..1"]);
        op("Tan", 1, ["f32[1] = 0..9"]).gives(["f32[1]"]);
        op("Acos", 1, ["i64[2] = 1,-1..1"]).gives(["i64[2] = 0,0..4"]);
    }

    #[test]
    fn errors() {
        op("Abs", 1, ["boolean[2]"]).fails("input-type", "Abs does not accept boolean at input 0 `data`");
        op("Tanh", 1, ["string[2]"]).fails("input-type", "Tanh does not accept string at input 0 `data`");
        op("ErfInv", 17, ["i64[2]"]).fails("input-type", "ErfInv does not accept i64 at input 0 `data`");
        op("Abs", 1, ["f32[2]", "f32[2]"]).fails("wrong-input-count", "Abs takes 1 input, this layer has 2");
    }
}
