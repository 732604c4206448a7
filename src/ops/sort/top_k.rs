//! `TopK`: the largest or smallest elements along one axis, and their indices.
//!
//! - Spec: `sort/top-k-1` (`k` of i8, i32 or i64), `-3` (any whole `k`), `-11` (adds `stable`)
//! - Shape: `data` with `k` at `axis`; up to the whole dimension while `k` is unknown.
//! - Errors: `input-rank`; `axis-range`; `index-type`; `needs-type` (-1); `input-value` for a negative `k`; `attribute-value`.
//!   OpenVINO reads a `k` that exceeds the dimension, and does not compile it if all lengths are known; else it is a warning.

use crate::ops::Recent;
use crate::ops::prelude::*;
use crate::ops::shared::strides::count;
use crate::types::release;
use std::cmp::Ordering;

pub(super) static TOP_K_1: OpSpec = OpSpec {
    inputs: &[Input::any("data"), Input::index("k").followed().lengths().types(K_TYPES).ranks(&[0]).typed()],
    attrs: &[AXIS, MODE, SORT, INDEX_TYPE],
    outputs: Outputs::Exactly(2),
    eval: Eval::Compute(Bounding::Constants, eval),
    ..OpSpec::new("TopK", 1, infer)
};

pub(super) static TOP_K_3: OpSpec = OpSpec {
    opset: 3,
    inputs: &[Input::any("data"), Input::index("k").followed().if_ranked().lengths().ranks(&[0])],
    recent: &[Recent {
        what: "a `k` of a type other than i8, i32 or i64",
        first: release(2023, 0),
        attr: "",
        is_used: |inputs, _| {
            let k = inputs.get(1).copied().flatten().map(|k| k.ty).filter(|ty| *ty != ElementType::Dynamic);
            k.is_some_and(|ty| !K_TYPES.has(ty))
        },
    }],
    ..TOP_K_1
};

pub(super) static TOP_K_11: OpSpec = OpSpec {
    opset: 11,
    attrs: &[AXIS, MODE, SORT, INDEX_TYPE, Attr::optional("stable", Kind::Flag, "false")],
    ..TOP_K_3
};

const K_TYPES: TypeSet = TypeSet::of(&[ElementType::I8, ElementType::I32, ElementType::I64]);
const AXIS: Attr = Attr::optional("axis", Kind::INT, "0");
const MODE: Attr = Attr::optional("mode", Kind::Choice(&["min", "max"]), "max");
const SORT: Attr = Attr::optional("sort", Kind::Choice(&["none", "index", "value"]), "none");
const INDEX_TYPE: Attr = Attr::optional("index_element_type", Kind::Choice(&["i64", "i32"]), "i32");

fn infer(cx: &InferCtx) -> Inferred {
    let data = cx.input(0);
    let index = index_type(cx, "index_element_type");
    if cx.flag("stable") && cx.choice("sort") == "none" {
        let message = "`stable` of TopK needs `sort=\"value\"` or `sort=\"index\"`, it is none";
        return Err(Fault::at(At::Attr("stable"), &ATTRIBUTE_VALUE, message));
    }
    let both = |shape: PartialShape| vec![Fact::new(data.ty, shape.clone()), Fact::new(index, shape)];
    let Some(rank) = data.rank() else { return Ok(both(PartialShape::UNKNOWN)) };
    least_rank(cx, 0, 1)?;
    let axis =
        cx.normalize(At::Attr("axis"), cx.int("axis"), rank).map_err(|fault| fault.label(At::Input(0), cx.shown(0)))?;
    let (whole, k) = (data.shape.dim(axis), single_length(cx, 1)?);
    if whole.upper().is_some_and(|upper| upper < k.lower()) {
        let message = format!("`k` is {k}, dimension {axis} has only {whole}");
        let fault = Fault::at(At::Input(1), &INPUT_VALUE, message).label(At::Input(0), cx.shown(0));
        let is_known = data.shape.is_static() && k.is_exact() && cx.value(1).is_some_and(Value::is_stored);
        cx.warn(if is_known {
            fault.runtime(Runtime::NotCompiled)
        } else {
            fault.severity(Severity::Warning).runtime(Runtime::Accepts)
        });
    }
    // OpenVINO lets a constant `k` exceed the dimension.
    let taken =
        if k.is_exact() { k } else { k.merge(Dim::at_most(whole.upper().unwrap_or(i64::MAX))).unwrap_or(whole) };
    Ok(both(data.shape.with(axis, taken)))
}

