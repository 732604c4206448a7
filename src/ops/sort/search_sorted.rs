//! `SearchSorted`: the insertion indices of values in a sorted sequence.
//!
//! - Spec: `sort/search-sorted-15`
//! - Shape: that of `values`; unless `sorted` is one list for all, the dimensions before the last are the intersection of
//!   both.
//! - Errors: `type-conflict`; `attribute-value`; `input-rank` for a scalar sequence; `shape-conflict`.

use crate::ops::prelude::*;

pub(super) static SEARCH_SORTED_15: OpSpec = OpSpec {
    inputs: &[Input::any("sorted"), Input::any("values")],
    attrs: &[Attr::optional("right_mode", Kind::Flag, "false"), index_type_attr("output_type")],
    ..OpSpec::new("SearchSorted", 15, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    agreed_type(cx, &[0, 1])?;
    least_rank(cx, 0, 1)?;
    let ty = index_type(cx, "output_type");
    let (sorted, values) = (&cx.input(0).shape, &cx.input(1).shape);
    let rows = match sorted.dims() {
        None | Some([] | [_]) => return Ok(vec![Fact::new(ty, values.clone())]),
        Some([rows @ .., _]) => PartialShape::of(rows.iter().copied().chain([Dim::ANY])),
    };
    let shape = rows.agree(values).ok_or_else(|| {
        let message = format!("`values` has shape {values}, wanted one that fits {rows}");
        Fault::at(At::Input(1), &SHAPE_CONFLICT, message)
            .label(At::Input(0), format!("sorted = {}{sorted}", cx.input(0).ty))
    })?;
    Ok(vec![Fact::new(ty, shape)])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let search = |sorted, values| op("SearchSorted", 15, [sorted, values]);
        search("f32[2,5]", "f32[2,7]").attr("output_type", "i32").gives(["i32[2,7]"]);
        search("f32[5]", "f32[3,4]").gives(["i64[3,4]"]);
        search("f32[?,5]", "f32[2..3,?]").gives(["i64[2..3,?]"]);
        search("f32[2,5]", "f32[...]").gives(["i64[2,?]"]);
        search("dynamic[...]", "f32[]").gives(["i64[]"]);
    }

    #[test]
    fn errors() {
        let search = |sorted, values| op("SearchSorted", 15, [sorted, values]);
        search("f32[2,5]", "f32[3,5]").fails("shape-conflict", "`values` has shape [3,5], wanted one that fits [2,?]");
        search("f32[2,5]", "f32[2]").fails("shape-conflict", "`values` has shape [2], wanted one that fits [2,?]");
        search("f32[]", "f32[2]")
            .fails("input-rank", "`sorted` of SearchSorted must be of rank 1 or more, but is f32[]");
        search("f32[2]", "f16[2]").fails("type-conflict", "`values` is f16, `sorted` is f32");
        search("f32[2]", "f32[2]")
            .attr("output_type", "u8")
            .fails("attribute-value", "`output_type=\"u8\"` of SearchSorted must be one of i64, i32");
    }
}
