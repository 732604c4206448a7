//! `ScatterNDUpdate`: writes every update to the element or the slice that a tuple of indices selects.
//!
//! - Spec: `movement/scatter-nd-update-3`, `movement/scatter-nd-update-15`
//! - Shape: that of `data`. The last dimension of `indices` is the length K of the tuples; `updates` has the others,
//!   and then those of `data` after the first K.
//! - Errors: `shape-conflict`, which is a warning where `updates` should be a scalar, `type-conflict`, `input-type`,
//!   `input-rank`; `input-value` for indices outside `data`, which is a warning unless a shape depends on its elements.
//! - Revisions: opset15 adds `reduction`.
//! - Differs from OpenVINO: `updates` narrows the dimensions of `data`.

use crate::ops::prelude::*;
use crate::ops::shared::scatter::{Targets, check_indices, fitted, reduced, replacing, starts};
use crate::ops::shared::strides::{count, strides};

pub(super) static SCATTER_ND_UPDATE_4: OpSpec = OpSpec {
    inputs: &[
        Input::any("data"),
        Input::of("indices", TypeSet::I32_OR_I64).reads_value().followed(),
        Input::any("updates"),
    ],
    eval: Eval::Move(Bounding::Updated, |cx, _| Some(replacing(&targets(cx)?, cx.input(0).shape.count()?, 2))),
    ..OpSpec::new("ScatterNDUpdate", 4, infer)
};

pub(super) static SCATTER_ND_UPDATE_15: OpSpec = OpSpec {
    opset: 15,
    attrs: &[Attr::optional("reduction", Kind::Choice(&["none", "sum", "sub", "prod", "min", "max"]), "none")],
    eval: Eval::Compute(Bounding::Updated, |cx, outputs| {
        Some(vec![reduced(cx, outputs.first()?, &targets(cx)?, true)?])
    }),
    ..SCATTER_ND_UPDATE_4
};

fn infer(cx: &InferCtx) -> Inferred {
    let ty = agreed_type(cx, &[0, 2])?;
    let [data, indices, updates] = [0, 1, 2].map(|i| &cx.input(i).shape);
    least_rank(cx, 0, 1)?;
    least_rank(cx, 1, 1)?;
    let (Some(whole), Some([tuples @ .., length])) = (data.dims(), indices.dims()) else {
        return Ok(vec![Fact::new(ty, data.clone())]);
    };
    let rank = i64::try_from(whole.len()).unwrap_or(i64::MAX);
    if length.lower() > rank {
        let message = format!("tuples of {length} indices exceed the {rank} dimension{s} of `data`", s = plural(rank));
        return Err(misfit(cx, 2, &[0, 1], message).late_unless(length.is_exact()));
    }
    let length = length.size();
    if let Some(length) = length.filter(|length| *length > 0) {
        check_indices(cx, |index| index % length, true)?;
    }
    let (Some(length), Some(written)) = (length, updates.dims()) else {
        demand::leave_open();
        return Ok(vec![Fact::new(ty, data.clone())]);
    };
    let wanted = tuples.len() + whole.len() - length;
    if written.len() != wanted {
        let fault = misfit(cx, 2, &[0, 1], format!("`updates` has rank {}, wanted {wanted}", written.len()));
        if wanted > 0 {
            return Err(fault);
        }
        cx.warn(fault.severity(Severity::Warning).runtime(Runtime::Accepts));
        return Ok(vec![Fact::new(ty, data.clone())]);
    }
    let shape = fitted(cx, |index| match index.checked_sub(tuples.len()) {
        None => (1, index),
        Some(inside) => (0, inside + length),
    })?;
    Ok(vec![Fact::new(ty, shape)])
}

