//! `RandomUniform`: evenly distributed random numbers.
//!
//! - Spec: `generation/random-uniform-8`
//! - Shape: the lengths in `shape`.
//! - Errors: `index-type`; `input-rank`; `attribute-value`; `type-conflict` if `min_val` or `max_val` are not of
//!   `output_type`; `needs-type`; `input-value` for several bounds and an empty interval.
//!   Negative lengths are a warning, as OpenVINO reads -1 as any length and less as 0, and so are negative seeds.
//! - Differs from OpenVINO: a `shape` of 1 to 4 lengths leaves the rank unknown, OpenVINO infers 4.

use crate::ops::prelude::*;
use crate::types::release;
use std::cmp::Ordering;

pub(super) static RANDOM_UNIFORM_8: OpSpec = OpSpec {
    inputs: &[
        Input::index("shape").lengths().types(TypeSet::I32_OR_I64).ranks(&[1]),
        Input::of("min_val", TYPES).ranks(&[0, 1]).reads_value().typed(),
        Input::of("max_val", TYPES).ranks(&[0, 1]).reads_value().typed(),
    ],
    attrs: &[
        Attr::required("output_type", Kind::Type),
        OP_SEED,
        GLOBAL_SEED,
        Attr::optional("alignment", Kind::Choice(&["tensorflow", "pytorch", "mock"]), "tensorflow")
            .strict_since(release(2024, 3)),
    ],
    ..OpSpec::new("RandomUniform", 8, infer)
};

pub(super) const OP_SEED: Attr = Attr::optional("op_seed", Kind::INT, "0");
pub(super) const GLOBAL_SEED: Attr = Attr::optional("global_seed", Kind::INT, "0");

const TYPES: TypeSet = TypeSet::of(&[
    ElementType::Bf16,
    ElementType::F16,
    ElementType::F32,
    ElementType::F64,
    ElementType::I32,
    ElementType::I64,
]);

/// Warns of negative seeds, which the specification excludes; OpenVINO reads them as unsigned 64-bit numbers.
pub(super) fn check_seeds(cx: &InferCtx) {
    for seed in [OP_SEED.name, GLOBAL_SEED.name] {
        let number = cx.int(seed);
        if number < 0 {
            let message = format!("`{seed}` is {number}, wanted 0 or more; OpenVINO reads {}", number.cast_unsigned());
            let fault = Fault::at(At::Attr(seed), &ATTRIBUTE_VALUE, message);
            cx.warn(fault.severity(Severity::Warning).runtime(Runtime::Accepts));
        }
    }
}

fn infer(cx: &InferCtx) -> Inferred {
    check_seeds(cx);
    let ty = cx.ty("output_type");
    if !TYPES.has(ty) {
        let names: Vec<&str> = TYPES.iter().map(ElementType::name).collect();
        let message = format!("`output_type=\"{ty}\"` of RandomUniform must be one of {}", names.join(", "));
        return Err(Fault::at(At::Attr("output_type"), &ATTRIBUTE_VALUE, message));
    }
    for i in 1..3 {
        single(cx, i)?;
        let own = cx.input(i).ty;
        if own.merge(ty).is_none() {
            let message = format!("`{}` is {own}, `output_type` is {ty}", cx.input_name(i));
            return Err(Fault::at(At::Input(i), &TYPE_CONFLICT, message).label(At::Attr("output_type"), ty.to_string()));
        }
    }
    let bound = |i: usize| cx.constant_floats(i).and_then(|all| all.first().copied());
    if let (Some(least), Some(most)) = (bound(1), bound(2))
        && least.partial_cmp(&most) != Some(Ordering::Less)
    {
        let message = format!("`min_val` {least} is not below `max_val` {most}");
        return Err(Fault::at(At::Input(1), &INPUT_VALUE, message).label(At::Input(2), most.to_string()));
    }
    check_lengths(cx, 0, NEGATIVES)?;
    let shape = listed(cx, 0).map_or(PartialShape::UNKNOWN, |list| shape_of(&list));
    Ok(vec![Fact::new(ty, shape)])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn random(inputs: [&str; 3]) -> OpTest {
        op("RandomUniform", 8, inputs).attr("output_type", "f32")
    }

    #[test]
    fn shapes() {
        random(["i64[2] = 2,3", "f32[] = 0", "f32[1] = 1"]).gives(["f32[2,3]"]);
        random(["i64[2] = 2..3,1..", "f32[]", "f32[?]"]).gives(["f32[2..3,1..]"]);
        random(["i32[3]", "f32[]", "f32[]"]).gives(["f32[?,?,?]"]);
        random(["dynamic[?]", "f32[]", "f32[]"]).gives(["f32[...]"]);
        random(["i64[0] = ", "f32[]", "f32[]"]).gives(["f32[]"]);
    }

    #[test]
    fn errors() {
        random(["i64[1] = -3", "f32[]", "f32[]"])
            .warns("input-value", "`shape` [-3] is below 0; OpenVINO reads -1 as any length and less as 0")
            .yields(["f32[0]"]);
        random(["i64[]", "f32[]", "f32[]"])
            .fails("input-rank", "`shape` of RandomUniform must be a list (rank 1), but is i64[]");
        random(["i64[1]", "f32[2]", "f32[]"]).fails("input-value", "`min_val` must hold one number, its shape is [2]");
        random(["i64[1]", "f32[] = 1", "f32[] = 1"]).fails("input-value", "`min_val` 1 is not below `max_val` 1");
        random(["i64[1]", "f32[] = NaN", "f32[] = 1"]).fails("input-value", "`min_val` NaN is not below `max_val` 1");
        random(["i64[1]", "f32[]", "f16[]"]).fails("type-conflict", "`max_val` is f16, `output_type` is f32");
        random(["i64[1]", "dynamic[]", "f32[]"]).fails(
            "needs-type",
            "the element type of `min_val` of RandomUniform is not known, wanted bf16, f16, f32, f64, i32 or i64",
        );
        random(["i64[1] = 2", "f32[]", "f32[]"])
            .attr("op_seed", -3)
            .warns("attribute-value", "`op_seed` is -3, wanted 0 or more; OpenVINO reads 18446744073709551613")
            .gives(["f32[2]"]);
        op("RandomUniform", 8, ["i64[1]", "f32[]", "f32[]"])
            .fails("missing-attribute", "RandomUniform has no `output_type`");
        op("RandomUniform", 8, ["i64[1]", "f32[]", "f32[]"]).attr("output_type", "u8").fails(
            "attribute-value",
            "`output_type=\"u8\"` of RandomUniform must be one of bf16, f16, f32, f64, i32, i64",
        );
    }
}
