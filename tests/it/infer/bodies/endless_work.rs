//! Files that ask for work without end.

use super::{back_edges, findings, input, model, outcome, outcome_with, output, port_map};
use crate::ir_builder::{Ir, Output};
use ovlint::internal::{Limits, Model, Options, Weights};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Whatever a file asks for, it is done with in this time, on a slow machine and without optimization.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn a_thousand_ifs_inside_each_other() {
    let mut xml = String::new();
    for _ in 0..1000 {
        xml.push_str(
            "<layers><layer id=\"0\" name=\"p\" type=\"Parameter\" version=\"opset1\"><data shape=\"\" element_type=\"boolean\"/>\
             <output><port id=\"0\" precision=\"BOOL\"/></output></layer><layer id=\"1\" name=\"if\" type=\"If\" version=\"opset8\">\
             <then_port_map><input external_port_id=\"0\" internal_layer_id=\"0\"/><output external_port_id=\"1\" \
             internal_layer_id=\"2\"/></then_port_map><input><port id=\"0\"/></input><output><port id=\"1\" \
             precision=\"BOOL\"/></output><then_body>",
        );
    }
    for _ in 0..1000 {
        xml.push_str(
            "</then_body></layer><layer id=\"2\" name=\"r\" type=\"Result\" version=\"opset1\"><input><port id=\"0\"/></input>\
             </layer></layers><edges><edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"0\"/><edge from-layer=\"1\" \
             from-port=\"1\" to-layer=\"2\" to-port=\"0\"/></edges>",
        );
    }
    let start = Instant::now();
    let xml = format!("<net name=\"m\" version=\"11\">{xml}</net>");
    let model = Model::from_bytes("m.xml", xml.into_bytes(), Weights::default(), &Options::default()).unwrap();
    let errors = findings(&model, "error");
    assert_eq!(errors.iter().filter(|error| error.starts_with("limit-exceeded: bodies are nested")).count(), 1);
    assert_eq!(
        errors.iter().filter(|error| error.starts_with("missing-body")).count(),
        ovlint::internal::limits::DEEPEST_BODIES,
        "no <else_body>"
    );
    assert!(start.elapsed() < PATIENCE);
}

/// The dimensions of the data of the loops below.
const RANK: usize = 12;

/// Loops inside each other, each of which makes its state longer and turns its axes, so that it takes a round for every
/// axis until all of them are open; and each of which sees the state of the one around it, so that each round of that
/// starts it again.
fn nested(ir: &mut Ir, around: Output, depth: usize) -> Output {
    let (trips, runs) = (ir.constant("i64", &[], &[1e9]), ir.constant("boolean", &[], &[1.0]));
    let start = ir.constant("f32", &[1; RANK], &[1.0]);
    let mut body = ir.body();
    let (state, outside) = (body.parameter("f32", "..."), body.parameter("f32", "..."));
    if depth > 0 {
        let inner = nested(&mut body, state, depth - 1);
        body.result(inner);
    }
    body.result(outside);
    let longer = body.layer("Concat", "opset1", "<data axis=\"0\"/>", &[state, state], 1);
    let turn: Vec<f64> = (1..=RANK).map(|axis| f64::from(u8::try_from(axis % RANK).unwrap())).collect();
    let turn = body.constant("i64", &[RANK], &turn);
    let next = body.layer("Transpose", "opset1", "", &[longer, turn], 1);
    let end = body.result(next);
    let goes_on = body.constant("boolean", &[], &[1.0]);
    let goes_on = body.result(goes_on);
    let body = ir.close("body", body);
    let decides = output(-1, goes_on, "purpose=\"execution_condition\"");
    let entries = [input(2, state.0, ""), input(3, outside.0, ""), output(4, end, ""), decides];
    let map = port_map(&entries) + &back_edges(&[(end, state.0)]);
    ir.layer("Loop", "opset5", &(map + &body), &[trips, runs, start, around], 1)
}

