//! Parameters: their shape and type.

use super::valid_models::NET;
use super::{Fault, accepted, check, rejected};

const X: &str = r#"<data shape="1,3,16,18" element_type="f32"/>"#;

macro_rules! data {
    ($verdict:ident $name:literal, $to:literal, [$($says:literal),*]) => {
        $verdict($name, &[(X, $to)], &[$($says),*])
    };
}

const FAULTS: &[Fault] = &[
    data!(rejected "shape-empty", r#"<data shape="" element_type="f32"/>"#, ["E contradicted-value: "]),
    data!(rejected "shape-missing", r#"<data element_type="f32"/>"#, [r#"E missing-attribute: <layer id="0" name="x" type="Parameter" version="opset1">"#]),
    data!(rejected "rank-too-small", r#"<data shape="1,3,16" element_type="f32"/>"#, ["E contradicted-value: 1,3,16"]),
    data!(rejected "comma-behind", r#"<data shape="1,3,16,18," element_type="f32"/>"#, [r#"E attribute-value: shape="1,3,16,18,""#]),
    data!(rejected "gap", r#"<data shape="1,,3,16,18" element_type="f32"/>"#, [r#"E attribute-value: shape="1,,3,16,18""#]),
    data!(accepted "minus-two", r#"<data shape="-2,3,16,18" element_type="f32"/>"#, [r#"W lenient-number: shape="-2,3,16,18""#, "E declared-shape: 1"]),
    data!(accepted "twenty-digits", r#"<data shape="99999999999999999999,3,16,18" element_type="f32"/>"#, [r#"W lenient-number: shape="99999999999999999999,3,16,18""#, "E declared-shape: 1"]),
    data!(accepted "zero", r#"<data shape="0,3,16,18" element_type="f32"/>"#, ["E declared-shape: 1"]),
    data!(rejected "reversed-interval", r#"<data shape="5..2,3,16,18" element_type="f32"/>"#, [r#"E attribute-value: shape="5..2,3,16,18""#]),
    data!(rejected "largest", r#"<data shape="9223372036854775807,3,16,18" element_type="f32"/>"#, [r#"E attribute-value: shape="9223372036854775807,3,16,18""#]),
    data!(rejected "question-mark-as-bound", r#"<data shape="?..4,3,16,18" element_type="f32"/>"#, [r#"E attribute-value: shape="?..4,3,16,18""#]),
    data!(rejected "blanks-in-the-interval", r#"<data shape="1 .. 4,3,16,18" element_type="f32"/>"#, [r#"E attribute-value: shape="1 .. 4,3,16,18""#]),
    data!(rejected "rest-of-unknown-rank", r#"<data shape="?,..." element_type="f32"/>"#, [r#"E attribute-value: shape="?,...""#]),
    data!(rejected "by-x", r#"<data shape="1x3x16x18" element_type="f32"/>"#, [r#"E attribute-value: shape="1x3x16x18""#]),
    data!(rejected "fraction", r#"<data shape="1,3,16.0,18" element_type="f32"/>"#, [r#"E attribute-value: shape="1,3,16.0,18""#]),
    data!(rejected "letter", r#"<data shape="a,3,16,18" element_type="f32"/>"#, [r#"E attribute-value: shape="a,3,16,18""#]),
    data!(rejected "other-channels", r#"<data shape="1,4,16,18" element_type="f32"/>"#, ["E contradicted-value: 1,4,16,18"]),
    data!(rejected "smaller-than-the-kernel", r#"<data shape="1,3,1,1" element_type="f32"/>"#, ["E contradicted-value: 1,3,1,1"]),
    data!(rejected "star", r#"<data shape="*" element_type="f32"/>"#, [r#"E attribute-value: shape="*""#]),
    data!(rejected "plus", r#"<data shape="+1,3,16,18" element_type="f32"/>"#, [r#"E attribute-value: shape="+1,3,16,18""#]),
    data!(rejected "braces", r#"<data shape="{1,3,16,18}" element_type="f32"/>"#, [r#"E attribute-value: shape="{1,3,16,18}""#]),
    data!(rejected "semicolons", r#"<data shape="1;3;16;18" element_type="f32"/>"#, [r#"E attribute-value: shape="1;3;16;18""#]),
    data!(rejected "bracket-behind", r#"<data shape="1,3,16,18]" element_type="f32"/>"#, [r#"E attribute-value: shape="1,3,16,18]""#]),
    data!(rejected "bracket-before", r#"<data shape="[1,3,16,18" element_type="f32"/>"#, [r#"E attribute-value: shape="[1,3,16,18""#]),
    data!(rejected "data-missing", "", [r#"E missing-attribute: <layer id="0" name="x" type="Parameter" version="opset1">"#]),
    data!(rejected "data-empty", "<data/>", [r#"E missing-attribute: <layer id="0" name="x" type="Parameter" version="opset1">"#, r#"E missing-attribute: <layer id="0" name="x" type="Parameter" version="opset1">"#]),
    data!(rejected "type-of-another-size", r#"<data shape="1,3,16,18" element_type="f16"/>"#, ["E contradicted-value: f16"]),
    data!(rejected "type-as-ports-spell-it", r#"<data shape="1,3,16,18" element_type="FP32"/>"#, [r#"E attribute-value: element_type="FP32""#]),
    rejected(
        "output-missing",
        &[(r#"<port id="0" precision="FP32" names="x"><dim>1</dim><dim>3</dim><dim>16</dim><dim>18</dim></port>"#, "")],
        &["E edge-unknown-port: from-port=\"0"],
    ),
    rejected(
        "two-outputs",
        &[(
            r#"<port id="0" precision="FP32" names="x"><dim>1</dim><dim>3</dim><dim>16</dim><dim>18</dim></port>"#,
            r#"<port id="0" precision="FP32" names="x"><dim>1</dim><dim>3</dim><dim>16</dim><dim>18</dim></port><port id="1" precision="FP32"/>"#,
        )],
        &[r#"E wrong-output-count: <port id="1" precision="FP32"/>"#],
    ),
    data!(accepted "brackets", r#"<data shape="[1,3,16,18]" element_type="f32"/>"#, []),
    data!(accepted "brackets-and-blanks", r#"<data shape=" [ 1 , 3,16,18 ] " element_type="f32"/>"#, []),
    data!(accepted "leading-zero", r#"<data shape="01,3,16,18" element_type="f32"/>"#, []),
    data!(accepted "type-upper-case", r#"<data shape="1,3,16,18" element_type="F32"/>"#, []),
    data!(accepted "as-references", r#"<data shape="1,3,1&#x36;,18" element_type="f&#51;2"/>"#, []),
    data!(accepted "unknown-rank", r#"<data shape="..." element_type="f32"/>"#, ["W dynamic-rank: ...", r#"W declared-static: <port id="0" precision="FP32" names="x">"#]),
    data!(accepted "unknown-rank-with-blanks", r#"<data shape=" ... " element_type="f32"/>"#, ["W dynamic-rank:  ... ", r#"W declared-static: <port id="0" precision="FP32" names="x">"#]),
    data!(accepted "huge-upper-bound", r#"<data shape="1..99999999999999999999,3,16,18" element_type="f32"/>"#, [r#"W lenient-number: shape="1..99999999999999999999,3,16,18""#, "W declared-static: 1"]),
    data!(accepted "type-missing", r#"<data shape="1,3,16,18"/>"#, [r#"E missing-attribute: <layer id="0" name="x" type="Parameter" version="opset1">"#]),
    data!(accepted "type-dynamic", r#"<data shape="1,3,16,18" element_type="dynamic"/>"#, []),
    data!(accepted "unknown-attribute", r#"<data shape="1,3,16,18" element_type="f32" mutable="1"/>"#, ["W unknown-op-attribute: mutable"]),
];

#[test]
fn parameters_have_shapes() {
    check("parameter", &NET, FAULTS);
}

/// A Parameter of which only the shape matters.
const LONE: super::valid_models::Base = super::valid_models::Base {
    zeros: 0,
    constants: &[],
    xml: r#"<net name="lone" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="[]" element_type="f32"/><output><port id="0" precision="FP32"/></output></layer>
<layer id="1" name="y" type="Result" version="opset1"><input><port id="0"/></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges></net>"#,
};

macro_rules! lone {
    ($verdict:ident $name:literal, $to:literal, [$($says:literal),*]) => {
        $verdict($name, &[(r#"shape="[]""#, $to)], &[$($says),*])
    };
}

const SHAPES: &[Fault] = &[
    lone!(accepted "minus-two", r#"shape="-2""#, [r#"W lenient-number: shape="-2""#, r#"I declared-dynamic: <port id="0" precision="FP32"/>"#]),
    lone!(accepted "twenty-digits", r#"shape="99999999999999999999""#, [r#"W lenient-number: shape="99999999999999999999""#, r#"I declared-dynamic: <port id="0" precision="FP32"/>"#]),
    lone!(accepted "largest", r#"shape="9223372036854775807""#, [r#"E attribute-value: shape="9223372036854775807""#]),
    lone!(accepted "beyond-largest", r#"shape="9223372036854775808""#, [r#"W lenient-number: shape="9223372036854775808""#, r#"I declared-dynamic: <port id="0" precision="FP32"/>"#]),
    lone!(accepted "reversed-interval", r#"shape="5..2""#, [r#"E attribute-value: shape="5..2""#]),
    lone!(accepted "interval-to-minus-one", r#"shape="1..-1""#, [r#"W lenient-number: shape="1..-1""#, r#"I declared-dynamic: <port id="0" precision="FP32"/>"#]),
    lone!(accepted "interval-from-minus-one", r#"shape="-1..4""#, [r#"W lenient-number: shape="-1..4""#, r#"I declared-dynamic: <port id="0" precision="FP32"/>"#]),
    lone!(accepted "interval-beyond-largest", r#"shape="1..9223372036854775808""#, [r#"W lenient-number: shape="1..9223372036854775808""#, r#"I declared-dynamic: <port id="0" precision="FP32"/>"#]),
    lone!(accepted "brackets-and-blanks", r#"shape="[ 1 , 2 ]""#, [r#"I declared-dynamic: <port id="0" precision="FP32"/>"#]),
    lone!(accepted "missing", "", [r#"E missing-attribute: <layer id="0" name="x" type="Parameter" version="opset1">"#]),
    lone!(accepted "interval-of-one", r#"shape="5..5""#, [r#"I declared-dynamic: <port id="0" precision="FP32"/>"#]),
    lone!(accepted "open-interval", r#"shape="..""#, [r#"I declared-dynamic: <port id="0" precision="FP32"/>"#]),
    lone!(accepted "empty", r#"shape="""#, []),
    lone!(accepted "unknown-rank", r#"shape="...""#, ["W dynamic-rank: ..."]),
    lone!(rejected "comma-behind", r#"shape="1,2,""#, [r#"E attribute-value: shape="1,2,""#, r#"I declared-dynamic: <port id="0" precision="FP32"/>"#]),
    lone!(rejected "by-blank", r#"shape="1 2""#, [r#"E attribute-value: shape="1 2""#]),
    lone!(rejected "by-newline", "shape=\"1\n2\"", ["E attribute-value: shape=\"1\n2\""]),
    lone!(accepted "minus", r#"shape="-""#, [r#"W lenient-number: shape="-""#, r#"I declared-dynamic: <port id="0" precision="FP32"/>"#]),
    lone!(rejected "three-bounds", r#"shape="1..2..3""#, [r#"E attribute-value: shape="1..2..3""#]),
];

#[test]
fn shapes_of_parameters_are_read_as_openvino_reads_them() {
    check("shape", &LONE, SHAPES);
}
