//! `FakeQuantize`: numbers rounded to one of `levels` values between limits.
//!
//! - Spec: `quantization/fake-quantize-1`; `levels` is required there, OpenVINO reads a missing one as 0.
//! - Shape: that of `data`, and its element type. The limits broadcast with it by `auto_broadcast`; OpenVINO also accepts
//!   limits larger than `data`, which do not change the shape.
//! - Errors: `shape-conflict`; `attribute-value` for fewer than two levels, which OpenVINO reads.
//! - Elements: evaluated if all limits are known; half a step rounds to even.

use crate::ops::prelude::*;
use crate::ops::shared::broadcast::{AUTO_BROADCAST, BROADCAST_AXIS, Mode};
use crate::ops::shared::elementwise::{Operand, real, reals, shaped_like};
use crate::types::float_interval::{between, rounded};

pub(super) static FAKE_QUANTIZE_1: OpSpec = OpSpec {
    inputs: &[
        Input::any("data"),
        Input::any("input_low"),
        Input::any("input_high"),
        Input::any("output_low"),
        Input::any("output_high"),
    ],
    attrs: &[Attr::optional("levels", Kind::INT, "0"), AUTO_BROADCAST, BROADCAST_AXIS],
    action: Action::Quantizes,
    eval: Eval::Compute(Bounding::Constants, eval),
    ..OpSpec::new("FakeQuantize", 1, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let data = cx.input(0);
    let mode = Mode::of(cx);
    let mut met = data.shape.clone();
    for limit in 1..5 {
        let shape = &cx.input(limit).shape;
        // A limit of unknown rank must not hide the next ones.
        if shape.rank().is_some() {
            let is_met = cx.inputs().iter().take(limit).all(|input| input.rank().is_some());
            let misfit = |message| misfit(cx, limit, &[0], message).late_unless(is_met);
            met = mode.meet(&met, shape).map_err(misfit)?;
        }
    }
    let levels = cx.int("levels");
    if levels < 2 && cx.writes("levels") {
        cx.warn(wrong_attr("levels", format!("`levels` is {levels}, wanted at least 2")).runtime(Runtime::Accepts));
    }
    shaped_like(data, data.ty)
}

fn eval(cx: &InferCtx, outputs: &[Fact]) -> Option<Vec<Value>> {
    let [output] = outputs else { return None };
    let (mode, sizes, ty) = (Mode::of(cx), output.shape.sizes()?, output.ty);
    let known = |i| real(cx, i, mode, &sizes).filter(Operand::is_known);
    let (data, limits) = (known(0)?, [known(1)?, known(2)?, known(3)?, known(4)?]);
    let steps = f64::from(i32::try_from(cx.int("levels")).ok()?) - 1.0;
    reals(output, |i| {
        let [low, high, from, to] = &limits;
        let limits = [low, high, from, to].map(|limit| limit.at(i).value());
        let [Some(low), Some(high), Some(from), Some(to)] = limits else { return Bounds::<f64>::ANY };
        let quantized = |number| quantized(ty, number, [low, high, from, to], steps).unwrap_or(f64::NAN);
        let data = data.at(i);
        match data.value() {
            Some(number) => Bounds::exact(quantized(number)),
            None if low < high && from <= to => {
                // Rounding may carry the last step below `high` beyond `to`.
                let last = quantized(data.upper.min(high).max(data.lower));
                let (first, end) = (quantized(data.lower), quantized(data.upper));
                between(first.min(end), last.max(end))
            }
            None => Bounds::<f64>::ANY,
        }
    })
}

/// Quantizes a number between `low` and `high` to one of `steps` equal steps between `from` and `to`. Every operation is
/// rounded to the element type.
fn quantized(ty: ElementType, number: f64, [low, high, from, to]: [f64; 4], steps: f64) -> Option<f64> {
    if number <= low.min(high) {
        return Some(from);
    }
    if number > low.max(high) {
        return Some(to);
    }
    let part = rounded(ty, rounded(ty, number - low)? / rounded(ty, high - low)?)?;
    let step = rounded(ty, part * steps)?.round_ties_even();
    let way = rounded(ty, rounded(ty, step / steps)? * rounded(ty, to - from)?)?;
    rounded(ty, way + from)
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn quantize(data: &'static str, low: &'static str, high: &'static str) -> OpTest {
        op("FakeQuantize", 1, [data, low, high, "f32[]", "f32[]"]).attr("levels", 256)
    }

    #[test]
    fn shapes() {
        quantize("f32[2,3,?]", "f32[1,3,1]", "f32[3,1]").gives(["f32[2,3,?]"]);
        quantize("f16[...]", "f32[1,3,1]", "i64[1,3,1]").gives(["f16[...]"]);
        quantize("f32[2,3]", "f32[...]", "f32[2..4,1]").gives(["f32[2,3]"]);
        quantize("f32[1]", "f32[2,3]", "f32[3]").gives(["f32[1]"]);
        quantize("f32[2,3]", "f32[2]", "f32[2,1]").attr("auto_broadcast", "pdpd").gives(["f32[2,3]"]);
        quantize("f32[]", "f32[]", "f32[]").attr("auto_broadcast", "none").gives(["f32[]"]);
    }

    #[test]
    fn values() {
        let quantize = |data, levels| {
            let limits = ["f32[] = 0", "f32[] = 10", "f32[] = -5", "f32[1] = 5"];
            op("FakeQuantize", 1, [data, limits[0], limits[1], limits[2], limits[3]]).attr("levels", levels)
        };
        quantize("f32[4] = -3,4,5.1,11", 3).gives(["f32[4] = -5,0,0,5"]);
        quantize("f32[2] = 2.5,7.5", 3).gives(["f32[2] = -5,5"]);
        quantize("f32[3] = ..0,6..,?", 11).gives(["f32[3] = -5,1..5,-5..5"]);
    }

    #[test]
    fn errors() {
        quantize("f32[2,3]", "f32[4]", "f32[]")
            .fails("shape-conflict", "shapes [2,3] and [4] do not broadcast: 3 meets 4 at axis -1");
        quantize("f32[1]", "f32[2]", "f32[3]")
            .fails("shape-conflict", "shapes [2] and [3] do not broadcast: 2 meets 3 at axis -1");
        quantize("f32[2]", "f32[2]", "f32[2]")
            .attr("auto_broadcast", "none")
            .fails("shape-conflict", "shapes [2] and [] differ, without broadcasting");
        let levels = |levels| op("FakeQuantize", 1, ["f32[2]"; 5]).attr("levels", levels);
        levels(1).fails("attribute-value", "`levels` is 1, wanted at least 2").passes(["f32[2]"]);
        levels(2).gives(["f32[2]"]);
    }
}
