//! `ExtractImagePatches`: rearranges the patches of an image as channels.
//!
//! - Spec: `movement/extract-image-patches-3`
//! - Shape: `[N, C*sizes, rows, columns]`: the positions of a patch of `sizes`, spread by `rates`, at `strides`; none where
//!   it does not fit.
//! - Errors: `input-rank`; `missing-attribute`; `attribute-value` if a list does not hold two elements.

use crate::ops::prelude::*;

pub(super) static EXTRACT_IMAGE_PATCHES_3: OpSpec = OpSpec {
    inputs: &[Input::any("data").ranks(&[4])],
    attrs: &[
        Attr::required("sizes", Kind::COUNTS).unsigned(),
        Attr::required("strides", Kind::Ints(1, i64::MAX)).unsigned(),
        Attr::required("rates", Kind::Ints(1, i64::MAX)).unsigned(),
        Attr::required("auto_pad", Kind::Choice(&["valid", "same_lower", "same_upper"])),
    ],
    ..OpSpec::new("ExtractImagePatches", 3, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    for name in ["sizes", "strides", "rates"] {
        let found = cx.ints(name).len();
        if found != 2 {
            return Err(wrong_attr(
                name,
                format!("`{name}` has {found} element{s}, wanted 2: rows and columns", s = plural(found)),
            ));
        }
    }
    if cx.ints("sizes").contains(&0) {
        let message = "`sizes` holds 0, wanted 1 or more: a patch has no element";
        cx.warn(wrong_attr("sizes", message).runtime(Runtime::Accepts));
    }
    let channels = cx.ints("sizes").iter().fold(cx.dim(0, 1), |count, size| count.times(Dim::exact(*size)));
    let shape = PartialShape::of([cx.dim(0, 0), channels, positions(cx, 0), positions(cx, 1)]);
    Ok(vec![Fact::new(cx.input(0).ty, shape)])
}

/// The positions of a patch along spatial axis `axis`.
fn positions(cx: &InferCtx, axis: usize) -> Dim {
    let item = |name: &str| cx.ints(name).get(axis).copied().unwrap_or(1).max(1);
    let (size, stride, rate) = (item("sizes"), item("strides"), item("rates"));
    let reach = (size - 1).saturating_mul(rate).saturating_add(1);
    let same = cx.choice("auto_pad") != "valid";
    let count = |length: i64| match length {
        _ if same => length / stride + i64::from(length % stride != 0),
        _ if length < reach => 0,
        _ => (length - reach) / stride + 1,
    };
    let data = cx.dim(0, axis + 2);
    let positions = Dim::between(count(data.lower()), data.upper().map_or(i64::MAX, count)).unwrap_or(Dim::ANY);
    let length = Interval::from(data);
    let (reach, stride) = (Interval::exact(reach.into()), Interval::exact(stride.into()));
    let places = || if same { length } else { length.plus(reach.negated()).plus(Interval::exact(1)) };
    positions.equal(|| Some(places().div_ceil(stride).max(Interval::exact(0))))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn patches(data: &str, pad: &'static str) -> OpTest {
        op("ExtractImagePatches", 3, [data])
            .attr("sizes", "3,2")
            .attr("strides", "2,2")
            .attr("rates", "1,2")
            .attr("auto_pad", pad)
    }

    #[test]
    fn shapes() {
        patches("f32[1,3,10,10]", "valid").gives(["f32[1,18,4,4]"]);
        patches("u8[?,3,2,..9]", "valid").gives(["u8[?,18,0,..4]"]);
        patches("f32[1,3,9,9..]", "same_upper").gives(["f32[1,18,5,5..]"]);
        patches("f32[...]", "valid").gives(["f32[?,?,?,?]"]);
        let empty = op("ExtractImagePatches", 3, ["f32[1,3,10,10]"]).attr("sizes", "0,3").attr("strides", "1,1");
        empty.attr("rates", "1,1").attr("auto_pad", "valid").passes(["f32[1,0,10,8]"]);
    }

    #[test]
    fn errors() {
        patches("f32[1,3,10,10]", "explicit").fails(
            "attribute-value",
            "`auto_pad=\"explicit\"` of ExtractImagePatches must be one of valid, same_lower, same_upper",
        );
        op("ExtractImagePatches", 3, ["f32[1,3,10,10]"])
            .attr("sizes", "3")
            .attr("strides", "2,2")
            .attr("rates", "1,1")
            .attr("auto_pad", "valid")
            .fails("attribute-value", "`sizes` has 1 element, wanted 2: rows and columns");
    }
}
