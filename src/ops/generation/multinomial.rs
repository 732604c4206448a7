//! `Multinomial`: draws classes by their probabilities.
//!
//! - Spec: `generation/multinomial-13`
//! - Shape: the rows of `probs`, `num_samples` columns; unknown if the rank of `probs` is.
//! - Errors: `input-type`; `index-type`; `input-rank`; `attribute-value`; `input-value` unless `num_samples` is one
//!   number, or if it is below 0 and not exact. An exact number below 0 is a warning, as OpenVINO reads -1 as any number
//!   and less as 0, and so is a negative seed.

use super::random_uniform::{GLOBAL_SEED, OP_SEED, check_seeds};
use crate::ops::prelude::*;

pub(super) static MULTINOMIAL_13: OpSpec = OpSpec {
    inputs: &[
        Input::of("probs", TypeSet::REAL).ranks(&[2]),
        Input::index("num_samples").lengths().if_ranked().ranks(&[0, 1]),
    ],
    attrs: &[
        Attr::optional("convert_type", Kind::Type, "dynamic"),
        Attr::optional("with_replacement", Kind::Flag, "false"),
        Attr::optional("log_probs", Kind::Flag, "false"),
        GLOBAL_SEED,
        OP_SEED,
    ],
    ..OpSpec::new("Multinomial", 13, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    check_seeds(cx);
    single(cx, 1)?;
    check_lengths(cx, 1, "-1 as any number and less as 0")?;
    let samples = cx.bounds(1).map_or(Dim::ANY, |bounds| shape_of(&bounds).dim(0));
    let shape = match cx.input(0).shape.dims() {
        Some([rows, ..]) => PartialShape::of([*rows, samples]),
        _ => PartialShape::UNKNOWN,
    };
    Ok(vec![Fact::new(cx.ty("convert_type"), shape)])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn draw(probs: &str, samples: &str) -> OpTest {
        op("Multinomial", 13, [probs, samples]).attr("convert_type", "i32")
    }

    #[test]
    fn shapes() {
        draw("f32[2,5]", "i64[] = 3").gives(["i32[2,3]"]);
        draw("f16[2..,5]", "i32[1] = 2..4").gives(["i32[2..,2..4]"]);
        draw("f32[2,?]", "u8[]").gives(["i32[2,?]"]);
        draw("f32[...]", "i64[] = 3").gives(["i32[...]"]);
        op("Multinomial", 13, ["f32[2,5]", "i64[] = 3"]).gives(["dynamic[2,3]"]);
    }

    #[test]
    fn errors() {
        draw("f32[5]", "i64[]").fails("input-rank", "`probs` of Multinomial must be of rank 2, but is f32[5]");
        draw("f32[2,5]", "i64[2]").fails("input-value", "`num_samples` must hold one number, its shape is [2]");
        draw("f32[2,5]", "i64[] = -1")
            .warns("input-value", "`num_samples` [-1] is below 0; OpenVINO reads -1 as any number and less as 0");
        draw("f32[2,5]", "i64[] = 3")
            .attr("global_seed", -1)
            .warns("attribute-value", "`global_seed` is -1, wanted 0 or more; OpenVINO reads 18446744073709551615")
            .gives(["i32[2,3]"]);
        draw("i32[2,5]", "i64[]").fails("input-type", "Multinomial does not accept i32 at input 0 `probs`");
        draw("f32[2,5]", "f32[]").fails("index-type", "`num_samples` must be of an integer type, but is f32");
    }
}
