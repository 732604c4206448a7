//! Inputs that list the lengths of a shape, such as the target of a Reshape.

use super::prelude::*;
use crate::ops::LateCheck;
use crate::types::release;
use smallvec::SmallVec;

/// The check of a target that is a scalar for a single element.
pub(crate) const CHECK_OF_LONE_SCALARS: LateCheck = LateCheck {
    first: release(2026, 4),
    finds: |rule, inputs| {
        let is_lone = |data: &Fact, shape: &Fact| shape.rank() == Some(0) && data.shape.elements() == Dim::exact(1);
        rule == &INPUT_RANK && matches!(inputs, [Some(data), Some(shape)] if is_lone(data, shape))
    },
};

/// The bounds of every element of the list in input `i`; `None` if its length is unknown.
pub(crate) fn listed(cx: &InferCtx, i: usize) -> Option<SmallVec<[Bounds<i64>; 4]>> {
    cx.bounds(i).or_else(|| Some(SmallVec::from_elem(Bounds::<i64>::ANY, listed_count(cx, i)?)))
}

/// The number of elements of the list in input `i`.
pub(crate) fn listed_count(cx: &InferCtx, i: usize) -> Option<usize> {
    let shape = &cx.input(i).shape;
    let count = shape.count()?;
    (shape.rank() == Some(1) && count <= cx.limits.rank).then_some(count)
}

/// The shape of these lengths. As in OpenVINO, -1 is any length and less is 0.
pub(crate) fn shape_of(lengths: &[Bounds<i64>]) -> PartialShape {
    PartialShape::of(lengths.iter().map(|length| match length.to_dim() {
        Some(dim) => dim,
        None if length.admits(-1) => Dim::ANY,
        None => Dim::exact(0),
    }))
}

pub(crate) fn list_text(list: &[Bounds<i64>]) -> String {
    const SHOWN: usize = 16;
    let text = |one: &Bounds<i64>| match (one.value(), one.to_dim()) {
        (Some(value), _) => value.to_string(),
        (None, Some(dim)) if one.lower >= 0 => dim.to_string(),
        (None, _) => "?".to_owned(),
    };
    let mut items: Vec<String> = list.iter().take(SHOWN).map(text).collect();
    if list.len() > SHOWN {
        items.push("..".to_owned());
    }
    format!("[{}]", items.join(","))
}

/// Checks that the elements of the list in input `i` can be lengths. Warns of those that are always negative, with the meaning
/// in OpenVINO, which rejects them if it does not know the whole list.
pub(crate) fn check_lengths(cx: &InferCtx, i: usize, reading: &str) -> Result<(), Fault> {
    let is_wrong = |one: &Bounds<i64>| one.upper < 0 || one.lower == i64::MAX;
    let Some(list) = cx.bounds(i).filter(|list| list.iter().any(is_wrong)) else { return Ok(()) };
    if let Some(fault) = endless(cx, i, &list) {
        return Err(fault);
    }
    let (text, name) = (list_text(&list), cx.input_name(i));
    if list.iter().any(|one| one.value().is_none()) {
        let message = format!("`{name}` {text} is below 0, and is not a constant");
        return Err(Fault::at(At::Input(i), &INPUT_VALUE, message).primary(text));
    }
    let message = format!("`{name}` {text} is below 0; OpenVINO reads {reading}");
    let fault = Fault::at(At::Input(i), &INPUT_VALUE, message).severity(Severity::Warning);
    cx.warn(fault.runtime(Runtime::Accepts).primary(text));
    Ok(())
}

/// The fault of a list in input `i` that holds the largest number. OpenVINO takes it for a length without a limit in some
/// places, and not in others.
pub(crate) fn endless(cx: &InferCtx, i: usize, list: &[Bounds<i64>]) -> Option<Fault> {
    let at = list.iter().position(|one| one.lower == i64::MAX)?;
    let message = format!("`{}[{at}]` is {}, and no tensor is as long", cx.input_name(i), i64::MAX);
    let fault = Fault::at(At::Input(i), &INPUT_VALUE, message);
    Some(fault.runtime(Runtime::Unknown).primary(list_text(list)))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn lists_are_no_longer_than_the_limit_of_ranks() {
        for (target, rank, output) in
            [("i64[3]", 3, "f32[?,?,?]"), ("i64[3]", 2, "f32[...]"), ("i64[300]", 256, "f32[...]")]
        {
            op("Reshape", 1, ["f32[2,3]", target]).attr("special_zero", "true").max_rank(rank).gives([output]);
        }
        let reshape = op("Reshape", 1, ["f32[2,3]", "i64[3] = 1,2,3"]).attr("special_zero", "true");
        reshape.max_rank(2).fails("limit-exceeded", "output 0 has 3 dimensions, more than 2");
    }
}
