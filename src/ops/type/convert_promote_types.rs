//! `ConvertPromoteTypes`: two tensors converted to a common type.
//!
//! - Spec: `type/convert-promote-types-14`
//! - Shape: each output has the shape of its input; both are of the common type. With `pytorch_scalar_promotion` the type of
//!   a tensor takes precedence over a scalar of the same kind. If unknown ranks leave open which is the scalar and the type
//!   depends on that, but is dynamic.
//! - Errors: `type-conflict` if the common type may lose digits or range and `promote_unsafe` is not set; `input-type`.
//! - Differs from OpenVINO: an unknown rank matters only if it changes the type.

use super::convert::converted;
use crate::ops::prelude::*;
use crate::types::ElementType as T;

pub(super) static CONVERT_PROMOTE_TYPES_14: OpSpec = OpSpec {
    inputs: &[Input::of("input_0", PROMOTABLE), Input::of("input_1", PROMOTABLE)],
    attrs: &[
        Attr::optional("promote_unsafe", Kind::Flag, "false"),
        Attr::optional("pytorch_scalar_promotion", Kind::Flag, "false"),
        Attr::optional("u64_integer_promotion_target", Kind::Type, "f32"),
    ],
    outputs: Outputs::Exactly(2),
    eval: Eval::Compute(Bounding::Never, |cx, outputs| {
        outputs.iter().enumerate().map(|(i, out)| converted(cx, i, out)).collect()
    }),
    ..OpSpec::new("ConvertPromoteTypes", 14, infer)
};

const PROMOTABLE: TypeSet =
    TypeSet::NUMERIC.with(&[T::Boolean]).without(&[T::U2, T::U3, T::U6, T::Nf4, T::F4e2m1, T::F8e8m0]);

fn infer(cx: &InferCtx) -> Inferred {
    let (a, b) = (cx.input(0), cx.input(1));
    let ty = if a.ty == T::Dynamic || b.ty == T::Dynamic { T::Dynamic } else { common(cx)? };
    Ok(vec![Fact::new(ty, a.shape.clone()), Fact::new(ty, b.shape.clone())])
}

/// The common type; `dynamic` if it depends on ranks that are unknown.
fn common(cx: &InferCtx) -> Result<T, Fault> {
    let open =
        |i: usize| cx.input(i).rank().map_or(&[true, false][..], |rank| if rank == 0 { &[true] } else { &[false] });
    let (a, b) = (cx.input(0).ty, cx.input(1).ty);
    let mut found = Vec::new();
    let mut refused = "";
    for (a_scalar, b_scalar) in open(0).iter().flat_map(|a| open(1).iter().map(move |b| (*a, *b))) {
        let by_scalar = cx.flag("pytorch_scalar_promotion") && a_scalar != b_scalar;
        match if by_scalar && b_scalar {
            over_scalar(cx, a, b)
        } else if by_scalar {
            over_scalar(cx, b, a)
        } else {
            promoted(cx, a, b)
        } {
            Ok(ty) => found.push(ty),
            Err(why) => refused = why,
        }
    }
    match found[..] {
        [] => Err(Fault::at(At::Input(1), &TYPE_CONFLICT, format!("{a} and {b} have no common type: {refused}"))
            .primary(b.to_string())
            .label(At::Input(0), a.to_string())
            .help("`promote_unsafe=\"true\"` accepts the loss")),
        [first, ref others @ ..] if others.iter().all(|other| *other == first) => Ok(first),
        _ => Ok(T::Dynamic),
    }
}

/// The kind of a type: 0 for booleans, 1 for whole numbers, 2 for others.
fn kind(ty: T) -> u8 {
    if ty == T::Boolean { 0 } else { 1 + u8::from(ty.is_float()) }
}

fn is_unsigned(ty: T) -> bool {
    ty.integer_range().is_some_and(|(lowest, _)| lowest == 0)
}

/// The common type of a tensor and a scalar: that of the tensor, unless the scalar is of a higher kind.
fn over_scalar(cx: &InferCtx, tensor: T, scalar: T) -> Result<T, &'static str> {
    if kind(tensor) != kind(scalar) || tensor == scalar {
        return promoted(cx, tensor, scalar);
    }
    let wide = scalar.bits() <= tensor.bits() && (is_unsigned(scalar) || !is_unsigned(tensor));
    if wide || cx.flag("promote_unsafe") { Ok(tensor) } else { Err("the scalar may not fit the tensor's type") }
}

