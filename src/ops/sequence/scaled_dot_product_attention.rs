//! `ScaledDotProductAttention`: values weighted by how well queries match their keys.
//!
//! - Spec: `sequence/scaled-dot-product-attention`
//! - Shape: the broadcast batch of all inputs, the rows of `query`, the columns of `value`; a mask broadcasts batch and rows
//!   too, unless the attention is causal and ignores it. An unknown rank of `query` leaves the shape unknown, but the other
//!   inputs are still checked.
//! - Errors: `input-type`; `type-conflict`, except for a boolean mask; `input-rank`; `shape-conflict` for the batch, columns of
//!   `query` and `key`, for rows of `key` and `value`, for the mask and the sink; `input-value` for the scale.

use crate::ops::Recent;
use crate::ops::prelude::*;
use crate::ops::shared::broadcast::dims as broadcast;

pub(super) static SCALED_DOT_PRODUCT_ATTENTION_13: OpSpec = OpSpec {
    inputs: &[
        Input::of("query", TypeSet::REAL),
        Input::of("key", TypeSet::REAL),
        Input::of("value", TypeSet::REAL),
        Input::any("attention_mask").optional(),
        Input::of("scale", TypeSet::REAL).ranks(&[0, 1]).optional(),
        Input::of("sink", TypeSet::REAL).optional(),
    ],
    attrs: &[Attr::optional("causal", Kind::Flag, "false")],
    macs: Macs::Of(macs),
    recent: &[Recent {
        what: "a mask that is broadcast",
        first: release(2024, 3),
        attr: "causal",
        is_used: repeats_mask,
    }],
    waits: &[&SHAPE_CONFLICT],
    action: Action::Attends,
    ..OpSpec::new("ScaledDotProductAttention", 13, infer)
};

const MASK_TYPES: TypeSet = TypeSet::REAL.with(&[ElementType::Boolean, ElementType::Dynamic]);

const QUERY: usize = 0;
const KEY: usize = 1;
const VALUE: usize = 2;
const MASK: usize = 3;
const SCALE: usize = 4;
const SINK: usize = 5;

/// Whether the mask has one row for several of `query`, or one column for several of `key`, and is not ignored.
fn repeats_mask(inputs: &[Option<&Fact>], causal: Option<&str>) -> bool {
    if causal.is_some_and(|causal| causal.eq_ignore_ascii_case("true") || causal == "1") {
        return false;
    }
    let dims = |i: usize| inputs.get(i).copied().flatten()?.shape.dims();
    let rows = |i| dims(i)?.iter().nth_back(1).copied();
    let columns = dims(MASK).and_then(|mask| mask.last().copied());
    let is_repeated =
        |one: Option<Dim>, by: Option<Dim>| one == Some(Dim::exact(1)) && by.is_some_and(|by| !by.admits(1));
    is_repeated(rows(MASK), rows(QUERY)) || is_repeated(columns, rows(KEY))
}

/// Counts the two products of matrices: `query` by `key`, and the result by `value`.
fn macs(cx: &InferCtx, outputs: &[Fact]) -> Option<Vec<Vec<Dim>>> {
    let keys = *cx.input(KEY).shape.dims()?.iter().nth_back(1)?;
    let product = |tensor: &Fact| Some([tensor.shape.dims()?, &[keys]].concat());
    Some(vec![product(cx.input(QUERY))?, product(outputs.first()?)?])
}

/// The common dimensions of the inputs checked so far.
struct Agreed {
    batch: Vec<Dim>,
    rows: Dim,
    columns: Dim,
    keys: Dim,
}

