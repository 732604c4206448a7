//! Port maps, back edges and bodies that are not there.

use super::{back_edges, declared_wrongly, findings, input, model, model_with, outcome, output, port_map};
use crate::ir_builder::Ir;
use ovlint::internal::diagnostic::{Runtime, Severity, body_text};
use ovlint::internal::report::words;
use ovlint::internal::{Model, Options, Weights};
use std::borrow::Cow;

/// A Loop with this port map and these back edges. The body: Parameters 0 (state) and 1 (other), Results 3 (state), 4
/// (other) and 6 (condition), and 2 is no end.
fn looped(entries: &str, back: &str, outputs: usize) -> Ir {
    let mut ir = Ir::default();
    let (trips, runs) = (ir.constant("i64", &[], &[10.0]), ir.constant("boolean", &[], &[1.0]));
    let (a, b) = (ir.parameter("f32", "2"), ir.parameter("f32", "2"));
    let mut body = ir.body();
    let (state, other) = (body.parameter("f32", "2"), body.parameter("f32", "2"));
    let sum = body.layer("Add", "opset1", "", &[state, other], 1);
    body.result(sum);
    body.result(other);
    let goes_on = body.constant("boolean", &[], &[1.0]);
    body.result(goes_on);
    let body = ir.close("body", body);
    let parts = format!("<port_map>{entries}</port_map><back_edges>{back}</back_edges>{body}");
    let host = ir.layer("Loop", "opset5", &parts, &[trips, runs, a, b], outputs);
    ir.result(host);
    ir
}

const STATE: &str = "<input external_port_id=\"2\" internal_layer_id=\"0\"/>";
const OTHER: &str = "<input external_port_id=\"3\" internal_layer_id=\"1\"/>";
const OUT: &str = "<output external_port_id=\"4\" internal_layer_id=\"3\"/>";
const GOES_ON: &str = "<output external_port_id=\"-1\" internal_layer_id=\"6\" purpose=\"execution_condition\"/>";
const BACK: &str = "<edge from-layer=\"3\" to-layer=\"0\"/>";

fn mapped(entries: &[&str], back: &str) -> String {
    outcome(looped(&entries.concat(), back, 1))
}

#[test]
fn a_port_map_leads_from_inputs_to_outputs() {
    assert_eq!(mapped(&[STATE, OTHER, OUT, GOES_ON], BACK), "f32[2]");
    let rows: [(&[&str], &str); 10] = [
        (
            &[STATE, "<input external_port_id=\"3\" internal_layer_id=\"2\"/>", OUT, GOES_ON],
            "bad-port-map: `internal_layer_id` 2 is not a Parameter of the <body> @ internal_layer_id=\"2\"",
        ),
        (
            &[STATE, OTHER, "<output external_port_id=\"4\" internal_layer_id=\"99\"/>", GOES_ON],
            "bad-port-map: `internal_layer_id` 99 is not a Result of the <body> @ internal_layer_id=\"99\"",
        ),
        (
            &[STATE, "<input external_port_id=\"4\" internal_layer_id=\"1\"/>", OUT, GOES_ON],
            "bad-port-map: `external_port_id` 4 is not an input of `Loop_4`, wanted 0..3 @ external_port_id=\"4\"",
        ),
        (
            &[STATE, "<input external_port_id=\"-1\" internal_layer_id=\"1\" axis=\"0\"/>", OUT, GOES_ON],
            "bad-port-map: `external_port_id` -1 is not an input of `Loop_4`, wanted 0..3 @ external_port_id=\"-1\"",
        ),
        (&[STATE, OUT, GOES_ON], "bad-port-map: input 3 of `Loop_4` is in no <input> of the port map @ port"),
        (
            &[STATE, STATE, OTHER, OUT, GOES_ON],
            "bad-port-map: `external_port_id` 2 is mapped twice; OpenVINO takes the first @ external_port_id=\"2\"",
        ),
        (
            &[STATE, OTHER, OUT, "<output external_port_id=\"4\" internal_layer_id=\"4\"/>", GOES_ON],
            "bad-port-map: `external_port_id` 4 is mapped twice; OpenVINO takes the first @ external_port_id=\"4\"",
        ),
        (
            &[STATE, OTHER, "<output external_port_id=\"9\" internal_layer_id=\"3\"/>", GOES_ON],
            "bad-port-map: `external_port_id` 9 is not an output port of `Loop_4` @ external_port_id=\"9\"",
        ),
        (&[STATE, OTHER, OUT], "bad-port-map: no output of the body is the execution condition of the Loop @ layer"),
        (
            &[STATE, OTHER, OUT, "<output external_port_id=\"-1\" internal_layer_id=\"6\" purpose=\"condition\"/>"],
            "bad-port-map: no output of the body is the execution condition of the Loop @ purpose=\"condition\"",
        ),
    ];
    for (entries, want) in rows {
        assert_eq!(mapped(entries, ""), want, "{entries:?}");
    }
}

