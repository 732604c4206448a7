//! Small files that ask for very much: each comes back with a limit or an ordinary finding, and soon.
//!
//! What a case costs shows in the time of the test; nothing here may grow faster than the file it reads.

mod many;
mod nesting;
mod runs;
mod values;

use ovlint::internal::diagnostic::Severity;
use ovlint::internal::report::ModelReport;
use ovlint::internal::report::findings::{json, text};
use ovlint::internal::{Limits, Model, Options, Weights};
use std::collections::BTreeMap;
use std::path::Path;

/// How often every rule speaks, errors and all, once all reports are written as well.
fn rules(xml: impl Into<Vec<u8>>, weights: Vec<u8>) -> BTreeMap<&'static str, usize> {
    rules_within(Limits::default(), xml, weights)
}

fn rules_within(limits: Limits, xml: impl Into<Vec<u8>>, weights: Vec<u8>) -> BTreeMap<&'static str, usize> {
    let options = Options { limits, ..Options::default() };
    let model = Model::from_bytes("bomb.xml", xml.into(), Weights::in_memory(weights), &options).unwrap();
    let report = ModelReport::of(Path::new("bomb.xml"), &model, model.findings());
    text::render(&report, &text::TextOptions::default());
    json::model(&report).unwrap();
    let mut count = BTreeMap::new();
    for finding in model.findings() {
        *count.entry(finding.rule.name).or_default() += 1;
    }
    count
}

fn net(layers: &str, edges: &str) -> String {
    format!("<net name='bomb' version='11'><layers>{layers}</layers><edges>{edges}</edges></net>")
}

fn edge(from: usize, from_port: usize, to: usize, to_port: usize) -> String {
    format!("<edge from-layer='{from}' from-port='{from_port}' to-layer='{to}' to-port='{to_port}'/>")
}

fn parameter(id: usize, shape: &str) -> String {
    format!(
        "<layer id='{id}' name='x' type='Parameter' version='opset1'><data shape='{shape}' element_type='f32'/>\
         <output><port id='0' precision='FP32'/></output></layer>"
    )
}

fn relu(id: usize, dim: usize) -> String {
    format!(
        "<layer id='{id}' name='r' type='ReLU' version='opset1'><input><port id='0'/></input>\
         <output><port id='1' precision='FP32'><dim>{dim}</dim></port></output></layer>"
    )
}

fn result(id: usize) -> String {
    format!("<layer id='{id}' name='y' type='Result' version='opset1'><input><port id='0'/></input></layer>")
}

/// One text per number, one after the other.
fn each(count: usize, text: impl Fn(usize) -> String) -> String {
    (0..count).map(text).collect()
}

/// A Concat with many inputs.
fn concat(id: usize, inputs: usize) -> String {
    let ports = each(inputs, |port| format!("<port id='{port}'/>"));
    format!(
        "<layer id='{id}' name='c' type='Concat' version='opset1'><data axis='0'/><input>{ports}</input>\
         <output><port id='{inputs}' precision='FP32'/></output></layer>"
    )
}

/// A Parameter, `layers` layers of `ReLU` one after the other that declare `[dim]`, and a Result.
fn chain(layers: usize, dim: usize) -> String {
    let mut text = parameter(0, "2");
    let mut edges = String::new();
    for id in 1..=layers {
        text += &relu(id, dim);
        edges += &edge(id - 1, usize::from(id > 1), id, 0);
    }
    text += &result(layers + 1);
    edges += &edge(layers, 1, layers + 1, 0);
    net(&text, &edges)
}

#[test]
fn nesting_ends_at_a_limit() {
    let deep = |open: &str, close: &str, levels: usize| [open.repeat(levels), close.repeat(levels)].concat();
    let whole = |inside: &str| net(&format!("{inside}{}{}", parameter(0, "2"), result(1)), &edge(0, 0, 1, 0));
    assert_eq!(rules(whole(&deep("<x>", "</x>", 100_000)), Vec::new())["limit-exceeded"], 1);
    assert_eq!(rules(whole(&"<x>".repeat(1_000_000)), Vec::new())["limit-exceeded"], 1);
    let data = deep("<user_data name='a'>", "</user_data>", 100_000);
    let inside = whole("").replace("<output>", &format!("<rt_info>{data}</rt_info><output>"));
    assert_eq!(rules(inside, Vec::new())["limit-exceeded"], 1);
    let ifs = deep(
        "<layer id='0' name='i' type='If' version='opset8'><then_body><layers>",
        "</layers></then_body></layer>",
        1_000,
    );
    assert_eq!(rules(net(&ifs, ""), Vec::new())["limit-exceeded"], 1);
}

