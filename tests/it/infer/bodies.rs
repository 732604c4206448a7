//! Bodies of If, Loop and TensorIterator through XML, as OpenVINO 2026.4.1 infers and refuses them.

mod branch;
mod endless_work;
mod iterate;
mod loop_values;
mod measured_states;
mod repeat;
mod stray;
mod symbols;
mod variables;
mod wiring;

pub(crate) use measured_states::measurements;

use crate::ir_builder::{Ir, Output};
use ovlint::internal::ir::{BodyKind, LayerId, Role};
use ovlint::internal::{Model, Options, Weights};

/// A model of an IR in the making.
fn model(ir: Ir) -> Model {
    model_with(ir, &Options::default())
}

fn model_with(ir: Ir, options: &Options) -> Model {
    let (xml, weights) = ir.finish();
    Model::from_bytes("m.xml", xml, Weights::in_memory(weights), options).unwrap()
}

/// What the Results get, or the errors by rule, message and the text that they mark.
fn outcome(ir: Ir) -> String {
    outcome_with(ir, &Options::default())
}

fn outcome_with(ir: Ir, options: &Options) -> String {
    let model = model_with(ir, options);
    let errors = findings(&model, "error");
    if !errors.is_empty() {
        return errors.join("; ");
    }
    results(&model)
}

/// What the Results get.
fn results(model: &Model) -> String {
    let (graph, facts) = (&model.net().unwrap().graph, model.facts().unwrap());
    let results = graph.layers.iter().filter(|layer| graph.kind(layer).role == Role::Result);
    let outputs = results.flat_map(|layer| graph.inputs(layer)).map(|port| facts.of_port(port).unwrap());
    outputs.map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// The findings of a severity: rule, message, and the text that they mark, up to its first blank or end.
fn findings(model: &Model, severity: &str) -> Vec<String> {
    let found = model.findings().iter().filter(|finding| finding.severity.name() == severity);
    let text = |finding: &ovlint::internal::diagnostic::Diagnostic| {
        let text = model.source().text(finding.primary.span).into_owned();
        text.split([' ', '>']).next().unwrap_or_default().trim_start_matches('<').to_owned()
    };
    found.map(|finding| format!("{}: {} @ {}", finding.rule.name, finding.message.shown(), text(finding))).collect()
}

/// The notes and the chain of the finding about the last output port 3, once it declares a dimension of 99.
fn declared_wrongly(ir: Ir) -> (String, Vec<String>) {
    let (xml, weights) = ir.finish();
    let xml = String::from_utf8(xml).unwrap();
    let (before, after) = xml.rsplit_once("<port id=\"3\" precision=\"UNSPECIFIED\"/>").unwrap();
    let xml = format!("{before}<port id=\"3\" precision=\"FP32\"><dim>99</dim></port>{after}");
    let options = Options::default();
    let model = Model::from_bytes("m.xml", xml.into_bytes(), Weights::in_memory(weights), &options).unwrap();
    let finding = model.findings().iter().find(|finding| finding.rule.name == "declared-shape").unwrap();
    (crate::notes(finding).join("; "), finding.chain.clone())
}

/// The fact of the first output of a layer of a body of the last layer with bodies.
fn inside(model: &Model, kind: BodyKind, layer: usize) -> String {
    let graph = &model.net().unwrap().graph;
    let host = graph.layers.iter().rposition(|layer| layer.subgraph.is_some()).unwrap();
    let facts = model.facts().unwrap().body(LayerId::new(host), kind).unwrap();
    facts.outputs(LayerId::new(layer))[0].to_string()
}

/// An `<input>` of a port map; `more` are further attributes.
fn input(external: i64, internal: usize, more: &str) -> String {
    format!("<input external_port_id=\"{external}\" internal_layer_id=\"{internal}\" {more}/>")
}

/// An `<output>` of a port map.
fn output(external: i64, internal: usize, more: &str) -> String {
    format!("<output external_port_id=\"{external}\" internal_layer_id=\"{internal}\" {more}/>")
}

fn port_map(entries: &[String]) -> String {
    format!("<port_map>{}</port_map>", entries.concat())
}

/// The port map of a branch: `then` or `else`.
fn branch_map(branch: &str, entries: &[String]) -> String {
    format!("<{branch}_port_map>{}</{branch}_port_map>", entries.concat())
}

fn back_edges(edges: &[(usize, usize)]) -> String {
    let edge = |(from, to): &(usize, usize)| format!("<edge from-layer=\"{from}\" to-layer=\"{to}\"/>");
    format!("<back_edges>{}</back_edges>", edges.iter().map(edge).collect::<String>())
}

/// A Loop over a trip count, a condition and data that every iteration gives out as it is, and hands on to the next one if
/// nothing is concatenated.
fn keeping(mut ir: Ir, given: [Output; 3], concat: &str) -> Ir {
    let mut body = ir.body();
    let part = body.parameter("f32", "...");
    let end = body.result(part);
    let goes_on = body.constant("boolean", &[], &[1.0]);
    let goes_on = body.result(goes_on);
    let body = ir.close("body", body);
    let decides = output(-1, goes_on, "purpose=\"execution_condition\"");
    let map = port_map(&[input(2, part.0, ""), output(3, end, concat), decides]);
    let edges = if concat.is_empty() { back_edges(&[(end, part.0)]) } else { String::new() };
    let host = ir.layer("Loop", "opset5", &(map + &edges + &body), &given, 1);
    ir.result(host);
    ir
}
