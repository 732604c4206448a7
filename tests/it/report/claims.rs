//! What is claimed of files whose fault lies elsewhere.

use crate::ir_builder::Ir;
use ovlint::internal::diagnostic::{Applicability, Diagnostic, Runtime, Severity};
use ovlint::internal::fix::{everything, fix};
use ovlint::internal::{Model, Options, Weights};

fn edited(ir: Ir, edits: &[(&str, &str)]) -> Model {
    let (xml, weights) = ir.finish();
    let mut xml = String::from_utf8(xml).unwrap();
    for (from, to) in edits {
        assert!(xml.contains(from), "{from} in {xml}");
        xml = xml.replacen(from, to, 1);
    }
    Model::from_bytes("m.xml", xml.into_bytes(), Weights::in_memory(weights), &Options::default()).unwrap()
}

fn finding<'a>(model: &'a Model, rule: &str) -> Option<&'a Diagnostic> {
    model.findings().iter().find(|finding| finding.rule.name == rule)
}

#[test]
fn constants_that_lead_nowhere_use_their_bytes() {
    let mut ir = Ir::default();
    let (data, numbers) = (ir.parameter("f32", "2"), ir.constant("f32", &[100], &[1.0; 100]));
    ir.layer("ReLU", "opset1", "", &[numbers], 1);
    ir.result(data);
    let model = edited(ir, &[]);
    assert!(finding(&model, "unreachable-layer").is_some());
    assert!(finding(&model, "weights-trailing-bytes").is_none());
}

#[test]
fn a_file_that_lacks_bytes_is_not_whole() {
    let mut ir = Ir::default();
    for count in [3998, 1, 1] {
        let numbers = ir.constant("f32", &[count], &vec![1.0; count]);
        ir.result(numbers);
    }
    let (xml, mut weights) = ir.finish();
    weights.truncate(15_992);
    let model = Model::from_bytes("m.xml", xml, Weights::in_memory(weights), &Options::default()).unwrap();
    let message = &finding(&model, "weights-truncated").unwrap().message;
    assert!(
        *message == "the weights file has 15992 bytes, but the model needs 16000 (99.9% present)".into(),
        "{message:?}"
    );
}

#[test]
fn a_layer_whose_edge_goes_to_the_wrong_port_feeds_something() {
    let mut ir = Ir::default();
    let (a, b) = (ir.parameter("f32", "2"), ir.parameter("f32", "2"));
    let sum = ir.layer("Add", "opset1", "", &[a, b], 1);
    ir.result(sum);
    let moved = ("to-layer=\"2\" to-port=\"1\"", "to-layer=\"2\" to-port=\"0\"");
    let model = edited(ir, &[moved]);
    assert!(finding(&model, "input-connected-twice").is_some());
    let open = finding(&model, "input-not-connected").unwrap();
    assert!(open.help.is_empty(), "no edge is missing between the two");
}

#[test]
fn no_edge_is_missing_between_a_layer_and_itself() {
    let open = |copy_is_read: bool| {
        let mut ir = Ir::default();
        let data = ir.parameter("f32", "2");
        let copy = ir.layer("ReLU", "opset1", "", &[data], 1);
        let other = ir.layer("Sigmoid", "opset1", "", &[data], 1);
        ir.result(if copy_is_read { copy } else { other });
        ir.result(data);
        let model = edited(ir, &[("<edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"0\"/>", "")]);
        finding(&model, "input-not-connected").unwrap().help.len()
    };
    assert_eq!(open(true), 1, "`other` feeds nothing, and `copy` has no input");
    assert_eq!(open(false), 0, "`copy` feeds nothing and has no input");
}

/// A Parameter, a `ReLU` and a Sigmoid, and two constants, of which `edits` give some the same id.
fn with_ids(edits: &[(&str, &str)]) -> Model {
    let mut ir = Ir::default();
    let data = ir.parameter("f32", "2");
    let relu = ir.layer("ReLU", "opset1", "", &[data], 1);
    let sigmoid = ir.layer("Sigmoid", "opset1", "", &[relu], 1);
    let (a, b) = (ir.constant("f32", &[2], &[1.0; 2]), ir.constant("f32", &[2], &[2.0; 2]));
    let sum = ir.layer("Add", "opset1", "", &[sigmoid, a], 1);
    let sum = ir.layer("Add", "opset1", "", &[sum, b], 1);
    ir.result(sum);
    edited(ir, edits)
}