#[test]
fn bodies_up_to_the_limit_are_inferred_once_each() {
    for (ty, version) in [("Loop", "opset5"), ("TensorIterator", "opset1")] {
        let levels = Limits::default().bodies - 1;
        let open = format!(
            "<layer id='0' name='{}' type='{ty}' version='{version}'><port_map/><body><layers>",
            "n".repeat(500)
        );
        let inner = format!("{}{}{}", parameter(0, "2"), relu(1, 2), result(2));
        let edges = format!("<edges>{}{}</edges>", edge(0, 0, 1, 0), edge(1, 1, 2, 0));
        let close = format!("</layers>{edges}</body></layer>");
        let xml = net(&[open.repeat(levels), inner, close.repeat(levels)].concat(), "");
        assert!(!rules(xml, Vec::new()).contains_key("limit-exceeded"));
    }
}

#[test]
fn huge_shapes_overflow_nothing() {
    let long = ["9000000000000000000"; 8].join(",");
    let xml = net(&format!("{}{}", parameter(0, &long), result(1)), &edge(0, 0, 1, 0));
    assert!(!rules(xml, Vec::new()).contains_key("limit-exceeded"));
    for shape in ["4294967296,4294967296", "2305843009213693952", "9223372036854775807"] {
        let layer = format!(
            "<layer id='0' name='c' type='Const' version='opset1'><data element_type='f32' shape='{shape}' offset='0' \
             size='8'/><output><port id='0' precision='FP32'/></output></layer>"
        );
        let found = rules(net(&format!("{layer}{}", result(1)), &edge(0, 0, 1, 0)), vec![0; 8]);
        assert_eq!(found["const-size-mismatch"], 1, "{shape}");
    }
}

#[test]
fn ranks_beyond_all_use_are_refused() {
    let ones = vec!["1"; 100_000].join(",");
    let xml = chain(1_000, 1).replace("shape='2'", &format!("shape='{ones}'"));
    assert_eq!(rules(xml, Vec::new())["limit-exceeded"], 1);
    let dims = "<dim>1</dim>".repeat(100_000);
    let xml = chain(2, 2).replacen(
        "<port id='0' precision='FP32'/>",
        &format!("<port id='0' precision='FP32'>{dims}</port>"),
        1,
    );
    assert_eq!(rules(xml, Vec::new())["limit-exceeded"], 1);
}

#[test]
fn long_chains_need_no_stack() {
    assert_eq!(rules(chain(20_000, 2), Vec::new()), BTreeMap::from([("declared-dynamic", 1)]));
}

#[test]
fn circles_are_found_however_long() {
    let layers = each(8_000, |id| relu(id, 2));
    let end = (result(8_000), edge(5, 1, 8_000, 0));
    let circle = |next: fn(usize) -> usize| {
        let edges = each(8_000, |id| edge(id, 1, next(id), 0));
        rules(net(&format!("{layers}{}", end.0), &format!("{edges}{}", end.1)), Vec::new())
    };
    assert_eq!(circle(|id| (id + 1) % 8_000)["cycle"], 1);
    assert_eq!(circle(|id| id ^ 1)["cycle"], 4_000);
    assert_eq!(circle(|id| id)["cycle"], 8_000);
    let dense = each(5_000, |port| edge(0, 5_000, 1, port) + &edge(1, 5_000, 0, port));
    let xml = net(
        &format!("{}{}{}", concat(0, 5_000), concat(1, 5_000), result(2)),
        &format!("{dense}{}", edge(0, 5_000, 2, 0)),
    );
    assert_eq!(rules(xml, Vec::new())["cycle"], 1);
}

