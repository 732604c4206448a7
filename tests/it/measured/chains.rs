//! What holds across operations, as OpenVINO 2026.4.1 has it: 854 measured cases, and 81 chains from a shape to a shape.
//!
//! `OVLINT_CROSSCUT=folder cargo test measured::chains` writes the models there, for asking OpenVINO.

use super::measurement::{Measurement, assert_agreement};
use crate::graph_notation::{Graph, graph};
use crate::ir_builder::infer;
use serde_json::Value as Json;
use std::path::PathBuf;

/// The measurements as they were written down.
pub(crate) fn table() -> Json {
    serde_json::from_str(&std::fs::read_to_string("tests/data/crosscut.json").unwrap()).unwrap()
}

/// Every case and every chain over every shape.
pub(crate) fn measurements() -> Vec<Measurement> {
    let table = table();
    let cases = table["cases"].as_array().unwrap().iter().enumerate().map(|(i, case)| {
        let (group, name, result) = (text(case, "group"), text(case, "case"), text(case, "result"));
        let graph = model(case, result);
        write(&format!("case-{i}"), &graph);
        Measurement::new(&operation(case), &format!("{group}: {name}"), answer(result), &answer_of(&graph))
            .on(text(case, "model"))
    });
    let chains = table["bounds"].as_array().unwrap().iter().enumerate().flat_map(|(i, chain)| {
        let shapes = [("static", "4,6,7"), ("partial", "2..5,?,7"), ("upper", "..8,3..,7")];
        shapes.map(|(kind, shape)| {
            let (name, result) = (text(chain, "chain"), text(chain, kind));
            let model = format!(
                "s = ShapeOf-3(f32[{shape}]) {{output_type=i64}}; chain = {}; Broadcast-3(f32[] = 1, chain) {{mode=numpy}}",
                text(chain, "model")
            );
            let graph = graph(&model, 1);
            write(&format!("chain-{i}-{kind}"), &graph);
            let result = if result.starts_with('[') { format!("f32{result}") } else { result.to_owned() };
            Measurement::new("Broadcast", &format!("{name} of [{shape}]"), answer(&result), &answer_of(&graph)).on(&model)
        })
    });
    cases.chain(chains).collect()
}

fn text<'a>(row: &'a Json, key: &str) -> &'a str {
    row[key].as_str().unwrap()
}

/// What OpenVINO gives: outputs, or `error`.
fn answer(result: &str) -> &str {
    if result.starts_with("ERR") { "error" } else { result }
}

/// The type of the layer that the case is about.
fn operation(case: &Json) -> String {
    let model = text(case, "model");
    let last = model.split(" ~~ ").next().unwrap().rsplit("; ").next().unwrap();
    if last == "r" { "ReadValue".to_owned() } else { last.split('-').next().unwrap().to_owned() }
}

/// The graph of a case, with the changes to its text that the case asks for.
fn model(case: &Json, result: &str) -> Graph {
    let mut parts = text(case, "model").split(" ~~ ");
    let outputs = if result.starts_with("ERROR") { 1 } else { result.split("; ").count() };
    let mut graph = graph(parts.next().unwrap(), outputs);
    if case["group"] == "Const (bin 64 bytes)" {
        graph.weights.resize(64, 0);
    }
    for change in parts {
        let (from, to) = change.split_once(" => ").unwrap();
        assert!(graph.xml.contains(from), "{from} in {}", graph.xml);
        graph.xml = graph.xml.replacen(from, to, 1);
    }
    graph
}

fn write(name: &str, graph: &Graph) {
    if let Some(folder) = std::env::var_os("OVLINT_CROSSCUT") {
        let path = PathBuf::from(folder).join(name);
        std::fs::write(path.with_extension("xml"), &graph.xml).unwrap();
        std::fs::write(path.with_extension("bin"), &graph.weights).unwrap();
    }
}

fn answer_of(graph: &Graph) -> String {
    infer(graph.xml.clone().into_bytes(), graph.weights.clone(), graph.layer)
}

#[test]
fn cases_and_chains_hold() {
    let all = measurements();
    assert_eq!(all.len(), 854 + 3 * 81, "no case is passed over");
    assert_agreement(&all);
}
