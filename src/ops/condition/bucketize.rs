//! `Bucketize`: the bucket that every element falls into.
//!
//! - Spec: `condition/bucketize-3`
//! - Shape: that of `data`.
//! - Errors: `input-type`; `input-rank`; `missing-attribute`; `attribute-value`.

use crate::ops::prelude::*;

pub(super) static BUCKETIZE_3: OpSpec = OpSpec {
    inputs: &[Input::of("data", NUMBERS), Input::of("buckets", NUMBERS).ranks(&[1])],
    attrs: &[
        Attr::required("output_type", Kind::Choice(&["i64", "i32"])),
        Attr::optional("with_right_bound", Kind::Flag, "true"),
    ],
    ..OpSpec::new("Bucketize", 3, |cx| Ok(vec![Fact::new(index_type(cx, "output_type"), cx.input(0).shape.clone())]))
};

/// All types but `boolean`; OpenVINO accidentally counts `string` as numeric.
const NUMBERS: TypeSet = TypeSet::ANY.without(&[ElementType::Boolean]);

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn bucketize(data: &str, buckets: &str) -> OpTest {
        op("Bucketize", 3, [data, buckets])
    }

    #[test]
    fn shapes() {
        bucketize("f32[2,3..]", "f32[5]").attr("output_type", "i32").gives(["i32[2,3..]"]);
        bucketize("i8[...]", "f32[...]").attr("output_type", "i64").gives(["i64[...]"]);
    }

    #[test]
    fn errors() {
        bucketize("f32[2]", "f32[5]").fails("missing-attribute", "Bucketize has no `output_type`");
        bucketize("f32[2]", "f32[5]")
            .attr("output_type", "u8")
            .fails("attribute-value", "`output_type=\"u8\"` of Bucketize must be one of i64, i32");
        bucketize("f32[2]", "f32[1,5]")
            .attr("output_type", "i32")
            .fails("input-rank", "`buckets` of Bucketize must be a list (rank 1), but is f32[1,5]");
        bucketize("boolean[2]", "f32[5]")
            .attr("output_type", "i32")
            .fails("input-type", "Bucketize does not accept boolean at input 0 `data`");
    }
}
