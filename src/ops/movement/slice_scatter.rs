//! `SliceScatter`: writes a tensor to a slice of another.
//!
//! - Spec: `movement/slice-scatter-15`
//! - Shape: that of `data`. `updates` is of the shape of the slice.
//! - Errors: those of `Slice`; `shape-conflict` if `updates` does not fit.
//! - Differs from OpenVINO: bounded starts and stops are compared too, and `updates` narrows the dimensions that are not
//!   sliced.

use super::slice::parts;
use crate::ops::prelude::*;
use crate::ops::shared::scatter::{Targets, replacing};
use crate::ops::shared::slice::{Cut, Part, list_length, shape, view};

pub(super) static SLICE_SCATTER_15: OpSpec = OpSpec {
    inputs: &[
        Input::any("data"),
        Input::any("updates"),
        Input::index("start").ranks(&[1]),
        Input::index("stop").ranks(&[1]),
        Input::index("step").ranks(&[1]),
        Input::index("axes").ranks(&[1]).optional(),
    ],
    eval: Eval::Move(Bounding::Never, mover),
    ..OpSpec::new("SliceScatter", 15, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let data = cx.input(0);
    let updates = &cx.input(1).shape;
    least_rank(cx, 0, 1)?;
    let ranks = (data.rank(), updates.rank());
    if let (Some(rank), Some(other)) = ranks
        && rank != other
    {
        return Err(conflict(cx, At::Input(1), format!("`updates` has rank {other}, `data` has rank {rank}")));
    }
    let listed = list_length(cx, 2)?;
    let rank = data.rank().or(updates.rank());
    if let Some(rank) = rank.filter(|rank| i64::try_from(*rank).is_ok_and(|rank| listed.lower() > rank)) {
        let message = format!("{listed} dimensions are to be cut in a tensor of {rank}");
        return Err(conflict(cx, At::Input(2), message));
    }
    let parts = parts(cx, 2, listed)?;
    let Some(rank) = rank else { return unranked(data.ty) };
    let mut whole = if data.rank().is_some() { data.shape.clone() } else { PartialShape::of_rank(rank) };
    for axis in 0..rank {
        let piece = parts.as_ref().and_then(|parts| parts.get(axis));
        // Any dimension may be sliced if the axes are unknown.
        let cut = || data.shape.dim(axis).hull(Dim::exact(0));
        let slice = piece.map_or_else(cut, |piece| shape(&data.shape, &[*piece]).dim(0));
        let update = updates.dim(axis);
        let Some(both) = slice.agree(update) else {
            let message = format!("dimension {axis} of `updates` is {update}, that of the slice is {slice}");
            let are_known = [2, 3, 4].iter().all(|i| cx.constant(*i).is_some());
            return Err(conflict(cx, At::Input(1), message).late_unless(are_known));
        };
        if piece.is_some_and(|piece| *piece == Part::Cut(axis, Cut::WHOLE)) {
            whole = whole.with(axis, both);
        }
    }
    Ok(vec![Fact::new(data.ty, whole)])
}

fn conflict(cx: &InferCtx, at: At, message: String) -> Fault {
    unfit(cx, at, message).label(At::Input(1), cx.shown(1))
}

/// Maps an output element to its update in the slice, else to `data`.
fn mover<'a>(cx: &'a InferCtx, _: usize) -> Option<Mover<'a>> {
    let parts = parts(cx, 2, list_length(cx, 2).ok()?).ok()??;
    let data = &cx.input(0).shape;
    let written = shape(data, &parts).count()?;
    let index = view(data, &parts)?.mover(0);
    let targets = Targets { slices: (0..written).map(|update| index(update).1).collect(), length: 1 };
    Some(replacing(&targets, data.count()?, 1))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn scatter(data: &str, updates: &str, lists: [&str; 4]) -> OpTest {
        op("SliceScatter", 15, [data, updates, lists[0], lists[1], lists[2], lists[3]])
    }

    const LISTS: [&str; 4] = ["i64[2] = 0,2", "i64[2] = 10,8", "i64[2] = 2,1", "i64[2] = 0,1"];

    #[test]
    fn shapes() {
        scatter("f32[20,10,5]", "f32[5,6,5]", LISTS).gives(["f32[20,10,5]"]);
        scatter("f32[19..21,?,?]", "f16[5,6,5]", LISTS).gives(["f32[19..21,?,5]"]);
        scatter("f32[...]", "f32[5,6,5]", LISTS).gives(["f32[?,?,?]"]);
        scatter("f32[...]", "f32[...]", LISTS).gives(["f32[...]"]);
        scatter("f32[20,10]", "f32[7,7]", ["i64[1]", "i64[1] = 9", "i64[1] = 1", "i64[1]"]).gives(["f32[20,10]"]);
        op("SliceScatter", 15, ["f32[9,?]", "f32[2,4]", "i64[1] = 1", "i64[1] = 3", "i64[1] = 1"]).gives(["f32[9,4]"]);
        let list = |start, stop, step| [start, stop, step, "i64[1] = 0"];
        scatter("i64[4] = 1,2,3,?", "i64[2] = 8,9..10", list("i64[1] = 3", "i64[1] = -5", "i64[1] = -2"))
            .gives(["i64[4] = 1,9..10,3,8"]);
        scatter("i64[2] = 1,2", "i64[0] = ", list("i64[1] = 1", "i64[1] = 1", "i64[1] = 1")).gives(["i64[2] = 1,2"]);
    }

    #[test]
    fn errors() {
        scatter("f32[6,2]", "f32[6,7]", ["i64[1] = 0", "i64[1] = 9", "i64[1] = 1", "i64[1]"])
            .fails("shape-conflict", "dimension 1 of `updates` is 7, that of the slice is ..2");
        scatter("f32[20,10,5]", "f32[5,6,6]", LISTS)
            .fails("shape-conflict", "dimension 2 of `updates` is 6, that of the slice is 5");
        scatter("f32[20,1,5]", "f32[5,6,5]", LISTS)
            .fails("shape-conflict", "dimension 1 of `updates` is 6, that of the slice is 0");
        scatter("f32[20,10]", "f32[5,6,5]", LISTS).fails("shape-conflict", "`updates` has rank 3, `data` has rank 2");
        scatter("f32[20]", "f32[...]", LISTS).fails("shape-conflict", "2 dimensions are to be cut in a tensor of 1");
        let list = |step, axes| ["i64[1] = 0", "i64[1] = 1", step, axes];
        scatter("f32[2]", "f32[1]", list("i64[1] = 0", "i64[1] = 0")).fails("input-value", "step 0 is 0");
        scatter("f32[2]", "f32[1]", list("i64[1] = 1", "i64[1] = 1")).fails("axis-range", "axis 1 is outside -1..0");
        scatter("f32[]", "f32[]", list("i64[1] = 1", "i64[1] = 0"))
            .fails("input-rank", "`data` of SliceScatter must be of rank 1 or more, but is f32[]");
    }
}
