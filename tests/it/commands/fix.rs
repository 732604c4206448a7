//! Fixes: what is written, byte by byte, and what is left alone.

mod files;
mod guesses;
mod malformed;
mod promises;

use ovlint::internal::diagnostic::{Applicability, Diagnostic};
use ovlint::internal::fix::{Fixed, everything, fix, unified_diff};
use ovlint::internal::report::words;
use ovlint::internal::{Model, Options, Weights};

/// A `ReLU` between a Parameter of shape 2 x 6 and a Result; `port` is the output port of the `ReLU`.
fn relu(port: &str) -> String {
    format!(
        r#"<?xml version="1.0"?>
<net name="m" version="11">
	<layers>
		<layer id="0" name="x" type="Parameter" version="opset1">
			<data shape="2,6" element_type="f32" />
			<output>
				<port id="0" precision="FP32">
					<dim>2</dim>
					<dim>6</dim>
				</port>
			</output>
		</layer>
		<layer id="1" name="relu" type="ReLU" version="opset1">
			<input>
				<port id="0" precision="FP32">
					<dim>2</dim>
					<dim>6</dim>
				</port>
			</input>
			<output>
				{port}
			</output>
		</layer>
		<layer id="2" name="out" type="Result" version="opset1">
			<input>
				<port id="0" precision="FP32">
					<dim>2</dim>
					<dim>6</dim>
				</port>
			</input>
		</layer>
	</layers>
	<edges>
		<edge from-layer="0" from-port="0" to-layer="1" to-port="0" />
		<edge from-layer="1" from-port="1" to-layer="2" to-port="0" />
	</edges>
</net>
"#
    )
}

const PORT: &str =
    "<port id=\"1\" precision=\"FP32\">\n\t\t\t\t\t<dim>2</dim>\n\t\t\t\t\t<dim>6</dim>\n\t\t\t\t</port>";

fn open(xml: &[u8]) -> Model {
    Model::from_bytes("m.xml", xml.to_vec(), Weights::in_memory(vec![0; 64]), &Options::default()).unwrap()
}

fn repair(xml: &[u8], level: Applicability) -> Fixed {
    fix(open(xml), level, &everything).unwrap()
}

/// The text after all safe fixes.
fn safe(xml: impl AsRef<[u8]>) -> String {
    let fixed = repair(xml.as_ref(), Applicability::Safe);
    assert_eq!(fixed.refused, []);
    let again = repair(fixed.model.source().bytes(), Applicability::Safe);
    assert!(again.original.is_none() && again.edits.is_empty(), "fixed again: {:?}", again.applied);
    String::from_utf8(fixed.model.source().bytes().to_vec()).unwrap()
}

#[test]
fn wrong_ports_become_right_ones() {
    let dims = |dims: &[&str]| dims.iter().flat_map(|dim| ["\n\t\t\t\t\t<dim>", dim, "</dim>"]).collect::<String>();
    let port = |all: &[&str]| format!("<port id=\"1\" precision=\"FP32\">{}\n\t\t\t\t</port>", dims(all));
    for wrong in [
        port(&["7", "6"]),
        port(&["-1", "9"]),
        port(&["6"]),
        port(&["2"]),
        port(&["7"]),
        port(&["1", "2", "6"]),
        port(&["2", "1", "6"]),
        port(&["2", "6", "1", "1"]),
        port(&["?", "6"]),
        port(&["2", "6"]).replace("FP32", "I64"),
        port(&["9"]).replace("FP32", "FP16"),
        "<port id=\"1\" precision=\"FP32\"/>".to_owned(),
        "<port id=\"1\" precision=\"FP32\" />".to_owned(),
        "<port id=\"1\" precision=\"FP32\"></port>".to_owned(),
        "<port id=\"1\" precision=\"FP32\">\n\t\t\t\t</port>".to_owned(),
    ] {
        assert_eq!(safe(relu(&wrong)), relu(PORT), "{wrong}");
    }
}

