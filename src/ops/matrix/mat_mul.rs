//! `MatMul`: products of matrices, over batches that broadcast.
//!
//! - Spec: `matrix/matmul-1`
//! - Shape: the broadcast batch, the rows of `a`, the columns of `b`. A list is a row as `a` and a column as `b`, is never
//!   transposed, and gives no dimension. If either rank is unknown, so is the shape.
//! - Errors: `type-conflict`; `input-rank` for scalars; `shape-conflict` for the inner dimension and the batch.
//! - Differs from OpenVINO: dynamic dimensions must fit too; OpenVINO accepts `1..2` columns and 3 rows.

use crate::diagnostic::Hint;
use crate::ops::prelude::*;
use crate::ops::shared::broadcast::{self, Mode, broadcast_view};
use crate::ops::shared::elementwise::{self, wholes};
use crate::ops::shared::strides::strides;
use crate::ops::shared::totals::sum;
use crate::types::float_interval;
use smallvec::smallvec;

pub(super) static MAT_MUL_1: OpSpec = OpSpec {
    inputs: &[Input::any("a"), Input::any("b")],
    attrs: &[Attr::optional("transpose_a", Kind::Flag, "false"), Attr::optional("transpose_b", Kind::Flag, "false")],
    eval: Eval::Compute(Bounding::Constants, eval),
    macs: Macs::Of(macs),
    waits: &[&INPUT_RANK],
    ..OpSpec::new("MatMul", 1, infer)
};

/// The dimensions of an input, or their lengths and strides: the batch, the kept dimension and the inner dimension, which is
/// summed over.
struct Factor<'a, T> {
    batch: &'a [T],
    kept: Option<T>,
    inner: T,
}

