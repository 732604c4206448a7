//! `AdaptiveAvgPool`: the mean of a window per output element, for a given output size.
//!
//! - Spec: `pooling/adaptive-avg-pool-8`
//! - Shape: batches and channels of `data`, then the lengths in `output_shape`.
//! - Errors: `input-rank`; `shape-conflict` if `output_shape` does not fit the spatial dimensions; `input-value` if it
//!   holds a negative length.
//! - Differs from OpenVINO: the number of elements in `output_shape` determines an unknown rank; OpenVINO reads -1 as an
//!   unknown length and less as 0.

use crate::ops::prelude::*;

pub(super) static ADAPTIVE_AVG_POOL_8: OpSpec = OpSpec {
    inputs: INPUTS,
    ..OpSpec::new("AdaptiveAvgPool", 8, |cx| Ok(vec![Fact::new(cx.input(0).ty, pooled(cx)?)]))
};

pub(super) const INPUTS: &[Input] =
    &[Input::any("data").ranks(&[3, 4, 5]), Input::index("output_shape").types(TypeSet::ANY).if_ranked().lengths()];

pub(super) fn pooled(cx: &InferCtx) -> Result<PartialShape, Fault> {
    if cx.input(1).rank().is_some_and(|rank| rank != 1) {
        // OpenVINO uses the first of several dimensions as the number of elements.
        let is_counted = cx.input(0).rank().zip(cx.dim(1, 0).length());
        let is_other = is_counted.is_some_and(|(rank, count)| i64::try_from(rank).map(|rank| rank - 2) != Ok(count));
        let is_refused = cx.input(1).rank() == Some(0) || is_other;
        let fault = wrong_rank(cx, 1, "a list (rank 1)");
        return Err(fault.decided_if(is_refused && cx.input(0).rank().is_some()));
    }
    let listed = || cx.dim(1, 0).size().filter(|count| *count <= 3);
    let Some(spatial) = cx.input(0).rank().map(|rank| rank.saturating_sub(2)).or_else(listed) else {
        return Ok(PartialShape::UNKNOWN);
    };
    let mut dims = vec![cx.dim(0, 0), cx.dim(0, 1)];
    dims.extend(lengths(cx, 1, spatial, Runtime::Accepts)?);
    Ok(PartialShape::of(dims))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let pool = |data, lengths| op("AdaptiveAvgPool", 8, [data, lengths]);
        pool("f32[1,3,9,8]", "i64[2] = 4,5").gives(["f32[1,3,4,5]"]);
        pool("f32[..2,?,9,0]", "i64[2] = 2..4,?").gives(["f32[..2,?,2..4,?]"]);
        pool("f32[1,3,9,8]", "i64[?]").gives(["f32[1,3,?,?]"]);
        pool("f32[...]", "i32[1] = 4").gives(["f32[?,?,4]"]);
        pool("f32[...]", "i32[...]").gives(["f32[...]"]);
        pool("f32[1,3,9]", "f32[1] = 4.5")
            .warns("float-index", "`output_shape` is f32; OpenVINO truncates its values to integers")
            .gives(["f32[1,3,4]"]);
    }

    #[test]
    fn constants_below_0_are_read() {
        op("AdaptiveAvgPool", 8, ["f32[1,2,5,6]", "i64[2] = -1,3"]).passes(["f32[1,2,?,3]"]);
        op("AdaptiveAvgPool", 8, ["f32[1,2,5,6]", "i64[2] = -5,3"]).passes(["f32[1,2,0,3]"]);
    }

    #[test]
    fn errors() {
        let pool = |data, lengths| op("AdaptiveAvgPool", 8, [data, lengths]);
        pool("f32[1,3,9,8]", "i64[3] = 4,5,6")
            .fails("shape-conflict", "`output_shape` has 3 elements for 2 spatial dimensions");
        pool("f32[1,3,9,8]", "i64[2] = -1,5")
            .fails("input-value", "`output_shape` requests a length of -1, wanted 0 or more");
        pool("f32[1,3,9,8]", "boolean[2]")
            .warns("index-type", "`output_shape` should be of an integer type, but is boolean")
            .gives(["f32[1,3,?,?]"]);
        let message = "`output_shape` of AdaptiveAvgPool must be a list (rank 1), but is i64[9223372036854775806,2]";
        pool("f32[1,3,9,8]", "i64[9223372036854775806,2]").fails("input-rank", message);
        pool("f32[3,9]", "i64[0]")
            .fails("input-rank", "`data` of AdaptiveAvgPool must be of rank 3, 4 or 5, but is f32[3,9]");
    }
}
