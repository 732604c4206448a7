//! `Unsqueeze`: inserts dimensions of length 1.
//!
//! - Spec: `shape/unsqueeze-1`
//! - Shape: `axes` refer to the output, which has one more dimension for each of them; a repeated number counts once.
//! - Errors: `axis-range`, `input-value` without any axis, `input-rank`, `index-type` for
//!   constants that OpenVINO cannot read.
//! - Differs from OpenVINO: a single unknown axis still gives the rank.

use crate::arrange::Fill;
use crate::ops::prelude::*;
use crate::ops::shape::squeeze::axes_input;
use std::collections::BTreeSet;

pub(super) static UNSQUEEZE_1: OpSpec = OpSpec {
    inputs: &[Input::any("data"), axes_input()],
    eval: Eval::Copy(Bounding::Moved),
    ..OpSpec::new("Unsqueeze", 1, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    warn_of_floats(cx, 1);
    Ok(vec![Fact::new(cx.input(0).ty, shape(cx)?)])
}

fn shape(cx: &InferCtx) -> Result<PartialShape, Fault> {
    let data = &cx.input(0).shape;
    let axes = &cx.input(1).shape;
    if axes.is_empty() {
        let fault = Fault::at(At::Input(1), &INPUT_VALUE, "`axes` of Unsqueeze is empty, wanted at least one axis");
        return Err(fault.late_unless(cx.input(0).rank().is_some()));
    }
    let Some(dims) = data.dims() else { return Ok(PartialShape::UNKNOWN) };
    if let Some(count) = axes.count() {
        cx.misread_axes(1, dims.len().saturating_add(count))?;
    }
    let Some(axes) = cx.constant(1) else {
        let single = axes.elements().length() == Some(1);
        return Ok(if single { PartialShape::of_rank(dims.len() + 1) } else { PartialShape::UNKNOWN });
    };
    let distinct: BTreeSet<i64> = axes.into_iter().into_set();
    let rank = dims.len() + distinct.len();
    let axes: BTreeSet<usize> =
        distinct.iter().map(|axis| cx.normalize(At::Input(1), *axis, rank)).collect::<Result<_, _>>()?;
    let mut rest = dims.iter();
    let rank = dims.len() + axes.len();
    // If -1 and the last axis are both given, the rank is smaller than the one used to normalize: the 1 goes to the end.
    let mut dim = |axis| if axes.contains(&axis) { None } else { rest.next().copied() };
    let dims = (0..rank).map(|axis| dim(axis).unwrap_or(Dim::exact(1)));
    Ok(PartialShape::of(dims))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let unsqueeze = |data, axes| op("Unsqueeze", 1, [data, axes]);
        unsqueeze("f32[2,3]", "i64[2] = 0,-1").gives(["f32[1,2,3,1]"]);
        unsqueeze("f32[2,..3]", "i32[] = 1").gives(["f32[2,1,..3]"]);
        unsqueeze("u1[2,3]", "i64[2] = 3,0").gives(["u1[1,2,3,1]"]);
        unsqueeze("f32[2,3]", "i64[2] = -1,-1").gives(["f32[2,3,1]"]);
        unsqueeze("f32[2,3]", "i64[2] = 3,-1").gives(["f32[2,3,1]"]);
        unsqueeze("f32[2,3]", "i64[3] = 0,0,2").gives(["f32[1,2,1,3]"]);
        unsqueeze("f32[2,3]", "i64[1]").gives(["f32[?,?,?]"]);
        unsqueeze("f32[2,3]", "i64[2]").gives(["f32[...]"]);
        unsqueeze("f32[2,3]", "i64[?]").gives(["f32[...]"]);
        unsqueeze("f32[...]", "i64[1] = 7").gives(["f32[...]"]);
        unsqueeze("i64[] = 5", "i64[] = 0").gives(["i64[1] = 5"]);
        unsqueeze("i64[2] = 1..3,?", "i64[] = 0").gives(["i64[1,2] = 1..3,?"]);
        unsqueeze("f32[2]", "f32[1] = -0.7")
            .warns("float-index", "`axes` is f32; OpenVINO truncates its values to integers")
            .gives(["f32[1,2]"]);
    }

    #[test]
    fn errors() {
        op("Unsqueeze", 1, ["f32[2,3]"]).stored("u4[2] = 0,1").fails(
            "index-type",
            "`axes` of Unsqueeze holds constants of type u4, of which OpenVINO reads whole bytes: 16 is not an axis",
        );
        let unsqueeze = |data, axes| op("Unsqueeze", 1, [data, axes]);
        unsqueeze("f32[2,3]", "i64[] = 3").fails("axis-range", "axis 3 is outside -3..2");
        unsqueeze("f32[2,3]", "i64[3] = 4,4,4").fails("axis-range", "axis 4 is outside -3..2");
        unsqueeze("f32[2,3]", "i64[2] = 4,-1").fails("axis-range", "axis 4 is outside -4..3");
        unsqueeze("f32[...]", "i64[0] = ")
            .fails("input-value", "`axes` of Unsqueeze is empty, wanted at least one axis");
        unsqueeze("f32[2,3]", "i64[1,1]")
            .fails("input-rank", "`axes` of Unsqueeze must be a scalar or a list, but is i64[1,1]");
        unsqueeze("f32[2,3]", "boolean[1]").warns("index-type", "`axes` should be of an integer type, but is boolean");
    }
}
