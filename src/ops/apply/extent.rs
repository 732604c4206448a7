//! The extent of inference: everything that follows, or only the elements that OpenVINO evaluates while it reads a file.

use crate::ops::{Action, Bounding, Eval, InferCtx};
use crate::types::interval::{Interval, far};
use crate::types::{Bounds, ElementType, Elements, Fact, TypeSet, Value};
use smallvec::SmallVec;
use std::sync::Arc;

/// The extent of inference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Extent {
    /// Everything that follows from the inputs.
    #[default]
    Full,
    /// Only what OpenVINO infers while it reads a file, without values that it gets wrong. Bodies are inferred as in OpenVINO, for
    /// one iteration.
    OpenVino,
}

/// Removes the elements of outputs that OpenVINO does not know.
pub(super) fn forget(cx: &InferCtx, outputs: &mut [Fact]) {
    if matches!(cx.spec.eval, Eval::None | Eval::Shape(_)) {
        return;
    }
    let bounding = cx.spec.eval.bounding().unwrap_or(Bounding::Never);
    let values: Option<Vec<&Value>> = cx.inputs().iter().map(|input| input.value.as_deref()).collect();
    let Some(values) = values else { return outputs.iter_mut().for_each(|output| output.value = None) };
    let keeps = if values.iter().all(|value| value.is_exact()) {
        cx.inputs().iter().all(|input| evaluates(bounding, input.ty))
    } else {
        match bounding {
            Bounding::Never | Bounding::Constants => false,
            // OpenVINO evaluates nothing if the condition is not constant.
            Bounding::Chosen => values.first().is_some_and(|condition| condition.is_exact()),
            Bounding::Moved | Bounding::MovedUnless(_) | Bounding::Updated => true,
            Bounding::Combined | Bounding::Between | Bounding::Compared | Bounding::Rising | Bounding::Mistaken => {
                cx.inputs().iter().all(|input| TypeSet::COMPUTED.has(input.ty))
            }
        }
    };
    let is_sound = match bounding {
        Bounding::Combined | Bounding::Between | Bounding::Compared => true,
        Bounding::Rising => values.iter().all(|value| is_from_0(value)),
        _ => false,
    };
    let is_mistaken = matches!(bounding, Bounding::Rising | Bounding::Mistaken);
    let is_wrong = matches!(bounding, Bounding::MovedUnless(is_wrong) if is_wrong(cx));
    // OpenVINO computes nothing from an element without bounds, not even what follows from the others alone.
    let inputs = || cx.inputs().iter().zip(&values);
    let is_whole = |(input, value): (&&Fact, &&Value)| (0..value.len()).all(|at| is_bounded(input.ty, value, at));
    let whole: SmallVec<[bool; 4]> = inputs().filter(|_| keeps && (is_sound || is_mistaken)).map(is_whole).collect();
    // An element follows from the one at the same place of an input of its size, and from any element of others.
    let follows = |at: usize, count: usize| {
        let is_known = |((input, value), is_whole): ((&&Fact, &&Value), &bool)| {
            *is_whole || value.len() == count && is_bounded(input.ty, value, at)
        };
        inputs().zip(&whole).all(is_known)
    };
    for output in outputs {
        output.value = match output.value.take() {
            Some(value) if keeps && is_sound => keep(output, &value, follows, is_between, is_finite),
            Some(value) if keeps && is_mistaken => keep(output, &value, follows, |_, _| false, |_| false),
            // To OpenVINO, elements that may be anything are elements: it knows those beside them in a Concat.
            None if keeps && (is_sound || is_mistaken || cx.spec.action == Action::Converts) => anything(output),
            value => value.filter(|_| keeps && !is_wrong),
        };
    }
}

/// Whether OpenVINO evaluates exact elements of this type while it reads a file.
pub(crate) fn evaluates(bounding: Bounding, ty: ElementType) -> bool {
    match bounding {
        Bounding::Never => false,
        Bounding::Chosen => !TypeSet::NARROW_FLOAT.has(ty) && !ty.is_packed(),
        Bounding::Moved | Bounding::MovedUnless(_) | Bounding::Updated => !TypeSet::NARROW_FLOAT.has(ty),
        Bounding::Constants
        | Bounding::Combined
        | Bounding::Between
        | Bounding::Compared
        | Bounding::Rising
        | Bounding::Mistaken => ty == ElementType::Boolean || TypeSet::COMPUTED.has(ty),
    }
}

