//! `Reshape`: the same elements in another shape.
//!
//! - Spec: `shape/reshape-1`
//! - Shape: the lengths in `shape`. One -1 takes what the others leave; with `special_zero` a 0 copies the dimension of the
//!   input at the same position, and -1 is computed without the copied ones. Inexact lengths are narrowed by the number of
//!   elements, which stays the same.
//! - Errors: `index-type`; `input-value`; `shape-conflict` if no size of the input gives as many elements.
//! - Differs from OpenVINO: the largest number of the type is an error, which OpenVINO takes for an unknown dimension. Element counts are compared whenever both have bounds, also with copied dimensions, for which
//!   OpenVINO accepts `[2,3,4]` as `[2,13]`. -1 can be 0 (`[...]` as `[2,-1]` is `[2,?]`, not `[2,1..]`), and a bounded
//!   length can be a 0 that copies, or a -1.

mod counting;

use crate::ops::prelude::*;
use crate::ops::shared::targets::CHECK_OF_LONE_SCALARS;
use crate::types::symbol::{Symbol, demand, narrows};
use counting::{narrowed, overflows, product, quotient};

pub(super) static RESHAPE_1: OpSpec = OpSpec {
    inputs: &[Input::any("data"), Input::index("shape").followed().ranks(&[1])],
    attrs: &[Attr::optional("special_zero", Kind::Flag, "false")],
    action: Action::Reshapes,
    eval: Eval::Copy(Bounding::Moved),
    needs_no_bytes: true,
    defers: Some(&SHAPE_CONFLICT),
    late_check: Some(CHECK_OF_LONE_SCALARS),
    ..OpSpec::new("Reshape", 1, infer)
};

/// The meaning of one element of `shape`.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Entry {
    /// A 0 that copies the dimension of the input at the same position.
    Copy(Dim),
    /// A -1, which takes what the others leave.
    Rest,
    /// A length. If the flag is set, it may be a 0 that copies a dimension, which changes the rest for a -1.
    Length(Dim, bool),
}

impl Entry {
    fn dim(self) -> Dim {
        match self {
            Self::Copy(dim) | Self::Length(dim, _) => dim,
            Self::Rest => Dim::ANY,
        }
    }
}

fn infer(cx: &InferCtx) -> Inferred {
    let data = cx.input(0);
    let Some(mut list) = listed(cx, 1) else {
        demand::leave_open();
        return unranked(data.ty);
    };
    if list.iter().any(|one| one.value() == Some(-1)) {
        // There is at most one -1, so no other element is one.
        for one in list.iter_mut().filter(|one| one.lower < 0 && one.upper >= 0) {
            Interval::from(*one).demand_at_least_0();
            one.lower = 0;
        }
    }
    let entries = list.iter().enumerate().map(|(i, one)| entry(cx, i, *one)).collect::<Result<Vec<Entry>, Fault>>()?;
    if entries.iter().filter(|entry| **entry == Entry::Rest).count() > 1 {
        return Err(
            Fault::at(At::Input(1), &INPUT_VALUE, "`shape` holds more than one -1").primary_value(list_text(&list))
        );
    }
    let rest = if entries.contains(&Entry::Rest) { rest(cx, &entries, &list)? } else { Dim::ANY };
    let dims = entries.iter().map(|entry| if *entry == Entry::Rest { rest } else { entry.dim() });
    let shape = PartialShape::of(dims);
    if !entries.contains(&Entry::Rest) {
        data.shape.elements().demand_equal(product(entries.iter().map(|entry| entry.dim())));
    }
    let narrow = narrowed(&data.shape, shape.clone());
    if narrow.is_none() {
        cx.pass(other_count(cx, &entries, &list))?;
    }
    Ok(vec![Fact::new(data.ty, narrow.unwrap_or(shape))])
}

/// The number of this type that OpenVINO treats as unbounded.
fn largest_index(ty: ElementType) -> i64 {
    if ty == ElementType::I32 { i64::from(i32::MAX) } else { i64::MAX }
}

