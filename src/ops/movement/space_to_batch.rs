//! `SpaceToBatch`: pads the dimensions with 0, and moves their blocks to the batch.
//!
//! - Spec: `movement/space-to-batch-2`
//! - Shape: `N * B1 * .. * BK`, then `(pads_begin + D + pads_end) / B` for every other dimension.
//! - Errors: `input-rank` below 2, `input-value`, `shape-conflict`.
//! - Differs from OpenVINO: negative pads and lists longer than the rank are reported; bounds are kept with unknown blocks and
//!   pads.

use crate::ops::ZERO;
use crate::ops::prelude::*;
use crate::ops::shared::blocks::{check_lists, dims_of_rank, divided, sizes, unsigned};
use crate::ops::shared::strides::{index, position, strides};

pub(super) static SPACE_TO_BATCH_2: OpSpec = OpSpec {
    inputs: &[
        Input::any("data"),
        Input::index("block_shape").if_ranked(),
        Input::index("pads_begin").if_ranked(),
        Input::index("pads_end").if_ranked(),
    ],
    eval: Eval::Move(Bounding::Constants, mover),
    ..OpSpec::new("SpaceToBatch", 2, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let data = cx.input(0);
    let dims = dims_of_rank(cx, 2)?;
    check_lists(cx)?;
    let (blocks, begins, ends) = (sizes(cx, 1, 1)?, sizes(cx, 2, 0)?, sizes(cx, 3, 0)?);
    let Some(dims) = dims else { return unranked(data.ty) };
    let pads = |axis: usize| Some(begins.as_ref()?.get(axis)?.saturating_add(*ends.as_ref()?.get(axis)?));
    let mut shape = Vec::new();
    for (axis, dim) in dims.iter().enumerate() {
        let padded = dim.plus(pads(axis).map_or(Dim::ANY, Dim::exact));
        shape.push(match (axis, &blocks) {
            (0, Some(blocks)) => blocks.iter().fold(*dim, |all, block| all.times(Dim::exact(*block))),
            (0, None) => dim.times(Dim::at_least(1)),
            (_, Some(blocks)) => divided(cx, At::Input(1), axis, padded, blocks.get(axis).copied().unwrap_or(1))?,
            (_, None) => Dim::between(padded.lower().min(1), padded.upper().unwrap_or(i64::MAX)).unwrap_or(Dim::ANY),
        });
    }
    Ok(vec![Fact::new(data.ty, PartialShape::of(shape))])
}

fn mover<'a>(cx: &'a InferCtx, _: usize) -> Option<Mover<'a>> {
    let output = infer(cx).ok()?.first()?.shape.sizes()?;
    let input = cx.input(0).shape.sizes()?;
    let (blocks, begins) = (unsigned(cx, 1)?, unsigned(cx, 2)?);
    let (steps, inner) = (strides(&input), strides(&blocks));
    let batch = *input.first()?;
    Some(Box::new(move |i| {
        let mut coords = position(i, &output);
        let block = coords[0] / batch;
        coords[0] %= batch;
        for axis in 1..coords.len() {
            let padded = coords[axis] * blocks[axis] + block / inner[axis] % blocks[axis];
            match padded.checked_sub(begins[axis]).filter(|inside| *inside < input[axis]) {
                Some(inside) => coords[axis] = inside,
                None => return ZERO,
            }
        }
        (0, index(coords, &steps))
    }))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let gather = |data, block, begin, end| op("SpaceToBatch", 2, [data, block, begin, end]);
        let none = "i64[3] = 0,0,0";
        gather("f32[2,3,6]", "i64[3] = 1,1,3", none, none).gives(["f32[6,3,2]"]);
        gather("f32[1..3,..4,5..7]", "i32[3] = 1,2,3", none, "i8[3] = 0,2,0").gives(["f32[6..18,1..3,2]"]);
        gather("f32[2,3,6]", "i64[3]", none, "i64[3] = 0,1,0").gives(["f32[2..,1..4,1..6]"]);
        gather("f32[2,3,6]", "i64[3] = 1,1,3", none, "i64[3]").gives(["f32[6,3..,2..]"]);
        gather("f32[...]", "i64[3] = 1,1,3", none, none).gives(["f32[...]"]);
        gather("i64[2,3] = 5,2,6,7,4,8", "i64[2] = 1,2", "i64[2] = 0,1", "i64[2] = 0,0")
            .gives(["i64[4,2] = 0,2,0,4,5,6,7,8"]);
        gather("i64[1,2,2] = 1,2,3,4", "i64[3] = 1,2,2", none, none).gives(["i64[4,1,1] = 1,2,3,4"]);
    }

    #[test]
    fn errors() {
        let gather = |data, block, begin, end| op("SpaceToBatch", 2, [data, block, begin, end]);
        let none = "i64[2] = 0,0";
        gather("f32[2,5]", "i64[2] = 1,2", none, none).fails("shape-conflict", "dimension 1 is 5, not a multiple of 2");
        gather("f32[2,5]", "i64[2] = 1,-1", none, none)
            .fails("input-value", "`block_shape` holds -1, wanted 1 or more");
        gather("f32[2,5]", "i64[2] = 1,1", "i64[2] = 0,-1", none)
            .fails("input-value", "`pads_begin` holds -1, wanted 0 or more");
        gather("f32[2,5,1]", "i64[2] = 1,1", none, none)
            .fails("shape-conflict", "`block_shape` has shape [2], wanted [3]: one number per dimension");
        gather("f32[2]", "i64[1]", "i64[1]", "i64[1]")
            .fails("input-rank", "`data` of SpaceToBatch must be of rank 2 or more, but is f32[2]");
        gather("f32[2,5]", "f32[2] = 1,1", none, none)
            .fails("index-type", "`block_shape` must be of an integer type, but is f32");
    }
}
