//! `ReduceL1`, `ReduceL2`, `ReduceLogicalAnd`, `ReduceLogicalOr`, `ReduceMax`, `ReduceMean`, `ReduceMin`, `ReduceProd`,
//! `ReduceSum`: fold the elements along some axes into one.
//!
//! - Spec: `reduction/reduce-*`
//! - Shape: with `keep_dims` a 1 at every axis named, else these axes are gone; an axis named twice counts once, no axes
//!   leave the tensor as it is. While the axes are unknown, a kept dimension is its length or 1, and only one single axis
//!   tells how many dimensions stay.
//! - Errors: `input-type`; `input-rank`; `index-type`; `axis-range`. A scalar has axis 0 unless `keep_dims` is set.
//! - Differs from OpenVINO: dimensions stay bounded while the axes are unknown; bounds of sums, products and extremes are
//!   exact, where OpenVINO gives up on infinite ones and on sums.

use crate::ops::context::InferCtx;
use crate::ops::fault::Fault;
use crate::ops::shared::exact::whole_up_to;
use crate::ops::shared::places::{PerAxis, View, strides};
use crate::ops::shared::spans::{Span, far};
use crate::ops::spec::{Attr, Eval, Inferred, Input, Kind, OpSpec, Outputs};
use crate::types::{Bounds, Dim, ElementType, Fact, PartialShape, TypeSet, Value};
use smallvec::SmallVec;

pub(super) static REDUCE_SUM_1: OpSpec = OpSpec {
    name: "ReduceSum",
    opset: 1,
    inputs: &[Input::of("data", NUMBERS), Input::index("axes").ranks(&[0, 1])],
    attrs: &[Attr::optional("keep_dims", Kind::Flag, "false")],
    outputs: Outputs::Exactly(1),
    infer,
    eval: Eval::Compute(eval),
};

pub(super) static REDUCE_L1_4: OpSpec = OpSpec { name: "ReduceL1", opset: 4, ..REDUCE_SUM_1 };
pub(super) static REDUCE_L2_4: OpSpec = OpSpec { name: "ReduceL2", opset: 4, eval: Eval::None, ..REDUCE_SUM_1 };
pub(super) static REDUCE_MAX_1: OpSpec = OpSpec { name: "ReduceMax", ..REDUCE_SUM_1 };
pub(super) static REDUCE_MEAN_1: OpSpec = OpSpec { name: "ReduceMean", ..REDUCE_SUM_1 };
pub(super) static REDUCE_MIN_1: OpSpec = OpSpec { name: "ReduceMin", ..REDUCE_SUM_1 };
pub(super) static REDUCE_PROD_1: OpSpec = OpSpec { name: "ReduceProd", ..REDUCE_SUM_1 };

pub(super) static REDUCE_LOGICAL_AND_1: OpSpec = OpSpec {
    name: "ReduceLogicalAnd",
    inputs: &[Input::of("data", TypeSet::of(&[ElementType::Boolean])), Input::index("axes").ranks(&[0, 1])],
    ..REDUCE_SUM_1
};

pub(super) static REDUCE_LOGICAL_OR_1: OpSpec = OpSpec { name: "ReduceLogicalOr", ..REDUCE_LOGICAL_AND_1 };

/// By its own accident, OpenVINO counts `string` among the numbers.
const NUMBERS: TypeSet = TypeSet::ANY.without(&[ElementType::Boolean]);

