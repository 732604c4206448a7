//! `Broadcast`: broadcasts a tensor to a target shape.
//!
//! - Spec: `movement/broadcast-1`, `movement/broadcast-3`
//! - Shape: `target_shape`, with the lengths that `data` fixes; `bidirectional` stretches the target too.
//!   `numpy` and `bidirectional` align the last dimensions, `pdpd` the first ones (its axis is always 0 in a file),
//!   `explicit` places dimension `i` of `data` at `axes_mapping[i]`.
//! - Errors: `shape-conflict`, `axis-range`, `input-value`, `input-rank`, `index-type`, `wrong-input-count`. A target length below
//!   0 is a warning, `input-value`.
//! - Revisions: opset3 adds `bidirectional` and takes `axes_mapping` with `explicit` only. In opset1 a layer without
//!   `axes_mapping` is read as `numpy`.
//! - Differs from OpenVINO: dimensions of `data` that cannot be 1 narrow the target, ranks are compared even if the target is
//!   unknown, and `axes_mapping` is checked even if the rank of `data` is. With `pdpd` a dimension that may be 1 stretches;
//!   OpenVINO intersects the two.

use crate::diagnostic::Refusal;
use crate::ops::Untyped;
use crate::ops::prelude::*;
use crate::ops::shared::strides::{PerAxis, by_axis, strides};

pub(super) static BROADCAST_1: OpSpec = OpSpec {
    inputs: &[DATA, TARGET, AXES.untyped(Untyped::IgnoredByNumpy)],
    attrs: &[Attr::optional("mode", Kind::Choice(&["numpy", "explicit", "pdpd", "none"]), "explicit")],
    action: Action::Repeats,
    eval: Eval::Move(Bounding::Moved, mover),
    waits: &[&SHAPE_CONFLICT],
    ..OpSpec::new("Broadcast", 1, infer)
};

pub(super) static BROADCAST_3: OpSpec = OpSpec {
    opset: 3,
    inputs: &[DATA, TARGET, AXES],
    attrs: &[Attr::optional("mode", Kind::Choice(&["numpy", "explicit", "pdpd", "none", "bidirectional"]), "numpy")],
    ..BROADCAST_1
};

const DATA: Input = Input::any("data");
const TARGET: Input = Input::index("target_shape").lengths().followed().ranks(&[1]);
const AXES: Input = Input::any("axes_mapping").reads_value().skippable();

/// The broadcast mode.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Numpy,
    Bidirectional,
    Pdpd,
    Explicit,
}

fn infer(cx: &InferCtx) -> Inferred {
    check_lengths(cx, 1, NEGATIVES)?;
    Ok(vec![Fact::new(cx.input(0).ty, shape(cx)?)])
}

fn mode(cx: &InferCtx) -> Result<Mode, Fault> {
    let first = cx.spec.opset == 1;
    let axes = cx.has_input(2);
    let word = cx.choice("mode");
    let mode = match word {
        "numpy" => Mode::Numpy,
        "bidirectional" => Mode::Bidirectional,
        "pdpd" => Mode::Pdpd,
        _ if first && !axes => Mode::Numpy,
        _ => Mode::Explicit,
    };
    let wanted = mode == Mode::Explicit || (first && mode == Mode::Pdpd);
    if axes == wanted || (first && axes) {
        return Ok(mode);
    }
    let (found, count) = if axes { ("takes no", 3) } else { ("needs", 2) };
    let message = format!(
        "Broadcast with mode=\"{word}\" {found} `axes_mapping`, this layer has {count} input{s}",
        s = plural(count)
    );
    let fault = Fault::at(At::Layer, &WRONG_INPUT_COUNT, message);
    Err(if axes { cx.unless_unconnected(2..3, fault) } else { fault })
}

