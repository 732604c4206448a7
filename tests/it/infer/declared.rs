//! What ports declare against what OpenVINO would write there, which may be less than is known or something else. The lengths
//! called OpenVINO's are those that 2026.4.1 writes.

use crate::graph_notation::graph;
use crate::ir_builder::Ir;
use ovlint::internal::diagnostic::{Applicability, Group, Runtime, Severity};
use ovlint::internal::fix::{everything, fix};
use ovlint::internal::ir::Net;
use ovlint::internal::types::PartialShape;
use ovlint::internal::{Model, Options, Weights};
use std::fmt::Write;

/// A graph whose ports declare what is true of them, but for the outputs of layers of these types.
fn declaring(text: &str, declared: &[(&str, &str)]) -> Model {
    let graph = graph(text, 1);
    let open = |xml: String| {
        let weights = Weights::in_memory(graph.weights.clone());
        Model::from_bytes("m.xml", xml.into_bytes(), weights, &Options::default()).unwrap()
    };
    let bare = open(graph.xml.clone());
    let (net, facts): (&Net, _) = (bare.net().unwrap(), bare.facts().unwrap());
    let mut parts = graph.xml.split(" precision=\"UNSPECIFIED\"/>");
    let mut xml = parts.next().unwrap().to_owned();
    for (index, layer) in net.graph.entries() {
        let own = declared.iter().find(|(ty, _)| *ty == net.graph.kind(layer).ty).map(|(_, shape)| *shape);
        for fact in facts.outputs(index) {
            let shape = own.map_or(fact.shape.clone(), |own| own.parse().unwrap());
            let _ = write!(xml, " precision=\"{}\">{}</port>", fact.ty.port_name(), dims(&shape));
            xml += parts.next().unwrap();
        }
    }
    assert!(parts.next().is_none());
    open(xml)
}

fn dims(shape: &PartialShape) -> String {
    let dims = shape.dims().unwrap_or_default().iter().map(|dim| dim.length().unwrap_or(-1));
    dims.map(|dim| format!("<dim>{dim}</dim>")).collect::<Vec<_>>().concat()
}

/// What is found of declared shapes, by severity and rule.
fn found(text: &str, declared: &[(&str, &str)]) -> Vec<String> {
    let model = declaring(text, declared);
    let findings = model.findings().iter().filter(|finding| finding.rule.group == Group::Declared);
    findings.map(|finding| format!("{} {}", finding.severity.name(), finding.rule.name)).collect()
}

const INFO: &str = "info declared-shape";
const ERROR: &str = "error declared-shape";

#[test]
fn shapes_from_values_that_openvino_gets_wrong_are_no_errors() {
    let rows = [(
        "s = ShapeOf-3(f32[4..5,4]) {output_type=i64}; c = Convert-1(s) {destination_type=f64}; \
             m = Multiply-1(c, f64[1] = 0.25); n = Convert-1(m) {destination_type=i64}; \
             Broadcast-3(f32[] = 1, n) {mode=numpy}",
        "[0,0]",
    )];
    for (text, shape) in rows {
        let all = found(text, &[("Broadcast", shape)]);
        assert_eq!(all, [INFO], "{text}");
    }
}

#[test]
fn a_dimension_that_only_we_know_is_not_1_may_be_squeezed() {
    let text = "s = ShapeOf-3(f32[8..9]) {output_type=i64}; f = Convert-1(s) {destination_type=f32}; g = Floor-1(f); \
                n = Convert-1(g) {destination_type=i64}; m = Minimum-1(n, i64[1] = 8); \
                c = Concat-1(m, i64[1] = 3) {axis=0}; b = Broadcast-3(f32[] = 1, c) {mode=numpy}; Squeeze-1(b, i64[1] = 0)";
    assert_eq!(found(text, &[("Broadcast", "[?,3]"), ("Squeeze", "[3]")])[1..], [INFO]);
    // OpenVINO would have written 8 in front of the Squeeze if it knew that.
    let known = "b = ReLU-1(f32[8,3]); Squeeze-1(b, i64[1] = 0)";
    assert_eq!(found(known, &[("ReLU", "[?,3]"), ("Squeeze", "[3]")]), ["info declared-dynamic", ERROR]);
}

