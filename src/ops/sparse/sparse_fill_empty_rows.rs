//! `SparseFillEmptyRows`: a sparse matrix with a default value in every empty row.
//!
//! - Spec: `sparse/fill-empty-rows-16`
//! - Shape: the indices (pairs) and values with one more per empty row, and a flag per row. The number is known if `indices`
//!   is, else it is between the maximum and the sum of the numbers of values and rows.
//! - Errors: `input-rank`, `input-type`, `type-conflict`; `shape-conflict` unless there is a pair of indices per value;
//!   `input-value` for known indices outside `dense_shape`.
//! - Differs from OpenVINO: an unknown number of values is bounded, and `values` may be of unknown rank.

use crate::ops::prelude::*;

pub(super) static SPARSE_FILL_EMPTY_ROWS_16: OpSpec = OpSpec {
    inputs: &[
        Input::any("values").ranks(&[1]),
        Input::of("dense_shape", TypeSet::I32_OR_I64).ranks(&[1]).read().lengths(),
        Input::of("indices", TypeSet::I32_OR_I64).ranks(&[2]).reads_value(),
        Input::any("default_value").ranks(&[0]),
    ],
    outputs: Outputs::Exactly(3),
    ..OpSpec::new("SparseFillEmptyRows", 16, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    agreed_type(cx, &[1, 2])?;
    for (input, axis) in [(1, 0), (2, 1)] {
        let length = cx.dim(input, axis);
        if !length.admits(2) {
            let message = format!("dimension {axis} of `{}` is {length}, a matrix needs 2", cx.input_name(input));
            return Err(Fault::at(At::Input(input), &SHAPE_CONFLICT, message));
        }
    }
    let (values, pairs) = (cx.dim(0, 0), cx.dim(2, 0));
    let Some(before) = values.agree(pairs) else {
        let (s, s2) = (plural(pairs), plural(values));
        let message = format!("`indices` has {pairs} pair{s}, `values` has {values} element{s2}");
        return Err(misfit(cx, 2, &[0], message));
    };
    // OpenVINO reads -1 as an unknown length.
    let is_open = cx.constant(1).is_some_and(|lengths| lengths.iter().all(|length| *length >= -1));
    let extents = lengths(cx, 1, 2, if is_open { Runtime::Accepts } else { Runtime::Unknown })?;
    let (rows, columns) = (*extents.first().unwrap_or(&Dim::ANY), *extents.get(1).unwrap_or(&Dim::ANY));
    let after = match cx.constant(2) {
        Some(indices) => {
            check_indices(cx, &indices, rows, columns)?;
            let mut filled: Vec<i64> = indices.iter().step_by(2).copied().collect();
            filled.sort_unstable();
            filled.dedup();
            before.plus(rows.minus(Dim::of_count(filled.len())))
        }
        None => at_least(before.plus(rows), before.lower().max(rows.lower())),
    };
    Ok(vec![
        Fact::new(cx.input(2).ty, PartialShape::of([after, Dim::exact(2)])),
        Fact::new(cx.input(0).ty, PartialShape::of([after])),
        Fact::new(ElementType::Boolean, PartialShape::of([rows])),
    ])
}

/// The lengths from `lower` to the upper bound of `dim`.
fn at_least(dim: Dim, lower: i64) -> Dim {
    dim.upper().map_or(Dim::at_least(lower), |upper| Dim::between(lower, upper).unwrap_or(dim))
}

/// Checks that every pair of indices is in the matrix.
fn check_indices(cx: &InferCtx, indices: &[i64], rows: Dim, columns: Dim) -> Result<(), Fault> {
    let outside = |index: i64, extent: Dim| index < 0 || extent.upper().is_some_and(|upper| index >= upper);
    for (i, index) in indices.iter().enumerate() {
        let (what, extent) = if i % 2 == 0 { ("row", rows) } else { ("column", columns) };
        if outside(*index, extent) {
            let message = format!("`indices` holds {what} {index}, `dense_shape` has {extent} {what}s");
            let fault = Fault::at(At::Input(2), &INPUT_VALUE, message)
                .label(At::Input(1), format!("dense_shape = {}", cx.input(1)));
            // OpenVINO reads -1 as any length, and then checks no index.
            let is_open = cx.bounds(1).is_some_and(|lengths| lengths.iter().any(|length| length.value() == Some(-1)));
            return Err(fault.decided_if(!is_open));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    const INDICES: &str = "i32[4,2] = 0,0,1,1,3,3,4,4";

    #[test]
    fn shapes() {
        let fill = |values, shape, indices| op("SparseFillEmptyRows", 16, [values, shape, indices, "f32[]"]);
        fill("f32[4]", "i32[2] = 5,6", INDICES).gives(["i32[5,2]", "f32[5]", "boolean[5]"]);
        fill("f32[4]", "i32[2] = 5,6", "i32[4,2] = 4,0,1,1,3,3,3,4").gives(["i32[6,2]", "f32[6]", "boolean[5]"]);
        fill("f32[...]", "i32[2] = 5..7,6", INDICES).gives(["i32[5..7,2]", "f32[5..7]", "boolean[5..7]"]);
        fill("f32[4]", "i32[2]", "i32[?,?]").gives(["i32[4..,2]", "f32[4..]", "boolean[?]"]);
        fill("f32[3..4]", "i32[2] = 5,6", "i32[...]").gives(["i32[5..9,2]", "f32[5..9]", "boolean[5]"]);
        fill("f32[0]", "i64[2] = 5,6", "i64[0,2] = ").gives(["i64[5,2]", "f32[5]", "boolean[5]"]);
        fill("dynamic[?]", "dynamic[2]", "i64[?,2]").gives(["i64[?,2]", "dynamic[?]", "boolean[?]"]);
    }

    #[test]
    fn errors() {
        let fill = |values, shape, indices| op("SparseFillEmptyRows", 16, [values, shape, indices, "f32[]"]);
        fill("f32[4]", "i32[2] = 3,6", INDICES).fails("input-value", "`indices` holds row 3, `dense_shape` has 3 rows");
        fill("f32[4]", "i32[2] = 5,2", INDICES)
            .fails("input-value", "`indices` holds column 3, `dense_shape` has 2 columns");
        fill("f32[1]", "i32[2]", "i32[1,2] = -1,0")
            .fails("input-value", "`indices` holds row -1, `dense_shape` has ? rows");
        fill("f32[3]", "i32[2]", INDICES).fails("shape-conflict", "`indices` has 4 pairs, `values` has 3 elements");
        fill("f32[4]", "i32[3]", INDICES)
            .fails("shape-conflict", "dimension 0 of `dense_shape` is 3, a matrix needs 2");
        fill("f32[4]", "i32[2]", "i32[?,3]").fails("shape-conflict", "dimension 1 of `indices` is 3, a matrix needs 2");
        fill("f32[4]", "i64[2]", INDICES).fails("type-conflict", "`indices` is i32, `dense_shape` is i64");
        fill("f32[4]", "u8[2]", "dynamic[4,2]")
            .fails("input-type", "SparseFillEmptyRows does not accept u8 at input 1 `dense_shape`");
        fill("f32[2,2]", "i32[2]", INDICES)
            .fails("input-rank", "`values` of SparseFillEmptyRows must be a list (rank 1), but is f32[2,2]");
    }
}
