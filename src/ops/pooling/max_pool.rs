//! `MaxPool`: the maximum of every window and, since opset8, its index.
//!
//! - Spec: `pooling/max-pool-1`, `-8`, `-14`
//! - Shape: batches and channels of `data`, then the positions of `kernel` along every spatial dimension; of an unknown
//!   rank, as many dimensions as `kernel` determines. Both outputs have the same shape.
//! - Errors: `input-rank`; `attribute-value` if a list does not fit the spatial dimensions; `axis-range`;
//!   `shape-conflict` if the kernel is larger than the padded data, or if there is no batch or channel.
//! - Differs from OpenVINO: bounds are propagated through `auto_pad`, for which OpenVINO gives an unknown length; a kernel
//!   larger than every length of an interval is reported.
//! - Revisions: 8 adds `dilations`, `axis` and the indices; 14 adds the rounding `ceil_torch`.

use crate::ops::prelude::*;
use crate::ops::shared::window::{AUTO_PAD, DILATIONS, PADS_BEGIN, PADS_END, STRIDES, Windows, list};
use crate::ops::{Dated, Missing};

pub(super) static MAX_POOL_1: OpSpec = OpSpec {
    inputs: &[DATA],
    attrs: &[KERNEL, POOL_STRIDES, PADS_BEGIN, PADS_END, ROUNDING, AUTO_PAD],
    action: Action::Selects,
    ..OpSpec::new("MaxPool", 1, infer)
};

pub(super) static MAX_POOL_8: OpSpec = OpSpec {
    opset: 8,
    attrs: &[KERNEL, POOL_STRIDES, DILATIONS, PADS_BEGIN, PADS_END, ROUNDING, AUTO_PAD, INDEX_TYPE, AXIS],
    outputs: Outputs::Exactly(2),
    infer: infer_8,
    ..MAX_POOL_1
};

pub(super) static MAX_POOL_14: OpSpec = OpSpec {
    opset: 14,
    attrs: &[KERNEL, POOL_STRIDES, DILATIONS, PADS_BEGIN, PADS_END, ROUNDING_14, AUTO_PAD, INDEX_TYPE, AXIS],
    ..MAX_POOL_8
};

pub(super) const DATA: Input = Input::any("data").ranks(&[3, 4, 5]);
pub(super) const KERNEL: Attr = Attr::required("kernel", Kind::Ints(1, i64::MAX)).checked(Checked::Static);
pub(super) const POOL_STRIDES: Attr = Attr { missing: Missing::Refused, ..STRIDES };
pub(super) const ROUNDING: Attr = Attr::optional("rounding_type", Kind::Choice(&["floor", "ceil"]), "floor");
pub(super) const ROUNDING_14: Attr =
    Attr::optional("rounding_type", Kind::Choice(&["floor", "ceil", "ceil_torch"]), "floor")
        .since(Dated::Value("ceil_torch"), release(2024, 1));
const INDEX_TYPE: Attr = Attr::optional("index_element_type", Kind::Type, "i64");
const AXIS: Attr = Attr::optional("axis", Kind::INT, "0");

fn infer(cx: &InferCtx) -> Inferred {
    let (shape, _) = pooled(cx)?;
    Ok(vec![Fact::new(cx.input(0).ty, shape)])
}

fn infer_8(cx: &InferCtx) -> Inferred {
    let (shape, _) = pooled(cx)?;
    if let Some(rank) = cx.input(0).rank() {
        cx.normalize(At::Attr("axis"), cx.int("axis"), rank)?;
    }
    Ok(vec![Fact::new(cx.input(0).ty, shape.clone()), Fact::new(cx.ty("index_element_type"), shape)])
}

pub(super) fn pooled(cx: &InferCtx) -> Result<(PartialShape, Windows), Fault> {
    let kernel = cx.ints("kernel");
    let spatial = cx.input(0).rank().map_or(kernel.len(), |rank| rank.saturating_sub(2));
    let kernel = list(cx, "kernel", spatial, 1)?;
    let windows = Windows::read(cx, spatial)?;
    check_pads(cx, &windows, spatial)?;
    for (axis, what) in ["batch", "channel"].into_iter().enumerate() {
        cx.dim(0, axis).demand_at_least(Dim::exact(1));
        if cx.dim(0, axis) == Dim::exact(0) {
            return Err(conflict(cx, 0, format!("dimension {axis} of `data` is 0, wanted at least one {what}")));
        }
    }
    let mut dims = vec![cx.dim(0, 0), cx.dim(0, 1)];
    for (axis, length) in kernel.into_iter().enumerate() {
        let data = cx.dim(0, axis + 2);
        if windows.is_same() {
            data.demand_at_least(Dim::exact(1));
        }
        if windows.is_same() && data == Dim::exact(0) {
            return Err(conflict(cx, 0, format!("dimension {} of `data` is 0, wanted at least 1", axis + 2)));
        }
        dims.push(windows.positions(cx, axis, data, Dim::exact(length))?);
    }
    Ok((PartialShape::of(dims), windows))
}

