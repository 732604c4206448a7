//! `FakeConvert`: numbers rounded to an 8-bit floating-point type.
//!
//! - Spec: `quantization/fake-convert-13`
//! - Shape: that of `data`, to which `scale` broadcasts; `shift` has the shape of `scale`. All have the same type.
//! - Errors: `input-type` but for f32, f16 and bf16; `type-conflict`, `shape-conflict`; `attribute-value` unless
//!   `destination_type` is f8e4m3 or f8e5m2.
//! - Differs from OpenVINO: a `scale` of unknown rank does not hide the shape of `data`, and `shift` narrows `scale`.

use crate::diagnostic::Refusal;
use crate::ops::prelude::*;
use crate::ops::shared::broadcast::broadcast_to;

const TYPES: TypeSet = TypeSet::of(&[ElementType::F32, ElementType::F16, ElementType::Bf16]);

pub(super) static FAKE_CONVERT_13: OpSpec = OpSpec {
    inputs: &[Input::of("data", TYPES), Input::of("scale", TYPES), Input::of("shift", TYPES).optional()],
    attrs: &[Attr::optional("destination_type", Kind::Type, "f8e4m3")],
    waits: &[&SHAPE_CONFLICT],
    ..OpSpec::new("FakeConvert", 13, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let to = cx.ty("destination_type");
    if !matches!(to, ElementType::F8e4m3 | ElementType::F8e5m2) {
        let message = format!("`destination_type=\"{to}\"` of FakeConvert must be f8e4m3 or f8e5m2");
        return Err(Fault::at(At::Attr("destination_type"), &ATTRIBUTE_VALUE, message));
    }
    let ty = agreed_type(cx, &[0, 1, 2]).map_err(|fault| fault.refused(Refusal::Unnamed))?;
    let (scale, shift) = (&cx.input(1).shape, &cx.input(2).shape);
    let Some(both) = scale.agree(shift) else {
        return Err(misfit(cx, 2, &[1], format!("`shift` has shape {shift}, `scale` has {scale}")));
    };
    let data = &cx.input(0).shape;
    // OpenVINO compares the data with the scale alone.
    let shape = broadcast_to(data, &both)
        .map_err(|message| misfit(cx, 1, &[0], message).late_unless(broadcast_to(data, scale).is_err()))?;
    Ok(vec![Fact::new(ty, shape)])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("FakeConvert", 13, ["f32[2,3]", "f32[3]"]).gives(["f32[2,3]"]);
        op("FakeConvert", 13, ["f32[?,3]", "f32[2,1]", "f32[...]"]).gives(["f32[2,3]"]);
        op("FakeConvert", 13, ["dynamic[...]", "bf16[3]"]).gives(["bf16[...]"]);
        op("FakeConvert", 13, ["f16[2..9]", "f16[..5]", "f16[?]"])
            .attr("destination_type", "f8e5m2")
            .gives(["f16[2..9]"]);
    }

    #[test]
    fn errors() {
        let convert = |data, scale, shift| op("FakeConvert", 13, [data, scale, shift]);
        convert("f32[1,3]", "f32[2,1]", "f32[2,1]")
            .fails("shape-conflict", "cannot stretch [2,1] to [1,3]: 2 meets 1 at axis 0");
        convert("f32[3]", "f32[1,3]", "f32[...]")
            .fails("shape-conflict", "cannot stretch [1,3] to [3], which has fewer dimensions");
        convert("f32[3]", "f32[1]", "f32[]").fails("shape-conflict", "`shift` has shape [], `scale` has [1]");
        convert("f32[3]", "f32[1]", "f16[1]").fails("type-conflict", "`shift` is f16, `data` is f32");
        convert("f64[3]", "dynamic[1]", "dynamic[1]")
            .fails("input-type", "FakeConvert does not accept f64 at input 0 `data`");
        convert("f32[3]", "f32[]", "f32[]")
            .attr("destination_type", "i8")
            .fails("attribute-value", "`destination_type=\"i8\"` of FakeConvert must be f8e4m3 or f8e5m2");
    }
}
