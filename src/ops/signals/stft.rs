//! `STFT`: the short-time Fourier transform.
//!
//! - Spec: `signals/stft-15`
//! - Shape: of a signal `[T]` or `[batch, T]`, frames (`(T - frame_size) / frame_step + 1`) by bins (`frame_size / 2 + 1`) by
//!   2 after the batch; bins come first with `transpose_frames`. An unknown rank stays unknown.
//! - Errors: `input-rank`; `type-conflict`; `input-value` if a size or step is not positive or the frame longer than the
//!   signal; `shape-conflict` if the window is longer than the frame.
//! - Differs from OpenVINO: size and step are used independently, and by their bounds.

use crate::ops::prelude::*;
use crate::ops::shared::fourier::SIZES;
use crate::types::interval::floor_div;

pub(super) static STFT_15: OpSpec = OpSpec {
    inputs: &[
        Input::of("signal", REALS).ranks(&[1, 2]),
        Input::of("window", REALS).ranks(&[1]),
        Input::index("frame_size").types(SIZES).if_ranked().ranks(&[0]),
        Input::index("frame_step").types(SIZES).if_ranked().ranks(&[0]),
    ],
    attrs: &[Attr::optional("transpose_frames", Kind::Flag, "false")],
    ..OpSpec::new("STFT", 15, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let ty = agreed_type(cx, &[0, 1])?;
    let Some([batch @ .., time]) = cx.input(0).shape.dims() else { return unranked(ty) };
    // OpenVINO looks at neither number before it knows both.
    let late = |fault: Fault| fault.late_unless([2, 3].iter().all(|i| cx.constant(*i).is_some()));
    let (size, step) = (at_least_one(cx, 2).map_err(late)?, at_least_one(cx, 3).map_err(late)?);
    time.demand_at_least(size);
    let Some(size) = size.merge(Dim::between(0, time.upper().unwrap_or(i64::MAX)).unwrap_or(Dim::ANY)) else {
        let message = format!("`frame_size` is {size}, the signal has {time} element{s}", s = plural(time));
        let fault = Fault::at(At::Input(2), &INPUT_VALUE, message);
        return Err(late(fault.label(At::Input(0), cx.input(0).to_string())));
    };
    check_window(cx, size).map_err(late)?;
    let counts = [frames(*time, size, step), bins(size)];
    let counts = if cx.flag("transpose_frames") { [counts[1], counts[0]] } else { counts };
    let dims = batch.iter().copied().chain(counts).chain([Dim::exact(2)]);
    Ok(vec![Fact::new(ty, PartialShape::of(dims))])
}

/// The positive number in input `i`.
pub(super) fn at_least_one(cx: &InferCtx, i: usize) -> Result<Dim, Fault> {
    let bounds = cx.bounds(i).and_then(|all| all.first().copied());
    let Some(bounds) = bounds else { return Ok(Dim::at_least(1)) };
    Dim::between(bounds.lower.max(1), bounds.upper).map(|size| size.with_symbol(bounds.symbol)).ok_or_else(|| {
        let message = format!("`{}` is {}, wanted 1 or more", cx.input_name(i), bounds.upper);
        Fault::at(At::Input(i), &INPUT_VALUE, message)
    })
}

/// Reports a window that is empty or longer than a frame.
pub(super) fn check_window(cx: &InferCtx, size: Dim) -> Result<(), Fault> {
    let window = cx.dim(1, 0);
    let longest = size.upper().unwrap_or(i64::MAX);
    window.demand_at_least(Dim::exact(1));
    size.demand_at_least(window);
    match Dim::between(1, longest).and_then(|fitting| fitting.merge(window)) {
        Some(_) => Ok(()),
        None => {
            Err(conflict(cx, 1, format!("`window` has {window} element{s}, the frame has {size}", s = plural(window))))
        }
    }
}

/// The bins of the transform of a frame.
pub(super) fn bins(size: Dim) -> Dim {
    let bins = |size: i64| size / 2 + 1;
    Dim::between(bins(size.lower()), size.upper().map_or(i64::MAX, bins)).unwrap_or(Dim::ANY).equal(|| {
        let half = Interval::from(size).divided(Interval::exact(2), floor_div);
        Some(half.plus(Interval::exact(1)))
    })
}

/// The frames that start within the signal and do not pass its end.
fn frames(time: Dim, size: Dim, step: Dim) -> Dim {
    let count = |time: i64, size: i64, step: i64| time.saturating_sub(size).max(0) / step.max(1) + 1;
    let lower = match (size.upper(), step.upper()) {
        (Some(size), Some(step)) => count(time.lower(), size, step),
        _ => 1,
    };
    let upper = time.upper().map_or(i64::MAX, |time| count(time, size.lower(), step.lower()));
    Dim::between(lower, upper).unwrap_or(Dim::at_least(1)).equal(|| {
        let room = Interval::from(time).plus(Interval::from(size).negated()).max(Interval::exact(0));
        Some(room.divided(Interval::from(step), floor_div).plus(Interval::exact(1)))
    })
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let stft = |signal, size, step| op("STFT", 15, [signal, "f32[5]", size, step]);
        stft("f32[2,48]", "i64[] = 16", "i64[] = 8").gives(["f32[2,5,9,2]"]);
        stft("f32[48]", "i64[] = 16", "i64[] = 8").attr("transpose_frames", true).gives(["f32[9,5,2]"]);
        stft("f32[?,10..48]", "i32[] = 7", "i32[] = 3").gives(["f32[?,2..14,4,2]"]);
        stft("f32[2,48]", "i64[]", "i64[] = 16").gives(["f32[2,1..3,1..25,2]"]);
        stft("f32[2,48]", "i64[] = 16", "i64[]").gives(["f32[2,1..33,9,2]"]);
        stft("f32[...]", "i64[] = 16", "i64[] = 16").gives(["f32[...]"]);
    }

    #[test]
    fn errors() {
        let stft = |signal, window, size, step| op("STFT", 15, [signal, window, size, step]);
        stft("f32[48]", "f32[5]", "i64[] = 49", "i64[] = 1")
            .fails("input-value", "`frame_size` is 49, the signal has 48 elements");
        stft("f32[48]", "f32[5]", "i64[] = 0", "i64[] = 1").fails("input-value", "`frame_size` is 0, wanted 1 or more");
        stft("f32[48]", "f32[5]", "i64[]", "i64[] = -1").fails("input-value", "`frame_step` is -1, wanted 1 or more");
        stft("f32[48]", "f32[17..]", "i64[] = 16", "i64[] = 1")
            .fails("shape-conflict", "`window` has 17.. elements, the frame has 16");
        stft("f32[1,2,48]", "f32[5]", "i64[]", "i64[]")
            .fails("input-rank", "`signal` of STFT must be of rank 1 or 2, but is f32[1,2,48]");
        stft("f32[48]", "f16[5]", "i64[]", "i64[]").fails("type-conflict", "`window` is f16, `signal` is f32");
    }
}
