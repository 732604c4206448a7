//! Edges that lead nowhere, twice to the same place or in circles.

use super::valid_models::NET;
use super::{Fault, accepted, check, proposals, read, rejected};
use crate::ir_builder::Ir;

/// The edge from Reshape to `MatMul`.
const EDGE: &str = r#"<edge from-layer="8" from-port="2" to-layer="10" to-port="1"/>"#;

const FAULTS: &[Fault] = &[
    accepted(
        "to-a-missing-layer",
        &[("<edges>", r#"<edges><edge from-layer="8" from-port="2" to-layer="99" to-port="1"/>"#)],
        &[r#"E edge-unknown-layer: to-layer="99"#],
    ),
    rejected(
        "to-a-missing-layer-instead",
        &[(EDGE, r#"<edge from-layer="8" from-port="2" to-layer="99" to-port="1"/>"#)],
        &[r#"E edge-unknown-layer: to-layer="99"#],
    ),
    rejected(
        "from-a-missing-layer",
        &[(EDGE, r#"<edge from-layer="99" from-port="2" to-layer="10" to-port="1"/>"#)],
        &["E edge-unknown-layer: from-layer=\"99"],
    ),
    rejected(
        "from-a-missing-port",
        &[(EDGE, r#"<edge from-layer="8" from-port="8" to-layer="10" to-port="1"/>"#)],
        &["E edge-unknown-port: from-port=\"8"],
    ),
    rejected(
        "to-a-missing-port",
        &[(EDGE, r#"<edge from-layer="8" from-port="2" to-layer="10" to-port="8"/>"#)],
        &["E edge-unknown-port: to-port=\"8"],
    ),
    rejected(
        "into-an-output-port",
        &[(EDGE, r#"<edge from-layer="8" from-port="2" to-layer="10" to-port="2"/>"#)],
        &["E edge-unknown-port: to-port=\"2"],
    ),
    rejected(
        "from-an-input-port",
        &[(EDGE, r#"<edge from-layer="8" from-port="0" to-layer="10" to-port="1"/>"#)],
        &["E edge-unknown-port: from-port=\"0"],
    ),
    rejected(
        "twice",
        &[(
            EDGE,
            r#"<edge from-layer="8" from-port="2" to-layer="10" to-port="1"/><edge from-layer="8" from-port="2" to-layer="10" to-port="1"/>"#,
        )],
        &[r#"E input-connected-twice: <edge from-layer="8" from-port="2" to-layer="10" to-port="1"/>"#],
    ),
    rejected(
        "two-into-one-input",
        &[(
            EDGE,
            r#"<edge from-layer="8" from-port="2" to-layer="10" to-port="1"/><edge from-layer="9" from-port="0" to-layer="10" to-port="1"/>"#,
        )],
        &[r#"E input-connected-twice: <edge from-layer="9" from-port="0" to-layer="10" to-port="1"/>"#],
    ),
    rejected(
        "two-into-one-input-none-into-the-other",
        &[(EDGE, r#"<edge from-layer="8" from-port="2" to-layer="10" to-port="0"/>"#)],
        &[
            "E input-not-connected: <port id=\"1\" precision=\"FP32\">",
            "E input-connected-twice: <edge from-layer=\"8\" from-port=\"2\" to-layer=\"10\" to-port=\"0\"/>",
        ],
    ),
    rejected(
        "missing-into-the-first-input",
        &[(r#"<edge from-layer="9" from-port="0" to-layer="10" to-port="0"/>"#, "")],
        &["E input-not-connected: <port id=\"0\" precision=\"FP32\">"],
    ),
    rejected(
        "missing-into-the-last-input",
        &[(EDGE, "")],
        &["E input-not-connected: <port id=\"1\" precision=\"FP32\">"],
    ),
    rejected(
        "missing-into-the-only-input",
        &[(r#"<edge from-layer="4" from-port="2" to-layer="5" to-port="0"/>"#, "")],
        &[r#"E input-not-connected: <port id="0" precision="FP32">"#],
    ),
    rejected(
        "missing-into-the-result",
        &[(r#"<edge from-layer="10" from-port="2" to-layer="11" to-port="0"/>"#, "")],
        &["E input-not-connected: <port id=\"0\" precision=\"FP32\">"],
    ),
    rejected(
        "no-edges-element",
        &[("<edges>", "<edge>"), ("</edges>", "</edge>")],
        &[r#"E missing-element: <net name="base" version="11">"#, "W unknown-element: <edge>"],
    ),
    rejected(
        "second-edges-element",
        &[("<edges>", r"<edges/><edges>")],
        &[r#"E missing-element: <net name="base" version="11">"#, "W unknown-element: <edges>"],
    ),
    rejected(
        "to-itself",
        &[(EDGE, r#"<edge from-layer="10" from-port="2" to-layer="10" to-port="1"/>"#)],
        &[r#"E cycle: <edge from-layer="10" from-port="2" to-layer="10" to-port="1"/>"#],
    ),
    rejected(
        "circle-of-two",
        &[(
            r#"<edge from-layer="6" from-port="2" to-layer="8" to-port="0"/>"#,
            r#"<edge from-layer="10" from-port="2" to-layer="8" to-port="0"/>"#,
        )],
        &[r#"E cycle: <edge from-layer="8" from-port="2" to-layer="10" to-port="1"/>"#],
    ),
    accepted(
        "circle-of-dead-layers",
        &[
            (
                "</layers>",
                r#"<layer id="20" name="a" type="ReLU" version="opset1"><input><port id="0"/></input><output><port id="1" precision="FP32"/></output></layer><layer id="21" name="b" type="ReLU" version="opset1"><input><port id="0"/></input><output><port id="1" precision="FP32"/></output></layer></layers>"#,
            ),
            (
                "</edges>",
                r#"<edge from-layer="20" from-port="1" to-layer="21" to-port="0"/><edge from-layer="21" from-port="1" to-layer="20" to-port="0"/></edges>"#,
            ),
        ],
        &[r#"W cycle: <edge from-layer="21" from-port="1" to-layer="20" to-port="0"/>"#],
    ),
    rejected(
        "into-a-parameter",
        &[("<edges>", r#"<edges><edge from-layer="1" from-port="0" to-layer="0" to-port="0"/>"#)],
        &[r#"E edge-unknown-port: to-port="0"#],
    ),
    rejected(
        "into-a-parameter-with-a-port",
        &[
            ("<edges>", r#"<edges><edge from-layer="1" from-port="0" to-layer="0" to-port="1"/>"#),
            (
                r#"<data shape="1,3,16,18" element_type="f32"/>"#,
                r#"<data shape="1,3,16,18" element_type="f32"/><input><port id="1"/></input>"#,
            ),
        ],
        &[r#"E wrong-input-count: <layer id="0" name="x" type="Parameter" version="opset1">"#],
    ),
    rejected(
        "into-a-constant",
        &[("<edges>", r#"<edges><edge from-layer="0" from-port="0" to-layer="9" to-port="0"/>"#)],
        &[r#"E edge-unknown-port: to-port="0"#],
    ),
    rejected(
        "from-a-result",
        &[(EDGE, r#"<edge from-layer="11" from-port="0" to-layer="10" to-port="1"/>"#)],
        &[
            "W unreachable-layer: <layer id=\"8\" name=\"reshape\" type=\"Reshape\" version=\"opset1\">",
            "E edge-unknown-port: from-port=\"0",
        ],
    ),
    rejected(
        "attribute-missing",
        &[(EDGE, r#"<edge from-layer="8" from-port="2" to-layer="10"/>"#)],
        &["E missing-attribute: <edge from-layer=\"8\" from-port=\"2\" to-layer=\"10\"/>"],
    ),
    rejected(
        "no-number",
        &[(EDGE, r#"<edge from-layer="eight" from-port="2" to-layer="10" to-port="1"/>"#)],
        &["E invalid-attribute: eight"],
    ),
    rejected(
        "too-large",
        &[(EDGE, r#"<edge from-layer="8" from-port="99999999999999999999" to-layer="10" to-port="1"/>"#)],
        &["E invalid-attribute: 99999999999999999999"],
    ),
    rejected(
        "negative",
        &[(EDGE, r#"<edge from-layer="8" from-port="2" to-layer="10" to-port="-1"/>"#)],
        &["E invalid-attribute: -1"],
    ),
    rejected(
        "blank-behind",
        &[(EDGE, r#"<edge from-layer="8 " from-port="2" to-layer="10" to-port="1"/>"#)],
        &["E invalid-attribute: 8 "],
    ),
    accepted("blank-before", &[(EDGE, r#"<edge from-layer=" 8" from-port="2" to-layer="10" to-port="1"/>"#)], &[]),
    accepted("plus", &[(EDGE, r#"<edge from-layer="+8" from-port="2" to-layer="10" to-port="1"/>"#)], &[]),
    accepted(
        "single-quotes",
        &[(EDGE, "<edge from-layer='8' from-port = '2' to-layer\n=\n'10' to-port='1' ></edge>")],
        &[],
    ),
    accepted(
        "unknown-attribute",
        &[(EDGE, r#"<edge from-layer="8" from-port="2" to-layer="10" to-port="1" weight="3"/>"#)],
        &[],
    ),
    accepted("child", &[(EDGE, r#"<edge from-layer="8" from-port="2" to-layer="10" to-port="1"><x/>y</edge>"#)], &[]),
    accepted(
        "other-element-between",
        &[(EDGE, r#"<Edge/><edge from-layer="8" from-port="2" to-layer="10" to-port="1"/>"#)],
        &["W unknown-element: <Edge/>"],
    ),
    rejected(
        "upper-case",
        &[(EDGE, r#"<Edge from-layer="8" from-port="2" to-layer="10" to-port="1"/>"#)],
        &[
            "E input-not-connected: <port id=\"1\" precision=\"FP32\">",
            "W unknown-element: <Edge from-layer=\"8\" from-port=\"2\" to-layer=\"10\" to-port=\"1\"/>",
        ],
    ),
    rejected(
        "other-type-into-matmul",
        &[(EDGE, r#"<edge from-layer="7" from-port="0" to-layer="10" to-port="1"/>"#)],
        &["E input-port-mismatch: FP32"],
    ),
    accepted(
        "reversed-list",
        &[(EDGE, ""), ("<edges>", r#"<edges><edge from-layer="8" from-port="2" to-layer="10" to-port="1"/>"#)],
        &[],
    ),
];

#[test]
fn edges_lead_from_outputs_to_inputs() {
    check("edges", &NET, FAULTS);
}

#[test]
fn no_help_leads_an_edge_back_to_its_own_layer() {
    let helps = |from: u32| {
        let edge = format!("<edges><edge from-layer=\"{from}\" from-port=\"0\" to-layer=\"99\" to-port=\"0\"/>");
        proposals("edge-", NET.xml.replacen("<edges>", &edge, 1).as_bytes(), &NET.weights())
    };
    assert_eq!(helps(7), ["the nearest id is 11 (`res`)"]);
    assert_eq!(helps(11), [""; 0]);
}

#[test]
fn an_output_that_an_operation_has_is_rather_missing_than_misspelt() {
    let mut ir = Ir::default();
    let (data, k) = (ir.parameter("f32", "2,3"), ir.constant("i64", &[], &[1.0]));
    let top = ir.layer("TopK", "opset11", "<data axis=\"1\" mode=\"max\" sort=\"value\"/>", &[data, k], 1);
    ir.result(top);
    let (xml, weights) = ir.finish();
    let xml = String::from_utf8(xml).unwrap().replace("from-port=\"2\"", "from-port=\"3\"");
    assert_eq!(proposals("edge-", xml.as_bytes(), &weights), ["TopK has 2 outputs: is a port missing?"]);
    let mut ir = Ir::default();
    let (data, axis) = (ir.parameter("f32", "2,3"), ir.constant("i64", &[], &[1.0]));
    let split = ir.layer("Split", "opset1", "<data num_splits=\"3\"/>", &[data, axis], 2);
    ir.result(split);
    let (xml, weights) = ir.finish();
    let xml = String::from_utf8(xml).unwrap().replace("from-port=\"2\"", "from-port=\"4\"");
    assert_eq!(proposals("edge-", xml.as_bytes(), &weights), ["Split has 3 outputs: is a port missing?"]);
}

#[test]
fn only_the_first_edge_of_a_missing_layer_has_an_end() {
    let mut ir = Ir::default();
    let data = ir.parameter("f32", "2,3");
    let relu = ir.layer("ReLU", "opset1", "", &[data], 1);
    ir.result(relu);
    let (xml, weights) = ir.finish();
    let xml = String::from_utf8(xml).unwrap();
    let (before, layer) = xml.split_once("<layer id=\"1\"").unwrap();
    let xml = before.to_owned() + layer.split_once("</layer>").unwrap().1;
    let model = read(xml, &weights);
    let finding = model.findings().iter().find(|finding| finding.rule.name == "edge-unknown-layer").unwrap();
    let labels: Vec<&str> = finding.labels.iter().map(|label| label.message.shown()).collect();
    assert_eq!(labels, ["the edge starts at this layer", "this edge starts at that layer, too"]);
    assert!(!crate::notes(finding).iter().any(|note| note.contains("name layer")), "both edges are shown");
}

#[test]
fn an_edge_from_a_part_that_is_missing_is_not_led_to_the_only_other_part() {
    let mut ir = Ir::default();
    let (data, axis) = (ir.parameter("f32", "2,6"), ir.constant("i64", &[], &[1.0]));
    let lengths = ir.constant("i64", &[2], &[2.0, 4.0]);
    let split = ir.layer("VariadicSplit", "opset1", "", &[data, axis, lengths], 2);
    ir.result(split);
    let (xml, weights) = ir.finish();
    let part = "<port id=\"4\" precision=\"UNSPECIFIED\"/>";
    let xml = String::from_utf8(xml).unwrap().replace(part, "").replace("from-port=\"3\"", "from-port=\"4\"");
    assert_eq!(proposals("edge-", xml.as_bytes(), &weights), ["is an output port missing?"]);
}

#[test]
fn an_edge_that_is_reversed_is_asked_about() {
    let reversed = r#"<edge from-layer="10" from-port="1" to-layer="8" to-port="2"/>"#;
    let xml = NET.xml.replacen(EDGE, reversed, 1);
    assert_eq!(proposals("edge-", xml.as_bytes(), &NET.weights()), ["are the two ends of the edge swapped?"]);
}

#[test]
fn an_edge_is_not_led_to_an_input_that_has_one() {
    let edge = "<edges><edge from-layer=\"4\" from-port=\"2\" to-layer=\"5\" to-port=\"7\"/>";
    assert_eq!(proposals("edge-", NET.xml.replacen("<edges>", edge, 1).as_bytes(), &NET.weights()), [""; 0]);
}

#[test]
fn the_nearest_layer_has_the_port_that_the_edge_names() {
    let helps = |port: u32| {
        let edge = format!("<edges><edge from-layer=\"99\" from-port=\"{port}\" to-layer=\"7\" to-port=\"0\"/>");
        proposals("edge-", NET.xml.replacen("<edges>", &edge, 1).as_bytes(), &NET.weights())
    };
    assert_eq!([helps(0), helps(77)], [[""; 0]; 2], "a Result has no output");
}

#[test]
fn one_port_is_not_meant_by_several_edges() {
    let helps = |ports: &[&str]| {
        let mut ir = Ir::default();
        let data = ir.parameter("f32", "2,3");
        let relu = ir.layer("ReLU", "opset1", "", &[data], 1);
        ir.result(relu);
        let (xml, weights) = ir.finish();
        let to = |port: &str| format!("<edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"{port}\"/>");
        let edges: String = ports.iter().map(|port| to(port)).collect();
        proposals("edge-", String::from_utf8(xml).unwrap().replace(&to("0"), &edges).as_bytes(), &weights)
    };
    assert_eq!(helps(&["5"]), ["did you mean port 0?"]);
    assert_eq!(helps(&["5", "6"]), [""; 0]);
}
