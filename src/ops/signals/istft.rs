//! `ISTFT`: the inverse short-time Fourier transform.
//!
//! - Spec: `signals/istft-16`
//! - Shape: of `[bins, frames, 2]` or `[batch, bins, frames, 2]`, after the batch `signal_length`, without that input
//!   `(frames - 1) * frame_step + frame_size`, less twice half the frame with `center`. An unknown rank stays unknown.
//! - Errors: `input-rank`; `type-conflict`; `input-value` if a size or step is not positive or a length negative;
//!   `shape-conflict` if the bins are not those of `frame_size` or the window is longer than the frame.
//! - Differs from OpenVINO: size and step are used independently, and by their bounds.

use super::stft::{at_least_one, bins, check_window};
use crate::ops::prelude::*;
use crate::ops::shared::fourier::SIZES;

pub(super) static ISTFT_16: OpSpec = OpSpec {
    inputs: &[
        Input::of("data", REALS).ranks(&[3, 4]),
        Input::of("window", REALS).ranks(&[1]),
        Input::index("frame_size").types(SIZES).ranks(&[0]),
        Input::index("frame_step").types(SIZES).ranks(&[0]),
        Input::index("signal_length").lengths().types(SIZES).if_ranked().ranks(&[0, 1]).optional(),
    ],
    attrs: &[Attr::optional("center", Kind::Flag, "false"), Attr::optional("normalized", Kind::Flag, "false")],
    waits: &[&INPUT_RANK],
    ..OpSpec::new("ISTFT", 16, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let ty = agreed_type(cx, &[0, 1])?;
    wanted_dim(cx, 4, 0, Dim::exact(1), "one length")
        .map_err(|fault| fault.late_unless(cx.input(0).rank().is_some()))?;
    let (size, step) = (at_least_one(cx, 2)?, at_least_one(cx, 3)?);
    let Some([batch @ .., _, frames, _]) = cx.input(0).shape.dims() else {
        check_window(cx, size)?;
        return unranked(ty);
    };
    // OpenVINO compares the lengths once it knows all of them.
    let is_seen = |fault: Fault| if cx.input(0).shape.is_static() { fault } else { fault.runtime(Runtime::Accepts) };
    if let Err(fault) = wanted_dim(cx, 0, batch.len(), bins(size), "`frame_size` / 2 + 1 bins") {
        cx.pass(is_seen(fault))?;
    }
    check_window(cx, size)?;
    let length = if cx.has_input(4) {
        length(cx, 4, 0)?
    } else {
        let steps = frames.minus(Dim::exact(1)).times(step);
        steps.plus(if cx.flag("center") { odd(size) } else { size })
    };
    Ok(vec![Fact::new(ty, PartialShape::of(batch.iter().copied().chain([length])))])
}

/// The remainder of `size` by 2.
fn odd(size: Dim) -> Dim {
    size.length().and_then(|size| Dim::between(size % 2, size % 2)).unwrap_or(Dim::at_most(1))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let istft = |data, size, step| op("ISTFT", 16, [data, "f32[16]", size, step]);
        istft("f32[2,9,3,2]", "i64[] = 16", "i64[] = 4").gives(["f32[2,24]"]);
        istft("f32[9,3,2]", "i64[] = 16", "i64[] = 4").attr("center", true).gives(["f32[8]"]);
        istft("f32[?,9,2..4,2]", "i64[]", "i32[] = 4").attr("center", true).gives(["f32[?,4..13]"]);
        istft("f32[?,?,?,2]", "i64[] = 17", "i32[] = 4").attr("center", true).gives(["f32[?,1..]"]);
        istft("f32[9,?,2]", "i64[] = 16", "i64[] = 4").gives(["f32[16..]"]);
        istft("f32[...]", "i64[] = 16", "i64[] = 4").gives(["f32[...]"]);
        let length = |length| op("ISTFT", 16, ["f32[9,3,2]", "f32[16]", "i64[] = 16", "i64[] = 4", length]);
        length("i64[1] = 40").gives(["f32[40]"]);
        length("i32[] = 3..4").gives(["f32[3..4]"]);
        length("i64[]").gives(["f32[?]"]);
    }

    #[test]
    fn errors() {
        let istft = |data, size, step| op("ISTFT", 16, [data, "f32[16]", size, step]);
        istft("f32[10,3,2]", "i64[] = 16", "i64[] = 4")
            .fails("shape-conflict", "dimension 0 of `data` is 10, wanted 9: `frame_size` / 2 + 1 bins");
        istft("f32[8,3,2]", "i64[] = 15", "i64[] = 4")
            .fails("shape-conflict", "`window` has 16 elements, the frame has 15");
        istft("f32[9,3,2]", "i64[] = 16", "i64[] = 0").fails("input-value", "`frame_step` is 0, wanted 1 or more");
        istft("f32[...]", "i64[] = 0", "i64[] = 4").fails("input-value", "`frame_size` is 0, wanted 1 or more");
        istft("f32[3,2]", "i64[] = 16", "i64[] = 4")
            .fails("input-rank", "`data` of ISTFT must be of rank 3 or 4, but is f32[3,2]");
        let length = |length| op("ISTFT", 16, ["f32[9,3,2]", "f32[16]", "i64[] = 16", "i64[] = 4", length]);
        length("i64[2]").fails("shape-conflict", "dimension 0 of `signal_length` is 2, wanted 1: one length");
        length("i64[] = -4").fails("input-value", "`signal_length` requests a length of -4, wanted 0 or more");
    }
}
