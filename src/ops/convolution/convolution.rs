//! `Convolution`: slides filters over the spatial dimensions of data.
//!
//! - Spec: `convolution/convolution-1`
//! - Shape: the batch of `data`, the output channels of `filters`, then the number of positions of the kernel along every
//!   spatial dimension. An unknown rank follows from the other input or from the length of list attributes.
//! - Errors: `type-conflict`; `input-rank`; `attribute-value` if a list does not fit the spatial dimensions;
//!   `shape-conflict` if channels differ or the kernel is larger than the padded data.
//! - Differs from OpenVINO: a negative sum of pads counts as 0, where OpenVINO takes a sum of -1 for unknown pads. A kernel
//!   larger than the largest possible dimension is reported, where OpenVINO gives 1.

use crate::ops::prelude::*;
use crate::ops::shared::window::{AUTO_PAD, DILATIONS, PADS_BEGIN, PADS_END, STRIDES, Windows, spatial_of_attrs};
use crate::ops::spec::filtered;

pub(super) static CONVOLUTION_1: OpSpec = OpSpec {
    inputs: &[
        Input::of("data", NUMBERS).ranks(&[3, 4, 5]).passing_rank_1(),
        Input::of("filters", NUMBERS).ranks(&[3, 4, 5]),
    ],
    attrs: &[STRIDES, DILATIONS, PADS_BEGIN, PADS_END, AUTO_PAD],
    macs: Macs::Of(|cx, outputs| filtered(outputs.first()?, cx.input(1), 1)),
    waits: &[&INPUT_RANK],
    ..OpSpec::new("Convolution", 1, |cx| Ok(vec![Fact::new(agreed_type(cx, &[0, 1])?, convolved(cx)?)]))
};

/// The output shape for filters `[outputs, channels, kernel..]`.
pub(super) fn convolved(cx: &InferCtx) -> Result<PartialShape, Fault> {
    let Some(spatial) = spatial_rank(cx, 2)? else { return Ok(PartialShape::UNKNOWN) };
    // Only checks that the channels agree.
    agreed_dim(cx, &[(0, 1), (1, 1)])?;
    shape(cx, cx.dim(1, 0), spatial, 1, 2)
}

/// The number of spatial dimensions; `None` if unknown. `leading` is the number of dimensions of `filters` before the kernel:
/// 2, or 3 with groups.
pub(super) fn spatial_rank(cx: &InferCtx, leading: usize) -> Result<Option<usize>, Fault> {
    match (cx.input(0).rank(), cx.input(1).rank()) {
        (Some(data), Some(filters)) if data + leading != filters + 2 => {
            Err(wrong_rank(cx, 1, &format!("of rank {} as `data` has {data} dimensions", data + leading - 2)))
        }
        (Some(data), _) => Ok(data.checked_sub(2)),
        (None, Some(filters)) => Ok(filters.checked_sub(leading)),
        (None, None) => Ok(spatial_of_attrs(cx)),
    }
}

