//! `Slice`: a slice of a tensor along some axes, from a start to a stop by steps.
//!
//! - Spec: `movement/slice-8`
//! - Shape: along every given axis, the number of elements from `start` to `stop`; if these are bounded, all numbers that the
//!   bounds and the dimension allow. Without `axes` the first dimensions are sliced. An unknown step or unknown axes give
//!   anything up to the length of the dimension.
//! - Errors: `input-rank`; `input-value` for a step of 0 and a repeated axis; `shape-conflict` if the lists differ in length
//!   or are longer than the rank; `axis-range`.
//! - Differs from OpenVINO: bounds are exact; OpenVINO does not evaluate `9..11` from -8 to 8 nor an unknown start or stop. It
//!   resolves negative indices of an unbounded dimension in the shortest one.

use crate::ops::prelude::*;
use crate::ops::shared::slice::{Cut, Endpoint, Part, list_length, shape, view};

pub(super) static SLICE_8: OpSpec = OpSpec {
    inputs: &[
        Input::any("data"),
        Input::index("start").if_ranked().followed().ranks(&[1]),
        Input::index("stop").if_ranked().followed().ranks(&[1]),
        Input::index("step").if_ranked().ranks(&[1]),
        Input::index("axes").if_ranked().ranks(&[1]).skippable(),
    ],
    action: Action::Slices,
    eval: Eval::Move(Bounding::MovedUnless(|cx| cx.input(0).ty.is_packed()), |cx, _| mover(cx)),
    waits: &[&INPUT_RANK, &SHAPE_CONFLICT],
    ..OpSpec::new("Slice", 8, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let data = cx.input(0);
    least_rank(cx, 0, 1)?;
    let count = list_length(cx, 1)?;
    if let Some(rank) = data.rank().filter(|rank| i64::try_from(*rank).is_ok_and(|rank| count.lower() > rank)) {
        let message = format!("{count} dimensions are to be cut in a tensor of {rank}");
        return Err(unfit(cx, At::Input(1), message));
    }
    let parts = parts(cx, 1, count)?;
    let Some(dims) = data.shape.dims() else { return unranked(data.ty) };
    let shape = match parts {
        Some(parts) => shape(&data.shape, &parts),
        None => PartialShape::of(dims.iter().map(|dim| dim.upper().map_or(Dim::ANY, Dim::at_most))),
    };
    Ok(vec![Fact::new(data.ty, shape)])
}

/// The steps in input `i`, `None` for each unknown one.
fn steps(cx: &InferCtx, i: usize) -> Result<Vec<Option<i64>>, Fault> {
    let steps: Vec<_> = cx.bounds(i).unwrap_or_default().iter().map(|step| step.value()).collect();
    if let Some(index) = steps.iter().position(|step| *step == Some(0)) {
        let fault = Fault::at(At::Input(i), &INPUT_VALUE, format!("step {index} is 0"));
        // Without a start and a stop, OpenVINO rejects it only when it runs.
        let is_seen = cx.bounds(i - 2).is_some() && cx.bounds(i - 1).is_some();
        cx.pass(if is_seen { fault } else { fault.runtime(Runtime::Accepts) })?;
    }
    Ok(steps.into_iter().map(|step| step.filter(|step| *step != 0)).collect())
}

/// The treatment of every dimension by the inputs from `first` on: start, stop, step, axes; `None` if the axes are unknown.
pub(super) fn parts(cx: &InferCtx, first: usize, count: Dim) -> Result<Option<Vec<Part>>, Fault> {
    let steps = steps(cx, first + 2)?;
    let Some(rank) = cx.input(0).rank() else { return Ok(None) };
    let axes =
        if cx.has_input(first + 3) { cx.axes(first + 3, 0)? } else { count.size().map(|count| (0..count).collect()) };
    let Some(axes) = axes else { return Ok(None) };
    let mut cuts = vec![None; rank];
    for (i, axis) in axes.iter().enumerate() {
        let step = steps.get(i).copied().flatten();
        let cut = Cut { begin: Endpoint::at(cx, first, i), end: Endpoint::at(cx, first + 1, i), step };
        if let Some(index) = cuts.get_mut(*axis)
            && index.replace(cut).is_some()
        {
            return Err(Fault::at(At::Input(first + 3), &INPUT_VALUE, format!("axis {axis} is named twice in `axes`")));
        }
    }
    Ok(Some(cuts.into_iter().enumerate().map(|(axis, cut)| Part::Cut(axis, cut.unwrap_or(Cut::WHOLE))).collect()))
}

fn mover<'a>(cx: &'a InferCtx) -> Option<Mover<'a>> {
    let parts = parts(cx, 1, list_length(cx, 1).ok()?).ok()??;
    Some(view(&cx.input(0).shape, &parts)?.mover(0))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let slice = |data, start, stop, step, axes| op("Slice", 8, [data, start, stop, step, axes]);
        slice("f32[20,10,5]", "i64[2] = 0,-8", "i64[2] = 10,8", "i64[2] = 2,1", "i64[2] = 0,-2").gives(["f32[5,6,5]"]);
        slice("f32[9..11,3]", "i64[1] = -8", "i64[1] = 8", "i64[1] = 1", "i64[1] = 0").gives(["f32[5..7,3]"]);
        slice("f32[?,3]", "i64[1] = -3", "i64[1] = 9223372036854775807", "i64[1] = 1", "i64[1] = 0")
            .gives(["f32[..3,3]"]);
        slice("f32[4..10]", "i64[1] = -1", "i64[1] = -9223372036854775807", "i64[1] = -1", "i64[1] = 0")
            .gives(["f32[4..10]"]);
        slice("f32[10,3]", "i64[1] = 1..2", "i64[1] = 5..", "i64[1] = 1", "i64[1] = 0").gives(["f32[3..9,3]"]);
        slice("f32[10,3]", "i64[1] = 9", "i64[1] = 0", "i64[1] = -3", "i64[1] = 0").gives(["f32[3,3]"]);
        slice("f32[10,3]", "i64[1]", "i64[1] = 4", "i64[1] = 1", "i64[1] = 0").gives(["f32[..4,3]"]);
        slice("f32[10,3]", "i64[1] = 0", "i64[1] = 4", "i64[1]", "i64[1] = 0").gives(["f32[..10,3]"]);
        slice("f32[10,3..]", "i64[1] = 0", "i64[1] = 4", "i64[1] = 1", "i64[1]").gives(["f32[..10,?]"]);
        slice("f32[...]", "i64[1] = 0", "i64[1] = 4", "i64[1] = 1", "i64[1] = 0").gives(["f32[...]"]);
        op("Slice", 8, ["f32[20,10,5]", "i64[2] = 4,1", "i64[?]", "i64[...]"]).gives(["f32[..20,..10,5]"]);
        op("Slice", 8, ["f32[20,10,5]", "i64[?]", "i64[?]", "i64[?]"]).gives(["f32[..20,..10,..5]"]);
    }

    #[test]
    fn values() {
        op("Slice", 8, ["i64[3] = 4,2..5,7", "i64[1] = 1", "i64[1] = 3", "i64[1] = 1"]).gives(["i64[2] = 2..5,7"]);
        op("Slice", 8, ["i64[5] = 0,1,2,3,4", "i64[1] = -1", "i64[1] = 0", "i64[1] = -2"]).gives(["i64[2] = 4,2"]);
        op("Slice", 8, ["i64[2,3] = 0,1,2,3,4,5", "i32[1] = 1", "i32[1] = 2147483647", "i32[1] = 1", "i32[1] = 1"])
            .gives(["i64[2,2] = 1,2,4,5"]);
    }

    #[test]
    fn steps_of_0_pass_without_a_start() {
        let slice = |data| op("Slice", 8, [data, "i64[1]", "i64[1] = 5", "i64[1] = 0", "i64[1] = 0"]);
        slice("f32[10,4]").passes(["f32[..10,4]"]);
    }

    #[test]
    fn errors() {
        let slice = |start, stop, step, axes| op("Slice", 8, ["f32[10,3]", start, stop, step, axes]);
        slice("i64[1] = 0", "i64[1] = 1", "i64[1] = 0", "i64[1] = 0").fails("input-value", "step 0 is 0");
        slice("i64[1] = 0", "i64[1] = 1", "i64[1] = 1", "i64[1] = 2").fails("axis-range", "axis 2 is outside -2..1");
        slice("i64[2] = 0,0", "i64[2] = 1,1", "i64[2] = 1,1", "i64[2] = 0,-2")
            .fails("input-value", "axis 0 is named twice in `axes`");
        slice("i64[1] = 0", "i64[2] = 1,1", "i64[1] = 1", "i64[1] = 0")
            .fails("shape-conflict", "`stop` has 2 elements, the lists before it have 1");
        slice("i64[3]", "i64[3]", "i64[3]", "i64[3]")
            .fails("shape-conflict", "3 dimensions are to be cut in a tensor of 2");
        slice("i64[]", "i64[1]", "i64[1]", "i64[1]")
            .fails("input-rank", "`start` of Slice must be a list (rank 1), but is i64[]");
        slice("f32[1]", "i64[1]", "i64[1]", "i64[1]")
            .fails("index-type", "`start` must be of an integer type, but is f32");
        op("Slice", 8, ["f32[]", "i64[0]", "i64[0]", "i64[0]"])
            .fails("input-rank", "`data` of Slice must be of rank 1 or more, but is f32[]");
        op("Slice", 8, ["f32[2]", "i64[1]", "i64[1]"])
            .fails("wrong-input-count", "Slice takes 4 to 5 inputs, this layer has 3");
    }
}
