//! `StridedSlice`: a slice of a tensor along its first dimensions, with masks that skip, drop and insert dimensions.
//!
//! - Spec: `movement/strided-slice-1`
//! - Shape: for every entry of `begin`, `end` and `strides`: a bit of `ellipsis_mask` keeps all dimensions that no other entry
//!   uses, else one of `new_axis_mask` inserts a 1, else one of `shrink_axis_mask` drops the dimension, else it is sliced.
//!   Bits of `begin_mask` and `end_mask` mean the farthest index; the dimensions after the last entry are kept.
//! - Errors: `attribute-value` for masks; `input-value` for a stride of 0; `shape-conflict` if the lists differ in length or
//!   are longer than the dimensions.
//! - Differs from OpenVINO: bounds are exact, as in `Slice`; OpenVINO ignores a mask bit whose list is unknown.

use crate::ops::prelude::*;
use crate::ops::shared::slice::{Cut, Endpoint, Part, list_length, shape, view};

pub(super) static STRIDED_SLICE_1: OpSpec = OpSpec {
    inputs: &[
        Input::any("data"),
        Input::index("begin").if_ranked().followed().ranks(&[1]),
        Input::index("end").if_ranked().followed().ranks(&[1]),
        Input::index("strides").if_ranked().types(TypeSet::ANY).ranks(&[1]).skippable(),
    ],
    attrs: &[
        mask("begin_mask"),
        mask("end_mask"),
        mask("new_axis_mask"),
        mask("shrink_axis_mask"),
        mask("ellipsis_mask"),
    ],
    action: Action::Slices,
    eval: Eval::Move(Bounding::MovedUnless(is_misread), |cx, _| mover(cx)),
    needs_no_bytes: true,
    waits: &[&SHAPE_CONFLICT],
    ..OpSpec::new("StridedSlice", 1, infer)
};

/// Whether the same bit of `begin_mask` and `shrink_axis_mask` is set: OpenVINO then uses one of them for the shape and the
/// other for the elements.
fn is_misread(cx: &InferCtx) -> bool {
    let [begin, shrink] = ["begin_mask", "shrink_axis_mask"].map(|mask| cx.ints(mask));
    begin.iter().zip(shrink).any(|bits| bits == (&1, &1))
}

const fn mask(name: &'static str) -> Attr {
    Attr::optional(name, Kind::Ints(0, 1), "")
}

fn infer(cx: &InferCtx) -> Inferred {
    let data = cx.input(0);
    check_masks(cx)?;
    warn_of_floats(cx, 3);
    let count = list_length(cx, 1).map_err(|fault| {
        // OpenVINO compares the number of strides once it knows them, and other lists once it knows their lengths.
        let is_known = if fault.at == At::Input(3) {
            cx.value(3).is_some()
        } else {
            [1, 2].iter().all(|i| cx.dim(*i, 0).is_exact())
        };
        fault.late_unless(is_known)
    })?;
    strides(cx)?;
    let shape = parts(cx, count)?.map_or(PartialShape::UNKNOWN, |parts| shape(&data.shape, &parts));
    Ok(vec![Fact::new(data.ty, shape)])
}

/// Checks the lengths of the masks, which OpenVINO compares with `begin_mask` even if that is missing.
fn check_masks(cx: &InferCtx) -> Result<(), Fault> {
    let length = cx.ints("begin_mask").len();
    for attr in cx.spec.attrs {
        let own = cx.ints(attr.name).len();
        if own != 0 && own != length {
            let message = format!("`{}` has {}, `begin_mask` has {length}", attr.name, counted(own, "bit"));
            return Err(Fault::at(At::Attr(attr.name), &ATTRIBUTE_VALUE, message));
        }
    }
    let ellipses = cx.ints("ellipsis_mask").iter().filter(|bit| **bit == 1).count();
    if ellipses > 1 {
        let message = format!("`ellipsis_mask` has {ellipses} bits set, only one may be");
        return Err(Fault::at(At::Attr("ellipsis_mask"), &ATTRIBUTE_VALUE, message));
    }
    Ok(())
}

/// The strides, `None` for each unknown one; `None` if all are 1.
fn strides(cx: &InferCtx) -> Result<Option<Vec<Option<i64>>>, Fault> {
    if !cx.has_input(3) {
        return Ok(None);
    }
    let strides: Vec<_> = cx.bounds(3).unwrap_or_default().iter().map(|stride| stride.value()).collect();
    // OpenVINO does not read the stride of an entry that slices no dimension.
    let unread = |i: usize| ["ellipsis_mask", "new_axis_mask", "shrink_axis_mask"].iter().any(|mask| bit(cx, mask, i));
    match (0..strides.len()).find(|i| strides.get(*i) == Some(&Some(0)) && !unread(*i)) {
        Some(i) => Err(Fault::at(At::Input(3), &INPUT_VALUE, format!("stride {i} is 0")).since(release(2025, 2))),
        None => Ok(Some(strides)),
    }
}