#[test]
fn what_stands_around_stays() {
    for (wrong, right) in [
        // Quotes, the order of attributes, blanks in tags.
        (
            "<port precision = 'I32'  id='1' ><dim>2</dim><dim>6</dim></port >",
            "<port precision = 'FP32'  id='1' ><dim>2</dim><dim>6</dim></port >",
        ),
        // All in one line.
        (
            "<port id='1' precision='FP32'><dim>6</dim></port>",
            "<port id='1' precision='FP32'><dim>2</dim><dim>6</dim></port>",
        ),
        (
            "<port id='1' precision='FP32'> <dim>2</dim> <dim>6</dim> <dim>9</dim> </port>",
            "<port id='1' precision='FP32'> <dim>2</dim> <dim>6</dim> </port>",
        ),
        // Comments, blanks and references in dimensions.
        (
            "<port id='1' precision='FP32'><!-- a --><dim> 3<!-- b --></dim><!-- c --><dim>&#54;</dim></port>",
            "<port id='1' precision='FP32'><!-- a --><dim> 2<!-- b --></dim><!-- c --><dim>&#54;</dim></port>",
        ),
        (
            "<port id='1' precision='FP32'><!-- a --><dim/><dim>6</dim><rt_info><dim>1</dim></rt_info></port>",
            "<port id='1' precision='FP32'><!-- a --><dim>2</dim><dim>6</dim><rt_info><dim>1</dim></rt_info></port>",
        ),
    ] {
        assert_eq!(safe(relu(wrong)), relu(right));
    }
}

#[test]
fn line_breaks_marks_and_ends_of_files_stay() {
    let (wrong, right) = (relu(&PORT.replace("\n\t\t\t\t\t<dim>2</dim>", "")), relu(PORT));
    let change = |how: &dyn Fn(&str) -> String| assert_eq!(safe(how(&wrong)), how(&right));
    change(&|text| text.replace('\n', "\r\n"));
    change(&|text| format!("\u{feff}{text}"));
    change(&|text| text.trim_end().to_owned());
    change(&|text| text.replace(['\n', '\t'], ""));
    change(&|text| text.replace('\t', "  "));
    let closed = "<port id=\"1\" precision=\"FP32\" />";
    let change = |how: &dyn Fn(&str) -> String| assert_eq!(safe(how(&relu(closed))), how(&relu(PORT)));
    change(&|text| text.replace('\n', "\r\n"));
    change(&|text| text.replace('\t', "    "));
    change(&|text| text.replace(['\n', '\t'], "").replace(" />", "/>"));
}

#[test]
fn other_encodings_are_refused_where_there_is_something_to_fix() {
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let wrong = relu(&PORT.replace("<dim>2", "<dim>3"));
    let refused = fix(open(&utf16(&wrong)), Applicability::Safe, &everything).unwrap_err();
    assert_eq!(refused, "the file is in UTF-16; only UTF-8 is edited");
    assert!(fix(open(&utf16(&relu(PORT))), Applicability::Safe, &everything).unwrap().edits.is_empty());
}

#[test]
fn consequences_are_fixed_and_what_is_not_wanted_is_not() {
    // A wrong Parameter and everything derived from it are one finding with consequences, and all are fixed.
    let wrong = relu(PORT).replace("<dim>6", "<dim>7");
    let fixed = repair(wrong.as_bytes(), Applicability::Safe);
    assert_eq!(fixed.model.source().bytes(), relu(PORT).as_bytes());
    assert_eq!(fixed.applied.len(), 4);
    assert!(fixed.applied.iter().any(|finding| finding.consequence_of.is_some()));
    assert_eq!(fixed.edits.len(), 4);

    let outputs = |finding: &&Diagnostic| finding.rule.name == "declared-shape";
    let fixed = fix(open(wrong.as_bytes()), Applicability::Safe, &|model| {
        model.findings().iter().filter(outputs).cloned().collect::<Vec<_>>().into()
    })
    .unwrap();
    assert_eq!(fixed.applied.len(), 2);
    assert!(fixed.model.findings().iter().all(|finding| finding.rule.name == "input-port-mismatch"));
}

#[test]
fn unsafe_fixes_are_asked_for() {
    let wrong = relu(PORT).replace("type=\"ReLU\"", "type=\"Relv\"").replace(
        "<dim>6</dim>\n\t\t\t\t</port>\n\t\t\t</input>\n\t\t</layer>\n\t</layers>",
        "<dim>9</dim>\n\t\t\t\t</port>\n\t\t\t</input>\n\t\t</layer>\n\t</layers>",
    );
    let rules = |fixed: &Fixed| fixed.applied.iter().map(|finding| finding.rule.name).collect::<Vec<_>>();
    let refused = repair(wrong.as_bytes(), Applicability::Safe);
    assert_eq!(rules(&refused), [""; 0], "OpenVINO fails further up");
    let fixed = repair(wrong.as_bytes(), Applicability::Unsafe);
    assert_eq!(rules(&fixed), ["unknown-op", "input-port-mismatch"], "the cause first");
    assert_eq!(fixed.model.source().bytes(), relu(PORT).as_bytes());
}

