//! `SoftMax`: the exponentials along one axis divided by their sum.
//!
//! - Spec: `activation/softmax-1` (`axis` from 0 on), `-8` (negative axes, default 1)
//! - Shape: that of the input.
//! - Errors: `axis-range`; `attribute-value` for a negative axis (-1). A scalar has axis 0.

use crate::ops::prelude::*;

pub(super) static SOFTMAX_1: OpSpec = OpSpec {
    inputs: &[Input::any("data")],
    attrs: &[Attr::optional("axis", Kind::COUNT, "0").checked(Checked::Ranked)],
    action: Action::Scores,
    ..OpSpec::new("SoftMax", 1, infer)
};

pub(super) static SOFTMAX_8: OpSpec =
    OpSpec { opset: 8, attrs: &[Attr::optional("axis", Kind::INT, "1")], ..SOFTMAX_1 };

pub(super) fn infer(cx: &InferCtx) -> Inferred {
    let data = cx.input(0);
    let axis = cx.int("axis");
    match data.rank() {
        Some(0) if matches!(axis, 0 | -1) => {}
        Some(rank) => {
            let shown = |fault: Fault| fault.label(At::Input(0), format!("{}{}", data.ty, data.shape));
            cx.normalize(At::Attr("axis"), axis, rank).map_err(shown)?;
        }
        None => {}
    }
    Ok(vec![Fact::new(data.ty, data.shape.clone())])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("SoftMax", 1, ["f32[2,3]"]).gives(["f32[2,3]"]);
        op("SoftMax", 8, ["f16[2..4,?]"]).attr("axis", -1).gives(["f16[2..4,?]"]);
        op("SoftMax", 8, ["f32[...]"]).attr("axis", 7).gives(["f32[...]"]);
        op("SoftMax", 8, ["f32[]"]).attr("axis", -1).gives(["f32[]"]);
    }

    #[test]
    fn errors() {
        op("SoftMax", 8, ["f32[2]"]).fails("axis-range", "axis 1 is outside -1..0");
        op("SoftMax", 1, ["f32[2,3]"]).attr("axis", 2).fails("axis-range", "axis 2 is outside -2..1");
        op("SoftMax", 1, ["f32[2,3]"])
            .attr("axis", -1)
            .fails("attribute-value", "`axis=\"-1\"` of SoftMax must be at least 0");
        op("SoftMax", 8, ["f32[]"]).fails("axis-range", "axis 1 does not exist: the tensor is a scalar");
    }
}