#[test]
fn loops_in_loops_that_do_not_settle() {
    let shapes = |depth: usize| {
        let mut ir = Ir::default();
        let data = ir.parameter("f32", &["1"; RANK].join(","));
        let host = nested(&mut ir, data, depth);
        ir.result(host);
        let start = Instant::now();
        let mut limits = Limits::default();
        limits.body_layers = 50_000;
        let found = outcome_with(ir, &Options { limits, ..Options::default() });
        assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
        found
    };
    let settled = format!("f32[{},2..]", ["1.."; RANK - 1].join(","));
    assert_eq!(shapes(0), settled);
    assert_eq!(shapes(2), settled);
    let limit = "limit-exceeded: the shapes in loops inside loops do not settle soon enough; they stay unknown @ body";
    assert_eq!(shapes(6), limit);
    assert_eq!(shapes(40), limit);
}

#[test]
fn states_that_hand_each_other_on() {
    // A length that wanders through all states takes as many rounds as there are states.
    let mut ir = Ir::default();
    let (trips, runs) = (ir.constant("i64", &[], &[1e9]), ir.constant("boolean", &[], &[1.0]));
    let count = 500;
    let mut inputs = vec![trips, runs];
    let mut body = ir.body();
    let states: Vec<Output> = (0..count).map(|_| body.parameter("f32", "...")).collect();
    let mut entries = Vec::new();
    let mut edges = Vec::new();
    let twice = body.layer("Concat", "opset1", "<data axis=\"0\"/>", &[states[0], states[0]], 1);
    for i in 0..count {
        let from = if i == 0 { twice } else { states[i - 1] };
        let end = body.result(from);
        let port = i64::try_from(i).unwrap();
        entries.push(input(port + 2, states[i].0, ""));
        entries.push(output(port + 2 + i64::try_from(count).unwrap(), end, ""));
        edges.push((end, states[i].0));
    }
    let goes_on = body.constant("boolean", &[], &[1.0]);
    let goes_on = body.result(goes_on);
    entries.push(output(-1, goes_on, "purpose=\"execution_condition\""));
    let body = ir.close("body", body);
    inputs.extend((0..count).map(|_| ir.parameter("f32", "2")));
    let host = ir.layer("Loop", "opset5", &(port_map(&entries) + &back_edges(&edges) + &body), &inputs, count);
    ir.result(Output(host.0, count - 1));
    let start = Instant::now();
    assert_eq!(outcome(ir), "f32[...]");
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
}

#[test]
fn extreme_port_maps_are_answered() {
    let huge = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX];
    for start in huge {
        for end in huge {
            for part_size in huge {
                let mut slice = format!("axis=\"0\" start=\"{start}\" end=\"{end}\" ");
                let _ = write!(slice, "part_size=\"{part_size}\" stride=\"{part_size}\"");
                let mut ir = Ir::default();
                let data = ir.parameter("f32", "9223372036854775806");
                let mut body = ir.body();
                let part = body.parameter("f32", "...");
                let finish = body.result(part);
                let body = ir.close("body", body);
                let map = port_map(&[input(0, part.0, &slice), output(1, finish, &slice)]);
                let host = ir.layer("TensorIterator", "opset1", &(map + &body), &[data], 1);
                ir.result(host);
                assert!(!outcome(ir).is_empty());
            }
        }
    }
}

#[test]
fn thousands_of_entries_take_no_time() {
    let mut ir = Ir::default();
    let data = ir.parameter("f32", "2");
    let mut body = ir.body();
    let part = body.parameter("f32", "2");
    let end = body.result(part);
    let body = ir.close("body", body);
    let entries: Vec<String> = (0..20_000).map(|i| input(i % 2, part.0 + usize::try_from(i).unwrap(), "")).collect();
    let edges: Vec<(usize, usize)> = (0..20_000).map(|i| (end + i, part.0 + i)).collect();
    let map = port_map(&entries) + &back_edges(&edges);
    let host = ir.layer("TensorIterator", "opset1", &(map + &body), &[data], 1);
    ir.result(host);
    let start = Instant::now();
    let model = model(ir);
    assert!(!findings(&model, "error").is_empty());
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
}
