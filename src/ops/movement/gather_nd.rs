//! `GatherND`: for every tuple of indices, an element or a slice of `data`.
//!
//! - Spec: `movement/gather-nd-5`, `movement/gather-nd-8`
//! - Shape: the batch dimensions, the other dimensions of `indices` but the last, and the dimensions of `data` after the batch
//!   and the K indexed ones. The last dimension of `indices` is K, the length of a tuple. If K is unknown, so is the rank.
//! - Errors: `input-rank`; `index-type`; `attribute-value` if `batch_dims` leaves no dimension; `shape-conflict` if batch
//!   dimensions differ or tuples are too long. An index outside the data is a warning, `index-range`.
//! - Revisions: opset5 flattens the batch to one dimension, opset8 keeps all.

use crate::ops::prelude::*;
use crate::ops::shared::scatter::starts;
use crate::ops::shared::strides::{count, strides};

pub(super) static GATHER_ND_5: OpSpec = OpSpec {
    inputs: &[Input::any("data"), Input::index("indices").unread()],
    attrs: &[Attr::optional("batch_dims", Kind::COUNT, "0").checked(Checked::Ranked)],
    eval: Eval::Move(Bounding::Never, mover),
    ..OpSpec::new("GatherND", 5, infer)
};

pub(super) static GATHER_ND_8: OpSpec = OpSpec { opset: 8, ..GATHER_ND_5 };

fn infer(cx: &InferCtx) -> Inferred {
    let data = cx.input(0);
    let [whole, tuples] = [0, 1].map(|i| cx.input(i).shape.dims());
    least_rank(cx, 0, 1)?;
    least_rank(cx, 1, 1)?;
    let batch = usize::try_from(cx.int("batch_dims")).unwrap_or(usize::MAX);
    // The last dimension of the indices is the tuple, not batch; OpenVINO also requires an indexed dimension of the data.
    let room = [whole, tuples].map(|dims| Some(dims?.len().saturating_sub(1)));
    if let Some(i) = room.iter().position(|room| room.is_some_and(|room| room < batch)) {
        let message =
            format!("batch_dims {batch} leaves no dimension of `{}`, of shape {}", cx.input_name(i), cx.input(i).shape);
        return Err(Fault::at(At::Attr("batch_dims"), &ATTRIBUTE_VALUE, message));
    }
    let (Some(whole), Some([tuples @ .., length])) = (whole, tuples) else { return unranked(data.ty) };
    let mut dims = Vec::new();
    for (axis, (ours, theirs)) in whole.iter().zip(tuples).take(batch).enumerate() {
        let Some(both) = ours.agree(*theirs) else {
            let message = format!("batch dimension {axis} of `data` is {ours}, of `indices` {theirs}");
            // OpenVINO compares dimensions once it knows all of them.
            let is_static = cx.inputs().iter().all(|input| input.shape.is_static());
            return Err(misfit(cx, 1, &[0], message).late_unless(is_static));
        };
        dims.push(both);
    }
    let most = whole.len() - batch;
    if length.lower() > i64::try_from(most).unwrap_or(i64::MAX) {
        let message = format!(
            "tuples of {length} indices exceed the {most} dimension{s} of `data` that are indexed",
            s = plural(most)
        );
        return Err(misfit(cx, 1, &[0], message).late_unless(length.is_exact()));
    }
    let Some(length) = length.size() else {
        demand::leave_open();
        return unranked(data.ty);
    };
    warn_of_outside(cx, 1, |n| batch + n.checked_rem(length).unwrap_or(0));
    if cx.spec.opset < 8 && batch > 1 {
        dims = vec![dims.into_iter().fold(Dim::exact(1), Dim::times)];
    }
    dims.extend(tuples.iter().skip(batch).chain(whole.iter().skip(batch + length)));
    Ok(vec![Fact::new(data.ty, PartialShape::of(dims))])
}

