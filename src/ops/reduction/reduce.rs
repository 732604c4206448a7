//! `ReduceL1`, `ReduceL2`, `ReduceLogicalAnd`, `ReduceLogicalOr`, `ReduceMax`, `ReduceMean`, `ReduceMin`, `ReduceProd`,
//! `ReduceSum`: reduce the elements along some axes.
//!
//! - Spec: `reduction/reduce-*`
//! - Shape: with `keep_dims` a 1 at every given axis, else these axes are removed. A repeated axis counts once; without axes
//!   the tensor is unchanged. With unknown axes, a kept dimension is its length or 1, and only a single axis determines the
//!   rank.
//! - Errors: `input-type`; `input-rank`; `index-type`; `axis-range`. A scalar has axis 0 unless `keep_dims` is set.
//! - Differs from OpenVINO: dimensions stay bounded with unknown axes; bounds of sums, products and extremes are exact;
//!   OpenVINO evaluates neither infinite ones nor sums.

use crate::ops::prelude::*;
use crate::ops::shared::elementwise;
use crate::ops::shared::strides::{PerAxis, View, strides};
use crate::ops::shared::totals::{product, sum};
use crate::types::float_interval::{largest, magnitude, times};
use crate::types::interval::far;
use smallvec::SmallVec;

pub(super) static REDUCE_SUM_1: OpSpec = OpSpec {
    inputs: &[Input::of("data", NUMBERS), Input::index("axes").ranks(&[0, 1])],
    attrs: &[Attr::optional("keep_dims", Kind::Flag, "false")],
    eval: Eval::Compute(Bounding::Constants, eval),
    ..OpSpec::new("ReduceSum", 1, infer)
};

pub(super) static REDUCE_L1_4: OpSpec = OpSpec { name: "ReduceL1", opset: 4, ..REDUCE_SUM_1 };
pub(super) static REDUCE_L2_4: OpSpec = OpSpec { name: "ReduceL2", opset: 4, ..REDUCE_SUM_1 };
pub(super) static REDUCE_MAX_1: OpSpec =
    OpSpec { name: "ReduceMax", eval: Eval::Compute(Bounding::Between, eval), ..REDUCE_SUM_1 };
pub(super) static REDUCE_MEAN_1: OpSpec = OpSpec { name: "ReduceMean", ..REDUCE_SUM_1 };
pub(super) static REDUCE_MIN_1: OpSpec =
    OpSpec { name: "ReduceMin", eval: Eval::Compute(Bounding::Between, eval), ..REDUCE_SUM_1 };
pub(super) static REDUCE_PROD_1: OpSpec =
    OpSpec { name: "ReduceProd", eval: Eval::Compute(Bounding::Rising, eval), ..REDUCE_SUM_1 };

pub(super) static REDUCE_LOGICAL_AND_1: OpSpec = OpSpec {
    name: "ReduceLogicalAnd",
    inputs: &[Input::of("data", TypeSet::of(&[ElementType::Boolean])), Input::index("axes").ranks(&[0, 1])],
    ..REDUCE_SUM_1
};

pub(super) static REDUCE_LOGICAL_OR_1: OpSpec = OpSpec { name: "ReduceLogicalOr", ..REDUCE_LOGICAL_AND_1 };

/// All types but `boolean`; OpenVINO accidentally counts `string` as numeric.
const NUMBERS: TypeSet = TypeSet::ANY.without(&[ElementType::Boolean]);

