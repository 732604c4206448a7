//! `Roll`: shifts elements along axes cyclically.
//!
//! - Spec: `movement/roll-7`
//! - Shape: that of `data`. A scalar `shift` applies to every axis in `axes`.
//! - Errors: `axis-range`, `input-rank`, `shape-conflict` unless there is a shift per axis, `input-type` unless i32 or i64.

use crate::ops::prelude::*;
use crate::ops::shared::strides::{by_axis, strides};

pub(super) static ROLL_7: OpSpec = OpSpec {
    inputs: &[
        Input::any("data"),
        Input::of("shift", TypeSet::I32_OR_I64).reads_value().ranks(&[0, 1]),
        Input::of("axes", TypeSet::I32_OR_I64).read().if_ranked().ranks(&[0, 1]),
    ],
    eval: Eval::Move(Bounding::Never, mover),
    ..OpSpec::new("Roll", 7, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let data = cx.input(0);
    let [shift, axes] = [1, 2].map(|i| &cx.input(i).shape);
    if shift.rank() == Some(1) && shift.agree(axes).is_none() {
        let message = format!("`shift` is {shift} and `axes` is {axes}, wanted a scalar or one shift per axis");
        let fault = Fault::at(At::Input(1), &SHAPE_CONFLICT, message).primary(format!("shape {shift}"));
        return Err(fault.label(At::Input(2), format!("shape {axes}")));
    }
    // OpenVINO treats a scalar as a list of one element here.
    if data.rank() != Some(0) {
        cx.axes(2, 0)?;
    }
    Ok(vec![Fact::new(data.ty, data.shape.clone())])
}

fn mover<'a>(cx: &'a InferCtx, _: usize) -> Option<Mover<'a>> {
    let input = cx.input(0).shape.sizes()?;
    let axes = if input.is_empty() { smallvec::SmallVec::new() } else { cx.axes(2, 0).ok()?? };
    let shifts = cx.constant(1)?;
    let mut back = vec![0; input.len()];
    for (i, axis) in axes.iter().enumerate() {
        let shift = if cx.input(1).rank() == Some(0) { shifts.first() } else { shifts.get(i) };
        let (length, back) = (i64::try_from(*input.get(*axis)?).ok()?.max(1), back.get_mut(*axis)?);
        *back = (*back + length - shift?.rem_euclid(length)) % length;
    }
    let back: Vec<usize> = back.into_iter().map(|n| usize::try_from(n).ok()).collect::<Option<_>>()?;
    let steps = strides(&input);
    Some(by_axis(&input, |axis, index| (index + back[axis]) % input[axis] * steps[axis]))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let roll = |data, shift, axes| op("Roll", 7, [data, shift, axes]);
        roll("f32[2,?]", "i64[2] = 1,2", "i32[2] = 0,-1").gives(["f32[2,?]"]);
        roll("f32[2,6]", "i64[]", "i64[2]").gives(["f32[2,6]"]);
        roll("f32[...]", "i64[]", "i64[1] = 9").gives(["f32[...]"]);
        roll("f32[]", "i64[] = 1", "i64[1] = 0").gives(["f32[]"]);
        roll("i64[4] = 1,2,3,4..5", "i64[] = 1", "i64[] = 0").gives(["i64[4] = 4..5,1,2,3"]);
        roll("i64[4] = 1,2,3,4", "i64[2] = -1,-4", "i64[2] = 0,0").gives(["i64[4] = 2,3,4,1"]);
        roll("i64[2,2] = 1,2,3,4", "i64[] = 1", "i64[2] = 0,1").gives(["i64[2,2] = 4,3,2,1"]);
    }

    #[test]
    fn errors() {
        let roll = |data, shift, axes| op("Roll", 7, [data, shift, axes]);
        roll("f32[2,6]", "i64[] = 1", "i64[1] = 2").fails("axis-range", "axis 2 is outside -2..1");
        roll("f32[2,6]", "i64[1]", "i64[2]")
            .fails("shape-conflict", "`shift` is [1] and `axes` is [2], wanted a scalar or one shift per axis");
        roll("f32[2,6]", "i64[1]", "i64[]")
            .fails("shape-conflict", "`shift` is [1] and `axes` is [], wanted a scalar or one shift per axis");
        roll("f32[2,6]", "i64[]", "i64[1,1]")
            .fails("input-rank", "`axes` of Roll must be a scalar or a list, but is i64[1,1]");
        roll("f32[2,6]", "u8[]", "i64[]").fails("input-type", "Roll does not accept u8 at input 1 `shift`");
    }
}