fn infer(cx: &InferCtx) -> Inferred {
    // A causal attention creates its own mask.
    let mask = cx.input(MASK);
    let masked = cx.has_input(MASK) && !cx.flag("causal");
    if masked && !MASK_TYPES.has(mask.ty) {
        let message = format!("{} does not accept {} at input {MASK} `attention_mask`", cx.spec.name, mask.ty);
        return Err(Fault::at(At::Input(MASK), &INPUT_TYPE, message).primary(mask.ty.to_string()));
    }
    let joins = |i: &usize| *i != MASK || masked && mask.ty != ElementType::Boolean;
    let joined: Vec<usize> = (0..cx.inputs().len()).filter(joins).collect();
    let ty = same_type(cx, &joined)?;
    let runtime = if cx.has_input(SINK) { Runtime::Accepts } else { Runtime::Rejects };
    single(cx, SCALE).or_else(|fault| cx.pass(fault.runtime(runtime)))?;
    let mut agreed = Agreed { batch: Vec::new(), rows: Dim::ANY, columns: Dim::ANY, keys: Dim::ANY };
    let mut depth = Dim::ANY;
    if let Some((batch, rows, columns)) = matrices(cx, QUERY, 3)? {
        agreed = Agreed { batch: batch.to_vec(), rows, columns, ..agreed };
    }
    if let Some((batch, rows, columns)) = matrices(cx, KEY, 3)? {
        agreed.batch = stretched(cx, KEY, &agreed.batch, batch)?;
        agreed.columns =
            agreed.columns.agree(columns).ok_or_else(|| conflict(cx, KEY, "columns", columns, agreed.columns))?;
        agreed.keys = rows;
    }
    if let Some((batch, rows, columns)) = matrices(cx, VALUE, 3)? {
        agreed.batch = stretched(cx, VALUE, &agreed.batch, batch)?;
        agreed.keys = agreed.keys.agree(rows).ok_or_else(|| conflict(cx, VALUE, "rows", rows, agreed.keys))?;
        depth = columns;
    }
    if masked
        && mask.rank() != Some(0)
        && let Some((batch, rows, columns)) = matrices(cx, MASK, 2)?
    {
        agreed.batch = stretched(cx, MASK, &agreed.batch, batch)?;
        agreed.rows = agreed.rows.meet(rows).ok_or_else(|| conflict(cx, MASK, "rows", rows, agreed.rows))?;
        agreed.keys = agreed.keys.meet(columns).ok_or_else(|| conflict(cx, MASK, "columns", columns, agreed.keys))?;
    }
    if cx.input(QUERY).rank().is_none() {
        return unranked(ty);
    }
    check_sink(cx, &agreed)?;
    let dims = agreed.batch.into_iter().chain([agreed.rows, depth]);
    Ok(vec![Fact::new(ty, PartialShape::of(dims))])
}

type Matrices<'a> = (&'a [Dim], Dim, Dim);

/// Input `i` as batch, rows and columns; `None` if its rank is unknown or it is omitted.
fn matrices<'a>(cx: &'a InferCtx, i: usize, least: usize) -> Result<Option<Matrices<'a>>, Fault> {
    match cx.input(i).shape.dims() {
        None => Ok(None),
        Some([batch @ .., rows, columns]) if batch.len() + 2 >= least => Ok(Some((batch, *rows, *columns))),
        Some(_) => Err(few_dims(cx, i, least)),
    }
}

/// The broadcast of the batch so far and that of input `i`.
fn stretched(cx: &InferCtx, i: usize, before: &[Dim], batch: &[Dim]) -> Result<Vec<Dim>, Fault> {
    if cx.input(QUERY).rank().is_none() && i != VALUE {
        return Ok(batch.to_vec());
    }
    broadcast(before, batch)
        .map(|dims| dims.to_vec())
        .map_err(|(place, own, other)| conflict(cx, i, &format!("batch dimension {place}"), other, own))
}

fn conflict(cx: &InferCtx, i: usize, what: &str, own: Dim, other: Dim) -> Fault {
    let message = match what {
        "rows" | "columns" => format!("`{}` has {own} {what}, the inputs before it want {other}", cx.input_name(i)),
        _ => format!("{what} of `{}` is {own}, the inputs before it have {other}", cx.input_name(i)),
    };
    let shown = |fault: Fault, i: usize| fault.label(At::Input(i), format!("{}{}", cx.input(i).ty, cx.input(i).shape));
    (0..=i).fold(Fault::at(At::Input(i), &SHAPE_CONFLICT, message), shown)
}