#[test]
fn ports_are_counted() {
    let xml = net(&format!("{}{}", concat(0, 100_000), result(1)), "");
    assert_eq!(rules(xml, Vec::new())["limit-exceeded"], 1);
    let xml = net(&format!("{}{}", concat(0, 8_000), result(1)), &edge(0, 8_000, 1, 0));
    let found = rules(xml, Vec::new());
    assert!(found["input-not-connected"] > 3_000, "{found:?}");
    let edges = each(8_000, |port| edge(0, 0, 1, port));
    let xml = net(
        &format!("{}{}{}", parameter(0, "2"), concat(1, 8_000), result(2)),
        &format!("{edges}{}", edge(1, 8_000, 2, 0)),
    );
    assert!(!rules(xml, Vec::new()).contains_key("limit-exceeded"));
}

#[test]
fn findings_are_made_in_linear_time() {
    let dangling = each(4_000, |i| edge(i + 1_000_000, 1, i + 5_000_000, 0));
    let layers = each(4_000, |id| relu(id, 2));
    assert!(rules(net(&layers, &dangling), Vec::new())["edge-unknown-layer"] > 3_000);
    assert!(rules(net(&parameter(0, "2").repeat(4_000), ""), Vec::new())["duplicate-layer-id"] > 3_000);
    let again = edge(0, 0, 1, 7).repeat(20_000);
    let xml = net(
        &format!("{}{}{}", parameter(0, "2"), concat(1, 100), result(2)),
        &format!("{again}{}", edge(1, 100, 2, 0)),
    );
    assert_eq!(rules(xml, Vec::new())["input-connected-twice"], 1);
    let beyond = each(4_000, |port| edge(0, 0, 1, port + 100_000));
    let xml = net(&format!("{}{}{}", parameter(0, "2"), concat(1, 8_000), result(2)), &beyond);
    assert!(rules(xml, Vec::new())["edge-unknown-port"] > 3_000);
    assert!(rules(chain(4_000, 3), Vec::new())["declared-shape"] > 2_900);
}

#[test]
fn texts_without_end_are_cut() {
    let name = "n".repeat(1_000_000);
    let layer = concat(0, 4_000).replace("name='c'", &format!("name='{name}'"));
    assert!(
        rules(net(&format!("{layer}{}", result(1)), &edge(0, 8_000, 1, 0)), Vec::new())["input-not-connected"] > 3_000
    );
    let ty = format!("<layer id='7' name='k' type='{}' version='{}'/>", "K".repeat(2_000_000), "v".repeat(2_000_000));
    assert_eq!(rules(net(&ty.repeat(2), ""), Vec::new())["unknown-opset"], 2, "one of the two is lost");
    let kinds = each(8_000, |i| format!("<layer id='{i}' name='k' type='Rely{i}' version='opset1'/>"));
    assert!(rules(net(&kinds, ""), Vec::new())["unknown-op"] > 3_000);
    let attributes = each(20_000, |i| format!(" a{i}='1'"));
    let xml = chain(1, 2).replace("<input>", &format!("<data{attributes}/><input>"));
    assert!(rules(xml, Vec::new())["unknown-op-attribute"] < 100);
    let xml = chain(1, 2).replace("<input>", &format!("<data{}/><input>", " a='1'".repeat(4_000)));
    assert!(rules(xml, Vec::new())["xml-duplicate-attribute"] > 3_000);
    let dims = chain(50, 2).replace("<dim>2</dim>", &"<dim>x</dim>".repeat(250));
    assert!(rules(dims, Vec::new())["invalid-dim"] > 3_000);
    assert_eq!(rules(net(&"&".repeat(300_000), ""), Vec::new())["unknown-element"], 1);
}

#[test]
fn a_file_beyond_the_limit_is_not_read() {
    let mut options = Options::default();
    options.limits.xml_size = 100;
    let model = Model::from_bytes("bomb.xml", chain(3, 2).into_bytes(), Weights::default(), &options).unwrap();
    let found: Vec<_> = model.findings().iter().map(|finding| (finding.rule.name, finding.severity)).collect();
    assert_eq!(found, [("limit-exceeded", Severity::Error)]);
}
