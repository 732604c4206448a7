//! `Transpose`: permutes the dimensions.
//!
//! - Spec: `movement/transpose-1`
//! - Shape: dimension `i` of the output is dimension `input_order[i]` of `data`; an empty order reverses them.
//! - Errors: `input-value` unless the order is a permutation; `shape-conflict` unless it has an element per dimension.
//! - Differs from OpenVINO: the order is checked for an unknown rank of `data`; an empty order then leaves the rank unknown
//!   instead of 0. With an unknown order, every dimension is the hull of all.

use crate::ops::prelude::*;
use crate::ops::shared::strides::{PerAxis, by_axis, strides};

pub(super) static TRANSPOSE_1: OpSpec = OpSpec {
    inputs: &[Input::any("arg"), Input::index("input_order").ranks(&[1])],
    action: Action::Permutes,
    eval: Eval::Move(Bounding::Moved, mover),
    ..OpSpec::new("Transpose", 1, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let data = cx.input(0);
    let count = cx.dim(1, 0);
    if let Some(rank) = data.rank()
        && count.length() != Some(0)
        && count.merge(Dim::of_count(rank)).is_none()
    {
        let message = format!("`input_order` has {count} element{s} for a tensor of rank {rank}", s = plural(count));
        return Err(unfit(cx, At::Input(1), message).of_count());
    }
    let shape = match (order(cx)?, data.shape.dims()) {
        (Some(order), Some(_)) => PartialShape::of(order.iter().map(|axis| data.shape.dim(*axis))),
        (None, Some(dims)) => {
            let any = dims.iter().copied().reduce(Dim::hull).unwrap_or(Dim::ANY);
            PartialShape::of(dims.iter().map(|_| any))
        }
        (_, None) => {
            listed_count(cx, 1).filter(|count| *count > 0).map_or(PartialShape::UNKNOWN, PartialShape::of_rank)
        }
    };
    Ok(vec![Fact::new(data.ty, shape)])
}

/// The input axis of every output axis; `None` if unknown.
fn order(cx: &InferCtx) -> Result<Option<PerAxis>, Fault> {
    if cx.input(1).shape.is_empty() {
        return Ok(cx.input(0).rank().map(|rank| (0..rank).rev().collect()));
    }
    cx.check_misread(1, |bytes| {
        let rank = cx.input(0).rank().or_else(|| listed_count(cx, 1))?;
        let is_bad = |(i, byte): &(usize, &u8)| usize::from(**byte) >= rank || bytes[..*i].contains(*byte);
        let (i, byte) = bytes.iter().enumerate().find(is_bad)?;
        let why = if bytes[..i].contains(byte) { "appears twice" } else { "is not a dimension" };
        Some(format!("{byte} {why}"))
    })?;
    let Some(values) = cx.constant(1) else { return Ok(None) };
    let mut seen = vec![false; values.len()];
    let mut order = PerAxis::new();
    for value in &values {
        match usize::try_from(*value).ok().and_then(|axis| Some((axis, seen.get_mut(axis)?))) {
            Some((axis, seen)) if !*seen => {
                *seen = true;
                order.push(axis);
            }
            _ => return Err(no_permutation(cx, *value, values.len())),
        }
    }
    Ok(Some(order))
}

fn no_permutation(cx: &InferCtx, value: i64, rank: usize) -> Fault {
    let why = match usize::try_from(value) {
        Ok(axis) if axis < rank => "appears twice",
        Ok(_) => "is not a dimension",
        Err(_) => "is negative",
    };
    let list = cx.bounds(1).map(|list| list_text(&list)).unwrap_or_default();
    let message =
        format!("`input_order` {list} is not a permutation of {rank} dimension{s}: {value} {why}", s = plural(rank));
    let fault = Fault::at(At::Input(1), &INPUT_VALUE, message).primary_value(list);
    fault.label(At::Input(0), cx.shown(0)).late_unless(cx.input(0).rank().is_some())
}

fn mover<'a>(cx: &'a InferCtx, _: usize) -> Option<Mover<'a>> {
    let order = order(cx).ok()??;
    let input = cx.input(0).shape.sizes()?;
    let output: PerAxis = order.iter().map(|axis| input.get(*axis).copied()).collect::<Option<_>>()?;
    let steps = strides(&input);
    let steps: PerAxis = order.iter().map(|axis| steps.get(*axis).copied()).collect::<Option<_>>()?;
    Some(by_axis(&output, |axis, index| index * steps[axis]))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let transpose = |data, order| op("Transpose", 1, [data, order]);
        transpose("f32[2,3,4]", "i64[3] = 2,0,1").gives(["f32[4,2,3]"]);
        transpose("u4[..2,3..5,?]", "i8[3] = 1,2,0").gives(["u4[3..5,?,..2]"]);
        transpose("f32[2,3,4]", "i64[0] = ").gives(["f32[4,3,2]"]);
        transpose("f32[]", "i64[0] = ").gives(["f32[]"]);
        transpose("f32[2,3,4]", "i64[3]").gives(["f32[2..4,2..4,2..4]"]);
        transpose("f32[2,3]", "i64[..5]").gives(["f32[2..3,2..3]"]);
        transpose("f32[...]", "i64[2] = 1,0").gives(["f32[?,?]"]);
        transpose("f32[...]", "i64[0] = ").gives(["f32[...]"]);
        transpose("f32[...]", "i64[3]").gives(["f32[?,?,?]"]);
        transpose("f32[...]", "i64[?]").gives(["f32[...]"]);
        transpose("i64[2,3] = 1,2,3,4..5,5,6", "i64[2] = 1,0").gives(["i64[3,2] = 1,4..5,2,5,3,6"]);
        transpose("i64[2,1,2] = 1,2,3,4", "i64[3] = 1,2,0").gives(["i64[1,2,2] = 1,3,2,4"]);
        transpose("i64[0,4000000000000] = ", "i64[2] = 1,0").gives(["i64[4000000000000,0] = "]);
    }

    #[test]
    fn errors() {
        let transpose = |data, order| op("Transpose", 1, [data, order]);
        transpose("f32[2,3,4]", "i64[3] = 0,0,1")
            .fails("input-value", "`input_order` [0,0,1] is not a permutation of 3 dimensions: 0 appears twice");
        transpose("f32[2,3,4]", "i64[3] = -1,0,1")
            .fails("input-value", "`input_order` [-1,0,1] is not a permutation of 3 dimensions: -1 is negative");
        transpose("f32[...]", "i64[2] = 0,2")
            .fails("input-value", "`input_order` [0,2] is not a permutation of 2 dimensions: 2 is not a dimension");
        transpose("f32[2,3,4]", "i64[2] = 0,1")
            .fails("shape-conflict", "`input_order` has 2 elements for a tensor of rank 3");
        transpose("f32[2,3]", "i64[3..5]")
            .fails("shape-conflict", "`input_order` has 3..5 elements for a tensor of rank 2");
        transpose("f32[2]", "i64[] = 0")
            .fails("input-rank", "`input_order` of Transpose must be a list (rank 1), but is i64[]");
        let read_as = |bytes| {
            format!(
                "`input_order` of Transpose holds constants of type i4, of which OpenVINO reads whole bytes: {bytes}"
            )
        };
        op("Transpose", 1, ["f32[2,3,4,5]"]).stored("i4[4] = 0,0,0,0").fails("index-type", &read_as("0 appears twice"));
        op("Transpose", 1, ["f32[2,3,4,5]"])
            .stored("i4[4] = 3,1,2,0")
            .fails("index-type", &read_as("19 is not a dimension"));
        op("Transpose", 1, ["f32[2,3,4,5]"]).stored("i4[4] = 3,0,1,0").passes(["f32[2..5,2..5,2..5,2..5]"]);
        transpose("f32[2]", "f32[1] = 0").fails("index-type", "`input_order` must be of an integer type, but is f32");
    }
}