#[test]
fn shapes_that_openvino_knows_stay_errors() {
    let rows = [
        // Bounds that OpenVINO works out.
        (
            "s = ShapeOf-3(f32[4..5,4]) {output_type=i64}; n = Multiply-1(s, i64[1] = 2); Broadcast-3(f32[] = 1, n) {mode=numpy}",
            "[9,7]",
        ),
        (
            "s = ShapeOf-3(f32[4..5,4]) {output_type=i64}; n = FloorMod-1(s, i64[1] = 3); Broadcast-3(f32[] = 1, n) {mode=numpy}",
            "[?,2]",
        ),
        // All of it is known.
        (
            "s = ShapeOf-3(f32[4,6]) {output_type=i64}; f = Convert-1(s) {destination_type=f32}; q = Sqrt-1(f); n = Convert-1(q) {destination_type=i64}; Broadcast-3(f32[] = 1, n) {mode=numpy}",
            "[2,3]",
        ),
        // One dimension may be anything to OpenVINO, the other may not.
        (
            "s = ShapeOf-3(f32[4..5]) {output_type=i64}; n = Sqrt-1(s); c = Concat-1(n, i64[1] = 3) {axis=0}; b = Broadcast-3(f32[7,1,1] = 1 1 1 1 1 1 1, c) {mode=bidirectional}; ReLU-1(b)",
            "[6,?,?]",
        ),
    ];
    for (text, shape) in rows {
        let ty = if text.ends_with("ReLU-1(b)") { "ReLU" } else { "Broadcast" };
        assert_eq!(found(text, &[(ty, shape)]), [ERROR], "{text}");
    }
}

#[test]
fn what_rests_on_such_a_shape_is_no_error_either() {
    let text = "s = ShapeOf-3(f32[4..5,4]) {output_type=i64}; c = Convert-1(s) {destination_type=f64}; \
                m = Multiply-1(c, f64[1] = 0.25); n = Convert-1(m) {destination_type=i64}; \
                b = Broadcast-3(f32[] = 1, n) {mode=numpy}; ReLU-1(b)";
    assert_eq!(found(text, &[("Broadcast", "[0,0]"), ("ReLU", "[0,0]")]), [INFO, INFO]);
    assert_eq!(found(text, &[("Broadcast", "[0,0]"), ("ReLU", "[0,0,3]")]), [INFO, ERROR]);
}

#[test]
fn from_what_both_know_openvino_infers_no_further_length() {
    let text = "IRDFT-9(f32[?,?,2], i64[1] = 0, i64[1] = 16)";
    assert_eq!(found(text, &[("IRDFT", "[?,16]")]), ["warning declared-static"]);
    assert_eq!(found(text, &[("IRDFT", "[?,?]")]), ["info declared-dynamic"]);
}

#[test]
fn a_size_that_only_an_empty_tensor_contradicts_is_right() {
    let text = "x = f32[?,?,32]; s = ShapeOf-3(x) {output_type=i64}; \
                b = Gather-8(s, i64[1] = 0, i64[] = 0) {batch_dims=0}; \
                n = Gather-8(s, i64[1] = 1, i64[] = 0) {batch_dims=0}; \
                p = Concat-1(b, n, i64[1] = -1) {axis=0}; Reshape-1(x, p) {special_zero=false}";
    assert_eq!(found(text, &[("Reshape", "[?,?,32]")]), [""; 0]);
    for other in ["[?,?,16]", "[?,2,32]", "[1,?,32]", "[?,?,0]"] {
        assert_eq!(found(text, &[("Reshape", other)]), ["warning declared-static"], "{other}");
    }
}

