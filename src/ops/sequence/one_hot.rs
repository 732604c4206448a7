//! `OneHot`: sets one element per index to `on_value` and the others to `off_value`, along a new axis.
//!
//! - Spec: `sequence/one-hot-1`, `-16` (adds `negative_indices_mode`)
//! - Shape: `indices` with `depth` put in at `axis`, which counts the dimensions of the output.
//! - Errors: `input-type`; `index-type`; `type-conflict`; `input-rank` unless the others are scalars; `axis-range`;
//!   `input-value` for a negative depth.

use crate::ops::prelude::*;

pub(super) static ONE_HOT_1: OpSpec = OpSpec {
    inputs: &[
        Input::of("indices", TypeSet::INTEGRAL_OR_BOOLEAN).reads_value().followed(),
        Input::index("depth").followed().types(TypeSet::INTEGRAL_OR_BOOLEAN).lengths().if_ranked().ranks(&[0]),
        Input::any("on_value").ranks(&[0]),
        Input::any("off_value").ranks(&[0]),
    ],
    attrs: &[Attr::optional("axis", Kind::INT, "0")],
    eval: Eval::Move(Bounding::Constants, |cx, _| mover(cx)),
    defers: Some(&INPUT_RANK),
    ..OpSpec::new("OneHot", 1, infer)
};

pub(super) static ONE_HOT_16: OpSpec = OpSpec {
    opset: 16,
    attrs: &[
        Attr::optional("axis", Kind::INT, "0"),
        Attr::optional("negative_indices_mode", Kind::Choice(&["ignore_negative", "normalize"]), "ignore_negative"),
    ],
    ..ONE_HOT_1
};

fn infer(cx: &InferCtx) -> Inferred {
    let ty = same_type(cx, &[2, 3])?;
    let depth = single_length(cx, 1)?;
    let indices = &cx.input(0).shape;
    let Some(dims) = indices.dims() else { return unranked(ty) };
    let axis = cx
        .normalize(At::Attr("axis"), cx.int("axis"), dims.len() + 1)
        .map_err(|fault| fault.label(At::Input(0), format!("indices = {}{indices}", cx.input(0).ty)))?;
    let mut dims = dims.to_vec();
    dims.insert(axis, depth);
    Ok(vec![Fact::new(ty, PartialShape::of(dims))])
}

/// Maps an element to the on value if its position along the axis is the index, else to the off value.
fn mover<'a>(cx: &'a InferCtx) -> Option<Mover<'a>> {
    let lengths = cx.input(0).shape.lengths()?;
    let indices = cx.constant(0)?;
    let depth = *cx.constant(1)?.first()?;
    let axis = cx.normalize(At::Layer, cx.int("axis"), lengths.len() + 1).ok()?;
    let inner = lengths.get(axis..)?.iter().try_fold(1_usize, |n, l| n.checked_mul(usize::try_from(*l).ok()?))?;
    let wraps = cx.choice("negative_indices_mode") == "normalize";
    let depth_u = usize::try_from(depth).ok()?;
    Some(Box::new(move |i| {
        let (outer, place) = (i / inner / depth_u, i / inner % depth_u);
        let index = indices.get(outer * inner + i % inner).copied().unwrap_or(-1);
        let index = if wraps && index < 0 { index.saturating_add(depth) } else { index };
        (if usize::try_from(index) == Ok(place) { 2 } else { 3 }, 0)
    }))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn one_hot(indices: &str, depth: &str) -> OpTest {
        op("OneHot", 16, [indices, depth, "f32[]", "f32[]"])
    }

    #[test]
    fn shapes() {
        one_hot("i64[2,3]", "i64[] = 5").gives(["f32[5,2,3]"]);
        one_hot("boolean[2,3..]", "u8[] = 5").attr("axis", -1).gives(["f32[2,3..,5]"]);
        one_hot("i64[2,3]", "i64[] = 3..5").attr("axis", 1).gives(["f32[2,3..5,3]"]);
        one_hot("i64[2,3]", "i64[]").attr("axis", -3).gives(["f32[?,2,3]"]);
        one_hot("i64[]", "i64[] = 0").gives(["f32[0]"]);
        one_hot("i64[...]", "i64[] = 5").gives(["f32[...]"]);
        op("OneHot", 1, ["i64[2]", "i64[] = 5", "dynamic[]", "i8[]"]).gives(["i8[5,2]"]);
    }

    #[test]
    fn values() {
        let hot = |indices, axis| op("OneHot", 16, [indices, "i64[] = 3", "i64[] = 1", "i64[] = 0"]).attr("axis", axis);
        hot("i64[2] = 2,0", -1).gives(["i64[2,3] = 0,0,1,1,0,0"]);
        hot("i64[2] = 2,0", 0).gives(["i64[3,2] = 0,1,0,0,1,0"]);
        hot("i64[2] = -1,7", 1).gives(["i64[2,3] = 0,0,0,0,0,0"]);
        hot("i64[1] = -1", 1).attr("negative_indices_mode", "normalize").gives(["i64[1,3] = 0,0,1"]);
        hot("i64[2]", 1).gives(["i64[2,3]"]);
    }

    #[test]
    fn errors() {
        one_hot("i64[2]", "i64[] = -1").fails("input-value", "`depth` is -1, wanted a length from 0 on");
        one_hot("i64[2]", "i64[] = 5").attr("axis", 2).fails("axis-range", "axis 2 is outside -2..1");
        one_hot("i64[2]", "i64[1] = 5").fails("input-rank", "`depth` of OneHot must be a scalar, but is i64[1]");
        one_hot("f32[2]", "i64[] = 5").fails("input-type", "OneHot does not accept f32 at input 0 `indices`");
        one_hot("i64[2]", "f32[] = 5").fails("index-type", "`depth` must be of an integer type, but is f32");
        op("OneHot", 1, ["i64[2]", "i64[]", "f32[]", "f16[]"]).fails("type-conflict", "input 3 is f16, input 2 is f32");
        one_hot("i64[2]", "i64[] = 5").attr("negative_indices_mode", "wrap").fails(
            "attribute-value",
            "`negative_indices_mode=\"wrap\"` of OneHot must be one of ignore_negative, normalize",
        );
    }
}