/// Evaluates the elements by sorting; `None` if the order is unspecified.
fn eval(cx: &InferCtx, outputs: &[Fact]) -> Option<Vec<Value>> {
    if cx.choice("sort") == "none" {
        return None;
    }
    let (value, top, index) = (cx.value(0)?, outputs.first()?, outputs.get(1)?);
    let lines = Lines::of(cx, top)?;
    if let Some(bounds) = value.as_floats() {
        let floats: Option<Vec<f64>> = bounds.iter().map(|one| one.value().filter(|value| !value.is_nan())).collect();
        let places = lines.sorted(cx, &floats?)?;
        let tops = places.iter().enumerate().map(|(i, place)| bounds.get(lines.element(i, *place)).copied());
        let tops = Value::floats(&top.shape, tops.collect::<Option<Vec<_>>>()?)?;
        return Some(vec![tops, indices(index, &places)?]);
    }
    let bounds = value.as_integers()?;
    let ty = cx.input(0).ty;
    let integers: Option<Vec<i128>> = bounds.iter().map(|one| Interval::of(ty, *one).value()).collect();
    let places = lines.sorted(cx, &integers?)?;
    let tops = places.iter().enumerate().map(|(i, place)| bounds.get(lines.element(i, *place)).copied());
    let tops = Value::integers(&top.shape, tops.collect::<Option<Vec<_>>>()?)?;
    Some(vec![tops, indices(index, &places)?])
}

fn indices(output: &Fact, places: &[usize]) -> Option<Value> {
    let indices = places.iter().map(|place| i64::try_from(*place).ok().map(Bounds::exact));
    Value::integers(&output.shape, indices.collect::<Option<Vec<_>>>()?)
}

/// The `outer` times `inner` lines along the axis, and the number of elements taken from each.
struct Lines {
    outer: usize,
    whole: usize,
    inner: usize,
    taken: usize,
}

impl Lines {
    fn of(cx: &InferCtx, output: &Fact) -> Option<Self> {
        let lengths = cx.input(0).shape.sizes()?;
        let axis = cx.normalize(At::Layer, cx.int("axis"), lengths.len()).ok()?;
        let lines = Self {
            outer: count(lengths.get(..axis)?)?,
            whole: *lengths.get(axis)?,
            inner: count(lengths.get(axis + 1..)?)?,
            taken: output.shape.dim(axis).size()?,
        };
        (lines.taken <= lines.whole).then_some(lines)
    }

    /// The index along the axis of the data for every output element.
    fn sorted<T: PartialOrd>(&self, cx: &InferCtx, elements: &[T]) -> Option<Vec<usize>> {
        let mut places = vec![0; self.outer * self.taken * self.inner];
        for outer in 0..self.outer {
            for inner in 0..self.inner {
                let element = |place: &usize| elements.get((outer * self.whole + place) * self.inner + inner);
                let ascending = |a: &usize, b: &usize| element(a).partial_cmp(&element(b)).unwrap_or(Ordering::Equal);
                let mut order: Vec<usize> = (0..self.whole).collect();
                order.sort_by(|a, b| if cx.choice("mode") == "max" { ascending(b, a) } else { ascending(a, b) });
                order.truncate(self.taken);
                if cx.choice("sort") == "index" {
                    order.sort_unstable();
                }
                for (n, place) in order.into_iter().enumerate() {
                    *places.get_mut((outer * self.taken + n) * self.inner + inner)? = place;
                }
            }
        }
        Some(places)
    }