#[test]
fn zeros_of_a_gather_outside_its_data_are_what_openvino_declares() {
    let text = "s = ShapeOf-3(f32[2,3]) {output_type=i64}; g = Gather-8(s, i64[2] = 0 2, i64[] = 0) {batch_dims=0}; \
                Broadcast-3(f32[] = 1, g) {mode=numpy}";
    assert_eq!(found(text, &[("Broadcast", "[2,0]")]), ["info declared-static"]);
    assert_eq!(found(text, &[("Broadcast", "[2,5]")]), ["error declared-static"]);
    assert_eq!(found(text, &[("Broadcast", "[2,?]")]), [""; 0]);
}

#[test]
fn what_a_gather_outside_its_data_makes_openvino_refuse_is_found() {
    let all = |text: &str| {
        let model = declaring(text, &[]);
        let findings = model.findings().iter();
        findings.map(|finding| format!("{} {}", finding.severity.name(), finding.rule.name)).collect::<Vec<_>>()
    };
    let rules = |rest: &str| {
        all(&format!(
            "s = ShapeOf-3(f32[2,3]) {{output_type=i64}}; g = Gather-8(s, i64[1] = 2, i64[] = 0) {{batch_dims=0}}; {rest}; \
             Broadcast-3(f32[3], n) {{mode=bidirectional}}"
        ))
    };
    assert_eq!(rules("n = Add-1(g, i64[1] = 0)"), ["warning index-range", "error shape-conflict"]);
    let axis = "s = ShapeOf-3(f32[2]) {output_type=i64}; a = Gather-8(s, i64[] = 5, i64[] = 0) {batch_dims=0}; \
                Gather-8(f32[2,3,4], i64[2,2], a) {batch_dims=1}";
    assert_eq!(all(axis), ["warning index-range", "error attribute-value"]);
    // OpenVINO does not work out this one, and no plugin looks at the index.
    assert_eq!(rules("i = Identity-16(g); n = Add-1(i, i64[1] = 0)"), ["warning index-range"]);
}

/// A constant that is compressed to f16 and a Result of it, as `save_model` writes them, in the net or in the body of an If;
/// `converted` is what the Convert declares, `reader` reads it, and `mark` is the entry that says what the Convert is for.
fn compressed(in_body: bool, converted: &str, reader: &str, mark: &str) -> Model {
    let port = |id: u8, ty: &str| format!("<port id=\"{id}\" precision=\"{ty}\"><dim>2</dim><dim>3</dim></port>");
    let [half, read] = ["FP16", converted].map(|ty| port(0, ty));
    let rest = if reader == "Result" {
        String::new()
    } else {
        let end = port(0, "FP32");
        format!(
            "<output>{}</output></layer><layer id=\"9\" name=\"y\" type=\"Result\" version=\"opset1\"><input>{end}</input>",
            port(1, "FP32")
        )
    };
    let after =
        if reader == "Result" { "" } else { "<edge from-layer=\"8\" from-port=\"1\" to-layer=\"9\" to-port=\"0\"/>" };
    let layers = format!(
        "<layer id=\"6\" name=\"c\" type=\"Const\" version=\"opset1\"><data element_type=\"f16\" shape=\"2, 3\" offset=\"0\" \
         size=\"12\"/><output>{half}</output></layer>\
         <layer id=\"7\" name=\"d\" type=\"Convert\" version=\"opset1\"><data destination_type=\"f32\"/>\
         <rt_info>{mark}</rt_info>\
         <input>{half}</input><output>{}</output></layer>\
         <layer id=\"8\" name=\"r\" type=\"{reader}\" version=\"opset1\"><input>{read}</input>{rest}</layer>",
        port(1, converted)
    );
    let edges = format!(
        "<edge from-layer=\"6\" from-port=\"0\" to-layer=\"7\" to-port=\"0\"/>\
         <edge from-layer=\"7\" from-port=\"1\" to-layer=\"8\" to-port=\"0\"/>{after}"
    );
    let graph = format!("<layers>{layers}</layers><edges>{edges}</edges>");
    let end = if reader == "Result" { 8 } else { 9 };
    let map = |kind: &str| {
        format!(
            "<{kind}_port_map><output external_port_id=\"1\" internal_layer_id=\"{end}\"/></{kind}_port_map>\
             <{kind}_body>{graph}</{kind}_body>"
        )
    };
    let around = format!(
        "<layers><layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\"><data shape=\"\" element_type=\"boolean\"/>\
         <output><port id=\"0\" precision=\"BOOL\"/></output></layer>\
         <layer id=\"1\" name=\"choice\" type=\"If\" version=\"opset8\"><input><port id=\"0\" precision=\"BOOL\"/></input>\
         <output>{}</output>{}{}</layer>\
         <layer id=\"2\" name=\"end\" type=\"Result\" version=\"opset1\"><input>{}</input></layer></layers><edges>\
         <edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"0\"/>\
         <edge from-layer=\"1\" from-port=\"1\" to-layer=\"2\" to-port=\"0\"/></edges>",
        port(1, "FP32"),
        map("then"),
        map("else"),
        port(0, "FP32")
    );
    let net = format!("<net name=\"m\" version=\"11\">{}</net>", if in_body { around } else { graph });
    Model::from_bytes("m.xml", net.into_bytes(), Weights::in_memory(vec![0; 12]), &Options::default()).unwrap()
}

