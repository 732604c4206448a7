//! `ConvolutionBackpropData`: spreads every element over its window, the transpose of `Convolution`.
//!
//! - Spec: `convolution/convolution-backprop-data-1`
//! - Shape: batches of `data`, outputs of `filters` (`[channels, outputs, kernel..]`), then the lengths in `output_shape`.
//!   Without `output_shape`, they are stride x (length - 1) + dilated kernel - pads + `output_padding`.
//! - Errors: as `Convolution`; `input-value` if `output_shape` holds a negative length; `needs-constant` if `auto_pad` needs
//!   the number of its elements; `shape-conflict` if the pads leave no elements.
//! - Differs from OpenVINO: an `output_shape` of unknown length leaves the rank unknown, OpenVINO drops the spatial
//!   dimensions; pads that leave a negative length are reported, OpenVINO gives an unknown length.

use super::convolution::spatial_rank;
use crate::ops::prelude::*;
use crate::ops::shared::window::{AUTO_PAD, DILATIONS, PADS_BEGIN, PADS_END, STRIDES, Windows, list};
use crate::ops::spec::filtered;
use crate::types::release;

pub(super) static CONVOLUTION_BACKPROP_DATA_1: OpSpec = OpSpec {
    inputs: &[
        Input::of("data", NUMBERS).ranks(&[3, 4, 5]),
        Input::of("filters", NUMBERS).ranks(&[3, 4, 5]),
        Input::index("output_shape").lengths().ranks(&[1]).optional(),
    ],
    attrs: &[STRIDES, DILATIONS, PADS_BEGIN, PADS_END, AUTO_PAD, OUTPUT_PADDING],
    macs: Macs::Of(|cx, _| filtered(cx.input(0), cx.input(1), 1)),
    ..OpSpec::new("ConvolutionBackpropData", 1, infer)
};

/// The elements added at the end of every spatial dimension of the output.
pub(super) const OUTPUT_PADDING: Attr = Attr::optional("output_padding", Kind::INTS, "");

fn infer(cx: &InferCtx) -> Inferred {
    let ty = agreed_type(cx, &[0, 1])?;
    let channels = |cx: &InferCtx| agreed_dim(cx, &[(0, 1), (1, 0)]).map(|_| cx.dim(1, 1));
    Ok(vec![Fact::new(ty, shape(cx, 2, channels)?)])
}

/// The output shape with `channels`. `leading` is the number of dimensions of `filters` before its kernel.
pub(super) fn shape(
    cx: &InferCtx,
    leading: usize,
    channels: impl Fn(&InferCtx) -> Result<Dim, Fault>,
) -> Result<PartialShape, Fault> {
    let wanted = cx.has_input(2).then(|| cx.dim(2, 0));
    let known = spatial_rank(cx, leading)?.or_else(|| wanted?.size());
    let Some(spatial) = known else { return Ok(PartialShape::UNKNOWN) };
    let windows = Windows::read(cx, spatial)?;
    let padding = list(cx, "output_padding", spatial, 0)?;
    let mut dims = vec![cx.dim(0, 0), channels(cx)?];
    if let Some(count) = wanted {
        dims.extend(given(cx, &windows, count, spatial, leading)?); // Its faults count even if the rank is unknown.
        return Ok(if count.is_exact() { PartialShape::of(dims) } else { PartialShape::UNKNOWN });
    }
    for (axis, padding) in padding.into_iter().enumerate() {
        dims.push(windows.unfolded(cx, axis, cx.dim(0, axis + 2), cx.dim(1, axis + leading), padding)?);
    }
    Ok(PartialShape::of(dims))
}