fn infer(cx: &InferCtx) -> Inferred {
    let data = cx.input(0);
    let keep = cx.flag("keep_dims");
    let Some(dims) = data.shape.dims() else { return Ok(vec![Fact::new(data.ty, PartialShape::UNKNOWN)]) };
    let shape = match axes(cx)? {
        Some(axes) if keep => PartialShape::of(
            dims.iter().enumerate().map(|(i, dim)| if axes.contains(&i) { Dim::exact(1) } else { *dim }),
        ),
        Some(axes) => PartialShape::of(dims.iter().enumerate().filter(|(i, _)| !axes.contains(i)).map(|(_, dim)| *dim)),
        None if keep => PartialShape::of(dims.iter().map(|dim| dim.hull(Dim::exact(1)))),
        // One axis goes: every dimension is the one in its place or the next one.
        None if cx.input(1).shape.elements().length() == Some(1) => {
            PartialShape::of(dims.windows(2).map(|pair| pair.iter().copied().reduce(Dim::hull).unwrap_or(Dim::ANY)))
        }
        None => PartialShape::UNKNOWN,
    };
    Ok(vec![Fact::new(data.ty, shape)])
}

/// The axes, counted from the front; `None` while they or the rank are unknown.
fn axes(cx: &InferCtx) -> Result<Option<SmallVec<[usize; 4]>>, Fault> {
    if cx.input(1).shape.is_empty() {
        return Ok(Some(SmallVec::new()));
    }
    let scalar = cx.input(0).rank() == Some(0) && !cx.flag("keep_dims");
    if scalar && cx.constant(1).is_some_and(|axes| axes.iter().all(|axis| matches!(axis, 0 | -1))) {
        return Ok(Some(SmallVec::new()));
    }
    cx.axes(1, 0)
}

fn eval(cx: &InferCtx, outputs: &[Fact]) -> Option<Vec<Value>> {
    let (data, output) = (cx.value(0)?, outputs.first()?);
    let lengths = cx.input(0).shape.sizes()?;
    let axes = axes(cx).ok()??;
    let kept: PerAxis =
        lengths.iter().enumerate().map(|(i, length)| if axes.contains(&i) { 1 } else { *length }).collect();
    // Shows for every element of the data the element of the output that it goes into.
    let mut target = View::new(0);
    let mut folded = 1_usize;
    for (i, (length, stride)) in lengths.iter().zip(strides(&kept)).enumerate() {
        let reduced = axes.contains(&i);
        folded = folded.checked_mul(if reduced { *length } else { 1 })?;
        target.push(*length, if reduced { 0 } else { i64::try_from(stride).ok()? });
    }
    let folded = i64::try_from(folded).ok()?;
    let count = output.shape.count()?;
    if let Some(floats) = data.as_floats() {
        let fold = float_fold(cx.spec.name, output.ty, floats)?;
        return Some(vec![Value::floats(&output.shape, folded_into(count, floats, &target, fold)?)?]);
    }
    let ty = output.ty;
    let spans: Vec<Span> = data.as_integers()?.iter().map(|one| Span::of(ty, *one)).collect();
    let (zero, one) = (Span::of(ty, Bounds::exact(0)), Span::of(ty, Bounds::exact(1)));
    let elements = match cx.spec.name {
        "ReduceMax" | "ReduceLogicalOr" => folded_into(count, &spans, &target, maximum),
        "ReduceMin" | "ReduceLogicalAnd" => folded_into(count, &spans, &target, minimum),
        "ReduceProd" => folded_or(Some(one), count, &spans, &target, Span::times),
        "ReduceSum" => folded_or(Some(zero), count, &spans, &target, Span::plus),
        "ReduceL1" => {
            let magnitudes: Vec<Span> = spans.into_iter().map(Span::magnitude).collect();
            folded_into(count, &magnitudes, &target, Span::plus)
        }
        _ => folded_into(count, &spans, &target, Span::plus),
    };
    let fitted = |span: Span| {
        let bounds = span.wrapped(ty).bounds(ty)?;
        if cx.spec.name == "ReduceMean" {
            Span::of(ty, bounds).rising(|end| mean(end, folded)).bounds(ty)
        } else {
            Some(bounds)
        }
    };
    let elements = elements?.into_iter().map(fitted).collect::<Option<Vec<_>>>()?;
    Some(vec![Value::integers(&output.shape, elements)?])
}

