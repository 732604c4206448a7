//! `Parameter`: an input of the graph.
//!
//! - Spec: `infrastructure/parameter-1`
//! - Shape: the attribute `shape`.
//! - Errors: `missing-attribute`, though OpenVINO reads such a file; `attribute-value`.

use crate::ops::prelude::*;
use crate::ops::{Dated, Recent};
use crate::types::release;

/// The type as layers write it.
pub(crate) const NAME: &str = "Parameter";

pub(super) static PARAMETER_1: OpSpec = OpSpec {
    attrs: &[
        Attr::optional("shape", Kind::Shape, "")
            .expected("OpenVINO treats the input as a scalar, and rejects the file only if a layer needs dimensions"),
        Attr::optional("element_type", Kind::Type, "dynamic")
            .since(Dated::OpenType, release(2025, 1))
            .expected("OpenVINO takes the input for one of a type that is not known"),
    ],
    recent: &[
        Recent {
            what: "a shape in brackets",
            first: release(2022, 3),
            attr: "shape",
            is_used: |_, shape| shape.is_some_and(|shape| shape.trim().starts_with('[')),
        },
        Recent {
            what: "a dimension below -1",
            first: release(2026, 3),
            attr: "shape",
            is_used: |_, shape| {
                let mut dims = shape.unwrap_or_default().split(',').map(str::trim);
                dims.any(|dim| dim.starts_with('-') && dim != "-1")
            },
        },
    ],
    ..OpSpec::new(NAME, 1, |cx| Ok(vec![Fact::new(cx.ty("element_type"), cx.shape("shape"))]))
};

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let parameter = |ty: &str, shape: &str| op("Parameter", 1, []).attr("element_type", ty).attr("shape", shape);
        parameter("f32", "1,?,3..8").gives(["f32[1,?,3..8]"]);
        parameter("I64", "...").gives(["i64[...]"]);
        parameter("dynamic", "").gives(["dynamic[]"]);
    }

    #[test]
    fn errors() {
        op("Parameter", 1, []).attr("shape", "1").fails("missing-attribute", "Parameter has no `element_type`");
        op("Parameter", 1, []).attr("element_type", "f32").fails("missing-attribute", "Parameter has no `shape`");
        op("Parameter", 1, [])
            .attr("element_type", "FP32")
            .attr("shape", "1")
            .fails("attribute-value", "`element_type=\"FP32\"` of Parameter must be an element type such as i64");
        op("Parameter", 1, [])
            .attr("element_type", "f32")
            .attr("shape", "1,x")
            .fails("attribute-value", "`shape=\"1,x\"` of Parameter must be a shape such as 1,3,?,4..8");
        op("Parameter", 1, []).attr("element_type", "f32").attr("shape", "9223372036854775807,2").fails(
            "attribute-value",
            "`shape=\"9223372036854775807,2\"` of Parameter must be a shape of lengths below 9223372036854775807",
        );
    }
}
