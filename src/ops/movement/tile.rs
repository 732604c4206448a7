//! `Tile`: repeats a tensor along its dimensions.
//!
//! - Spec: `movement/tile-1`
//! - Shape: every dimension times its repeats; the shorter list is padded with 1 at the front.
//! - Errors: `input-rank`. Repeats below 0 are a warning, `input-value`; OpenVINO reads them as 0.

use crate::ops::prelude::*;
use crate::ops::shared::strides::{by_axis, strides};

pub(super) static TILE_1: OpSpec = OpSpec {
    inputs: &[
        Input::any("data"),
        Input::index("repeats").types(TypeSet::INTEGRAL_OR_BOOLEAN).lengths().followed().ranks(&[1]),
    ],
    action: Action::Repeats,
    eval: Eval::Move(Bounding::Moved, mover),
    ..OpSpec::new("Tile", 1, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    check_lengths(cx, 1, "it as 0")?;
    Ok(vec![Fact::new(cx.input(0).ty, shape(cx).unwrap_or(PartialShape::UNKNOWN))])
}

fn shape(cx: &InferCtx) -> Option<PartialShape> {
    let dims = cx.input(0).shape.dims()?;
    let repeats = listed(cx, 1)?;
    let rank = dims.len().max(repeats.len());
    let dim = |axis: usize| {
        let dim = (axis + dims.len()).checked_sub(rank).and_then(|i| dims.get(i)).copied();
        let times = (axis + repeats.len()).checked_sub(rank).and_then(|i| repeats.get(i)).copied();
        let times = times.map_or(Dim::exact(1), |one: Bounds<i64>| one.to_dim().unwrap_or(Dim::exact(0)));
        dim.unwrap_or(Dim::exact(1)).times(times)
    };
    Some(PartialShape::of((0..rank).map(dim)))
}

fn mover<'a>(cx: &'a InferCtx, _: usize) -> Option<Mover<'a>> {
    let input = cx.input(0).shape.sizes()?;
    let output = shape(cx)?.sizes()?;
    let steps = strides(&input);
    let added = output.len().checked_sub(input.len())?;
    Some(by_axis(&output, |axis, index| match axis.checked_sub(added) {
        Some(axis) => index % input[axis] * steps[axis],
        None => 0,
    }))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let tile = |data, repeats| op("Tile", 1, [data, repeats]);
        tile("f32[2,3]", "i64[2] = 2,3").gives(["f32[4,9]"]);
        tile("f32[2,3]", "i32[1] = 2").gives(["f32[2,6]"]);
        tile("f32[2..,..3]", "i64[3] = 2,1,3").gives(["f32[2,2..,..9]"]);
        tile("f32[5,?]", "i64[2] = 2..3,0").gives(["f32[10..15,0]"]);
        tile("f32[2,3]", "i64[2]").gives(["f32[?,?]"]);
        tile("f32[2,3]", "i64[1]").gives(["f32[2,?]"]);
        tile("f32[2,3]", "i64[3]").gives(["f32[?,?,?]"]);
        tile("f32[2,3]", "i64[?]").gives(["f32[...]"]);
        tile("f32[...]", "i64[2] = 1,2").gives(["f32[...]"]);
        tile("f32[2,3]", "i64[2] = -1,2")
            .warns("input-value", "`repeats` [-1,2] is below 0; OpenVINO reads it as 0")
            .gives(["f32[0,6]"]);
        tile("f32[2,3]", "i64[2] = 1,9223372036854775807")
            .fails("input-value", "`repeats[1]` is 9223372036854775807, and no tensor is as long");
        tile("i64[2] = 1,2..3", "i64[1] = 2").gives(["i64[4] = 1,2..3,1,2..3"]);
        tile("i64[2,1] = 1,2", "i64[3] = 2,1,2").gives(["i64[2,2,2] = 1,1,2,2,1,1,2,2"]);
        tile("i64[2] = 1,2", "i64[1] = 0").gives(["i64[0] = "]);
    }

    #[test]
    fn errors() {
        let tile = |data, repeats| op("Tile", 1, [data, repeats]);
        tile("f32[2]", "i64[] = 1").fails("input-rank", "`repeats` of Tile must be a list (rank 1), but is i64[]");
        tile("f32[2]", "f32[1] = 1").fails("index-type", "`repeats` must be of an integer type, but is f32");
    }
}