/// Checks that the sink broadcasts to one column per query.
fn check_sink(cx: &InferCtx, agreed: &Agreed) -> Result<(), Fault> {
    let Some(sink) = cx.input(SINK).shape.dims() else { return Ok(()) };
    if let Some(last) = sink.last() {
        last.demand_equal(Dim::exact(1));
    }
    let wanted: Vec<Dim> = agreed.batch.iter().copied().chain([agreed.rows, Dim::exact(1)]).collect();
    if sink.len() == wanted.len() && broadcast(sink, &wanted).is_ok() && sink.last().is_none_or(|last| last.admits(1)) {
        return Ok(());
    }
    let message =
        format!("`sink` has shape {}, wanted one that fits {}", cx.input(SINK).shape, PartialShape::of(wanted));
    Err(Fault::at(At::Input(SINK), &SHAPE_CONFLICT, message))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn attend<const N: usize>(inputs: [&str; N]) -> OpTest {
        op("ScaledDotProductAttention", 13, inputs)
    }

    const Q: &str = "f32[2,8,10,64]";
    const K: &str = "f32[2,8,12,64]";
    const V: &str = "f32[2,8,12,32]";

    #[test]
    fn shapes() {
        attend([Q, K, V]).gives(["f32[2,8,10,32]"]);
        attend([Q, K, V, "boolean[10,12]"]).gives(["f32[2,8,10,32]"]);
        attend([Q, K, V, "i64[3]"]).attr("causal", true).gives(["f32[2,8,10,32]"]);
        attend([Q, K, V, "f32[]", "f32[1]"]).gives(["f32[2,8,10,32]"]);
        attend(["f32[?,?,?,?]", K, "f32[2,8,?,16..]"]).gives(["f32[2,8,?,16..]"]);
        attend(["f32[?,8,10,64]", "f32[8,12,64]", "f32[3..,1,12,32]"]).gives(["f32[3..,8,10,32]"]);
        attend(["f32[...]", K, V]).gives(["f32[...]"]);
        attend([Q, "dynamic[...]", "f32[...]"]).gives(["f32[2,8,10,?]"]);
        attend([Q, K, V, "f32[10,12]", "f32[]", "f32[1,8,1,1]"]).gives(["f32[2,8,10,32]"]);
    }

    #[test]
    fn errors() {
        attend([Q, "f32[2,4,12,64]", V])
            .fails("shape-conflict", "batch dimension 1 of `key` is 4, the inputs before it have 8");
        attend([Q, "f32[2,8,12,63]", V]).fails("shape-conflict", "`key` has 63 columns, the inputs before it want 64");
        attend([Q, K, "f32[2,8,13,32]"]).fails("shape-conflict", "`value` has 13 rows, the inputs before it want 12");
        attend([Q, K, V, "f32[9,12]"])
            .fails("shape-conflict", "`attention_mask` has 9 rows, the inputs before it want 10");
        attend([Q, K, V, "f32[12]"]).fails(
            "input-rank",
            "`attention_mask` of ScaledDotProductAttention must have at least 2 dimensions, but is f32[12]",
        );
        attend([Q, K, V, "i64[10,12]"])
            .fails("input-type", "ScaledDotProductAttention does not accept i64 at input 3 `attention_mask`");
        attend(["f32[10,64]", K, V]).fails(
            "input-rank",
            "`query` of ScaledDotProductAttention must have at least 3 dimensions, but is f32[10,64]",
        );
        attend([Q, K, V, "f32[]", "f32[2]"]).fails("input-value", "`scale` must hold one number, its shape is [2]");
        attend([Q, K, V, "f32[]", "f32[]", "f32[1,7,1,1]"])
            .fails("shape-conflict", "`sink` has shape [1,7,1,1], wanted one that fits [2,8,10,1]");
        attend([Q, "f16[2,8,12,64]", V]).fails("type-conflict", "input 1 is f16, input 0 is f32");
        attend(["i32[2,8,10,64]", K, V])
            .fails("input-type", "ScaledDotProductAttention does not accept i32 at input 0 `query`");
    }
}