#[test]
fn attributes_of_a_port_map_are_numbers() {
    let entry = "<input external_port_id=\"3\" internal_layer_id=\"-1\"/>";
    let want = "invalid-attribute: `internal_layer_id=\"-1\"` is not an unsigned integer @ -1";
    assert_eq!(mapped(&[STATE, entry, OUT, GOES_ON], ""), want);
    let want = "missing-attribute: port map entry has no `internal_layer_id` @ input";
    assert_eq!(mapped(&[STATE, "<input external_port_id=\"3\"/>", OUT, GOES_ON], ""), want);
    let want = "missing-attribute: back edge has no `to-layer` @ edge";
    assert_eq!(mapped(&[STATE, OTHER, OUT, GOES_ON], "<edge from-layer=\"3\"/>"), want);
}

/// OpenVINO checks a body with what its Parameters declare, before it binds the tensors around it.
#[test]
fn errors_that_a_declared_parameter_causes_follow_from_it() {
    let ir = looped(&[STATE, OTHER, OUT, GOES_ON].concat(), BACK, 1);
    let (xml, weights) = ir.finish();
    let xml = String::from_utf8(xml).unwrap();
    let (before, body) = xml.split_once("<body>").unwrap();
    let body = body.replacen("element_type=\"f32\"", "element_type=\"i32\"", 1);
    let xml = format!("{before}<body>{body}");
    let model = Model::from_bytes("m.xml", xml.into(), Weights::in_memory(weights), &Options::default()).unwrap();
    let errors: Vec<_> = model.findings().iter().filter(|one| one.severity == Severity::Error).collect();
    let root = errors.iter().find(|one| one.rule.name == "body-shape-mismatch").unwrap();
    assert_eq!((root.runtime, &root.consequence_of), (Runtime::Rejects, &None));
    let conflict = errors.iter().find(|one| one.rule.name == "type-conflict").unwrap();
    assert_eq!(conflict.consequence_of.as_ref().map(|cause| cause.finding), root.id);
}

#[test]
fn an_entry_that_is_ignored_is_reported_once() {
    let odd = "<input external_port_id=\"-1\" internal_layer_id=\"1\" purpose=\"x\"/>";
    let unfed = |entries: &[&str]| {
        let model = model(looped(&entries.concat(), "", 1));
        model.findings().iter().filter(|finding| finding.message.shown().starts_with("Parameter")).count()
    };
    let again = "<input external_port_id=\"3\" internal_layer_id=\"0\"/>";
    assert_eq!(unfed(&[STATE, again, OUT, GOES_ON]), 1);
    assert_eq!(unfed(&[STATE, again, odd, OUT, GOES_ON]), 0);
}