#[test]
fn of_layers_that_share_an_id_only_those_without_inputs_stand_for_each_other() {
    let constants = with_ids(&[("<layer id=\"4\"", "<layer id=\"3\""), ("from-layer=\"4\"", "from-layer=\"3\"")]);
    assert_eq!(finding(&constants, "duplicate-layer-id").unwrap().runtime, Runtime::Accepts);
    let computed = with_ids(&[("<layer id=\"2\"", "<layer id=\"1\""), ("from-layer=\"2\"", "from-layer=\"1\"")]);
    assert_ne!(finding(&computed, "duplicate-layer-id").unwrap().runtime, Runtime::Accepts);
}

#[test]
fn a_file_that_needs_a_library_is_not_said_to_load() {
    let claim = |version: &str| {
        let mut ir = Ir::default();
        let data = ir.parameter("f32", "2");
        let out = ir.layer("ReLU", version, "", &[data], 1);
        ir.result(out);
        let model = edited(ir, &[("precision=\"UNSPECIFIED\"", "precision=\"I32\"")]);
        crate::notes(finding(&model, "declared-precision").unwrap()).iter().any(|note| note.contains("reads this file"))
    };
    assert!(claim("opset1") && !claim("vision_ops"));
}

#[test]
fn nothing_is_promised_of_inputs_that_version_10_ignores() {
    let runtime = |version: &str| {
        let mut ir = Ir::default();
        let (a, b) = (ir.parameter("f32", "2,3"), ir.parameter("f32", "3"));
        let sum = ir.layer("Einsum", "opset7", "<data equation=\"ij,j-&gt;i\"/>", &[a, b], 1);
        ir.result(sum);
        let version = format!("version=\"{version}\"");
        let model = edited(
            ir,
            &[("<port id=\"1\"/></input>", "<port id=\"1\"/><port id=\"9\"/></input>"), ("version=\"11\"", &version)],
        );
        finding(&model, "input-not-connected").unwrap().runtime
    };
    assert_eq!([runtime("10"), runtime("11")], [Runtime::Unknown, Runtime::Rejects]);
}

#[test]
fn openvino_is_certain_to_compare_what_is_written_with_static_shapes_that_follow_from_the_variable() {
    let runtime = |follows: bool, shape: &str| {
        let mut ir = Ir::default();
        let (data, other) = (ir.parameter("f32", "2,3"), ir.parameter("f32", shape));
        let read = "<data variable_id=\"v\" variable_type=\"f32\" variable_shape=\"2,3\"/>";
        let read = ir.layer("ReadValue", "opset6", read, &[data], 1);
        let both = ir.layer("Concat", "opset1", "<data axis=\"0\"/>", &[if follows { read } else { data }, other], 1);
        ir.layer("Assign", "opset6", "<data variable_id=\"v\"/>", &[both], 1);
        ir.result(read);
        finding(&edited(ir, &[]), "shape-conflict").unwrap().runtime
    };
    assert_eq!(runtime(true, "1,3"), Runtime::Rejects);
    assert_eq!(runtime(false, "1,3"), Runtime::Unknown);
}

#[test]
fn a_state_of_which_nothing_is_known_is_not_said_to_be_dynamic() {
    let rules = |operation: &str| {
        let mut ir = Ir::default();
        let (trips, runs) = (ir.constant("i64", &[], &[10.0]), ir.constant("boolean", &[], &[1.0]));
        let start = ir.parameter("f32", "2,3");
        let mut body = ir.body();
        let state = body.parameter("f32", "2,3");
        let next = body.layer(operation, "opset1", "", &[state], 1);
        body.result(next);
        let shape = body.layer("ShapeOf", "opset3", "<data output_type=\"i32\"/>", &[state], 1);
        body.result(shape);
        let goes_on = body.constant("boolean", &[], &[1.0]);
        body.result(goes_on);
        let body = ir.close("body", body);
        let ports = "<port_map><input external_port_id=\"2\" internal_layer_id=\"0\"/>\
             <output external_port_id=\"3\" internal_layer_id=\"4\"/>\
             <output external_port_id=\"-1\" internal_layer_id=\"6\" purpose=\"execution_condition\"/></port_map>\
             <back_edges><edge from-layer=\"2\" to-layer=\"0\"/></back_edges>";
        let host = ir.layer("Loop", "opset5", &format!("{ports}{body}"), &[trips, runs, start], 1);
        ir.result(host);
        let declared = "type=\"ShapeOf\" version=\"opset3\"><data output_type=\"i32\"/><input><port id=\"0\"/></input><output><port id=\"1\" precision=\"UNSPECIFIED\"/>";
        let with_length = declared.replace("precision=\"UNSPECIFIED\"/>", "precision=\"I32\"><dim>2</dim></port>");
        let model = edited(ir, &[(declared, &with_length)]);
        let errors = model.findings().iter().filter(|finding| finding.severity >= Severity::Warning);
        errors.map(|finding| finding.rule.name).collect::<Vec<_>>()
    };
    assert_eq!(rules("ReLU"), [""; 0]);
    assert_eq!(rules("Rlu"), ["unknown-op"]);
}

