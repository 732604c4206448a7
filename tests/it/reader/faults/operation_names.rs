//! Types and versions: which operation a layer is.

use super::valid_models::NET;
use super::{Fault, accepted, check, rejected};
use crate::graph_notation::graph;
use ovlint::internal::{Model, Options, Weights};

macro_rules! relu {
    ($verdict:ident $name:literal, $ty:literal, $version:literal, [$($says:literal),*]) => {
        $verdict(
            $name,
            &[(r#"type="ReLU" version="opset1""#, concat!(r#"type=""#, $ty, r#"" version=""#, $version, r#"""#))],
            &[$($says),*],
        )
    };
}

const FAULTS: &[Fault] = &[
    relu!(accepted "lower-case", "relu", "opset1", []),
    relu!(accepted "upper-case", "RELU", "opset1", []),
    relu!(accepted "class-name", "Relu", "opset1", []),
    relu!(accepted "later-opset", "ReLU", "opset13", []),
    relu!(accepted "type-as-reference", "R&#101;LU", "opset1", []),
    relu!(rejected "unknown-type", "NoSuchOp", "opset1", ["E unknown-op: NoSuchOp"]),
    relu!(rejected "misspelled", "ReLu6", "opset1", ["E unknown-op: ReLu6"]),
    relu!(rejected "blank-before", " ReLU", "opset1", ["E unknown-op:  ReLU"]),
    relu!(rejected "empty", "", "opset1", ["E unknown-op: "]),
    relu!(rejected "unknown-type-of-misspelt-opset", "NoSuchOp", "opest1", ["E unknown-opset: opest1"]),
    relu!(rejected "opset0", "ReLU", "opset0", ["E unknown-opset: opset0"]),
    relu!(rejected "opset17", "ReLU", "opset17", ["E op-not-in-opset: opset17"]),
    relu!(rejected "opset18", "ReLU", "opset18", ["E unknown-opset: opset18"]),
    relu!(rejected "opset99", "ReLU", "opset99", ["E unknown-opset: opset99"]),
    relu!(rejected "opset-of-many-digits", "ReLU", "opset99999999999999999999", ["E unknown-opset: opset99999999999999999999"]),
    relu!(rejected "opset-upper-case", "ReLU", "OPSET1", ["E unknown-opset: OPSET1"]),
    relu!(rejected "opset-title-case", "ReLU", "Opset1", ["E unknown-opset: Opset1"]),
    relu!(rejected "opset-blank-before", "ReLU", " opset1", ["E unknown-opset:  opset1"]),
    relu!(rejected "opset-blank-behind", "ReLU", "opset1 ", ["E unknown-opset: opset1 "]),
    relu!(rejected "opset-leading-zero", "ReLU", "opset01", ["E unknown-opset: opset01"]),
    relu!(rejected "opset-without-number", "ReLU", "opset", ["E unknown-opset: opset"]),
    relu!(rejected "number-without-opset", "ReLU", "1", ["E unknown-opset: 1"]),
    relu!(rejected "opset-empty", "ReLU", "", ["E unknown-opset: "]),
    relu!(rejected "experimental", "ReLU", "experimental", ["E unknown-opset: experimental"]),
    relu!(rejected "extension", "ReLU", "extension", ["E unknown-opset: extension"]),
    relu!(rejected "internal", "ReLU", "ie_internal_opset", ["E unknown-opset: ie_internal_opset"]),
    relu!(rejected "util", "ReLU", "util", ["E unknown-opset: util"]),
    relu!(rejected "later-operation", "NonZero", "opset1", ["E op-not-in-opset: opset1"]),
    relu!(rejected "dropped-operation", "Add", "opset17", ["E op-not-in-opset: opset17"]),
    rejected(
        "result-of-opset17",
        &[(r#"type="Result" version="opset1""#, r#"type="Result" version="opset17""#)],
        &["E op-not-in-opset: opset17"],
    ),
    rejected(
        "result-of-unknown-opset",
        &[(r#"type="Result" version="opset1""#, r#"type="Result" version="nope""#)],
        &["E unknown-opset: nope"],
    ),
    rejected(
        "parameter-of-unknown-opset",
        &[(r#"type="Parameter" version="opset1""#, r#"type="Parameter" version="nope""#)],
        &["E unknown-opset: nope"],
    ),
    accepted(
        "parameter-lower-case",
        &[(r#"type="Parameter" version="opset1""#, r#"type="parameter" version="opset1""#)],
        &[],
    ),
    rejected(
        "constant-lower-case",
        &[(r#"name="m" type="Const""#, r#"name="m" type="const""#)],
        &["E unknown-op: const"],
    ),
    rejected(
        "constant-of-unknown-opset",
        &[(r#"name="m" type="Const" version="opset1""#, r#"name="m" type="Const" version="nope""#)],
        &["E unknown-opset: nope"],
    ),
    accepted(
        "constant-by-its-class-name",
        &[(r#"name="m" type="Const""#, r#"name="m" type="Constant""#)],
        &["E unknown-op: Constant"],
    ),
    rejected(
        "wrong-arity",
        &[
            (r#"type="MatMul" version="opset1""#, r#"type="ReLU" version="opset1""#),
            (r#"<data transpose_a="false" transpose_b="false"/>"#, ""),
        ],
        &[r#"E wrong-input-count: <layer id="10" name="mm" type="ReLU" version="opset1">"#],
    ),
];

#[test]
fn types_and_versions_name_operations() {
    check("identity", &NET, FAULTS);
}

#[test]
fn an_attribute_of_another_operation_casts_doubt_on_the_type() {
    let help = |text: &str| {
        let graph = graph(text, 1);
        let weights = Weights::in_memory(graph.weights);
        let model = Model::from_bytes("m.xml", graph.xml.into(), weights, &Options::default()).unwrap();
        let finding = model.findings().iter().find(|finding| finding.rule.name == "op-not-in-opset").unwrap();
        (finding.fix.is_some(), crate::help(finding).concat())
    };
    let want = "`destination_type` is an attribute of Convert and 1 other operation: is the type right?";
    assert_eq!(help("ReadValue-1(f16[2]) {destination_type=f32}"), (false, want.to_owned()));
    assert_eq!(help("ReadValue-1(f16[2]) {variable_id=v}"), (true, String::new()));
}
