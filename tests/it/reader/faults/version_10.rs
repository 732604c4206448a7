//! What IR version 10 takes more lightly.

use super::valid_models::NET;
use super::{Fault, accepted, check, read, rejected};
use crate::ir_builder::Ir;
use ovlint::internal::diagnostic::{Runtime, Severity};

const V11: &str = r#"<net name="base" version="11">"#;
const V10: &str = r#"<net name="base" version="10">"#;

/// Adds a Result, with this output.
macro_rules! second_result {
    ($output:literal) => {
        (
            "</layers>",
            concat!(
                r#"<layer id="12" name="again" type="Result" version="opset1"><input><port id="0"/></input>"#,
                $output,
                "</layer></layers>"
            ),
        )
    };
}

const FAULTS: &[Fault] = &[
    accepted("as-it-is", &[(V11, V10)], &[]),
    accepted(
        "unused-output-beyond-the-operation",
        &[
            (V11, V10),
            (
                r#"names="mm"><dim>32</dim><dim>1792</dim></port>"#,
                r#"names="mm"><dim>32</dim><dim>1792</dim></port><port id="3" precision="FP32"/>"#,
            ),
        ],
        &[r#"E wrong-output-count: <port id="3" precision="FP32"/>"#],
    ),
    rejected(
        "used-output-beyond-the-operation",
        &[
            (V11, V10),
            (
                r#"names="mm"><dim>32</dim><dim>1792</dim></port>"#,
                r#"names="mm"><dim>32</dim><dim>1792</dim></port><port id="3" precision="FP32"/>"#,
            ),
            (r#"from-layer="10" from-port="2""#, r#"from-layer="10" from-port="3""#),
        ],
        &[r#"E wrong-output-count: <port id="3" precision="FP32"/>"#],
    ),
    accepted(
        "input-without-edge-beyond-the-operation",
        &[
            (V11, V10),
            (
                r#"<port id="1" precision="FP32"><dim>1</dim><dim>1792</dim></port>"#,
                r#"<port id="1" precision="FP32"><dim>1</dim><dim>1792</dim></port><port id="7" precision="FP32"/>"#,
            ),
        ],
        &[r#"E wrong-input-count: <layer id="10" name="mm" type="MatMul" version="opset1">"#],
    ),
    accepted(
        "input-of-a-constant",
        &[
            (V11, V10),
            (
                r#"<data element_type="f32" shape="32, 1" offset="1296" size="128"/>"#,
                r#"<data element_type="f32" shape="32, 1" offset="1296" size="128"/><input><port id="5"/></input>"#,
            ),
        ],
        &[r#"E wrong-input-count: <layer id="9" name="m" type="Const" version="opset1">"#],
    ),
    accepted(
        "input-of-a-constant-with-edge",
        &[
            (V11, V10),
            (
                r#"<data element_type="f32" shape="32, 1" offset="1296" size="128"/>"#,
                r#"<data element_type="f32" shape="32, 1" offset="1296" size="128"/><input><port id="5"/></input>"#,
            ),
            ("<edges>", r#"<edges><edge from-layer="0" from-port="0" to-layer="9" to-port="5"/>"#),
        ],
        &[r#"E wrong-input-count: <layer id="9" name="m" type="Const" version="opset1">"#],
    ),
    rejected(
        "later-input-of-a-constant-with-edge",
        &[
            (V11, V10),
            (
                r#"<data element_type="f32" shape="32, 1" offset="1296" size="128"/>"#,
                r#"<data element_type="f32" shape="32, 1" offset="1296" size="128"/><input><port id="5"/><port id="6"/></input>"#,
            ),
            ("<edges>", r#"<edges><edge from-layer="0" from-port="0" to-layer="9" to-port="6"/>"#),
        ],
        &[r#"E wrong-input-count: <layer id="9" name="m" type="Const" version="opset1">"#],
    ),
    rejected(
        "last-input-without-edge",
        &[(V11, V10), (r#"<edge from-layer="8" from-port="2" to-layer="10" to-port="1"/>"#, "")],
        &["E input-not-connected: <port id=\"1\" precision=\"FP32\">"],
    ),
    accepted(
        "fewer-splits-than-outputs",
        &[
            (V11, V10),
            (
                r#"<port id="3" precision="FP32" names="split_1"><dim>1</dim><dim>4</dim><dim>14</dim><dim>16</dim></port>"#,
                r#"<port id="3" precision="FP32" names="split_1"><dim>1</dim><dim>4</dim><dim>14</dim><dim>16</dim></port><port id="8" precision="FP32" names="split_3"><dim>1</dim><dim>4</dim><dim>14</dim><dim>16</dim></port>"#,
            ),
            (r#"from-layer="4" from-port="4""#, r#"from-layer="4" from-port="3""#),
        ],
        &[r#"E wrong-output-count: num_splits="3""#, r#"W port-order: <port id="4" precision="FP32" names="split_2">"#],
    ),
    rejected(
        "used-output-beyond-the-splits",
        &[(V11, V10), (r#"num_splits="3""#, r#"num_splits="2""#)],
        &[r#"E wrong-output-count: num_splits="2""#],
    ),
    accepted(
        "unused-output-of-a-split-missing",
        &[
            (V11, V10),
            (
                r#"<port id="3" precision="FP32" names="split_1"><dim>1</dim><dim>4</dim><dim>14</dim><dim>16</dim></port>"#,
                "",
            ),
        ],
        &[r#"E wrong-output-count: <layer id="4" name="split" type="Split" version="opset1">"#],
    ),
    accepted(
        "garbage-in-rt-info",
        &[
            (V11, V10),
            (
                r#"name="relu" type="ReLU" version="opset1">"#,
                r#"name="relu" type="ReLU" version="opset1"><rt_info><attribute name="layout" version="0" layout="["/></rt_info>"#,
            ),
        ],
        &[],
    ),
    rejected(
        "names-collide-with-tensor-names",
        &[(V11, V10), (r#"names="mm"><dim>32"#, r#"names="x2"><dim>32"#), (r#"names="x""#, r#"names="mm""#)],
        &[r#"E duplicate-tensor-name: <layer id="10" name="mm" type="MatMul" version="opset1">"#],
    ),
    accepted(
        "names-of-inner-tensors",
        &[(V11, V10), (r#"names="mm"><dim>32"#, r#"names="q"><dim>32"#), (r#"names="conv""#, r#"names="mm""#)],
        &[],
    ),
    accepted("names-of-inner-layers", &[(V11, V10), (r#"name="relu" type="ReLU""#, r#"name="x" type="ReLU""#)], &[]),
    accepted("name-of-a-result", &[(V11, V10), (r#"name="res" type="Result""#, r#"name="x" type="Result""#)], &[]),
    rejected(
        "named-tensor-of-two-results",
        &[
            (V11, V10),
            second_result!(""),
            ("<edges>", r#"<edges><edge from-layer="10" from-port="2" to-layer="12" to-port="0"/>"#),
        ],
        &[r#"E duplicate-tensor-name: <layer id="12" name="again" type="Result" version="opset1">"#],
    ),
    rejected(
        "named-parameter-that-is-a-result",
        &[
            (V11, V10),
            second_result!(""),
            ("<edges>", r#"<edges><edge from-layer="0" from-port="0" to-layer="12" to-port="0"/>"#),
        ],
        &[r#"E duplicate-tensor-name: <layer id="12" name="again" type="Result" version="opset1">"#],
    ),
    rejected(
        "name-of-a-parameter-at-the-output-of-a-result",
        &[
            (r#"names="x""#, ""),
            second_result!(r#"<output><port id="1" precision="FP32" names="x"/></output>"#),
            (V11, V10),
            ("<edges>", r#"<edges><edge from-layer="4" from-port="4" to-layer="12" to-port="0"/>"#),
        ],
        &[
            r#"E duplicate-tensor-name: <layer id="0" name="x" type="Parameter" version="opset1">"#,
            r#"W result-has-output: <port id="1" precision="FP32" names="x"/>"#,
        ],
    ),
    rejected(
        "parameter-that-is-a-result-with-a-name",
        &[
            (V11, V10),
            (r#"names="x""#, ""),
            second_result!(r#"<output><port id="1" precision="FP32" names="q"/></output>"#),
            ("<edges>", r#"<edges><edge from-layer="0" from-port="0" to-layer="12" to-port="0"/>"#),
        ],
        &[
            r#"E duplicate-tensor-name: <layer id="12" name="again" type="Result" version="opset1">"#,
            r#"W result-has-output: <port id="1" precision="FP32" names="q"/>"#,
        ],
    ),
    accepted(
        "unnamed-tensor-of-two-results",
        &[
            (V11, V10),
            (r#" names="mm""#, ""),
            second_result!(""),
            ("<edges>", r#"<edges><edge from-layer="10" from-port="2" to-layer="12" to-port="0"/>"#),
        ],
        &[],
    ),
    rejected(
        "names-collide",
        &[(V11, V10), (r#"name="mm" type="MatMul""#, r#"name="x" type="MatMul""#)],
        &[r#"E duplicate-tensor-name: <layer id="10" name="x" type="MatMul" version="opset1">"#],
    ),
];

#[test]
fn version_10_is_lenient() {
    check("v10", &NET, FAULTS);
}

/// OpenVINO 2026.4.1 takes the memory of the inputs of version 10, and not of version 11.
#[test]
fn an_input_of_32_gib_may_not_be_read() {
    let found = |version: u8, ty: &str, shape: &str| {
        let mut ir = Ir::default();
        let input = ir.parameter(ty, shape);
        ir.result(input);
        let xml =
            String::from_utf8(ir.finish().0).unwrap().replace("version=\"11\"", &format!("version=\"{version}\""));
        let model = read(xml, &[]);
        let errors = model.findings().iter().filter(|finding| finding.rule.name == "attribute-value");
        errors.map(|finding| finding.runtime).collect::<Vec<_>>()
    };
    assert_eq!(found(10, "u8", "34359738367"), []);
    assert_eq!(found(10, "u8", "34359738368"), [Runtime::Unknown]);
    assert_eq!(found(10, "string", "1073741823"), []);
    assert_eq!(found(10, "string", "1073741824"), [Runtime::Unknown]);
    assert_eq!(found(10, "f64", "4294967296,4294967295"), [Runtime::Rejects]);
    assert_eq!(found(10, "f32", "?,34359738368"), []);
    assert_eq!(found(11, "u8", "34359738368"), []);
}

#[test]
fn an_input_without_an_edge_is_harmless_where_the_others_infer_the_same() {
    let all = |ty: &str, version: &str, data: &str, shapes: &[&str]| {
        let mut ir = Ir::default();
        let inputs: Vec<_> = shapes.iter().map(|shape| ir.parameter("f32", shape)).collect();
        let layer = ir.layer(ty, version, data, &inputs, 1);
        ir.result(layer);
        let (xml, weights) = ir.finish();
        let last = inputs.len() - 1;
        let edge =
            format!("<edge from-layer=\"{last}\" from-port=\"0\" to-layer=\"{}\" to-port=\"{last}\"/>", inputs.len());
        let xml = String::from_utf8(xml).unwrap().replace(&edge, "").replace("version=\"11\"", "version=\"10\"");
        let model = read(xml, &weights);
        let errors = model.findings().iter().filter(|finding| finding.severity == Severity::Error);
        errors.map(|finding| (finding.rule.name, finding.runtime)).collect::<Vec<_>>()
    };
    let verdict = |ty: &str, version: &str, data: &str, shapes: &[&str]| {
        let all = all(ty, version, data, shapes);
        all.iter().find(|(rule, _)| *rule == "input-not-connected").unwrap().1
    };
    assert_eq!(
        verdict("Concat", "opset1", "<data axis=\"0\"/>", &["2,3", "2,3"]),
        Runtime::Unknown,
        "it gives two rows"
    );
    assert_eq!(verdict("Unsqueeze", "opset1", "", &["2,3", "1"]), Runtime::Rejects);
    assert_eq!(verdict("Swish", "opset4", "", &["2,3", ""]), Runtime::Accepts);
    let ssd = r#"<data num_classes="2" keep_top_k="7" normalized="true"/>"#;
    assert_eq!(
        all("DetectionOutput", "opset1", ssd, &["1,12", "1,6", "1,2,12", "1,6"]),
        [("wrong-input-count", Runtime::Unknown), ("input-not-connected", Runtime::Unknown)],
        "with three inputs it is read"
    );
    // The third input has no edge, and the others do not go together.
    let count = |filters| {
        let convolution = r#"<data strides="1,1" pads_begin="0,0" pads_end="0,0" dilations="1,1"/>"#;
        all("Convolution", "opset1", convolution, &["1,3,5,5", filters, "1"])[0]
    };
    assert_eq!(count("2,3,3,3"), ("wrong-input-count", Runtime::Accepts));
    assert_eq!(count("2,4,3,3"), ("wrong-input-count", Runtime::Unknown));
}

/// Measured with OpenVINO 2026.4.1: "Attempt to access node 1 that not in graph" where another layer feeds a Parameter.
#[test]
fn a_parameter_may_be_fed_by_a_parameter_before_it() {
    let verdict = |feeder: &str| {
        let mut ir = Ir::default();
        let (a, b) = (ir.parameter("f32", "2"), ir.parameter("f32", "2"));
        let relu = ir.layer("ReLU", "opset1", "", &[a], 1);
        let sum = ir.layer("Add", "opset1", "", &[b, relu], 1);
        ir.result(sum);
        let xml = String::from_utf8(ir.finish().0).unwrap().replace("version=\"11\"", "version=\"10\"");
        let (fed, port, edge) = match feeder {
            "the first Parameter" => ("1", "0", "0"),
            "the second Parameter" => ("0", "0", "1"),
            _ => ("1", "1", "2"),
        };
        let layer = xml.find(&format!("<layer id=\"{fed}\"")).unwrap();
        let end = layer + xml[layer..].find("<output>").unwrap();
        let edge =
            format!("<edges><edge from-layer=\"{edge}\" from-port=\"{port}\" to-layer=\"{fed}\" to-port=\"7\"/>");
        let xml = format!("{}<input><port id=\"7\"/></input>{}", &xml[..end], &xml[end..]).replace("<edges>", &edge);
        let model = read(xml, &[]);
        let count = model.findings().iter().find(|finding| finding.rule.name == "wrong-input-count");
        count.unwrap().runtime
    };
    assert_eq!(verdict("the first Parameter"), Runtime::Accepts);
    assert_eq!(verdict("the second Parameter"), Runtime::Rejects);
    assert_eq!(verdict("a ReLU"), Runtime::Rejects);
}
