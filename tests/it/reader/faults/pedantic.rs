//! Faults with which OpenVINO reads another model without saying so: the pedantic profile names them, the default one does not.

use super::valid_models::NET;
use super::{findings, read};
use crate::ir_builder::Ir;
use ovlint::internal::policy::{Profile, Selection};
use ovlint::internal::{Model, Options, Weights};

/// What the pedantic profile says by a rule, and the bytes it points at.
fn said(rule: &str, xml: Vec<u8>, weights: Vec<u8>) -> Vec<(String, String)> {
    let quiet =
        Model::from_bytes("m.xml", xml.clone(), Weights::in_memory(weights.clone()), &Options::default()).unwrap();
    assert!(quiet.findings().iter().all(|finding| finding.rule.name != rule), "{rule} by default");
    let selection = Selection { profile: Profile::Pedantic, ..Selection::default() };
    let options = selection.options(Options::default());
    let model = Model::from_bytes("m.xml", xml, Weights::in_memory(weights), &options).unwrap();
    let found = model.findings().iter().filter(|finding| finding.rule.name == rule);
    found
        .map(|finding| (finding.message.shown().to_owned(), model.source().text(finding.primary.span).into_owned()))
        .collect()
}

/// What is said of a model with one text in another's place.
fn edited(rule: &str, from: &str, to: &str) -> Vec<(String, String)> {
    assert_eq!(NET.xml.matches(from).count(), 1, "`{from}` stands once");
    said(rule, NET.xml.replace(from, to).into(), NET.weights())
}

fn pairs(all: &[(&str, &str)]) -> Vec<(String, String)> {
    all.iter().map(|(message, bytes)| ((*message).to_owned(), (*bytes).to_owned())).collect()
}

