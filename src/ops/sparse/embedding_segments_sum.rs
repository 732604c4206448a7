//! `EmbeddingSegmentsSum`: rows of a table summed by segments.
//!
//! - Spec: `sparse/embedding-segments-sum-3`
//! - Shape: `emb_table` with `num_segments` as its first dimension, in the common element type of `emb_table` and
//!   `per_sample_weights`.
//! - Errors: `input-rank`, `input-type`, `needs-type`, `type-conflict`; `shape-conflict` unless `segment_ids` and
//!   `per_sample_weights` have the shape of `indices`; `input-value` for a negative number of segments.
//! - Differs from OpenVINO: OpenVINO reads a constant of -1 segments as any number, and less as 0; an unknown element type
//!   agrees with any.

use super::table::{INDICES, same_shape, segments, with_rows};
use crate::ops::prelude::*;

pub(super) static EMBEDDING_SEGMENTS_SUM_3: OpSpec = OpSpec {
    inputs: &[
        Input::any("emb_table"),
        Input::of("indices", INDICES).ranks(&[1]).typed(),
        Input::of("segment_ids", INDICES).ranks(&[1]).typed(),
        Input::of("num_segments", INDICES).ranks(&[0]).typed().read().lengths(),
        Input::of("default_index", INDICES).ranks(&[0]).typed().optional(),
        Input::any("per_sample_weights").ranks(&[1]).optional(),
    ],
    ..OpSpec::new("EmbeddingSegmentsSum", 3, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    agreed_type(cx, &[1, 2, 3, 4])?;
    let ty = agreed_type(cx, &[0, 5])?;
    same_shape(cx, 1, 2)?;
    same_shape(cx, 1, 5)?;
    Ok(vec![Fact::new(ty, with_rows(cx, segments(cx, 3)?)?)])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let sum = |table, count| op("EmbeddingSegmentsSum", 3, [table, "i32[4]", "i32[4]", count]);
        sum("f32[5,10]", "i32[] = 3").gives(["f32[3,10]"]);
        sum("f32[?,9..11,2]", "i32[] = 2..4").gives(["f32[2..4,9..11,2]"]);
        sum("f32[5,10]", "i32[]").gives(["f32[?,10]"]);
        sum("f32[...]", "i32[...]").gives(["f32[...]"]);
        let full = ["dynamic[5]", "i64[?]", "i64[4]", "i64[] = 3", "i64[]", "f16[4]"];
        op("EmbeddingSegmentsSum", 3, full).gives(["f16[3]"]);
    }

    #[test]
    fn errors() {
        let sum = |table, indices, ids, count| op("EmbeddingSegmentsSum", 3, [table, indices, ids, count]);
        sum("f32[5]", "i32[4]", "i32[5]", "i32[]")
            .fails("shape-conflict", "`segment_ids` has shape [5], `indices` has [4]");
        sum("f32[5]", "i32[4]", "i32[4]", "i32[] = -3")
            .fails("input-value", "`num_segments` is -3, the number of segments cannot be negative");
        sum("f32[5]", "i32[4]", "i32[4]", "i64[]").fails("type-conflict", "`num_segments` is i64, `indices` is i32");
        sum("f32[5]", "i32[4]", "i32[4]", "i32[1] = 3")
            .fails("input-rank", "`num_segments` of EmbeddingSegmentsSum must be a scalar, but is i32[1]");
        sum("f32[]", "i32[4]", "i32[4]", "i32[]")
            .fails("input-rank", "`emb_table` of EmbeddingSegmentsSum must be of rank 1 or more, but is f32[]");
        sum("f32[5]", "i8[4]", "i32[4]", "i32[]")
            .fails("input-type", "EmbeddingSegmentsSum does not accept i8 at input 1 `indices`");
    }
}
