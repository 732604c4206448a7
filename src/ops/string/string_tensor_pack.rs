//! `StringTensorPack`: strings cut out of a list of bytes.
//!
//! - Spec: `type/string-tensor-pack-15`
//! - Shape: the one that `begins` and `ends` share; strings.
//! - Errors: `input-type`, `needs-type`, `type-conflict`; `input-rank` unless `symbols` is a list; `shape-conflict`; `input-value` where
//!   known positions are negative, go down or lie behind the last byte.
//! - Differs from OpenVINO: an unknown element type fits the others.

use crate::ops::prelude::*;

pub(super) static STRING_TENSOR_PACK_15: OpSpec = OpSpec {
    inputs: &[
        Input::of("begins", TypeSet::I32_OR_I64).typed(),
        Input::of("ends", TypeSet::I32_OR_I64).typed(),
        Input::of("symbols", TypeSet::of(&[ElementType::U8])).ranks(&[1]).typed(),
    ],
    demands: None,
    ..OpSpec::new("StringTensorPack", 15, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    agreed_type(cx, &[0, 1])?;
    let (begins, ends) = (&cx.input(0).shape, &cx.input(1).shape);
    let Some(shape) = begins.agree(ends) else {
        return Err(misfit(cx, 1, &[0], format!("`ends` has shape {ends}, `begins` has {begins}")));
    };
    check_positions(cx, 0)?;
    check_positions(cx, 1)?;
    Ok(vec![Fact::new(ElementType::String, shape)])
}

/// Checks that known positions are not negative, do not decrease and do not exceed the last byte.
fn check_positions(cx: &InferCtx, input: usize) -> Result<(), Fault> {
    let Some(positions) = cx.bounds(input) else { return Ok(()) };
    let name = cx.input_name(input);
    let wrong = |message: String| Err(Fault::at(At::Input(input), &INPUT_VALUE, message));
    if let Some(negative) = positions.iter().find(|position| position.upper < 0) {
        return wrong(format!("`{name}` holds {}, positions start at 0", negative.upper));
    }
    let pairs = positions.iter().zip(positions.iter().skip(1));
    if let Some((before, after)) = pairs.into_iter().find(|(before, after)| before.lower > after.upper) {
        return wrong(format!("`{name}` goes down from {} to {}", before.lower, after.upper));
    }
    let Some(bytes) = cx.dim(2, 0).upper() else { return Ok(()) };
    match positions.iter().find(|position| position.lower > bytes) {
        Some(beyond) => wrong(format!("`{name}` holds {}, `symbols` has {bytes} bytes", beyond.lower)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let pack = |begins, ends, symbols| op("StringTensorPack", 15, [begins, ends, symbols]);
        pack("i32[2,?]", "i32[..3,3]", "u8[100]").gives(["string[2,3]"]);
        pack("i64[...]", "i64[2]", "u8[...]").gives(["string[2]"]);
        pack("i64[2] = 0,1", "i64[2] = 1,3", "u8[3]").gives(["string[2]"]);
        pack("i64[2] = 0,1", "i64[2] = 1,4", "u8[?]").gives(["string[2]"]);
        pack("i64[0] = ", "i64[0]", "u8[0]").gives(["string[0]"]);
    }

    #[test]
    fn errors() {
        let pack = |begins, ends, symbols| op("StringTensorPack", 15, [begins, ends, symbols]);
        pack("i64[2] = 0,1", "i64[2] = 1,4", "u8[3]").fails("input-value", "`ends` holds 4, `symbols` has 3 bytes");
        pack("i64[2] = -1,1", "i64[2]", "u8[3]").fails("input-value", "`begins` holds -1, positions start at 0");
        pack("i64[2] = 2,1", "i64[2]", "u8[3]").fails("input-value", "`begins` goes down from 2 to 1");
        pack("i64[2]", "i64[3]", "u8[3]").fails("shape-conflict", "`ends` has shape [3], `begins` has [2]");
        pack("i64[2]", "i32[2]", "u8[3]").fails("type-conflict", "`ends` is i32, `begins` is i64");
        pack("i64[2]", "i64[2]", "u8[]")
            .fails("input-rank", "`symbols` of StringTensorPack must be a list (rank 1), but is u8[]");
        pack("i64[2]", "i64[2]", "i8[3]")
            .fails("input-type", "StringTensorPack does not accept i8 at input 2 `symbols`");
    }
}
