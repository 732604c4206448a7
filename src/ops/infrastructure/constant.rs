//! `Const`: a tensor stored beside the graph.
//!
//! - Spec: `infrastructure/constant-1`
//! - Shape: the attribute `shape`. It does not depend on the bytes.
//! - Errors: `missing-attribute`; `attribute-value`.

use crate::ops::prelude::*;
use crate::ops::{Dated, Recent};
use crate::types::release;

/// The type as layers write it.
pub(crate) const NAME: &str = "Const";

pub(super) static CONST_1: OpSpec = OpSpec {
    attrs: &[
        Attr::required("element_type", Kind::Type).since(Dated::OpenType, release(2025, 0)),
        Attr::required("shape", Kind::COUNTS),
        Attr::required("offset", Kind::COUNT),
        Attr::required("size", Kind::COUNT),
    ],
    recent: &[
        Recent {
            what: "a missing `shape`",
            first: release(2022, 2),
            attr: "shape",
            is_used: |_, shape| shape.is_none(),
        },
        Recent {
            what: "the element type dynamic",
            first: release(2023, 0),
            attr: "element_type",
            is_used: |_, ty| ty.is_some_and(|ty| ty.eq_ignore_ascii_case("dynamic")),
        },
    ],
    ..OpSpec::new(NAME, 1, |cx| Ok(vec![Fact::new(cx.ty("element_type"), PartialShape::exact(cx.ints("shape")))]))
};

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn constant(ty: &str, shape: &str) -> OpTest {
        op("Const", 1, []).attr("element_type", ty).attr("shape", shape).attr("offset", 0)
    }

    #[test]
    fn shapes() {
        constant("f32", "2,3").attr("size", 24).gives(["f32[2,3]"]);
        constant("u4", "").attr("size", 1).gives(["u4[]"]);
        constant("i64", "0, 3").attr("size", 0).gives(["i64[0,3]"]);
    }

    #[test]
    fn errors() {
        constant("f32", "2").fails("missing-attribute", "Const has no `size`");
        constant("f32", "2,?")
            .attr("size", 8)
            .fails("attribute-value", "`shape=\"2,?\"` of Const must be a comma-separated list of integers");
        constant("f32", "-2").attr("size", 8).fails("attribute-value", "`shape=\"-2\"` of Const must be at least 0");
        constant("float", "2")
            .attr("size", 8)
            .fails("attribute-value", "`element_type=\"float\"` of Const must be an element type such as i64");
    }
}
