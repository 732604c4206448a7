//! `BatchToSpace`: moves the batch to blocks of the other dimensions, and crops them.
//!
//! - Spec: `movement/batch-to-space-2`
//! - Shape: `N / (B1 * .. * BK)`, then `D * B - crops_begin - crops_end` for every other dimension.
//! - Errors: `input-rank` below 2, `input-value`, `shape-conflict`, `type-conflict`.
//! - Differs from OpenVINO: bounds are kept with unknown blocks and crops, and an unbounded batch stays unbounded when it is
//!   divided.

use crate::ops::prelude::*;
use crate::ops::shared::blocks::{check_lists, dims_of_rank, divided, sizes, unsigned};
use crate::ops::shared::strides::{by_axis, strides};

pub(super) static BATCH_TO_SPACE_2: OpSpec = OpSpec {
    inputs: &[
        Input::any("data"),
        Input::index("block_shape").if_ranked(),
        Input::index("crops_begin").if_ranked(),
        Input::index("crops_end").if_ranked(),
    ],
    eval: Eval::Move(Bounding::Constants, mover),
    ..OpSpec::new("BatchToSpace", 2, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let data = cx.input(0);
    let [block, begin, end] = [1, 2, 3].map(|i| cx.input(i).ty);
    if block.merge(begin).and_then(|ty| ty.merge(end)).is_none() {
        let message = format!("`block_shape` is {block}, `crops_begin` {begin} and `crops_end` {end}, wanted one type");
        return Err(Fault::at(At::Input(1), &TYPE_CONFLICT, message));
    }
    let dims = dims_of_rank(cx, 2)?;
    check_lists(cx)?;
    let (blocks, begins, ends) = (sizes(cx, 1, 1)?, sizes(cx, 2, 0)?, sizes(cx, 3, 0)?);
    let Some(dims) = dims else { return unranked(data.ty) };
    let crops = |axis: usize| Some(begins.as_ref()?.get(axis)?.saturating_add(*ends.as_ref()?.get(axis)?));
    let mut shape = Vec::new();
    for (axis, dim) in dims.iter().enumerate() {
        let block = blocks.as_ref().and_then(|blocks| blocks.get(axis)).copied();
        shape.push(match (axis, &blocks) {
            (0, Some(blocks)) => {
                let all = blocks.iter().fold(1_i64, |all, block| all.saturating_mul(*block));
                divided(cx, At::Input(1), 0, *dim, all)?
            }
            (0, None) => Dim::between(dim.lower().min(1), dim.upper().unwrap_or(i64::MAX)).unwrap_or(*dim),
            _ => cropped(cx, axis, enlarged(*dim, block), crops(axis))?,
        });
    }
    Ok(vec![Fact::new(data.ty, PartialShape::of(shape))])
}

/// The dimension times its block size, which is 1 or more.
fn enlarged(dim: Dim, block: Option<i64>) -> Dim {
    match block {
        Some(block) => dim.times(Dim::exact(block)),
        None => dim.times(Dim::at_least(1)),
    }
}

/// The dimension without its crops.
fn cropped(cx: &InferCtx, axis: usize, dim: Dim, crops: Option<i64>) -> Result<Dim, Fault> {
    let Some(crops) = crops else { return Ok(dim.hull(Dim::exact(0))) };
    if dim.upper().is_some_and(|upper| upper < crops) {
        let message = format!("{crops} crops exceed dimension {axis}, which is {dim} with its blocks");
        return Err(unfit(cx, At::Input(3), message));
    }
    dim.demand_at_least(Dim::exact(crops));
    Ok(dim.minus(Dim::exact(crops)))
}

fn mover<'a>(cx: &'a InferCtx, _: usize) -> Option<Mover<'a>> {
    let output = infer(cx).ok()?.first()?.shape.sizes()?;
    let input = cx.input(0).shape.sizes()?;
    let (blocks, begins) = (unsigned(cx, 1)?, unsigned(cx, 2)?);
    let steps = strides(&input);
    let batch = *output.first()?;
    // In the batch of the input, the position in the block is outside of the batch of the output.
    let inner = strides(&blocks);
    Some(by_axis(&output, |axis, index| {
        if axis == 0 {
            return index * steps[0];
        }
        let index = index + begins[axis];
        index / blocks[axis] * steps[axis] + index % blocks[axis] * inner[axis] * batch * steps[0]
    }))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let spread = |data, block, begin, end| op("BatchToSpace", 2, [data, block, begin, end]);
        let none = "i64[3] = 0,0,0";
        spread("f32[12,3,2]", "i64[3] = 1,2,3", none, "i64[3] = 0,0,1").gives(["f32[2,6,5]"]);
        spread("f32[11..13,..2,2..]", "i64[3] = 1,2,3", none, "i64[3] = 0,1,1").gives(["f32[2,..3,5..]"]);
        spread("f32[12,3,2]", "i64[3]", none, "i64[3] = 0,1,3").gives(["f32[1..12,2..,?]"]);
        spread("f32[12,3,2]", "i64[3] = 1,2,3", none, "i64[3]").gives(["f32[2,..6,..6]"]);
        spread("f32[...]", "i64[3] = 1,2,3", none, none).gives(["f32[...]"]);
        spread("i64[4,2] = 1,2,3,4,5,6,7,8", "i64[2] = 1,2", "i64[2] = 0,1", "i64[2] = 0,0")
            .gives(["i64[2,3] = 5,2,6,7,4,8"]);
        spread("i64[4,1,1] = 1,2,3,4", "i64[3] = 1,2,2", none, none).gives(["i64[1,2,2] = 1,2,3,4"]);
    }

    #[test]
    fn errors() {
        let spread = |data, block, begin, end| op("BatchToSpace", 2, [data, block, begin, end]);
        let none = "i64[2] = 0,0";
        spread("f32[13,3]", "i64[2] = 1,2", none, none)
            .fails("shape-conflict", "dimension 0 is 13, not a multiple of 2");
        spread("f32[12,3]", "i64[2] = 1,2", none, "i64[2] = 0,7")
            .fails("shape-conflict", "7 crops exceed dimension 1, which is 6 with its blocks");
        spread("f32[12,3]", "i64[2] = 1,0", none, none).fails("input-value", "`block_shape` holds 0, wanted 1 or more");
        spread("f32[12,3]", "i64[2] = 1,1", "i64[2] = 0,-1", none)
            .fails("input-value", "`crops_begin` holds -1, wanted 0 or more");
        spread("f32[12,3]", "i64[2]", "i64[3]", none)
            .fails("shape-conflict", "`crops_begin` has shape [3], wanted [2]: one number per dimension");
        spread("f32[12]", "i64[1]", "i64[1]", "i64[1]")
            .fails("input-rank", "`data` of BatchToSpace must be of rank 2 or more, but is f32[12]");
        spread("f32[12,3]", "i32[2] = 1,1", none, none)
            .fails("type-conflict", "`block_shape` is i32, `crops_begin` i64 and `crops_end` i64, wanted one type");
    }
}
