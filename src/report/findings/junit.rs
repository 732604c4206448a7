//! The XML of `JUnit`: a suite per model and a test case per finding.

use super::entry::{Entry, entries, file_text};
use super::{concise, xml};
use crate::diagnostic::Severity;
use crate::report::ModelReport;
use crate::report::format::FormatSpec;
use std::fmt::Write;

pub(in crate::report) static FORMAT: FormatSpec = FormatSpec {
    is_document: true,
    head: || Ok(format!("{}{HEAD}", xml::DECLARATION)),
    tail: |_, _| Ok(TAIL.to_owned()),
    ..FormatSpec::new("junit", "JUnit's XML, a suite per model", |model, options| Ok(render(model, options.fail_on)))
};

const HEAD: &str = "<testsuites name=\"ovlint\">\n";
const TAIL: &str = "</testsuites>\n";

/// The `<testsuite>` of a model. Findings from `fail_on` up fail, others are passed cases with text; a model without
/// findings is one passed case.
fn render(model: &ModelReport, fail_on: Option<Severity>) -> String {
    let file = xml::text(&file_text(model));
    let (mut cases, mut tests, mut failures) = (String::new(), 0, 0);
    for entry in entries(model) {
        let fails = fail_on.is_some_and(|level| entry.finding.severity >= level);
        tests += 1;
        failures += usize::from(fails);
        cases.push_str(&case(&file, &entry, fails));
    }
    if tests == 0 {
        tests = 1;
        let _ = writeln!(cases, "    <testcase name=\"no findings\" classname=\"{file}\" file=\"{file}\"/>");
    }
    format!(
        "  <testsuite name=\"{file}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\">\n{cases}  \
         </testsuite>\n"
    )
}

fn case(file: &str, entry: &Entry, fails: bool) -> String {
    let finding = entry.finding;
    let rule = finding.rule.name;
    let at = entry.place.map(|(start, _)| format!(" at {}:{}", start.line, start.column)).unwrap_or_default();
    let line = entry.place.map(|(start, _)| format!(" line=\"{}\"", start.line)).unwrap_or_default();
    let mut text = format!("{file}{}\n", xml::text(&concise::after_path(entry)));
    let notes = finding.notes.iter().map(|note| ("note", note)).chain(finding.help.iter().map(|help| ("help", help)));
    for (kind, line) in notes {
        let _ = writeln!(text, "{kind}: {}", xml::text(line));
    }
    let body = if fails {
        let message = xml::text(&entry.full_message());
        format!("<failure type=\"{rule}\" message=\"{message}\">{text}</failure>")
    } else {
        format!("<system-out>{text}</system-out>")
    };
    format!(
        "    <testcase name=\"{rule}{at}\" classname=\"{file}\" file=\"{file}\"{line}>\n      {body}\n    </testcase>\n"
    )
}