/// Folds every element into the place that `target` shows; `None` if a place gets none.
fn folded_into<T: Copy>(count: usize, elements: &[T], target: &View, fold: fn(T, T) -> T) -> Option<Vec<T>> {
    folded_or(None, count, elements, target, fold)
}

/// The same with what a place holds that gets no element.
fn folded_or<T: Copy>(
    none: Option<T>,
    count: usize,
    elements: &[T],
    target: &View,
    fold: fn(T, T) -> T,
) -> Option<Vec<T>> {
    let mut results = vec![None; count];
    for (i, element) in elements.iter().enumerate() {
        let place = results.get_mut(target.place(i))?;
        *place = Some(place.map_or(*element, |result| fold(result, *element)));
    }
    results.into_iter().map(|result| result.or(none)).collect()
}

/// Makes one of two floating-point elements.
type Fold = fn(Bounds<f64>, Bounds<f64>) -> Bounds<f64>;

/// How floating-point bounds fold, where that is exact in any order.
fn float_fold(name: &str, ty: ElementType, elements: &[Bounds<f64>]) -> Option<Fold> {
    if elements.iter().any(|one| one.lower.is_nan()) {
        return None;
    }
    let whole = |limit: f64| {
        let all = elements.iter().all(|one| one.value().is_some_and(|value| value.fract() == 0.0));
        all && limit <= whole_up_to(ty).unwrap_or(0.0)
    };
    match name {
        "ReduceMax" => Some(|a, b| Bounds { lower: a.lower.max(b.lower), upper: a.upper.max(b.upper) }),
        "ReduceMin" => Some(|a, b| Bounds { lower: a.lower.min(b.lower), upper: a.upper.min(b.upper) }),
        "ReduceSum" if whole(elements.iter().map(|one| one.lower.abs()).sum()) => {
            Some(|a, b| Bounds::exact(a.lower + b.lower))
        }
        "ReduceProd" if whole(elements.iter().map(|one| one.lower.abs().max(1.0)).product()) => {
            Some(|a, b| Bounds::exact(a.lower * b.lower))
        }
        _ => None,
    }
}

fn maximum(a: Span, b: Span) -> Span {
    Span { lower: a.lower.max(b.lower), upper: a.upper.max(b.upper) }
}

fn minimum(a: Span, b: Span) -> Span {
    Span { lower: a.lower.min(b.lower), upper: a.upper.min(b.upper) }
}

