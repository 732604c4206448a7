//! `Eye`: matrices with ones on a diagonal.
//!
//! - Spec: `generation/eye-9`
//! - Shape: the lengths in `batch_shape`, then `num_rows` and `num_columns`; an unknown length of `batch_shape` leaves the
//!   rank unknown.
//! - Errors: `index-type`; `needs-type`; `input-rank`; `input-value` for lists of several numbers and negative lengths;
//!   `missing-attribute` without `output_type`, which OpenVINO reads and does not compile;
//!   in the batch these are a warning, as OpenVINO reads -1 as any length and less as 0.

use crate::ops::prelude::*;

pub(super) static EYE_9: OpSpec = OpSpec {
    inputs: &[
        index("num_rows").lengths().ranks(&[0, 1]),
        index("num_columns").lengths().ranks(&[0, 1]),
        index("diagonal_index").ranks(&[0, 1]),
        index("batch_shape").lengths().ranks(&[1]).optional(),
    ],
    attrs: &[Attr::compiled("output_type", Kind::Type, "dynamic")],
    eval: Eval::Compute(Bounding::Constants, eval),
    defers: Some(&INPUT_RANK),
    ..OpSpec::new("Eye", 9, infer)
};

const fn index(name: &'static str) -> Input {
    Input::index(name).types(TypeSet::I32_OR_I64).typed()
}

fn infer(cx: &InferCtx) -> Inferred {
    single(cx, 2)?;
    let matrix = [single_length(cx, 0)?, single_length(cx, 1)?];
    let batch = if cx.has_input(3) {
        check_lengths(cx, 3, NEGATIVES)?;
        listed(cx, 3).map_or(PartialShape::UNKNOWN, |list| shape_of(&list))
    } else {
        PartialShape::scalar()
    };
    let shape =
        batch.dims().map_or(PartialShape::UNKNOWN, |batch| PartialShape::of(batch.iter().copied().chain(matrix)));
    Ok(vec![Fact::new(given_type(cx, "output_type"), shape)])
}

fn eval(cx: &InferCtx, outputs: &[Fact]) -> Option<Vec<Value>> {
    let output = outputs.first()?;
    let diagonal = *cx.constant(2)?.first()?;
    let lengths = output.shape.lengths()?;
    let [.., rows, columns] = lengths[..] else { return None };
    let count = output.shape.elements().length()?;
    let ones = (0..count).map(|i| i % columns - i / columns % rows == diagonal);
    let value = if output.ty.is_float() {
        Value::floats(&output.shape, ones.map(|one| Bounds::exact(if one { 1.0 } else { 0.0 })))
    } else {
        Value::integers(&output.shape, ones.map(|one| Bounds::exact(i64::from(one))))
    };
    Some(vec![value?])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn eye<const N: usize>(inputs: [&str; N]) -> OpTest {
        op("Eye", 9, inputs).attr("output_type", "i32")
    }

    #[test]
    fn shapes() {
        eye(["i64[] = 3", "i32[1] = 4", "i64[]", "i64[2] = 2,0"]).gives(["i32[2,0,3,4]"]);
        eye(["i64[] = 3..5", "i32[]", "i64[]"]).gives(["i32[3..5,?]"]);
        eye(["i64[] = 3", "i64[] = 4", "i64[]", "i64[2] = 2..3,1.."]).gives(["i32[2..3,1..,3,4]"]);
        eye(["i64[] = 3", "i64[] = 4", "i64[]", "i64[2]"]).gives(["i32[?,?,3,4]"]);
        eye(["i64[] = 3", "i64[] = 4", "i64[]", "i64[?]"]).gives(["i32[...]"]);
        eye(["i32[1] = 0..2147483647", "i64[] = 4", "i64[]"]).gives(["i32[?,4]"]);
        op("Eye", 9, ["i64[] = 3", "i64[] = 4", "i64[]"]).passes(["dynamic[3,4]"]);
    }

    #[test]
    fn values() {
        eye(["i64[] = 2", "i64[] = 3", "i64[] = 1"]).gives(["i32[2,3] = 0,1,0,0,0,1"]);
        eye(["i64[] = 2", "i64[] = 1", "i64[] = -1", "i64[1] = 2"]).gives(["i32[2,2,1] = 0,1,0,1"]);
    }

    #[test]
    fn errors() {
        eye(["i64[] = -3", "i64[]", "i64[]"]).fails("input-value", "`num_rows` is -3, wanted a length from 0 on");
        eye(["i64[]", "i64[]", "i64[]", "i64[2] = 2,-1"])
            .warns("input-value", "`batch_shape` [2,-1] is below 0; OpenVINO reads -1 as any length and less as 0")
            .gives(["i32[2,?,?,?]"]);
        eye(["i64[2]", "i64[]", "i64[]"]).fails("input-value", "`num_rows` must hold one number, its shape is [2]");
        eye(["i64[]", "i64[]", "i64[]", "i64[]"])
            .fails("input-rank", "`batch_shape` of Eye must be a list (rank 1), but is i64[]");
        eye(["u8[]", "i64[]", "i64[]"]).fails("index-type", "`num_rows` is of type u8, it must be i32 or i64");
        eye(["i64[]", "dynamic[]", "i64[]"])
            .fails("needs-type", "the element type of `num_columns` of Eye is not known, wanted i32 or i64");
    }
}
