//! `MatMul`: products of matrices, over batches that broadcast.
//!
//! - Spec: `matrix/matmul-1`
//! - Shape: the broadcast batch, the rows of `a`, the columns of `b`. A list stands for a row as `a` and for a column as `b`,
//!   is never transposed, and leaves no dimension. While either rank is unknown, nothing is known.
//! - Errors: `type-conflict`; `input-rank` for scalars; `shape-conflict` for the inner dimension and the batch.
//! - Differs from OpenVINO: dimensions must fit also where one is dynamic; OpenVINO lets `1..2` columns meet 3 rows.

use crate::diagnostic::Runtime;
use crate::ops::context::InferCtx;
use crate::ops::fault::{At, Fault};
use crate::ops::rules::SHAPE_CONFLICT;
use crate::ops::shared::agreement::{agreed_type, least_rank};
use crate::ops::shared::broadcast;
use crate::ops::spec::{Attr, Eval, Inferred, Input, Kind, OpSpec, Outputs};
use crate::types::{Dim, Fact, PartialShape};

pub(super) static MAT_MUL_1: OpSpec = OpSpec {
    name: "MatMul",
    opset: 1,
    inputs: &[Input::any("a"), Input::any("b")],
    attrs: &[Attr::optional("transpose_a", Kind::Flag, "false"), Attr::optional("transpose_b", Kind::Flag, "false")],
    outputs: Outputs::Exactly(1),
    infer,
    eval: Eval::None,
};

/// One input taken apart: the batch, the dimension that stays and the one that is summed over.
struct Factor<'a> {
    batch: &'a [Dim],
    kept: Option<Dim>,
    inner: Dim,
}

impl<'a> Factor<'a> {
    /// The parts of a tensor whose rows (`rows`) or else columns stay; `None` for a scalar.
    fn of(dims: &'a [Dim], transposed: bool, rows: bool) -> Option<Self> {
        match dims {
            [] => None,
            [inner] => Some(Self { batch: &[], kept: None, inner: *inner }),
            [batch @ .., first, last] if rows == transposed => Some(Self { batch, kept: Some(*last), inner: *first }),
            [batch @ .., first, last] => Some(Self { batch, kept: Some(*first), inner: *last }),
        }
    }
}

fn infer(cx: &InferCtx) -> Inferred {
    let ty = agreed_type(cx, &[0, 1])?;
    least_rank(cx, 0, 1)?;
    least_rank(cx, 1, 1)?;
    let (Some(a), Some(b)) = (cx.input(0).shape.dims(), cx.input(1).shape.dims()) else {
        return Ok(vec![Fact::new(ty, PartialShape::UNKNOWN)]);
    };
    let factors = (Factor::of(a, cx.flag("transpose_a"), true), Factor::of(b, cx.flag("transpose_b"), false));
    let (Some(a), Some(b)) = factors else { return Ok(vec![Fact::new(ty, PartialShape::UNKNOWN)]) };
    if a.inner.merge(b.inner).is_none() {
        let message = format!("`a` has {} columns, `b` has {} rows", a.inner, b.inner);
        return Err(turned(cx, conflict(cx, message, a.inner, b.inner)));
    }
    let batch = broadcast::dims(a.batch, b.batch).map_err(|(i, own, other)| {
        conflict(cx, format!("batch dimension {i} is {own} in `a` and {other} in `b`"), own, other)
    })?;
    let dims = batch.into_iter().chain(a.kept).chain(b.kept);
    Ok(vec![Fact::new(ty, PartialShape::of(dims))])
}

/// The fault of two dimensions that never fit; OpenVINO minds only where both are exact.
fn conflict(cx: &InferCtx, message: String, own: Dim, other: Dim) -> Fault {
    let runtime = if own.is_exact() && other.is_exact() { Runtime::Rejects } else { Runtime::Accepts };
    let (a, b) = (cx.input(0), cx.input(1));
    let turned = |attr: &str| if cx.flag(attr) { ", transposed" } else { "" };
    Fault::at(At::Input(1), &SHAPE_CONFLICT, message)
        .runtime(runtime)
        .primary(format!("{}{}{}", b.ty, b.shape, turned("transpose_b")))
        .label(At::Input(0), format!("{}{}{}", a.ty, a.shape, turned("transpose_a")))
}

/// The fault, and whether turning `b` would cure it.
fn turned(cx: &InferCtx, fault: Fault) -> Fault {
    let (a, b) = (&cx.input(0).shape, &cx.input(1).shape);
    let (Some(a), Some(b)) = (a.dims(), b.dims()) else { return fault };
    let other = Factor::of(b, !cx.flag("transpose_b"), false);
    let fits =
        Factor::of(a, cx.flag("transpose_a"), true).zip(other).is_some_and(|(a, b)| a.inner.merge(b.inner).is_some());
    if fits { fault.help(format!("`transpose_b=\"{}\"` would fit", !cx.flag("transpose_b"))) } else { fault }
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn mat_mul(a: &str, b: &str) -> OpTest {
        op("MatMul", 1, [a, b])
    }

    #[test]
    fn shapes() {
        mat_mul("f32[2,3]", "f32[3,4]").gives(["f32[2,4]"]);
        mat_mul("f32[3]", "f32[3]").gives(["f32[]"]);
        mat_mul("f32[3]", "f32[5,3,4]").gives(["f32[5,4]"]);
        mat_mul("f32[5,2,3]", "f32[3]").gives(["f32[5,2]"]);
        mat_mul("f32[3]", "f32[3,4]").attr("transpose_a", true).gives(["f32[4]"]);
        mat_mul("f32[3,2]", "f32[4,3]").attr("transpose_a", true).attr("transpose_b", true).gives(["f32[2,4]"]);
        mat_mul("f32[7,1,2,?]", "f32[5,3..,1..4]").gives(["f32[7,5,2,1..4]"]);
        mat_mul("f32[2..5,2,3]", "f32[3..9,3,4]").gives(["f32[3..5,2,4]"]);
        mat_mul("f32[?,2,3]", "dynamic[1,3,4]").gives(["f32[?,2,4]"]);
        mat_mul("f32[...]", "f32[3,4]").gives(["f32[...]"]);
        mat_mul("f32[2,0]", "f32[0,4]").gives(["f32[2,4]"]);
    }

    #[test]
    fn errors() {
        mat_mul("f32[2,3]", "f32[4,5]").fails("shape-conflict", "`a` has 3 columns, `b` has 4 rows");
        mat_mul("f32[2,3]", "f32[4,3]").fails("shape-conflict", "`a` has 3 columns, `b` has 4 rows");
        mat_mul("f32[2,1..2]", "f32[3,5]").fails("shape-conflict", "`a` has 1..2 columns, `b` has 3 rows");
        mat_mul("f32[2,2,3]", "f32[5,3,4]").fails("shape-conflict", "batch dimension 0 is 2 in `a` and 5 in `b`");
        mat_mul("f32[]", "f32[...]").fails("input-rank", "`a` of MatMul must be of rank 1 or more, it is f32[]");
        mat_mul("f32[2,3]", "f16[3,4]").fails("type-conflict", "`b` is f16, `a` is f32");
    }
}
