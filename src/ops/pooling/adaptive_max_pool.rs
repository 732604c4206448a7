//! `AdaptiveMaxPool`: the maximum of a window per output element, for a given output size, and its index.
//!
//! - Spec: `pooling/adaptive-max-pool-8`
//! - Shape: both outputs as `AdaptiveAvgPool`.
//! - Errors: as `AdaptiveAvgPool`; `attribute-value` if `index_element_type` is neither i64 nor i32.
//! - Differs from OpenVINO: as `AdaptiveAvgPool`.

use super::adaptive_avg_pool::{INPUTS, pooled};
use crate::ops::prelude::*;

pub(super) static ADAPTIVE_MAX_POOL_8: OpSpec = OpSpec {
    inputs: INPUTS,
    attrs: &[index_type_attr("index_element_type")],
    outputs: Outputs::Exactly(2),
    ..OpSpec::new("AdaptiveMaxPool", 8, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let shape = pooled(cx)?;
    Ok(vec![Fact::new(cx.input(0).ty, shape.clone()), Fact::new(index_type(cx, "index_element_type"), shape)])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let pool = |data, lengths| op("AdaptiveMaxPool", 8, [data, lengths]);
        pool("f16[1,3,9,8]", "i64[2] = 4,5").gives(["f16[1,3,4,5]", "i64[1,3,4,5]"]);
        pool("f16[1,?,9]", "i64[1]").attr("index_element_type", "i32").gives(["f16[1,?,?]", "i32[1,?,?]"]);
    }

    #[test]
    fn errors() {
        op("AdaptiveMaxPool", 8, ["f32[1,3,9,8]", "i64[2] = 4,5"])
            .attr("index_element_type", "f32")
            .fails("attribute-value", "`index_element_type=\"f32\"` of AdaptiveMaxPool must be one of i64, i32");
        op("AdaptiveMaxPool", 8, ["f32[1,3,9,8]", "i64[1] = 4"])
            .fails("shape-conflict", "`output_shape` has 1 element for 2 spatial dimensions");
    }
}
