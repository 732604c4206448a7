//! Loops whose values decide a shape: OpenVINO runs those of constants as it reads the file.

use super::{back_edges, input, outcome, output, port_map};
use crate::ir_builder::{Ir, Output};

/// A shape that grows by 1 in every iteration, and what becomes of a Broadcast to it; `goes_on` makes the condition from
/// the number of the iteration.
fn grown(shape: &str, trips: f64, runs: f64, goes_on: impl FnOnce(&mut Ir, Output) -> Output) -> String {
    let mut ir = Ir::default();
    let (trips, runs) = (ir.constant("i64", &[], &[trips]), ir.constant("boolean", &[], &[runs]));
    let data = ir.parameter("f32", shape);
    let start = ir.layer("ShapeOf", "opset3", "<data output_type=\"i64\"/>", &[data], 1);
    let mut body = ir.body();
    let state = body.parameter("i64", "2");
    let number = body.parameter("i64", "");
    let one = body.constant("i64", &[1], &[1.0]);
    let more = body.layer("Add", "opset1", "", &[state, one], 1);
    let more = body.result(more);
    let goes_on = goes_on(&mut body, number);
    let goes_on = body.result(goes_on);
    let body = ir.close("body", body);
    let decides = output(-1, goes_on, "purpose=\"execution_condition\"");
    let counts = "<input external_port_id=\"-1\" internal_layer_id=\"1\" purpose=\"current_iteration\"/>".to_owned();
    let map = port_map(&[input(2, state.0, ""), counts, output(3, more, ""), decides]);
    let edges = back_edges(&[(more, state.0)]);
    let host = ir.layer("Loop", "opset5", &(map + &edges + &body), &[trips, runs, start], 1);
    let one = ir.constant("f32", &[], &[1.0]);
    let wide = ir.layer("Broadcast", "opset3", "<data mode=\"numpy\"/>", &[one, host], 1);
    ir.result(wide);
    outcome(ir)
}

fn always(body: &mut Ir, _: Output) -> Output {
    body.constant("boolean", &[], &[1.0])
}

fn below_4(body: &mut Ir, number: Output) -> Output {
    let four = body.constant("i64", &[], &[4.0]);
    body.layer("Less", "opset1", "", &[number, four], 1)
}

#[test]
fn iterations_are_followed_where_they_make_a_shape() {
    assert_eq!(grown("2,3", 2.0, 1.0, always), "f32[4,5]");
    assert_eq!(grown("2,3", 300.0, 1.0, always), "f32[302,303]");
    assert_eq!(grown("2,3", 3.0, 1.0, below_4), "f32[5,6]");
    assert_eq!(grown("2,3", 100.0, 1.0, below_4), "f32[7,8]");
    assert_eq!(grown("2,3", -1.0, 1.0, below_4), "f32[7,8]");
    assert_eq!(grown("2,3..5", 2.0, 1.0, always), "f32[4,5..7]");
    assert_eq!(grown("2,3", 2000.0, 1.0, always), "f32[?,?]");
}

#[test]
fn without_an_iteration_or_an_end_they_are_refused() {
    let refused = |what| format!("input-value: {what} of a Loop whose values decide a shape @ data");
    assert_eq!(grown("2,3", 0.0, 1.0, always), refused("a trip count of 0"));
    assert_eq!(grown("2,3", 2.0, 0.0, always), refused("an execution condition that is false"));
    assert_eq!(grown("2,3", -1.0, 1.0, always), refused("no end"));
    assert_eq!(grown("2,3..5", 0.0, 1.0, always), "f32[?,?]");
}
