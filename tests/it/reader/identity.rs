//! Types and versions: which operation a layer is.

use super::base::NET;
use super::{Fault, accepted, check, rejected};

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
    relu!(rejected "unknown-type", "NoSuchOp", "opset1", []),
    relu!(rejected "misspelled", "ReLu6", "opset1", []),
    relu!(rejected "blank-before", " ReLU", "opset1", []),
    relu!(rejected "empty", "", "opset1", []),
    relu!(rejected "unknown-type-of-unknown-opset", "NoSuchOp", "myops", []),
    relu!(rejected "opset0", "ReLU", "opset0", []),
    relu!(rejected "opset17", "ReLU", "opset17", []),
    relu!(rejected "opset18", "ReLU", "opset18", []),
    relu!(rejected "opset99", "ReLU", "opset99", []),
    relu!(rejected "opset-of-many-digits", "ReLU", "opset99999999999999999999", []),
    relu!(rejected "opset-upper-case", "ReLU", "OPSET1", []),
    relu!(rejected "opset-title-case", "ReLU", "Opset1", []),
    relu!(rejected "opset-blank-before", "ReLU", " opset1", []),
    relu!(rejected "opset-blank-behind", "ReLU", "opset1 ", []),
    relu!(rejected "opset-leading-zero", "ReLU", "opset01", []),
    relu!(rejected "opset-without-number", "ReLU", "opset", []),
    relu!(rejected "number-without-opset", "ReLU", "1", []),
    relu!(rejected "opset-empty", "ReLU", "", []),
    relu!(rejected "experimental", "ReLU", "experimental", []),
    relu!(rejected "extension", "ReLU", "extension", []),
    relu!(rejected "internal", "ReLU", "ie_internal_opset", []),
    relu!(rejected "util", "ReLU", "util", []),
    relu!(rejected "later-operation", "NonZero", "opset1", []),
    relu!(rejected "dropped-operation", "Add", "opset17", []),
    rejected("result-of-opset17", &[(r#"type="Result" version="opset1""#, r#"type="Result" version="opset17""#)], &[]),
    rejected(
        "result-of-unknown-opset",
        &[(r#"type="Result" version="opset1""#, r#"type="Result" version="nope""#)],
        &[],
    ),
    rejected(
        "parameter-of-unknown-opset",
        &[(r#"type="Parameter" version="opset1""#, r#"type="Parameter" version="nope""#)],
        &[],
    ),
    accepted(
        "parameter-lower-case",
        &[(r#"type="Parameter" version="opset1""#, r#"type="parameter" version="opset1""#)],
        &[],
    ),
    rejected("constant-lower-case", &[(r#"name="m" type="Const""#, r#"name="m" type="const""#)], &[]),
    rejected(
        "constant-of-unknown-opset",
        &[(r#"name="m" type="Const" version="opset1""#, r#"name="m" type="Const" version="nope""#)],
        &[],
    ),
    accepted("constant-by-its-class-name", &[(r#"name="m" type="Const""#, r#"name="m" type="Constant""#)], &[]),
    rejected(
        "wrong-arity",
        &[
            (r#"type="MatMul" version="opset1""#, r#"type="ReLU" version="opset1""#),
            (r#"<data transpose_a="false" transpose_b="false"/>"#, ""),
        ],
        &[],
    ),
];

#[test]
fn types_and_versions_name_operations() {
    check("identity", &NET, FAULTS);
}
