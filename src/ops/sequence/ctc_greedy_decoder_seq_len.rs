//! `CTCGreedyDecoderSeqLen`: decodes the likeliest labels of a sequence of given length, batch first.
//!
//! - Spec: `sequence/ctc-greedy-decoder-seq-len-6`
//! - Shape: of `logits` `[N,T,C]` and `seq_len` `[N]`, classes `[N,T]` and lengths `[N]`.
//! - Errors: `input-rank`; `input-type` of `blank`; `shape-conflict` if N differs or `blank` is not one number.

use crate::ops::prelude::*;

pub(super) static CTC_GREEDY_DECODER_SEQ_LEN_6: OpSpec = OpSpec {
    inputs: &[
        Input::any("logits").ranks(&[3]),
        Input::any("seq_len").ranks(&[1]),
        Input::of("blank", TypeSet::INTEGRAL).ranks(&[0, 1]).optional(),
    ],
    attrs: &[
        Attr::optional("merge_repeated", Kind::Flag, "true"),
        Attr::optional("classes_index_type", Kind::Type, "i32"),
        Attr::optional("sequence_length_type", Kind::Type, "i32"),
    ],
    outputs: Outputs::Exactly(2),
    defers: Some(&INPUT_RANK),
    ..OpSpec::new("CTCGreedyDecoderSeqLen", 6, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let batch = agreed_dim(cx, &[(0, 0), (1, 0)])?;
    wanted_dim(cx, 2, 0, Dim::exact(1), "the index of one class")?;
    Ok(vec![
        Fact::new(cx.ty("classes_index_type"), PartialShape::of([batch, cx.dim(0, 1)])),
        Fact::new(cx.ty("sequence_length_type"), PartialShape::of([batch])),
    ])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("CTCGreedyDecoderSeqLen", 6, ["f32[8,20,128]", "i32[8]"]).gives(["i32[8,20]", "i32[8]"]);
        op("CTCGreedyDecoderSeqLen", 6, ["f32[?,..20,128]", "i32[8]", "i64[1]"])
            .attr("classes_index_type", "i64")
            .gives(["i64[8,..20]", "i32[8]"]);
        op("CTCGreedyDecoderSeqLen", 6, ["f32[...]", "i32[...]", "i32[...]"]).gives(["i32[?,?]", "i32[?]"]);
    }

    #[test]
    fn errors() {
        let decoder = |lengths, blank| op("CTCGreedyDecoderSeqLen", 6, ["f32[8,20,128]", lengths, blank]);
        decoder("i32[9]", "i32[]")
            .fails("shape-conflict", "dimension 0 of `seq_len` is 9, dimension 0 of `logits` is 8");
        decoder("i32[8]", "i32[2]")
            .fails("shape-conflict", "dimension 0 of `blank` is 2, wanted 1: the index of one class");
        decoder("i32[8]", "f32[]").fails("input-type", "CTCGreedyDecoderSeqLen does not accept f32 at input 2 `blank`");
    }
}