fn infer(cx: &InferCtx) -> Inferred {
    let data = cx.input(0);
    let keep = cx.flag("keep_dims");
    let Some(dims) = data.shape.dims() else { return unranked(data.ty) };
    let shape = match axes(cx)? {
        Some(axes) if keep => PartialShape::of(
            dims.iter().enumerate().map(|(i, dim)| if axes.contains(&i) { Dim::exact(1) } else { *dim }),
        ),
        Some(axes) => PartialShape::of(dims.iter().enumerate().filter(|(i, _)| !axes.contains(i)).map(|(_, dim)| *dim)),
        None if keep => PartialShape::of(dims.iter().map(|dim| dim.hull(Dim::exact(1)))),
        // One unknown axis is removed: every output dimension is the input dimension at its index or the next one.
        None if cx.input(1).shape.elements().length() == Some(1) => {
            PartialShape::of(dims.windows(2).map(|pair| pair.iter().copied().reduce(Dim::hull).unwrap_or(Dim::ANY)))
        }
        None => PartialShape::UNKNOWN,
    };
    Ok(vec![Fact::new(data.ty, shape)])
}

/// The normalized axes; `None` if they or the rank are unknown.
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
    // Maps every element of the data to its output element.
    let mut target = View::new(0);
    for (i, (length, stride)) in lengths.iter().zip(strides(&kept)).enumerate() {
        target.push(*length, if axes.contains(&i) { 0 } else { i64::try_from(stride).ok()? });
    }
    let count = output.shape.count()?;
    let (name, ty) = (cx.spec.name, output.ty);
    if let Some(floats) = data.as_floats() {
        let groups = grouped(count, floats.iter().copied(), &target)?;
        return elementwise::reals(output, |i| {
            groups.get(i).map_or(Bounds::<f64>::ANY, |group| reals(name, ty, group))
        });
    }
    let spans = data.as_integers()?.iter().map(|one| Interval::of(ty, *one));
    let groups = grouped(count, spans, &target)?;
    elementwise::wholes(output, |i| wholes(name, ty, groups.get(i)?))
}

/// Groups the elements by output element; `target` maps the former to the latter.
fn grouped<T>(count: usize, elements: impl Iterator<Item = T>, target: &View) -> Option<Vec<Vec<T>>> {
    let mut groups: Vec<Vec<T>> = (0..count).map(|_| Vec::new()).collect();
    for (i, element) in elements.enumerate() {
        groups.get_mut(target.offset(i))?.push(element);
    }
    Some(groups)
}

/// Reduces a group of whole numbers or booleans.
fn wholes(name: &str, ty: ElementType, group: &[Interval]) -> Option<Bounds<i64>> {
    let of = |fold: fn(Interval, Interval) -> Interval| group.iter().copied().reduce(fold);
    let result = match name {
        "ReduceLogicalOr" => of(Interval::max).unwrap_or(Interval::exact(0)),
        "ReduceLogicalAnd" => of(Interval::min).unwrap_or(Interval::exact(1)),
        "ReduceMax" => of(Interval::max).unwrap_or(lowest(ty)?),
        "ReduceMin" => of(Interval::min).unwrap_or(highest(ty)?),
        "ReduceProd" => of(Interval::times).unwrap_or(Interval::exact(1)),
        "ReduceSum" | "ReduceMean" => of(Interval::plus).unwrap_or(Interval::exact(0)),
        "ReduceL1" => group.iter().map(|span| span.magnitude()).reduce(Interval::plus).unwrap_or(Interval::exact(0)),
        // OpenVINO does not evaluate those of whole numbers.
        _ if group.is_empty() => Interval::exact(0),
        _ => return Bounds::<i64>::of(ty),
    };
    let bounds = result.wrapped(ty).bounds(ty)?;
    if name == "ReduceMean" && !group.is_empty() {
        let count = i64::try_from(group.len()).ok()?;
        return Interval::of(ty, bounds).rising(|end| mean(end, count)).bounds(ty);
    }
    Some(bounds)
}

/// The maximum of no whole numbers in OpenVINO, whose devices use 32 bits.
fn lowest(ty: ElementType) -> Option<Interval> {
    let (lowest, _) = ty.integer_range()?;
    Some(Interval::between(lowest.into(), lowest.max(i32::MIN.into()).into()))
}

/// The minimum of no whole numbers in OpenVINO.
fn highest(ty: ElementType) -> Option<Interval> {
    let (_, highest) = ty.integer_range()?;
    let upper = if ty == ElementType::U64 { u64::MAX.into() } else { highest.into() };
    Some(Interval::between(highest.min(i32::MAX.into()).into(), upper))
}

