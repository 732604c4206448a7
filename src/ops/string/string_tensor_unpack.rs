//! `StringTensorUnpack`: the bytes of all strings in one list, with the positions where each begins and ends.
//!
//! - Spec: `type/string-tensor-unpack-15`
//! - Shape: the positions have the shape of `data`, i32; the bytes are a list of any length, u8,
//!   empty if there is no string.
//! - Errors: `needs-type`, `input-type` unless `data` holds strings.
//! - Differs from OpenVINO: the bytes of constant strings are not counted; an element type that is not known here may be
//!   strings.

use crate::ops::context::InferCtx;
use crate::ops::spec::{Eval, Inferred, Input, OpSpec, Outputs};
use crate::types::{Dim, ElementType, Fact, PartialShape, TypeSet};

pub(super) static STRING_TENSOR_UNPACK_15: OpSpec = OpSpec {
    name: "StringTensorUnpack",
    opset: 15,
    inputs: &[Input::of("data", TypeSet::of(&[ElementType::String])).typed()],
    attrs: &[],
    outputs: Outputs::Exactly(3),
    infer,
    eval: Eval::None,
};

fn infer(cx: &InferCtx) -> Inferred {
    let strings = &cx.input(0).shape;
    let positions = Fact::new(ElementType::I32, strings.clone());
    let bytes = if strings.is_empty() { Dim::exact(0) } else { Dim::ANY };
    Ok(vec![positions.clone(), positions, Fact::new(ElementType::U8, PartialShape::of([bytes]))])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("StringTensorUnpack", 15, ["string[2,?]"]).gives(["i32[2,?]", "i32[2,?]", "u8[?]"]);
        op("StringTensorUnpack", 15, ["string[?,0]"]).gives(["i32[?,0]", "i32[?,0]", "u8[0]"]);
        op("StringTensorUnpack", 15, ["string[...]"]).gives(["i32[...]", "i32[...]", "u8[?]"]);
    }

    #[test]
    fn errors() {
        op("StringTensorUnpack", 15, ["u8[2]"])
            .fails("input-type", "StringTensorUnpack does not accept u8 at input 0 `data`");
    }
}
