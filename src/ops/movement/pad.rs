//! `Pad`: adds elements at the beginning and the end of every dimension, or removes some.
//!
//! - Spec: `movement/pad-1`, `movement/pad-12`
//! - Shape: every dimension plus its two pads, which may be bounded.
//! - Errors: `shape-conflict` for pads that remove more than there is, or need more than there is to mirror;
//!   `input-rank`; `type-conflict` of `pad_value` in mode `constant`; `input-type` for strings in the other modes.
//! - Revisions: opset12 allows negative pads; OpenVINO accepts them in opset1 too.
//! - Differs from OpenVINO: pads that remove too much are reported. Pads that mirror too much are reported for dynamic
//!   dimensions, too, and mirrored pads narrow these. Pads without an upper bound are not assumed to be 0 or more.

use crate::ops::ZERO;
use crate::ops::apply::unknown_type;
use crate::ops::prelude::*;
use crate::ops::shared::strides::{by_axis_or, strides};
use crate::types::release;

pub(super) static PAD_1: OpSpec = OpSpec {
    inputs: &[
        Input::any("data"),
        Input::index("pads_begin").followed().ranks(&[1]),
        Input::index("pads_end").followed().ranks(&[1]),
        Input::any("pad_value").skippable(),
    ],
    attrs: &[Attr::optional("pad_mode", Kind::Choice(&["constant", "edge", "reflect", "symmetric"]), "constant")],
    eval: Eval::Move(Bounding::Updated, mover),
    action: Action::Selects,
    ..OpSpec::new("Pad", 1, infer)
};

pub(super) static PAD_12: OpSpec = OpSpec { opset: 12, ..PAD_1 };

fn infer(cx: &InferCtx) -> Inferred {
    let data = cx.input(0);
    let mode = cx.choice("pad_mode");
    let mut ty = data.ty;
    if mode == "constant" && cx.has_input(3) {
        ty = agreed_type(cx, &[0, 3])?;
        if cx.input(3).rank().is_some_and(|rank| rank != 0) {
            return Err(wrong_rank(cx, 3, "a scalar"));
        }
    }
    if mode != "constant" && ty == ElementType::String {
        let message = format!("Pad with pad_mode=\"{mode}\" does not accept string at input 0 `data`");
        return Err(Fault::at(At::Input(0), &INPUT_TYPE, message).primary("string").since(release(2026, 2)));
    }
    // Without a `pad_value`, OpenVINO creates a 0 of this type.
    if !cx.has_input(3) && ty == ElementType::Dynamic && !data.assumed {
        return Err(unknown_type(cx.spec, 0));
    }
    let Some(dims) = data.shape.dims() else { return unranked(ty) };
    check_counts(cx, dims.len())?;
    let [begins, ends] = [1, 2].map(|i| cx.bounds(i));
    let pads = |list: &Option<_>, axis: usize| {
        list.as_ref().and_then(|list: &smallvec::SmallVec<_>| list.get(axis).copied()).unwrap_or(Bounds::<i64>::ANY)
    };
    let known = [&begins, &ends]
        .iter()
        .all(|list| list.as_ref().is_some_and(|all| all.iter().all(|one| one.value().is_some())));
    if mode != "constant" && !known {
        demand::leave_open();
    }
    let mut shape = Vec::new();
    for (axis, dim) in dims.iter().enumerate() {
        let (begin, end) = (pads(&begins, axis), pads(&ends, axis));
        let dim = mirrored(cx, axis, *dim, begin.lower.max(end.lower), known)?;
        shape.push(padded(cx, axis, dim, begin, end)?);
    }
    Ok(vec![Fact::new(ty, PartialShape::of(shape))])
}

fn check_counts(cx: &InferCtx, rank: usize) -> Result<(), Fault> {
    let wanted = i64::try_from(rank).unwrap_or(i64::MAX);
    match [1, 2].into_iter().find(|i| !cx.dim(*i, 0).admits(wanted)) {
        None => Ok(()),
        Some(i) => {
            let (name, count) = (cx.input_name(i), cx.dim(i, 0));
            let message = format!("`{name}` has {count} element{} for a tensor of rank {rank}", plural(count));
            Err(unfit(cx, At::Input(i), message).late_unless([1, 2].iter().all(|i| cx.bounds(*i).is_some())))
        }
    }
}

