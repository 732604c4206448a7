//! `DeformableConvolution`: a convolution of images whose kernel elements are moved by offsets.
//!
//! - Spec: `convolution/deformable-convolution-1`, `-8`
//! - Shape: as `Convolution` in two spatial dimensions, with `filters` as `[outputs, channels / group, kernel..]`; batch
//!   and positions must also be those of `offsets` and `mask`.
//! - Errors: as `Convolution`; `shape-conflict` if `offsets` has not 2 x kernel x `deformable_group` channels, `mask` not
//!   kernel x `deformable_group`, or groups do not divide the channels.
//! - Differs from OpenVINO: `offsets` and `mask` narrow the positions; the rank is always 4.
//! - Revisions: 8 adds `mask` and `bilinear_interpolation_pad`.

use super::convolution::shape;
use crate::ops::prelude::*;
use crate::ops::shared::window::{AUTO_PAD, DILATIONS, PADS_BEGIN, PADS_END, STRIDES};
use crate::ops::spec::filtered;

pub(super) static DEFORMABLE_CONVOLUTION_1: OpSpec = OpSpec {
    inputs: INPUTS.split_at(3).0,
    attrs: ATTRS.split_at(7).0,
    demands: None,
    macs: Macs::Of(|cx, outputs| filtered(outputs.first()?, cx.input(2), 1)),
    waits: &[&INPUT_RANK],
    ..OpSpec::new("DeformableConvolution", 1, infer)
};

pub(super) static DEFORMABLE_CONVOLUTION_8: OpSpec =
    OpSpec { opset: 8, inputs: INPUTS, attrs: ATTRS, ..DEFORMABLE_CONVOLUTION_1 };

/// The inputs of opset8; opset1 lacks the last one.
const INPUTS: &[Input] = &[
    Input::of("data", NUMBERS).ranks(&[4]),
    Input::of("offsets", NUMBERS).ranks(&[4]),
    Input::of("filters", NUMBERS).ranks(&[4]),
    Input::of("mask", NUMBERS).ranks(&[4]).optional(),
];

/// The attributes of opset8; opset1 lacks the last one.
const ATTRS: &[Attr] = &[
    STRIDES,
    DILATIONS,
    PADS_BEGIN,
    PADS_END,
    AUTO_PAD,
    Attr::required("group", Kind::from(1)),
    Attr::required("deformable_group", Kind::from(1)),
    Attr::optional("bilinear_interpolation_pad", Kind::Flag, "false"),
];

const OFFSETS: usize = 1;
const FILTERS: usize = 2;
const MASK: usize = 3;

fn infer(cx: &InferCtx) -> Inferred {
    let ty = agreed_type(cx, &[0, OFFSETS, FILTERS])?;
    // OpenVINO does not compare the mask with the offsets.
    let batch = agreed_dim(cx, &[(0, 0), (OFFSETS, 0), (MASK, 0)])
        .map_err(|fault| fault.late_unless(cx.dim(0, 0).is_exact()))?;
    check_channels(cx)?;
    let outputs = cx.dim(FILTERS, 0);
    let mut shape = shape(cx, outputs, 2, FILTERS, 2)?.with(0, batch);
    // OpenVINO does not count the positions of an image that padding makes smaller.
    let is_cut = ["pads_begin", "pads_end"].iter().any(|name| cx.ints(name).iter().any(|pad| *pad < 0));
    let is_counted = !is_cut && cx.input(0).rank().is_some();
    let late = |fault: Fault| fault.decided_if(is_counted);
    for axis in [2, 3] {
        let counted = shape.dim(axis);
        let known = wanted_dim(cx, OFFSETS, axis, counted, "that many positions has the kernel").map_err(late)?;
        let known = wanted_dim(cx, MASK, axis, known, "that many positions has the kernel")
            .map_err(|fault| late(fault).late_unless(counted.agree(cx.dim(MASK, axis)).is_none()))?;
        shape = shape.with(axis, known);
    }
    Ok(vec![Fact::new(ty, shape)])
}

