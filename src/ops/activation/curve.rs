//! Activations of one number without attributes: `HSigmoid`, `HSwish`, `Mish`, `Sigmoid`, `SoftPlus` and `SoftSign`.
//!
//! - Spec: `activation/sigmoid-1` and the like
//! - Shape: that of the input, and its element type.
//! - Errors: `input-type` for `boolean` and `string`; `Mish`, `SoftPlus` and `SoftSign` take floating-point numbers only.
//! - Differs from OpenVINO: bounds are propagated; for whole numbers, the result is bounded by the two whole numbers around
//!   it.

use crate::ops::prelude::*;
use crate::ops::shared::elementwise::function;
use crate::types::Function;

pub(super) static SIGMOID_1: OpSpec = OpSpec {
    action: Action::Scores,
    ..function("Sigmoid", 1, {
        let double = |x: f64| 1.0 / (1.0 + libm::exp(-x));
        let single = |x: f32| 1.0 / (1.0 + libm::expf(-x));
        Function::rising(single, double).within(0.0, 1.0).rough_between(-ROUGH, ROUGH)
    })
};

pub(super) static H_SIGMOID_5: OpSpec = function("HSigmoid", 5, {
    let double = |x: f64| (x + 3.0).clamp(0.0, 6.0) / 6.0;
    let single = |x: f32| (x + 3.0).clamp(0.0, 6.0) / 6.0;
    Function::rising(single, double).within(0.0, 1.0).rough_between(-3.0, 3.0)
});

pub(super) static H_SWISH_4: OpSpec = function("HSwish", 4, {
    let double = |x: f64| if x >= 3.0 { x } else { x * (x + 3.0).max(0.0) / 6.0 };
    let single = |x: f32| if x >= 3.0 { x } else { x * (x + 3.0).max(0.0) / 6.0 };
    Function::rising(single, double).on(0.0, f64::INFINITY).rough_between(-3.0, 3.0)
});

pub(super) static MISH_4: OpSpec = of_reals("Mish", 4, {
    let double = |x: f64| x * libm::tanh(libm::log1p(libm::exp(x)));
    let single = |x: f32| x * libm::tanhf(libm::log1pf(libm::expf(x)));
    Function::rising(single, double).on(0.0, f64::INFINITY).rough_between(f64::NEG_INFINITY, ROUGH)
});

pub(super) static SOFT_PLUS_4: OpSpec = of_reals("SoftPlus", 4, {
    let double = |x: f64| if x < ROUGH { libm::log1p(libm::exp(x)) } else { x };
    let single = |x: f32| if f64::from(x) < ROUGH { libm::log1pf(libm::expf(x)) } else { x };
    Function::rising(single, double).within(0.0, f64::INFINITY).rough_between(f64::NEG_INFINITY, ROUGH)
});

pub(super) static SOFT_SIGN_9: OpSpec =
    of_reals("SoftSign", 9, Function::rising(|x| x / (1.0 + x.abs()), |x| x / (1.0 + x.abs())).rough());

/// The specification of a function of floating-point numbers only.
const fn of_reals(name: &'static str, opset: u8, of: Function) -> OpSpec {
    const REALS: &[Input] = &[Input::of("data", TypeSet::REAL)];
    OpSpec { inputs: REALS, ..function(name, opset, of) }
}

/// From here on, the exponential is too large for its rounding to show, except in f64.
const ROUGH: f64 = 20.0;

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        for name in ["HSigmoid", "HSwish", "Mish", "Sigmoid", "SoftPlus", "SoftSign"] {
            op(name, 9, ["f32[2,?,3..4]"]).gives(["f32[2,?,3..4]"]);
            op(name, 9, ["f16[...]"]).gives(["f16[...]"]);
        }
        op("Sigmoid", 1, ["i64[2]"]).gives(["i64[2] = 0..1,0..1"]);
    }

    #[test]
    fn values() {
        let of = |name, data| op(name, 9, [data]);
        of("Sigmoid", "f32[3] = 0,30,-200").gives(["f32[3] = 0.4999994933605194..0.5000004768371582,1,0"]);
        of("Sigmoid", "f16[2] = 10,1").gives(["f16[2] = 1,0.73095703125"]);
        of("Sigmoid", "i64[2] = 3,-200").gives(["i64[2] = 0..1,0..1"]);
        of("SoftPlus", "f32[3] = 30,-200,0").gives(["f32[3] = 30,0,0.6931464672088623..0.6931478977203369"]);
        of("SoftPlus", "f16[1] = 10").gives(["f16[1] = 10"]);
        of("HSigmoid", "f32[3] = 3,-3,30").gives(["f32[3] = 1,0,1"]);
        of("HSwish", "f32[3] = 3,-4,30").gives(["f32[3] = 3,-0,30"]);
        of("HSwish", "f32[1] = -1..2").gives(["f32[1]"]);
        of("Mish", "f32[1] = 100").gives(["f32[1] = 100"]);
        of("SoftSign", "f32[1] = 1").gives(["f32[1] = 0.4999994933605194..0.5000004768371582"]);
        of("Sigmoid", "f32[1] = 0..").gives(["f32[1] = 0.4999994933605194..1"]);
    }

    #[test]
    fn errors() {
        op("Sigmoid", 1, ["string[2]"]).fails("input-type", "Sigmoid does not accept string at input 0 `data`");
        op("Mish", 4, ["i64[2]"]).fails("input-type", "Mish does not accept i64 at input 0 `data`");
    }
}
