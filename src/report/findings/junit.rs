//! The XML of `JUnit`: a suite per model and a test case per finding.

use super::FormatSpec;
use super::entry::{Entry, entries, file_text};
use super::{concise, xml};
use crate::diagnostic::{Direction, Severity};
use crate::report::ModelReport;
use crate::report::words;
use crate::text::{escape, stable_name};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;

pub(in crate::report) static FORMAT: FormatSpec = FormatSpec {
    is_document: true,
    head: || Ok(format!("{}{HEAD}", xml::DECLARATION)),
    tail: |_, _| Ok(TAIL.to_owned()),
    ..FormatSpec::new("junit", "JUnit XML with one test suite per model", |model, options| {
        Ok(render(model, options.fail_on))
    })
};

const HEAD: &str = "<testsuites name=\"ovlint\">\n";
const TAIL: &str = "</testsuites>\n";

/// The maximum number of characters of a layer's name in the name of a case.
const NAME: usize = 500;

/// Renders the `<testsuite>` of a model. Findings of severity `fail_on` or above are failed cases, others passed cases with
/// text. A model without findings is one passed case.
fn render(model: &ModelReport, fail_on: Option<Severity>) -> String {
    let file = xml::text(&file_text(model));
    let (mut cases, mut tests, mut failures) = (String::new(), 0, 0);
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for entry in entries(model) {
        let count = seen.entry(name(&entry)).or_default();
        *count += 1;
        let name = if *count == 1 { name(&entry) } else { format!("{} ({count})", name(&entry)) };
        let fails = fail_on.is_some_and(|level| entry.finding.severity >= level);
        tests += 1;
        failures += usize::from(fails);
        cases.push_str(&case(&file, &xml::text(&name), &entry, fails));
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

/// Formats the name of a case, which is stable across exports of a model: the rule, and instead of the line the layer and
/// the port, with `*` for generated numbers.
fn name(entry: &Entry) -> String {
    let finding = entry.finding;
    let bodies: Vec<String> = finding.body.iter().map(ToString::to_string).collect();
    let mut path: Vec<Cow<str>> = bodies.iter().map(|body| stable_name(body, "")).collect();
    let mut name = finding.rule.name.to_owned();
    if let Some(layer) = &finding.layer {
        path.push(stable_name(&layer.name, &layer.ty));
        let _ = write!(name, " {}", escape::line(&path.join("/"), NAME));
    }
    if let Some(port) = &finding.port {
        let side = if port.direction == Direction::Input { "in" } else { "out" };
        let _ = write!(name, " {side}:{}", escape::line(&port.id, NAME));
        let _ = port.dim.map_or(Ok(()), |dim| write!(name, "[{dim}]"));
    }
    name
}

fn case(file: &str, name: &str, entry: &Entry, fails: bool) -> String {
    let finding = entry.finding;
    let rule = finding.rule.name;
    let line = entry.position.map(|(start, _)| format!(" line=\"{}\"", start.line)).unwrap_or_default();
    let mut text = format!("{file}{}\n", xml::text(&concise::after_path(entry)));
    for (kind, line) in words::lines(finding) {
        let _ = writeln!(text, "{kind}: {}", xml::text(&line));
    }
    let body = if fails {
        let message = xml::text(&entry.full_message());
        format!("<failure type=\"{rule}\" message=\"{message}\">{text}</failure>")
    } else {
        format!("<system-out>{text}</system-out>")
    };
    format!(
        "    <testcase name=\"{name}\" classname=\"{file}\" file=\"{file}\"{line}>\n      {body}\n    </testcase>\n"
    )
}
