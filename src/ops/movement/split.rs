//! `Split`: cuts a tensor into equal parts along one axis.
//!
//! - Spec: `movement/split-1`
//! - Shape: every output is `data` with `data[axis] / num_splits` at `axis`; an unknown `axis` keeps only the rank.
//! - Errors: `axis-range`; `split-not-divisible` if no length of `data[axis]`, or of any dimension that `axis` may
//!   mean, divides evenly.
//! - Differs from OpenVINO: bounds are exact integers; OpenVINO divides interval bounds in float32 (`..41` by 41 gives 0)
//!   and rounds a lower bound down (`7..8` by 3 gives 2, where no length divides).

use crate::ops::prelude::*;
use crate::ops::shared::strides::count;

pub(super) static SPLIT_1: OpSpec = OpSpec {
    inputs: &[Input::any("data"), Input::index("axis").ranks(&[0])],
    attrs: &[Attr::required("num_splits", Kind::from(1))],
    outputs: Outputs::FromAttr("num_splits"),
    action: Action::Splits,
    eval: Eval::Move(Bounding::Moved, mover),
    demands: Some(&SPLIT_NOT_DIVISIBLE),
    ..OpSpec::new("Split", 1, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let data = cx.input(0);
    let parts = cx.int("num_splits");
    let count = usize::try_from(parts).unwrap_or(0).min(cx.limits.outputs);
    let Some(axis) = cx.axis(1, 0)? else {
        if !cx.may_be_axis_of(1, 0, |whole| whole.divide(parts).is_some()) {
            let message = format!("no dimension that `axis` may mean makes {parts} equal parts");
            let fault = Fault::at(At::Attr("num_splits"), &SPLIT_NOT_DIVISIBLE, message);
            cx.warn(fault.runtime(Runtime::Unknown).label(At::Input(0), cx.shown(0)));
        }
        return Ok(vec![Fact::new(data.ty, data.shape.forget_dims()); count]);
    };
    let whole = cx.dim(0, axis);
    // OpenVINO rejects a dynamic dimension that cannot give every part an element, although 0 is a multiple of any number.
    let too_short = !whole.is_exact() && whole.upper().is_some_and(|upper| upper < parts);
    let part = if cx.is_openvino() && !whole.is_exact() { in_single_precision(whole, parts) } else { whole.cut(parts) };
    let Some(part) = part.filter(|_| !too_short) else {
        // OpenVINO does not conclude the axis from a rank of 1.
        return Err(not_divisible(cx, axis, whole, parts).late_unless(cx.constant(1).is_some()));
    };
    Ok(vec![Fact::new(data.ty, data.shape.with(axis, part)); count])
}

/// The bounds of a part of a dynamic dimension in OpenVINO.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "OpenVINO computes in f32")]
fn in_single_precision(whole: Dim, parts: i64) -> Option<Dim> {
    let scale = 1.0 / parts as f32;
    let part = |bound: i64| (bound as f32 * scale) as i64;
    let lower = part(whole.lower());
    whole.upper().map_or(Some(Dim::at_least(lower)), |upper| Dim::between(lower, part(upper)))
}

fn not_divisible(cx: &InferCtx, axis: usize, whole: Dim, parts: i64) -> Fault {
    let data = cx.input(0);
    let is_declared = cx.declared_outputs().is_none_or(|declared| usize::try_from(parts) == Ok(declared));
    let message = if whole.is_exact() {
        format!("dimension {axis} is {whole}, not a multiple of `num_splits` {parts}")
    } else {
        format!("no length of dimension {axis} ({whole}) makes {parts} equal parts")
    };
    let fault = Fault::at(At::Attr("num_splits"), &SPLIT_NOT_DIVISIBLE, message)
        .primary(format!("{whole} along axis {axis} / {parts}"))
        .label(At::Input(0), format!("data = {}{}, axis {axis} = {whole}", data.ty, data.shape));
    match whole.length() {
        Some(length) if length > parts && parts <= 64 && is_declared => {
            let (each, extra) = (length / parts, length % parts);
            let lengths: Vec<String> = (0..parts).map(|i| (each + i64::from(i < extra)).to_string()).collect();
            fault.help(format!("VariadicSplit with split_lengths [{}] would work", lengths.join(", ")))
        }
        _ => fault,
    }
}

fn mover<'a>(cx: &'a InferCtx, output: usize) -> Option<Mover<'a>> {
    let axis = cx.axis(1, 0).ok()??;
    let part = cx.dim(0, axis).size()? / usize::try_from(cx.int("num_splits")).ok()?;
    part_of_rows(cx, axis, output * part, part)
}

