//! `Unique`: the distinct elements, or slices along one axis, with their indices and counts.
//!
//! - Spec: `movement/unique-10`
//! - Shape: output 0 has the distinct elements or slices: at least 1 if there are any, at most all; outputs 1 and 3 one number
//!   for each of them, output 2 one for each element or slice of the input. Known data gives exact numbers.
//! - Errors: `index-type`; `needs-type`; `input-rank`; `needs-constant` for the axis; `axis-range`; `attribute-value`.
//! - Differs from OpenVINO: bounds are exact; OpenVINO limits the number of slices by the number of elements only, treats
//!   bounded dimensions as unknown, and finds at least one slice along `..3`.

use crate::arrange::Fill;
use crate::ops::prelude::*;
use crate::ops::shared::strides::count;
use crate::types::Elements;
use std::collections::BTreeSet;

pub(super) static UNIQUE_10: OpSpec = OpSpec {
    inputs: &[Input::any("data").reads_value(), Input::any("axis").reads_value().ranks(&[0, 1]).optional()],
    attrs: &[
        Attr::optional("sorted", Kind::Flag, "true"),
        index_type_attr("index_element_type"),
        index_type_attr("count_element_type"),
    ],
    outputs: Outputs::Exactly(4),
    ..OpSpec::new("Unique", 10, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let data = cx.input(0);
    let index = index_type(cx, "index_element_type");
    let count = index_type(cx, "count_element_type");
    let axis = axis(cx)?;
    let list = |ty: ElementType, length: Dim| Fact::new(ty, PartialShape::of([length]));
    let outputs = |unique: PartialShape, kept: Dim, all: Dim| {
        vec![Fact::new(data.ty, unique), list(index, kept), list(index, all), list(count, kept)]
    };
    let (all, rest) = match axis {
        None => (data.shape.elements(), None),
        Some(None) => return Ok(outputs(PartialShape::UNKNOWN, Dim::ANY, Dim::ANY)),
        // OpenVINO infers nothing along a computed axis.
        Some(Some(_)) if cx.is_openvino() && !cx.value(1).is_some_and(Value::is_stored) => {
            return Ok(outputs(PartialShape::UNKNOWN, Dim::ANY, Dim::ANY));
        }
        Some(Some(axis)) => (data.shape.dim(axis), Some(axis)),
    };
    let most = match all.upper() {
        Some(upper) => Dim::between(all.lower().min(1), upper).unwrap_or(all),
        None => Dim::at_least(all.lower().min(1)),
    };
    let kept = distinct(cx, rest).unwrap_or(most);
    let unique = rest.map_or_else(|| PartialShape::of([kept]), |axis| data.shape.with(axis, kept));
    Ok(outputs(unique, kept, all))
}

/// The types of an axis. OpenVINO minds no other where it knows the data.
const TYPES: TypeSet = TypeSet::of(&[ElementType::I32, ElementType::I64, ElementType::Dynamic]);

/// The axis, if there is one, counted from the front unless the rank is unknown.
#[allow(clippy::option_option, reason = "three answers: no axis, one that is not known, one that is")]
fn axis(cx: &InferCtx) -> Result<Option<Option<usize>>, Fault> {
    if !cx.has_input(1) {
        return Ok(None);
    }
    single(cx, 1)?;
    let input = cx.input(1);
    // For known data, OpenVINO counts the elements before it checks the axis.
    let known = cx.value(0).is_some_and(Value::is_exact);
    if input.ty == ElementType::Dynamic && !input.assumed {
        let message = "the element type of `axis` of Unique is not known, wanted i32 or i64";
        let fault = Fault::at(At::Input(1), &NEEDS_TYPE, message);
        return Err(fault.decided_if(!known));
    }
    if !TYPES.has(input.ty) {
        let message = format!("`axis` is of type {}, it must be i32 or i64", input.ty);
        let fault = Fault::at(At::Input(1), &INDEX_TYPE, message).primary(input.ty.to_string());
        if !known {
            return Err(fault);
        }
        let is_stored = cx.value(0).is_some_and(Value::is_stored);
        if !is_stored {
            return Err(fault.runtime(Runtime::Unknown));
        }
        cx.warn(fault.severity(Severity::Warning).runtime(Runtime::Accepts));
        return Ok(Some(None));
    }
    let computed = !known && !cx.value(1).is_some_and(Value::is_stored);
    if (computed || cx.constant(1).is_none()) && !input.assumed {
        let message = format!("`axis` of Unique must be a constant, but is {}{}", input.ty, input.shape);
        let fault = Fault::at(At::Input(1), &NEEDS_CONSTANT, message);
        if !known {
            return Err(fault);
        }
        cx.warn(fault.severity(Severity::Warning).runtime(Runtime::Accepts));
    }
    least_rank(cx, 0, 1)?;
    // OpenVINO infers nothing along a computed axis.
    let is_read = cx.value(1).is_some_and(Value::is_stored);
    cx.axis(1, 0).map(Some).map_err(|fault| fault.decided_if(is_read))
}

/// The number of distinct elements, or slices along `axis`; `None` unless all elements are exact.
fn distinct(cx: &InferCtx, axis: Option<usize>) -> Option<Dim> {
    let value = cx.value(0).filter(|value| value.is_exact() && !value.is_empty())?;
    let keys: Vec<u64> = match value.elements() {
        Elements::Integers(all) => all.iter().map(|one| one.lower.cast_unsigned()).collect(),
        // Adding 0 turns -0 into 0.
        Elements::Floats(all) if all.iter().all(|one| !one.lower.is_nan()) => {
            all.iter().map(|one| (one.lower + 0.0).to_bits()).collect()
        }
        Elements::Floats(_) | Elements::Opaque(..) => return None,
    };
    let Some(axis) = axis else {
        let count = keys.iter().into_set().len();
        return i64::try_from(count).ok().map(Dim::exact);
    };
    let lengths = value.lengths();
    let whole = *lengths.get(axis)?;
    let inner = count(lengths.get(axis + 1..)?)?;
    let mut slices: Vec<Vec<u64>> = vec![Vec::with_capacity(keys.len() / whole); whole];
    for (i, key) in keys.iter().enumerate() {
        slices.get_mut(i / inner % whole)?.push(*key);
    }
    let count = slices.into_iter().collect::<BTreeSet<_>>().len();
    i64::try_from(count).ok().map(Dim::exact)
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let all = |data| op("Unique", 10, [data]);
        all("f32[2,3]").gives(["f32[1..6]", "i64[1..6]", "i64[6]", "i64[1..6]"]);
        all("f32[..2,3]").gives(["f32[..6]", "i64[..6]", "i64[..6]", "i64[..6]"]);
        all("f32[2..,3]").gives(["f32[1..]", "i64[1..]", "i64[6..]", "i64[1..]"]);
        all("f32[0]").gives(["f32[0]", "i64[0]", "i64[0]", "i64[0]"]);
        all("f32[]").gives(["f32[1]", "i64[1]", "i64[1]", "i64[1]"]);
        all("string[...]").gives(["string[?]", "i64[?]", "i64[?]", "i64[?]"]);
        let along = |data, axis| op("Unique", 10, [data, axis]).attr("count_element_type", "i32");
        along("f32[2,3]", "i64[] = 1").gives(["f32[2,1..3]", "i64[1..3]", "i64[3]", "i32[1..3]"]);
        along("f32[2,..3]", "i32[1] = -1").gives(["f32[2,..3]", "i64[..3]", "i64[..3]", "i32[..3]"]);
        along("f32[...]", "i64[] = 1").gives(["f32[...]", "i64[?]", "i64[?]", "i32[?]"]);
    }

    #[test]
    fn known_data() {
        op("Unique", 10, ["i64[4] = 5,5,5,2"]).gives(["i64[2]", "i64[2]", "i64[4]", "i64[2]"]);
        op("Unique", 10, ["f32[3] = 0,-0,1"]).gives(["f32[2]", "i64[2]", "i64[3]", "i64[2]"]);
        op("Unique", 10, ["f32[2,3] = 1,2,1,3,4,3", "i64[] = 1"]).gives(["f32[2,2]", "i64[2]", "i64[3]", "i64[2]"]);
        op("Unique", 10, ["f32[2,2] = 1,2,1,2", "i64[] = 0"]).gives(["f32[1,2]", "i64[1]", "i64[2]", "i64[1]"]);
        op("Unique", 10, ["i64[2] = 5,5..6"]).gives(["i64[1..2]", "i64[1..2]", "i64[2]", "i64[1..2]"]);
    }

    #[test]
    fn errors() {
        let along = |data, axis| op("Unique", 10, [data, axis]);
        along("f32[2]", "i64[] = 1").fails("axis-range", "axis 1 is outside -1..0");
        along("f32[2]", "i64[]").fails("needs-constant", "`axis` of Unique must be a constant, but is i64[]");
        along("i64[2] = 1,2", "i64[]")
            .warns("needs-constant", "`axis` of Unique must be a constant, but is i64[]")
            .yields(["i64[...]", "i64[?]", "i64[?]", "i64[?]"]);
        along("f32[2]", "i64[2]").fails("input-value", "`axis` must hold one number, its shape is [2]");
        along("f32[2]", "u8[] = 0").fails("index-type", "`axis` is of type u8, it must be i32 or i64");
        along("f32[2]", "dynamic[]")
            .fails("needs-type", "the element type of `axis` of Unique is not known, wanted i32 or i64");
        along("f32[]", "i64[] = 0").fails("input-rank", "`data` of Unique must be of rank 1 or more, but is f32[]");
        op("Unique", 10, ["f32[2]"])
            .attr("index_element_type", "u8")
            .fails("attribute-value", "`index_element_type=\"u8\"` of Unique must be one of i64, i32");
    }
}