/// Whether every element is 0 or more.
fn is_from_0(value: &Value) -> bool {
    match value.elements() {
        Elements::Integers(all) => all.iter().all(|one| one.lower >= 0),
        Elements::Floats(all) => all.iter().all(|one| one.lower >= 0.0),
        Elements::Opaque(..) => false,
    }
}

/// Whether an element of an input is exact or has both bounds.
fn is_bounded(ty: ElementType, value: &Value, at: usize) -> bool {
    match value.elements() {
        Elements::Integers(all) => all.get(at).is_some_and(|one| one.value().is_some() || is_between(ty, *one)),
        Elements::Floats(all) => all.get(at).is_some_and(|one| one.value().is_some() || is_finite(*one)),
        Elements::Opaque(..) => false,
    }
}

/// Removes the bounds of inexact elements that do not pass a test, and all elements for which `follows` is false.
fn keep(
    fact: &Fact,
    value: &Value,
    follows: impl Fn(usize, usize) -> bool,
    whole: impl Fn(ElementType, Bounds<i64>) -> bool,
    real: impl Fn(Bounds<f64>) -> bool,
) -> Option<Arc<Value>> {
    let value = match value.elements() {
        Elements::Integers(all) => {
            let any =
                fact.ty.integer_range().map_or(Bounds::<i64>::ANY, |(lower, upper)| Bounds::between(lower, upper));
            let keep = |(at, one): (usize, &Bounds<i64>)| {
                let is_kept = (one.value().is_some() || whole(fact.ty, *one)) && follows(at, all.len());
                if is_kept { *one } else { any }
            };
            Value::integers(&fact.shape, all.iter().enumerate().map(keep))
        }
        Elements::Floats(all) => {
            let keep = |(at, one): (usize, &Bounds<f64>)| {
                let is_kept = (one.value().is_some() || real(*one)) && follows(at, all.len());
                if is_kept { *one } else { Bounds::<f64>::ANY }
            };
            Value::floats(&fact.shape, all.iter().enumerate().map(keep))
        }
        Elements::Opaque(..) => None,
    };
    value.map(Arc::new)
}

/// The maximum number of elements that may be anything.
const MOST: usize = 64;

/// Creates elements of which nothing is known; `None` if there is no static shape, or more than [`MOST`].
fn anything(fact: &Fact) -> Option<Arc<Value>> {
    let count = fact.shape.count().filter(|count| *count <= MOST)?;
    let value = match Bounds::of(fact.ty).filter(|_| TypeSet::INTEGRAL_OR_BOOLEAN.has(fact.ty)) {
        Some(any) => Value::integers(&fact.shape, vec![any; count]),
        None => Value::floats(&fact.shape, vec![Bounds::<f64>::ANY; count]),
    };
    value.map(Arc::new)
}

/// Whether a whole number of a type has both bounds.
pub(crate) fn is_between(ty: ElementType, bounds: Bounds<i64>) -> bool {
    let span = Interval::of(ty, bounds);
    !far(span.lower) && !far(span.upper)
}