fn shape(cx: &InferCtx) -> Result<PartialShape, Fault> {
    let mode = mode(cx)?;
    if mode == Mode::Explicit {
        check_mapping(cx)?;
    }
    let Some(target) = listed(cx, 1) else {
        demand::leave_open();
        return Ok(PartialShape::UNKNOWN);
    };
    let target = shape_of(&target);
    let wanted = target.dims().unwrap_or_default();
    if mode == Mode::Explicit {
        return explicit(cx, wanted);
    }
    let Some(given) = cx.input(0).shape.dims() else {
        return Ok(match mode {
            Mode::Bidirectional => PartialShape::UNKNOWN,
            Mode::Pdpd => target.forget_dims(),
            _ => target,
        });
    };
    if mode == Mode::Pdpd && given.len() < wanted.len() || mode == Mode::Numpy && given.len() > wanted.len() {
        let message = format!("rank {} does not broadcast to rank {} ({})", given.len(), wanted.len(), word(mode));
        let fault = conflict(cx, message);
        return Err(match mode {
            // The lookup of a dimension fails, and not a check of the operation.
            Mode::Pdpd => fault.refused(Refusal::Unnamed),
            // OpenVINO compares with lengths of which it knows something.
            _ if wanted.iter().all(|length| *length == Dim::ANY) => fault.runtime(Runtime::Unknown),
            _ => fault,
        });
    }
    let rank = if mode == Mode::Pdpd { wanted.len() } else { given.len().max(wanted.len()) };
    let aligned = |dims: &[Dim], axis: usize| match mode {
        Mode::Pdpd => dims.get(axis).copied(),
        _ => (axis + dims.len()).checked_sub(rank).and_then(|i| dims.get(i)).copied(),
    };
    let dims = (0..rank).map(|axis| match (aligned(given, axis), aligned(wanted, axis)) {
        (Some(dim), Some(target)) => met(cx, mode, axis, dim, target),
        (one, other) => Ok(one.or(other).unwrap_or(Dim::exact(1))),
    });
    dims.collect::<Result<Vec<Dim>, Fault>>().map(PartialShape::of)
}

/// The broadcast of a dimension of `data` and one of the target.
fn met(cx: &InferCtx, mode: Mode, axis: usize, dim: Dim, target: Dim) -> Result<Dim, Fault> {
    let met = match mode {
        Mode::Numpy | Mode::Explicit if dim.admits(1) => {
            target.demand_stretch(dim);
            Some(target)
        }
        Mode::Numpy | Mode::Explicit => dim.agree(target),
        // OpenVINO requires an exact 1 here.
        Mode::Pdpd if ![dim, target].contains(&Dim::exact(1)) && dim.merge(target).is_none() => None,
        Mode::Bidirectional | Mode::Pdpd => dim.meet(target),
    };
    met.ok_or_else(|| {
        let fault = conflict(cx, format!("{dim} does not broadcast to {target} at dimension {axis} ({})", word(mode)));
        // OpenVINO compares only exact dimensions in this mode.
        fault.late_unless(mode != Mode::Numpy || dim.is_exact() && target.is_exact())
    })
}

/// Checks that `axes_mapping` is a list of one axis per dimension of `data`.
fn check_mapping(cx: &InferCtx) -> Result<(), Fault> {
    let Fact { shape: mapping, ty, .. } = cx.input(2);
    if *ty != ElementType::Dynamic && !TypeSet::INTEGRAL.has(*ty) {
        return Err(no_index(cx, 2));
    }
    if mapping.rank().is_some_and(|rank| rank != 1) {
        return Err(wrong_rank(cx, 2, "a list (rank 1)"));
    }
    let count = mapping.elements();
    match cx.input(0).rank() {
        // OpenVINO treats a scalar as a list of one element here.
        Some(0) if count.length() == Some(1) => Ok(()),
        Some(rank) if !i64::try_from(rank).is_ok_and(|rank| count.admits(rank)) => Err(conflict(
            cx,
            format!("`axes_mapping` has {count} element{s} for `data` of rank {rank}", s = plural(count)),
        )),
        _ => Ok(()),
    }
}

fn explicit(cx: &InferCtx, wanted: &[Dim]) -> Result<PartialShape, Fault> {
    let given = cx.input(0).shape.dims();
    // OpenVINO reads the axes if it knows the target shape and the rank of the data.
    if given.is_some() && cx.input(1).value.is_some() {
        check_reading(cx, 2)?;
    }
    let mut dims = wanted.to_vec();
    let axes = cx.constant(2).unwrap_or_default();
    if !axes.is_sorted() {
        let list = cx.bounds(2).map(|list| list_text(&list)).unwrap_or_default();
        let message = format!("`axes_mapping` {list} is not ascending, and Broadcast does not transpose");
        let fault = Fault::at(At::Input(2), &INPUT_VALUE, message).primary_value(list);
        return Err(fault.late_unless(given.is_some()));
    }
    for (i, axis) in axes.iter().enumerate() {
        let index = usize::try_from(*axis).ok().filter(|index| *index < wanted.len());
        let Some((index, target)) = index.and_then(|index| Some((index, dims.get_mut(index)?))) else {
            let message = format!("axis {axis} of `axes_mapping` is outside 0..{}", wanted.len().saturating_sub(1));
            let fault = Fault::at(At::Input(2), &AXIS_RANGE, message);
            // OpenVINO reads the axes once it knows the target shape, of which ovlint may know more.
            return Err(fault.decided_if(given.is_some() && wanted.iter().all(|dim| dim.is_exact())));
        };
        *target = match given {
            Some([]) if target.admits(1) => Dim::exact(1),
            Some([]) => return Err(conflict(cx, format!("`axes_mapping` places a scalar at a length of {target}"))),
            Some(given) => met(cx, Mode::Explicit, index, given.get(i).copied().unwrap_or(Dim::ANY), *target)?,
            None => *target,
        };
    }
    Ok(PartialShape::of(dims))
}