fn mover<'a>(cx: &'a InferCtx, _: usize) -> Option<Mover<'a>> {
    let (data, indices) = (cx.input(0).shape.sizes()?, cx.input(1).shape.sizes()?);
    let batch = usize::try_from(cx.int("batch_dims")).ok()?;
    let (length, tuples) = indices.split_last()?;
    let per_batch = count(tuples.get(batch..)?)?;
    let indexed = data.get(batch..batch.checked_add(*length)?)?;
    let slice = count(data.get(batch + length..)?)?;
    let steps = strides(&data);
    let batch_step = count(data.get(batch..)?)?;
    let values = cx.constant(1)?;
    let starts = starts(&values, count(tuples)?, indexed, steps.get(batch..)?)?;
    Some(Box::new(move |i| {
        let tuple = i / slice;
        let start = starts.get(tuple).copied().unwrap_or(0);
        (0, tuple / per_batch * batch_step + start + i % slice)
    }))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn gather(opset: u8, data: &str, indices: &str, batch: i64) -> OpTest {
        op("GatherND", opset, [data, indices]).attr("batch_dims", batch)
    }

    #[test]
    fn shapes() {
        op("GatherND", 8, ["f32[3,4,5]", "i32[5,6,2]"]).gives(["f32[5,6,5]"]);
        gather(5, "f32[2,3,4,5]", "i32[2,3,1]", 2).gives(["f32[6,5]"]);
        gather(8, "f32[2,3,4,5]", "i32[2,3,1]", 2).gives(["f32[2,3,5]"]);
        gather(5, "f32[2,3,4]", "i32[2,6,1]", 1).gives(["f32[2,6,4]"]);
        gather(5, "f32[2..,?,4]", "i32[2,?,1]", 2).gives(["f32[?]"]);
        gather(8, "f32[1..3,?,4..6]", "i32[2,3,0]", 1).gives(["f32[2,3,?,4..6]"]);
        gather(8, "f32[2,3,4]", "i32[2,?]", 1).gives(["f32[...]"]);
        gather(8, "f32[...]", "i32[2,1]", 1).gives(["f32[...]"]);
        gather(8, "i64[2,2] = 1,2,3,4..5", "i64[2,2] = 0,1,1,-1", 0).gives(["i64[2] = 2,4..5"]);
        gather(8, "i64[2,2] = 1,2,3,4", "i64[1,1] = 1", 0).gives(["i64[1,2] = 3,4"]);
        gather(8, "i64[2,2] = 1,2,3,4", "i64[2,1] = 1,0", 1).gives(["i64[2] = 2,3"]);
        gather(8, "i64[2] = 1,2", "i64[1,1] = 2", 0)
            .warns("index-range", "index 2 is outside -2..1 along axis 0 of `data`")
            .gives(["i64[1]"]);
        gather(8, "f32[2,5,3]", "i64[2,2] = 4,0,0,3", 1)
            .warns("index-range", "index 3 is outside -3..2 along axis 2 of `data`");
        gather(8, "f32[2,5,3]", "i64[2,2] = 4,0,0,-3", 1).says_nothing();
        gather(8, "i64[2] = 1,2", "i64[2,0] = ", 0).gives(["i64[2,2] = 1,2,1,2"]);
    }

    #[test]
    fn errors() {
        gather(8, "f32[3,4]", "i32[2,1]", 1)
            .fails("shape-conflict", "batch dimension 0 of `data` is 3, of `indices` 2");
        gather(8, "f32[3,4]", "i32[5,3]", 0)
            .fails("shape-conflict", "tuples of 3 indices exceed the 2 dimensions of `data` that are indexed");
        gather(8, "f32[3,4,5]", "i32[3,1]", 2)
            .fails("attribute-value", "batch_dims 2 leaves no dimension of `indices`, of shape [3,1]");
        gather(8, "f32[3]", "i32[3,1,1,1]", 2)
            .fails("attribute-value", "batch_dims 2 leaves no dimension of `data`, of shape [3]");
        gather(8, "f32[3,4]", "i32[]", 0)
            .fails("input-rank", "`indices` of GatherND must be of rank 1 or more, but is i32[]");
        gather(8, "f32[3,4]", "f32[2]", 0).fails("index-type", "`indices` must be of an integer type, but is f32");
        gather(8, "f32[3,4]", "i32[2]", -1)
            .fails("attribute-value", "`batch_dims=\"-1\"` of GatherND must be at least 0");
    }
}