/// OpenVINO reads neither the parts of a slice without an axis, nor what comes second for one port or Parameter.
#[test]
fn attributes_that_openvino_skips_are_not_rejected() {
    let runtime = |entries: &[&str], back: &str| {
        let model = model(looped(&entries.concat(), back, 1));
        let finding = model.findings().iter().find(|finding| finding.rule.name == "invalid-attribute").unwrap();
        finding.runtime
    };
    let part = |axis: &str| format!("<input external_port_id=\"3\" internal_layer_id=\"1\" {axis} part_size=\"x\"/>");
    assert_eq!(runtime(&[STATE, &part(""), OUT, GOES_ON], ""), Runtime::Accepts);
    assert_eq!(runtime(&[STATE, &part("axis=\"0\""), OUT, GOES_ON], ""), Runtime::Rejects);
    let odd = "<input external_port_id=\"3\" internal_layer_id=\"x\"/>";
    assert_eq!(runtime(&[STATE, OTHER, odd, OUT, GOES_ON], ""), Runtime::Unknown);
    assert_eq!(runtime(&[STATE, odd, OUT, GOES_ON], ""), Runtime::Rejects);
    let edge = "<edge from-layer=\"x\" to-layer=\"0\"/>";
    assert_eq!(runtime(&[STATE, OTHER, OUT, GOES_ON], edge), Runtime::Rejects);
    assert_eq!(runtime(&[STATE, OTHER, OUT, GOES_ON], &(BACK.to_owned() + edge)), Runtime::Unknown);
    let to_nothing = "<edge from-layer=\"-2\" to-layer=\"9\"/>";
    assert_eq!(runtime(&[STATE, OTHER, OUT, GOES_ON], to_nothing), Runtime::Unknown);
}

