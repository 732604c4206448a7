//! `PriorBoxClustered`: boxes of given widths and heights around every cell of a grid.
//!
//! - Spec: `detection/prior-box-clustered-1`
//! - Shape: as `PriorBox`, with as many priors as `width` has elements.
//! - Errors: as `PriorBox`; `attribute-value` if `width` and `height` are not equally long.
//! - Differs from OpenVINO: as `PriorBox`.

use super::prior_box::{INPUTS, boxes};
use crate::ops::prelude::*;

pub(super) static PRIOR_BOX_CLUSTERED_1: OpSpec = OpSpec {
    inputs: INPUTS,
    attrs: &[
        Attr::optional("width", Kind::Floats, ""),
        Attr::optional("height", Kind::Floats, ""),
        Attr::optional("step", Kind::Float, "0"),
        Attr::optional("step_w", Kind::Float, "0"),
        Attr::optional("step_h", Kind::Float, "0"),
        Attr::optional("clip", Kind::Flag, "true"),
        Attr::optional("offset", Kind::Float, "0"),
        Attr::optional("variance", Kind::Floats, ""),
    ],
    reads_as_one: true,
    waits: &[&INPUT_RANK],
    ..OpSpec::new("PriorBoxClustered", 1, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let (widths, heights) = (cx.floats("width").len(), cx.floats("height").len());
    if widths != heights {
        return Err(wrong_attr(
            "height",
            format!("`height` has {heights} element{s}, `width` has {widths}", s = plural(heights)),
        ));
    }
    Ok(vec![boxes(cx, i64::try_from(widths).unwrap_or(i64::MAX))?])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let prior = |size| op("PriorBoxClustered", 1, [size, "i64[2]"]).attr("width", "1,2").attr("height", "3,4");
        prior("i64[2] = 2,3").gives(["f32[2,48]"]);
        prior("i64[2] = 2..,3").gives(["f32[2,48..]"]);
        prior("i64[2]").gives(["f32[2,?]"]);
    }

    #[test]
    fn errors() {
        op("PriorBoxClustered", 1, ["i64[2] = 2,3", "i64[2]"])
            .attr("width", "1,2")
            .attr("height", "3")
            .fails("attribute-value", "`height` has 1 element, `width` has 2");
    }
}