fn promoted(cx: &InferCtx, a: T, b: T) -> Result<T, &'static str> {
    let is_unsafe = cx.flag("promote_unsafe");
    let larger = if a.bits() > b.bits() { a } else { b };
    match (kind(a), kind(b)) {
        _ if a == b => Ok(a),
        (0, _) => Ok(b),
        (_, 0) => Ok(a),
        (2, 2) if a.bits() != b.bits() => Ok(larger),
        (2, 2) if !is_unsafe => Err("they are equally wide"),
        (2, 2) => Ok(if a.bits() == 8 { T::F16 } else { T::F32 }),
        (2, _) | (_, 2) => {
            let (float, whole) = if kind(a) == 2 { (a, b) } else { (b, a) };
            let wide = float.bits() >= 2 * whole.bits();
            if wide || is_unsafe { Ok(float) } else { Err("the integer may lose digits") }
        }
        _ if is_unsigned(a) == is_unsigned(b) => Ok(larger),
        _ => {
            let (signed, unsigned) = if is_unsigned(a) { (b, a) } else { (a, b) };
            match unsigned.bits() {
                _ if signed.bits() >= 2 * unsigned.bits() => Ok(signed),
                _ if !is_unsafe => Err("the unsigned integer may not fit the signed type"),
                64 => Ok(cx.ty("u64_integer_promotion_target")),
                32 => Ok(T::I64),
                16 => Ok(T::I32),
                8 => Ok(T::I16),
                _ => Ok(T::I8),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let promote = |a, b| op("ConvertPromoteTypes", 14, [a, b]);
        let lossy = |a, b| promote(a, b).attr("promote_unsafe", "true");
        promote("f32[2,?]", "f16[...]").gives(["f32[2,?]", "f32[...]"]);
        promote("boolean[2]", "u8[3] = 1,2,3").gives(["u8[2] = 0..1,0..1", "u8[3] = 1,2,3"]);
        promote("f8e4m3[2]", "f16[2]").gives(["f16[2]", "f16[2]"]);
        promote("u16[2]", "i32[2]").gives(["i32[2]", "i32[2]"]);
        promote("dynamic[2]", "i32[2]").gives(["dynamic[2]", "dynamic[2]"]);
        lossy("f16[2]", "bf16[2]").gives(["f32[2]", "f32[2]"]);
        lossy("f8e5m2[2]", "f8e4m3[2]").gives(["f16[2]", "f16[2]"]);
        lossy("i64[2]", "f16[2]").gives(["f16[2]", "f16[2]"]);
        lossy("u8[?]", "i8[?]").gives(["i16[?]", "i16[?]"]);
        lossy("u64[?]", "i8[?]").gives(["f32[?]", "f32[?]"]);
        lossy("i4[?]", "u4[?]").gives(["i8[?]", "i8[?]"]);
        lossy("u64[?]", "i8[?]").attr("u64_integer_promotion_target", "i64").gives(["i64[?]", "i64[?]"]);
    }

    #[test]
    fn scalars_give_way() {
        let promote = |a, b| op("ConvertPromoteTypes", 14, [a, b]).attr("pytorch_scalar_promotion", "true");
        promote("i32[2]", "i16[]").gives(["i32[2]", "i32[]"]);
        promote("i8[]", "u8[2]").attr("promote_unsafe", "true").gives(["u8[]", "u8[2]"]);
        promote("f16[2]", "f32[]").attr("promote_unsafe", "true").gives(["f16[2]", "f16[]"]);
        promote("u8[2]", "f16[]").gives(["f16[2]", "f16[]"]);
        promote("f16[...]", "f32[]").attr("promote_unsafe", "true").gives(["dynamic[...]", "dynamic[]"]);
        promote("f16[...]", "u8[]").gives(["f16[...]", "f16[]"]);
        promote("f16[]", "f32[]").gives(["f32[]", "f32[]"]);
    }

    #[test]
    fn errors() {
        let promote = |a, b| op("ConvertPromoteTypes", 14, [a, b]);
        promote("f16[2]", "bf16[2]").fails("type-conflict", "f16 and bf16 have no common type: they are equally wide");
        promote("i32[2]", "f16[2]")
            .fails("type-conflict", "i32 and f16 have no common type: the integer may lose digits");
        promote("u8[2]", "i8[2]")
            .fails("type-conflict", "u8 and i8 have no common type: the unsigned integer may not fit the signed type");
        promote("u8[2]", "u16[]")
            .attr("pytorch_scalar_promotion", "true")
            .fails("type-conflict", "u8 and u16 have no common type: the scalar may not fit the tensor's type");
        promote("string[2]", "f16[2]")
            .fails("input-type", "ConvertPromoteTypes does not accept string at input 0 `input_0`");
    }
}
