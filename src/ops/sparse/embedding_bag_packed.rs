//! `EmbeddingBagPacked` and `EmbeddingBagPackedSum`: rows of a table reduced in bags of equal size.
//!
//! - Spec: `sparse/embedding-bag-packed-15`, `sparse/embedding-bag-packed-sum-3`
//! - Shape: `emb_table` with as many rows as `indices` has bags; of the type that it shares with the weights.
//! - Errors: `input-rank`, `input-type`, `needs-type`, `type-conflict`; `shape-conflict` unless there is a weight per index;
//!   `attribute-value` for weights without sums.
//! - Differs from OpenVINO: an unknown element type fits the others.
//! - Revisions: the operation of opset3 always sums, that of opset15 has `reduction`.

use super::table::{INDICES, REDUCTION, same_shape, weights_need_sums, with_rows};
use crate::ops::prelude::*;

pub(super) static EMBEDDING_BAG_PACKED_SUM_3: OpSpec = OpSpec {
    inputs: &[
        Input::any("emb_table"),
        Input::of("indices", INDICES).ranks(&[2]).typed(),
        Input::any("per_sample_weights").ranks(&[2]).optional(),
    ],
    ..OpSpec::new("EmbeddingBagPackedSum", 3, infer)
};

pub(super) static EMBEDDING_BAG_PACKED_15: OpSpec = OpSpec {
    name: "EmbeddingBagPacked",
    opset: 15,
    attrs: &[REDUCTION],
    infer: |cx| {
        weights_need_sums(cx, 2)?;
        infer(cx)
    },
    ..EMBEDDING_BAG_PACKED_SUM_3
};

fn infer(cx: &InferCtx) -> Inferred {
    let ty = agreed_type(cx, &[0, 2])?;
    let bags = same_shape(cx, 1, 2)?;
    Ok(vec![Fact::new(ty, with_rows(cx, bags.dim(0))?)])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("EmbeddingBagPacked", 15, ["f32[5,10]", "i32[3,2]"]).attr("reduction", "mean").gives(["f32[3,10]"]);
        op("EmbeddingBagPacked", 15, ["f32[...]", "i32[3,2]"]).gives(["f32[...]"]);
        op("EmbeddingBagPackedSum", 3, ["f32[?,9..11]", "i64[2..4,2]", "f32[3..9,2]"]).gives(["f32[3..4,9..11]"]);
        op("EmbeddingBagPackedSum", 3, ["dynamic[5]", "i64[...]", "f16[3,2]"]).gives(["f16[3]"]);
    }

    #[test]
    fn errors() {
        let bag = |table, indices, weights| op("EmbeddingBagPacked", 15, [table, indices, weights]);
        bag("f32[5,10]", "i32[3,2]", "f32[3,3]")
            .fails("shape-conflict", "`per_sample_weights` has shape [3,3], `indices` has [3,2]");
        bag("f32[5,10]", "i32[3,2]", "f16[3,2]")
            .fails("type-conflict", "`per_sample_weights` is f16, `emb_table` is f32");
        bag("f32[]", "i32[3,2]", "f32[3,2]")
            .fails("input-rank", "`emb_table` of EmbeddingBagPacked must be of rank 1 or more, but is f32[]");
        bag("f32[5]", "i32[3]", "f32[...]")
            .fails("input-rank", "`indices` of EmbeddingBagPacked must be of rank 2, but is i32[3]");
        bag("f32[5]", "f32[3,2]", "f32[3,2]")
            .fails("input-type", "EmbeddingBagPacked does not accept f32 at input 1 `indices`");
        bag("f32[5]", "i32[3,2]", "f32[3,2]")
            .attr("reduction", "mean")
            .fails("attribute-value", "`reduction=\"mean\"` does not go with `per_sample_weights`");
    }
}