#[test]
fn results_of_compressed_constants_declare_what_openvino_writes() {
    for in_body in [false, true] {
        let plain = r#"<attribute name="decompression" version="0"/>"#;
        for mark in [
            plain,
            "<attribute name='decompression' version='0' />",
            r#"<attribute version="0" name="decompression"/>"#,
            "<attribute\n version='0'\tname = 'decom&#112;ression'></attribute>",
        ] {
            assert_eq!(compressed(in_body, "FP16", "Result", mark).findings(), [], "{in_body} {mark}");
            assert_eq!(compressed(in_body, "FP32", "Result", mark).findings(), [], "{in_body} {mark}");
        }
        for mark in ["", r#"<!-- <attribute name="decompression" version="0"/> -->"#] {
            assert!(compressed(in_body, "FP16", "Result", mark).has_errors(), "{in_body} {mark}");
        }
        // Other types, and other layers, are wrong.
        for (converted, reader) in [("BF16", "Result"), ("I64", "Result"), ("FP16", "ReLU")] {
            assert!(compressed(in_body, converted, reader, plain).has_errors(), "{in_body} {converted} {reader}");
        }
    }
}

#[test]
fn a_rank_that_is_lost_is_reported_once() {
    let found = |text: &str| {
        let graph = graph(text, 1);
        let weights = Weights::in_memory(graph.weights);
        let model = Model::from_bytes("m.xml", graph.xml.into_bytes(), weights, &Options::default()).unwrap();
        let all = model.findings().iter().filter(|finding| finding.rule.name == "dynamic-rank");
        all.map(|finding| finding.layer.as_ref().unwrap().ty.clone()).collect::<Vec<_>>()
    };
    assert_eq!(found("s = ShapeOf-1(f32[...]); Reshape-1(f32[4], s) {special_zero=false}"), ["Parameter"]);
    assert_eq!(found("m = MatMul-1(f32[?,3], f32[3]); Reshape-1(m, i64[?]) {special_zero=false}"), ["Reshape"]);
    let two = "s = ShapeOf-1(f32[...]); c = Concat-1(s, i64[1]) {axis=0}; r = Reshape-1(f32[4], c) {special_zero=false}; \
               q = Squeeze-1(f32[?,?]); Add-1(q, r) {auto_broadcast=numpy}";
    assert_eq!(found(two), ["Parameter", "Squeeze"]);
}

