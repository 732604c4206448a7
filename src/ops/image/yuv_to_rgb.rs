//! `I420toBGR`, `I420toRGB`, `NV12toBGR`, `NV12toRGB`: conversion of luminance and halved chrominance to colours.
//!
//! - Spec: `image/i420-to-bgr-8`, `i420-to-rgb-8`, `nv12-to-bgr-8`, `nv12-to-rgb-8`
//! - Shape: `[N,H,W,3]`, from one plane `[N,H*3/2,W,1]` or from Y `[N,H,W,1]` with, at half height and width, UV of two
//!   channels (NV12) or U and V of one each (I420). H and W are even.
//! - Errors: `type-conflict`; `wrong-input-count`; `shape-conflict` if a plane is odd, has other channels or another size.
//! - Differs from OpenVINO: bounds of H and W are even as well.

use crate::ops::prelude::*;

pub(super) static NV12_TO_RGB_8: OpSpec = OpSpec {
    inputs: &[Input::of("y_or_yuv", COLOURS).ranks(&[4]), Input::of("uv", COLOURS).ranks(&[4]).optional()],
    ..OpSpec::new("NV12toRGB", 8, |cx| infer(cx, &[1], 2))
};

pub(super) static NV12_TO_BGR_8: OpSpec = OpSpec { name: "NV12toBGR", ..NV12_TO_RGB_8 };

pub(super) static I420_TO_RGB_8: OpSpec = OpSpec {
    name: "I420toRGB",
    inputs: &[
        Input::of("y_or_yuv", COLOURS).ranks(&[4]),
        Input::of("u", COLOURS).ranks(&[4]).optional(),
        Input::of("v", COLOURS).ranks(&[4]).optional(),
    ],
    infer: infer_i420,
    ..NV12_TO_RGB_8
};

pub(super) static I420_TO_BGR_8: OpSpec = OpSpec { name: "I420toBGR", ..I420_TO_RGB_8 };

const COLOURS: TypeSet = TypeSet::REAL.with(&[ElementType::U8]);

fn infer_i420(cx: &InferCtx) -> Inferred {
    if cx.inputs().len() == 2 {
        let message = format!("{} takes 1 or 3 inputs, this layer has 2", cx.spec.name);
        let fault = Fault::at(At::Layer, &WRONG_INPUT_COUNT, message);
        return Err(cx.unless_unconnected(0..2, fault));
    }
    infer(cx, &[1, 2], 1)
}

/// Infers the image from one plane, or from separate planes.
fn infer(cx: &InferCtx, chroma: &[usize], channels: i64) -> Inferred {
    let inputs: Vec<usize> = (0..=chroma.len()).collect();
    let ty = agreed_type(cx, &inputs)?;
    wanted_dim(cx, 0, 3, Dim::exact(1), "a plane has one channel")?;
    let two = Dim::exact(2);
    let (height, width) = if cx.has_input(1) {
        let size = |axis: usize| {
            let half = divided(cx, 0, axis, 2, "")?;
            let places: Vec<_> = chroma.iter().map(|plane| (*plane, axis)).collect();
            let known = agreed_dim(cx, &places)?;
            let merged = half.agree(known).ok_or_else(|| {
                let (luma, plane) = (cx.dim(0, axis), cx.input_name(1));
                let message = format!("dimension {axis} of `{plane}` is {known}, wanted half of {luma}");
                conflict(cx, 1, message)
            })?;
            Ok::<_, Fault>(merged.times(two))
        };
        for plane in chroma {
            wanted_dim(cx, *plane, 3, Dim::exact(channels), "the channels of this plane")?;
        }
        (size(1)?, size(2)?)
    } else {
        (divided(cx, 0, 1, 3, "")?.times(two), divided(cx, 0, 2, 2, "")?.times(two))
    };
    let places: Vec<_> = inputs.iter().map(|plane| (*plane, 0)).collect();
    let batch = agreed_dim(cx, &places)?;
    Ok(vec![Fact::new(ty, PartialShape::of([batch, height, width, Dim::exact(3)]))])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("NV12toRGB", 8, ["u8[1,720,640,1]"]).gives(["u8[1,480,640,3]"]);
        op("I420toBGR", 8, ["f16[?,700..720,639..641,?]"]).gives(["f16[?,468..480,640,3]"]);
        op("NV12toBGR", 8, ["u8[...]"]).gives(["u8[?,?,?,3]"]);
        op("NV12toBGR", 8, ["u8[1,480,640,1]", "u8[1,240,320,2]"]).gives(["u8[1,480,640,3]"]);
        op("NV12toBGR", 8, ["dynamic[...]", "u8[2,2..3,?,2]"]).gives(["u8[2,4..6,?,3]"]);
        op("I420toRGB", 8, ["u8[1,?,6,1]", "u8[?,2..3,3,1]", "u8[1,3..4,3,1]"]).gives(["u8[1,6,6,3]"]);
    }

    #[test]
    fn errors() {
        op("NV12toRGB", 8, ["u8[1,721,640,1]"])
            .fails("shape-conflict", "dimension 1 of `y_or_yuv` is 721, not a multiple of 3");
        op("NV12toRGB", 8, ["u8[1,720,641,1]"])
            .fails("shape-conflict", "dimension 2 of `y_or_yuv` is 641, not a multiple of 2");
        op("NV12toRGB", 8, ["u8[1,480,640,2]"])
            .fails("shape-conflict", "dimension 3 of `y_or_yuv` is 2, wanted 1: a plane has one channel");
        op("NV12toRGB", 8, ["u8[1,480,640,1]", "u8[1,241,320,2]"])
            .fails("shape-conflict", "dimension 1 of `uv` is 241, wanted half of 480");
        op("NV12toRGB", 8, ["u8[1,480,640,1]", "f32[1,240,320,2]"])
            .fails("type-conflict", "`uv` is f32, `y_or_yuv` is u8");
        op("I420toRGB", 8, ["u8[1,480,640,1]", "u8[1,240,320,1]", "u8[1,240,320,2]"])
            .fails("shape-conflict", "dimension 3 of `v` is 2, wanted 1: the channels of this plane");
        op("I420toRGB", 8, ["u8[1,480,640,1]", "u8[1,240,320,1]"])
            .fails("wrong-input-count", "I420toRGB takes 1 or 3 inputs, this layer has 2");
        op("I420toRGB", 8, ["i8[1,480,640,1]"])
            .fails("input-type", "I420toRGB does not accept i8 at input 0 `y_or_yuv`");
    }
}