/// Narrows the dimension to lengths with enough elements for `most` mirrored pads at one end.
fn mirrored(cx: &InferCtx, axis: usize, dim: Dim, most: i64, known: bool) -> Result<Dim, Fault> {
    let mode = cx.choice("pad_mode");
    let least = match mode {
        _ if most == i64::MIN => return Ok(dim),
        // Once it knows the pads, OpenVINO requires an element in a static dimension even if nothing is mirrored.
        "reflect" if most <= 0 => {
            if known {
                dim.demand_at_least(Dim::exact(1));
            }
            i64::from(known && dim.is_exact())
        }
        "reflect" => most.saturating_add(1),
        "symmetric" => most,
        "edge" if most > 0 => 1,
        _ => return Ok(dim),
    };
    dim.demand_at_least(Dim::exact(least));
    dim.merge(Dim::at_least(least)).ok_or_else(|| {
        let message = format!("{most} pads at dimension {axis}, which is {dim}: {mode} needs at least {least}");
        unfit(cx, At::Attr("pad_mode"), message).late_unless(known && dim.is_exact())
    })
}

fn padded(cx: &InferCtx, axis: usize, dim: Dim, begin: Bounds<i64>, end: Bounds<i64>) -> Result<Dim, Fault> {
    let open = |bound: Option<i64>| bound.unwrap_or(i64::MAX);
    let sum = |a: i64, b: i64, c: i64| match [a, b, c] {
        all if all.contains(&i64::MAX) => i64::MAX,
        all if all.contains(&i64::MIN) => i64::MIN,
        [a, b, c] => a.saturating_add(b).saturating_add(c),
    };
    // An open lower bound is `i64::MIN`, an open upper one `i64::MAX`, and a sum with one is open, too.
    let (lower, upper) = (sum(dim.lower(), begin.lower, end.lower), sum(open(dim.upper()), begin.upper, end.upper));
    let around = || Interval::of(ElementType::I64, begin).plus(Interval::of(ElementType::I64, end));
    if !dim.is_exact() || begin.value().is_none() || end.value().is_none() {
        Interval::from(dim).plus(around()).demand_at_least_0();
    }
    let padded = Dim::between(lower, upper).filter(|_| upper >= 0);
    padded.map(|padded| padded.equal(|| Some(Interval::from(dim).plus(around())))).map_or_else(
        || {
            let message =
                format!("pads remove more than dimension {axis} has, which is {dim}: at most {upper} are left");
            cx.pass(unfit(cx, At::Input(2), message).runtime(Runtime::Accepts))?;
            Ok(Dim::ANY)
        },
        Ok,
    )
}

