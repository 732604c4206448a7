//! `ScatterUpdate`: replaces whole slices of a tensor.
//!
//! - Spec: `movement/scatter-update-3`
//! - Shape: that of `data`. `updates` has the dimensions of `data` with those of `indices` in place of the axis.
//! - Errors: `shape-conflict`, `type-conflict`, `axis-range`, `input-rank`; `input-value` for indices outside `data`, which is a
//!   warning unless a shape depends on its elements.
//! - Differs from OpenVINO: `updates` narrows the dimensions of `data`.

use crate::ops::prelude::*;
use crate::ops::shared::scatter::{check_indices, fitted};
use crate::ops::shared::strides::{index, position, strides};

pub(super) static SCATTER_UPDATE_3: OpSpec = OpSpec {
    inputs: &[
        Input::any("data"),
        Input::index("indices").unread().followed(),
        Input::any("updates"),
        Input::index("axis").decoded().ranks(&[0, 1]),
    ],
    eval: Eval::Move(Bounding::Updated, mover),
    waits: &[&AXIS_RANGE],
    ..OpSpec::new("ScatterUpdate", 3, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let ty = agreed_type(cx, &[0, 2])?;
    let count = cx.input(3).shape.elements();
    if !count.admits(1) {
        let message = format!("`axis` of ScatterUpdate holds {count} element{s}, wanted one axis", s = plural(count));
        return Err(Fault::at(At::Input(3), &INPUT_RANK, message));
    }
    let [data, indices, updates] = [0, 1, 2].map(|i| &cx.input(i).shape);
    let axis = cx.axis(3, 0)?;
    let (Some(d), Some(i), Some(u)) = (data.dims(), indices.dims(), updates.dims()) else {
        return Ok(vec![Fact::new(ty, data.clone())]);
    };
    if u.len() + 1 != d.len() + i.len() {
        let wanted = (d.len() + i.len()).saturating_sub(1);
        return Err(misfit(cx, 2, &[0, 1], format!("`updates` has rank {}, wanted {wanted}", u.len())));
    }
    let Some(axis) = axis else { return Ok(vec![Fact::new(ty, data.clone())]) };
    check_indices(cx, |_| axis, false)?;
    let count = i.len();
    let shape = fitted(cx, |dim| match dim.checked_sub(axis) {
        None => (0, dim),
        Some(inside) if inside < count => (1, inside),
        Some(_) => (0, dim + 1 - count),
    })?;
    Ok(vec![Fact::new(ty, shape)])
}

/// Maps an output element to the last update of its slice, else to `data`.
fn mover<'a>(cx: &'a InferCtx, _: usize) -> Option<Mover<'a>> {
    let axis = cx.axis(3, 0).ok()??;
    let data = cx.input(0).shape.sizes()?;
    let indices = cx.constant(1)?;
    let mut writer = vec![None; *data.get(axis)?];
    for (n, value) in indices.iter().enumerate() {
        *writer.get_mut(usize::try_from(*value).ok()?)? = Some(n);
    }
    let mut updates = data.clone();
    *updates.get_mut(axis)? = indices.len();
    let steps = strides(&updates);
    Some(Box::new(move |i| {
        let mut coords = position(i, &data);
        match writer.get(coords[axis]).copied().flatten() {
            Some(n) => {
                coords[axis] = n;
                (2, index(coords, &steps))
            }
            None => (0, i),
        }
    }))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let scatter = |data, indices, updates, axis| op("ScatterUpdate", 3, [data, indices, updates, axis]);
        scatter("f32[2,3,4]", "i32[5]", "f32[2,5,4]", "i64[] = 1").gives(["f32[2,3,4]"]);
        scatter("f32[2,3,4]", "i32[5,6]", "f32[2,3,5,6]", "i64[1] = -1").gives(["f32[2,3,4]"]);
        scatter("f32[?,3..,4]", "i32[]", "f32[2,4..]", "i64[] = 1").gives(["f32[2,3..,4]"]);
        scatter("f32[?,3]", "i32[5]", "f32[2,5]", "i64[]").gives(["f32[?,3]"]);
        scatter("f32[...]", "i32[5]", "f32[2,5]", "i64[] = 9").gives(["f32[...]"]);
        scatter("dynamic[2]", "i32[1]", "f16[1]", "i64[] = 0").gives(["f16[2]"]);
        for axis in ["u1[] = 1", "u2[] = 1", "u3[] = 1", "u6[] = 1", "i4[] = -1"] {
            op("ScatterUpdate", 3, ["f32[2,3]", "i32[2]", "f32[2,2]"]).stored(axis).gives(["f32[2,3]"]);
        }
        scatter("i64[3] = 4,6,?", "i64[1] = 1", "i64[1] = 9", "i64[] = 0").gives(["i64[3] = 4,9,?"]);
        scatter("i64[3] = 4,6,7", "i64[2] = 2,0", "i64[2] = 8,1..2", "i64[] = 0").gives(["i64[3] = 1..2,6,8"]);
        scatter("i64[2,2] = 1,2,3,4", "i64[1] = 0", "i64[2,1] = 5,6", "i64[] = 1").gives(["i64[2,2] = 5,2,6,4"]);
        scatter("i64[2]", "i64[1] = 0", "i64[1] = 5", "i64[] = 0").gives(["i64[2] = 5,?"]);
        scatter("i64[2] = 1,2", "i64[1]", "i64[1] = 5", "i64[] = 0").gives(["i64[2]"]);
    }

    #[test]
    fn errors() {
        let scatter = |data, indices, updates, axis| op("ScatterUpdate", 3, [data, indices, updates, axis]);
        scatter("f32[2,3]", "i32[1] = -1", "f32[1,3]", "i64[] = 0")
            .warns("input-value", "`indices` holds -1, dimension 0 of `data` is 2")
            .gives(["f32[2,3]"]);
        scatter("f32[2,3]", "i32[5]", "f32[2,5,4]", "i64[]").fails("shape-conflict", "`updates` has rank 3, wanted 2");
        scatter("f32[2,3]", "i32[5]", "f32[2,6]", "i64[] = 1")
            .fails("shape-conflict", "dimension 1 of `updates` is 6, dimension 0 of `indices` is 5");
        scatter("f32[2,3]", "i32[5]", "f32[5,4]", "i64[] = 0")
            .fails("shape-conflict", "dimension 1 of `updates` is 4, dimension 1 of `data` is 3");
        scatter("f32[2,3]", "i32[5]", "f16[5,3]", "i64[] = 0")
            .fails("type-conflict", "`updates` is f16, `data` is f32");
        scatter("f32[2,3]", "i32[5]", "f32[5,3]", "i64[] = 2").fails("axis-range", "axis 2 is outside -2..1");
        scatter("f32[2,3]", "f32[5]", "f32[5,3]", "i64[] = 0")
            .fails("index-type", "`indices` must be of an integer type, but is f32");
        scatter("i64[2] = 1,2", "i64[1] = 7", "i64[1] = 5", "i64[] = 0")
            .fails("input-value", "`indices` holds 7, dimension 0 of `data` is 2");
        scatter("i64[2] = 1,2", "i64[1] = -1", "i64[1] = 5", "i64[] = 0")
            .fails("input-value", "`indices` holds -1, dimension 0 of `data` is 2");
        scatter("f32[2,3]", "i32[5]", "f32[5,3]", "i64[2]")
            .fails("input-rank", "`axis` of ScatterUpdate holds 2 elements, wanted one axis");
    }
}
