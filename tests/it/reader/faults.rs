//! One fault at a time in a valid file: which rule speaks, at which bytes, and what OpenVINO 2026.4.1 does with the file.
//!
//! `OVLINT_FAULTS=DIR` writes every faulty file there, to be shown to OpenVINO, and the findings in the notation below.

mod attributes;
mod constants;
mod declared;
mod dims;
mod edges;
mod encodings;
mod layers;
mod net;
mod operation_names;
mod parameters;
mod pedantic;
mod ports;
mod pre_process;
mod rt_info;
mod valid_models;
mod version_10;
mod xml;

use crate::program::show_openvino;
use ovlint::internal::diagnostic::{Diagnostic, Hint, Severity};
use ovlint::internal::{Model, Options, Weights};
use std::fmt::Write;
use valid_models::Base;

/// A fault and what comes of it.
struct Fault {
    name: &'static str,
    /// Texts that stand once in the base model, and what takes their place.
    edits: &'static [(&'static str, &'static str)],
    /// Whether OpenVINO rejects the file.
    rejected: bool,
    /// The findings, as `E rule: text under the mark`; E, W and I for error, warning and info.
    says: &'static [&'static str],
}

/// A fault with which OpenVINO rejects the file; at least one finding must be an error.
const fn rejected(
    name: &'static str,
    edits: &'static [(&'static str, &'static str)],
    says: &'static [&'static str],
) -> Fault {
    Fault { name, edits, rejected: true, says }
}

/// A fault that OpenVINO accepts.
const fn accepted(
    name: &'static str,
    edits: &'static [(&'static str, &'static str)],
    says: &'static [&'static str],
) -> Fault {
    Fault { name, edits, rejected: false, says }
}

/// Every finding of a model that follows from no other, in the notation of the tables.
fn findings(model: &Model) -> Vec<String> {
    let say = |finding: &Diagnostic| {
        let letter = match finding.severity {
            Severity::Error => 'E',
            Severity::Warning => 'W',
            Severity::Info => 'I',
            Severity::Off => '-',
        };
        format!("{letter} {}: {}", finding.rule.name, model.source().text(finding.primary.span))
    };
    model.findings().iter().filter(|finding| finding.consequence_of.is_none()).map(say).collect()
}

fn read(xml: impl Into<Vec<u8>>, weights: &[u8]) -> Model {
    Model::from_bytes("model.xml", xml.into(), Weights::in_memory(weights.to_vec()), &Options::default()).unwrap()
}

/// Holds every fault of a table against what is found, and reports all differences at once.
fn check(table: &str, base: &Base, faults: &[Fault]) {
    let bin = base.weights();
    let mut wrong = String::new();
    assert_eq!(findings(&read(base.xml, &bin)), Vec::<String>::new(), "the base model is clean");
    for fault in faults {
        let mut text = base.xml.to_owned();
        for (from, to) in fault.edits {
            assert_eq!(text.matches(from).count(), 1, "{table}/{}: `{from}` stands once", fault.name);
            text = text.replace(from, to);
        }
        write(table, fault, text.as_bytes(), &bin);
        compare(table, fault, &read(text, &bin), &mut wrong);
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn compare(table: &str, fault: &Fault, model: &Model, wrong: &mut String) {
    let found = findings(model);
    if found != fault.says {
        let _ = writeln!(wrong, "{table}/{}:\n  want {:?}\n  found {found:?}", fault.name, fault.says);
    }
    if fault.rejected && !model.has_errors() {
        let _ = writeln!(wrong, "{table}/{}: OpenVINO rejects the file, nothing here is an error", fault.name);
    }
}

fn write(table: &str, fault: &Fault, xml: &[u8], bin: &[u8]) {
    let verdict = if fault.rejected { "rejected" } else { "accepted" };
    show_openvino("OVLINT_FAULTS", &format!("{table}.{}.{verdict}", fault.name), xml, bin);
}

#[test]
fn a_message_says_what_is_wrong_with_a_number_an_element_or_a_tag() {
    let base = valid_models::NET;
    let bin = base.weights();
    let layer = r#"<layer id="10" name="mm" type="MatMul" version="opset1">"#;
    let map = format!("{layer}<else_port_map/>");
    for (from, to, message) in [
        (layer, map.as_str(), "<else_port_map> does not belong in this <layer>; it is ignored"),
        ("<dim>2</dim>", "<dim>9223372036854775808</dim>", "`<dim>9223372036854775808</dim>` does not fit in 64 bits"),
        ("<dim>2</dim>", "<dim>two</dim>", "`<dim>two</dim>` is not an integer >= -1"),
        ("</layer>", "</ layer>", "an end tag has no name right after `</`"),
        ("</layer>", "</layer id>", "an end tag has more in it than `</layer>`"),
    ] {
        assert!(base.xml.contains(from), "{from}");
        let model = read(base.xml.replacen(from, to, 1), &bin);
        let found: Vec<&str> = model.findings().iter().map(|finding| finding.message.shown()).collect();
        assert!(found.iter().any(|found| found.ends_with(message)), "{message}: {found:?}");
    }
}

/// The help and the fix of the first finding of a rule whose name begins so.
fn proposals(rule: &str, xml: &[u8], weights: &[u8]) -> Vec<String> {
    let model = read(xml, weights);
    let finding = model.findings().iter().find(|finding| finding.rule.name.starts_with(rule)).unwrap();
    let help = finding.help.iter().map(|hint| match hint {
        Hint::Text(text) | Hint::OtherOperation(text) => text.shown().to_owned(),
        other => format!("{other:?}"),
    });
    help.chain(finding.fix.iter().map(|fix| fix.message.shown().to_owned())).collect()
}
