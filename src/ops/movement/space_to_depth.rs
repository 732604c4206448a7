//! `SpaceToDepth`: moves blocks of the spatial dimensions to the channels.
//!
//! - Spec: `movement/space-to-depth-1`
//! - Shape: `[N, C * block_size^K, D1 / block_size, .., DK / block_size]`, K being the rank less 2.
//! - Errors: `input-rank` below 3; `shape-conflict` if a spatial dimension is no multiple of `block_size`.
//! - Differs from OpenVINO: an unbounded dimension stays unbounded when it is divided.

use super::depth_to_space::{BLOCK_ATTRS, block_elements};
use crate::ops::prelude::*;
use crate::ops::shared::blocks::{dims_of_rank, divided};
use crate::ops::shared::strides::{by_axis, strides};

pub(super) static SPACE_TO_DEPTH_1: OpSpec = OpSpec {
    inputs: &[Input::any("data")],
    attrs: &BLOCK_ATTRS,
    eval: Eval::Move(Bounding::Constants, mover),
    ..OpSpec::new("SpaceToDepth", 1, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let ty = cx.input(0).ty;
    let Some([batch, channels, space @ ..]) = dims_of_rank(cx, 3)? else { return unranked(ty) };
    let mut dims = vec![*batch, channels.times(Dim::exact(block_elements(cx, space.len())))];
    for (i, dim) in space.iter().enumerate() {
        dims.push(divided(cx, At::Attr("block_size"), i + 2, *dim, cx.int("block_size"))?);
    }
    Ok(vec![Fact::new(ty, PartialShape::of(dims))])
}

fn mover<'a>(cx: &'a InferCtx, _: usize) -> Option<Mover<'a>> {
    let input = cx.input(0).shape.sizes()?;
    let size = usize::try_from(cx.int("block_size")).ok()?;
    let space = input.len().checked_sub(2)?;
    let block = usize::try_from(block_elements(cx, space)).ok()?;
    let (output, steps) = (infer(cx).ok()?.first()?.shape.sizes()?, strides(&input));
    let channels = *input.get(1)?;
    let blocks_first = cx.choice("mode") == "blocks_first";
    let inner = strides(&vec![size; space]);
    let in_block = |index: usize| (0..space).map(|i| index / inner[i] % size * steps[i + 2]).sum::<usize>();
    Some(by_axis(&output, |axis, index| match axis {
        0 => index * steps[0],
        1 if blocks_first => index % channels * steps[1] + in_block(index / channels),
        1 => index / block * steps[1] + in_block(index % block),
        _ => index * size * steps[axis],
    }))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let gather = |data, size: i64| op("SpaceToDepth", 1, [data]).attr("block_size", size);
        gather("f32[2,3,4,6]", 2).gives(["f32[2,12,2,3]"]);
        gather("f32[1..3,2..4,3..5,5..]", 2).gives(["f32[1..3,8..16,2,3..]"]);
        gather("f32[...]", 2).gives(["f32[...]"]);
        gather("i64[1,2,2] = 1,3,2,4", 2).gives(["i64[1,4,1] = 1,2,3,4"]);
        gather("i64[1,2,2] = 1,2,3,4", 2).attr("mode", "depth_first").gives(["i64[1,4,1] = 1,2,3,4"]);
        gather("i64[1,1,2,4] = 1,3,2,4,5,7,6,8", 2).gives(["i64[1,4,1,2] = 1,2,3,4,5,6,7,8"]);
    }

    #[test]
    fn errors() {
        let gather = |data, size: &str| op("SpaceToDepth", 1, [data]).attr("block_size", size);
        gather("f32[2,3,5,4]", "2").fails("shape-conflict", "dimension 2 is 5, not a multiple of 2");
        gather("f32[2,3]", "2")
            .fails("input-rank", "`data` of SpaceToDepth must be of rank 3 or more, but is f32[2,3]");
        gather("f32[2,3,4]", "x").fails("attribute-value", "`block_size=\"x\"` of SpaceToDepth must be an integer");
        op("SpaceToDepth", 1, ["f32[2,12,4]"])
            .attr("block_size", 2)
            .attr("mode", "foo")
            .fails("attribute-value", "`mode=\"foo\"` of SpaceToDepth must be one of blocks_first, depth_first");
    }
}
