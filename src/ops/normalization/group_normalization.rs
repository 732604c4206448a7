//! `GroupNormalization`: each group of channels brought to mean 0 and variance 1, then scaled and shifted.
//!
//! - Spec: `normalization/group-normalization-12`
//! - Shape: that of `data`, whose axis 1 is a multiple of `num_groups` and has as many channels as `scale` and `bias` have
//!   elements; of the type of `data`. OpenVINO checks the type of no other input.
//! - Errors: `input-rank`, `shape-conflict`, `attribute-value`.
//! - Differs from OpenVINO: `scale`, `bias` and `num_groups` narrow the number of channels, and it is an error if no number
//!   fits all of them.

use crate::ops::prelude::*;

pub(super) static GROUP_NORMALIZATION_12: OpSpec = OpSpec {
    inputs: &[Input::any("data"), Input::any("scale").ranks(&[1]), Input::any("bias").ranks(&[1])],
    attrs: &[Attr::required("num_groups", Kind::from(1)), Attr::optional("epsilon", Kind::Float, "0")],
    ..OpSpec::new("GroupNormalization", 12, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let data = cx.input(0);
    if data.rank().is_some_and(|rank| rank < 2) {
        return Err(few_dims(cx, 0, 2).primary(format!("shape {}", data.shape)));
    }
    let mut channels = cx.dim(0, 1);
    for list in [1, 2] {
        let length = cx.dim(list, 0);
        channels = channels.agree(length).ok_or_else(|| {
            // `bias` is compared with `scale` where these two differ, else with `data`.
            let from = usize::from(list == 2 && cx.dim(1, 0).agree(length).is_none());
            let names = (cx.input_name(list), cx.input_name(from));
            misfit(cx, list, &[from], format!("`{}` has {length} channels, `{}` has {channels}", names.0, names.1))
        })?;
    }
    let groups = cx.int("num_groups");
    let multiple = |channels: Dim| Some(channels.merge(Dim::at_least(groups))?.cut(groups)?.times(Dim::exact(groups)));
    channels.demand_at_least(Dim::exact(groups));
    let Some(multiple) = multiple(channels) else {
        let message = format!("{channels} channels do not make {groups} equal groups");
        let fault = Fault::at(At::Attr("num_groups"), &ATTRIBUTE_VALUE, message)
            .primary(format!("{channels} channel{s} / {groups}", s = plural(channels)))
            .label(At::Input(0), cx.shown(0));
        // OpenVINO checks the channels of the data only.
        cx.pass(if cx.dim(0, 1).is_exact() { fault } else { fault.runtime(Runtime::Accepts) })?;
        return Ok(vec![Fact::new(data.ty, data.shape.clone())]);
    };
    Ok(vec![Fact::new(data.ty, data.shape.with(1, multiple))])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn norm(data: &'static str, scale: &'static str, bias: &'static str, groups: i64) -> OpTest {
        op("GroupNormalization", 12, [data, scale, bias]).attr("num_groups", groups)
    }

    #[test]
    fn shapes() {
        norm("f32[2,6,4]", "f32[6]", "f32[6]", 3).gives(["f32[2,6,4]"]);
        norm("f32[2,?]", "f16[...]", "i64[6]", 3).gives(["f32[2,6]"]);
        norm("f32[2,5..11]", "f32[?]", "f32[?]", 4).gives(["f32[2,8]"]);
        norm("f32[2,?]", "f32[?]", "f32[?]", 4).gives(["f32[2,4..]"]);
        norm("f32[...]", "f32[6]", "f32[6]", 3).gives(["f32[...]"]);
    }

    #[test]
    fn only_channels_of_the_data_count() {
        norm("f32[2,?,3]", "f32[6]", "f32[6]", 4).passes(["f32[2,?,3]"]);
    }

    #[test]
    fn errors() {
        norm("f32[2,6]", "f32[6]", "f32[6]", 4).fails("attribute-value", "6 channels do not make 4 equal groups");
        norm("f32[2,5..7]", "f32[?]", "f32[?]", 4).fails("attribute-value", "5..7 channels do not make 4 equal groups");
        norm("f32[2,0]", "f32[0]", "f32[0]", 4).fails("attribute-value", "0 channels do not make 4 equal groups");
        norm("f32[2,6]", "f32[6]", "f32[6]", 0)
            .fails("attribute-value", "`num_groups=\"0\"` of GroupNormalization must be at least 1");
        op("GroupNormalization", 12, ["f32[2,6]", "f32[6]", "f32[6]"])
            .fails("missing-attribute", "GroupNormalization has no `num_groups`");
        norm("f32[2,6]", "f32[7]", "f32[6]", 3).fails("shape-conflict", "`scale` has 7 channels, `data` has 6");
        norm("f32[...]", "f32[6]", "f32[7]", 3).fails("shape-conflict", "`bias` has 7 channels, `scale` has 6");
        norm("f32[6]", "f32[6]", "f32[6]", 3)
            .fails("input-rank", "`data` of GroupNormalization must have at least 2 dimensions, but is f32[6]");
        norm("f32[2,6]", "f32[]", "f32[6]", 3)
            .fails("input-rank", "`scale` of GroupNormalization must be a list (rank 1), but is f32[]");
    }
}
