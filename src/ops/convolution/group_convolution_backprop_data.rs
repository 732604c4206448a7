//! `GroupConvolutionBackpropData`: the transpose of `GroupConvolution`.
//!
//! - Spec: `convolution/group-convolution-backprop-data-1`
//! - Shape: as `ConvolutionBackpropData`, with `filters` as `[groups, channels, outputs, kernel..]` and groups x outputs
//!   channels; an unknown number of groups follows from the channels of `data`.
//! - Errors: as `ConvolutionBackpropData`; `shape-conflict` if `data` has not groups x channels channels.
//! - Differs from OpenVINO: as `ConvolutionBackpropData`; the number of groups is inferred from bounded channels, too.

use super::convolution_backprop_data::{OUTPUT_PADDING, shape};
use super::group_convolution::groups;
use crate::ops::prelude::*;
use crate::ops::shared::window::{AUTO_PAD, DILATIONS, PADS_BEGIN, PADS_END, STRIDES};
use crate::ops::spec::filtered;

pub(super) static GROUP_CONVOLUTION_BACKPROP_DATA_1: OpSpec = OpSpec {
    inputs: &[
        Input::of("data", NUMBERS).ranks(&[3, 4, 5]),
        Input::of("filters", NUMBERS).ranks(&[4, 5, 6]),
        Input::index("output_shape").lengths().ranks(&[1]).optional(),
    ],
    attrs: &[STRIDES, DILATIONS, PADS_BEGIN, PADS_END, AUTO_PAD, OUTPUT_PADDING],
    macs: Macs::Of(|cx, _| filtered(cx.input(0), cx.input(1), 2)),
    ..OpSpec::new("GroupConvolutionBackpropData", 1, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let ty = agreed_type(cx, &[0, 1])?;
    let channels = |cx: &InferCtx| Ok(groups(cx, 1)?.times(cx.dim(1, 2)));
    Ok(vec![Fact::new(ty, shape(cx, 3, channels)?)])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let conv = |data, filters| op("GroupConvolutionBackpropData", 1, [data, filters]).attr("strides", "2,2");
        conv("f32[1,16,9,8]", "f32[2,8,3,3,3]").gives(["f32[1,6,19,17]"]);
        conv("f32[1,16,9,8]", "f32[?,8,3,3,3]").gives(["f32[1,6,19,17]"]);
        conv("f32[1,?,9,8]", "f32[?,8,3,3,3]").gives(["f32[1,?,19,17]"]);
        conv("f32[...]", "f32[2,8,3,3,3]").gives(["f32[?,6,3..,3..]"]);
        let to = |data, filters, target| op("GroupConvolutionBackpropData", 1, [data, filters, target]);
        to("f32[1,16,9,8]", "f32[2,8,3,3,3]", "i64[2] = 18,3..").gives(["f32[1,6,18,3..]"]);
        to("f32[1,16,9,8]", "f32[2,8,3,3,3]", "i64[?]").gives(["f32[...]"]);
    }

    #[test]
    fn errors() {
        op("GroupConvolutionBackpropData", 1, ["f32[1,17,9,8]", "f32[2,8,3,3,3]"])
            .fails("shape-conflict", "`filters` has 2 groups of 8 input channels, `data` has 17 channels");
        op("GroupConvolutionBackpropData", 1, ["f32[1,16,9,8]", "f32[8,3,3,3]"]).fails(
            "input-rank",
            "`filters` of GroupConvolutionBackpropData must be of rank 5 as `data` has 4 dimensions, but is f32[8,3,3,3]",
        );
    }
}