fn entry(cx: &InferCtx, i: usize, element: Bounds<i64>) -> Result<Entry, Fault> {
    let data = &cx.input(0).shape;
    let special = cx.flag("special_zero");
    let beyond = data.rank().is_some_and(|rank| i >= rank);
    let refuse = |message: String| Err(Fault::at(At::Input(1), &INPUT_VALUE, message));
    match (element.value(), element.to_dim()) {
        (Some(-1), _) => Ok(Entry::Rest),
        (Some(value), _) if value == largest_index(cx.input(1).ty) => {
            if cx.is_openvino() {
                return Ok(Entry::Length(Dim::ANY, false));
            }
            let message = format!("`shape` is {value} at position {i}, wanted at most {}", value - 1);
            let fault = Fault::at(At::Input(1), &INPUT_VALUE, message).runtime(Runtime::Unknown);
            Err(fault.note(
                "OpenVINO takes it for a dimension that is not known, and a -1 of a Reshape behind may have no length",
            ))
        }
        (Some(0), _) if special && beyond => refuse(format!(
            "the 0 at position {i} copies a dimension of the input, which has only {}",
            data.rank().unwrap_or(0)
        )),
        (Some(0), _) if special => Ok(Entry::Copy(data.dim(i))),
        (_, None) if element.upper < -1 => {
            let found = element.value().map_or_else(|| format!("at most {}", element.upper), |value| value.to_string());
            refuse(format!("`shape` is {found} at position {i}; only -1 may be below 0"))
        }
        (_, None) => {
            demand::leave_open();
            if element.value().is_none() {
                let found = format!("{}..{}", element.lower, element.upper);
                let message =
                    format!("`shape` may be {found} at position {i}, and OpenVINO takes -1 from constants only");
                cx.report_if_bounded(1..2, Fault::at(At::Input(1), &INPUT_VALUE, message).primary(found));
            }
            Ok(Entry::Rest)
        }
        (_, Some(dim)) if element.lower < 0 => {
            demand::leave_open();
            Ok(Entry::Length(Dim::ANY.hull(dim), special && !beyond))
        }
        (_, Some(dim)) if special && dim.admits(0) && !beyond => {
            let copied = data.dim(i);
            if narrows() && dim.equals(copied) {
                return Ok(Entry::Copy(copied));
            }
            let given = dim.merge(Dim::at_least(1));
            let either = given.map_or(copied, |given| given.hull(copied)).with_symbol(dim.or(copied));
            Ok(Entry::Length(either, copied.admits(0)))
        }
        (_, Some(dim)) => {
            if special && beyond {
                dim.demand_at_least(Dim::exact(1));
            }
            Ok(Entry::Length(dim, false))
        }
    }
}

/// The length of the -1.
fn rest(cx: &InferCtx, entries: &[Entry], list: &[Bounds<i64>]) -> Result<Dim, Fault> {
    let data = cx.input(0);
    if entries.iter().any(|entry| matches!(entry, Entry::Length(_, true))) {
        let rest = rest_in_doubt(cx, entries, list);
        if rest.is_none() {
            demand::leave_open();
        }
        return Ok(Dim::ANY.with_symbol(rest.unwrap_or_default()));
    }
    let others =
        product(entries.iter().map(|entry| if let Entry::Length(dim, _) = entry { *dim } else { Dim::exact(1) }));
    let copies = |axis: usize| matches!(entries.get(axis), Some(Entry::Copy(_)));
    let counted = data.shape.dims().map(|dims| dims.iter().enumerate().filter(|(axis, _)| !copies(*axis)));
    let whole = match counted.map(|dims| dims.map(|(_, dim)| *dim)) {
        Some(dims) if overflows(&dims) => {
            let message = "the input has more elements than 64 bits count, so that -1 has no length";
            return Err(conflict(cx, list, message.to_owned()));
        }
        Some(dims) => product(dims),
        None => Dim::ANY,
    };
    let none = Some(0);
    whole.demand_multiple(others);
    if others.length() == none && whole.length() != none {
        let message =
            format!("a -1 beside a length of 0 needs an input without elements, but is {}{}", data.ty, data.shape);
        let fault = Fault::at(At::Input(1), &INPUT_VALUE, message);
        return Err(with_help(cx, list, fault.primary_value(list_text(list))));
    }
    let Some(dim) = quotient(whole, others) else {
        let message = format!("{whole} elements are not divisible by {others}, so the -1 cannot be resolved");
        let fault = conflict(cx, list, message);
        // OpenVINO may find no remainder of so large a number.
        return Err(fault.decided_if(whole.lower() < 1 << 48));
    };
    // 0 / 0 is 1 by definition.
    let both_empty = whole.admits(0) && others.admits(0);
    let dim = if both_empty { if others.is_exact() { Dim::exact(1) } else { dim.hull(Dim::exact(1)) } } else { dim };
    Ok(dim.with_symbol(whole.exact_quotient(others).symbol()))
}