/// Reduces a group of floating-point numbers.
#[allow(clippy::cast_precision_loss, reason = "a count")]
fn reals(name: &str, ty: ElementType, group: &[Bounds<f64>]) -> Bounds<f64> {
    if group.iter().any(|one| one.lower.is_nan()) {
        return Bounds::<f64>::ANY;
    }
    let extreme = |of: fn(f64, f64) -> f64| {
        let both = |a: Bounds<f64>, b: Bounds<f64>| Bounds::between(of(a.lower, b.lower), of(a.upper, b.upper));
        group.iter().copied().reduce(both)
    };
    match name {
        // For no elements, OpenVINO gives an infinity in one place and the largest finite number in another.
        "ReduceMax" => extreme(f64::max).unwrap_or(Bounds::between(f64::NEG_INFINITY, -largest(ty))),
        "ReduceMin" => extreme(f64::min).unwrap_or(Bounds::between(largest(ty), f64::INFINITY)),
        "ReduceProd" => product(ty, group),
        "ReduceSum" => sum(ty, group),
        "ReduceMean" if group.is_empty() => Bounds::exact(0.0),
        "ReduceMean" => {
            let (total, count) = (finite(sum(ty, group)), group.len() as f64);
            Bounds::between(total.lower / count, total.upper / count)
        }
        "ReduceL1" => sum(ty, &group.iter().copied().map(magnitude).collect::<Vec<_>>()),
        _ => {
            // The squares of f16 are f32.
            let wide = if ty == ElementType::F64 { ty } else { ElementType::F32 };
            let squares: Vec<_> = group.iter().copied().map(magnitude).map(|one| times(one, one)).collect();
            let total = finite(sum(wide, &squares));
            Bounds::between(total.lower.max(0.0).sqrt(), total.upper.sqrt())
        }
    }
}

/// The sum, or unknown if it may overflow.
fn finite(sum: Bounds<f64>) -> Bounds<f64> {
    if sum.value().is_some_and(f64::is_infinite) { Bounds::<f64>::ANY } else { sum }
}

