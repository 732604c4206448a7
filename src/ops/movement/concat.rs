//! `Concat`: joins tensors along one axis.
//!
//! - Spec: `movement/concat-1`
//! - Shape: the sum of the lengths along `axis`; the other dimensions are the intersection of all inputs. An input of unknown
//!   rank may have any length.
//! - Errors: `type-conflict`; `axis-range`; `shape-conflict` if ranks or other dimensions differ.

use crate::ops::prelude::*;
use crate::ops::shared::strides::count;

pub(super) static CONCAT_1: OpSpec = OpSpec {
    inputs: &[Input::any("inputs").variadic()],
    attrs: &[Attr::optional("axis", Kind::INT, "0")],
    action: Action::Joins,
    eval: Eval::Move(Bounding::Moved, mover),
    ..OpSpec::new("Concat", 1, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let ty = agreed_type(cx, &every_input(cx))?;
    let mut joined: Option<(usize, PartialShape)> = None;
    let mut length = Dim::exact(0);
    for (i, input) in cx.inputs().iter().enumerate() {
        let Some(rank) = input.rank() else {
            length = length.plus(Dim::ANY);
            continue;
        };
        let axis = cx.normalize(At::Attr("axis"), cx.int("axis"), rank).map_err(|fault| shown(cx, fault, i))?;
        length = length.plus(input.shape.dim(axis));
        joined = Some(match joined {
            None => (axis, input.shape.clone()),
            Some((_, before)) => {
                let others = before.with(axis, input.shape.dim(axis));
                (axis, others.agree(&input.shape).ok_or_else(|| conflict(cx, i, axis, &before))?)
            }
        });
    }
    let shape = joined.map_or(PartialShape::UNKNOWN, |(axis, others)| others.with(axis, length));
    Ok(vec![Fact::new(ty, shape)])
}

/// The fault of input `i`, which does not fit the inputs before it.
fn conflict(cx: &InferCtx, i: usize, axis: usize, before: &PartialShape) -> Fault {
    let shape = &cx.input(i).shape;
    let dims = shape.dims().unwrap_or_default().iter().zip(before.dims().unwrap_or_default());
    let clash = dims.enumerate().find(|(d, (own, earlier))| *d != axis && own.merge(**earlier).is_none());
    let message = match clash {
        Some((d, (own, earlier))) if shape.rank() == before.rank() => {
            format!("dimension {d} of input {i} is {own}, but the inputs before it have {earlier}")
        }
        _ => {
            let [own, earlier] = [shape, before].map(|shape| shape.rank().unwrap_or(0));
            format!("input {i} has {own} dimensions, but the inputs before it have {earlier}")
        }
    };
    let fault = Fault::at(At::Input(i), &SHAPE_CONFLICT, message);
    (0..i).fold(shown(cx, fault, i), |fault, other| shown(cx, fault, other))
}

fn shown(cx: &InferCtx, fault: Fault, i: usize) -> Fault {
    fault.label(At::Input(i), format!("{}{}", cx.input(i).ty, cx.input(i).shape))
}

/// Maps an output element to the input that contains it.
fn mover<'a>(cx: &'a InferCtx, _: usize) -> Option<Mover<'a>> {
    let mut ends = Vec::with_capacity(cx.inputs().len());
    let mut row = 0_usize;
    for input in cx.inputs() {
        let axis = cx.normalize(At::Layer, cx.int("axis"), input.rank()?).ok()?;
        let inner = count(input.shape.sizes()?.get(axis..)?)?;
        row = row.checked_add(inner)?;
        ends.push((row, inner));
    }
    Some(Box::new(move |i| {
        let (outer, place) = (i / row, i % row);
        let input = ends.partition_point(|(end, _)| *end <= place);
        let (end, part) = ends.get(input).copied().unwrap_or_default();
        (input, outer * part + place + part - end)
    }))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let concat = |axis, inputs: [&str; 2]| op("Concat", 1, inputs).attr("axis", axis);
        concat(1, ["f32[2,3]", "f32[2,5]"]).gives(["f32[2,8]"]);
        concat(-1, ["f32[2..4,3]", "f32[3..,2..5]"]).gives(["f32[3..4,5..8]"]);
        concat(1, ["f32[?,3]", "f32[2,?]"]).gives(["f32[2,3..]"]);
        concat(1, ["f32[2,3]", "f32[...]"]).gives(["f32[2,3..]"]);
        concat(7, ["f32[...]", "dynamic[...]"]).gives(["f32[...]"]);
        op("Concat", 1, ["f32[2,3]"]).gives(["f32[2,3]"]);
        concat(0, ["i64[2] = 1,2..5", "i64[1] = 9"]).gives(["i64[3] = 1,2..5,9"]);
        concat(1, ["i32[2,1] = 1,2", "i32[2,2]"]).gives(["i32[2,3] = 1,-2147483648..2147483647,-2147483648..2147483647,2,-2147483648..2147483647,-2147483648..2147483647"]);
        concat(1, ["f32[2,1] = 1,2", "f32[2,2] = 3,4,5,6"]).gives(["f32[2,3] = 1,3,4,2,5,6"]);
        op("Concat", 1, ["i64[1] = 1", "i64[0] = ", "i64[1] = 2"]).gives(["i64[2] = 1,2"]);
    }

    #[test]
    fn errors() {
        let concat = |axis, inputs: [&str; 2]| op("Concat", 1, inputs).attr("axis", axis);
        concat(1, ["f32[2,3]", "f16[2,3]"]).fails("type-conflict", "input 1 is f16, input 0 is f32");
        concat(2, ["f32[2,3]", "f32[2,3]"]).fails("axis-range", "axis 2 is outside -2..1");
        concat(1, ["f32[2,3]", "f32[4]"]).fails("axis-range", "axis 1 is outside -1..0");
        concat(0, ["f32[]", "f32[]"]).fails("axis-range", "axis 0 does not exist: the tensor is a scalar");
        concat(1, ["f32[2,3]", "f32[4,3]"])
            .fails("shape-conflict", "dimension 0 of input 1 is 4, but the inputs before it have 2");
        concat(0, ["f32[2,3]", "f32[2,3,4]"])
            .fails("shape-conflict", "input 1 has 3 dimensions, but the inputs before it have 2");
        op("Concat", 1, ["f32[..3,3]", "f32[2..,3]", "f32[4..5,3]"])
            .attr("axis", 1)
            .fails("shape-conflict", "dimension 0 of input 2 is 4..5, but the inputs before it have 2..3");
        op("Concat", 1, []).fails("wrong-input-count", "Concat takes at least 1 input, this layer has 0");
    }
}
