//! `CTCGreedyDecoder`: decodes the likeliest labels of a sequence, time first.
//!
//! - Spec: `sequence/ctc-greedy-decoder-1`
//! - Shape: of `logits` `[T,N,C]` and `seq_mask` `[T,N]`, `[N,T,1,1]`.
//! - Errors: `input-rank`; `shape-conflict` if T or N differ.

use crate::ops::prelude::*;

pub(super) static CTC_GREEDY_DECODER_1: OpSpec = OpSpec {
    inputs: &[Input::any("logits").ranks(&[3]), Input::any("seq_mask").ranks(&[2])],
    attrs: &[Attr::optional("ctc_merge_repeated", Kind::Flag, "true")],
    ..OpSpec::new("CTCGreedyDecoder", 1, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let time = agreed_dim(cx, &[(0, 0), (1, 0)])?;
    let batch = agreed_dim(cx, &[(0, 1), (1, 1)])?;
    let one = Dim::exact(1);
    Ok(vec![Fact::new(cx.input(0).ty, PartialShape::of([batch, time, one, one]))])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("CTCGreedyDecoder", 1, ["f32[20,8,128]", "i8[20,8]"]).gives(["f32[8,20,1,1]"]);
        op("CTCGreedyDecoder", 1, ["f16[..20,?,128]", "f32[10..,8]"]).gives(["f16[8,10..20,1,1]"]);
        op("CTCGreedyDecoder", 1, ["f32[...]", "f32[...]"]).gives(["f32[?,?,1,1]"]);
    }

    #[test]
    fn errors() {
        op("CTCGreedyDecoder", 1, ["f32[20,8,128]", "f32[21,8]"])
            .fails("shape-conflict", "dimension 0 of `seq_mask` is 21, dimension 0 of `logits` is 20");
        op("CTCGreedyDecoder", 1, ["f32[8,128]", "f32[20,8]"])
            .fails("input-rank", "`logits` of CTCGreedyDecoder must be of rank 3, but is f32[8,128]");
    }
}