#[test]
fn what_is_no_number_is_not_read_as_a_huge_one() {
    let mut ir = Ir::default();
    let data = ir.parameter("f32", "1,3,8,8");
    let attributes = "<data strides=\"-inf\" pads_begin=\"0,0\" pads_end=\"0,0\" kernel=\"2,2\" \
         rounding_type=\"floor\" auto_pad=\"explicit\"/>";
    let pool = ir.layer("MaxPool", "opset1", attributes, &[data], 1);
    ir.result(pool);
    let model = edited(ir, &[]);
    let found = finding(&model, "attribute-value").unwrap();
    assert_eq!(found.runtime, Runtime::Rejects);
    assert!(crate::notes(found).iter().all(|note| !note.contains("2^64")));
}

#[test]
fn a_git_lfs_pointer_says_how_much_it_stands_for() {
    let note = |size: &str| {
        let mut ir = Ir::default();
        let numbers = ir.constant("f32", &[100], &[1.0; 100]);
        ir.result(numbers);
        let (xml, _) = ir.finish();
        let pointer = format!("version https://git-lfs.github.com/spec/v1\noid sha256:00\n{size}");
        let weights = Weights::in_memory(pointer.into_bytes());
        let model = Model::from_bytes("m.xml", xml, weights, &Options::default()).unwrap();
        crate::notes(finding(&model, "git-lfs-pointer").unwrap()).swap_remove(0)
    };
    assert_eq!(note("size 400\n"), "it points to a file of 400 bytes, which is what this model needs");
    assert_eq!(note("size 500\n"), "it points to a file of 500 bytes, of which this model needs 400");
    assert_eq!(
        note("size 300\n"),
        "it points to a file of 300 bytes, but this model needs 400: does it belong to another model?"
    );
    assert_eq!(note("size x\n"), "this model needs 400 bytes");
}

#[test]
fn the_first_constant_that_is_cut_off_is_the_first_in_the_file() {
    let mut ir = Ir::default();
    let (a, b) = (ir.constant("f32", &[4], &[1.0; 4]), ir.constant("f32", &[4], &[2.0; 4]));
    for numbers in [a, b] {
        ir.result(numbers);
    }
    let (xml, mut weights) = ir.finish();
    weights.truncate(8);
    let swapped = String::from_utf8(xml).unwrap().replace("offset=\"0\"", "offset=\"x\"");
    let swapped = swapped.replace("offset=\"16\"", "offset=\"0\"").replace("offset=\"x\"", "offset=\"16\"");
    let model =
        Model::from_bytes("m.xml", swapped.into_bytes(), Weights::in_memory(weights), &Options::default()).unwrap();
    let layer = finding(&model, "weights-truncated").unwrap().layer.as_ref().unwrap();
    assert_eq!(layer.id, "1");
}

#[test]
fn a_cut_off_constant_that_is_not_built_hides_no_other() {
    let mut ir = Ir::default();
    let both = [ir.constant("f32", &[4], &[1.0; 4]), ir.constant("f32", &[4], &[2.0; 4])];
    let sum = ir.layer("Add", "opset1", "", &both, 1);
    ir.result(sum);
    let (xml, mut weights) = ir.finish();
    weights.truncate(8);
    let xml = String::from_utf8(xml).unwrap().replacen("<layer id=\"0\"", "<layer id=\"1\"", 1);
    let xml = xml.replacen("from-layer=\"0\"", "from-layer=\"1\"", 1).into_bytes();
    let model = Model::from_bytes("m.xml", xml, Weights::in_memory(weights), &Options::default()).unwrap();
    let found = finding(&model, "weights-truncated").expect("both constants are cut off");
    assert_eq!((found.severity, found.runtime), (Severity::Error, Runtime::Rejects));
}

#[test]
fn an_output_that_an_edge_misses_for_a_shared_id_is_looked_up() {
    let mut ir = Ir::default();
    let data = ir.parameter("f32", "4");
    let axis = ir.constant("i64", &[], &[0.0]);
    let split = ir.layer("Split", "opset1", "<data num_splits=\"2\"/>", &[data, axis], 2);
    ir.result(split);
    let model = edited(ir, &[("<port id=\"2\"", "<port id=\"3\"")]);
    assert_eq!(finding(&model, "duplicate-port-id").unwrap().runtime, Runtime::Rejects);
}