#[test]
fn edges_that_start_at_the_wrong_output_are_asked_for() {
    let sample = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("ir-samples/models/variadic_split");
    let text = std::fs::read_to_string(sample.with_extension("xml")).unwrap();
    let ends = |first, second| text.replace("from-port=\"3\"", first).replace("from-port=\"4\"", second);
    let exchanged = ends("from-port=\"@\"", "from-port=\"3\"").replace('@', "4");
    let weights = Weights::in_memory(std::fs::read(sample.with_extension("bin")).unwrap());
    let model = Model::from_bytes("m.xml", exchanged.into_bytes(), weights, &Options::default()).unwrap();
    let helps: Vec<String> = model.findings().iter().flat_map(crate::help).collect();
    let asked = |port| format!("output port {port} gives this: does the edge start at the wrong one?");
    assert_eq!(helps, [asked(3), asked(4)]);
    assert!(model.findings().iter().all(|finding| finding.fix.is_none()), "a fix would hide the exchange");
}

#[test]
fn a_port_at_the_place_of_an_earlier_output_is_asked_about() {
    let mut ir = Ir::default();
    let (data, k) = (ir.parameter("f32", "2,3"), ir.constant("i64", &[], &[1.0]));
    let data_of = "<data axis=\"1\" mode=\"max\" sort=\"index\" index_element_type=\"i64\"/>";
    let top = ir.layer("TopK", "opset3", data_of, &[data, k], 1);
    let relu = ir.layer("Convert", "opset1", "<data destination_type=\"f32\"/>", &[top], 1);
    ir.result(relu);
    let (xml, weights) = ir.finish();
    let dims = "><dim>2</dim><dim>1</dim></port>";
    let xml = String::from_utf8(xml)
        .unwrap()
        .replace("<port id=\"2\" precision=\"UNSPECIFIED\"/>", &format!("<port id=\"2\" precision=\"I64\"{dims}"));
    let reader = "type=\"Convert\" version=\"opset1\"><data destination_type=\"f32\"/><input><port id=\"0\"";
    let xml = xml.replace(&format!("{reader}/>"), &format!("{reader} precision=\"I64\"{dims}"));
    let model = Model::from_bytes("m.xml", xml.into(), Weights::in_memory(weights), &Options::default()).unwrap();
    let wrong = |rule| model.findings().iter().find(|finding| finding.rule.name == rule).unwrap();
    let asked = "output 1 of TopK gives this: is an output port missing before it?";
    for finding in [wrong("declared-precision"), wrong("input-port-mismatch")] {
        assert_eq!(crate::help(finding), [asked], "{}", finding.message.shown());
        assert!(finding.fix.is_none(), "a fix would hide it");
    }
}

#[test]
fn outputs_of_a_list_that_lost_a_length_follow_from_the_list() {
    let mut ir = Ir::default();
    let (data, axis) = (ir.parameter("f32", "1,6"), ir.constant("i64", &[], &[1.0]));
    let lengths = ir.constant("i64", &[2], &[2.0, -1.0]);
    let split = ir.layer("VariadicSplit", "opset1", "", &[data, axis, lengths], 3);
    ir.result(split);
    let (xml, weights) = ir.finish();
    let found = |length: &str| {
        let xml = String::from_utf8(xml.clone()).unwrap();
        let port = |id: u8| format!("<port id=\"{id}\" precision=\"I64\"><dim>{length}</dim></port>");
        let (before, list) = xml.split_once("offset=\"8\"").unwrap();
        let list = list.replacen("<port id=\"0\" precision=\"UNSPECIFIED\"/>", &port(0), 1);
        let xml = format!("{before}offset=\"8\"{list}").replace("<port id=\"2\"/></input>", &(port(2) + "</input>"));
        let weights = Weights::in_memory(weights.clone());
        let model = Model::from_bytes("m.xml", xml.into(), weights, &Options::default()).unwrap();
        let all = model.findings().iter().filter(|finding| finding.severity == Severity::Error);
        all.map(|finding| (finding.rule.name, finding.consequence_of.is_some())).collect::<Vec<_>>()
    };
    assert_eq!(found("3"), [("declared-shape", false), ("input-port-mismatch", true), ("wrong-output-count", true)]);
    assert_eq!(found("2"), [("wrong-output-count", false)]);
}

