//! `BinaryConvolution`: slides filters of single bits over data.
//!
//! - Spec: `convolution/binary-convolution-1`
//! - Shape: as `Convolution` in two spatial dimensions; the element type is that of `data`, whatever `filters` holds.
//! - Errors: as `Convolution`, without `type-conflict`: the types of `data` and `filters` may differ.
//! - Differs from OpenVINO: as `Convolution`.

use super::convolution::convolved;
use crate::ops::prelude::*;
use crate::ops::shared::window::{AUTO_PAD, DILATIONS, PADS_BEGIN, PADS_END, STRIDES};
use crate::ops::spec::filtered;

pub(super) static BINARY_CONVOLUTION_1: OpSpec = OpSpec {
    inputs: &[Input::of("data", NUMBERS).ranks(&[4]).passing_rank_1(), Input::any("filters").ranks(&[4])],
    attrs: &[
        STRIDES,
        DILATIONS,
        PADS_BEGIN,
        PADS_END,
        AUTO_PAD,
        Attr::optional("mode", Kind::Choice(&["xnor-popcount"]), "xnor-popcount"),
        Attr::optional("pad_value", Kind::Float, "0"),
    ],
    macs: Macs::Of(|cx, outputs| filtered(outputs.first()?, cx.input(1), 1)),
    waits: &[&INPUT_RANK],
    ..OpSpec::new("BinaryConvolution", 1, |cx| Ok(vec![Fact::new(cx.input(0).ty, convolved(cx)?)]))
};

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let conv = |data, filters| op("BinaryConvolution", 1, [data, filters]).attr("strides", "2,2");
        conv("f32[1,3,9,8]", "u1[16,3,3,3]").attr("pads_begin", "1,1").gives(["f32[1,16,4,4]"]);
        conv("f16[?,3,8..10,?]", "boolean[16,?,3,3]").gives(["f16[?,16,3..4,1..]"]);
        conv("f32[...]", "u1[...]").gives(["f32[?,?,1..,1..]"]);
    }

    #[test]
    fn errors() {
        let conv = |data, filters| op("BinaryConvolution", 1, [data, filters]);
        conv("boolean[1,3,9,8]", "u1[16,3,3,3]")
            .fails("input-type", "BinaryConvolution does not accept boolean at input 0 `data`");
        conv("f32[1,3,9,8]", "u1[16,4,3,3]")
            .fails("shape-conflict", "dimension 1 of `filters` is 4, dimension 1 of `data` is 3");
        conv("f32[1,3,9,8]", "u1[16,3,3,3]")
            .attr("mode", "xor")
            .fails("attribute-value", "`mode=\"xor\"` of BinaryConvolution must be xnor-popcount");
    }
}