    /// The element of the data for output element `i`, which is at index `place` along the axis.
    fn element(&self, i: usize, place: usize) -> usize {
        (i / self.inner / self.taken * self.whole + place) * self.inner + i % self.inner
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn top_k(data: &str, k: &str) -> OpTest {
        op("TopK", 11, [data, k]).attr("axis", -1).attr("sort", "value")
    }

    #[test]
    fn shapes() {
        top_k("f32[2,10]", "i64[] = 3").gives(["f32[2,3]", "i32[2,3]"]);
        top_k("f32[2,5..9]", "u8[] = 4").attr("index_element_type", "i64").gives(["f32[2,4]", "i64[2,4]"]);
        top_k("f32[2..,5..9]", "i64[]").gives(["f32[2..,..9]", "i32[2..,..9]"]);
        top_k("f32[2,4..6]", "i64[] = 3..9").gives(["f32[2,3..6]", "i32[2,3..6]"]);
        top_k("f32[2,10]", "i64[] = 3..5").gives(["f32[2,3..5]", "i32[2,3..5]"]);
        top_k("f32[2,5..9]", "i64[] = 2..").gives(["f32[2,2..9]", "i32[2,2..9]"]);
        top_k("f32[2,6]", "i64[] = 8..9").yields(["f32[2,6]", "i32[2,6]"]);
        top_k("f32[2,4..6]", "i64[] = 8..").yields(["f32[2,4..6]", "i32[2,4..6]"]);
        top_k("f32[?,?]", "i64[...]").gives(["f32[?,?]", "i32[?,?]"]);
        top_k("f32[...]", "i64[] = 3").gives(["f32[...]", "i32[...]"]);
        op("TopK", 1, ["f32[4,3]", "i32[] = 2"]).gives(["f32[2,3]", "i32[2,3]"]);
    }

    #[test]
    fn values() {
        top_k("i64[3] = 4,6,7", "i64[] = 2").gives(["i64[2] = 7,6", "i32[2] = 2,1"]);
        top_k("i64[4] = 4,6,4,9", "i64[] = 2").attr("mode", "MIN").gives(["i64[2] = 4,4", "i32[2] = 0,2"]);
        let by_index = op("TopK", 3, ["f32[2,3] = 1,5,3,9,2,8", "i64[] = 2"]).attr("axis", 1).attr("sort", "index");
        by_index.gives(["f32[2,2] = 5,3,9,8", "i32[2,2] = 1,2,0,2"]);
        let columns = op("TopK", 3, ["i64[2,3] = 1,5,3,9,2,8", "i64[] = 1"]).attr("sort", "value");
        columns.gives(["i64[1,3] = 9,5,8", "i32[1,3] = 1,0,1"]);
        op("TopK", 3, ["i64[3] = 4,6,7", "i64[] = 2"]).gives(["i64[2]", "i32[2]"]);
        top_k("i64[2] = 4,5..6", "i64[] = 1").gives(["i64[1]", "i32[1]"]);
    }

    #[test]
    fn errors() {
        top_k("f32[2]", "i64[] = -1").fails("input-value", "`k` is -1, wanted a length from 0 on");
        top_k("f32[2]", "i64[1] = 1").fails("input-rank", "`k` of TopK must be a scalar, but is i64[1]");
        top_k("f32[]", "i64[] = 1").fails("input-rank", "`data` of TopK must be of rank 1 or more, but is f32[]");
        let message = "`k` is 3, dimension 0 has only 2";
        top_k("f32[2]", "i64[] = 3").fails("input-value", message).passes(["f32[3]", "i32[3]"]);
        top_k("f32[?,2]", "i64[] = 3").warns("input-value", "`k` is 3, dimension 1 has only 2");
        top_k("f32[2]", "i64[] = 1")
            .attr("index_element_type", "u8")
            .fails("attribute-value", "`index_element_type=\"u8\"` of TopK must be one of i64, i32");
        let top = |opset, k| op("TopK", opset, ["f32[2]", k]);
        top(3, "i64[] = 1").attr("axis", 1).fails("axis-range", "axis 1 is outside -1..0");
        top(11, "i64[] = 1")
            .attr("stable", true)
            .fails("attribute-value", "`stable` of TopK needs `sort=\"value\"` or `sort=\"index\"`, it is none");
        top(1, "u8[] = 1").fails("index-type", "`k` is of type u8, it must be i8, i32 or i64");
        top(1, "dynamic[]").fails("needs-type", "the element type of `k` of TopK is not known, wanted i8, i32 or i64");
        top(3, "f32[] = 1").fails("index-type", "`k` must be of an integer type, but is f32");
    }
}
