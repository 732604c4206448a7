//! `ReverseSequence`: reverses the beginning of every sequence of a batch.
//!
//! - Spec: `movement/reverse-sequence-1`
//! - Shape: that of `data`, with the number of `seq_lengths` along `batch_axis`.
//! - Errors: `axis-range`, also for a negative `seq_axis` while the rank is unknown, `input-rank`, `shape-conflict`.

use crate::ops::prelude::*;
use crate::ops::shared::blocks::dims_of_rank;
use crate::ops::shared::strides::{index, position, strides};

pub(super) static REVERSE_SEQUENCE_1: OpSpec = OpSpec {
    inputs: &[
        Input::any("data"),
        Input::of("seq_lengths", TypeSet::ANY.without(&[ElementType::Boolean])).reads_value().ranks(&[1]),
    ],
    attrs: &[Attr::optional("batch_axis", Kind::INT, "0"), Attr::optional("seq_axis", Kind::INT, "1")],
    eval: Eval::Move(Bounding::Never, mover),
    waits: &[&AXIS_RANGE],
    ..OpSpec::new("ReverseSequence", 1, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let data = cx.input(0);
    let Some(dims) = dims_of_rank(cx, 2)? else {
        return negative_axis(cx).map_or_else(|| unranked(data.ty), Err);
    };
    let batch_axis = axis(cx, "batch_axis", dims.len())?;
    axis(cx, "seq_axis", dims.len())?;
    let (batch, count) = (data.shape.dim(batch_axis), cx.dim(1, 0));
    let Some(both) = batch.agree(count) else {
        let message = format!(
            "`seq_lengths` has {count} element{s}, dimension {batch_axis} of `data` is {batch}",
            s = plural(count)
        );
        return Err(unfit(cx, At::Input(1), message).primary(format!("{count} element{s}", s = plural(count))));
    };
    Ok(vec![Fact::new(data.ty, data.shape.with(batch_axis, both))])
}

/// The fault of a negative sequence axis for an unknown rank, which OpenVINO does not support.
fn negative_axis(cx: &InferCtx) -> Option<Fault> {
    let axis = Some(cx.int("seq_axis")).filter(|axis| *axis < 0 && !cx.input(0).assumed)?;
    let message = format!("seq_axis {axis} counts from the end, and the rank of `data` is not known");
    Some(Fault::at(At::Attr("seq_axis"), &AXIS_RANGE, message).label(At::Input(0), "rank unknown"))
}

fn axis(cx: &InferCtx, name: &'static str, rank: usize) -> Result<usize, Fault> {
    cx.normalize(At::Attr(name), cx.int(name), rank)
}

fn mover<'a>(cx: &'a InferCtx, _: usize) -> Option<Mover<'a>> {
    let input = cx.input(0).shape.sizes()?;
    let [batch_axis, seq_axis] = ["batch_axis", "seq_axis"].map(|name| axis(cx, name, input.len()).ok());
    let (batch_axis, seq_axis) = (batch_axis?, seq_axis?);
    let longest = *input.get(seq_axis)?;
    let fits = |length: &usize| *length <= longest;
    let turned: Vec<usize> =
        cx.constant(1)?.iter().map(|length| usize::try_from(*length).ok().filter(fits)).collect::<Option<_>>()?;
    let steps = strides(&input);
    Some(Box::new(move |i| {
        let mut coords = position(i, &input);
        let length = turned.get(coords[batch_axis]).copied().unwrap_or(0);
        if coords[seq_axis] < length {
            coords[seq_axis] = length - 1 - coords[seq_axis];
        }
        (0, index(coords, &steps))
    }))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let reverse = |data, lengths| op("ReverseSequence", 1, [data, lengths]);
        reverse("f32[1..3,5..7,4]", "i32[2]").gives(["f32[2,5..7,4]"]);
        reverse("f32[2,?]", "f32[?]").gives(["f32[2,?]"]);
        reverse("f32[...]", "i32[2]").attr("batch_axis", 9).gives(["f32[...]"]);
        reverse("f32[2,6,4]", "i32[2]").attr("batch_axis", -3).attr("seq_axis", -1).yields(["f32[2,6,4]"]);
        reverse("i64[2,3] = 1,2,3,4,5,6", "i64[2] = 2,3").gives(["i64[2,3] = 2,1,3,6,5,4"]);
        reverse("i64[2,3] = 1,2,3,4,5,6", "i64[2] = 2,9").gives(["i64[2,3]"]);
    }

    #[test]
    fn errors() {
        let reverse = |data, lengths| op("ReverseSequence", 1, [data, lengths]);
        reverse("f32[3,6]", "i32[2]")
            .fails("shape-conflict", "`seq_lengths` has 2 elements, dimension 0 of `data` is 3");
        reverse("f32[3,6]", "i32[3]").attr("seq_axis", 2).fails("axis-range", "axis 2 is outside -2..1");
        reverse("f32[3]", "i32[3]")
            .fails("input-rank", "`data` of ReverseSequence must be of rank 2 or more, but is f32[3]");
        reverse("f32[3,6]", "i32[]")
            .fails("input-rank", "`seq_lengths` of ReverseSequence must be a list (rank 1), but is i32[]");
        reverse("f32[3,6]", "boolean[3]")
            .fails("input-type", "ReverseSequence does not accept boolean at input 1 `seq_lengths`");
    }
}
