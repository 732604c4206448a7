//! `GatherElements`: for every index, the element of `data` at the same position along the other axes.
//!
//! - Spec: `movement/gather-elements-6`
//! - Shape: that of `indices`, narrowed by the dimensions of `data` except for the axis.
//! - Errors: `axis-range`, `input-type`, `needs-type`; `shape-conflict` if ranks or dimensions beside the axis differ. An
//!   index outside the data is a warning, `index-range`.

use crate::ops::prelude::*;
use crate::ops::shared::strides::{index, position, strides};
use crate::types::from_front;

pub(super) static GATHER_ELEMENTS_6: OpSpec = OpSpec {
    inputs: &[Input::any("data"), Input::of("indices", TypeSet::I32_OR_I64).reads_value().followed().typed()],
    attrs: &[Attr::optional("axis", Kind::INT, "0")],
    eval: Eval::Move(Bounding::Never, mover),
    waits: &[&AXIS_RANGE],
    ..OpSpec::new("GatherElements", 6, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let data = cx.input(0);
    let indices = &cx.input(1).shape;
    let (Some(rank), Some(axis)) = (data.rank().or(indices.rank()), axis(cx)?) else { return unranked(data.ty) };
    if indices.rank().is_some_and(|other| other != rank) {
        let message = format!("`data` has rank {rank}, `indices` has rank {}", indices.rank().unwrap_or(0));
        return Err(misfit(cx, 1, &[0], message));
    }
    let mut shape = PartialShape::of_rank(rank);
    for dim in 0..rank {
        let ours = indices.dim(dim);
        let theirs = if dim == axis || data.rank().is_none() { ours } else { data.shape.dim(dim) };
        let Some(both) = ours.agree(theirs) else {
            return Err(misfit(cx, 1, &[0], format!("dimension {dim} of `data` is {theirs}, of `indices` {ours}")));
        };
        shape = shape.with(dim, both);
    }
    warn_of_outside(cx, 1, |_| axis);
    Ok(vec![Fact::new(data.ty, shape)])
}

fn axis(cx: &InferCtx) -> Result<Option<usize>, Fault> {
    let rank = cx.input(0).rank().or(cx.input(1).rank());
    rank.map(|rank| cx.normalize(At::Attr("axis"), cx.int("axis"), rank)).transpose()
}

fn mover<'a>(cx: &'a InferCtx, _: usize) -> Option<Mover<'a>> {
    let axis = axis(cx).ok()??;
    let (data, output) = (cx.input(0).shape.sizes()?, cx.input(1).shape.sizes()?);
    let length = *data.get(axis)?;
    let taken: Vec<usize> = cx.constant(1)?.iter().map(|value| from_front(*value, length)).collect::<Option<_>>()?;
    let steps = strides(&data);
    Some(Box::new(move |i| {
        let mut coords = position(i, &output);
        coords[axis] = taken.get(i).copied().unwrap_or(0);
        (0, index(coords, &steps))
    }))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn gather(data: &str, indices: &str, axis: i64) -> OpTest {
        op("GatherElements", 6, [data, indices]).attr("axis", axis)
    }

    #[test]
    fn shapes() {
        gather("f32[2,3]", "i32[2,7]", 1).gives(["f32[2,7]"]);
        gather("f32[2,3]", "i32[1..3,..7]", -1).gives(["f32[2,..7]"]);
        gather("f32[2,3]", "i64[...]", 1).gives(["f32[2,?]"]);
        gather("f32[...]", "i64[2,7]", 1).gives(["f32[2,7]"]);
        gather("f32[...]", "i64[...]", 9).gives(["f32[...]"]);
        op("GatherElements", 6, ["f32[4]", "i32[?]"]).gives(["f32[?]"]);
        gather("i64[2,2] = 1,2..3,4,5", "i64[2,1] = 1,-2", 1).gives(["i64[2,1] = 2..3,4"]);
        gather("i64[2,2] = 1,2,3,4", "i32[3,2] = 1,0,0,1,1,1", 0).gives(["i64[3,2] = 3,2,1,4,3,4"]);
        gather("i64[2] = 1,2", "i64[1] = 2", 0)
            .warns("index-range", "index 2 is outside -2..1 along axis 0 of `data`")
            .gives(["i64[1]"]);
        gather("i64[2] = 1,2", "i64[2] = 0,1", 0).gives_openvino(["i64[2]"]).says_nothing();
    }

    #[test]
    fn errors() {
        gather("f32[2,3]", "i32[3,7]", 1).fails("shape-conflict", "dimension 0 of `data` is 2, of `indices` 3");
        gather("f32[2,3]", "i32[2]", 1).fails("shape-conflict", "`data` has rank 2, `indices` has rank 1");
        gather("f32[2,3]", "i32[2,7]", 2).fails("axis-range", "axis 2 is outside -2..1");
        gather("f32[2,3]", "dynamic[2,7]", 1)
            .fails("needs-type", "the element type of `indices` of GatherElements is not known, wanted i32 or i64");
        gather("f32[2,3]", "u8[2,7]", 1).fails("input-type", "GatherElements does not accept u8 at input 1 `indices`");
    }
}