fn word(mode: Mode) -> &'static str {
    match mode {
        Mode::Numpy => "numpy",
        Mode::Bidirectional => "bidirectional",
        Mode::Pdpd => "pdpd",
        Mode::Explicit => "explicit",
    }
}

fn conflict(cx: &InferCtx, message: String) -> Fault {
    let target = listed(cx, 1).map(|list| list_text(&list)).unwrap_or_default();
    unfit(cx, At::Input(1), message).primary_value(target)
}

fn mover<'a>(cx: &'a InferCtx, _: usize) -> Option<Mover<'a>> {
    let mode = mode(cx).ok()?;
    let input = cx.input(0).shape.sizes()?;
    let output = shape(cx).ok()?.sizes()?;
    let mut steps: PerAxis = output.iter().map(|_| 0).collect();
    let axes = if mode == Mode::Explicit && !input.is_empty() { cx.constant(2)? } else { smallvec::smallvec![] };
    for (i, (length, step)) in input.iter().zip(strides(&input)).enumerate() {
        let index = match mode {
            Mode::Explicit => usize::try_from(*axes.get(i)?).ok()?,
            Mode::Pdpd => i,
            _ => i + output.len().checked_sub(input.len())?,
        };
        *steps.get_mut(index)? += if *length == 1 { 0 } else { step };
    }
    Some(by_axis(&output, |axis, index| index * steps[axis]))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn to(mode: &str, data: &str, target: &str) -> OpTest {
        op("Broadcast", 3, [data, target]).attr("mode", mode)
    }

    fn explicit(data: &str, target: &str, axes: &str) -> OpTest {
        op("Broadcast", 3, [data, target, axes]).attr("mode", "explicit")
    }

    #[test]
    fn shapes() {
        op("Broadcast", 1, ["f32[3,1]", "i64[3] = 2,3,4"]).gives(["f32[2,3,4]"]);
        op("Broadcast", 1, ["f32[3]", "i64[2] = 3,4", "i64[1] = 0"]).gives(["f32[3,4]"]);
        to("numpy", "f32[2..5,1]", "i32[2] = 7,4")
            .fails("shape-conflict", "2..5 does not broadcast to 7 at dimension 0 (numpy)");
        to("numpy", "f32[1..5,1]", "i32[2] = 7,4").gives(["f32[7,4]"]);
        to("numpy", "f32[3,1]", "i64[2] = 0..,0..").gives(["f32[3,?]"]);
        to("numpy", "f32[3]", "i64[3]").gives(["f32[?,?,3]"]);
        to("numpy", "f32[...]", "i64[2] = 3..4,5").gives(["f32[3..4,5]"]);
        to("numpy", "f32[3]", "i64[?]").gives(["f32[...]"]);
        to("numpy", "f32[3]", "i64[2] = -1,3")
            .warns("input-value", "`target_shape` [-1,3] is below 0; OpenVINO reads -1 as any length and less as 0")
            .gives(["f32[?,3]"]);
        to("numpy", "f32[3]", "i64[2] = 9223372036854775807,3")
            .fails("input-value", "`target_shape[0]` is 9223372036854775807, and no tensor is as long");
        to("pdpd", "f32[3,1]", "i64[2] = 1,4").gives(["f32[3,4]"]);
        to("pdpd", "f32[...]", "i64[2] = 1,4").gives(["f32[?,?]"]);
        to("bidirectional", "f32[3,1]", "i64[3] = 2,1,4").gives(["f32[2,3,4]"]);
        to("bidirectional", "f32[2,3,4]", "i64[2] = 3,1").gives(["f32[2,3,4]"]);
        to("bidirectional", "f32[2..5,1]", "i64[2] = 1,4").gives(["f32[2..5,4]"]);
        to("bidirectional", "f32[3,1]", "i64[2]").gives(["f32[3,?]"]);
        to("bidirectional", "f32[...]", "i64[2] = 3,4").gives(["f32[...]"]);
        explicit("f32[3]", "i64[3] = 2,3,4", "i64[1] = 1").gives(["f32[2,3,4]"]);
        explicit("f32[3,1]", "i64[3] = ?,?,?", "i64[2] = 0,2").gives(["f32[3,?,?]"]);
        explicit("f32[3]", "i64[3] = 2,3,4", "i64[1]").gives(["f32[2,3,4]"]);
        explicit("f32[]", "i64[2] = 2,3", "i64[0] = ").gives(["f32[2,3]"]);
    }

    #[test]
    fn values() {
        to("numpy", "i64[2,1] = 1,2..3", "i64[2] = 2,2").gives(["i64[2,2] = 1,1,2..3,2..3"]);
        to("numpy", "i64[] = 7", "i64[1] = 3").gives(["i64[3] = 7,7,7"]);
        to("bidirectional", "i64[2] = 1,2", "i64[2] = 2,1").gives(["i64[2,2] = 1,2,1,2"]);
        to("pdpd", "i64[2,1] = 1,2", "i64[2] = 1,2").gives(["i64[2,2] = 1,1,2,2"]);
        explicit("i64[2] = 1,2", "i64[2] = 2,2", "i64[1] = 0").gives(["i64[2,2] = 1,1,2,2"]);
        explicit("i64[] = 4", "i64[2] = 1,2", "i64[0] = ").gives(["i64[1,2] = 4,4"]);
    }

    #[test]
    fn errors() {
        to("numpy", "f32[1]", "i64[2] = 3,-1..7").fails_if_bounded(
            "input-value",
            "element 1 of `target_shape` may be -1..7, and OpenVINO refuses lengths below 0",
        );
        to("numpy", "f32[2,3,4]", "i64[2] = 3,1")
            .fails("shape-conflict", "rank 3 does not broadcast to rank 2 (numpy)");
        to("numpy", "f32[3]", "i64[2] = 2,4")
            .fails("shape-conflict", "3 does not broadcast to 4 at dimension 1 (numpy)");
        to("bidirectional", "f32[2..3]", "i64[1] = 4")
            .fails("shape-conflict", "2..3 does not broadcast to 4 at dimension 0 (bidirectional)");
        to("pdpd", "f32[3]", "i64[2] = 3,4").fails("shape-conflict", "rank 1 does not broadcast to rank 2 (pdpd)");
        explicit("f32[3]", "i64[2] = 2,3", "f32[1]")
            .fails("index-type", "`axes_mapping` must be of an integer type, but is f32");
        explicit("f32[3]", "i64[2] = 2,3", "u1[1] = 1")
            .fails("index-type", "`axes_mapping` of Broadcast holds constants of type u1, which OpenVINO cannot read");
        op("Broadcast", 1, ["f32[3]", "i64[2] = 2,3", "boolean[7]"]).attr("mode", "numpy").gives(["f32[2,3]"]);
        to("explicit", "f32[3]", "i64[1] = 3").fails(
            "wrong-input-count",
            "Broadcast with mode=\"explicit\" needs `axes_mapping`, this layer has 2 inputs",
        );
        op("Broadcast", 3, ["f32[3]", "i64[1] = 3", "i64[1] = 0"]).fails(
            "wrong-input-count",
            "Broadcast with mode=\"numpy\" takes no `axes_mapping`, this layer has 3 inputs",
        );
        explicit("f32[2,4]", "i64[3] = 2,3,4", "i64[2] = 2,0")
            .fails("input-value", "`axes_mapping` [2,0] is not ascending, and Broadcast does not transpose");
        explicit("f32[3]", "i64[2] = 2,3", "i64[1] = -1")
            .fails("axis-range", "axis -1 of `axes_mapping` is outside 0..1");
        explicit("f32[3]", "i64[2] = 2,3", "i64[2]")
            .fails("shape-conflict", "`axes_mapping` has 2 elements for `data` of rank 1");
        explicit("f32[]", "i64[2] = 2,3", "i64[1] = 0")
            .fails("shape-conflict", "`axes_mapping` places a scalar at a length of 2");
        explicit("f32[3]", "i64[2] = 2,3", "i64[] = 1")
            .fails("input-rank", "`axes_mapping` of Broadcast must be a list (rank 1), but is i64[]");
        explicit("f32[3]", "i64[?]", "i64[3,0]")
            .fails("input-rank", "`axes_mapping` of Broadcast must be a list (rank 1), but is i64[3,0]");
        to("numpy", "f32[3]", "i64[] = 3")
            .fails("input-rank", "`target_shape` of Broadcast must be a list (rank 1), but is i64[]");
        op("Broadcast", 1, ["f32[3]", "i64[1] = 3"]).attr("mode", "bidirectional").fails(
            "attribute-value",
            "`mode=\"bidirectional\"` of Broadcast must be one of numpy, explicit, pdpd, none",
        );
    }
}
