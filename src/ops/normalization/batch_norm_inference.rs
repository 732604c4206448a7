//! `BatchNormInference`: each channel normalized by given statistics, scaled and shifted.
//!
//! - Spec: `normalization/batch-norm-inference-1`, `normalization/batch-norm-inference-5`
//! - Shape: that of `data`, whose axis 1 has as many channels, at least one, as the four lists have elements; of the
//!   floating-point type that all five share.
//! - Errors: `input-rank`, `shape-conflict`, `type-conflict`, `input-type`; `attribute-value` for a negative `epsilon`.
//! - Revisions: in opset1 `data` is the third input, in opset5 the first.

use crate::ops::prelude::*;

const DATA: Input = Input::of("data", TypeSet::REAL);
const GAMMA: Input = Input::of("gamma", TypeSet::REAL).ranks(&[1]);
const BETA: Input = Input::of("beta", TypeSet::REAL).ranks(&[1]);
const MEAN: Input = Input::of("mean", TypeSet::REAL).ranks(&[1]);
const VARIANCE: Input = Input::of("variance", TypeSet::REAL).ranks(&[1]);

pub(super) static BATCH_NORM_INFERENCE_1: OpSpec = OpSpec {
    inputs: &[GAMMA, BETA, DATA, MEAN, VARIANCE],
    attrs: &[Attr::optional("epsilon", Kind::Float, "0")],
    ..OpSpec::new("BatchNormInference", 1, |cx| infer(cx, 2))
};

pub(super) static BATCH_NORM_INFERENCE_5: OpSpec = OpSpec {
    opset: 5,
    inputs: &[DATA, GAMMA, BETA, MEAN, VARIANCE],
    infer: |cx| infer(cx, 0),
    ..BATCH_NORM_INFERENCE_1
};

fn infer(cx: &InferCtx, data: usize) -> Inferred {
    let epsilon = cx.float("epsilon");
    if epsilon < 0.0 || epsilon.is_nan() {
        let message = format!("`epsilon` is {epsilon}, wanted 0 or more");
        return Err(Fault::at(At::Attr("epsilon"), &ATTRIBUTE_VALUE, message));
    }
    let ty = agreed_type(cx, &[0, 1, 2, 3, 4])?;
    let shape = &cx.input(data).shape;
    if shape.rank().is_some_and(|rank| rank < 2) {
        return Err(few_dims(cx, data, 2).primary(format!("shape {shape}")));
    }
    let mut channels = shape.dim(1);
    let mut from = data;
    for list in (0..5).filter(|i| *i != data) {
        let length = cx.dim(list, 0);
        channels = channels.agree(length).ok_or_else(|| {
            let names = (cx.input_name(list), cx.input_name(from));
            misfit(cx, list, &[from], format!("`{}` has {length} channels, `{}` has {channels}", names.0, names.1))
        })?;
        from = if cx.dim(list, 0).is_exact() { list } else { from };
    }
    channels.demand_at_least(Dim::exact(1));
    let Some(channels) = channels.merge(Dim::at_least(1)) else {
        let message = format!("{} needs at least one channel, it has 0", cx.spec.name);
        return Err(Fault::at(At::Input(data), &SHAPE_CONFLICT, message).primary(format!("shape {shape}")));
    };
    Ok(vec![Fact::new(ty, shape.with(1, channels))])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn norm(data: &'static str, gamma: &'static str, beta: &'static str) -> OpTest {
        op("BatchNormInference", 5, [data, gamma, beta, "f32[...]", "f32[?]"])
    }

    #[test]
    fn shapes() {
        norm("f32[2,3,4]", "f32[3]", "f32[3]").gives(["f32[2,3,4]"]);
        norm("f32[?,?]", "f32[2..4]", "f32[3..9]").gives(["f32[?,3..4]"]);
        norm("f32[2,?,4]", "f32[?]", "f32[...]").gives(["f32[2,1..,4]"]);
        norm("dynamic[...]", "f32[3]", "f32[3]").gives(["f32[...]"]);
        op("BatchNormInference", 1, ["f16[3]", "f16[3]", "f16[2,3]", "f16[3]", "f16[3]"]).gives(["f16[2,3]"]);
    }

    #[test]
    fn errors() {
        norm("f32[2,4]", "f32[3]", "f32[3]").fails("shape-conflict", "`gamma` has 3 channels, `data` has 4");
        norm("f32[...]", "f32[3]", "f32[4]").fails("shape-conflict", "`beta` has 4 channels, `gamma` has 3");
        norm("f32[2,0]", "f32[?]", "f32[?]")
            .fails("shape-conflict", "BatchNormInference needs at least one channel, it has 0");
        norm("f32[3]", "f32[3]", "f32[3]")
            .fails("input-rank", "`data` of BatchNormInference must have at least 2 dimensions, but is f32[3]");
        norm("f32[2,3]", "f32[1,3]", "f32[3]")
            .fails("input-rank", "`gamma` of BatchNormInference must be a list (rank 1), but is f32[1,3]");
        norm("f32[2,3]", "f16[3]", "f32[3]").fails("type-conflict", "`gamma` is f16, `data` is f32");
        norm("i64[2,3]", "dynamic[3]", "dynamic[3]")
            .fails("input-type", "BatchNormInference does not accept i64 at input 0 `data`");
        norm("f32[2,3]", "f32[3]", "f32[3]")
            .attr("epsilon", "nan")
            .fails("attribute-value", "`epsilon` is NaN, wanted 0 or more");
        norm("f32[2,3]", "f32[3]", "f32[3]")
            .attr("epsilon", "-1")
            .fails("attribute-value", "`epsilon` is -1, wanted 0 or more");
    }
}
