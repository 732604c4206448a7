//! `RGBtoNV12`, `BGRtoNV12`: conversion of colours to luminance and halved chrominance.
//!
//! - Spec: `image/rgb-to-nv12-17`, `bgr-to-nv12-17`
//! - Shape: of `[N,H,W,3]`, H and W even, `[N,H*3/2,W,1]` with `single_plane`, else `[N,H,W,1]` and `[N,H/2,W/2,2]`.
//! - Errors: `shape-conflict` if H or W is odd or there are not three channels.
//! - Differs from OpenVINO: bounds of H and W are even as well.

use crate::ops::prelude::*;
use crate::types::ElementType as T;

pub(super) static RGB_TO_NV12_17: OpSpec = OpSpec {
    inputs: &[Input::of("data", COLOURS).ranks(&[4])],
    attrs: &[Attr::optional("single_plane", Kind::Flag, "true")],
    outputs: Outputs::Inferred,
    ..OpSpec::new("RGBtoNV12", 17, infer)
};

pub(super) static BGR_TO_NV12_17: OpSpec = OpSpec { name: "BGRtoNV12", ..RGB_TO_NV12_17 };

const COLOURS: TypeSet = TypeSet::of(&[T::U8, T::F16, T::Bf16, T::F32, T::F64]);

fn infer(cx: &InferCtx) -> Inferred {
    wanted_dim(cx, 0, 3, Dim::exact(3), "an image has three channels")?;
    let (batch, height, width) = (cx.dim(0, 0), divided(cx, 0, 1, 2, "")?, divided(cx, 0, 2, 2, "")?);
    let whole = |half: Dim, times: i64| half.times(Dim::exact(times));
    let plane = |dims: [Dim; 4]| Fact::new(cx.input(0).ty, PartialShape::of(dims));
    let luma = |times: i64| plane([batch, whole(height, times), whole(width, 2), Dim::exact(1)]);
    Ok(if cx.flag("single_plane") {
        vec![luma(3)]
    } else {
        vec![luma(2), plane([batch, height, width, Dim::exact(2)])]
    })
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("RGBtoNV12", 17, ["u8[1,480,640,3]"]).gives(["u8[1,720,640,1]"]);
        op("BGRtoNV12", 17, ["f32[?,5..9,?,3]"]).gives(["f32[?,9..12,?,1]"]);
        op("BGRtoNV12", 17, ["f32[?,5..9,?,3]"])
            .attr("single_plane", false)
            .gives(["f32[?,6..8,?,1]", "f32[?,3..4,?,2]"]);
        op("RGBtoNV12", 17, ["u8[...]"]).gives(["u8[?,?,?,1]"]);
    }

    #[test]
    fn errors() {
        op("RGBtoNV12", 17, ["u8[1,481,640,3]"])
            .fails("shape-conflict", "dimension 1 of `data` is 481, not a multiple of 2");
        op("RGBtoNV12", 17, ["u8[1,480,640,4]"])
            .fails("shape-conflict", "dimension 3 of `data` is 4, wanted 3: an image has three channels");
        op("RGBtoNV12", 17, ["u8[480,640,3]"])
            .fails("input-rank", "`data` of RGBtoNV12 must be of rank 4, but is u8[480,640,3]");
    }
}