/// The output shape: the batch, `channels`, and the number of positions of the kernel along every axis. The dimensions
/// of input `filters_input` from axis `kernel_start` on are the kernel.
pub(super) fn shape(
    cx: &InferCtx,
    channels: Dim,
    spatial: usize,
    filters_input: usize,
    kernel_start: usize,
) -> Result<PartialShape, Fault> {
    let windows = Windows::read(cx, spatial)?;
    let mut dims = vec![cx.dim(0, 0), channels];
    for axis in 0..spatial {
        dims.push(windows.positions(cx, axis, cx.dim(0, axis + 2), cx.dim(filters_input, axis + kernel_start))?);
    }
    Ok(PartialShape::of(dims))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let conv = |data, filters| op("Convolution", 1, [data, filters]);
        conv("f32[1,3,9,8]", "f32[16,3,3,3]").gives(["f32[1,16,7,6]"]);
        conv("f16[2,3,9]", "f16[16,3,3]").attr("strides", 2).attr("pads_begin", 1).gives(["f16[2,16,4]"]);
        conv("f32[1,3,9,8]", "f32[16,3,3,3]").attr("dilations", "2,2").gives(["f32[1,16,5,4]"]);
        conv("f32[1,3,9,8]", "f32[16,3,3,3]")
            .attr("strides", "2,2")
            .attr("pads_begin", "7,7")
            .attr("auto_pad", "same_upper")
            .gives(["f32[1,16,5,4]"]);
        conv("f32[1,3,9,8]", "f32[16,3,3,3]")
            .attr("pads_begin", "7,7")
            .attr("auto_pad", "valid")
            .gives(["f32[1,16,7,6]"]);
        conv("f32[1,?,5..9,?]", "f32[16,3,3,3]").attr("strides", "2,2").gives(["f32[1,16,2..4,1..]"]);
        conv("f32[1,3,5..9,?]", "f32[16,3,3,3]")
            .attr("strides", "2,2")
            .attr("auto_pad", "same_lower")
            .gives(["f32[1,16,3..5,?]"]);
        conv("f32[1,3,9,8]", "f32[16,3,2..4,..3]").gives(["f32[1,16,6..8,6..8]"]);
        conv("f32[1,3,..4,8]", "f32[16,3,3,0]").gives(["f32[1,16,1..2,8]"]);
        conv("f32[1,3,9,8]", "f32[...]").gives(["f32[1,?,1..9,1..8]"]);
        conv("f32[...]", "f32[16,3,3,3]").gives(["f32[?,16,1..,1..]"]);
        conv("f32[...]", "dynamic[...]").attr("pads_end", "0,0").gives(["f32[?,?,1..,1..]"]);
        conv("f32[...]", "f32[...]").gives(["f32[...]"]);
        conv("f32[1,3,9,8]", "f32[16,3,3,3]").attr("pads_begin", "-4,1").gives(["f32[1,16,7,7]"]);
    }

    #[test]
    fn errors() {
        let conv = |data, filters| op("Convolution", 1, [data, filters]);
        conv("f32[1,4,9,8]", "f32[16,3,3,3]")
            .fails("shape-conflict", "dimension 1 of `filters` is 3, dimension 1 of `data` is 4");
        conv("f32[1,3,2,8]", "f32[16,3,3,3]")
            .fails("shape-conflict", "the kernel spans 3 elements, dimension 2 of the data has 2");
        conv("f32[1,3,..2,8]", "f32[16,3,5,3]")
            .attr("pads_begin", "1,0")
            .fails("shape-conflict", "the kernel spans 5 elements, dimension 2 of the data has 1..3 with its pads");
        conv("f32[1,3,9,8]", "f32[16,3,3]").fails(
            "input-rank",
            "`filters` of Convolution must be of rank 4 as `data` has 4 dimensions, but is f32[16,3,3]",
        );
        conv("f32[3,9]", "f32[16,3,3]")
            .fails("input-rank", "`data` of Convolution must be of rank 3, 4 or 5, but is f32[3,9]");
        conv("f32[1,3,9,8]", "f16[16,3,3,3]").fails("type-conflict", "`filters` is f16, `data` is f32");
        conv("boolean[1,3,9,8]", "f32[16,3,3,3]")
            .fails("input-type", "Convolution does not accept boolean at input 0 `data`");
        conv("f32[1,3,9,8]", "f32[16,3,3,3]")
            .attr("strides", "2")
            .fails("attribute-value", "`strides` has 1 element for 2 spatial dimensions");
        conv("f32[...]", "f32[...]")
            .attr("strides", "0,1")
            .fails("attribute-value", "`strides=\"0,1\"` of Convolution must be at least 1");
        conv("f32[1,3,9,8]", "f32[16,3,3,3]").attr("auto_pad", "notset").fails(
            "attribute-value",
            "`auto_pad=\"notset\"` of Convolution must be one of explicit, same_lower, same_upper, valid",
        );
    }
}
