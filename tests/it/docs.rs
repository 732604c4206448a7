//! The documents that are written from the code, and that the code covers what it should.
//!
//! `OVLINT_UPDATE=1 cargo test docs` regenerates them.

mod answers;
mod owner;
mod pages;
mod rules;
mod shell;

use crate::program::is_updating;
use ovlint::internal::ops::revisions::{NEWEST, REVISIONS, Revision, revisions_of};
use ovlint::internal::ops::{CATEGORIES, Eval, Missing, OpSpec, Outputs, find, operations};
use ovlint::internal::query::snapshot::unified_diff;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// Revisions without a model here, and why.
const OUT_OF_SCOPE: &[(&str, u8, &str)] = &[];

#[test]
fn every_revision_is_modelled() {
    for Revision { name, opset, .. } in REVISIONS {
        let is_modelled = operations().any(|spec| spec.name == *name && spec.opset == *opset);
        let is_listed = OUT_OF_SCOPE.iter().any(|(listed, revision, _)| listed == name && revision == opset);
        assert!(is_modelled || is_listed, "{name} of opset{opset} is neither modelled nor listed as out of scope");
        assert!(!is_modelled || !is_listed, "{name} of opset{opset} is modelled and listed as out of scope");
    }
    for (name, opset, _) in OUT_OF_SCOPE {
        assert!(revisions_of(name).iter().any(|revision| revision.opset == *opset), "{name} of opset{opset} is none");
    }
}

#[test]
fn every_model_is_found_by_name() {
    for spec in operations() {
        assert!(find(spec.name, spec.opset).is_some_and(|found| std::ptr::eq(found, spec)), "{}", spec.name);
    }
}

#[test]
fn the_table_of_operations_is_up_to_date() {
    assert_written("docs/operations.md", &table());
}

/// Asserts that a document holds this text.
pub(crate) fn assert_written(path: &str, text: &str) {
    if is_updating() {
        std::fs::write(path, text).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    let diff = unified_diff(Path::new(path), &written, Path::new("generated"), text);
    assert!(diff.is_empty(), "OVLINT_UPDATE=1 cargo test docs: {path}\n{diff}");
}

/// Asserts that a folder holds these pages and nothing else.
fn assert_holds<'a>(folder: &str, pages: impl Iterator<Item = &'a str>) {
    let wanted: BTreeSet<String> = pages.map(|name| format!("{name}.md")).collect();
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(entries.collect::<BTreeSet<_>>(), wanted, "{folder}");
}

fn table() -> String {
    let (modelled, known) = (operations().count(), REVISIONS.len());
    let modelled = if modelled == known { "All".to_owned() } else { format!("{modelled} of the") };
    let mut text = format!(
        "# Operations\n\n\
         {modelled} {known} revisions of opset1 to opset{NEWEST} of OpenVINO 2026.4 are modelled. A layer means the newest revision in the\n\
         opset of its `version`. Inputs in brackets are optional, attributes in bold are required; *elements* is how the\n\
         values of outputs are computed where shapes depend on them.\n"
    );
    for category in CATEGORIES {
        let _ = write!(
            text,
            "\n## {}\n\n| operation | opsets | inputs | attributes | outputs | elements |\n|---|---|---|---|---|---|\n",
            category.name
        );
        let mut operations = category.operations.to_vec();
        operations.sort_by_key(|spec| (spec.name.to_ascii_lowercase(), spec.opset));
        for spec in operations {
            let _ = writeln!(text, "{}", row(spec));
        }
    }
    if !OUT_OF_SCOPE.is_empty() {
        text.push_str("\n## Without a model\n\nTheir outputs are taken from what the file declares.\n\n");
        text.push_str("| operation | opsets | why |\n|---|---|---|\n");
    }
    for (name, opset, why) in OUT_OF_SCOPE {
        let _ = writeln!(text, "| {name} | {} | {why} |", opsets(name, *opset));
    }
    text
}

fn row(spec: &OpSpec) -> String {
    let inputs: Vec<String> = spec
        .inputs
        .iter()
        .map(|input| match (input.variadic, input.optional) {
            (true, _) => format!("{}...", input.name),
            (false, true) => format!("[{}]", input.name),
            (false, false) => input.name.to_owned(),
        })
        .collect();
    let attributes: Vec<String> = spec
        .attrs
        .iter()
        .map(|attr| {
            if matches!(attr.missing, Missing::Default(_)) {
                attr.name.to_owned()
            } else {
                format!("**{}**", attr.name)
            }
        })
        .collect();
    let outputs = match spec.outputs {
        Outputs::Exactly(count) => count.to_string(),
        Outputs::FromAttr(name) => format!("`{name}`"),
        Outputs::Inferred => "as inferred".to_owned(),
        Outputs::FromBodies(_) => "as the bodies have".to_owned(),
    };
    let elements = match spec.eval {
        Eval::None => "",
        Eval::Copy(_) => "copied",
        Eval::Move(..) => "moved",
        Eval::Shape(_) => "from shapes",
        Eval::Compute(..) | Eval::Function(_) => "computed",
    };
    let cells =
        [spec.name, &opsets(spec.name, spec.opset), &inputs.join(", "), &attributes.join(", "), &outputs, elements];
    format!("| {} |", cells.join(" | "))
}

/// The opsets that hold a revision.
fn opsets(name: &str, opset: u8) -> String {
    let revision = revisions_of(name).iter().find(|revision| revision.opset == opset).unwrap();
    if revision.last() == opset { opset.to_string() } else { format!("{opset} to {}", revision.last()) }
}
