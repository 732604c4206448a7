//! What dimensions equal inside bodies, and behind them.

use super::{back_edges, branch_map, input, keeping, output, port_map};
use crate::ir_builder::{Ir, Output};
use crate::program::{ovlint, utf8};
use serde_json::Value;

/// The shapes of a model whose last outputs are those of a layer with bodies.
fn shapes(ir: Ir) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let (xml, weights) = ir.finish();
    std::fs::write(folder.path().join("m.xml"), xml).unwrap();
    std::fs::write(folder.path().join("m.bin"), weights).unwrap();
    let out = ovlint(folder.path(), ["shapes", "m.xml", "--symbolic", "--format", "json"]);
    serde_json::from_str(&utf8(&out.stdout)).unwrap()
}

fn last_of(scope: &Value, is_it: impl Fn(&Value) -> bool) -> String {
    let layers = scope["layers"].as_array().unwrap();
    let layer = layers.iter().rev().find(|layer| is_it(layer)).unwrap();
    let dims = layer["outputs"][0]["symbolic"].as_array().unwrap();
    dims.iter().map(|dim| dim.as_str().unwrap_or("?")).collect::<Vec<_>>().join(", ")
}

/// What the layer with bodies gives.
fn dims(shapes: &Value) -> String {
    last_of(shapes, |layer| layer["outputs"].as_array().is_some_and(|outputs| !outputs.is_empty()))
}

/// What a layer of the body gives.
fn inside(shapes: &Value, layer: &str) -> String {
    last_of(&shapes["bodies"][0], |one| one["type"] == layer)
}

/// A layer over a Parameter of type f32, with a body of what `fill` makes of it.
fn over(kind: &str, shape: &str, slice: &str, concat: &str, fill: impl FnOnce(&mut Ir, Output) -> Output) -> Ir {
    let mut ir = Ir::default();
    let data = ir.parameter("f32", shape);
    let mut given = vec![data];
    if kind == "Loop" {
        let count = ir.layer("ShapeOf", "opset3", "<data output_type=\"i64\"/>", &[data], 1);
        let (place, axis) = (ir.constant("i64", &[], &[1.0]), ir.constant("i64", &[], &[0.0]));
        let count = ir.layer("Gather", "opset8", "", &[count, place, axis], 1);
        given = vec![count, ir.constant("boolean", &[], &[1.0]), data];
    }
    let mut body = ir.body();
    let part = body.parameter("f32", "...");
    let result = fill(&mut body, part);
    let end = body.result(result);
    let mut entries = vec![input(i64::try_from(given.len() - 1).unwrap(), part.0, slice)];
    entries.push(output(i64::try_from(given.len()).unwrap(), end, concat));
    let mut back = String::new();
    if slice == "back" {
        entries[0] = input(i64::try_from(given.len() - 1).unwrap(), part.0, "");
        back = back_edges(&[(end, part.0)]);
    }
    if kind == "Loop" {
        let goes_on = body.constant("boolean", &[], &[1.0]);
        let goes_on = body.result(goes_on);
        entries.push(output(-1, goes_on, "purpose=\"execution_condition\""));
    }
    let body = ir.close("body", body);
    let host = ir.layer(kind, "opset5", &(port_map(&entries) + &back + &body), &given, 1);
    ir.result(host);
    ir
}

fn relu(body: &mut Ir, part: Output) -> Output {
    body.layer("ReLU", "opset1", "", &[part], 1)
}

/// Twice as long as before.
fn longer(body: &mut Ir, part: Output) -> Output {
    body.layer("Concat", "opset1", "<data axis=\"0\"/>", &[part, part], 1)
}

#[test]
fn slices_keep_what_is_not_cut() {
    let slices = shapes(over("TensorIterator", "?,?", "axis=\"1\"", "axis=\"1\"", relu));
    assert_eq!(inside(&slices, "ReLU"), "batch, 1");
    // OpenVINO counts two slices of none.
    assert_eq!(dims(&slices), "batch, seq - 2*min(seq, 1) + 2");
    let slices = shapes(over("TensorIterator", "?,2..", "axis=\"1\"", "axis=\"1\"", relu));
    assert_eq!(dims(&slices), "batch, seq");
    let slices =
        shapes(over("TensorIterator", "?,2..", "axis=\"1\" start=\"-1\" end=\"0\" stride=\"-1\"", "axis=\"0\"", relu));
    assert_eq!(dims(&slices), "seq, 1");
    let whole = "axis=\"1\" stride=\"2\" part_size=\"2\"";
    assert_eq!(dims(&shapes(over("TensorIterator", "?,2..", whole, whole, relu))), "batch, 2*(seq//2)");
    let others = shapes(over("TensorIterator", "?,2..", "axis=\"1\" start=\"1\"", "axis=\"1\"", relu));
    assert!(dims(&others).starts_with("batch, u"), "{}", dims(&others));
}

#[test]
fn loops_are_as_long_as_their_trip_count() {
    let rows = shapes(over("Loop", "?,?", "axis=\"1\"", "axis=\"1\"", relu));
    assert_eq!(inside(&rows, "ReLU"), "batch, 1");
    assert!(dims(&rows).ends_with(", seq") && dims(&rows).starts_with('u'), "{}", dims(&rows));
    let rows = shapes(over("Loop", "?,1..", "", "axis=\"0\"", relu));
    assert_eq!(dims(&rows), "batch*seq, seq");
}

#[test]
fn a_loop_that_never_runs_may_give_no_elements() {
    let mut ir = Ir::default();
    let (data, count) = (ir.parameter("f32", "?,?"), ir.parameter("i64", ""));
    let runs = ir.constant("boolean", &[], &[0.0]);
    assert_eq!(dims(&shapes(keeping(ir, [count, runs, data], ""))), "u3_0_0, seq");
}

#[test]
fn what_is_handed_on_keeps_what_stays() {
    for kind in ["Loop", "TensorIterator"] {
        let same = shapes(over(kind, "?,1..", "back", "", relu));
        assert_eq!((inside(&same, "ReLU"), dims(&same)), ("batch, seq".to_owned(), "batch, seq".to_owned()));
        let grows = shapes(over(kind, "?,1..", "back", "", longer));
        assert_eq!(inside(&grows, "Concat"), "?, seq", "{kind}");
        assert!(dims(&grows).starts_with('u') && dims(&grows).ends_with(", seq"), "{}", dims(&grows));
    }
}

#[test]
fn branches_that_agree_are_expressed() {
    let of = |other: fn(&mut Ir, Output) -> Output| {
        let mut ir = Ir::default();
        let (condition, data) = (ir.parameter("boolean", ""), ir.parameter("f32", "?,?"));
        let mut branches = String::new();
        let mut maps = String::new();
        for (name, fill) in [("then", relu as fn(&mut Ir, Output) -> Output), ("else", other)] {
            let mut body = ir.body();
            let part = body.parameter("f32", "...");
            let result = fill(&mut body, part);
            let end = body.result(result);
            branches += &ir.close(&format!("{name}_body"), body);
            maps += &branch_map(name, &[input(1, part.0, ""), output(2, end, "")]);
        }
        let host = ir.layer("If", "opset8", &(maps + &branches), &[condition, data], 1);
        ir.result(host);
        ir
    };
    assert_eq!(dims(&shapes(of(relu))), "batch, seq");
    let longer = shapes(of(longer));
    assert!(dims(&longer).starts_with('u') && dims(&longer).ends_with(", seq"), "{}", dims(&longer));
}