#[test]
fn edges_of_two_layers_that_are_exchanged_are_asked_for() {
    let model = |ends: [usize; 2]| {
        let (mut layers, mut edges) = (String::new(), String::new());
        for (i, [a, b]) in [[2, 3], [4, 5]].into_iter().enumerate() {
            let port = |id| format!("<port id='{id}' precision='FP32'><dim>{a}</dim><dim>{b}</dim></port>");
            let (input, output, relu, result) = (port(0), port(1), i + 2, i + 4);
            let _ = write!(
                layers,
                "<layer id='{i}' name='p{i}' type='Parameter' version='opset1'><data shape='{a},{b}' element_type='f32'/>\
                 <output>{input}</output></layer>\
                 <layer id='{relu}' name='r{i}' type='ReLU' version='opset1'><input>{input}</input>\
                 <output>{output}</output></layer>\
                 <layer id='{result}' name='y{i}' type='Result' version='opset1'><input>{input}</input></layer>"
            );
            let _ = write!(
                edges,
                "<edge from-layer='{}' from-port='0' to-layer='{relu}' to-port='0'/>\
                 <edge from-layer='{relu}' from-port='1' to-layer='{result}' to-port='0'/>",
                ends[i]
            );
        }
        let xml = format!("<net name='m' version='11'><layers>{layers}</layers><edges>{edges}</edges></net>");
        Model::from_bytes("m.xml", xml.into(), Weights::default(), &Options::default()).unwrap()
    };
    assert_eq!(model([0, 1]).findings(), []);
    let crossed = model([1, 0]);
    let roots: Vec<_> = crossed.findings().iter().filter(|finding| finding.consequence_of.is_none()).collect();
    let [root] = roots[..] else { panic!("{roots:?}") };
    let help = "input port 0 of `r0` and input port 0 of `r1` would fit if exchanged: are their edges swapped?";
    assert_eq!((root.rule.name, crate::help(root)), ("input-port-mismatch", vec![help.to_owned()]));
    assert!(fix(crossed, Applicability::Unsafe, &everything).unwrap().edits.is_empty(), "a fix would hide it");
}

/// OpenVINO 2026.4.1 reads them: of these outputs it knows no length, and of Unsqueeze no rank.
#[test]
fn lengths_that_openvino_does_not_know_are_no_ground_for_a_refusal() {
    for (text, ty, shape) in [
        ("t = Transpose-1(f32[2,3,4], i64[3]); Add-1(t, f32[7,7,7]) {auto_broadcast=numpy}", "Transpose", "[5,5,5]"),
        ("t = ReduceSum-1(f32[2,3,4], i64[1]); Add-1(t, f32[7,7]) {auto_broadcast=numpy}", "ReduceSum", "[5,5]"),
        (
            "t = Broadcast-3(f32[3], i64[2]) {mode=numpy}; Add-1(t, f32[7,7]) {auto_broadcast=numpy}",
            "Broadcast",
            "[5,5]",
        ),
        ("t = Unsqueeze-1(f32[2,3], i64[1]); Transpose-1(t, i64[2] = 1 0)", "Unsqueeze", "[2,3]"),
    ] {
        let model = declaring(text, &[(ty, shape)]);
        let errors = model.findings().iter().filter(|finding| finding.severity == Severity::Error);
        let verdicts: Vec<Runtime> = errors.map(|finding| finding.runtime).collect();
        assert!(verdicts.contains(&Runtime::Unknown) && !verdicts.contains(&Runtime::Rejects), "{text}: {verdicts:?}");
    }
    let known = declaring("t = ReLU-1(f32[2,?]); Add-1(t, f32[7,7]) {auto_broadcast=numpy}", &[("ReLU", "[5,5]")]);
    assert!(known.findings().iter().any(|finding| finding.runtime == Runtime::Rejects));
}