/// The share of one of `count` elements in a sum, rounded toward zero; an end that is no bound stays so.
fn mean(end: i128, count: i64) -> i128 {
    if far(end) { end } else { end.checked_div(count.into()).unwrap_or(end) }
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn reduce(name: &str, data: &str, axes: &str) -> OpTest {
        op(name, 4, [data, axes])
    }

    #[test]
    fn shapes() {
        let sum = |data, axes| reduce("ReduceSum", data, axes);
        sum("f32[2,3,4]", "i64[1] = 1").gives(["f32[2,4]"]);
        sum("f32[2,3,4]", "i64[] = -1").attr("keep_dims", true).gives(["f32[2,3,1]"]);
        sum("f32[2..5,?,4]", "i64[3] = 1,-2,2").gives(["f32[2..5]"]);
        sum("f32[2,3,4]", "i64[0] = ").gives(["f32[2,3,4]"]);
        sum("f32[2,3,4]", "i64[0]").gives(["f32[2,3,4]"]);
        sum("f32[2,3..5,4]", "i64[1]").gives(["f32[2..5,3..5]"]);
        sum("f32[2,3,4]", "i64[]").gives(["f32[2..3,3..4]"]);
        sum("f32[2,3,4]", "i64[2]").gives(["f32[...]"]);
        sum("f32[2,?,0]", "i64[?]").attr("keep_dims", true).gives(["f32[1..2,?,..1]"]);
        sum("f32[...]", "i64[1] = 1").gives(["f32[...]"]);
        sum("f32[]", "i64[1] = 0").gives(["f32[]"]);
        reduce("ReduceLogicalOr", "boolean[2,3]", "i64[1] = 0").gives(["boolean[3]"]);
        reduce("ReduceL2", "u8[2,3]", "i64[1] = 0").gives(["u8[3]"]);
    }

    #[test]
    fn values() {
        let fold = |name, data| reduce(name, data, "i64[1] = 0");
        fold("ReduceProd", "i64[3] = 2..3,5,-1").gives(["i64[] = -15..-10"]);
        fold("ReduceProd", "i64[3] = 2..3,0..,7").gives(["i64[] = 0.."]);
        fold("ReduceSum", "i64[3] = 2..3,5..,7").gives(["i64[] = 14.."]);
        fold("ReduceProd", "i32[2] = 1..2147483647,5").gives(["i32[] = 5..2147483647"]);
        fold("ReduceProd", "i32[2] = 2147483645..2147483646,5").gives(["i32[] = -2147483648..2147483647"]);
        fold("ReduceProd", "i64[2] = 4611686018427387904..4611686018427387905,4").gives(["i64[] = ?"]);
        fold("ReduceSum", "i8[2] = 100,100").gives(["i8[] = -56"]);
        fold("ReduceSum", "i8[2] = 100,90..100").gives(["i8[] = -128..127"]);
        fold("ReduceMax", "i64[3] = 2..3,..9,7").gives(["i64[] = 7..9"]);
        fold("ReduceMin", "i64[3] = 2..3,..9,7").gives(["i64[] = ..3"]);
        fold("ReduceMean", "i64[3] = 4,6,7").gives(["i64[] = 5"]);
        fold("ReduceMean", "i64[2] = -4..0,1").gives(["i64[] = -1..0"]);
        fold("ReduceL1", "i64[2] = -4..2,-3").gives(["i64[] = 3..7"]);
        fold("ReduceLogicalAnd", "boolean[2] = 1,0").gives(["boolean[] = 0"]);
        fold("ReduceLogicalOr", "boolean[2] = 0..1,0").gives(["boolean[] = 0..1"]);
        fold("ReduceMax", "f32[2] = 0.5..2,1.5").gives(["f32[] = 1.5..2"]);
        fold("ReduceSum", "f32[2] = 3,4").gives(["f32[] = 7"]);
        fold("ReduceSum", "f32[2] = 0.1,0.2").gives(["f32[]"]);
        fold("ReduceSum", "i64[2,3] = 1,2,3,4,5,6").gives(["i64[3] = 5,7,9"]);
        reduce("ReduceSum", "i64[2,3] = 1,2,3,4,5,6", "i64[1] = 1").attr("keep_dims", true).gives(["i64[2,1] = 6,15"]);
        fold("ReduceMax", "i64[0,2] = ").gives(["i64[2]"]);
        fold("ReduceProd", "i64[0] = ").gives(["i64[] = 1"]);
        fold("ReduceSum", "i64[0,2] = ").gives(["i64[2] = 0,0"]);
    }

    #[test]
    fn errors() {
        let sum = |data, axes| reduce("ReduceSum", data, axes);
        sum("f32[2,3]", "i64[2] = 0,2").fails("axis-range", "axis 2 is outside -2..1");
        sum("f32[]", "i64[1] = 0")
            .attr("keep_dims", true)
            .fails("axis-range", "axis 0 does not exist: the tensor is a scalar");
        sum("f32[2,3]", "i64[1,1]")
            .fails("input-rank", "`axes` of ReduceSum must be a scalar or a list, it is i64[1,1]");
        sum("f32[2,3]", "f32[1]").fails("index-type", "`axes` must be of an integer type, it is f32");
        sum("boolean[2]", "i64[1]").fails("input-type", "ReduceSum does not accept boolean at input 0 `data`");
        reduce("ReduceLogicalAnd", "u8[2]", "i64[1]")
            .fails("input-type", "ReduceLogicalAnd does not accept u8 at input 0 `data`");
    }
}
