//! `SegmentMax`: the largest elements of each segment of rows.
//!
//! - Spec: `arithmetic/segment-max-16`
//! - Shape: `data` with `num_segments` rows, or one more than the last value of `segment_ids`; of the type of `data`.
//! - Errors: `input-rank`, `input-type`; `shape-conflict` unless every row has a segment id; `input-value` for known
//!   segments that decrease and for a negative number of segments.
//! - Differs from OpenVINO: OpenVINO reads a constant of -1 segments as any number, and less as 0.

use super::table::{INDICES, segments, with_rows};
use crate::ops::prelude::*;

pub(super) static SEGMENT_MAX_16: OpSpec = OpSpec {
    inputs: &[
        Input::any("data"),
        Input::of("segment_ids", INDICES).ranks(&[1]).reads_value(),
        Input::of("num_segments", INDICES).ranks(&[0]).read().lengths().optional(),
    ],
    attrs: &[Attr::optional("fill_mode", Kind::Choice(&["zero", "lowest"]), "zero")],
    ..OpSpec::new("SegmentMax", 16, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let data = cx.input(0);
    let (rows, ids) = (cx.dim(0, 0), cx.dim(1, 0));
    if rows.agree(ids).is_none() {
        let (s, s2) = (plural(ids), plural(rows));
        let message = format!("`segment_ids` has {ids} element{s}, `data` has {rows} row{s2}");
        return Err(misfit(cx, 1, &[0], message));
    }
    let ids = cx.bounds(1).unwrap_or_default();
    if let Some((before, after)) = ids.iter().zip(ids.iter().skip(1)).find(|(a, b)| a.lower > b.upper) {
        let message = format!("`segment_ids` goes down from {} to {}", before.lower, after.upper);
        return Err(Fault::at(At::Input(1), &INPUT_VALUE, message));
    }
    let count = if cx.has_input(2) { segments(cx, 2)? } else { ids.last().map_or(Dim::ANY, |last| one_more(*last)) };
    Ok(vec![Fact::new(data.ty, with_rows(cx, count)?)])
}

fn one_more(last: Bounds<i64>) -> Dim {
    Dim::between(last.lower.saturating_add(1), last.upper.saturating_add(1)).unwrap_or(Dim::exact(0))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("SegmentMax", 16, ["f32[6,10]", "i32[6]", "i32[] = 5"]).gives(["f32[5,10]"]);
        op("SegmentMax", 16, ["f32[6,10]", "i32[6] = 0,0,1,3,3,3"]).attr("fill_mode", "lowest").gives(["f32[4,10]"]);
        op("SegmentMax", 16, ["f32[?,2..3]", "i32[2] = 0,2..4"]).gives(["f32[3..5,2..3]"]);
        op("SegmentMax", 16, ["f32[6]", "i32[6]", "i64[] = 2.."]).gives(["f32[2..]"]);
        op("SegmentMax", 16, ["f32[6,2]", "i64[?]"]).gives(["f32[?,2]"]);
        op("SegmentMax", 16, ["f32[...]", "i64[6]"]).gives(["f32[...]"]);
        op("SegmentMax", 16, ["f32[0]", "i64[0] = "]).gives(["f32[?]"]);
    }

    #[test]
    fn errors() {
        op("SegmentMax", 16, ["f32[3]", "i32[3] = 0,2,1"]).fails("input-value", "`segment_ids` goes down from 2 to 1");
        op("SegmentMax", 16, ["f32[3]", "i32[3]", "i32[] = -1"])
            .fails("input-value", "`num_segments` is -1, the number of segments cannot be negative");
        op("SegmentMax", 16, ["f32[3,2]", "i32[4]"])
            .fails("shape-conflict", "`segment_ids` has 4 elements, `data` has 3 rows");
        op("SegmentMax", 16, ["f32[]", "i32[4]"])
            .fails("input-rank", "`data` of SegmentMax must be of rank 1 or more, but is f32[]");
        op("SegmentMax", 16, ["f32[4]", "i32[]"])
            .fails("input-rank", "`segment_ids` of SegmentMax must be a list (rank 1), but is i32[]");
        op("SegmentMax", 16, ["f32[4]", "u8[4]"])
            .fails("input-type", "SegmentMax does not accept u8 at input 1 `segment_ids`");
    }
}
