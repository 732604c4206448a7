//! `ShuffleChannels`: interleaves the groups along one axis.
//!
//! - Spec: `movement/shuffle-channels-1`
//! - Shape: that of `data`.
//! - Errors: `axis-range`; `shape-conflict` if the axis does not divide into the groups; `attribute-value`.

use crate::ops::prelude::*;
use crate::ops::shared::blocks::divided;
use crate::ops::shared::strides::{by_axis, strides};

pub(super) static SHUFFLE_CHANNELS_1: OpSpec = OpSpec {
    inputs: &[Input::any("data")],
    attrs: &[Attr::optional("axis", Kind::INT, "1"), Attr::optional("group", Kind::from(1), "1")],
    eval: Eval::Move(Bounding::Constants, mover),
    ..OpSpec::new("ShuffleChannels", 1, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let data = cx.input(0);
    if let Some(axis) = axis(cx)? {
        divided(cx, At::Attr("group"), axis, data.shape.dim(axis), cx.int("group"))?;
    }
    Ok(vec![Fact::new(data.ty, data.shape.clone())])
}

fn axis(cx: &InferCtx) -> Result<Option<usize>, Fault> {
    let rank = cx.input(0).rank();
    rank.map(|rank| cx.normalize(At::Attr("axis"), cx.int("axis"), rank)).transpose()
}

fn mover<'a>(cx: &'a InferCtx, _: usize) -> Option<Mover<'a>> {
    let input = cx.input(0).shape.sizes()?;
    let shuffled = axis(cx).ok()??;
    let groups = usize::try_from(cx.int("group")).ok()?;
    let each = input.get(shuffled)? / groups;
    let steps = strides(&input);
    Some(by_axis(&input, |axis, index| {
        let from = if axis == shuffled { index % groups * each + index / groups } else { index };
        from * steps[axis]
    }))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let shuffle =
            |data, axis: i64, group: i64| op("ShuffleChannels", 1, [data]).attr("axis", axis).attr("group", group);
        shuffle("f32[2,6,4]", 1, 3).gives(["f32[2,6,4]"]);
        shuffle("f32[?,5..7]", -1, 3).gives(["f32[?,5..7]"]);
        shuffle("f32[...]", 9, 3).gives(["f32[...]"]);
        op("ShuffleChannels", 1, ["f32[2,7]"]).gives(["f32[2,7]"]);
        shuffle("i64[6] = 1,2,3,4,5,6", 0, 2).gives(["i64[6] = 1,4,2,5,3,6"]);
        shuffle("i64[2,2] = 1,2,3,4", 0, 1).gives(["i64[2,2] = 1,2,3,4"]);
    }

    #[test]
    fn errors() {
        let shuffle =
            |data, axis: i64, group: i64| op("ShuffleChannels", 1, [data]).attr("axis", axis).attr("group", group);
        shuffle("f32[2,7]", 1, 3).fails("shape-conflict", "dimension 1 is 7, not a multiple of 3");
        shuffle("f32[2,4..5]", 1, 3).fails("shape-conflict", "dimension 1 is 4..5, not a multiple of 3");
        shuffle("f32[2,7]", 2, 1).fails("axis-range", "axis 2 is outside -2..1");
        shuffle("f32[]", 0, 1).fails("axis-range", "axis 0 does not exist: the tensor is a scalar");
        shuffle("f32[2,7]", 1, 0).fails("attribute-value", "`group=\"0\"` of ShuffleChannels must be at least 1");
    }
}