fn bit(cx: &InferCtx, mask: &str, i: usize) -> bool {
    cx.ints(mask).get(i) == Some(&1)
}

/// The treatment of every dimension; `None` if the rank or the number of entries is unknown.
fn parts(cx: &InferCtx, count: Dim) -> Result<Option<Vec<Part>>, Fault> {
    let (Some(rank), Some(count)) = (cx.input(0).rank(), count.size()) else { return Ok(None) };
    let bit = |mask: &str, i: usize| bit(cx, mask, i);
    let inserts = |i: usize| bit("new_axis_mask", i);
    // Masks can be shorter than the lists, whose length may be huge.
    let masked = count.min(cx.ints("begin_mask").len());
    let ellipsis = (0..masked).find(|i| bit("ellipsis_mask", *i));
    let used = count - (0..masked).filter(|i| ellipsis == Some(*i) || inserts(*i)).count();
    // The dimensions that the ellipsis stands for; without one they come last.
    let Some(left) = rank.checked_sub(used) else {
        let message = format!("{used} places are cut in a tensor of {rank} dimension{s}", s = plural(rank));
        // OpenVINO lets an ellipsis stand for a negative number of dimensions, unless it slices a missing one.
        let shrinks = |i: &usize| ellipsis == Some(*i) || inserts(*i) || bit("shrink_axis_mask", *i);
        let is_read = ellipsis.is_some_and(|place| place < rank && (place..count).all(|i| shrinks(&i)));
        let runtime = if is_read { Runtime::NotCompiled } else { Runtime::Rejects };
        return Err(unfit(cx, At::Input(1), message).runtime(runtime));
    };
    let strides = strides(cx)?;
    // With both a `begin_mask` and a `shrink_axis_mask`, devices take the first element, as specified. But when OpenVINO
    // evaluates it while it reads the file, it takes the element at `begin`.
    let only = |i: usize| match (Endpoint::at(cx, 1, i), cx.value(0)) {
        (begin, _) if !bit("begin_mask", i) || begin == Endpoint::FIRST => begin,
        (_, None) => Endpoint::FIRST,
        (begin, Some(value)) if value.is_exact() => begin,
        _ => Endpoint::ANY,
    };
    let cut = |i: usize| {
        let step = strides.as_ref().map_or(Some(1), |strides| strides.get(i).copied().flatten());
        let back = step.is_some_and(|step| step < 0);
        let begin = match bit("begin_mask", i) {
            true if back => Endpoint::HIGHEST,
            true => Endpoint::FIRST,
            false => Endpoint::at(cx, 1, i),
        };
        let end = match bit("end_mask", i) {
            true if back => Endpoint::LOWEST,
            true => Endpoint::HIGHEST,
            false => Endpoint::at(cx, 2, i),
        };
        Cut { begin, end, step }
    };
    let mut parts = Vec::with_capacity(rank + count);
    let mut axis = 0;
    let keep = |parts: &mut Vec<Part>, axis: &mut usize| {
        parts.extend((*axis..*axis + left).map(|axis| Part::Cut(axis, Cut::WHOLE)));
        *axis += left;
    };
    for i in 0..count {
        if ellipsis == Some(i) {
            keep(&mut parts, &mut axis);
        } else if inserts(i) {
            parts.push(Part::New);
        } else {
            parts.push(if bit("shrink_axis_mask", i) { Part::Drop(axis, only(i)) } else { Part::Cut(axis, cut(i)) });
            axis += 1;
        }
    }
    if ellipsis.is_none() {
        keep(&mut parts, &mut axis);
    }
    Ok(Some(parts))
}

