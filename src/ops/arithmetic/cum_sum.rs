//! `CumSum`: running sums along one axis.
//!
//! - Spec: `arithmetic/cumsum-3`
//! - Shape: that of `data`.
//! - Errors: `index-type`; `needs-type`. OpenVINO checks neither the rank nor the value of the axis; an axis out of range is
//!   a warning.

use crate::ops::prelude::*;

pub(super) static CUM_SUM_3: OpSpec = OpSpec {
    inputs: &[Input::any("data"), Input { is_index: true, ..Input::of("axis", TypeSet::I32_OR_I64).typed() }],
    attrs: &[Attr::optional("exclusive", Kind::Flag, "false"), Attr::optional("reverse", Kind::Flag, "false")],
    ..OpSpec::new("CumSum", 3, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let data = cx.input(0);
    let scalar = data.rank() == Some(0) && cx.constant(1).is_some_and(|axis| matches!(axis[..], [0 | -1]));
    if !scalar && let Err(fault) = cx.axis(1, 0) {
        cx.warn(fault.severity(Severity::Warning).runtime(Runtime::Accepts));
    }
    Ok(vec![Fact::new(data.ty, data.shape.clone())])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("CumSum", 3, ["f32[2,3..]", "i64[] = 1"]).gives(["f32[2,3..]"]);
        op("CumSum", 3, ["boolean[...]", "i32[1]"]).gives(["boolean[...]"]);
        op("CumSum", 3, ["f32[]", "i64[] = 0"]).gives(["f32[]"]);
    }

    #[test]
    fn errors() {
        op("CumSum", 3, ["f32[2]", "i64[] = 1"]).warns("axis-range", "axis 1 is outside -1..0");
        op("CumSum", 3, ["f32[2]", "u8[] = 0"]).fails("index-type", "`axis` is of type u8, it must be i32 or i64");
        op("CumSum", 3, ["f32[2]", "dynamic[]"])
            .fails("needs-type", "the element type of `axis` of CumSum is not known, wanted i32 or i64");
        op("CumSum", 3, ["f32[2]"]).fails("wrong-input-count", "CumSum takes 2 inputs, this layer has 1");
    }
}
