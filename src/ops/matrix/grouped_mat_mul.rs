//! `GroupedMatMul`: one product of matrices per group.
//!
//! - Spec: `matrix/grouped-matmul-17`
//! - Shape: rows of `mat_a` and, as `mat_b` is stored transposed, rows of `mat_b`. A flat `mat_a` holds the rows of all groups,
//!   one after the other up to the `offsets`; else both have one matrix per group. An unknown rank leaves the shape unknown.
//! - Errors: `type-conflict`; `input-type`; `input-rank`; `shape-conflict`; `wrong-input-count` for a flat `mat_a` without
//!   offsets. OpenVINO lets the number of offsets differ from that of the groups; that is a warning.

use crate::ops::prelude::*;

pub(super) static GROUPED_MAT_MUL_17: OpSpec = OpSpec {
    inputs: &[
        Input::any("mat_a"),
        Input::any("mat_b"),
        Input::of("offsets", TypeSet::I32_OR_I64).ranks(&[1]).optional(),
    ],
    macs: Macs::Uncounted,
    waits: &[&INPUT_RANK],
    ..OpSpec::new("GroupedMatMul", 17, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let ty = agreed_type(cx, &[0, 1])?;
    let (Some(a), Some(b)) = (cx.input(0).shape.dims(), cx.input(1).shape.dims()) else { return unranked(ty) };
    let (rows, columns) = match (a, b) {
        ([rows, inner], [groups, columns, other]) => {
            agreed(cx, "columns", *inner, *other)?;
            check_offsets(cx, *groups)?;
            (vec![*rows], *columns)
        }
        ([groups, rows, inner], [others, columns, other]) => {
            agreed(cx, "columns", *inner, *other)?;
            (vec![agreed(cx, "groups", *groups, *others)?, *rows], *columns)
        }
        _ => {
            let message = format!("ranks {} and {} do not go together, wanted 2 and 3 or 3 and 3", a.len(), b.len());
            return Err(shown(cx, Fault::at(At::Input(1), &INPUT_RANK, message)));
        }
    };
    Ok(vec![Fact::new(ty, PartialShape::of(rows.into_iter().chain([columns])))])
}

/// A common dimension of both matrices.
fn agreed(cx: &InferCtx, what: &str, own: Dim, other: Dim) -> Result<Dim, Fault> {
    own.agree(other).ok_or_else(|| {
        let message = format!("`mat_a` has {own} {what}, `mat_b` has {other}");
        shown(cx, Fault::at(At::Input(1), &SHAPE_CONFLICT, message))
    })
}

fn check_offsets(cx: &InferCtx, groups: Dim) -> Result<(), Fault> {
    if !cx.has_input(2) {
        let message = "GroupedMatMul takes 3 inputs where `mat_a` has 2 dimensions, this layer has 2";
        return Err(Fault::at(At::Layer, &WRONG_INPUT_COUNT, message).runtime(Runtime::Rejects));
    }
    let count = cx.dim(2, 0);
    if count.merge(groups).is_none() {
        let message =
            format!("`offsets` has {count} element{s} for {groups} group{s2}", s = plural(count), s2 = plural(groups));
        let fault = Fault::at(At::Input(2), &SHAPE_CONFLICT, message).severity(Severity::Warning);
        cx.warn(shown(cx, fault.runtime(Runtime::Accepts)));
    }
    Ok(())
}

fn shown(cx: &InferCtx, fault: Fault) -> Fault {
    (0..2).fold(fault, |fault, i| fault.label(At::Input(i), format!("{}{}", cx.input(i).ty, cx.input(i).shape)))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn grouped<const N: usize>(inputs: [&str; N]) -> OpTest {
        op("GroupedMatMul", 17, inputs)
    }

    #[test]
    fn shapes() {
        grouped(["f32[10,4]", "f32[3,5,4]", "i32[3]"]).gives(["f32[10,5]"]);
        grouped(["f32[3,2,4]", "f32[3,5,4]"]).gives(["f32[3,2,5]"]);
        grouped(["f32[?,2,3..4]", "dynamic[2..3,?,4]"]).gives(["f32[2..3,2,?]"]);
        grouped(["f32[...]", "f32[3,5,4]", "i64[?]"]).gives(["f32[...]"]);
        grouped(["f32[10,4]", "f32[3,5,4]", "i32[...]"]).gives(["f32[10,5]"]);
    }

    #[test]
    fn errors() {
        grouped(["f32[10,4]", "f32[3,5,6]", "i32[3]"]).fails("shape-conflict", "`mat_a` has 4 columns, `mat_b` has 6");
        grouped(["f32[2,2,4]", "f32[3..4,5,4]"]).fails("shape-conflict", "`mat_a` has 2 groups, `mat_b` has 3..4");
        grouped(["f32[2,4]", "f32[5,4]"])
            .fails("input-rank", "ranks 2 and 2 do not go together, wanted 2 and 3 or 3 and 3");
        grouped(["f32[10,4]", "f32[3,5,4]"]).fails(
            "wrong-input-count",
            "GroupedMatMul takes 3 inputs where `mat_a` has 2 dimensions, this layer has 2",
        );
        grouped(["f32[10,4]", "f32[3,5,4]", "i32[2]"]).warns("shape-conflict", "`offsets` has 2 elements for 3 groups");
        grouped(["f32[10,4]", "f16[3,5,4]", "i32[3]"]).fails("type-conflict", "`mat_b` is f16, `mat_a` is f32");
        grouped(["f32[10,4]", "f32[3,5,4]", "i8[3]"])
            .fails("input-type", "GroupedMatMul does not accept i8 at input 2 `offsets`");
        grouped(["f32[10,4]", "f32[3,5,4]", "i32[1,3]"])
            .fails("input-rank", "`offsets` of GroupedMatMul must be a list (rank 1), but is i32[1,3]");
    }
}
