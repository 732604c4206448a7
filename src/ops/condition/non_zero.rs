//! `NonZero`: the coordinates of the elements that are not 0.
//!
//! - Spec: `condition/nonzero-3`
//! - Shape: one row per dimension of `data`, one column per element that is not 0: at most all elements and at least those
//!   whose bounds exclude 0. For a scalar, only the value determines the shape.
//! - Errors: `attribute-value`.
//! - Differs from OpenVINO: bounds are used; OpenVINO requires exact elements.

use crate::ops::prelude::*;
use crate::ops::shared::strides::strides;
use crate::types::Elements;

pub(super) static NON_ZERO_3: OpSpec = OpSpec {
    inputs: &[Input::any("data").reads_value()],
    attrs: &[index_type_attr("output_type")],
    eval: Eval::Compute(Bounding::Constants, eval),
    ..OpSpec::new("NonZero", 3, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let ty = index_type(cx, "output_type");
    let shape = &cx.input(0).shape;
    let count = cx.value(0).map(nonzero_count);
    let dims = match (shape.rank(), count) {
        (None, _) | (Some(0), None) => [Dim::ANY, Dim::ANY],
        // A scalar gives one row and one column, or none of either.
        (Some(0), Some(count)) => [count, count],
        (Some(rank), count) => {
            let most = shape.elements().upper().map_or(Dim::ANY, Dim::at_most);
            [Dim::of_count(rank), count.unwrap_or(most)]
        }
    };
    Ok(vec![Fact::new(ty, PartialShape::of(dims))])
}

/// The number of elements that are not 0.
fn nonzero_count(value: &Value) -> Dim {
    let states = states(value);
    let count = |wanted: fn(&Option<bool>) -> bool| i64::try_from(states.iter().filter(|one| wanted(one)).count());
    let certain = count(|one| *one == Some(true)).unwrap_or(0);
    let possible = count(|one| *one != Some(false)).unwrap_or(i64::MAX);
    Dim::between(certain, possible).unwrap_or(Dim::ANY)
}

/// For every element `true` if it is not 0; `None` if unknown.
fn states(value: &Value) -> Vec<Option<bool>> {
    let state = |zero: bool, only: bool| match (zero, only) {
        (true, true) => Some(false),
        (true, false) => None,
        (false, _) => Some(true),
    };
    match value.elements() {
        Elements::Opaque(count, _) => vec![None; *count],
        Elements::Integers(all) => all.iter().map(|one| state(one.admits(0), one.value().is_some())).collect(),
        Elements::Floats(all) => {
            all.iter().map(|one| state(one.lower <= 0.0 && one.upper >= 0.0, one.value().is_some())).collect()
        }
    }
}

/// Evaluates the coordinates, one row per dimension.
fn eval(cx: &InferCtx, outputs: &[Fact]) -> Option<Vec<Value>> {
    let shape = &cx.input(0).shape;
    let lengths = shape.sizes()?;
    let states: Option<Vec<bool>> = states(cx.value(0)?).into_iter().collect();
    let places: Vec<usize> = states?.iter().enumerate().filter(|(_, nonzero)| **nonzero).map(|(i, _)| i).collect();
    let coordinate = |place: usize| Bounds::exact(i64::try_from(place).unwrap_or(i64::MAX));
    let rows = lengths
        .iter()
        .zip(strides(&lengths))
        .flat_map(|(length, stride)| places.iter().map(move |place| coordinate(place / stride % length)));
    Some(vec![Value::integers(&outputs.first()?.shape, rows)?])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let non_zero = |data| op("NonZero", 3, [data]);
        non_zero("f32[2,3]").attr("output_type", "i32").gives(["i32[2,..6]"]);
        non_zero("f32[1..3,2..4]").gives(["i64[2,..12]"]);
        non_zero("string[2..,0]").gives(["i64[2,0]"]);
        non_zero("f32[2,?]").gives(["i64[2,?]"]);
        non_zero("f32[]").gives(["i64[?,?]"]);
        non_zero("f32[...]").gives(["i64[?,?]"]);
        non_zero("i64[3] = 0,1..3,0..2").gives(["i64[1,1..2]"]);
    }

    #[test]
    fn values() {
        op("NonZero", 3, ["f32[2,3] = 0,1,0,-0,0.5,2"]).gives(["i64[2,3] = 0,1,1,1,1,2"]);
        op("NonZero", 3, ["i64[] = 3"]).gives(["i64[1,1]"]);
        op("NonZero", 3, ["i64[] = 0"]).gives(["i64[0,0] = "]);
        op("NonZero", 3, ["boolean[3] = 1,0,1"]).gives(["i64[1,2] = 0,2"]);
    }

    #[test]
    fn errors() {
        op("NonZero", 3, ["f32[2]"])
            .attr("output_type", "f32")
            .fails("attribute-value", "`output_type=\"f32\"` of NonZero must be one of i64, i32");
    }
}
