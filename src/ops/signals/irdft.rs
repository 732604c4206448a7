//! `IRDFT`: the inverse of `RDFT`.
//!
//! - Spec: `signals/irdft-9`
//! - Shape: as `DFT` without its last dimension; along the last of `axes`, without a `signal_size`, twice the length less 1.
//! - Errors: as `DFT`.
//! - Differs from OpenVINO: as `RDFT`.

use crate::ops::prelude::*;
use crate::ops::shared::fourier::{INPUTS, check, transformed};

pub(super) static IRDFT_9: OpSpec = OpSpec { inputs: INPUTS, ..OpSpec::new("IRDFT", 9, infer) };

fn infer(cx: &InferCtx) -> Inferred {
    check(cx, 2)?;
    let data = cx.input(0);
    let Some([dims @ .., _]) = data.shape.dims() else { return unranked(data.ty) };
    wanted_dim(cx, 0, dims.len(), Dim::exact(2), "a real and an imaginary part")?;
    let mut result = transformed(cx, dims, doubled)?;
    result.admit_lengths_of_data(cx);
    if result.last().is_none() {
        result.dims.iter_mut().for_each(|dim| *dim = dim.hull(doubled(*dim)));
    }
    Ok(vec![Fact::new(data.ty, PartialShape::of(result.dims))])
}

fn doubled(dim: Dim) -> Dim {
    dim.minus(Dim::exact(1)).times(Dim::exact(2))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("IRDFT", 9, ["f32[2,8,5,2]", "i64[2] = 1,2"]).gives(["f32[2,8,8]"]);
        op("IRDFT", 9, ["f32[2,8,5..7,?]", "i64[2] = 1,2"]).gives(["f32[2,8,8..12]"]);
        let sized = |data, axes, sizes| op("IRDFT", 9, [data, axes, sizes]);
        sized("f32[2,8,5,2]", "i64[2] = 1,2", "i64[2] = -1,12").gives(["f32[2,8,12]"]);
        sized("f32[2,8,..7,2]", "i64[2] = 1,2", "i64[2] = 12,-1").gives(["f32[2,12,..12]"]);
        sized("f32[2,8,5,2]", "i64[2] = 1,2", "i64[2]").gives(["f32[2,?,?]"]);
        sized("f32[2,8,5,2]", "i64[2] = 1,2", "i64[2] = 9..12,3..7").gives(["f32[2,8..12,3..7]"]);
        op("IRDFT", 9, ["f32[2,8,5,2]", "i64[2]"]).gives(["f32[2,8..14,5..8]"]);
        op("IRDFT", 9, ["f32[...]", "i64[2]"]).gives(["f32[...]"]);
    }

    #[test]
    fn errors() {
        op("IRDFT", 9, ["f32[5,2]", "i64[1] = 1"]).fails("axis-range", "axis 1 is outside -1..0");
        op("IRDFT", 9, ["f32[5,3]", "i64[1]"])
            .fails("shape-conflict", "dimension 1 of `data` is 3, wanted 2: a real and an imaginary part");
    }
}
