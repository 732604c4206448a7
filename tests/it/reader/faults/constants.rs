//! Const layers: their four attributes and the weights.

use super::valid_models::NET;
use super::{Fault, accepted, check, proposals, read, rejected};
use crate::ir_builder::Ir;
use ovlint::internal::diagnostic::{Applicability, Severity};
use ovlint::internal::fix::{everything, fix};
use ovlint::internal::{Model, Options, Weights};
use std::fmt::Write;

/// The `<data>` of the constant that feeds `MatMul`, `[32,1]` of f32.
const M: &str = r#"<data element_type="f32" shape="32, 1" offset="1296" size="128"/>"#;

macro_rules! data {
    ($verdict:ident $name:literal, $to:literal, [$($says:literal),*]) => {
        $verdict($name, &[(M, $to)], &[$($says),*])
    };
}

const FAULTS: &[Fault] = &[
    data!(rejected "offset-past-the-end", r#"<data element_type="f32" shape="32, 1" offset="99999" size="128"/>"#, [r#"E weights-out-of-range: <data element_type="f32" shape="32, 1" offset="99999" size="128"/>"#]),
    data!(rejected "offset-at-the-end", r#"<data element_type="f32" shape="32, 1" offset="1448" size="128"/>"#, [r#"E weights-out-of-range: <data element_type="f32" shape="32, 1" offset="1448" size="128"/>"#]),
    data!(rejected "tail-past-the-end", r#"<data element_type="f32" shape="32, 1" offset="1321" size="128"/>"#, [r#"E weights-out-of-range: <data element_type="f32" shape="32, 1" offset="1321" size="128"/>"#]),
    data!(rejected "offset-largest", r#"<data element_type="f32" shape="32, 1" offset="9223372036854775807" size="128"/>"#, [r#"E weights-out-of-range: <data element_type="f32" shape="32, 1" offset="9223372036854775807" size="128"/>"#]),
    data!(rejected "size-largest", r#"<data element_type="f32" shape="32, 1" offset="1296" size="9223372036854775807"/>"#, [r#"E const-size-excess: <data element_type="f32" shape="32, 1" offset="1296" size="9223372036854775807"/>"#]),
    data!(rejected "offset-and-size-wrap", r#"<data element_type="f32" shape="32, 1" offset="9223372036854775807" size="9223372036854775807"/>"#, [r#"W const-size-excess: <data element_type="f32" shape="32, 1" offset="9223372036854775807" size="9223372036854775807"/>"#, r#"E weights-out-of-range: <data element_type="f32" shape="32, 1" offset="9223372036854775807" size="9223372036854775807"/>"#]),
    data!(rejected "offset-unsigned-wrap", r#"<data element_type="f32" shape="32, 1" offset="18446744073709551600" size="128"/>"#, ["E invalid-attribute: 18446744073709551600"]),
    data!(rejected "offset-no-number", r#"<data element_type="f32" shape="32, 1" offset="x" size="128"/>"#, ["E invalid-attribute: x"]),
    data!(rejected "offset-negative", r#"<data element_type="f32" shape="32, 1" offset="-8" size="128"/>"#, ["E invalid-attribute: -8"]),
    data!(rejected "size-negative", r#"<data element_type="f32" shape="32, 1" offset="1296" size="-128"/>"#, ["E invalid-attribute: -128"]),
    data!(rejected "offset-fraction", r#"<data element_type="f32" shape="32, 1" offset="1296.0" size="128"/>"#, ["E invalid-attribute: 1296.0"]),
    data!(rejected "offset-hexadecimal", r#"<data element_type="f32" shape="32, 1" offset="0x10" size="128"/>"#, ["E invalid-attribute: 0x10"]),
    data!(rejected "offset-missing", r#"<data element_type="f32" shape="32, 1" size="128"/>"#, [r#"E missing-attribute: <data element_type="f32" shape="32, 1" size="128"/>"#]),
    data!(rejected "size-missing", r#"<data element_type="f32" shape="32, 1" offset="1296"/>"#, [r#"E missing-attribute: <data element_type="f32" shape="32, 1" offset="1296"/>"#]),
    data!(rejected "shape-missing", r#"<data element_type="f32" offset="1296" size="128"/>"#, [r#"E missing-attribute: <data element_type="f32" offset="1296" size="128"/>"#]),
    data!(rejected "element-type-missing", r#"<data shape="32, 1" offset="1296" size="128"/>"#, [r#"E missing-attribute: <data shape="32, 1" offset="1296" size="128"/>"#]),
    data!(rejected "data-missing", "", [r#"E missing-attribute: <layer id="9" name="m" type="Const" version="opset1">"#]),
    data!(rejected "data-empty", "<data/>", ["E missing-attribute: <data/>"]),
    data!(rejected "size-too-small", r#"<data element_type="f32" shape="32, 1" offset="1296" size="127"/>"#, [r#"E const-size-mismatch: <data element_type="f32" shape="32, 1" offset="1296" size="127"/>"#]),
    data!(rejected "size-zero", r#"<data element_type="f32" shape="32, 1" offset="1296" size="0"/>"#, [r#"E const-size-mismatch: <data element_type="f32" shape="32, 1" offset="1296" size="0"/>"#]),
    data!(accepted "size-too-large", r#"<data element_type="f32" shape="32, 1" offset="1296" size="136"/>"#, [r#"W const-size-excess: <data element_type="f32" shape="32, 1" offset="1296" size="136"/>"#]),
    data!(accepted "overlap", r#"<data element_type="f32" shape="32, 1" offset="1280" size="128"/>"#, [r#"W weights-partial-overlap: <data element_type="f32" shape="32, 1" offset="1280" size="128"/>"#]),
    data!(accepted "offset-odd", r#"<data element_type="f32" shape="32, 1" offset="1295" size="128"/>"#, [r#"W weights-partial-overlap: <data element_type="f32" shape="32, 1" offset="1295" size="128"/>"#]),
    data!(accepted "offset-with-a-plus-and-blanks", r#"<data element_type="f32" shape="32, 1" offset=" +1296" size=" 0128"/>"#, []),
    data!(rejected "as-references", r#"<data element_type="f&#51;2" shape="&#51;2, 1" offset="1296&#x20;" size="128"/>"#, ["E invalid-attribute: 1296&#x20;"]),
    data!(accepted "offset-as-reference", r#"<data element_type="f&#51;2" shape="&#51;2, 1" offset="129&#x36;" size="128"/>"#, []),
    data!(accepted "shape-smaller", r#"<data element_type="f32" shape="16, 1" offset="1296" size="128"/>"#, [r#"E const-size-excess: <data element_type="f32" shape="16, 1" offset="1296" size="128"/>"#]),
    data!(rejected "shape-bigger", r#"<data element_type="f32" shape="64, 1" offset="1296" size="128"/>"#, [r#"E const-size-mismatch: <data element_type="f32" shape="64, 1" offset="1296" size="128"/>"#]),
    data!(rejected "shape-permuted", r#"<data element_type="f32" shape="1, 32" offset="1296" size="128"/>"#, ["E contradicted-value: 1, 32"]),
    data!(rejected "shape-negative", r#"<data element_type="f32" shape="-1,32" offset="1296" size="128"/>"#, ["E attribute-value: -1,32"]),
    data!(rejected "shape-with-letters", r#"<data element_type="f32" shape="32,a" offset="1296" size="128"/>"#, ["E attribute-value: 32,a"]),
    data!(rejected "shape-with-a-gap", r#"<data element_type="f32" shape="32,,1" offset="1296" size="128"/>"#, ["E attribute-value: 32,,1"]),
    data!(accepted "shape-with-a-comma-behind", r#"<data element_type="f32" shape="32,1," offset="1296" size="128"/>"#, ["W lenient-number: 32,1,"]),
    data!(rejected "shape-in-brackets", r#"<data element_type="f32" shape="[32,1]" offset="1296" size="128"/>"#, ["E attribute-value: [32,1]"]),
    data!(rejected "shape-question-mark", r#"<data element_type="f32" shape="?,1" offset="1296" size="128"/>"#, ["E attribute-value: ?,1"]),
    data!(rejected "shape-of-twenty-digits", r#"<data element_type="f32" shape="99999999999999999999,1" offset="1296" size="128"/>"#, ["E attribute-value: 99999999999999999999,1"]),
    data!(rejected "shape-with-a-plus", r#"<data element_type="f32" shape="+32,1" offset="1296" size="128"/>"#, ["E attribute-value: +32,1"]),
    data!(accepted "shape-fraction", r#"<data element_type="f32" shape="32.0,1" offset="1296" size="128"/>"#, ["W lenient-number: 32.0,1"]),
    data!(accepted "shape-interval", r#"<data element_type="f32" shape="32..64,1" offset="1296" size="128"/>"#, ["W lenient-number: 32..64,1"]),
    data!(accepted "shape-letters-behind", r#"<data element_type="f32" shape="32,1abc" offset="1296" size="128"/>"#, ["W lenient-number: 32,1abc"]),
    data!(rejected "shape-by-x", r#"<data element_type="f32" shape="32x1" offset="1296" size="128"/>"#, ["E contradicted-value: 32x1", "W lenient-number: 32x1"]),
    data!(rejected "shape-overflow", r#"<data element_type="f32" shape="4611686018427387904,4" offset="1296" size="128"/>"#, [r#"E const-size-mismatch: <data element_type="f32" shape="4611686018427387904,4" offset="1296" size="128"/>"#]),
    data!(rejected "shape-overflow-of-two", r#"<data element_type="f32" shape="4294967296,4294967296" offset="1296" size="128"/>"#, [r#"E const-size-mismatch: <data element_type="f32" shape="4294967296,4294967296" offset="1296" size="128"/>"#]),
    data!(rejected "shape-overflow-of-bits", r#"<data element_type="f32" shape="2305843009213693952" offset="1296" size="128"/>"#, [r#"E const-size-mismatch: <data element_type="f32" shape="2305843009213693952" offset="1296" size="128"/>"#]),
    data!(accepted "two-negatives", r#"<data element_type="f32" shape="-32,-1" offset="1296" size="128"/>"#, ["E attribute-value: -32,-1"]),
    data!(rejected "element-type-longer", r#"<data element_type="f64" shape="32, 1" offset="1296" size="128"/>"#, [r#"E const-size-mismatch: <data element_type="f64" shape="32, 1" offset="1296" size="128"/>"#]),
    data!(rejected "element-type-shorter", r#"<data element_type="f16" shape="32, 1" offset="1296" size="128"/>"#, [r#"E const-size-excess: <data element_type="f16" shape="32, 1" offset="1296" size="128"/>"#]),
    data!(rejected "element-type-other", r#"<data element_type="i32" shape="32, 1" offset="1296" size="128"/>"#, ["E declared-precision: FP32"]),
    data!(rejected "element-type-as-ports-spell-it", r#"<data element_type="FP32" shape="32, 1" offset="1296" size="128"/>"#, ["E attribute-value: FP32"]),
    data!(rejected "element-type-upper-case", r#"<data element_type="F32" shape="32, 1" offset="1296" size="128"/>"#, ["E attribute-value: F32"]),
    data!(rejected "element-type-float", r#"<data element_type="float" shape="32, 1" offset="1296" size="128"/>"#, ["E attribute-value: float"]),
    data!(rejected "element-type-empty", r#"<data element_type="" shape="32, 1" offset="1296" size="128"/>"#, ["E attribute-value: "]),
    data!(rejected "element-type-unspecified", r#"<data element_type="UNSPECIFIED" shape="32, 1" offset="1296" size="128"/>"#, ["E attribute-value: UNSPECIFIED"]),
    data!(accepted "element-type-dynamic", r#"<data element_type="dynamic" shape="32, 1" offset="1296" size="128"/>"#, ["E input-type: dynamic"]),
    data!(accepted "element-type-undefined", r#"<data element_type="undefined" shape="32, 1" offset="1296" size="128"/>"#, ["E input-type: undefined"]),
    data!(rejected "element-type-string", r#"<data element_type="string" shape="32, 1" offset="1296" size="128"/>"#, [r#"E string-const-layout: <data element_type="string" shape="32, 1" offset="1296" size="128"/>"#]),
    data!(accepted "unknown-attribute", r#"<data element_type="f32" shape="32, 1" offset="1296" size="128" colour="red"/>"#, ["W unknown-op-attribute: colour"]),
    data!(accepted "attribute-twice", r#"<data element_type="f32" shape="32, 1" offset="1296" size="128" size="1"/>"#, [r#"E xml-duplicate-attribute: size="1"#]),
];

#[test]
fn constants_fit_their_bytes() {
    check("const", &NET, FAULTS);
}

/// Which constants overlap, in a file of constants at these bytes.
fn overlaps(ranges: &[(usize, usize)]) -> Vec<String> {
    let (mut layers, mut edges) = (String::new(), String::new());
    for (id, (start, end)) in ranges.iter().enumerate() {
        let (size, result) = (end - start, ranges.len() + id);
        let _ = write!(
            layers,
            "<layer id='{id}' name='c{id}' type='Const' version='opset1'>\
             <data element_type='u8' shape='{size}' offset='{start}' size='{size}'/>\
             <output><port id='0' precision='U8'><dim>{size}</dim></port></output></layer>\
             <layer id='{result}' name='r{id}' type='Result' version='opset1'><input><port id='0'/></input></layer>"
        );
        let _ = write!(edges, "<edge from-layer='{id}' from-port='0' to-layer='{result}' to-port='0'/>");
    }
    let xml = format!("<net version='11'><layers>{layers}</layers><edges>{edges}</edges></net>");
    let weights = Weights::in_memory(vec![0; 100]);
    let model = Model::from_bytes("m.xml", xml.into_bytes(), weights, &Options::default()).unwrap();
    let found = model.findings().iter().filter(|finding| finding.rule.name == "weights-partial-overlap");
    found.map(|finding| finding.message.shown().to_owned()).collect()
}

#[test]
fn only_constants_that_stick_out_of_others_overlap() {
    let told = |a: usize, b: usize, bytes: &str| format!("Const `c{a}` and `c{b}` overlap in bytes {bytes}");
    assert_eq!(overlaps(&[(0, 8), (8, 16), (0, 8), (8, 16), (16, 100), (0, 8)]), [""; 0], "equal bytes");
    assert_eq!(overlaps(&[(0, 8), (8, 16), (0, 16), (10, 12)]), [""; 0], "parts of larger ones");
    assert_eq!(overlaps(&[(0, 8), (8, 16), (4, 12)]), [told(2, 1, "8..12"), told(0, 2, "4..8")]);
    assert_eq!(overlaps(&[(20, 30), (40, 50), (25, 35), (25, 35), (0, 8)]), [told(0, 2, "25..30")], "told once");
}

#[test]
fn a_constant_with_too_few_bytes_has_a_rank() {
    let xml = "<net name='m' version='11'><layers>\
               <layer id='0' name='c' type='Const' version='opset1'>\
               <data element_type='i64' shape='' offset='0' size='4'/><output><port id='0' precision='I64'/></output></layer>\
               <layer id='1' name='r' type='Result' version='opset1'><input><port id='0' precision='I64'/></input></layer>\
               </layers><edges><edge from-layer='0' from-port='0' to-layer='1' to-port='0'/></edges></net>";
    let weights = Weights::in_memory(vec![0; 8]);
    let model = Model::from_bytes("m.xml", xml.into(), weights, &Options::default()).unwrap();
    let rules: Vec<&str> = model.findings().iter().map(|finding| finding.rule.name).collect();
    assert_eq!(rules, ["const-size-mismatch"]);
}

#[test]
fn the_type_of_a_constant_in_the_spelling_of_ports_is_corrected() {
    for (text, meant) in [("fp32", "f32"), ("FP32", "f32"), ("BOOL", "boolean")] {
        let xml = NET.xml.replacen(M, &M.replace("f32", text), 1);
        assert_eq!(proposals("attribute-value", xml.as_bytes(), &NET.weights()), [format!("did you mean `{meant}`?")]);
    }
    let xml = NET.xml.replacen(M, &M.replace("f32", "float"), 1);
    assert_eq!(proposals("attribute-value", xml.as_bytes(), &NET.weights()), [""; 0]);
}

#[test]
fn a_constant_of_the_size_that_a_reader_declares_is_of_another_type() {
    let mut ir = Ir::default();
    let data = ir.constant_of_bytes("f32", &[2, 2], &[0; 8]);
    let relu = ir.layer("ReLU", "opset1", "", &[data], 1);
    ir.result(relu);
    let (xml, weights) = ir.finish();
    assert_eq!(proposals("const-size", &xml, &weights), ["set `size` to 16"]);
    let port = r#"<port id="0" precision="FP16"><dim>2</dim><dim>2</dim></port>"#;
    let xml = String::from_utf8(xml).unwrap().replacen(r#"<port id="0"/>"#, port, 1);
    assert_eq!(proposals("const-size", xml.as_bytes(), &weights), ["write element_type=\"f16\""]);
    let both = xml.replace("<dim>2</dim><dim>2</dim>", "<dim>4</dim>");
    let wanted = "is it `shape` or `element_type` that is wrong?";
    assert_eq!(proposals("const-size", both.as_bytes(), &weights), [wanted]);
}

/// A Const of 16 bytes whose port declares two rows of two floats.
fn square(shape: &str) -> Model {
    let mut ir = Ir::default();
    let data = ir.constant_of_bytes("f32", &[2, 2], &[0; 16]);
    let x = ir.parameter("f32", "2,2");
    let sum = ir.layer("Add", "opset1", "", &[data, x], 1);
    ir.result(sum);
    let (xml, weights) = ir.finish();
    let port = "<port id=\"0\" precision=\"FP32\"><dim>2</dim><dim>2</dim></port>";
    let xml = String::from_utf8(xml).unwrap().replacen("<port id=\"0\" precision=\"UNSPECIFIED\"/>", port, 1);
    let xml = xml.replace("shape=\"2, 2\" offset", &format!("shape=\"{shape}\" offset"));
    read(xml, &weights)
}

#[test]
fn the_size_of_a_constant_is_the_cause_where_it_is_that_of_the_declared_port() {
    let roots = |shape| -> Vec<String> {
        let model = square(shape);
        let errors = model.findings().iter().filter(|finding| finding.severity == Severity::Error);
        let roots = errors.filter(|finding| finding.consequence_of.is_none());
        roots.map(|root| format!("{}: {}", root.rule.name, root.fix.as_ref().unwrap().message.shown())).collect()
    };
    assert_eq!(roots("2, 2"), [""; 0]);
    assert_eq!(roots("1, 2"), ["const-size-excess: write shape=\"2, 2\""]);
    assert_eq!(roots("3, 1"), ["const-size-excess: write shape=\"2, 2\""], "the layer that fails follows, too");
}

#[test]
fn what_follows_from_a_finding_that_is_not_fixed_stays() {
    let ports = |model: &Model| {
        model.findings().iter().filter(|finding| finding.rule.name == "declared-shape" && finding.fix.is_some()).count()
    };
    let model = square("1, 2");
    assert_eq!(ports(&model), 1, "a safe fix, which follows from one that is not safe");
    assert_eq!(ports(&fix(model, Applicability::Safe, &everything).unwrap().model), 1);
    assert_eq!(ports(&fix(square("1, 2"), Applicability::Unsafe, &everything).unwrap().model), 0);
}

#[test]
fn a_constant_outside_that_overlaps_others_has_a_wrong_offset() {
    let outside = |offset: u64| {
        let mut ir = Ir::default();
        let (a, b) = (ir.constant("f32", &[4], &[0.0; 4]), ir.constant("f32", &[4], &[1.0; 4]));
        let sum = ir.layer("Add", "opset1", "", &[a, b], 1);
        ir.result(sum);
        let (xml, weights) = ir.finish();
        let xml = String::from_utf8(xml).unwrap().replace("offset=\"0\"", &format!("offset=\"{offset}\""));
        let model = read(xml, &weights);
        let found = model.findings().iter().find(|finding| finding.rule.name == "weights-out-of-range").unwrap();
        crate::notes(found)
            .iter()
            .any(|note| note.ends_with("other constants use bytes up to 32: is the offset wrong?"))
    };
    assert!(outside(24), "it begins inside the other one");
    assert!(!outside(32));
}
