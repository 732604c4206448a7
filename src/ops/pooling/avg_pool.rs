//! `AvgPool`: the mean of every window.
//!
//! - Spec: `pooling/avg-pool-1`, `-14`, `-16`
//! - Shape: as `MaxPool`.
//! - Errors: as `MaxPool`; `attribute-value` if a window can lie in the padding alone although `exclude-pad` is set.
//! - Differs from OpenVINO: as `MaxPool`; pads as long as a window are reported for unknown lengths, too.
//! - Revisions: 14 adds the rounding `ceil_torch`; 16 adds `dilations`.

use super::max_pool::{DATA, KERNEL, POOL_STRIDES, ROUNDING, ROUNDING_14, pooled};
use crate::ops::Missing;
use crate::ops::prelude::*;
use crate::ops::shared::window::{AUTO_PAD, DILATIONS, PADS_BEGIN, PADS_END};

pub(super) static AVG_POOL_1: OpSpec = OpSpec {
    inputs: &[DATA],
    attrs: &[KERNEL, POOL_STRIDES, PADS_BEGIN, PADS_END, EXCLUDE_PAD, AUTO_PAD, ROUNDING],
    ..OpSpec::new("AvgPool", 1, infer)
};

pub(super) static AVG_POOL_14: OpSpec = OpSpec {
    opset: 14,
    attrs: &[KERNEL, POOL_STRIDES, PADS_BEGIN, PADS_END, EXCLUDE_PAD, AUTO_PAD, ROUNDING_14],
    ..AVG_POOL_1
};

pub(super) static AVG_POOL_16: OpSpec = OpSpec {
    opset: 16,
    attrs: &[KERNEL, POOL_STRIDES, AVG_DILATIONS, PADS_BEGIN, PADS_END, EXCLUDE_PAD, AUTO_PAD, ROUNDING_14],
    ..AVG_POOL_1
};

/// The dilations. Without them, OpenVINO does not compile an `AvgPool`, although it compiles a `MaxPool`.
const AVG_DILATIONS: Attr = Attr { missing: Missing::NotCompiled(""), ..DILATIONS };
const EXCLUDE_PAD: Attr = Attr::optional("exclude-pad", Kind::Flag, "true");

fn infer(cx: &InferCtx) -> Inferred {
    let (shape, windows) = pooled(cx)?;
    if cx.writes("dilations") && cx.ints("dilations").is_empty() {
        cx.pass(wrong_attr("dilations", "`dilations` holds no number").runtime(Runtime::NotCompiled))?;
    }
    for (axis, kernel) in cx.ints("kernel").iter().enumerate() {
        let reach = windows.reach(axis, Dim::exact(*kernel)).lower();
        let (begin, end) = windows.pads(axis);
        if cx.flag("exclude-pad") && begin.max(end) >= reach {
            let name = if begin >= reach { "pads_begin" } else { "pads_end" };
            let pads = begin.max(end);
            let message =
                format!("{pads} elements of padding hold a whole window of {reach}, which `exclude-pad` forbids");
            let is_checked = cx.input(0).rank().is_some() && cx.input(0).shape.dim(axis + 2).is_exact();
            return Err(wrong_attr(name, message).runtime(if is_checked {
                Runtime::Rejects
            } else {
                Runtime::Unknown
            }));
        }
    }
    Ok(vec![Fact::new(cx.input(0).ty, shape)])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let pool = |opset, data| op("AvgPool", opset, [data]).attr("kernel", "2,2").attr("strides", "2,2");
        pool(1, "f32[1,3,9,8]").gives(["f32[1,3,4,4]"]);
        pool(1, "f32[?,3,9,?]").attr("exclude-pad", false).attr("pads_begin", "2,3").gives(["f32[?,3,5,1..]"]);
        pool(1, "f32[1,3,9,8]").attr("pads_begin", "2,2").attr("auto_pad", "valid").gives(["f32[1,3,4,4]"]);
        pool(14, "f32[1,3,9,8]").attr("rounding_type", "ceil_torch").gives(["f32[1,3,5,4]"]);
        pool(16, "f32[1,3,9,8]").attr("dilations", "2,1").gives(["f32[1,3,4,4]"]);
        pool(1, "boolean[...]").gives(["boolean[?,?,1..,1..]"]);
    }

    #[test]
    fn errors() {
        let pool = |data| op("AvgPool", 1, [data]).attr("kernel", "2,2").attr("strides", "2,2");
        pool("f32[1,3,9,8]")
            .attr("pads_end", "0,2")
            .fails("attribute-value", "2 elements of padding hold a whole window of 2, which `exclude-pad` forbids");
        pool("f32[1,3,9,8]")
            .attr("rounding_type", "ceil_torch")
            .fails("attribute-value", "`rounding_type=\"ceil_torch\"` of AvgPool must be one of floor, ceil");
        pool("f32[1,3,1,8]").fails("shape-conflict", "the kernel spans 2 elements, dimension 2 of the data has 1");
    }
}