#[test]
fn names_that_openvino_changes() {
    for (name, message, bytes) in [
        ("", "the name of the layer is empty, so OpenVINO makes one up", r#"name="""#),
        ("a\u{1}b", "`name` holds the control character 0x01; other readers reject the file", "\u{1}"),
        ("a\nb", "`name` holds a line break or a tab, which XML reads as a space", "\n"),
        ("a&b", "`name` holds a bare `&` instead of `&amp;`; other readers reject the file", "&"),
        ("a<b", "`name` holds a bare `<` instead of `&lt;`; other readers reject the file", "<"),
        ("a&foo;b", "`name` holds `&foo;`, which XML does not know; OpenVINO keeps it as it is", "&foo;"),
        ("a&#0;b", "`name` holds `&#0;`, where OpenVINO ends the name", "&#0;"),
        ("a&#x1f;b", "`name` holds `&#x1f;`, a control character; other readers reject the file", "&#x1f;"),
        ("a&#xD800;b", "`name` holds `&#xD800;`, which stands for no character", "&#xD800;"),
    ] {
        let found = edited("names", r#"name="relu" type"#, &format!(r#"name="{name}" type"#));
        assert_eq!(found, pairs(&[(message, bytes)]), "{name:?}");
    }
    for name in ["a&amp;b", "a&#10;b", "a>b", "ü", "a b"] {
        assert_eq!(edited("names", r#"name="relu" type"#, &format!(r#"name="{name}" type"#)), [], "{name}");
    }
}

#[test]
fn lists_of_names_with_a_gap() {
    for list in ["", ",", "a,,b", "a,", ",a"] {
        let written = format!(r#"names="{list}""#);
        let found = edited("names", r#"names="relu""#, &written);
        assert_eq!(found, pairs(&[("`names` has an empty name, which OpenVINO drops", &written)]), "{list}");
    }
    for list in ["a,b", r"a\,b", r"a\,,b"] {
        assert_eq!(edited("names", r#"names="relu""#, &format!(r#"names="{list}""#)), [], "{list}");
    }
    let found = edited("names", r#"output_names="y""#, r#"output_names="""#);
    assert_eq!(found, pairs(&[("`output_names` has an empty name, which OpenVINO drops", r#"output_names="""#)]));
}

#[test]
fn bits_that_belong_to_no_element() {
    let of = |ty: &str, count: usize, bytes: &[u8]| {
        let mut ir = Ir::default();
        let constant = ir.constant_of_bytes(ty, &[count], bytes);
        ir.result(constant);
        let (xml, weights) = ir.finish();
        said("stray-bits", xml, weights).into_iter().map(|(message, _)| message).collect::<Vec<_>>()
    };
    let stray = |at: usize, byte: u8, bits: u8| {
        format!("byte {at} is {byte:#04x}, but the bits {bits:#04x} belong to no element and must be 0")
    };
    for (ty, count, bytes, what) in [
        ("u1", 3, &[0xe0][..], None),
        ("u1", 3, &[0xf0], Some(stray(0, 0xf0, 0x10))),
        ("u1", 8, &[0xff], None),
        ("u1", 9, &[0xff, 0x81], Some(stray(1, 0x81, 0x01))),
        ("u2", 3, &[0x3f], None),
        ("u2", 3, &[0x7f], Some(stray(0, 0x7f, 0x40))),
        ("i4", 3, &[0xff, 0x0f], None),
        ("i4", 3, &[0xff, 0x1f], Some(stray(1, 0x1f, 0x10))),
        ("nf4", 2, &[0xff], None),
        // Of five elements, the first four are in byte 0, the fifth is in byte 1, and their high bits are in byte 2.
        ("u3", 5, &[0xff, 0xc0, 0xf8], None),
        ("u3", 5, &[0xff, 0xe0, 0xf8], Some(stray(1, 0xe0, 0x20))),
        ("u3", 5, &[0xff, 0xc0, 0xfc], Some(stray(2, 0xfc, 0x04))),
        ("u6", 3, &[0xff, 0xf0, 0xfc], None),
        ("u6", 3, &[0xff, 0xf1, 0xfc], Some(stray(1, 0xf1, 0x01))),
        ("u6", 1, &[0xf0, 0, 0xe0], Some(stray(2, 0xe0, 0x20))),
        ("boolean", 3, &[0, 1, 1], None),
        ("boolean", 3, &[0, 1, 255], Some("element 2 is 255, wanted 0 or 1".to_owned())),
        ("u8", 1, &[0xff], None),
    ] {
        let what: Vec<String> = what.map(|what| format!("Const `Const_0` of {ty}: {what}")).into_iter().collect();
        assert_eq!(of(ty, count, bytes), what, "{ty} {bytes:?}");
    }
    let strings = |begin: i32, texts: &[u8], end: i32| {
        [&1_i32.to_le_bytes()[..], &begin.to_le_bytes(), &end.to_le_bytes(), texts].concat()
    };
    assert_eq!(of("string", 1, &strings(0, b"tea", 3)), [""; 0]);
    let wrong = |what: &str| [format!("Const `Const_0` of string: {what}")];
    assert_eq!(of("string", 1, &strings(1, b"tea", 3)), wrong("the first string starts at byte 1, wanted 0"));
    assert_eq!(of("string", 1, &strings(0, b"t\xffa", 3)), wrong("string 0 is not UTF-8: its byte 1 is 0xff"));
    assert_eq!(of("string", 1, &strings(0, b"tea", 2)), wrong("the last string ends at byte 14, the constant has 15"));
}

#[test]
fn unknown_types_are_named() {
    let message = "the element type of `m` (Const) is dynamic";
    for ty in ["dynamic", "undefined", "Dynamic"] {
        let from = r#"<data element_type="f32" shape="32, 1""#;
        let found = edited("dynamic-type", from, &format!(r#"<data element_type="{ty}" shape="32, 1""#));
        let wanted = if ty == "Dynamic" { vec![] } else { pairs(&[(message, ty)]) };
        assert_eq!(found, wanted, "{ty}");
    }
    let missing = NET.xml.replace(r#" element_type="f32"/>"#, "/>");
    assert_eq!(said("dynamic-type", missing.clone().into(), NET.weights()), [], "another rule says so");
    assert!(findings(&read(missing, &NET.weights())).iter().any(|finding| finding.starts_with("E missing-attribute")));
}