fn check_channels(cx: &InferCtx) -> Result<(), Fault> {
    let (group, deformable) = (cx.int("group"), cx.int("deformable_group"));
    let kernel = cx.dim(FILTERS, 2).times(cx.dim(FILTERS, 3)).times(Dim::exact(deformable));
    wanted_dim(cx, OFFSETS, 1, kernel.times(Dim::exact(2)), "two per kernel element and `deformable_group`")?;
    wanted_dim(cx, MASK, 1, kernel, "one per kernel element and `deformable_group`")?;
    wanted_dim(cx, 0, 1, cx.dim(FILTERS, 1).times(Dim::exact(group)), "the channels of `filters` times `group`")?;
    divided(cx, 0, 1, group, "`group` ")?;
    divided(cx, FILTERS, 0, group, "`group` ")?;
    divided(cx, OFFSETS, 1, deformable, "`deformable_group` ")?;
    divided(cx, MASK, 1, deformable, "`deformable_group` ")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn groups(test: OpTest, group: i64, deformable: i64) -> OpTest {
        test.attr("group", group).attr("deformable_group", deformable)
    }

    #[test]
    fn shapes() {
        let conv = |data, offsets, filters| op("DeformableConvolution", 1, [data, offsets, filters]);
        groups(conv("f32[1,4,9,8]", "f32[1,18,7,6]", "f32[8,4,3,3]"), 1, 1).gives(["f32[1,8,7,6]"]);
        groups(conv("f32[?,4,9,8]", "f32[1,36,7,6]", "f32[8,2,3,3]"), 2, 2).gives(["f32[1,8,7,6]"]);
        groups(conv("f32[1,4,?,8..10]", "f32[1,18,7,?]", "f32[8,4,3,3]"), 1, 1).gives(["f32[1,8,7,6..8]"]);
        groups(conv("f32[...]", "f32[...]", "f32[...]"), 1, 1).gives(["f32[?,?,1..,1..]"]);
        let masked = op("DeformableConvolution", 8, ["f32[...]", "f32[...]", "f32[8,4,3,3]", "f16[2,9,7,6]"]);
        groups(masked, 1, 1).gives(["f32[2,8,7,6]"]);
    }

    #[test]
    fn errors() {
        let conv = |data, offsets, filters| groups(op("DeformableConvolution", 1, [data, offsets, filters]), 2, 2);
        conv("f32[1,4,9,8]", "f32[1,36,7,6]", "f32[8,4,3,3]")
            .fails("shape-conflict", "dimension 1 of `data` is 4, wanted 8: the channels of `filters` times `group`");
        conv("f32[1,4,9,8]", "f32[1,18,7,6]", "f32[8,2,3,3]").fails(
            "shape-conflict",
            "dimension 1 of `offsets` is 18, wanted 36: two per kernel element and `deformable_group`",
        );
        conv("f32[1,4,9,8]", "f32[1,36,8,6]", "f32[8,2,3,3]")
            .fails("shape-conflict", "dimension 2 of `offsets` is 8, wanted 7: that many positions has the kernel");
        conv("f32[1,4,9,8]", "f32[2,36,7,6]", "f32[8,2,3,3]")
            .fails("shape-conflict", "dimension 0 of `offsets` is 2, dimension 0 of `data` is 1");
        conv("f32[1,4,9,8]", "f32[1,36,7,6]", "f32[7,2,3,3]")
            .fails("shape-conflict", "dimension 0 of `filters` is 7, not a multiple of `group` 2");
        op("DeformableConvolution", 1, ["f32[1,4,9,8]", "f32[1,18,7,6]", "f32[8,4,3,3]"])
            .attr("deformable_group", 1)
            .fails("missing-attribute", "DeformableConvolution has no `group`");
    }
}
