//! `EmbeddingBagOffsets` and `EmbeddingBagOffsetsSum`: rows of a table reduced in bags that begin at offsets.
//!
//! - Spec: `sparse/embedding-bag-offsets-15`, `sparse/embedding-bag-offsets-sum-3`
//! - Shape: `emb_table` with as many rows as there are offsets; of the type that it shares with the weights.
//! - Errors: `input-rank`, `input-type`, `needs-type`, `type-conflict`; `shape-conflict` unless there is a weight per index;
//!   `attribute-value` for weights without sums.
//! - Differs from OpenVINO: an unknown element type fits the others.
//! - Revisions: the operation of opset3 always sums, that of opset15 has `reduction`.

use super::table::{INDICES, REDUCTION, same_shape, weights_need_sums, with_rows};
use crate::ops::prelude::*;

pub(super) static EMBEDDING_BAG_OFFSETS_SUM_3: OpSpec = OpSpec {
    inputs: &[
        Input::any("emb_table"),
        Input::of("indices", INDICES).ranks(&[1]).typed(),
        Input::of("offsets", INDICES).ranks(&[1]).typed(),
        Input::of("default_index", INDICES).ranks(&[0]).typed().optional(),
        Input::any("per_sample_weights").ranks(&[1]).optional(),
    ],
    ..OpSpec::new("EmbeddingBagOffsetsSum", 3, infer)
};

pub(super) static EMBEDDING_BAG_OFFSETS_15: OpSpec = OpSpec {
    name: "EmbeddingBagOffsets",
    opset: 15,
    attrs: &[REDUCTION],
    infer: |cx| {
        weights_need_sums(cx, 4)?;
        infer(cx)
    },
    ..EMBEDDING_BAG_OFFSETS_SUM_3
};

fn infer(cx: &InferCtx) -> Inferred {
    agreed_type(cx, &[1, 2, 3])?;
    let ty = agreed_type(cx, &[0, 4])?;
    same_shape(cx, 1, 4)?;
    Ok(vec![Fact::new(ty, with_rows(cx, cx.dim(2, 0))?)])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let bag = |table, offsets| op("EmbeddingBagOffsets", 15, [table, "i32[4]", offsets]);
        bag("f32[5,10]", "i32[3]").attr("reduction", "mean").gives(["f32[3,10]"]);
        bag("f32[?,9..11,2]", "i32[2..4]").gives(["f32[2..4,9..11,2]"]);
        bag("u4[...]", "i32[3]").gives(["u4[...]"]);
        bag("f32[5,10]", "i32[...]").gives(["f32[?,10]"]);
        op("EmbeddingBagOffsetsSum", 3, ["dynamic[5]", "i64[?]", "i64[3]", "i64[]", "f16[4]"]).gives(["f16[3]"]);
    }

    #[test]
    fn errors() {
        let bag =
            |table, indices, index, weights| op("EmbeddingBagOffsets", 15, [table, indices, "i32[3]", index, weights]);
        bag("f32[5,10]", "i32[4]", "i32[]", "f32[5]")
            .fails("shape-conflict", "`per_sample_weights` has shape [5], `indices` has [4]");
        bag("f32[5,10]", "i32[4]", "i32[]", "f16[4]")
            .fails("type-conflict", "`per_sample_weights` is f16, `emb_table` is f32");
        bag("f32[5,10]", "i32[4]", "i64[]", "f32[4]")
            .fails("type-conflict", "`default_index` is i64, `indices` is i32");
        bag("f32[]", "i32[4]", "i32[]", "f32[4]")
            .fails("input-rank", "`emb_table` of EmbeddingBagOffsets must be of rank 1 or more, but is f32[]");
        bag("f32[5]", "i32[2,2]", "i32[]", "f32[...]")
            .fails("input-rank", "`indices` of EmbeddingBagOffsets must be a list (rank 1), but is i32[2,2]");
        bag("f32[5]", "u8[4]", "i32[]", "f32[4]")
            .fails("input-type", "EmbeddingBagOffsets does not accept u8 at input 1 `indices`");
        bag("f32[5]", "i32[4]", "i32[]", "f32[4]")
            .attr("reduction", "mean")
            .fails("attribute-value", "`reduction=\"mean\"` does not go with `per_sample_weights`");
    }
}
