//! `Select`: elements of one tensor if a condition holds, else of another.
//!
//! - Spec: `condition/select-1`
//! - Shape: the broadcast of all three shapes by `auto_broadcast`; with `pdpd` that of `then`. The element type is that of
//!   `then` and `else`.
//! - Errors: `input-type` unless `cond` is boolean; `type-conflict`, `shape-conflict`.
//! - Differs from OpenVINO: every element is selected independently; for an unknown condition the result is the hull of both.

use crate::ops::prelude::*;
use crate::ops::shared::broadcast::{AUTO_BROADCAST, BROADCAST_AXIS, Mode};
use crate::ops::shared::elementwise::{real, reals, whole, wholes};

pub(super) static SELECT_1: OpSpec = OpSpec {
    inputs: &[Input::of("cond", TypeSet::of(&[ElementType::Boolean])), Input::any("then"), Input::any("else")],
    attrs: &[AUTO_BROADCAST, BROADCAST_AXIS],
    eval: Eval::Compute(Bounding::Chosen, eval),
    ..OpSpec::new("Select", 1, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let ty = agreed_type(cx, &[1, 2])?;
    let mode = Mode::of(cx);
    let meet = |whole: &PartialShape, a: usize, b: usize| -> Result<PartialShape, Fault> {
        // OpenVINO stretches by pdpd once it knows all ranks.
        let is_met = || cx.choice("auto_broadcast") != "pdpd" || cx.inputs().iter().all(|input| input.rank().is_some());
        mode.meet(whole, &cx.input(b).shape).map_err(|message| misfit(cx, b, &[a], message).late_unless(is_met()))
    };
    let both = meet(&cx.input(1).shape, 1, 2)?;
    Ok(vec![Fact::new(ty, meet(&both, 1, 0)?)])
}

fn eval(cx: &InferCtx, outputs: &[Fact]) -> Option<Vec<Value>> {
    let [output] = outputs else { return None };
    let (mode, lengths) = (Mode::of(cx), output.shape.sizes()?);
    let cond = whole(cx, 0, mode, &lengths)?;
    if output.ty.is_float() {
        let (then, other) = (real(cx, 1, mode, &lengths)?, real(cx, 2, mode, &lengths)?);
        return reals(output, |i| chosen(cond.at(i), then.at(i), other.at(i)));
    }
    let (then, other) = (whole(cx, 1, mode, &lengths)?, whole(cx, 2, mode, &lengths)?);
    wholes(output, |i| Some(chosen(cond.at(i), then.at(i), other.at(i))))
}

fn chosen<T: PartialOrd + Copy>(cond: Bounds<i64>, then: Bounds<T>, other: Bounds<T>) -> Bounds<T> {
    match cond.value() {
        Some(0) => other,
        Some(_) => then,
        None => Bounds::between(
            if other.lower < then.lower { other.lower } else { then.lower },
            if other.upper > then.upper { other.upper } else { then.upper },
        ),
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let select = |a, b, c| op("Select", 1, [a, b, c]);
        select("boolean[2,1,4]", "f32[3,1]", "f32[1]").gives(["f32[2,3,4]"]);
        select("boolean[2,1,?]", "dynamic[2..4,1]", "string[]").gives(["string[2,2..4,?]"]);
        select("boolean[2]", "f32[...]", "f32[1]").gives(["f32[...]"]);
        select("boolean[2]", "f32[2,3]", "f32[2,1]").attr("auto_broadcast", "pdpd").gives(["f32[2,3]"]);
        select("boolean[2,?]", "f32[?,3]", "f32[...]").attr("auto_broadcast", "none").gives(["f32[2,3]"]);
    }

    #[test]
    fn values() {
        let select = |a, b, c| op("Select", 1, [a, b, c]);
        select("boolean[3] = 1,0,0..1", "i64[3] = 4,2..5,3..", "i64[] = 9").gives(["i64[3] = 4,9,3.."]);
        select("boolean[3]", "i64[3] = 4,2..5,3", "i64[] = 9").gives(["i64[3] = 4..9,2..9,3..9"]);
        select("boolean[2] = 1,0", "f32[2]", "f32[] = 9").gives(["f32[2] = ?,9"]);
        select("boolean[] = 1", "u8[2] = 1,2", "u8[]").gives(["u8[2] = 1,2"]);
        let pdpd = select("boolean[2] = 1,0", "i64[2,2] = 1,2,3,4", "i64[2] = 8,9").attr("auto_broadcast", "pdpd");
        pdpd.gives(["i64[2,2] = 1,2,9,9"]);
    }

    #[test]
    fn errors() {
        let select = |a, b, c| op("Select", 1, [a, b, c]);
        select("u8[2]", "f32[2]", "f32[2]").fails("input-type", "Select does not accept u8 at input 0 `cond`");
        select("boolean[2]", "f32[2]", "f16[2]").fails("type-conflict", "`else` is f16, `then` is f32");
        select("boolean[2]", "f32[3]", "f32[1]")
            .fails("shape-conflict", "shapes [3] and [2] do not broadcast: 3 meets 2 at axis -1");
        select("boolean[1]", "f32[3]", "f32[3]")
            .attr("auto_broadcast", "none")
            .fails("shape-conflict", "shapes [3] and [1] differ, without broadcasting");
    }
}