#[test]
fn no_id_is_proposed_for_an_edge_while_a_layer_has_none() {
    let help = |edits: &[(&str, &str)]| {
        let mut ir = Ir::default();
        let data = ir.parameter("f32", "2");
        let relu = ir.layer("ReLU", "opset1", "", &[data], 1);
        let relu = ir.layer("ReLU", "opset1", "", &[relu], 1);
        ir.result(relu);
        ir.layer("ReLU", "opset1", "", &[data], 1);
        finding(&edited(ir, edits), "edge-unknown-layer").unwrap().help.len()
    };
    let gone = ("from-layer=\"1\"", "from-layer=\"7\"");
    assert_eq!([help(&[gone]), help(&[gone, ("<layer id=\"1\"", "<layer id=\"x\"")])], [1, 0]);
}

#[test]
fn a_port_with_the_size_of_its_constant_is_not_rewritten() {
    let is_fixed = |size: &str| {
        let mut ir = Ir::default();
        let number = ir.constant("i32", &[], &[1.0]);
        ir.result(number);
        ir.constant("i64", &[], &[2.0]);
        let size = format!("size=\"{size}\"");
        let model = edited(ir, &[("precision=\"UNSPECIFIED\"", "precision=\"I64\""), ("size=\"4\"", &size)]);
        !fix(model, Applicability::Safe, &everything).unwrap().edits.is_empty()
    };
    assert!(is_fixed("4") && !is_fixed("8"));
}

#[test]
fn no_port_is_proposed_that_would_lead_a_layer_to_itself() {
    let has_fix = |from: &str| {
        let mut ir = Ir::default();
        let data = ir.parameter("f32", "2");
        let relu = ir.layer("ReLU", "opset1", "", &[data], 1);
        ir.result(relu);
        let wrong = format!("from-layer=\"{from}\" from-port=\"9\"");
        let model = edited(ir, &[("from-layer=\"0\" from-port=\"0\"", &wrong)]);
        finding(&model, "edge-unknown-port").unwrap().fix.is_some()
    };
    assert!(has_fix("0") && !has_fix("1"));
}

#[test]
fn a_maximum_is_proposed_for_a_length_that_is_computed_alone() {
    let helps = |number: &[f64], shape: &str| {
        let mut ir = Ir::default();
        let (data, like) = (ir.parameter("f32", "1"), ir.parameter("f32", shape));
        let lengths = ir.layer("ShapeOf", "opset3", "<data output_type=\"i64\"/>", &[like], 1);
        let less = ir.constant("i64", &[1], number);
        let lengths = ir.layer("Subtract", "opset1", "<data auto_broadcast=\"numpy\"/>", &[lengths, less], 1);
        let out = ir.layer("Tile", "opset1", "", &[data, lengths], 1);
        ir.result(out);
        let model = edited(ir, &[]);
        let lines = model.findings().iter().flat_map(crate::help);
        lines.filter(|help| help.contains("Maximum")).count()
    };
    assert_eq!([helps(&[3.0], "1..9"), helps(&[3.0], "1")], [1, 0]);
}

#[test]
fn a_reader_that_leads_to_no_result_is_not_called_missing() {
    let message = |reads: bool| {
        let mut ir = Ir::default();
        let data = ir.parameter("f32", "2");
        if reads {
            let read = "<data variable_id=\"v\" variable_type=\"f32\" variable_shape=\"2\"/>";
            ir.layer("ReadValue", "opset6", read, &[data], 1);
        }
        ir.layer("Assign", "opset6", "<data variable_id=\"v\"/>", &[data], 1);
        ir.result(data);
        let model = edited(ir, &[]);
        format!("{:?}", finding(&model, "unpaired-state").unwrap().message)
    };
    assert!(message(false).contains("which no ReadValue of this graph reads"));
    assert!(message(true).contains("which no ReadValue that leads to a Result reads"));
}

#[test]
fn nothing_is_promised_of_the_type_of_an_axis_of_known_data() {
    let runtime = |known: bool| {
        let mut ir = Ir::default();
        let data = if known { ir.constant("i32", &[2], &[1.0, 2.0]) } else { ir.parameter("i32", "2") };
        let axis = ir.constant("i64", &[], &[0.0]);
        let axis = ir.layer("Convert", "opset1", "<data destination_type=\"dynamic\"/>", &[axis], 1);
        let out = ir.layer("Unique", "opset10", "", &[data, axis], 4);
        ir.result(out);
        finding(&edited(ir, &[]), "needs-type").unwrap().runtime
    };
    assert_eq!([runtime(true), runtime(false)], [Runtime::Unknown, Runtime::Rejects]);
}
