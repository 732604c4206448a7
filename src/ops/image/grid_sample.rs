//! `GridSample`: takes the pixels that a grid of coordinates points at.
//!
//! - Spec: `image/grid-sample-9`
//! - Shape: batch and channels of `data`, then height and width of `grid`.
//! - Errors: `input-rank`; `input-type`; `shape-conflict` if batches differ or `grid` does not hold pairs.

use crate::ops::prelude::*;

pub(super) static GRID_SAMPLE_9: OpSpec = OpSpec {
    inputs: &[Input::any("data").ranks(&[4]), Input::of("grid", REALS).ranks(&[4])],
    attrs: &[
        Attr::optional("align_corners", Kind::Flag, "false"),
        Attr::optional("mode", Kind::Choice(&["bilinear", "bicubic", "nearest"]), "bilinear"),
        Attr::optional("padding_mode", Kind::Choice(&["zeros", "border", "reflection"]), "zeros"),
    ],
    ..OpSpec::new("GridSample", 9, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let batch = agreed_dim(cx, &[(0, 0), (1, 0)])?;
    wanted_dim(cx, 1, 3, Dim::exact(2), "an x and a y")?;
    let shape = PartialShape::of([batch, cx.dim(0, 1), cx.dim(1, 1), cx.dim(1, 2)]);
    Ok(vec![Fact::new(cx.input(0).ty, shape)])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("GridSample", 9, ["f32[1,3,10,10]", "f32[1,5,6,2]"]).gives(["f32[1,3,5,6]"]);
        op("GridSample", 9, ["i8[?,3,10,10]", "f16[1..2,?,6..7,?]"]).gives(["i8[1..2,3,?,6..7]"]);
        op("GridSample", 9, ["f32[...]", "f32[...]"]).gives(["f32[?,?,?,?]"]);
    }

    #[test]
    fn errors() {
        op("GridSample", 9, ["f32[2,3,10,10]", "f32[1,5,6,2]"])
            .fails("shape-conflict", "dimension 0 of `grid` is 1, dimension 0 of `data` is 2");
        op("GridSample", 9, ["f32[1,3,10,10]", "f32[1,5,6,3]"])
            .fails("shape-conflict", "dimension 3 of `grid` is 3, wanted 2: an x and a y");
        op("GridSample", 9, ["f32[1,3,10,10]", "i32[1,5,6,2]"])
            .fails("input-type", "GridSample does not accept i32 at input 1 `grid`");
    }
}
