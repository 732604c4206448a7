//! `DepthToSpace`: moves the channels to blocks of the spatial dimensions.
//!
//! - Spec: `movement/depth-to-space-1`
//! - Shape: `[N, C / block_size^K, D1 * block_size, .., DK * block_size]`, K being the rank less 2.
//! - Errors: `input-rank` below 3; `shape-conflict` if the channels are no multiple of the elements of a block.
//! - Differs from OpenVINO: an unbounded dimension stays unbounded when it is divided.

use crate::ops::prelude::*;
use crate::ops::shared::blocks::{dims_of_rank, divided};
use crate::ops::shared::strides::{by_axis, strides};

pub(super) static DEPTH_TO_SPACE_1: OpSpec = OpSpec {
    inputs: &[Input::any("data")],
    attrs: &BLOCK_ATTRS,
    eval: Eval::Move(Bounding::Constants, mover),
    ..OpSpec::new("DepthToSpace", 1, infer)
};

pub(super) static BLOCK_ATTRS: [Attr; 2] = [
    Attr::required("block_size", Kind::from(1)).checked(Checked::Ranked),
    Attr::optional("mode", Kind::Choice(&["blocks_first", "depth_first"]), "blocks_first"),
];

/// The number of elements of a block in `spatial` dimensions.
pub(super) fn block_elements(cx: &InferCtx, spatial: usize) -> i64 {
    cx.int("block_size").saturating_pow(u32::try_from(spatial).unwrap_or(u32::MAX))
}

fn infer(cx: &InferCtx) -> Inferred {
    let ty = cx.input(0).ty;
    let Some([batch, channels, space @ ..]) = dims_of_rank(cx, 3)? else { return unranked(ty) };
    let depth = divided(cx, At::Attr("block_size"), 1, *channels, block_elements(cx, space.len()))?;
    let size = Dim::exact(cx.int("block_size"));
    let dims = [*batch, depth].into_iter().chain(space.iter().map(|dim| dim.times(size)));
    Ok(vec![Fact::new(ty, PartialShape::of(dims))])
}

fn mover<'a>(cx: &'a InferCtx, _: usize) -> Option<Mover<'a>> {
    let input = cx.input(0).shape.sizes()?;
    let size = usize::try_from(cx.int("block_size")).ok()?;
    let block = usize::try_from(block_elements(cx, input.len().checked_sub(2)?)).ok()?;
    let (output, steps) = (infer(cx).ok()?.first()?.shape.sizes()?, strides(&input));
    let depth = *output.get(1)?;
    let blocks_first = cx.choice("mode") == "blocks_first";
    let (block_step, depth_step) =
        if blocks_first { (depth * steps[1], steps[1]) } else { (steps[1], block * steps[1]) };
    let inner = strides(&vec![size; input.len() - 2]);
    Some(by_axis(&output, |axis, index| match axis {
        0 => index * steps[0],
        1 => index * depth_step,
        _ => index / size * steps[axis] + index % size * inner[axis - 2] * block_step,
    }))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let spread = |data, size: i64| op("DepthToSpace", 1, [data]).attr("block_size", size);
        spread("f32[2,12,4,6]", 2).gives(["f32[2,3,8,12]"]);
        spread("f32[2,12,4]", 2).gives(["f32[2,6,8]"]);
        spread("u8[..2,11..13,3..5,?]", 2).gives(["u8[..2,3,6..10,?]"]);
        spread("f32[1,12..,2]", 4).gives(["f32[1,3..,8]"]);
        spread("f32[...]", 4).gives(["f32[...]"]);
        spread("i64[1,4,1] = 1,2,3,4", 2).gives(["i64[1,2,2] = 1,3,2,4"]);
        spread("i64[1,4,1] = 1,2,3,4", 2).attr("mode", "DEPTH_FIRST").gives(["i64[1,2,2] = 1,2,3,4"]);
        spread("i64[1,4,1,2] = 1,2,3,4,5,6,7,8", 2).gives(["i64[1,1,2,4] = 1,3,2,4,5,7,6,8"]);
    }

    #[test]
    fn errors() {
        let spread = |data, size: i64| op("DepthToSpace", 1, [data]).attr("block_size", size);
        spread("f32[2,13,4,4]", 2).fails("shape-conflict", "dimension 1 is 13, not a multiple of 4");
        spread("f32[2,9..11,4,4]", 2).fails("shape-conflict", "dimension 1 is 9..11, not a multiple of 4");
        spread("f32[2,12]", 2)
            .fails("input-rank", "`data` of DepthToSpace must be of rank 3 or more, but is f32[2,12]");
        spread("f32[2,12,4]", 0).fails("attribute-value", "`block_size=\"0\"` of DepthToSpace must be at least 1");
        op("DepthToSpace", 1, ["f32[2,12,4]"]).fails("missing-attribute", "DepthToSpace has no `block_size`");
    }
}