/// Maps elements to the data: the same rows, of which `part` lengths along `axis` are taken after `start`.
pub(super) fn part_of_rows<'a>(cx: &'a InferCtx, axis: usize, start: usize, part: usize) -> Option<Mover<'a>> {
    let lengths = cx.input(0).shape.sizes()?;
    let inner = count(lengths.get(axis + 1..)?)?;
    let [row, start, part] = [*lengths.get(axis)?, start, part].map(|length| length * inner);
    Some(Box::new(move |i| (0, i / part * row + start + i % part)))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let split = |data, axis, parts: i64| op("Split", 1, [data, axis]).attr("num_splits", parts);
        split("f32[6,12,10]", "i64[] = 1", 3).gives(["f32[6,4,10]"; 3]);
        split("u1[6,12]", "i8[] = -2", 2).gives(["u1[3,12]"; 2]);
        split("f32[6,7..13]", "i64[] = 1", 3).gives(["f32[6,3..4]"; 3]);
        split("f32[6,7..8]", "i64[] = 1", 3).gives_openvino(["f32[6,2]"; 3]);
        split("f32[6,2..5]", "i64[] = 1", 4).gives(["f32[6,1]"; 4]).gives_openvino(["f32[6,..1]"; 4]);
        split("f32[6,..41]", "i64[] = 1", 41).gives(["f32[6,..1]"; 41]).gives_openvino(["f32[6,0]"; 41]);
        split("f32[2147483652..2147483654]", "i64[] = 0", 4)
            .gives(["f32[536870913]"; 4])
            .gives_openvino(["f32[536870912]"; 4]);
        split("f32[6,0]", "i64[] = 1", 3).gives(["f32[6,0]"; 3]);
        split("f32[6,?]", "i64[]", 2).gives(["f32[?,?]"; 2]);
        split("f32[7,8..11]", "i64[]", 4).gives(["f32[?,?]"; 4]);
        split("f32[...]", "i64[] = 7", 2).gives(["f32[...]"; 2]);
        split("i64[4] = 1,2,3,4", "i64[] = 0", 2).gives(["i64[2] = 1,2", "i64[2] = 3,4"]);
        split("i64[2,2] = 1,2..5,3,4", "i64[] = 1", 2).gives(["i64[2,1] = 1,3", "i64[2,1] = 2..5,4"]);
    }

    #[test]
    fn errors() {
        let split = |data, axis, parts: &str| op("Split", 1, [data, axis]).attr("num_splits", parts);
        split("f32[6,12]", "i64[] = 2", "3").fails("axis-range", "axis 2 is outside -2..1");
        split("f32[]", "i64[] = 0", "3").fails("axis-range", "axis 0 does not exist: the tensor is a scalar");
        split("f32[6,13]", "i64[] = 1", "3")
            .fails("split-not-divisible", "dimension 1 is 13, not a multiple of `num_splits` 3");
        split("f32[6,7..8]", "i64[] = 1", "3")
            .fails("split-not-divisible", "no length of dimension 1 (7..8) makes 3 equal parts");
        split("f32[6,..2]", "i64[] = 1", "3")
            .fails("split-not-divisible", "no length of dimension 1 (..2) makes 3 equal parts");
        split("f32[6,13,1]", "i64[]", "4")
            .fails("split-not-divisible", "no dimension that `axis` may mean makes 4 equal parts");
        split("f32[6,13,4]", "i64[] = 0..1", "4")
            .fails("split-not-divisible", "no dimension that `axis` may mean makes 4 equal parts");
        split("f32[6,12]", "f32[] = 1", "3").fails("index-type", "`axis` must be of an integer type, but is f32");
        split("f32[6,12]", "string[] = *", "3")
            .fails("index-type", "`axis` of Split holds constants of type string, which OpenVINO cannot read");
        split("f32[6,12]", "i64[1] = 1", "3").fails("input-rank", "`axis` of Split must be a scalar, but is i64[1]");
        split("f32[6,12]", "i64[] = 1", "0").fails("attribute-value", "`num_splits=\"0\"` of Split must be at least 1");
        op("Split", 1, ["f32[6,12]", "i64[] = 1"]).fails("missing-attribute", "Split has no `num_splits`");
        op("Split", 1, ["f32[6,12]"])
            .attr("num_splits", 3)
            .fails("wrong-input-count", "Split takes 2 inputs, this layer has 1");
        split("f32[6,12]", "i64[]", "4000000000")
            .fails("limit-exceeded", "4000000000 outputs exceed the limit of 65536");
        split("f32[6,12]", "i64[] = 1", "3")
            .declared(4)
            .fails("wrong-output-count", "the layer declares 4 outputs, but `num_splits=\"3\"` gives it 3");
        split("f32[6,12]", "i64[] = 1", "3x")
            .warns("lenient-number", "OpenVINO reads `num_splits=\"3x\"` as 3")
            .gives(["f32[6,4]"; 3]);
    }
}