fn targets(cx: &InferCtx) -> Option<Targets> {
    let (data, indices) = (cx.input(0).shape.sizes()?, cx.input(1).shape.sizes()?);
    let (length, tuples) = indices.split_last()?;
    let (indexed, slice) = data.split_at_checked(*length)?;
    let steps = strides(indexed);
    let values = cx.constant(1)?;
    let slices = starts(&values, count(tuples)?, indexed, &steps)?;
    Some(Targets { slices, length: count(slice)? })
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn scatter(opset: u8, data: &str, indices: &str, updates: &str) -> OpTest {
        op("ScatterNDUpdate", opset, [data, indices, updates])
    }

    #[test]
    fn shapes() {
        scatter(4, "f32[2,3,4]", "i32[5,2]", "f32[5,4]").gives(["f32[2,3,4]"]);
        scatter(15, "f32[..2,?,?]", "i64[..5,2]", "f32[5,4]").gives(["f32[..2,?,4]"]);
        scatter(4, "f32[2,3]", "i64[5,?]", "f32[7,7,7]").gives(["f32[2,3]"]);
        scatter(4, "f32[...]", "i64[5,2]", "f32[7]").gives(["f32[...]"]);
        scatter(4, "dynamic[2]", "i64[...]", "f16[...]").gives(["f16[2]"]);
        scatter(4, "f32[2]", "i64[1]", "f32[5]")
            .warns("shape-conflict", "`updates` has rank 1, wanted 0")
            .gives(["f32[2]"]);
        scatter(4, "f32[2,3]", "i64[1,2] = 1,3", "f32[1]")
            .warns("input-value", "`indices` holds 3, dimension 1 of `data` is 3")
            .gives(["f32[2,3]"]);
    }

    #[test]
    fn values() {
        let data = "i64[3] = 4,6..7,?";
        scatter(4, data, "i64[1,1] = 1", "i64[1] = 9").gives(["i64[3] = 4,9,?"]);
        scatter(15, data, "i64[2,1] = -1,-1", "i64[2] = 8,9").gives(["i64[3] = 4,6..7,9"]);
        scatter(4, "i64[2,2] = 1,2,3,4", "i64[1,1] = 1", "i64[1,2] = 8,9").gives(["i64[2,2] = 1,2,8,9"]);
        scatter(4, "i64[2,2] = 1,2,3,4", "i64[1,2] = 1,0", "i64[1] = 8").gives(["i64[2,2] = 1,2,8,4"]);
        scatter(4, "i64[2] = 1,2", "i64[1,0] = ", "i64[1,2] = 8,9").gives(["i64[2] = 8,9"]);
        scatter(15, data, "i64[2,1] = 1,1", "i64[2] = 1,2").attr("reduction", "sub").gives(["i64[3] = 4,3..4,?"]);
        scatter(15, data, "i64[2,1] = 0,0", "i64[2] = 1,2").attr("reduction", "sum").gives(["i64[3] = 7,6..7,?"]);
    }

    #[test]
    fn errors() {
        scatter(4, "f32[2,3,4]", "i32[5,1]", "f32[5,4]").fails("shape-conflict", "`updates` has rank 2, wanted 3");
        scatter(4, "f32[2,3,4]", "i32[5,2]", "f32[6,4]")
            .fails("shape-conflict", "dimension 0 of `updates` is 6, dimension 0 of `indices` is 5");
        scatter(4, "f32[2,3,4]", "i32[5,2]", "f32[5,5]")
            .fails("shape-conflict", "dimension 1 of `updates` is 5, dimension 2 of `data` is 4");
        scatter(4, "f32[2,3]", "i32[5,3]", "f32[...]")
            .fails("shape-conflict", "tuples of 3 indices exceed the 2 dimensions of `data`");
        scatter(4, "f32[2]", "i32[]", "f32[2]")
            .fails("input-rank", "`indices` of ScatterNDUpdate must be of rank 1 or more, but is i32[]");
        scatter(4, "f32[2]", "i32[1,1]", "f16[1]").fails("type-conflict", "`updates` is f16, `data` is f32");
        scatter(4, "f32[2]", "u8[1,1]", "f32[1]")
            .fails("input-type", "ScatterNDUpdate does not accept u8 at input 1 `indices`");
    }
}
