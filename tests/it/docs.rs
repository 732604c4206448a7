//! The documents that are written from the code, and that the code covers what it should.
//!
//! `OVLINT_UPDATE=1 cargo test docs` regenerates them.

mod answers;
mod messages;
mod owner;
mod pages;
mod releases;
mod rules;
mod shell;

use crate::program::is_updating;
use ovlint::internal::ops::revisions::NEWEST;
use ovlint::internal::ops::{CATEGORIES, Eval, Missing, OpSpec, Outputs, find, operations};
use ovlint::internal::query::snapshot::unified_diff;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

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
    let count = operations().count();
    let mut text = format!(
        "# Operations\n\n\
         ovlint models all {count} revisions of operations in opset1 to opset{NEWEST} of OpenVINO 2026.4. A layer uses the newest\n\
         revision of its operation in the opset that its `version` names. Inputs in brackets are optional, and attributes in bold\n\
         are required. The column *elements* says how ovlint computes the values of outputs where shapes depend on them.\n\n\
         [`ovlint explain Split`](commands/explain.md) shows one operation with types, bounds, defaults and an example;\n\
         [`ovlint generate operations`](commands/generate.md) prints all of them as JSON.\n"
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
        Outputs::FromBodies(_) => "as many as the bodies have".to_owned(),
    };
    let elements = match spec.eval {
        Eval::None => "",
        Eval::Copy(_) => "copied",
        Eval::Move(..) => "moved",
        Eval::Shape(_) => "from shapes",
        Eval::Compute(..) | Eval::Function(_) => "computed",
    };
    let cells = [spec.name, &opsets(spec), &inputs.join(", "), &attributes.join(", "), &outputs, elements];
    format!("| {} |", cells.join(" | "))
}

/// The opsets that hold a revision.
fn opsets(spec: &OpSpec) -> String {
    if spec.last() == spec.opset { spec.opset.to_string() } else { format!("{} to {}", spec.opset, spec.last()) }
}