fn mover<'a>(cx: &'a InferCtx, _: usize) -> Option<Mover<'a>> {
    let output = infer(cx).ok()?.first()?.shape.sizes()?;
    let input = cx.input(0).shape.sizes()?;
    let begins = cx.constant(1)?;
    let steps = strides(&input);
    let mode = cx.choice("pad_mode");
    let otherwise = if cx.has_input(3) { (3, 0) } else { ZERO };
    Some(by_axis_or(&output, otherwise, |axis, index| {
        let length = i64::try_from(*input.get(axis)?).ok()?;
        let index = i64::try_from(index).ok()?.checked_sub(*begins.get(axis)?)?;
        let from = match mode {
            _ if (0..length).contains(&index) => index,
            "edge" => index.clamp(0, length - 1),
            "reflect" if index < 0 => index.checked_neg()?,
            "reflect" => (length - 1) - (index - (length - 1)),
            "symmetric" if index < 0 => -(index + 1),
            "symmetric" => (length - 1) - (index - length),
            _ => return None,
        };
        usize::try_from(from).ok()?.checked_mul(*steps.get(axis)?)
    }))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn pad(mode: &str, data: &str, begin: &str, end: &str) -> OpTest {
        op("Pad", 1, [data, begin, end]).attr("pad_mode", mode)
    }

    #[test]
    fn shapes() {
        op("Pad", 12, ["f32[2,3]", "i64[2] = -1,0", "i64[2] = 2,1", "f32[]"]).gives(["f32[3,4]"]);
        pad("constant", "f32[3..5,?]", "i64[2] = 0,1", "i32[2] = -4,2").gives(["f32[..1,3..]"]);
        pad("constant", "f32[?,3..]", "i64[2] = 1,1", "i64[2] = -1,-3").gives(["f32[?,1..]"]);
        pad("constant", "f32[4,6]", "i64[2] = 0..2,1..", "i64[2] = 1,0").gives(["f32[5..7,7..]"]);
        pad("constant", "f32[4,6]", "i64[2]", "i64[2] = 1,0").gives(["f32[?,?]"]);
        pad("constant", "f32[...]", "i64[2]", "i64[2] = 1,0").gives(["f32[...]"]);
        pad("reflect", "f32[4,?]", "i64[2] = 3,2", "i64[2] = 0,3").gives(["f32[7,9..]"]);
        pad("symmetric", "f32[4,?]", "i64[2] = 4,2", "i64[2] = 0,3").gives(["f32[8,8..]"]);
        pad("reflect", "f32[0,..2]", "i64[2] = 0,0", "i64[2]").gives(["f32[?,?]"]);
        pad("reflect", "f32[..1]", "i64[1] = 0", "i64[1] = 0").gives(["f32[..1]"]);
        pad("edge", "f32[4,?]", "i64[2] = 9,2", "i64[2] = 0,0").gives(["f32[13,3..]"]);
        op("Pad", 1, ["f32[4]", "i64[1] = 1", "i64[1] = 1", "i64[2,2]"]).attr("pad_mode", "edge").gives(["f32[6]"]);
    }

    #[test]
    fn values() {
        let data = "i64[3] = 1,2..3,4";
        op("Pad", 1, [data, "i64[1] = 1", "i64[1] = 2", "i64[] = 9"]).gives(["i64[6] = 9,1,2..3,4,9,9"]);
        pad("constant", data, "i64[1] = 1", "i64[1] = -2").gives(["i64[2] = 0,1"]);
        pad("edge", data, "i64[1] = 2", "i64[1] = 1").gives(["i64[6] = 1,1,1,2..3,4,4"]);
        pad("reflect", data, "i64[1] = 2", "i64[1] = 1").gives(["i64[6] = 4,2..3,1,2..3,4,2..3"]);
        pad("symmetric", data, "i64[1] = 2", "i64[1] = 1").gives(["i64[6] = 2..3,1,1,2..3,4,4"]);
        pad("constant", "i64[1,2] = 1,2", "i64[2] = 1,0", "i64[2] = 0,0").gives(["i64[2,2] = 0,0,1,2"]);
    }

    #[test]
    fn mirrors_far_away() {
        // Pads of half of all lengths, which leave two elements: one of the tensor, one mirrored. The padding value is known.
        let far = |mode, length: i64| {
            let (data, begin) = (format!("i64[{length}]"), format!("i64[1] = {}", 1 - length));
            op("Pad", 1, [data.as_str(), &begin, "i64[1] = 1", "i64[] = 9"])
                .attr("pad_mode", mode)
                .gives(["i64[2] = ?,?"]);
        };
        far("reflect", (1 << 62) + 2);
        far("symmetric", (1 << 62) + 2);
        pad("reflect", "i64[0]", "i64[1] = 9223372036854775807", "i64[1] = 0").fails(
            "shape-conflict",
            "9223372036854775807 pads at dimension 0, which is 0: reflect needs at least 9223372036854775807",
        );
    }

    #[test]
    fn openvino_takes_away_more_than_there_is() {
        let pad =
            |data| op("Pad", 12, [data, "i64[2] = -5,1", "i64[2] = 0,1", "f32[] = 0"]).attr("pad_mode", "constant");
        pad("f32[4,6]").passes(["f32[?,8]"]);
        pad("f32[2..4,6]").passes(["f32[?,8]"]);
    }

    #[test]
    fn errors() {
        pad("constant", "f32[4,6]", "i64[2] = 0,-2", "i64[2] = 0,-5")
            .fails("shape-conflict", "pads remove more than dimension 1 has, which is 6: at most -1 are left");
        pad("reflect", "f32[4,6]", "i64[2] = 4,0", "i64[2] = 0,0")
            .fails("shape-conflict", "4 pads at dimension 0, which is 4: reflect needs at least 5");
        pad("reflect", "f32[0]", "i64[1] = 0", "i64[1] = 0")
            .fails("shape-conflict", "0 pads at dimension 0, which is 0: reflect needs at least 1");
        pad("symmetric", "f32[4,1..6]", "i64[2] = 0,7", "i64[2] = 0,0")
            .fails("shape-conflict", "7 pads at dimension 1, which is 1..6: symmetric needs at least 7");
        pad("edge", "f32[4,0]", "i64[2] = 0,1", "i64[2] = 0,0")
            .fails("shape-conflict", "1 pads at dimension 1, which is 0: edge needs at least 1");
        pad("edge", "string[4]", "i64[1]", "i64[1]")
            .fails("input-type", "Pad with pad_mode=\"edge\" does not accept string at input 0 `data`");
        pad("constant", "f32[4,6]", "i64[1]", "i64[2]")
            .fails("shape-conflict", "`pads_begin` has 1 element for a tensor of rank 2");
        pad("constant", "f32[4]", "i64[] = 1", "i64[1]")
            .fails("input-rank", "`pads_begin` of Pad must be a list (rank 1), but is i64[]");
        let valued = |value| op("Pad", 1, ["f32[4]", "i64[1] = 1", "i64[1] = 1", value]);
        valued("f32[1]").fails("input-rank", "`pad_value` of Pad must be a scalar, but is f32[1]");
        valued("f16[]").fails("type-conflict", "`pad_value` is f16, `data` is f32");
        pad("wrap", "f32[4]", "i64[1] = 1", "i64[1] = 1")
            .fails("attribute-value", "`pad_mode=\"wrap\"` of Pad must be one of constant, edge, reflect, symmetric");
    }
}