#[test]
fn a_refused_fix_says_where_openvino_fails() {
    let six = "<dim>6</dim>\n\t\t\t\t</port>\n\t\t\t</input>";
    let wrong = relu(PORT).replace("type=\"ReLU\"", "type=\"Relv\"").replace(six, &six.replace('6', "9"));
    let model =
        Model::from_bytes("m.xml", wrong.into_bytes(), Weights::in_memory(Vec::new()), &Options::default()).unwrap();
    let ports = model.findings().iter().filter(|finding| finding.rule.name == "input-port-mismatch");
    let help: Vec<_> = ports.flat_map(words::help).collect();
    let [at, behind] = ["fails at this layer", "fails further up"]
        .map(|place| format!("`--fix` does not change this port: OpenVINO {place}, so what it declares may be right"));
    assert_eq!(help, [at, behind], "of the layer and of the Result behind it");
}

#[test]
fn ports_that_follow_from_a_number_that_is_misread_are_not_fixed() {
    let applied = |shape: &str| {
        let written = relu(PORT).replacen("shape=\"2,6\"", &format!("shape=\"{shape}\""), 1);
        repair(written.as_bytes(), Applicability::Safe).applied.len()
    };
    assert_eq!(applied("3,6"), 4, "every port of the model");
    assert_eq!(applied("-2,6"), 0, "which OpenVINO reads as 0,6");
}

#[test]
fn a_guess_that_makes_it_worse_is_refused() {
    let sample = crate::program::root().join("bad/const-size-mismatch/model.xml");
    let xml = std::fs::read(sample).unwrap();
    let open =
        |size| Model::from_bytes("m.xml", xml.clone(), Weights::in_memory(vec![0; size]), &Options::default()).unwrap();
    assert_eq!(fix(open(24), Applicability::Unsafe, &everything).unwrap().applied.len(), 1);
    let Fixed { model, original, refused, .. } = fix(open(20), Applicability::Unsafe, &everything).unwrap();
    let reasons: Vec<String> = refused.iter().map(|(_, refusal)| refusal.clone()).collect();
    let message =
        "it would cause weights-out-of-range: Const `bias` needs bytes 0..24, but the weights have only 20 bytes";
    assert_eq!(reasons, [message]);
    assert!(original.is_none());
    assert_eq!(model.source().bytes(), xml);
}

#[test]
fn swapped_edges_are_not_painted_over() {
    let sample = crate::program::root().join("bad/input-port-mismatch/swapped/model.xml");
    let xml = std::fs::read(sample).unwrap();
    let fixed = repair(&xml, Applicability::Unsafe);
    assert!(fixed.edits.is_empty() && fixed.original.is_none());
}

#[test]
fn diffs_show_three_lines_around_changes() {
    let wrong = relu(&PORT.replace("<dim>6", "<dim>60"));
    let fixed = repair(wrong.as_bytes(), Applicability::Safe);
    let diff = unified_diff("m.xml", &fixed.original.unwrap(), &fixed.edits);
    let expected = "--- m.xml\n+++ m.xml\n@@ -20,7 +20,7 @@\n \t\t\t<output>\n \t\t\t\t<port id=\"1\" precision=\"FP32\">\n \
         \t\t\t\t\t<dim>2</dim>\n-\t\t\t\t\t<dim>60</dim>\n+\t\t\t\t\t<dim>6</dim>\n \t\t\t\t</port>\n \t\t\t</output>\n \t\t</layer>\n";
    assert_eq!(diff, expected);
}

#[test]
fn far_changes_are_hunks_of_their_own() {
    let wrong = relu(&PORT.replace("\n\t\t\t\t\t<dim>2</dim>", ""))
        .replace("shape=\"2,6\"", "shape=\"3,6\"")
        .trim_end()
        .to_owned();
    let fixed = repair(wrong.as_bytes(), Applicability::Safe);
    let diff = unified_diff("m.xml", &fixed.original.unwrap(), &fixed.edits);
    let hunks: Vec<&str> = diff.lines().filter(|line| line.starts_with("@@")).collect();
    assert_eq!(hunks, ["@@ -5,7 +5,7 @@", "@@ -13,12 +13,13 @@", "@@ -26,7 +27,7 @@"]);
}

#[test]
fn a_number_is_replaced_whatever_is_behind_it() {
    let port = PORT.replace("<dim>6</dim>", "<dim>6classes=\"</dim>");
    let fixed = repair(relu(&port).as_bytes(), Applicability::Unsafe);
    assert_eq!(fixed.refused, []);
    assert_eq!(String::from_utf8_lossy(fixed.model.source().bytes()), relu(PORT));
}
