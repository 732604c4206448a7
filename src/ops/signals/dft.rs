//! `DFT`, `IDFT`: the discrete Fourier transform of complex numbers, and its inverse.
//!
//! - Spec: `signals/dft-7`, `idft-7`
//! - Shape: `data`, whose last dimension of 2 holds the complex numbers, with `signal_size` along `axes`; -1 keeps a length.
//!   Sizes for unknown axes keep only the rank.
//! - Errors: `input-rank`; `axis-range`; `input-value` if an axis comes twice or a size is below -1; `shape-conflict` if the
//!   last dimension is not 2 or there are not as many sizes as axes.
//! - Differs from OpenVINO: the last dimension is always 2, and without sizes all are kept; OpenVINO reads a size below -1 as
//!   0, and bounds from -1 on as 0 or more.

use crate::ops::prelude::*;
use crate::ops::shared::fourier::{INPUTS, check, transformed};

pub(super) static DFT_7: OpSpec = OpSpec { inputs: INPUTS, ..OpSpec::new("DFT", 7, infer) };

pub(super) static IDFT_7: OpSpec = OpSpec { name: "IDFT", ..DFT_7 };

fn infer(cx: &InferCtx) -> Inferred {
    check(cx, 2)?;
    let data = cx.input(0);
    let Some([dims @ .., _]) = data.shape.dims() else { return unranked(data.ty) };
    let pair = wanted_dim(cx, 0, dims.len(), Dim::exact(2), "a real and an imaginary part")?;
    let result = transformed(cx, dims, |dim| dim)?;
    Ok(vec![Fact::new(data.ty, PartialShape::of(result.dims.into_iter().chain([pair])))])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("DFT", 7, ["f32[2,8,9,2]", "i64[2] = 1,-1"]).gives(["f32[2,8,9,2]"]);
        op("DFT", 7, ["f32[2,8,9,?]", "i64[...]"]).gives(["f32[2,8,9,2]"]);
        let sized = |data, axes, sizes| op("IDFT", 7, [data, axes, sizes]);
        sized("f32[2,8,8,2]", "i64[2] = 1,2", "i64[2] = 16,-1").gives(["f32[2,16,8,2]"]);
        sized("f16[2,8,?,?]", "i32[2] = 2,1", "i32[2] = 3..4,?").gives(["f16[2,?,3..4,2]"]);
        sized("f32[2,8,8,2]", "i64[1] = 1", "i64[1]").gives(["f32[2,?,8,2]"]);
        sized("f32[2,8,8,2]", "i64[2]", "i64[2] = 3,4").gives(["f32[?,?,?,2]"]);
        sized("f32[...]", "i64[2] = 1,2", "i64[2] = 3,4").gives(["f32[...]"]);
    }

    #[test]
    fn errors() {
        let dft = |data, axes| op("DFT", 7, [data, axes]);
        dft("f32[2,8,8,3]", "i64[1] = 1")
            .fails("shape-conflict", "dimension 3 of `data` is 3, wanted 2: a real and an imaginary part");
        dft("f32[2,8,8,2]", "i64[1] = 3").fails("axis-range", "axis 3 is outside -3..2");
        dft("f32[2,8,8,2]", "i64[2] = 1,-2").fails("input-value", "`axes` names axis 1 twice");
        dft("f32[2,8,8,2]", "i64[4]").fails("shape-conflict", "`axes` has 4 elements, the data has 3 axes to choose");
        dft("f32[2]", "i64[0]").fails("input-rank", "`data` of DFT must be of rank 2 or more, but is f32[2]");
        dft("f64[2,2]", "i64[0]").fails("input-type", "DFT does not accept f64 at input 0 `data`");
        op("DFT", 7, ["f32[...]", "i64[2]", "i64[3]"])
            .fails("shape-conflict", "`signal_size` has 3 elements for 2 axes");
        op("DFT", 7, ["f32[2,8,8,2]", "i64[1] = 0", "i64[1] = -2"])
            .fails("input-value", "`signal_size` requests a length of -2, wanted 0 or more, or -1");
    }
}