/// The spatial dimensions in `output_shape`, which has `count` elements.
fn given(cx: &InferCtx, windows: &Windows, count: Dim, spatial: usize, leading: usize) -> Result<Vec<Dim>, Fault> {
    let pads_needed = |axis: usize| cx.dim(0, axis + 2).is_exact() && cx.dim(1, axis + leading).is_exact();
    if !count.is_exact() && windows.is_same() && (0..spatial).any(pads_needed) {
        let message = "`output_shape` must have a known number of elements for `auto_pad`";
        let fault = Fault::at(At::Input(2), &NEEDS_CONSTANT, message).since(release(2023, 0));
        return Err(cx.unless_unconnected(2..3, fault));
    }
    lengths(cx, 2, spatial, Runtime::Rejects)
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let conv = |data, filters| op("ConvolutionBackpropData", 1, [data, filters]).attr("strides", "2,2");
        conv("f32[1,16,9,8]", "f32[16,3,3,3]").gives(["f32[1,3,19,17]"]);
        conv("f32[1,16,9,8]", "f32[16,3,3,3]")
            .attr("pads_begin", "1,1")
            .attr("pads_end", "1,1")
            .attr("output_padding", "1,0")
            .gives(["f32[1,3,18,15]"]);
        conv("f32[1,16,9,8]", "f32[16,3,3,3]")
            .attr("pads_begin", "1,1")
            .attr("auto_pad", "valid")
            .gives(["f32[1,3,19,17]"]);
        conv("f32[1,?,3..5,?]", "f32[16,3,3,3]").attr("pads_begin", "1,1").gives(["f32[1,3,6..10,2..]"]);
        conv("f32[1,16,9,8]", "f32[...]").gives(["f32[1,?,17..,15..]"]);
        conv("f32[...]", "f32[...]").attr("pads_end", "3,3").gives(["f32[?,?,?,?]"]);
        let to = |data, filters, target| op("ConvolutionBackpropData", 1, [data, filters, target]);
        to("f32[1,16,9,8]", "f32[16,3,3,3]", "i64[2] = 30,31").attr("strides", "2,2").gives(["f32[1,3,30,31]"]);
        to("f32[1,16,9,8]", "f32[16,3,3,3]", "i32[2] = 2..5,?").gives(["f32[1,3,2..5,?]"]);
        to("f32[1,16,9,8]", "f32[16,3,3,3]", "i64[...]").gives(["f32[...]"]);
        to("f32[...]", "f32[...]", "i64[2] = 3,4").gives(["f32[?,?,3,4]"]);
        to("f32[...]", "f32[...]", "i64[?]").gives(["f32[...]"]);
    }

    #[test]
    fn errors() {
        let conv = |data, filters| op("ConvolutionBackpropData", 1, [data, filters]);
        conv("f32[1,15,9,8]", "f32[16,3,3,3]")
            .fails("shape-conflict", "dimension 0 of `filters` is 16, dimension 1 of `data` is 15");
        conv("f32[1,16,1..2,8]", "f32[16,3,1,3]")
            .attr("pads_begin", "4,0")
            .fails("shape-conflict", "the pads leave -2 elements along dimension 2 of the output");
        conv("f32[1,16,9,8]", "f32[16,3,3,3]")
            .attr("output_padding", "1,1,1")
            .fails("attribute-value", "`output_padding` has 3 elements for 2 spatial dimensions");
        let to = |target| op("ConvolutionBackpropData", 1, ["f32[1,16,9,8]", "f32[16,3,3,3]", target]);
        to("i64[3] = 4,4,4").fails("shape-conflict", "`output_shape` has 3 elements for 2 spatial dimensions");
        to("i64[2] = -1,4").fails("input-value", "`output_shape` requests a length of -1, wanted 0 or more");
        to("f32[2]").fails("index-type", "`output_shape` must be of an integer type, but is f32");
        to("i64[1,2]")
            .fails("input-rank", "`output_shape` of ConvolutionBackpropData must be a list (rank 1), but is i64[1,2]");
        to("i64[?]")
            .attr("auto_pad", "same_upper")
            .fails("needs-constant", "`output_shape` must have a known number of elements for `auto_pad`");
    }
}
