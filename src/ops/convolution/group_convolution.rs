//! `GroupConvolution`: slides the filters of each group over the channels of that group.
//!
//! - Spec: `convolution/group-convolution-1`
//! - Shape: as `Convolution`, with `filters` as `[groups, outputs, channels, kernel..]` and groups x outputs output channels;
//!   an unknown number of groups is inferred from the channels of `data`.
//! - Errors: as `Convolution`; `shape-conflict` if `data` does not have groups x channels channels.
//! - Differs from OpenVINO: as `Convolution`; the number of groups is inferred from bounded channels, too.

use super::convolution::{shape, spatial_rank};
use crate::ops::prelude::*;
use crate::ops::shared::window::{AUTO_PAD, DILATIONS, PADS_BEGIN, PADS_END, STRIDES};
use crate::ops::spec::filtered;

pub(super) static GROUP_CONVOLUTION_1: OpSpec = OpSpec {
    inputs: &[
        Input::of("data", NUMBERS).ranks(&[3, 4, 5]).passing_rank_1(),
        Input::of("filters", NUMBERS).ranks(&[4, 5, 6]),
    ],
    attrs: &[STRIDES, DILATIONS, PADS_BEGIN, PADS_END, AUTO_PAD],
    macs: Macs::Of(|cx, outputs| filtered(outputs.first()?, cx.input(1), 2)),
    waits: &[&INPUT_RANK],
    ..OpSpec::new("GroupConvolution", 1, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let ty = agreed_type(cx, &[0, 1])?;
    let Some(spatial) = spatial_rank(cx, 3)? else { return unranked(ty) };
    let channels = groups(cx, 2)?.times(cx.dim(1, 1));
    Ok(vec![Fact::new(ty, shape(cx, channels, spatial, 1, 3)?)])
}

/// The number of groups. `axis` is the axis of `filters` with the input channels per group.
pub(super) fn groups(cx: &InferCtx, axis: usize) -> Result<Dim, Fault> {
    let (groups, each, all) = (cx.dim(1, 0), cx.dim(1, axis), cx.dim(0, 1));
    all.demand_equal(groups.times(each));
    let fits = quotient(all, groups).is_some_and(|rest| rest.merge(each).is_some());
    quotient(all, each).and_then(|known| known.merge(groups)).filter(|_| fits).ok_or_else(|| {
        let (s, s2) = (plural(groups), plural(all));
        let filters = format!("`filters` has {groups} group{s} of {each} input channels");
        conflict(cx, 1, format!("{filters}, `data` has {all} channel{s2}"))
    })
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let conv = |data, filters| op("GroupConvolution", 1, [data, filters]);
        conv("f32[1,6,9,8]", "f32[2,8,3,3,3]").gives(["f32[1,16,7,6]"]);
        conv("f32[1,6,9,8]", "f32[?,8,3,3,3]").gives(["f32[1,16,7,6]"]);
        conv("f32[1,?,9,8]", "f32[2,7..9,3,3,3]").gives(["f32[1,14..18,7,6]"]);
        conv("f32[1,12,9,8]", "f32[?,5,4..6,3,3]").gives(["f32[1,10..15,7,6]"]);
        conv("f32[1,?,9,8]", "f32[?,8,?,3,3]").gives(["f32[1,?,7,6]"]);
        conv("f32[1,0,9,8]", "f32[0,8,3,3,3]").gives(["f32[1,0,7,6]"]);
        conv("f32[...]", "f32[2,8,3,3]").gives(["f32[?,16,1..]"]);
        conv("f32[1,6,9]", "f32[...]").gives(["f32[1,?,1..9]"]);
        conv("f32[...]", "f32[...]").gives(["f32[...]"]);
    }

    #[test]
    fn errors() {
        let conv = |data, filters| op("GroupConvolution", 1, [data, filters]);
        conv("f32[1,7,9,8]", "f32[2,8,3,3,3]")
            .fails("shape-conflict", "`filters` has 2 groups of 3 input channels, `data` has 7 channels");
        conv("f32[1,7,9,8]", "f32[2,8,?,3,3]")
            .fails("shape-conflict", "`filters` has 2 groups of ? input channels, `data` has 7 channels");
        conv("f32[1,6,9,8]", "f32[8,3,3,3]").fails(
            "input-rank",
            "`filters` of GroupConvolution must be of rank 5 as `data` has 4 dimensions, but is f32[8,3,3,3]",
        );
        conv("f32[1,6,2,8]", "f32[2,8,3,3,3]")
            .fails("shape-conflict", "the kernel spans 3 elements, dimension 2 of the data has 2");
    }
}