/// The symbol of the -1 if one length may be a 0 that copies a dimension.
fn rest_in_doubt(cx: &InferCtx, entries: &[Entry], list: &[Bounds<i64>]) -> Option<Symbol> {
    let is_doubtful = |entry: &Entry| matches!(entry, Entry::Length(_, true));
    let doubtful = entries.iter().position(is_doubtful)?;
    if entries.iter().filter(|entry| is_doubtful(entry)).count() > 1 {
        return None;
    }
    let length = list.get(doubtful).filter(|one| one.lower >= 0)?.to_dim()?;
    let given = entries.iter().enumerate().filter(|(i, _)| *i != doubtful);
    let others = product(given.map(|(_, entry)| if let Entry::Length(dim, _) = entry { *dim } else { Dim::exact(1) }));
    let copies = |axis: usize| axis == doubtful || matches!(entries.get(axis), Some(Entry::Copy(_)));
    let data = &cx.input(0).shape;
    let left = product(data.dims()?.iter().enumerate().filter(|(axis, _)| !copies(*axis)).map(|(_, dim)| *dim));
    let whole = left.times(data.dim(doubtful));
    length.demand_choice((whole, others.times(length)), (left, others));
    Some(length.choose(whole.exact_quotient(others.times(length)), left.exact_quotient(others)))
}

/// Adds a hint to the fault if a 0 would fit as a copied dimension.
fn with_help(cx: &InferCtx, list: &[Bounds<i64>], fault: Fault) -> Fault {
    let is_copied = |i| cx.input(0).rank().is_none_or(|rank| i < rank);
    let mut zeros = list.iter().enumerate().filter(|(_, one)| one.value() == Some(0));
    let is_literal = !cx.flag("special_zero") && zeros.any(|(i, _)| is_copied(i));
    let help = "with special_zero=\"true\" a 0 copies the input dimension at the same position";
    if is_literal { fault.help(help) } else { fault }
}

fn other_count(cx: &InferCtx, entries: &[Entry], list: &[Bounds<i64>]) -> Fault {
    let data = cx.input(0);
    let (whole, count) = (data.shape.elements(), product(entries.iter().map(|entry| entry.dim())));
    let what = if whole.merge(count).is_none() { format!(", which has {count}") } else { String::new() };
    let elements = if whole == Dim::exact(1) { "element does" } else { "elements do" };
    let message = format!("{whole} {elements} not fit the shape {}{what}", list_text(list));
    let fault = with_help(cx, list, conflict(cx, list, message));
    // OpenVINO does not compare counts if a 0 copies a dimension and all else is known.
    let copies = cx.flag("special_zero") && list.iter().any(|one| one.value() == Some(0));
    let is_known = data.shape.is_static() && list.iter().all(|one| one.value().is_some());
    // It counts in 64 bits, with wraparound.
    let wraps = list.iter().try_fold(1_i64, |n, one| n.checked_mul(one.lower.max(1))).is_none();
    match (copies && is_known, wraps) {
        (true, _) => fault.runtime(Runtime::Accepts),
        (false, true) => fault.runtime(Runtime::Unknown),
        (false, false) => fault,
    }
}