/// A sum divided by `count`, rounded toward zero; an unbounded end stays unbounded.
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
        fold("ReduceProd", "i32[2] = 2147483645..2147483646,5").gives(["i32[]"]);
        fold("ReduceProd", "i64[2] = 4611686018427387904..4611686018427387905,4").gives(["i64[]"]);
        fold("ReduceSum", "i8[2] = 100,100").gives(["i8[] = -56"]);
        fold("ReduceSum", "i8[2] = 100,90..100").gives(["i8[]"]);
        fold("ReduceMax", "i64[3] = 2..3,..9,7").gives(["i64[] = 7..9"]);
        fold("ReduceMin", "i64[3] = 2..3,..9,7").gives(["i64[] = ..3"]);
        fold("ReduceMean", "i64[3] = 4,6,7").gives(["i64[] = 5"]);
        fold("ReduceMean", "i64[2] = -4..0,1").gives(["i64[] = -1..0"]);
        fold("ReduceL1", "i64[2] = -4..2,-3").gives(["i64[] = 3..7"]);
        fold("ReduceLogicalAnd", "boolean[2] = 1,0").gives(["boolean[] = 0"]);
        fold("ReduceLogicalOr", "boolean[2] = 0..1,0").gives(["boolean[]"]);
        fold("ReduceMax", "f32[2] = 0.5..2,1.5").gives(["f32[] = 1.5..2"]);
        fold("ReduceSum", "f32[2] = 3,4").gives(["f32[] = 7"]);
        fold("ReduceSum", "f32[2] = 0.1,0.2").gives(["f32[] = 0.2999999225139618..0.30000007152557373"]);
        fold("ReduceSum", "f32[2] = 3..,4").gives(["f32[] = 7.."]);
        fold("ReduceMean", "f32[2] = 3,4").gives(["f32[] = 3.5"]);
        fold("ReduceL1", "f32[3] = 3,-4,-2..1").gives(["f32[] = 7..9"]);
        fold("ReduceL2", "f32[2] = 3,-4").gives(["f32[] = 5"]);
        fold("ReduceL2", "f32[2] = 3..6,-8..4").gives(["f32[] = 3..10"]);
        fold("ReduceL2", "f16[2] = 300,300").gives(["f16[] = 424.25"]);
        fold("ReduceL2", "i64[2] = 3,4").gives(["i64[]"]);
        fold("ReduceProd", "f16[2] = 300,300").gives(["f16[] = inf"]);
        fold("ReduceProd", "f16[2] = 300,1..300").gives(["f16[]"]);
        fold("ReduceSum", "i64[2,3] = 1,2,3,4,5,6").gives(["i64[3] = 5,7,9"]);
        reduce("ReduceSum", "i64[2,3] = 1,2,3,4,5,6", "i64[1] = 1").attr("keep_dims", true).gives(["i64[2,1] = 6,15"]);
    }

    #[test]
    fn of_nothing_there_is_what_changes_nothing() {
        let fold = |name, data| reduce(name, data, "i64[1] = 0");
        for (name, whole, real) in [
            ("ReduceSum", "0", "0"),
            ("ReduceProd", "1", "1"),
            ("ReduceMean", "0", "0"),
            ("ReduceL1", "0", "0"),
            ("ReduceL2", "0", "0"),
            ("ReduceMax", "..-2147483648", "..-3.4028234663852886e38"),
            ("ReduceMin", "2147483647..", "3.4028234663852886e38.."),
        ] {
            fold(name, "i64[0,2] = ").gives([format!("i64[2] = {whole},{whole}").as_str()]);
            fold(name, "f32[0] = ").gives([format!("f32[] = {real}").as_str()]);
        }
        fold("ReduceMax", "i8[0] = ").gives(["i8[] = -128"]);
        fold("ReduceMax", "u64[0] = ").gives(["u64[] = 0"]);
        fold("ReduceMin", "i32[0] = ").gives(["i32[] = 2147483647"]);
        fold("ReduceMin", "u64[0] = ").gives(["u64[]"]);
        fold("ReduceMin", "f16[0] = ").gives(["f16[] = 65504.."]);
        fold("ReduceLogicalAnd", "boolean[0] = ").gives(["boolean[] = 1"]);
        fold("ReduceLogicalOr", "boolean[0] = ").gives(["boolean[] = 0"]);
    }

    #[test]
    fn errors() {
        let sum = |data, axes| reduce("ReduceSum", data, axes);
        sum("f32[2,3]", "i64[2] = 0,2").fails("axis-range", "axis 2 is outside -2..1");
        sum("f32[]", "i64[1] = 0")
            .attr("keep_dims", true)
            .fails("axis-range", "axis 0 does not exist: the tensor is a scalar");
        sum("f32[2,3]", "i64[1,1]")
            .fails("input-rank", "`axes` of ReduceSum must be a scalar or a list, but is i64[1,1]");
        op("ReduceSum", 1, ["f32[2,3,4]"]).stored("u4[2] = 0,1").fails(
            "index-type",
            "`axes` of ReduceSum holds constants of type u4, of which OpenVINO reads whole bytes: 16 is not an axis",
        );
        op("ReduceSum", 1, ["f32[2,3,4]"]).stored("u4[2] = 2,0").passes(["f32[...]"]);
        sum("f32[2,3]", "f32[1]").fails("index-type", "`axes` must be of an integer type, but is f32");
        sum("boolean[2]", "i64[1]").fails("input-type", "ReduceSum does not accept boolean at input 0 `data`");
        reduce("ReduceLogicalAnd", "u8[2]", "i64[1]")
            .fails("input-type", "ReduceLogicalAnd does not accept u8 at input 0 `data`");
    }
}
