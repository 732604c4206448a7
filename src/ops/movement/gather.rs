//! `Gather`: takes slices of a tensor along one axis, by index.
//!
//! - Spec: `movement/gather-1`, `-7` (adds `batch_dims`), `-8` (adds negative indices, which OpenVINO reads everywhere)
//! - Shape: `data` with the dimension at `axis` replaced by the dimensions of `indices` after the batch; batch dimensions are
//!   the intersection of both inputs. With an unknown `axis`, rank and batch are still known.
//! - Errors: `axis-range`; `index-type` (from -7 on); `input-value`; `attribute-value` if `batch_dims` exceeds `axis` or the
//!   rank of `indices`; `shape-conflict` in the batch. An index outside the data is a warning, `index-range`.
//! - Differs from OpenVINO: elements outside the data are unknown; OpenVINO infers with 0.

use crate::ops::Recent;
use crate::ops::prelude::*;
use crate::ops::shared::strides::count;
use crate::ops::{NOWHERE, ZERO};
use crate::types::release;

pub(super) static GATHER_1: OpSpec = OpSpec {
    inputs: &[
        Input::any("data"),
        Input::any("indices").reads_value().followed(),
        Input::index("axis").types(TypeSet::ANY).ranks(&[0, 1]),
    ],
    action: Action::Gathers,
    eval: Eval::Move(Bounding::MovedUnless(is_unread), mover),
    defers: Some(&INPUT_RANK),
    ..OpSpec::new("Gather", 1, infer)
};

pub(super) static GATHER_7: OpSpec = OpSpec {
    opset: 7,
    inputs: &[Input::any("data"), Input::index("indices").unread().followed(), Input::index("axis").ranks(&[0, 1])],
    attrs: &[Attr::optional("batch_dims", Kind::INT, "0")],
    recent: &[Recent {
        what: "`batch_dims` below the negative rank of `indices`",
        first: release(2024, 0),
        attr: "batch_dims",
        is_used: |inputs, batch| {
            let rank = inputs.get(1).copied().flatten().and_then(Fact::rank).and_then(|rank| i64::try_from(rank).ok());
            let batch = batch.and_then(|batch| batch.trim().parse::<i64>().ok());
            rank.zip(batch).is_some_and(|(rank, batch)| batch < -rank)
        },
    }],
    ..GATHER_1
};

pub(super) static GATHER_8: OpSpec = OpSpec { opset: 8, ..GATHER_7 };

fn infer(cx: &InferCtx) -> Inferred {
    let (data, indices) = (cx.input(0), cx.input(1));
    least_rank(cx, 0, 1).map_err(|fault| {
        // OpenVINO looks for the axis in the data once it knows both.
        let axis = || cx.value(2).is_some_and(Value::is_stored);
        fault.late_unless(indices.rank().is_some_and(|rank| rank == 0 || axis()))
    })?;
    single(cx, 2)?;
    if TypeSet::REAL.has(cx.input(2).ty) && [0, 2].iter().all(|i| cx.value(*i).is_some()) {
        // OpenVINO accepts such an axis until it gathers elements that a shape depends on.
        return Err(no_index(cx, 2).runtime(Runtime::Unknown));
    }
    warn_of_floats(cx, 2);
    let axis = cx.axis(2, 0)?;
    if let Some(axis) = axis {
        warn_of_outside(cx, 1, |_| axis);
    }
    let batch = batch_dims(cx, axis)?;
    let (Some(data_dims), Some(index_dims), Some(batch)) = (data.shape.dims(), indices.shape.dims(), batch) else {
        return unranked(data.ty);
    };
    let Ok(batch) = usize::try_from(batch) else {
        return Ok(vec![Fact::new(data.ty, passed(data_dims, index_dims, axis, batch))]);
    };
    let mut dims: Vec<Dim> = Vec::with_capacity(data_dims.len() + index_dims.len());
    for (i, (own, other)) in data_dims.iter().zip(index_dims).enumerate().take(batch) {
        let both = own.agree(*other).ok_or_else(|| {
            let message = format!("batch dimension {i} is {own} in `data` and {other} in `indices`");
            let fault = Fault::at(At::Input(1), &SHAPE_CONFLICT, message).primary(format!("shape {}", indices.shape));
            fault.label(At::Input(0), format!("{}{}", data.ty, data.shape))
        })?;
        dims.push(both);
    }
    match axis {
        Some(axis) => {
            dims.extend(data_dims.get(batch..axis).unwrap_or_default());
            dims.extend(index_dims.get(batch..).unwrap_or_default());
            dims.extend(data_dims.get(axis + 1..).unwrap_or_default());
        }
        None => dims.resize((data_dims.len() + index_dims.len()).saturating_sub(batch + 1).max(batch), Dim::ANY),
    }
    Ok(vec![Fact::new(data.ty, PartialShape::of(dims))])
}