fn conflict(cx: &InferCtx, list: &[Bounds<i64>], message: String) -> Fault {
    let data = cx.input(0);
    let count = data.shape.elements();
    let plural = if count == Dim::exact(1) { "" } else { "s" };
    let label = format!("data = {}{}, {count} element{plural}", data.ty, data.shape);
    Fault::at(At::Input(1), &SHAPE_CONFLICT, message).primary_value(list_text(list)).label(At::Input(0), label)
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn plain(data: &str, shape: &str) -> OpTest {
        op("Reshape", 1, [data, shape])
    }

    fn special(data: &str, shape: &str) -> OpTest {
        plain(data, shape).attr("special_zero", "true")
    }

    #[test]
    fn shapes() {
        plain("f32[2,3,4]", "i64[2] = 6,4").gives(["f32[6,4]"]);
        plain("f32[2,3,4]", "i32[1] = -1").gives(["f32[24]"]);
        plain("f32[1]", "i64[0] = ").gives(["f32[]"]);
        plain("f32[]", "i64[1] = -1").gives(["f32[1]"]);
        plain("f32[0,3]", "i64[2] = -1,3").gives(["f32[0,3]"]);
        plain("f32[?]", "i64[2] = 2,9223372036854775807").gives_openvino(["f32[2,?]"]);
        plain("f32[?]", "i32[2] = 1,2147483647").gives_openvino(["f32[1,?]"]);
        plain("f32[0,3]", "i64[2] = 3,0").gives(["f32[3,0]"]);
        plain("f32[0,3]", "i64[2] = -1,0").yields(["f32[1,0]"]);
        plain("f32[...]", "i64[2] = 2,-1").gives(["f32[2,?]"]);
        plain("i64[4] = 1,2,?,4", "i64[2] = 2,-1").gives(["i64[2,2] = 1,2,?,4"]);
    }

    #[test]
    fn zeros_copy() {
        special("f32[2,3,4]", "i64[2] = 0,-1").gives(["f32[2,12]"]);
        special("f32[2,3,4]", "i64[3] = 4,0,2").gives(["f32[4,3,2]"]);
        special("f32[0,3]", "i64[2] = 0,-1").gives(["f32[0,3]"]);
        special("f32[?,?]", "i64[3] = 0,0,-1").gives(["f32[?,?,1]"]);
        special("f32[?,8]", "i64[3] = 0,2,-1").gives(["f32[?,2,4]"]);
        special("f32[?,3]", "i64[2] = 0,4").gives(["f32[?,4]"]);
        special("f32[...]", "i64[2] = 0,-1").gives(["f32[?,?]"]);
        special("f32[..4,6]", "i64[2] = 0..4,-1").gives(["f32[..4,?]"]);
        special("f32[9,1]", "i64[2] = 0..4,?").gives(["f32[1..9,1..9]"]);
    }

    #[test]
    fn copies_are_not_counted() {
        special("f32[2,3,4]", "i64[3] = 0,0,5").passes(["f32[2,3,5]"]);
        special("f32[2,3,4]", "i64[2] = 0,13").passes(["f32[2,13]"]);
    }

    #[test]
    fn bounds() {
        plain("f32[2..5,3,4]", "i64[2] = -1,6").gives(["f32[4..10,6]"]);
        plain("f32[2..5,3,4]", "i64[2] = 4,-1").gives(["f32[4,6..15]"]);
        plain("f32[2..,3]", "i64[2] = -1,2").gives(["f32[3..,2]"]);
        plain("f32[2..5,3,4]", "i64[2] = 2..5,-1").gives(["f32[2..5,5..30]"]);
        plain("f32[2..5,3,4]", "i64[2] = 0..,12").gives(["f32[2..5,12]"]);
        plain("f32[6]", "i64[2] = -1..3,-1").gives(["f32[1..3,2..6]"]);
        plain("f32[6]", "i64[2] = 0..,-1").gives(["f32[1..6,1..6]"]);
        plain("f32[6,4]", "i32[2] = 7..9,-1").gives(["f32[8,3]"]);
        plain("f32[3]", "i64[4] = 0..1,-1..1,1,3").gives(["f32[1,1,1,3]"]);
        plain("f32[1..3]", "i64[2] = 0..5,0..2").gives(["f32[1..3,1..2]"]);
        plain("f32[?,3]", "i64[2] = -1,4..2147483647").gives(["f32[?,4..2147483647]"]);
        plain("f32[?,3]", "i32[2] = -1,4..2147483647").gives(["f32[?,4..]"]);
        plain("f32[2,3]", "i64[1]").gives(["f32[6]"]);
        plain("f32[2,3]", "i64[2]").gives(["f32[?,?]"]);
        plain("f32[2,3]", "i64[?]").gives(["f32[...]"]);
        plain("f32[2,3]", "i64[...]").gives(["f32[...]"]);
    }

    #[test]
    fn errors() {
        plain("f32[72]", "i64[3] = 4611686018427387904,4,6")
            .fails("shape-conflict", "72 elements do not fit the shape [4611686018427387904,4,6]");
        plain("f32[20]", "i64[2] = -3..-1,2").fails_if_bounded(
            "input-value",
            "`shape` may be -3..-1 at position 0, and OpenVINO takes -1 from constants only",
        );
        plain("f32[2,3,4]", "i64[2] = 7,4")
            .fails("shape-conflict", "24 elements do not fit the shape [7,4], which has 28");
        special("f32[2,3,4]", "i64[2] = 0,13")
            .fails("shape-conflict", "24 elements do not fit the shape [0,13], which has 26");
        plain("f32[2..5,3]", "i64[2] = 100,3")
            .fails("shape-conflict", "6..15 elements do not fit the shape [100,3], which has 300");
        plain("f32[3]", "i64[2] = 2..4,2")
            .fails("shape-conflict", "3 elements do not fit the shape [2..4,2], which has 4..8");
        plain("f32[7]", "i64[2] = 2..3,2..3").fails("shape-conflict", "7 elements do not fit the shape [2..3,2..3]");
        plain("f32[2,3]", "i64[0]").fails("shape-conflict", "6 elements do not fit the shape [], which has 1");
        plain("f32[2,3,4]", "i64[2] = 5,-1")
            .fails("shape-conflict", "24 elements are not divisible by 5, so the -1 cannot be resolved");
        plain("f32[6..9]", "i64[2] = 5,-1")
            .fails("shape-conflict", "6..9 elements are not divisible by 5, so the -1 cannot be resolved");
        for shape in ["4611686018427387904,2", "9223372036854775807", "0,9223372036854775807"] {
            plain(&format!("f32[{shape}]"), "i64[1] = -1")
                .fails("shape-conflict", "the input has more elements than 64 bits count, so that -1 has no length");
        }
        plain("f32[72]", "i64[1] = 9223372036854775807")
            .fails("input-value", "`shape` is 9223372036854775807 at position 0, wanted at most 9223372036854775806");
        plain("f32[?]", "i64[1] = 2147483647").gives(["f32[2147483647]"]);
        plain("f32[4611686018427387904]", "i64[1] = -1").gives(["f32[4611686018427387904]"]);
        plain("f32[0,4611686018427387904,4]", "i64[1] = -1").gives(["f32[0]"]);
        plain("f32[2,3]", "i64[2] = -1,-1").fails("input-value", "`shape` holds more than one -1");
        plain("f32[2,3]", "i64[2] = -2,3").fails("input-value", "`shape` is -2 at position 0; only -1 may be below 0");
        special("f32[2,3]", "i64[3] = 6,1,0")
            .fails("input-value", "the 0 at position 2 copies a dimension of the input, which has only 2");
        plain("f32[?,3]", "i64[2] = 0,-1")
            .fails("input-value", "a -1 beside a length of 0 needs an input without elements, but is f32[?,3]");
        plain("f32[2,3]", "i64[] = 6").fails("input-rank", "`shape` of Reshape must be a list (rank 1), but is i64[]");
        plain("f32[2,3]", "f32[1] = 6").fails("index-type", "`shape` must be of an integer type, but is f32");
    }
}
