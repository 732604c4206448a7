//! GitLab's code quality report.

use super::entry::{entries, file_text};
use super::{FormatSpec, Join};
use crate::diagnostic::{Diagnostic, Fnv, Severity, fingerprint};
use crate::report::ModelReport;
use crate::report::document::text;
use serde::Serialize;
use std::collections::BTreeMap;

pub(in crate::report) static FORMAT: FormatSpec = FormatSpec {
    is_document: true,
    head: || Ok("[\n".to_owned()),
    join: Join::Commas,
    tail: |_, _| Ok("\n]\n".to_owned()),
    ..FormatSpec::new("gitlab", "GitLab's code quality report", |model, _| render(model))
};

#[derive(Serialize)]
struct Issue<'a> {
    description: String,
    check_name: &'a str,
    fingerprint: String,
    severity: &'a str,
    location: Location<'a>,
}

#[derive(Serialize)]
struct Location<'a> {
    path: &'a str,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
}

/// Renders the issues of a model, separated by commas; empty if there are none.
fn render(model: &ModelReport) -> serde_json::Result<String> {
    let path = file_text(model);
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut issues = Vec::new();
    for entry in entries(model) {
        let print = fingerprint(entry.finding);
        let count = seen.entry(print.clone()).or_default();
        *count += 1;
        issues.push(text(&Issue {
            description: entry.full_message(),
            check_name: entry.finding.rule.name,
            fingerprint: unique(&path, &print, *count),
            severity: severity(entry.finding),
            location: Location { path: &path, lines: Lines { begin: entry.line() } },
        })?);
    }
    Ok(issues.join(",\n"))
}

/// Makes a fingerprint unique: GitLab drops issues with a repeated one, even in another file.
fn unique(path: &str, fingerprint: &str, count: usize) -> String {
    let mut hash = Fnv::default();
    hash.field(0xff, path);
    hash.field(0xfe, fingerprint);
    hash.field(0xfd, &count.to_string());
    format!("{:016x}", hash.0)
}

fn severity(finding: &Diagnostic) -> &'static str {
    match (finding.severity, finding.runtime) {
        (Severity::Error, runtime) if runtime.fails() => "critical",
        (Severity::Error, _) => "major",
        (Severity::Warning, _) => "minor",
        (Severity::Info | Severity::Off, _) => "info",
    }
}