/// Returns the shape that OpenVINO infers for a negative batch: the last `-batch` dimensions of `indices`, then all of them, in
/// place of the axis.
fn passed(data: &[Dim], indices: &[Dim], axis: Option<usize>, batch: i64) -> PartialShape {
    let more = usize::try_from(batch.unsigned_abs()).unwrap_or(usize::MAX);
    let Some(axis) = axis.filter(|_| more <= indices.len()) else {
        let count = (data.len() + indices.len()).saturating_add(more).saturating_sub(1);
        return if count <= PASSED { PartialShape::of_rank(count) } else { PartialShape::UNKNOWN };
    };
    let (before, after) = (data.get(..axis).unwrap_or_default(), data.get(axis + 1..).unwrap_or_default());
    let repeated = indices.get(indices.len() - more..).unwrap_or_default();
    PartialShape::of([before, repeated, indices, after].into_iter().flatten().copied())
}

/// The maximum rank for a negative batch where no dimension is known; a higher rank becomes unknown.
const PASSED: usize = 64;

/// Returns `batch_dims` counted from the front of `indices`: negative if it is before the first dimension and OpenVINO accepts
/// that; `None` if the rank is needed but unknown.
fn batch_dims(cx: &InferCtx, axis: Option<usize>) -> Result<Option<i64>, Fault> {
    let written = cx.int("batch_dims");
    let fault = |what: String| {
        Fault::at(At::Attr("batch_dims"), &ATTRIBUTE_VALUE, format!("`batch_dims` {written} {what}"))
            .label(At::Input(0), cx.shown(0))
            .label(At::Input(1), cx.shown(1))
    };
    let rank = cx.input(1).rank();
    let from_front = match rank {
        Some(rank) if written < 0 => written.saturating_add(i64::try_from(rank).unwrap_or(i64::MAX)),
        _ => written,
    };
    let Ok(batch) = usize::try_from(from_front) else {
        let Some(rank) = rank else { return Ok(None) };
        let least = i64::try_from(rank).map_or(i64::MIN, |rank| -rank);
        let found = fault(format!("is below {least}, the rank of `indices`"));
        // OpenVINO continues with the negative number until it reads a dimension that does not exist.
        let is_found = i64::try_from(rank).is_ok_and(|rank| from_front >= -rank);
        let is_read = is_found || axis.is_none() || cx.input(0).rank().is_none();
        cx.pass(if is_read { found.runtime(Runtime::Accepts) } else { found })?;
        return Ok(Some(from_front));
    };
    // An axis counted from the front does not need the rank of `data`.
    let axis = axis.or_else(|| cx.constant(2).and_then(|axis| usize::try_from(*axis.first()?).ok()));
    let last = cx.input(0).rank().map(|rank| rank.saturating_sub(1));
    match (axis, last, rank) {
        (Some(axis), _, _) if batch > axis => {
            let found = fault(format!("exceeds axis {axis}"));
            // OpenVINO may not know an axis that layers compute.
            let is_stored = cx.value(2).is_none_or(Value::is_stored);
            Err(found.decided_if(is_stored))
        }
        (_, Some(last), _) if batch > last => {
            let found = fault(format!("exceeds the last axis {last} of `data`"));
            // OpenVINO compares the two once it knows the rank of `indices`.
            Err(found.decided_if(rank.is_some()))
        }
        (_, _, Some(rank)) if batch > rank => {
            Err(fault(format!("exceeds the {rank} dimension{s} of `indices`", s = plural(rank))))
        }
        _ => Ok(Some(from_front)),
    }
}

/// Whether OpenVINO, because of a type, gathers no elements while it reads a file.
fn is_unread(cx: &InferCtx) -> bool {
    let ty = cx.input(0).ty;
    ty.is_packed()
        || [ElementType::F64, ElementType::I16, ElementType::U16].contains(&ty)
        || !matches!(cx.input(1).ty, ElementType::I32 | ElementType::I64)
}

