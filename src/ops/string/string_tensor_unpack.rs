//! `StringTensorUnpack`: the bytes of all strings in one list, with the begin and end of each.
//!
//! - Spec: `type/string-tensor-unpack-15`
//! - Shape: the positions have the shape of `data`, i32; the bytes are a list, u8, as long as constant strings are
//!   together, and empty if there is no string.
//! - Errors: `needs-type`, `input-type` unless `data` holds strings.

use crate::ops::prelude::*;

pub(super) static STRING_TENSOR_UNPACK_15: OpSpec = OpSpec {
    inputs: &[Input::of("data", TypeSet::of(&[ElementType::String])).typed().reads_value()],
    outputs: Outputs::Exactly(3),
    ..OpSpec::new("StringTensorUnpack", 15, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let strings = &cx.input(0).shape;
    let positions = Fact::new(ElementType::I32, strings.clone());
    let counted = cx.value(0).and_then(Value::string_bytes);
    let bytes = match counted {
        _ if strings.is_empty() => Dim::exact(0),
        Some(bytes) => Dim::exact(bytes),
        None => Dim::ANY,
    };
    Ok(vec![positions.clone(), positions, Fact::new(ElementType::U8, PartialShape::of([bytes]))])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("StringTensorUnpack", 15, ["string[2,?]"]).gives(["i32[2,?]", "i32[2,?]", "u8[?]"]);
        op("StringTensorUnpack", 15, ["string[2] = 7 bytes"]).gives(["i32[2]", "i32[2]", "u8[7]"]);
        op("StringTensorUnpack", 15, ["string[2] = *"]).gives(["i32[2]", "i32[2]", "u8[?]"]);
        op("StringTensorUnpack", 15, ["string[?,0]"]).gives(["i32[?,0]", "i32[?,0]", "u8[0]"]);
        op("StringTensorUnpack", 15, ["string[...]"]).gives(["i32[...]", "i32[...]", "u8[?]"]);
    }

    #[test]
    fn errors() {
        op("StringTensorUnpack", 15, ["u8[2]"])
            .fails("input-type", "StringTensorUnpack does not accept u8 at input 0 `data`");
    }
}