/// Whether a number has both bounds.
pub(crate) fn is_finite(bounds: Bounds<f64>) -> bool {
    bounds.lower.is_finite() && bounds.upper.is_finite()
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn openvino_moves_elements_and_reckons_with_two_bounds() {
        let shape = "i64[3] = 4,2..5,3..";
        op("Concat", 1, [shape, "i64[1] = 7"]).attr("axis", 0).gives_openvino(["i64[4] = 4,2..5,3..,7"]);
        op("Concat", 1, [shape, "i64[1]"]).attr("axis", 0).gives_openvino(["i64[4]"]);
        op("Add", 1, [shape, "i64[1] = 2"]).gives_openvino(["i64[3] = 6,4..7,?"]).gives(["i64[3] = 6,4..7,5.."]);
        op("Concat", 1, [shape, "i64[1] = ?"]).attr("axis", 0).gives_openvino(["i64[4] = 4,2..5,3..,?"]);
        for name in ["Add", "Subtract", "Multiply", "Divide", "Mod", "FloorMod"] {
            op(name, 1, ["i64[1] = ?", "i64[1] = 8"]).gives_openvino(["i64[1] = ?"]);
            op(name, 1, ["i64[1]", "i64[1] = 8"]).gives_openvino(["i64[1]"]);
        }
        op("Convert", 1, ["i64[1] = ?"]).attr("destination_type", "f32").gives_openvino(["f32[1] = ?"]);
        op("Multiply", 1, ["f64[2] = 4,2..5", "f64[1] = 0.25"]).gives_openvino(["f64[2]"]);
        op("Multiply", 1, ["f32[2] = 4,2..6", "f32[1] = 0.5"]).gives_openvino(["f32[2] = 2,1..3"]);
        op("Add", 1, ["i16[2] = 4,2..5", "i16[1] = 2"]).gives_openvino(["i16[2]"]);
        op("Select", 1, ["boolean[1] = 1", "i64[2] = 1,2..3", "i64[1] = 4"]).gives_openvino(["i64[2] = 1,2..3"]);
        op("Select", 1, ["boolean[1] = 0..1", "i64[1] = 1", "i64[1] = 4"]).gives_openvino(["i64[1]"]);
    }

    #[test]
    fn elements_of_few_types_are_evaluated() {
        op("Add", 1, ["i64[1] = 4", "i64[1] = 2"]).gives_openvino(["i64[1] = 6"]);
        op("Relu", 1, ["u4[1] = 4"]).gives_openvino(["u4[1]"]).gives(["u4[1] = 4"]);
        op("Negative", 1, ["u8[1] = 4"]).gives_openvino(["u8[1]"]);
        op("Concat", 1, ["u4[1] = 4"]).attr("axis", 0).gives_openvino(["u4[1] = 4"]);
        op("Convert", 1, ["f8e4m3[1] = 4"]).attr("destination_type", "i64").gives_openvino(["i64[1]"]);
        op("Gather", 8, ["u16[2] = 4,5", "i64[1] = 1", "i64[] = 0"]).gives_openvino(["u16[1]"]).gives(["u16[1] = 5"]);
    }

    #[test]
    fn of_other_operations_openvino_wants_to_know_all() {
        op("Floor", 1, ["f32[2] = 4,2..5"]).gives_openvino(["f32[2]"]).gives(["f32[2] = 4,2..5"]);
        op("Floor", 1, ["f32[2] = 4,2.5"]).gives_openvino(["f32[2] = 4,2"]);
        op("Greater", 1, ["i64[] = 4..9", "i64[] = 2"]).gives_openvino(["boolean[]"]).gives(["boolean[] = 1"]);
        op("Identity", 16, ["i64[1] = 4"]).gives_openvino(["i64[1]"]);
    }

    #[test]
    fn what_openvino_gets_wrong_counts_as_unknown() {
        op("FloorMod", 1, ["i64[2] = 7,2..5", "i64[1] = 4"]).gives_openvino(["i64[2] = 3,?"]);
        op("FloorMod", 1, ["i64[3] = 7,2..5,2..", "i64[1] = 1"])
            .gives_openvino(["i64[3] = 0,0,?"])
            .gives(["i64[3] = 0,0,0"]);
        op("Multiply", 1, ["i64[2] = 2..5,2..", "i64[1] = 0"]).gives_openvino(["i64[2] = 0,?"]);
        let product = |data| op("ReduceProd", 1, [data, "i64[1] = 0"]).attr("keep_dims", "true");
        product("i64[2] = 9..10,2").gives_openvino(["i64[1] = 18..20"]);
        product("i64[2] = -1..7,2").gives_openvino(["i64[1] = ?"]).gives(["i64[1] = -2..14"]);
        let cut = |shrink| {
            let list = |text| ["i64[4] = 9,5,4,7", text, "i64[1] = 4", "i64[1] = 1"];
            op("StridedSlice", 1, list("i64[1] = 1"))
                .attr("begin_mask", 1)
                .attr("end_mask", 0)
                .attr("shrink_axis_mask", shrink)
        };
        cut(1).gives_openvino(["i64[]"]);
        cut(0).gives_openvino(["i64[4] = 9,5,4,7"]);
    }
}