/// Rejects negative pads if they are used. OpenVINO stores the pads of a pooling unsigned: with static data it rejects pads
/// with a sum of -1, and those that `exclude-pad` finds longer than a window; other sums wrap around silently.
fn check_pads(cx: &InferCtx, windows: &Windows, spatial: usize) -> Result<(), Fault> {
    let excludes = cx.spec.attrs.iter().any(|attr| attr.name == "exclude-pad") && cx.flag("exclude-pad");
    let sums = (0..spatial).map(|axis| windows.pads(axis)).map(|(begin, end)| begin.checked_add(end));
    let is_seen = excludes || { sums }.any(|sum| sum == Some(-1));
    let runtime = if is_seen && cx.input(0).shape.is_static() { Runtime::Rejects } else { Runtime::Unknown };
    for (begin, end) in (0..spatial).map(|axis| windows.pads(axis)) {
        for (name, pad) in [("pads_begin", begin), ("pads_end", end)] {
            if pad < 0 {
                return Err(wrong_attr(name, format!("`{name}` holds {pad}, wanted 0 or more")).runtime(runtime));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let pool = |opset, data, kernel: &'static str, strides: &'static str| {
            op("MaxPool", opset, [data]).attr("kernel", kernel).attr("strides", strides)
        };
        pool(1, "f32[1,3,9,8]", "2,2", "2,2").gives(["f32[1,3,4,4]"]);
        pool(1, "string[1,3,9,8]", "2,2", "2,2").attr("rounding_type", "ceil").gives(["string[1,3,5,4]"]);
        pool(1, "f32[?,3,..9,7..]", "2,2", "2,2").gives(["f32[?,3,1..4,3..]"]);
        pool(1, "f32[1,3,5..9,8]", "3,3", "2,2").attr("auto_pad", "same_upper").gives(["f32[1,3,3..5,4]"]);
        // A stride beyond the kernel leaves room for one more window if counts are rounded up.
        let same = |data| pool(14, data, "1", "3").attr("auto_pad", "same_upper");
        same("f32[1,3,5]").attr("rounding_type", "ceil").gives(["f32[1,3,3]", "i64[1,3,3]"]);
        same("f32[1,3,4..5]").attr("rounding_type", "ceil").gives(["f32[1,3,2..3]", "i64[1,3,2..3]"]);
        same("f32[1,3,5]").attr("rounding_type", "ceil_torch").gives(["f32[1,3,2]", "i64[1,3,2]"]);
        pool(8, "f32[1,3,9,8]", "2,2", "1,1")
            .attr("dilations", "2,3")
            .attr("index_element_type", "i32")
            .attr("axis", -4)
            .gives(["f32[1,3,7,5]", "i32[1,3,7,5]"]);
        // The last window of `ceil` would start in the padding.
        let torch = |data| pool(14, data, "2", "2").attr("pads_begin", 1).attr("pads_end", 1);
        torch("f32[1,3,4..5]").attr("rounding_type", "ceil").gives(["f32[1,3,3..4]", "i64[1,3,3..4]"]);
        torch("f32[1,3,4..5]").attr("rounding_type", "ceil_torch").gives(["f32[1,3,3]", "i64[1,3,3]"]);
        pool(1, "f32[...]", "2,2", "2,2").gives(["f32[?,?,1..,1..]"]);
    }

    #[test]
    fn errors() {
        let pool = |opset, data, kernel: &'static str| {
            op("MaxPool", opset, [data]).attr("kernel", kernel).attr("strides", "1,1")
        };
        pool(1, "f32[1,3,9,1]", "2,2")
            .fails("shape-conflict", "the kernel spans 2 elements, dimension 3 of the data has 1");
        pool(1, "f32[1,3,0,8]", "2,2")
            .attr("auto_pad", "same_upper")
            .fails("shape-conflict", "dimension 2 of `data` is 0, wanted at least 1");
        pool(1, "f32[1,3,9,8]", "2,2")
            .attr("pads_end", "0,-1")
            .fails("attribute-value", "`pads_end` holds -1, wanted 0 or more");
        pool(1, "f32[1,3,9,8]", "2,2").attr("pads_end", "0,-1").attr("auto_pad", "same_upper").gives(["f32[1,3,9,8]"]);
        pool(1, "f32[0,3,9,8]", "2,2").fails("shape-conflict", "dimension 0 of `data` is 0, wanted at least one batch");
        pool(1, "f32[1,3,9,8]", "2").fails("attribute-value", "`kernel` has 1 element for 2 spatial dimensions");
        pool(1, "f32[3,9]", "2,2").fails("input-rank", "`data` of MaxPool must be of rank 3, 4 or 5, but is f32[3,9]");
        pool(8, "f32[1,3,9,8]", "2,2").attr("axis", 4).fails("axis-range", "axis 4 is outside -4..3");
        pool(8, "f32[1,3,9,8]", "2,2")
            .attr("rounding_type", "ceil_torch")
            .fails("attribute-value", "`rounding_type=\"ceil_torch\"` of MaxPool must be one of floor, ceil");
        op("MaxPool", 1, ["f32[1,3,9,8]"]).attr("kernel", "2,2").fails("missing-attribute", "MaxPool has no `strides`");
    }
}
