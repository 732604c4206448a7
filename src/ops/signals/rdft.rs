//! `RDFT`: the first half of the Fourier transform of real numbers; the other half is redundant.
//!
//! - Spec: `signals/rdft-9`
//! - Shape: as `DFT` of real numbers, with half the length plus 1 along the last of `axes` (0 stays 0), then 2.
//! - Errors: as `DFT`.
//! - Differs from OpenVINO: with unknown sizes, the lengths along all given axes are unknown; OpenVINO keeps those of the
//!   data for all but the last. Bounds of sizes are used, widened by those lengths. If the axes are unknown and there are
//!   no sizes, every length is the hull of both possibilities.

use crate::ops::prelude::*;
use crate::ops::shared::fourier::{INPUTS, check, transformed};
use crate::types::interval::floor_div;

pub(super) static RDFT_9: OpSpec = OpSpec { inputs: INPUTS, ..OpSpec::new("RDFT", 9, infer) };

fn infer(cx: &InferCtx) -> Inferred {
    check(cx, 1)?;
    let data = cx.input(0);
    let Some(dims) = data.shape.dims() else { return unranked(data.ty) };
    let mut result = transformed(cx, dims, |dim| dim)?;
    result.admit_lengths_of_data(cx);
    match result.last().and_then(|last| result.dims.get_mut(last)) {
        Some(dim) => *dim = half(*dim),
        None => result.dims.iter_mut().for_each(|dim| *dim = dim.hull(half(*dim))),
    }
    Ok(vec![Fact::new(data.ty, PartialShape::of(result.dims.into_iter().chain([Dim::exact(2)])))])
}

fn half(dim: Dim) -> Dim {
    let half = |length: i64| if length == 0 { 0 } else { length / 2 + 1 };
    let halved = Dim::between(half(dim.lower()), dim.upper().map_or(i64::MAX, half)).unwrap_or(Dim::ANY);
    let (length, one) = (Interval::from(dim), Interval::exact(1));
    halved.equal(|| Some(length.divided(Interval::exact(2), floor_div).plus(length.min(one))))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("RDFT", 9, ["f32[2,8,8]", "i64[2] = 1,2"]).gives(["f32[2,8,5,2]"]);
        let sized = |data, axes, sizes| op("RDFT", 9, [data, axes, sizes]);
        sized("f32[2,8,8]", "i64[2] = 2,-2", "i64[2] = 5,4").gives(["f32[2,3,5,2]"]);
        sized("bf16[2,8,8]", "i64[2] = 2,1", "i64[2] = 3..4,5..7").gives(["bf16[2,3..4,3..8,2]"]);
        sized("f32[2,..8,8]", "i64[1] = 1", "i64[1] = -1").gives(["f32[2,..5,8,2]"]);
        sized("f32[2,8,8]", "i64[2] = 2,1", "i64[2]").gives(["f32[2,?,?,2]"]);
        sized("f32[2,8,8]", "i64[2]", "i64[2] = 3,4").gives(["f32[?,?,?,2]"]);
        op("RDFT", 9, ["f32[2,..8]", "i64[?]"]).gives(["f32[2,..8,2]"]);
        op("RDFT", 9, ["f32[...]", "i64[1] = 0"]).gives(["f32[...]"]);
    }

    #[test]
    fn errors() {
        op("RDFT", 9, ["f32[8]", "i64[1] = -2"]).fails("axis-range", "axis -2 is outside -1..0");
        op("RDFT", 9, ["f32[]", "i64[1]"])
            .fails("input-rank", "`data` of RDFT must be of rank 1 or more, but is f32[]");
        op("RDFT", 9, ["f32[2,8]", "i64[1,2]"])
            .fails("input-rank", "`axes` of RDFT must be a list (rank 1), but is i64[1,2]");
    }
}
