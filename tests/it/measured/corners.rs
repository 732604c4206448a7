//! Small graphs on which OpenVINO 2026.4.1 and this tool were seen to differ, beside those of the large tables.
//!
//! `OVLINT_CORNERS=folder cargo test measured::corners` writes the models there, for asking OpenVINO.

use super::measurement::{Measurement, assert_agreement};
use crate::graph_notation::{Graph, graph};
use crate::ir_builder::infer;
use std::path::PathBuf;

/// The operation, what is special, the graph, and what OpenVINO gives.
#[rustfmt::skip]
const CORNERS: &[(&str, &str, &str, &str)] = &[
    ("Abs", "distances of what may be below 0", "s = ShapeOf-1(f32[..8]); m = Subtract-1(s, i64[1] = 3); a = Abs-1(m); Broadcast-3(f32[] = 1, a) {mode=numpy}", "f32[3..5]"),
    ("Convert", "real numbers that a byte does not hold", "s = ShapeOf-1(f32[..600]); f = Convert-1(s) {destination_type=f32}; p = Multiply-1(f, f32[1] = 0.5); c = Convert-1(p) {destination_type=i8}; d = Convert-1(c) {destination_type=i64}; n = Maximum-1(d, i64[1] = 0); Broadcast-3(f32[] = 1, n) {mode=numpy}", "f32[..44]"),
    ("Convert", "lengths that go through f64", "s = ShapeOf-1(f32[4..5,4]); d = Convert-1(s) {destination_type=f64}; q = Multiply-1(d, f64[1] = 0.25); c = Convert-1(q) {destination_type=i64}; Broadcast-3(f32[] = 1, c) {mode=numpy}", "f32[0,0]"),
    ("Convert", "lengths that f16 does not hold", "s = ShapeOf-1(f32[5..100000]); d = Convert-1(s) {destination_type=f16}; c = Convert-1(d) {destination_type=i64}; n = Maximum-1(c, i64[1] = 0); Broadcast-3(f32[] = 1, n) {mode=numpy}", "f32[..5]"),
    ("ConvolutionBackpropData", "a shape of 2 or 3 lengths", "ConvolutionBackpropData-1(f32[3..6,..5,..4,4], f32[2,..2,4,..2], i32[2..3]) {strides=2,3 dilations=1,1 pads_begin=0,0 pads_end=0,0 auto_pad=same_upper output_padding=0,0}", "f32[3..6,..2]"),
    ("Einsum", "a length of 1 beside an unknown rank", "Einsum-7(f32[1], f32[...]) {equation=\"a,aa->a\"}", "f32[1]"),
    ("Gather", "an index outside the data", "s = ShapeOf-1(f32[2,3]); g = Gather-8(s, i64[2] = 0 2, i64[] = 0) {batch_dims=0}; Broadcast-3(f32[] = 1, g) {mode=numpy}", "f32[2,0]"),
    ("GroupConvolution", "a kernel larger than an open dimension", "GroupConvolution-1(f32[1,3,..2,8], f32[3,1,1,3,3]) {strides=1,1 dilations=1,1 pads_begin=0,0 pads_end=0,0 auto_pad=explicit}", "f32[1,3,1,6]"),
    ("IDFT", "a size that may be -1", "s = ShapeOf-1(f32[9..12]); z = Subtract-1(s, i64[1] = 10); IDFT-7(f32[?,2], i64[1] = 0, z)", "f32[..2,2]"),
    ("IRDFT", "bounded sizes of two axes", "s = ShapeOf-1(f32[7..9]); z = Subtract-1(s, i64[1] = 3); c = Concat-1(z, i64[1] = -1) {axis=0}; IRDFT-9(f32[5,4,3,6,2], i64[2] = 3 1, c)", "f32[5,?,3,6]"),
    ("IRDFT", "bounded sizes of all axes", "s = ShapeOf-1(f32[7..10,..3]); IRDFT-9(f32[5,6,2], i64[2] = 0 -1, s)", "f32[5,?]"),
    ("MaxPool", "a kernel larger than an open dimension", "MaxPool-1(f32[1,3,..2,8]) {kernel=3,3 strides=2,2 pads_begin=0,0 pads_end=0,0 rounding_type=floor auto_pad=explicit}", "f32[1,3,1,3]"),
    ("Mod", "remainders of what is below 0", "s = ShapeOf-1(f32[3..9]); n = Multiply-1(s, i64[1] = -1); r = Mod-1(n, i64[1] = 2); a = Add-1(r, i64[1] = 4); Broadcast-3(f32[] = 1, a) {mode=numpy}", "f32[4..5]"),
    ("Pad", "an open pad from -1 on", "s = ShapeOf-1(f32[?]); p = Subtract-1(s, i64[1] = 1); Pad-12(f32[5], p, i64[1] = 0, f32[] = 0) {pad_mode=constant}", "f32[5..]"),
    ("Pad", "more to reflect than there is", "Pad-12(f32[2,4], i64[2] = 3 0, i64[2], f32[] = 0) {pad_mode=reflect}", "f32[?,?]"),
    ("RandomUniform", "a shape of up to 4 lengths", "RandomUniform-8(i64[1..4], f32[] = 0, f32[] = 1) {output_type=f32}", "f32[?,?,?,?]"),
    ("Range", "more than 2^32 numbers", "Range-4(i64[] = 0, i64[] = 4294967301, i64[] = 1) {output_type=i64}", "i64[5]"),
    ("ReduceProd", "products of what may be below 0", "s = ShapeOf-1(f32[..8,..8]); m = Subtract-1(s, i64[1] = 1); p = ReduceProd-1(m, i64[1] = 0) {keep_dims=true}; Broadcast-3(f32[] = 1, p) {mode=numpy}", "f32[1..49]"),
    ("Reshape", "a length that may be -1", "s = ShapeOf-1(f32[3..6]); z = Subtract-1(s, i64[1] = 4); c = Concat-1(i64[1] = 2, z) {axis=0}; Reshape-1(f32[?], c) {special_zero=false}", "f32[2,..2]"),
    ("Reshape", "a length that may be 0, which copies one", "s = ShapeOf-1(f32[..2]); Reshape-1(f32[?], s) {special_zero=true}", "f32[..2]"),
    ("Reshape", "the largest number as a length", "Reshape-1(f32[?], i64[1] = 9223372036854775807) {special_zero=false}", "f32[?]"),
    ("Slice", "from the last element of an open length", "Slice-8(f32[4..], i64[1] = -1, i64[1] = 9, i64[1] = 3, i64[1] = 0)", "f32[1..3]"),
    ("Slice", "up to as many elements as another tensor has", "s = ShapeOf-1(f32[9..10]); Slice-8(f32[9..10], i64[1] = -2, s, i64[1] = 1, i64[1] = 0)", "f32[2]"),
    ("Squeeze", "an axis of nf4", "Squeeze-1(f32[1,1,1,1], nf4[] = 3)", "f32[1,1,1]"),
    ("StridedSlice", "from the last elements of an open length", "StridedSlice-1(f32[4..], i64[1] = -10, i64[1] = 10, i64[1] = 1) {begin_mask=0 end_mask=0}", "f32[4..10]"),
    ("StridedSlice", "backwards from an element that may not be there", "StridedSlice-1(f32[?], i64[1] = -2, i64[1] = -2, i64[1] = -1) {begin_mask=0 end_mask=0}", "f32[0]"),
    ("StridedSlice", "a new axis behind an ellipsis, from an unknown begin", "StridedSlice-1(f32[2,5,3], i64[2], i64[2] = 0 0, i64[2] = 1 1) {begin_mask=0,0 end_mask=0,0 ellipsis_mask=1,0 new_axis_mask=0,1}", "f32[2,5,1,3]"),
    ("StridedSlice", "a masked begin of one element", "s = ShapeOf-1(f32[9,?,4,7]); e = StridedSlice-1(s, i64[1] = -2, i64[1] = 0, i64[1] = 1) {begin_mask=1 end_mask=0 shrink_axis_mask=1}; u = Unsqueeze-1(e, i64[] = 0); Broadcast-3(f32[] = 1, u) {mode=numpy}", "f32[4]"),
    ("Unique", "an axis that is computed", "s = ShapeOf-1(f32[2]); a = Subtract-1(s, i64[1] = 1); Unique-10(f32[2,2] = 1 2 1 2, a) {sorted=true}", "f32[2]; i64[2]; i64[4]; i64[2]"),
];

/// Every corner.
pub(crate) fn measurements() -> Vec<Measurement> {
    CORNERS
        .iter()
        .map(|(operation, situation, text, result)| {
            let graph = graph(text, result.split("; ").count());
            write(&situation.replace(' ', "-"), &graph);
            let found = infer(graph.xml.into_bytes(), graph.weights, graph.layer);
            Measurement::new(operation, situation, result, &found).on(text)
        })
        .collect()
}

fn write(name: &str, graph: &Graph) {
    if let Some(folder) = std::env::var_os("OVLINT_CORNERS") {
        let path = PathBuf::from(folder).join(name);
        std::fs::write(path.with_extension("xml"), &graph.xml).unwrap();
        std::fs::write(path.with_extension("bin"), &graph.weights).unwrap();
    }
}

#[test]
fn corners_agree() {
    assert_agreement(&measurements());
}
