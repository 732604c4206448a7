//! `ReorgYolo`: rearranges every block of an image as channels.
//!
//! - Spec: `detection/reorg-yolo-1`
//! - Shape: `[N, C * stride * stride, H / stride, W / stride]`; an unknown rank stays unknown.
//! - Errors: `input-rank`; `missing-attribute`; `attribute-value`; `shape-conflict` if H or W is not a multiple of the stride,
//!   or there are fewer channels than elements in a block.
//! - Differs from OpenVINO: bounds are exact; OpenVINO accepts a stride of 0 and gives an empty tensor.

use crate::ops::prelude::*;

pub(super) static REORG_YOLO_2: OpSpec = OpSpec {
    inputs: &[Input::any("data").ranks(&[4])],
    attrs: &[Attr::required("stride", Kind::INTS)],
    demands: None,
    ..OpSpec::new("ReorgYolo", 2, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let Some(stride) = cx.ints("stride").first().copied() else {
        return Err(wrong_attr("stride", "`stride` holds no number"));
    };
    let data = cx.input(0);
    // OpenVINO looks at the first number alone, and only if it knows the rank.
    if stride < 0 {
        let fault = wrong_attr("stride", format!("`stride` is {stride}, wanted 1 or more"));
        return Err(fault.decided_if(data.rank().is_some()));
    }
    if data.rank().is_none() {
        return unranked(data.ty);
    }
    if stride == 0 {
        cx.pass(wrong_attr("stride", "`stride` is 0, wanted 1 or more").runtime(Runtime::Accepts))?;
        let length = |axis| if cx.dim(0, axis).is_exact() { Dim::exact(0) } else { Dim::ANY };
        return Ok(vec![Fact::new(data.ty, PartialShape::of([cx.dim(0, 0), Dim::exact(0), length(2), length(3)]))]);
    }
    let (block, channels) = (Dim::exact(stride).times(Dim::exact(stride)), cx.dim(0, 1));
    if channels.is_exact() && channels.lower() < block.lower() {
        let message = format!(
            "`data` has {channels} channel{s}, wanted at least {block}: `stride` * `stride`",
            s = plural(channels)
        );
        return Err(conflict(cx, 0, message));
    }
    let (height, width) = (divided(cx, 0, 2, stride, "`stride` ")?, divided(cx, 0, 3, stride, "`stride` ")?);
    Ok(vec![Fact::new(data.ty, PartialShape::of([cx.dim(0, 0), channels.times(block), height, width]))])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let reorg = |data| op("ReorgYolo", 2, [data]).attr("stride", 2);
        reorg("f32[1,8,4,6]").gives(["f32[1,32,2,3]"]);
        reorg("i8[?,?,3..7,?]").gives(["i8[?,?,2..3,?]"]);
        reorg("f32[...]").gives(["f32[...]"]);
    }

    #[test]
    fn openvino_takes_a_stride_of_0() {
        let reorg = |data| op("ReorgYolo", 2, [data]).attr("stride", 0);
        reorg("f32[1,4,8,8]").fails("attribute-value", "`stride` is 0, wanted 1 or more").passes(["f32[1,0,0,0]"]);
        reorg("f32[1,4,?,?]").passes(["f32[1,0,?,?]"]);
    }

    #[test]
    fn errors() {
        let reorg = |data| op("ReorgYolo", 2, [data]).attr("stride", 2);
        reorg("f32[1,8,5,6]").fails("shape-conflict", "dimension 2 of `data` is 5, not a multiple of `stride` 2");
        reorg("f32[1,3,4,6]").fails("shape-conflict", "`data` has 3 channels, wanted at least 4: `stride` * `stride`");
        op("ReorgYolo", 2, ["f32[1,8,4,6]"]).fails("missing-attribute", "ReorgYolo has no `stride`");
    }
}