/// The port of a Parameter in a body repeats the shape of its layer, that of the first iteration.
#[test]
fn a_parameter_that_grows_keeps_its_port() {
    let mut ir = Ir::default();
    let (state, other) = (ir.parameter("f32", "4"), ir.parameter("f32", "..."));
    let mut body = ir.body();
    let (kept, added) = (body.parameter("f32", "4"), body.parameter("f32", "..."));
    let sum = body.layer("Add", "opset1", "<data auto_broadcast=\"numpy\"/>", &[kept, added], 1);
    let end = body.result(sum);
    let body = ir.close("body", body);
    let map = port_map(&[input(0, kept.0, ""), input(1, added.0, ""), output(2, end, "")]);
    let back = format!("<back_edges><edge from-layer=\"{end}\" to-layer=\"{}\"/></back_edges>", kept.0);
    let host = ir.layer("TensorIterator", "opset1", &(map + &back + &body), &[state, other], 1);
    ir.result(host);
    let (xml, weights) = ir.finish();
    let xml = String::from_utf8(xml).unwrap();
    let (before, body) = xml.split_once("<body>").unwrap();
    let declared = "<port id=\"0\" precision=\"FP32\"><dim>4</dim></port>";
    let xml = format!("{before}<body>{}", body.replacen("<port id=\"0\" precision=\"UNSPECIFIED\"/>", declared, 1));
    assert!(xml.contains(declared), "{xml}");
    let model = Model::from_bytes("m.xml", xml.into(), Weights::in_memory(weights), &Options::default()).unwrap();
    let kept = findings(&model, "warning").into_iter().filter(|finding| finding.contains("declared-static"));
    assert_eq!(kept.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn a_counter_takes_no_slice() {
    let counter = "<input external_port_id=\"-1\" internal_layer_id=\"1\" purpose=\"current_iteration\" axis=\"4\"/>";
    let want = "bad-port-map: `external_port_id` -1 is not an input of `Loop_4`, wanted 0..3 @ external_port_id=\"-1\"";
    assert_eq!(mapped(&[STATE, counter, OUT, GOES_ON], ""), want);
}

#[test]
fn a_counter_takes_no_input() {
    let counter = "<input external_port_id=\"0\" internal_layer_id=\"1\" purpose=\"current_iteration\"/>";
    let want = "bad-port-map: the counter of iterations takes no input, `external_port_id` is 0, wanted -1";
    assert_eq!(mapped(&[STATE, counter, OUT, GOES_ON], ""), format!("{want} @ external_port_id=\"0\""));
}

#[test]
fn a_counter_takes_no_back_edge() {
    let counter = "<input external_port_id=\"-1\" internal_layer_id=\"1\" purpose=\"current_iteration\"/>";
    let want = "`Parameter_1` counts the iterations, so no back edge may lead to it";
    let edge = "<edge from-layer=\"4\" to-layer=\"1\"/>";
    let found = mapped(&[STATE, OTHER, counter, OUT, GOES_ON], edge);
    assert_eq!(found, format!("bad-port-map: {want} @ internal_layer_id=\"1\""), "it gets an input, too");
    assert_eq!(mapped(&[STATE, counter, OUT, GOES_ON], edge), format!("bad-back-edge: {want} @ to-layer=\"1\""));
    // A port that does not exist is a fault of its own.
    for edge in ["", edge] {
        let missing = counter.replace("-1", "9");
        let want =
            "bad-port-map: `external_port_id` 9 is not an input of `Loop_4`, wanted 0..3 @ external_port_id=\"9\"";
        assert_eq!(mapped(&[STATE, OTHER, &missing, OUT, GOES_ON], edge), want, "{edge}");
    }
}

#[test]
fn a_back_edge_is_sent_to_the_parameter_that_lacks_one() {
    let help = |edges: &[(usize, usize)]| {
        let mut ir = Ir::default();
        let (trips, runs) = (ir.constant("i64", &[], &[10.0]), ir.constant("boolean", &[], &[1.0]));
        let (a, b) = (ir.parameter("f32", "2"), ir.parameter("i64", "2"));
        let mut body = ir.body();
        let (float, integer) = (body.parameter("f32", "2"), body.parameter("i64", "2"));
        let ends = [body.result(float), body.result(integer)];
        let goes_on = body.constant("boolean", &[], &[1.0]);
        let decides = output(-1, body.result(goes_on), "purpose=\"execution_condition\"");
        let body = ir.close("body", body);
        let map = port_map(&[input(2, 0, ""), input(3, 1, ""), output(4, ends[0], ""), decides]);
        let host = ir.layer("Loop", "opset5", &(map + &back_edges(edges) + &body), &[trips, runs, a, b], 1);
        ir.result(host);
        let model = model(ir);
        model.findings().iter().flat_map(words::help).map(Cow::into_owned).collect::<Vec<_>>()
    };
    assert_eq!(help(&[(2, 0), (3, 1)]), [""; 0]);
    assert_eq!(help(&[(3, 0)]), ["`Parameter_1` is i64 and has no back edge: should this one lead there?"]);
    assert_eq!(help(&[(3, 0), (3, 1)]), ["put a Convert in front of the Result"]);
    let exchanged =
        [1, 0].map(|i| format!("it fits `Parameter_{i}`, whose back edge fits here: are the two exchanged?"));
    assert_eq!(help(&[(3, 0), (2, 1)]), exchanged);
}

#[test]
fn the_condition_may_be_an_output_and_counters_are_single() {
    let decides = "<output external_port_id=\"5\" internal_layer_id=\"6\" purpose=\"execution_condition\"/>";
    assert_eq!(outcome(looped(&[STATE, OTHER, OUT, decides].concat(), "", 2)), "f32[2]");
    let counter = |shape: &str| {
        let mut ir = Ir::default();
        let (trips, runs) = (ir.constant("i64", &[], &[10.0]), ir.constant("boolean", &[], &[1.0]));
        let mut body = ir.body();
        let count = body.parameter("i64", shape);
        body.result(count);
        let goes_on = body.constant("boolean", &[], &[1.0]);
        body.result(goes_on);
        let body = ir.close("body", body);
        let map = "<port_map><input external_port_id=\"-1\" internal_layer_id=\"0\" purpose=\"current_iteration\"/>\
                   <output external_port_id=\"2\" internal_layer_id=\"1\" axis=\"0\"/>\
                   <output external_port_id=\"-1\" internal_layer_id=\"3\" purpose=\"execution_condition\"/></port_map>";
        let host = ir.layer("Loop", "opset5", &(map.to_owned() + &body), &[trips, runs], 1);
        ir.result(host);
        outcome(ir)
    };
    assert_eq!(counter(""), "i64[10]");
    assert_eq!(counter("1"), "i64[10]");
    let want = "bad-port-map: `Parameter_0` counts the iterations and is [1,1], wanted a scalar or a list @ layer";
    assert_eq!(counter("1,1"), want);
}

#[test]
fn back_edges_lead_from_results_to_parameters() {
    let all = &[STATE, OTHER, OUT, GOES_ON];
    let want = "bad-back-edge: `from-layer` 2 is not a Result of the <body> @ from-layer=\"2\"";
    assert_eq!(mapped(all, "<edge from-layer=\"2\" to-layer=\"0\"/>"), want);
    let want =
        "bad-back-edge: `to-layer` 9 is not a Parameter of the <body>; the back edge is ignored @ to-layer=\"9\"";
    assert_eq!(mapped(all, "<edge from-layer=\"3\" to-layer=\"9\"/>"), want);
    let want = "bad-back-edge: `to-layer` 0 has a back edge already; the back edge is ignored @ to-layer=\"0\"";
    assert_eq!(mapped(all, &(BACK.to_owned() + "<edge from-layer=\"4\" to-layer=\"0\"/>")), want);
    let slice = "<input external_port_id=\"2\" internal_layer_id=\"0\" axis=\"0\" part_size=\"2\"/>";
    let want = "bad-back-edge: `to-layer` 0 takes slices of an input; the back edge is ignored @ to-layer=\"0\"";
    assert_eq!(mapped(&[slice, OTHER, OUT, GOES_ON], BACK), want);
}

#[test]
fn parameters_that_nothing_feeds_keep_what_they_declare() {
    let both = "<input external_port_id=\"3\" internal_layer_id=\"0\"/>";
    let model = model(looped(&[STATE, both, OUT, GOES_ON].concat(), "", 1));
    let twice =
        "bad-port-map: two inputs lead to Parameter `Parameter_0` of the <body>, wanted one @ internal_layer_id=\"0\"";
    let unfed = "bad-port-map: Parameter `Parameter_1` of the <body> is in no <input> of the port map @ layer";
    assert_eq!(findings(&model, "warning"), [twice, unfed]);
    assert_eq!(findings(&model, "error"), [""; 0]);
}

#[test]
fn layers_without_their_bodies_are_reported() {
    for (ty, version, inputs, missing) in [
        ("TensorIterator", "opset1", 1, "no <body>"),
        ("Loop", "opset5", 2, "no <body>"),
        ("If", "opset8", 1, "no <then_body> and no <else_body>"),
    ] {
        let mut ir = Ir::default();
        let inputs: Vec<_> = (0..inputs).map(|_| ir.parameter("boolean", "")).collect();
        let host = ir.layer(ty, version, "", &inputs, 1);
        ir.result(host);
        assert_eq!(outcome(ir), format!("missing-body: {ty} `{ty}_{}` has {missing} @ layer", inputs.len()));
    }
}

#[test]
fn layers_that_lead_nowhere_are_not_built() {
    let mut ir = Ir::default();
    let flag = ir.parameter("boolean", "");
    ir.layer("If", "opset8", "", &[flag], 1);
    ir.result(flag);
    let model = model(ir);
    assert_eq!(findings(&model, "error"), [""; 0]);
    assert!(findings(&model, "warning").iter().any(|finding| finding.starts_with("missing-body")));
}

#[test]
fn bodies_of_dead_layers_are_dead_with_them() {
    let mut ir = Ir::default();
    let data = ir.parameter("f32", "2,3");
    let mut body = ir.body();
    let part = body.parameter("f32", "2,3");
    let axis = body.constant("i64", &[], &[5.0]);
    let split = body.layer("Split", "opset1", "<data num_splits=\"3\"/>", &[part, axis], 3);
    body.result(split);
    let body = ir.close("body", body);
    let map = "<port_map><input external_port_id=\"0\" internal_layer_id=\"0\"/>\
               <output external_port_id=\"1\" internal_layer_id=\"3\"/></port_map>";
    ir.layer("TensorIterator", "opset1", &(map.to_owned() + &body), &[data], 1);
    ir.result(data);
    let model = model(ir);
    assert_eq!(findings(&model, "error"), [""; 0]);
    let rules: Vec<_> = model.findings().iter().map(|finding| finding.rule.name).collect();
    assert_eq!(rules.iter().filter(|rule| **rule == "unreachable-layer").count(), 1, "{rules:?}");
    assert!(rules.contains(&"axis-range"));
}

#[test]
fn edges_and_ids_inside_bodies_say_where_they_are() {
    let mut ir = Ir::default();
    let flag = ir.parameter("boolean", "");
    let mut parts = String::new();
    for kind in ["then", "else"] {
        let mut body = ir.body();
        let flag = body.parameter("boolean", "");
        let mut inner = String::new();
        for kind in ["then", "else"] {
            let mut innermost = body.body();
            let one = innermost.constant("f32", &[1], &[1.0]);
            innermost.result(one);
            let closed = body.close(&format!("{kind}_body"), innermost);
            inner += "<{kind}_port_map><output external_port_id=\"1\" internal_layer_id=\"1\"/></{kind}_port_map>"
                .replace("{kind}", kind)
                .as_str();
            inner += &if kind == "then" { closed.replace("to-layer=\"1\"", "to-layer=\"7\"") } else { closed };
        }
        let choice = body.layer("If", "opset8", &inner, &[flag], 1);
        body.result(choice);
        let closed = ir.close(&format!("{kind}_body"), body);
        parts += "<{kind}_port_map><input external_port_id=\"0\" internal_layer_id=\"0\"/>\
                  <output external_port_id=\"1\" internal_layer_id=\"2\"/></{kind}_port_map>"
            .replace("{kind}", kind)
            .as_str();
        parts += &if kind == "else" { closed.replace("<layer id=\"2\"", "<layer id=\"0\"") } else { closed };
    }
    let host = ir.layer("If", "opset8", &parts, &[flag], 1);
    ir.result(host);
    let model = model(ir);
    let place = |rule: &str| -> Vec<String> {
        model.findings().iter().filter(|f| f.rule.name == rule).map(|f| body_text(&f.body)).collect()
    };
    let inner = |outer: &str| format!("If_1/{outer}_body/If_1/then_body");
    assert_eq!(place("edge-unknown-layer"), [inner("then"), inner("else")]);
    assert_eq!(place("duplicate-layer-id"), ["If_1/else_body"]);
}

#[test]
fn constants_that_overlap_are_reported_with_the_body_around_them() {
    let mut ir = Ir::default();
    let (data, one) = (ir.parameter("f32", "2"), ir.constant("f32", &[2], &[1.0, 2.0]));
    let sum = ir.layer("Add", "opset1", "", &[data, one], 1);
    let mut body = ir.body();
    let (part, two) = (body.parameter("f32", "1"), body.constant("f32", &[2], &[3.0, 4.0]));
    let end = body.layer("Add", "opset1", "", &[part, two], 1);
    let end = body.result(end);
    let body = ir.close("body", body);
    let map = port_map(&[input(0, part.0, "axis=\"0\""), output(1, end, "")]);
    let host = ir.layer("TensorIterator", "opset1", &(map + &body), &[sum], 1);
    ir.result(host);
    let (xml, weights) = ir.finish();
    let xml = String::from_utf8(xml).unwrap().replace("offset=\"8\"", "offset=\"4\"");
    let model = Model::from_bytes("m.xml", xml.into_bytes(), Weights::in_memory(weights), &Options::default()).unwrap();
    let finding = model.findings().iter().find(|finding| finding.rule.name == "weights-partial-overlap").unwrap();
    assert_eq!(finding.message, "Const `Const_1` and `Const_1` overlap in bytes 4..8".into());
    assert_eq!(body_text(&finding.body), "TensorIterator_3/body");
    assert_eq!(finding.layer.as_ref().map(|layer| layer.id.as_str()), Some("1"));
}

#[test]
fn an_output_of_the_port_map_that_leads_nowhere_is_one_finding() {
    let astray = "<output external_port_id=\"0\" internal_layer_id=\"6\" purpose=\"execution_condition\"/>";
    let model = model(looped(&[STATE, OTHER, OUT, astray].concat(), BACK, 1));
    let errors = model.findings().iter().filter(|finding| finding.severity.name() == "error");
    let roots = errors.filter(|finding| finding.consequence_of.is_none()).map(|finding| finding.rule.name);
    assert_eq!(roots.collect::<Vec<_>>(), ["bad-port-map"]);
}

/// A Loop over the first half of its input 2, in a Concat with one row more.
fn halving() -> Ir {
    let mut ir = Ir::default();
    let (trips, runs) = (ir.constant("i64", &[], &[1.0]), ir.constant("boolean", &[], &[1.0]));
    let (data, other) = (ir.parameter("f32", "2,14"), ir.parameter("f32", "3,7"));
    let mut body = ir.body();
    let (part, axis) = (body.parameter("f32", "..."), body.constant("i64", &[], &[1.0]));
    let halves = body.layer("Split", "opset1", "<data num_splits=\"2\"/>", &[part, axis], 2);
    let (end, goes_on) = (body.result(halves), body.constant("boolean", &[], &[1.0]));
    let decides = output(-1, body.result(goes_on), "purpose=\"execution_condition\"");
    let body = ir.close("body", body);
    let map = port_map(&[input(2, part.0, ""), output(3, end, ""), decides]);
    let host = ir.layer("Loop", "opset5", &(map + &body), &[trips, runs, data], 1);
    let joined = ir.layer("Concat", "opset1", "<data axis=\"1\"/>", &[other, host], 1);
    ir.result(joined);
    ir
}

#[test]
fn the_producers_in_a_note_lead_through_the_body_of_a_loop() {
    let mut options = Options::default();
    options.limits.chain = 4;
    let model = model_with(halving(), &options);
    let finding = model.findings().iter().find(|finding| finding.rule.name == "shape-conflict").unwrap();
    let way = "Loop_4 (Loop) f32[2,7] <- Loop_4/body/Split_2 (Split) :0 f32[2,7] <- Loop_4/body/Parameter_0 f32[2,14] \
               <- Parameter_2 f32[2,14]";
    assert!(crate::notes(finding).contains(&format!("input 1 <- {way}")), "{:?}", crate::notes(finding));
}

#[test]
fn the_producers_behind_a_wrong_output_of_a_loop_are_in_its_body() {
    let (notes, chain) = declared_wrongly(halving());
    let way = "output 0 <- Loop_4/body/Split_2 (Split) :0 f32[2,7] <- Loop_4/body/Parameter_0 f32[2,14] <- Parameter_2";
    assert!(notes.contains(way) && !notes.contains("input 0 <-"), "{notes}");
    assert_eq!(chain, ["Loop_4/body/Split_2:0", "Loop_4/body/Parameter_0:0", "Parameter_2:0"]);
}