impl<'a, T: Copy> Factor<'a, T> {
    /// Splits the dimensions of a tensor of which the rows (`rows`) or the columns are kept; `None` for a scalar.
    fn of(dims: &'a [T], transposed: bool, rows: bool) -> Option<Self> {
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
    for i in [0, 1] {
        least_rank(cx, i, 1).map_err(|fault| fault.late_unless(cx.input(1 - i).rank().is_some()))?;
    }
    let (Some(a), Some(b)) = (cx.input(0).shape.dims(), cx.input(1).shape.dims()) else { return unranked(ty) };
    let factors = (Factor::of(a, cx.flag("transpose_a"), true), Factor::of(b, cx.flag("transpose_b"), false));
    let (Some(a), Some(b)) = factors else { return unranked(ty) };
    if a.inner.agree(b.inner).is_none() {
        let message = format!("`a` has {} columns, but `b` has {} rows", a.inner, b.inner);
        cx.pass(turned(cx, conflict(cx, message, a.inner, b.inner)))?;
    }
    let batch = match broadcast::dims(a.batch, b.batch) {
        Ok(batch) => batch,
        Err((i, own, other)) => {
            let message = format!("batch dimension {i} is {own} in `a` and {other} in `b`");
            cx.pass(conflict(cx, message, own, other))?;
            smallvec![Dim::ANY; a.batch.len().max(b.batch.len())]
        }
    };
    let dims = batch.into_iter().chain(a.kept).chain(b.kept);
    Ok(vec![Fact::new(ty, PartialShape::of(dims))])
}

/// Counts the products: the elements of the output times the inner dimension.
fn macs(cx: &InferCtx, outputs: &[Fact]) -> Option<Vec<Vec<Dim>>> {
    let a = Factor::of(cx.input(0).shape.dims()?, cx.flag("transpose_a"), true)?;
    let b = Factor::of(cx.input(1).shape.dims()?, cx.flag("transpose_b"), false)?;
    let inner = if a.inner.is_exact() { a.inner } else { b.inner };
    Some(vec![[outputs.first()?.shape.dims()?, &[inner]].concat()])
}

/// Limit for the evaluated products; shape computations need far fewer.
const MOST_PRODUCTS: usize = 1 << 20;

fn eval(cx: &InferCtx, outputs: &[Fact]) -> Option<Vec<Value>> {
    let output = outputs.first()?;
    let (count, whole) = (output.shape.count()?, output.shape.sizes()?);
    let layout = |i: usize| -> Option<Vec<(usize, usize)>> {
        let sizes = cx.input(i).shape.sizes()?;
        Some(sizes.iter().copied().zip(strides(&sizes)).collect())
    };
    let (a, b) = (layout(0)?, layout(1)?);
    let (a, b) = (Factor::of(&a, cx.flag("transpose_a"), true)?, Factor::of(&b, cx.flag("transpose_b"), false)?);
    let batch = whole.get(..whole.len().checked_sub(usize::from(a.kept.is_some()) + usize::from(b.kept.is_some()))?)?;
    let view = |own: &[(usize, usize)]| {
        broadcast_view(Mode::Numpy, &own.iter().map(|(length, _)| *length).collect::<Vec<_>>(), batch)
    };
    let of_batch = [view(a.batch)?, view(b.batch)?];
    let (rows, columns) = (a.kept.map_or(1, |(length, _)| length), b.kept.map_or(1, |(length, _)| length));
    let inner = a.inner.0;
    if b.inner.0 != inner || count.checked_mul(inner)? > MOST_PRODUCTS {
        return None;
    }
    // The offsets of the factors of output element `i`.
    let factors = |i: usize| {
        let (matrix, row, column) = (i / (rows * columns), i / columns % rows, i % columns);
        let start = |factor: &Factor<(usize, usize)>, matrix: usize, kept: usize| {
            let (length, distance) = factor.kept.unwrap_or((1, 0));
            matrix * length * factor.inner.0 + kept * distance
        };
        let (a_start, b_start) =
            (start(&a, of_batch[0].offset(matrix), row), start(&b, of_batch[1].offset(matrix), column));
        (0..inner).map(move |n| (a_start + n * a.inner.1, b_start + n * b.inner.1))
    };
    let (ty, a, b) = (output.ty, cx.value(0)?, cx.value(1)?);
    if let (Some(a), Some(b)) = (a.as_floats(), b.as_floats()) {
        let result = |i| {
            let products = factors(i).map(|(x, y)| Some(float_interval::times(*a.get(x)?, *b.get(y)?)));
            products.collect::<Option<Vec<_>>>().map_or(Bounds::<f64>::ANY, |products| sum(ty, &products))
        };
        return elementwise::reals(output, result);
    }
    let (a, b) = (a.as_integers()?, b.as_integers()?);
    let result = |i| {
        let product =
            |(x, y): (usize, usize)| Some(Interval::of(ty, *a.get(x)?).times(Interval::of(ty, *b.get(y)?)).wrapped(ty));
        let mut sum = Interval::exact(0);
        for factors in factors(i) {
            sum = sum.plus(product(factors)?).wrapped(ty);
        }
        sum.bounds(ty)
    };
    wholes(output, result)
}

/// The fault of two dimensions that never fit, which OpenVINO rejects only if both are exact.
fn conflict(cx: &InferCtx, message: String, own: Dim, other: Dim) -> Fault {
    let runtime = if own.is_exact() && other.is_exact() { Runtime::Rejects } else { Runtime::Accepts };
    let (a, b) = (cx.input(0), cx.input(1));
    let turned = |attr: &str| if cx.flag(attr) { ", transposed" } else { "" };
    Fault::at(At::Input(1), &SHAPE_CONFLICT, message)
        .runtime(runtime)
        .primary(format!("{}{}{}", b.ty, b.shape, turned("transpose_b")))
        .label(At::Input(0), format!("{}{}{}", a.ty, a.shape, turned("transpose_a")))
}

/// Adds a hint to the fault if transposing `b` would fix it.
fn turned(cx: &InferCtx, fault: Fault) -> Fault {
    let (a, b) = (&cx.input(0).shape, &cx.input(1).shape);
    let (Some(a), Some(b)) = (a.dims(), b.dims()) else { return fault };
    let other = Factor::of(b, !cx.flag("transpose_b"), false);
    let fits =
        Factor::of(a, cx.flag("transpose_a"), true).zip(other).is_some_and(|(a, b)| a.inner.agree(b.inner).is_some());
    if !fits {
        return fault;
    }
    fault.help(Hint::Fits(format!("`transpose_b=\"{}\"` would fit", !cx.flag("transpose_b")).into()))
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
    fn inexact_lengths_pass() {
        mat_mul("f32[2,1..2]", "f32[3,5]").passes(["f32[2,5]"]);
        mat_mul("f32[2..3,4,3]", "f32[5,3,5]").passes(["f32[?,4,5]"]);
    }

    #[test]
    fn values() {
        mat_mul("i64[2] = 2,3", "i64[2] = 4,5").gives(["i64[] = 23"]);
        mat_mul("i64[2] = 2..3,?", "i64[2] = 4,0").gives(["i64[] = 8..12"]);
        mat_mul("i32[1] = 1048576", "i32[1] = 1048576").gives(["i32[] = 0"]);
        let (a, b) = ("f32[2,2] = 1,2,3,4", "f32[2,3] = 5,6,7,8,9,10");
        mat_mul(a, b).gives(["f32[2,3] = 21,24,27,47,54,61"]);
        mat_mul(a, b).attr("transpose_a", true).gives(["f32[2,3] = 29,33,37,42,48,54"]);
        mat_mul(b, "f32[2,3] = 1,0,2,0,1,0").attr("transpose_b", true).gives(["f32[2,2] = 19,6,28,9"]);
        mat_mul("f32[2] = 1,2", b).gives(["f32[3] = 21,24,27"]);
        mat_mul(a, "f32[2] = 1,2").gives(["f32[2] = 5,11"]);
        mat_mul("i64[2,1,1,2] = 1,2,3,4", "i64[2,2,1] = 1,2,3,4").gives(["i64[2,2,1,1] = 5,11,11,25"]);
        mat_mul("f16[1] = 300", "f16[1] = 300").gives(["f16[] = inf"]);
        mat_mul("f16[2] = 300,-300", "f16[2] = 300,300").gives(["f16[]"]);
        mat_mul("f32[0] = ", "f32[0] = ").gives(["f32[] = 0"]);
        mat_mul("f32[0,0] = ", "f32[0] = ").gives(["f32[0] = "]);
    }

    #[test]
    fn errors() {
        mat_mul("f32[2,3]", "f32[4,5]").fails("shape-conflict", "`a` has 3 columns, but `b` has 4 rows");
        mat_mul("f32[2,3]", "f32[4,3]").fails("shape-conflict", "`a` has 3 columns, but `b` has 4 rows");
        mat_mul("f32[2,1..2]", "f32[3,5]").fails("shape-conflict", "`a` has 1..2 columns, but `b` has 3 rows");
        mat_mul("f32[2,2,3]", "f32[5,3,4]").fails("shape-conflict", "batch dimension 0 is 2 in `a` and 5 in `b`");
        mat_mul("f32[]", "f32[...]").fails("input-rank", "`a` of MatMul must be of rank 1 or more, but is f32[]");
        mat_mul("f32[2,3]", "f16[3,4]").fails("type-conflict", "`b` is f16, `a` is f32");
    }
}
