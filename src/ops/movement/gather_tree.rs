//! `GatherTree`: makes the complete beams of a beam search from the tokens and parents of each step.
//!
//! - Spec: `movement/gather-tree-1`
//! - Shape: the intersection of `step_ids` and `parent_idx`, of rank 3; `max_seq_len` has an element per batch entry; the batch
//!   is dimension 1.
//! - Errors: `shape-conflict`, `type-conflict`, `input-rank`, `input-type`.

use crate::ops::prelude::*;

pub(super) static GATHER_TREE_1: OpSpec = OpSpec {
    inputs: &[
        Input::of("step_ids", TYPES).ranks(&[3]),
        Input::of("parent_idx", TYPES).ranks(&[3]),
        Input::of("max_seq_len", TYPES).ranks(&[1]),
        Input::of("end_token", TYPES).ranks(&[0]),
    ],
    ..OpSpec::new("GatherTree", 1, infer)
};

const TYPES: TypeSet = TypeSet::ANY.without(&[ElementType::Boolean]);

fn infer(cx: &InferCtx) -> Inferred {
    let ty = agreed_type(cx, &[0, 1, 2, 3])?;
    let [steps, parents] = [0, 1].map(|i| &cx.input(i).shape);
    let Some(shape) = steps.agree(parents) else {
        let message = format!("`step_ids` has shape {steps}, `parent_idx` {parents}");
        return Err(misfit(cx, 1, &[0], message));
    };
    let (batch, count) = (shape.dim(1), cx.dim(2, 0));
    let Some(both) = batch.agree(count) else {
        let message = format!("`max_seq_len` has {count} element{s} for a batch of {batch}", s = plural(count));
        return Err(misfit(cx, 2, &[0], message));
    };
    Ok(vec![Fact::new(ty, shape.with(1, both))])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn gather(steps: &str, parents: &str, lengths: &str, end: &str) -> OpTest {
        op("GatherTree", 1, [steps, parents, lengths, end])
    }

    #[test]
    fn shapes() {
        gather("f32[7,2,3]", "f32[7,2,3]", "f32[2]", "f32[]").gives(["f32[7,2,3]"]);
        gather("i32[6..8,?,?]", "i32[7..,?,2..4]", "i32[2]", "dynamic[]").gives(["i32[7..8,2,2..4]"]);
        gather("f32[...]", "f32[7,2,3]", "f32[?]", "f32[]").gives(["f32[7,2,3]"]);
        gather("f32[...]", "f32[...]", "f32[2]", "f32[]").gives(["f32[...]"]);
    }

    #[test]
    fn errors() {
        gather("f32[7,2,3]", "f32[8,2,3]", "f32[2]", "f32[]")
            .fails("shape-conflict", "`step_ids` has shape [7,2,3], `parent_idx` [8,2,3]");
        gather("f32[7,2,3]", "f32[7,2,3]", "f32[3]", "f32[]")
            .fails("shape-conflict", "`max_seq_len` has 3 elements for a batch of 2");
        gather("f32[7,2,3]", "f32[7,2,3]", "f32[2]", "f16[]")
            .fails("type-conflict", "`end_token` is f16, `step_ids` is f32");
        gather("f32[2,3]", "f32[...]", "f32[2]", "f32[]")
            .fails("input-rank", "`step_ids` of GatherTree must be of rank 3, but is f32[2,3]");
        gather("f32[7,2,3]", "f32[7,2,3]", "f32[2]", "f32[1]")
            .fails("input-rank", "`end_token` of GatherTree must be a scalar, but is f32[1]");
        gather("boolean[7,2,3]", "dynamic[...]", "dynamic[?]", "dynamic[]")
            .fails("input-type", "GatherTree does not accept boolean at input 0 `step_ids`");
    }
}
