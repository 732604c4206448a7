//! Lengths that may be below 0, which OpenVINO refuses where it works out their bounds. The answers are those of OpenVINO
//! 2026.4.1.

use crate::graph_notation::graph;
use crate::ir_builder::infer;

const REFUSED: &str = "error input-value";

/// What a tensor of lengths that the text calls `n` makes of a scalar that is broadcast to it.
fn broadcast(lengths: &str) -> String {
    let graph = graph(&format!("{lengths}; Broadcast-3(f32[] = 1, n) {{mode=numpy}}"), 1);
    infer(graph.xml.into_bytes(), graph.weights, graph.layer)
}

#[test]
fn bounds_that_openvino_hands_on_are_refused() {
    let rows = [
        "n = Subtract-1(s, i64[1] = 1)",
        "n = Subtract-1(i64[1] = 5, s)",
        "m = Multiply-1(s, i64[1] = -1); n = Add-1(m, i64[1] = 3)",
        "m = Subtract-1(s, i64[1] = 1); n = Divide-1(m, i64[1] = 2)",
        "m = Subtract-1(s, i64[1] = 3); n = Clamp-1(m) {min=-1 max=5}",
        "m = Subtract-1(s, i64[1] = 1); n = Concat-1(m, i64[1] = 3) {axis=0}",
        "c = Convert-1(s) {destination_type=f32}; m = Subtract-1(c, f32[1] = 1); n = Convert-1(m) {destination_type=i64}",
        "t = ShapeOf-3(f32[?]) {output_type=i64}; u = Subtract-1(t, i64[1] = 1); m = Subtract-1(s, i64[1] = 1); n = Concat-1(u, m) {axis=0}",
        "g = Gather-8(s, i64[1] = 7, i64[] = 0) {batch_dims=0}; n = Subtract-1(g, i64[1] = 4)",
    ];
    for row in rows {
        assert_eq!(broadcast(&format!("s = ShapeOf-3(f32[..8]) {{output_type=i64}}; {row}")), REFUSED, "{row}");
    }
}

#[test]
fn other_bounds_are_not() {
    let rows = [
        (
            "s = ShapeOf-3(f32[..8]) {output_type=i64}; m = Subtract-1(s, i64[1] = 1); n = Maximum-1(m, i64[1] = 0)",
            "f32[..7]",
        ),
        ("s = ShapeOf-3(f32[1..8]) {output_type=i64}; n = Subtract-1(s, i64[1] = 1)", "f32[..7]"),
        // A length without an upper bound is taken to be from 0 on.
        ("s = ShapeOf-3(f32[?]) {output_type=i64}; n = Subtract-1(s, i64[1] = 1)", "f32[?]"),
        (
            "s = ShapeOf-3(f32[?]) {output_type=i64}; m = Subtract-1(s, i64[1] = 1); n = Minimum-1(m, i64[1] = 7)",
            "f32[..7]",
        ),
        // OpenVINO makes nothing of what these give.
        ("s = ShapeOf-3(f32[..8]) {output_type=i64}; n = Negative-1(s)", "f32[0]"),
        (
            "s = ShapeOf-3(f32[..8]) {output_type=i64}; b = Less-1(s, i64[1] = 5); n = Select-1(b, i64[1] = -3, i64[1] = 4)",
            "f32[..4]",
        ),
        ("c = Convert-1(u8[1]) {destination_type=i64}; n = Subtract-1(c, i64[1] = 1)", "f32[..254]"),
        (
            "s = ShapeOf-3(f32[5..200]) {output_type=i64}; c = Convert-1(s) {destination_type=i8}; \
             m = Add-1(c, i8[1] = 100); n = Convert-1(m) {destination_type=i64}",
            "f32[..127]",
        ),
        (
            "s = ShapeOf-3(f32[5..200]) {output_type=i64}; c = Convert-1(s) {destination_type=i16}; \
             m = Subtract-1(c, i16[1] = 100); n = Convert-1(m) {destination_type=i64}",
            "f32[..100]",
        ),
        (
            "s = ShapeOf-3(f32[5..200]) {output_type=i64}; c = Convert-1(s) {destination_type=f64}; \
             m = Subtract-1(c, f64[1] = 100); n = Convert-1(m) {destination_type=i64}",
            "f32[..100]",
        ),
        ("m = Maximum-1(i64[1], i64[1] = -5); n = Minimum-1(m, i64[1] = 5)", "f32[..5]"),
    ];
    for (lengths, want) in rows {
        assert_eq!(broadcast(lengths), want, "{lengths}");
    }
}

#[test]
fn a_pattern_of_bounds_below_0_is_refused() {
    let reshape = |subtracted: i64| {
        let text = format!(
            "s = ShapeOf-3(f32[..3]) {{output_type=i64}}; m = Subtract-1(s, i64[1] = {subtracted}); \
             n = Concat-1(m, i64[1] = 2) {{axis=0}}; Reshape-1(f32[20], n) {{special_zero=false}}"
        );
        let graph = graph(&text, 1);
        infer(graph.xml.into_bytes(), graph.weights, graph.layer)
    };
    assert_eq!(reshape(4), REFUSED);
    assert_eq!(reshape(5), REFUSED);
    assert_eq!(reshape(3), "f32[10,2]");
}

/// OpenVINO 2026.4.1 compiles the one that clips, which it decomposes.
#[test]
fn the_hidden_size_of_a_cell_counts_where_it_is_not_decomposed() {
    let cell = |clip: u8| {
        let text = format!(
            "LSTMCell-4(f32[1,1], f32[1,1], f32[1,1], f32[4,1] = 1 1 1 1, f32[4,1] = 1 1 1 1, f32[4] = 1 1 1 1) \
             {{hidden_size=7 clip={clip}}}"
        );
        let graph = graph(&text, 2);
        infer(graph.xml.into_bytes(), graph.weights, graph.layer)
    };
    assert_eq!(cell(0), "error attribute-value");
    assert_eq!(cell(3), "f32[1,1]; f32[1,1]");
}

#[test]
fn numbers_that_layers_work_out_are_read_in_any_type() {
    for ty in ["u3", "u6", "i4", "u4"] {
        let lengths = format!("n = Convert-1(i64[2] = 5 3) {{destination_type={ty}}}");
        assert_eq!(broadcast(&lengths), "f32[5,3]", "{ty}");
    }
}

#[test]
fn an_axis_of_unique_that_layers_work_out_is_refused() {
    let unique = |data: &str, axis: &str| {
        let graph = graph(&format!("{axis}; Unique-10({data}, a) {{sorted=true}}"), 4);
        infer(graph.xml.into_bytes(), graph.weights, graph.layer)
    };
    let convert = "a = Convert-1(i32[] = 0) {destination_type=i64}";
    assert_eq!(unique("f32[2,3]", convert), "error needs-constant");
    assert_eq!(unique("i64[2,2] = 1 2 1 2", convert), "i64[1,2]; i64[1]; i64[2]; i64[1]");
}