fn mover<'a>(cx: &'a InferCtx) -> Option<Mover<'a>> {
    let parts = parts(cx, list_length(cx, 1).ok()?).ok()??;
    Some(view(&cx.input(0).shape, &parts)?.mover(0))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn slice<const N: usize>(inputs: [&str; N], masks: [&str; 5]) -> OpTest {
        let names = ["begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask"];
        names.into_iter().zip(masks).fold(op("StridedSlice", 1, inputs), |op, (name, mask)| op.attr(name, mask))
    }

    #[test]
    fn shapes() {
        let two = ["f32[2,3,4]", "i64[2] = 0,1", "i64[2] = 1,3"];
        slice(two, ["0,0", "0,0", "", "", ""]).gives(["f32[1,2,4]"]);
        slice(two, ["1,0", "1,0", "", "", ""]).gives(["f32[2,2,4]"]);
        slice(two, ["0,0", "0,0", "1,0", "1,0", ""]).gives(["f32[1,1,3,4]"]);
        slice(two, ["0,0", "0,0", "", "1,0", ""]).gives(["f32[2,4]"]);
        slice(two, ["0,0", "0,0", "", "", "1,0"]).gives(["f32[2,3,2]"]);
        slice(two, ["0,0", "0,0", "", "1,0", "1,0"]).gives(["f32[2,3,2]"]);
        op("StridedSlice", 1, two).gives(["f32[1,2,4]"]);
        let one = |data, begin, end, step| slice([data, begin, end, step], ["0", "0", "", "", ""]);
        one("f32[4..10,3]", "i64[1] = 1", "i64[1] = -1", "i64[1] = 1").gives(["f32[2..8,3]"]);
        one("f32[?,3]", "i32[1] = 0", "i32[1] = 2147483647", "i32[1] = 1").gives(["f32[?,3]"]);
        one("f32[?,3]", "i64[1] = 1", "i64[1] = 2147483647", "i64[1] = 1").gives(["f32[..2147483646,3]"]);
        one("f32[10,3]", "i64[1] = 0", "i64[1] = 3..6", "i64[1] = 1").gives(["f32[3..6,3]"]);
        one("f32[10,3]", "i64[1]", "i64[?]", "i64[...]").gives(["f32[..10,3]"]);
        one("f32[10,3]", "i64[?]", "i64[?]", "i64[?]").gives(["f32[...]"]);
        one("f32[...]", "i64[1] = 0", "i64[1] = 1", "i64[1] = 1").gives(["f32[...]"]);
        slice(["f32[2..5]", "i64[1] = 0", "i64[1] = 0", "i64[1] = -1"], ["1", "1", "", "", ""]).gives(["f32[2..5]"]);
    }

    #[test]
    fn values() {
        let one = |begin, end, masks| slice(["i64[3] = 4,2..5,7", begin, end], masks);
        one("i64[1] = 1", "i64[1] = 3", ["0", "0", "", "", ""]).gives(["i64[2] = 2..5,7"]);
        one("i64[1] = -2", "i64[1] = 0", ["0", "0", "", "1", ""]).gives(["i64[] = 2..5"]);
        one("i64[1] = 3", "i64[1] = 0", ["0", "0", "", "1", ""]).gives(["i64[]"]);
        one("i64[1] = 1", "i64[1] = 0", ["1", "0", "", "1", ""]).gives(["i64[]"]);
        one("i64[1] = 0", "i64[1] = 0", ["1", "0", "", "1", ""]).gives(["i64[] = 4"]);
        let known = |begin, step| slice(["i64[4] = 9,5,4,7", begin, "i64[1] = 0", step], ["1", "0", "", "1", ""]);
        known("i64[1] = -2", "i64[1] = 1").gives(["i64[] = 4"]);
        known("i64[1] = 1", "i64[1] = -1").gives(["i64[] = 5"]);
        slice(["i64[2,2] = 1,2,3,4", "i64[2] = 0,0", "i64[2] = 0,1"], ["0,0", "0,0", "1,0", "", ""])
            .gives(["i64[1,1,2] = 1,2"]);
    }

    #[test]
    fn errors() {
        let two = |masks| slice(["f32[2,3,4]", "i64[2] = 0,1", "i64[2] = 1,3"], masks);
        two(["0,0", "0", "", "", ""]).fails("attribute-value", "`end_mask` has 1 bit, `begin_mask` has 2");
        two(["", "0,0", "", "", ""]).fails("attribute-value", "`end_mask` has 2 bits, `begin_mask` has 0");
        two(["0,0", "", "", "", "1,1"]).fails("attribute-value", "`ellipsis_mask` has 2 bits set, only one may be");
        two(["0,2", "", "", "", ""]).fails("attribute-value", "`begin_mask=\"0,2\"` of StridedSlice must be at most 1");
        let inputs = |begin, end, strides| op("StridedSlice", 1, ["f32[4]", begin, end, strides]);
        inputs("i64[1] = 0", "i64[1] = 1", "i64[1] = 0").fails("input-value", "stride 0 is 0");
        inputs("i64[1] = 0", "i64[2]", "i64[1] = 1")
            .fails("shape-conflict", "`end` has 2 elements, the lists before it have 1");
        inputs("i64[2]", "i64[2]", "i64[2]").fails("shape-conflict", "2 places are cut in a tensor of 1 dimension");
        inputs("i64[]", "i64[1]", "i64[1]")
            .fails("input-rank", "`begin` of StridedSlice must be a list (rank 1), but is i64[]");
        inputs("i64[1]", "f32[1]", "i64[1]").fails("index-type", "`end` must be of an integer type, but is f32");
        inputs("i64[1]", "i64[1]", "f32[1]")
            .warns("float-index", "`strides` is f32; OpenVINO truncates its values to integers");
        inputs("i64[1] = 0", "i64[1] = 3", "f16[1] = NaN")
            .warns("float-index", "`strides` is f16; OpenVINO truncates its values to integers");
    }
}