/// Maps every output element to the element that its index selects.
fn mover<'a>(cx: &'a InferCtx, _: usize) -> Option<Mover<'a>> {
    let axis = cx.axis(2, 0).ok()??;
    let batch = usize::try_from(batch_dims(cx, Some(axis)).ok()??).ok()?;
    let lengths = cx.input(0).shape.sizes()?;
    let length = *lengths.get(axis)?;
    let whole = i64::try_from(length).ok()?;
    let indices = cx.constant(1)?;
    let indices: Vec<i64> = indices.iter().map(|index| if *index < 0 { index + whole } else { *index }).collect();
    let inner = count(lengths.get(axis + 1..)?)?;
    let inside_batch = count(lengths.get(batch..axis)?)?;
    let taken = count(cx.input(1).shape.sizes()?.get(batch..)?)?;
    // During inference, OpenVINO uses 0 for indices outside.
    let outside = if cx.is_openvino() { ZERO } else { NOWHERE };
    Some(Box::new(move |i| {
        let (outer, index) = (i / inner / taken, i / inner % taken);
        let index = indices.get(outer / inside_batch * taken + index).and_then(|index| usize::try_from(*index).ok());
        index.filter(|index| *index < length).map_or(outside, |index| (0, (outer * length + index) * inner + i % inner))
    }))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let gather = |data, indices, axis| op("Gather", 8, [data, indices, axis]);
        gather("f32[2,3,4]", "i32[5,6]", "i64[] = 1").gives(["f32[2,5,6,4]"]);
        gather("f32[2,3,4]", "i32[]", "i64[1] = -1").gives(["f32[2,3]"]);
        gather("f32[2..5,?,4]", "i32[3..]", "i64[] = 1").gives(["f32[2..5,3..,4]"]);
        gather("f32[2,3,4]", "i32[5]", "i64[]").gives(["f32[?,?,?]"]);
        gather("f32[...]", "i32[5]", "i64[] = 1").gives(["f32[...]"]);
        gather("f32[2,3]", "i32[...]", "i64[] = 1").gives(["f32[...]"]);
        gather("f32[1..5,3,4]", "i32[3..9,5]", "i64[] = 1").attr("batch_dims", 1).gives(["f32[3..5,5,4]"]);
        gather("f32[2,3,4]", "i32[2,5]", "i64[] = 1").attr("batch_dims", -1).gives(["f32[2,5,4]"]);
        gather("f32[2,3,4]", "i32[2,5]", "i64[]").attr("batch_dims", 1).gives(["f32[2,?,?]"]);
        op("Gather", 1, ["f32[2,3,4]", "f32[5]", "f32[] = 1"]).gives(["f32[2,5,4]"]);
    }

    #[test]
    fn batches_below_0() {
        let gather = |data, indices, axis, batch: i64| op("Gather", 8, [data, indices, axis]).attr("batch_dims", batch);
        gather("f32[3,4]", "i64[2]", "i64[] = 1", -2).passes(["f32[3,2,2]"]);
        gather("f32[3,4,5]", "i64[3,2,7]", "i64[] = 2", -4).passes(["f32[3,4,7,3,2,7]"]);
        gather("f32[3,4]", "i64[2]", "i64[]", -2).passes(["f32[?,?,?]"]);
        gather("f32[3,4]", "i64[2]", "i64[]", i64::MIN).passes(["f32[...]"]);
        gather("f32[...]", "i64[2]", "i64[] = 1", -3).passes(["f32[...]"]);
        gather("f32[3,4]", "i64[]", "i64[] = 0", -1)
            .fails("attribute-value", "`batch_dims` -1 is below 0, the rank of `indices`");
    }

    #[test]
    fn values() {
        let gather = |data, indices, axis| op("Gather", 8, [data, indices, axis]);
        gather("i64[3] = 4,2..5,?", "i64[2] = 1,-1", "i64[] = 0").gives(["i64[2] = 2..5,?"]);
        gather("i64[3] = 4,5,6", "i64[] = 2", "i64[] = 0").gives(["i64[] = 6"]);
        gather("i64[2,3] = 1,2,3,4,5,6", "i64[2] = 2,0", "i64[] = 1").gives(["i64[2,2] = 3,1,6,4"]);
        gather("i64[2,3] = 1,2,3,4,5,6", "i64[1] = 1", "i64[] = 0").gives(["i64[1,3] = 4,5,6"]);
        gather("i64[2,3] = 1,2,3,4,5,6", "i64[2,2] = 2,0,1,1", "i64[] = 1")
            .attr("batch_dims", 1)
            .gives(["i64[2,2] = 3,1,5,5"]);
        gather("i64[3] = 4,5,6", "i64[2] = 3,0", "i64[] = 0").gives_openvino(["i64[2] = 0,4"]).gives(["i64[2] = ?,4"]);
        gather("i64[3] = 4,5,6", "u8[2] = 1,0", "i64[] = 0").gives_openvino(["i64[2]"]).gives(["i64[2] = 5,4"]);
        gather("f32[3]", "i64[1] = 1", "i64[] = 0").gives(["f32[1]"]);
    }

    #[test]
    fn indices_outside_the_data() {
        let gather = |data, indices, axis| op("Gather", 8, [data, indices, axis]);
        let warning = "index 2 is outside -2..1 along axis 0 of `data`";
        gather("i64[2] = 3,4", "i64[2] = 1,2", "i64[] = 0").warns("index-range", warning).gives(["i64[2] = 4,?"]);
        gather("f32[2,3]", "i32[] = 2", "i64[] = -2").warns("index-range", warning).gives(["f32[3]"]);
        gather("f32[?,2..3]", "i64[2] = -3,-4", "i64[] = 1")
            .warns("index-range", "index -4 is outside -3..2 along axis 1 of `data`");
        gather("f32[2]", "i64[1] = 5..7", "i64[] = 0")
            .warns("index-range", "index 5..7 is outside -2..1 along axis 0 of `data`");
        op("Gather", 1, ["f32[2]", "i32[1] = 2", "i64[] = 0"]).warns("index-range", warning);
        gather("i64[0]", "i64[1] = 0", "i64[] = 0")
            .warns("index-range", "index 0 is outside axis 0 of `data`, whose length is 0");
        gather("f32[0,2]", "i64[1] = 5", "i64[] = 1").says_nothing();
        for indices in ["i64[2] = -2,1", "i64[1] = 1..7", "i64[1]"] {
            gather("f32[2]", indices, "i64[] = 0").says_nothing();
        }
        gather("f32[2,?]", "i64[1] = 9", "i64[] = 1").says_nothing();
    }

    #[test]
    fn errors() {
        let gather = |data, indices, axis| op("Gather", 8, [data, indices, axis]);
        gather("f32[2,3]", "i32[5]", "i64[] = 2").fails("axis-range", "axis 2 is outside -2..1");
        gather("f32[2,3]", "f32[5]", "i64[] = 1")
            .fails("index-type", "`indices` must be of an integer type, but is f32");
        gather("f32[2,3]", "i32[5]", "f32[] = 1").fails("index-type", "`axis` must be of an integer type, but is f32");
        gather("f32[2,3]", "i32[5]", "i64[2]").fails("input-value", "`axis` must hold one number, its shape is [2]");
        gather("f32[2,3]", "i32[5]", "i64[1,1] = 1")
            .fails("input-rank", "`axis` of Gather must be a scalar or a list, but is i64[1,1]");
        gather("f32[2,3]", "i32[2,5]", "i64[] = 0")
            .attr("batch_dims", 1)
            .fails("attribute-value", "`batch_dims` 1 exceeds axis 0");
        gather("f32[2,3]", "i32[]", "i64[] = 1")
            .attr("batch_dims", 1)
            .fails("attribute-value", "`batch_dims` 1 exceeds the 0 dimensions of `indices`");
        gather("f32[2,3]", "i32[4,5]", "i64[] = 1")
            .attr("batch_dims", 1)
            .fails("shape-conflict", "batch dimension 0 is 2 in `data` and 4 in `indices`");
        gather("f32[2,3]", "i32[5]", "i64[] = 1")
            .attr("batch_dims", -2)
            .fails("attribute-value", "`batch_dims` -2 is below -1, the rank of `indices`");
        op("Gather", 1, ["f32[2,3]", "i32[5]", "f32[] = 1"])
            .warns("float-index", "`axis` is f32; OpenVINO truncates its values to integers");
        gather("f32[2]", "i32[1,1]", "i64[]")
            .attr("batch_dims", 1)
            .fails("attribute-value", "`batch_dims` 1 exceeds the last axis 0 of `data`");
        op("Gather", 1, ["i64[2] = 3,4", "i32[1] = 0", "f32[] = 0"])
            .fails("index-type", "`axis` must be of an integer type, but is f32");
        op("Gather", 1, ["i64[2] = 3,4", "i32[1] = 0", "f32[]"]).gives(["i64[?]"]);
        gather("f32[]", "i32[5]", "i64[]")
            .fails("input-rank", "`data` of Gather must be of rank 1 or more, but is f32[]");
        op("Gather", 1, ["f32[2,3]", "i32[5]", "boolean[] = 1"])
            .fails("index-type", "`axis` of Gather holds constants of type boolean, which OpenVINO cannot read");
        op("Gather", 7, ["f32[2,3]", "i32[5]", "boolean[]"])
            .fails("index-type", "`axis` must be of an integer type, but is boolean");
    }
}
