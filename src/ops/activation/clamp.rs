//! `Clamp`: numbers clamped to a range.
//!
//! - Spec: `activation/clamp-1`; for whole numbers, `min` is rounded up and `max` down. Both are required there, OpenVINO
//!   reads a missing one as 0.
//! - Shape: that of the input, and its element type.
//! - Errors: `attribute-value` if `min` is above `max`; `input-type` for `boolean`; OpenVINO lets `string` pass.
//! - Differs from OpenVINO: integers without a value are bounded by the range.

use crate::ops::prelude::*;
use crate::ops::shared::elementwise::{UNARY, infer_unary, unary};

pub(super) static CLAMP_1: OpSpec = OpSpec {
    name: "Clamp",
    action: Action::Selects,
    inputs: &[Input::of("data", TypeSet::ANY.without(&[ElementType::Boolean]))],
    attrs: &[Attr::optional("min", Kind::Float, "0"), Attr::optional("max", Kind::Float, "0")],
    infer,
    eval: Eval::Compute(Bounding::Between, eval),
    ..UNARY
};

fn infer(cx: &InferCtx) -> Inferred {
    let (min, max) = (cx.float("min"), cx.float("max"));
    if min > max || min.is_nan() || max.is_nan() {
        let at = At::Attr(if max.is_nan() { "max" } else { "min" });
        let fault =
            Fault::at(at, &ATTRIBUTE_VALUE, format!("`min` is {min} and `max` {max}, wanted no more than `max`"));
        return Err(fault.primary(format!("above {max}")).label(At::Attr("max"), format!("max = {max}")));
    }
    infer_unary(cx)
}

#[allow(clippy::cast_possible_truncation, reason = "`as` saturates, and 128 bits hold the bounds of every type")]
fn eval(cx: &InferCtx, outputs: &[Fact]) -> Option<Vec<Value>> {
    let (min, max) = (cx.float("min"), cx.float("max"));
    let (lowest, highest) = cx.input(0).ty.integer_range().unwrap_or((i64::MIN, i64::MAX));
    let (least, most) = ((min.ceil() as i128).max(lowest.into()), (max.floor() as i128).min(highest.into()));
    let below = |a: Interval| if most == highest.into() { a } else { a.min(Interval::exact(most)) };
    let whole = |a: Interval| (least <= most).then(|| below(a.max(Interval::exact(least))));
    let real = |end: f64| match end {
        end if end < min => min,
        end if end > max => max,
        end => end,
    };
    unary(cx, outputs, whole, |a| Bounds::between(real(a.lower), real(a.upper)))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let clamp = |data, min: &str, max: &str| op("Clamp", 1, [data]).attr("min", min).attr("max", max);
        clamp("f32[2,?,3..4]", "0", "6").gives(["f32[2,?,3..4]"]);
        clamp("string[...]", "0", "6").gives(["string[...]"]);
        clamp("i64[4] = 7,2..5,-3..8,4..", "0", "6").gives(["i64[4] = 6,2..5,0..6,4..6"]);
        clamp("i32[4] = -3,0,2,3", "-1.5", "2.7").gives(["i32[4] = -1,0,2,2"]);
        clamp("i64[1]", "0", "1e30").gives(["i64[1] = 0.."]);
        clamp("i32[1]", "-1e30", "7").gives(["i32[1] = -2147483648..7"]);
        clamp("u8[1]", "3", "6").gives(["u8[1] = 3..6"]);
        clamp("f32[3] = -1,NaN,0..9", "0.1", "6").gives(["f32[3] = 0.10000000149011612,NaN,0.10000000149011612..6"]);
        op("Clamp", 1, ["f32[1] = 5"]).attr("max", "6").gives(["f32[1] = 5"]);
    }

    #[test]
    fn errors() {
        op("Clamp", 1, ["f32[2]"])
            .attr("min", "3")
            .attr("max", "1")
            .fails("attribute-value", "`min` is 3 and `max` 1, wanted no more than `max`");
        op("Clamp", 1, ["f32[2]"])
            .attr("max", "nan")
            .fails("attribute-value", "`min` is 0 and `max` NaN, wanted no more than `max`");
        op("Clamp", 1, ["f32[2]"])
            .attr("max", "-1")
            .fails("attribute-value", "`min` is 0 and `max` -1, wanted no more than `max`");
        op("Clamp", 1, ["boolean[2]"]).fails("input-type", "Clamp does not accept boolean at input 0 `data`");
    }
}
