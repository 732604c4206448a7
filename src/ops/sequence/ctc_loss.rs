//! `CTCLoss`: the connectionist temporal classification loss of every sequence.
//!
//! - Spec: `sequence/ctc-loss-4`
//! - Shape: of `logits` `[N,T,C]`, lengths `[N]` and `labels` `[N,T]`, `[N]`.
//! - Errors: `input-rank`; `input-type`; `needs-type`; `shape-conflict` if N or T differ.

use crate::ops::prelude::*;

pub(super) static CTC_LOSS_4: OpSpec = OpSpec {
    inputs: &[
        Input::of("logits", REALS).ranks(&[3]).typed(),
        Input::of("logit_length", TypeSet::INTEGRAL).ranks(&[1]),
        Input::of("labels", TypeSet::INTEGRAL).ranks(&[2]),
        Input::of("label_length", TypeSet::INTEGRAL).ranks(&[1]),
        Input::of("blank_index", TypeSet::INTEGRAL).ranks(&[0]).optional(),
    ],
    attrs: &[
        Attr::optional("preprocess_collapse_repeated", Kind::Flag, "false"),
        Attr::optional("ctc_merge_repeated", Kind::Flag, "false"),
        Attr::optional("unique", Kind::Flag, "false"),
    ],
    ..OpSpec::new("CTCLoss", 4, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let batch = agreed_dim(cx, &[(0, 0), (1, 0), (2, 0), (3, 0)])?;
    agreed_dim(cx, &[(0, 1), (2, 1)])?;
    Ok(vec![Fact::new(cx.input(0).ty, PartialShape::of([batch]))])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("CTCLoss", 4, ["f32[8,20,128]", "i32[8]", "i64[8,20]", "i32[8]"]).gives(["f32[8]"]);
        op("CTCLoss", 4, ["f16[?,20,128]", "i32[..9]", "i32[...]", "i32[3..]", "i32[]"]).gives(["f16[3..9]"]);
    }

    #[test]
    fn errors() {
        let loss = |logits, labels, blank| op("CTCLoss", 4, [logits, "i32[8]", labels, "i32[8]", blank]);
        loss("f32[8,20,128]", "i32[7,20]", "i32[]")
            .fails("shape-conflict", "dimension 0 of `labels` is 7, dimension 0 of `logits` is 8");
        loss("f32[8,20,128]", "i32[8,21]", "i32[]")
            .fails("shape-conflict", "dimension 1 of `labels` is 21, dimension 1 of `logits` is 20");
        loss("i32[8,20,128]", "i32[8,20]", "i32[]")
            .fails("input-type", "CTCLoss does not accept i32 at input 0 `logits`");
        loss("f32[8,20,128]", "i32[8,20]", "i32[1]")
            .fails("input-rank", "`blank_index` of CTCLoss must be a scalar, but is i32[1]");
    }
}
