//! The output of `ovlint info`: a page or a row per model for people, Markdown, CSV and JSON.

mod card;
mod ends;
mod rows;

pub use rows::{csv, markdown, table};

use super::stops::{self, MEANING};
use crate::lint::rules::EXTENSION_REQUIRED;
use crate::pipeline::Overview;
use crate::query::info::{Constants, Counted, Extension, Info};
use crate::query::{End, Oldest, Read};
use crate::report::findings::markdown::text as plain;
use crate::report::wrap::{KEPT, columns, wrap};
use crate::report::{WIDTH, document};
use crate::text::escape::line as clean;
use crate::text::{counted, grouped, path_text, plural};
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

/// The width of a line behind its title.
const ROOM: usize = WIDTH - 14;

/// A model and its facts.
pub type Page<'a> = (&'a Path, Info);

/// A line of a page.
struct Row {
    /// The title; empty if the line belongs to the one above.
    title: &'static str,
    line: String,
    /// Whether the line may be wrapped.
    wraps: bool,
}

/// Formats the page of a model.
pub fn text(info: &Info, path: &Path) -> String {
    let mut text = String::new();
    let name = if info.name.is_empty() { String::new() } else { format!("  {}", shown(&info.name)) };
    let _ = writeln!(text, "{}{name}", shown(&path_text(path)));
    for Row { title, line, wraps } in rows(info) {
        let line = if wraps { wrap(&line, ROOM) } else { line };
        for (i, line) in line.lines().enumerate() {
            let title = if i == 0 { title } else { "" };
            let _ = writeln!(text, "{}", format!("  {title:<11} {}", line.replace(KEPT, " ")).trim_end());
        }
    }
    text
}

/// Formats the page of a model as Markdown: a table with a row for each title.
pub fn card((path, info): &Page) -> String {
    let name = if info.name.is_empty() { String::new() } else { format!(" {}", plain(&shown(&info.name))) };
    let mut text = format!("### {}{name}\n\n| | |\n|---|---|\n", plain(&shown(&path_text(path))));
    for (i, Row { title, line, .. }) in rows(info).into_iter().enumerate() {
        let line = line.replace(KEPT, " ");
        // Text is aligned by blanks.
        let (head, rest) = line.split_once("  ").unwrap_or((&line, ""));
        let rest = rest.split_whitespace().collect::<Vec<_>>().join(" ");
        let between = if rest.is_empty() || rest.starts_with('(') { " " } else { ": " };
        let value = plain(format!("{head}{between}{rest}").trim_end());
        let end = if i == 0 { "" } else { " |\n" };
        let _ = if title.is_empty() { write!(text, "<br>{value}") } else { write!(text, "{end}| {title} | {value}") };
    }
    text + " |\n"
}

/// Returns the lines of the page of a model.
fn rows(info: &Info) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut add = |title, line: String, wraps| {
        rows.extend((!line.is_empty()).then_some(Row { title, line, wraps }));
    };
    let bin = info.weights_size.map_or_else(|| "no bin".to_owned(), |size| format!("bin {}", bytes(size)));
    add("IR", format!("v{}, xml {}, {bin}", info.ir_version, bytes(info.xml_size)), false);
    let made_by = card::made_by(&info.card, info.runtime_version.as_deref(), info.framework.as_deref());
    add("made by", made_by, true);
    add("is", info.card.is.as_ref().map(card::kind).unwrap_or_default(), true);
    for (title, all) in [("inputs", &info.inputs), ("outputs", &info.outputs)] {
        for (i, line) in ends::lines(all).into_iter().enumerate() {
            add(if i == 0 { title } else { "" }, line, false);
        }
    }
    let mut marked = info.inputs.iter().chain(&info.outputs);
    if marked.any(is_assumed) {
        for line in std::iter::once(MEANING.to_owned()).chain(stops::first(&info.stops, 1)) {
            add("", line, true);
        }
    }
    let types = info.types.iter().map(|one: &Counted| format!("{} {}", shown(&one.name), grouped(one.layers)));
    let colon = if info.types.is_empty() { "" } else { ": " };
    add("layers", fitted(&format!("{}{colon}", grouped(info.layers)), types, "type", ROOM), false);
    add("read by", read_by(info), true);
    let extension = |Extension { ty, version, library, layers }: &Extension| match library {
        Some(_) => format!("{ty} {}", grouped(*layers)),
        None => format!("{} ({}) {}", shown(ty), shown(version), grouped(*layers)),
    };
    add("extensions", fitted("", info.extensions.iter().map(extension), "type", ROOM), false);
    let constant = |one: &Constants| format!("{} {} ({})", one.ty.name(), grouped(one.layers), bytes(one.bytes));
    add("constants", fitted("", info.constants.iter().map(constant), "type", ROOM), false);
    for (i, line) in card::weights(&info.card).into_iter().enumerate() {
        add(if i == 0 { "weights" } else { "" }, line, true);
    }
    let quantized = info.card.quantized.iter().map(|one| ("quantized", card::quantized(one)));
    let declared = info.card.declared.iter().map(|one| ("declared", card::declared(one)));
    let preprocessed = info.card.preprocessing.iter().map(|one| ("preprocess", card::preprocessed(one)));
    let options = std::iter::once(("options", card::options(&info.card)));
    for (title, line) in quantized.chain(declared).chain(preprocessed).chain(options) {
        add(title, line, true);
    }
    if let Some(xml) = &info.xml_sha256 {
        add("sha256 xml", xml.clone(), false);
        add("sha256 bin", info.weights_sha256.clone().unwrap_or_else(|| "none".to_owned()), false);
    }
    let findings = match (info.errors, info.warnings) {
        (0, 0) => "none".to_owned(),
        (errors, warnings) => {
            let (errors, warnings) = (counted(errors, "error"), counted(warnings, "warning"));
            format!("{errors}, {warnings} (run `ovlint check` for details)")
        }
    };
    add("findings", findings, false);
    rows
}

/// Lists the items of a kind that fit into so many columns after a text, and counts the rest.
fn fitted(start: &str, all: impl ExactSizeIterator<Item = String>, kind: &str, room: usize) -> String {
    let (mut line, count) = (start.to_owned(), all.len());
    for (i, one) in all.enumerate() {
        let comma = if i > 0 { ", " } else { "" };
        let rest = |count: usize| match kind {
            "" => format!("{comma}and {count} more"),
            kind => format!("{comma}and {count} more {kind}{}", plural(count)),
        };
        let last = if i + 1 < count { columns(&rest(count - i - 1)) } else { 0 };
        if i > 0 && columns(&line) + comma.len() + columns(&one) + last > room {
            return line + &rest(count - i);
        }
        line = line + comma + &one;
    }
    line
}

fn is_assumed(end: &End) -> bool {
    end.fact.as_ref().is_some_and(|fact| fact.assumed)
}

fn bytes(count: u64) -> String {
    counted(usize::try_from(count).unwrap_or(usize::MAX), "byte")
}

/// Escapes text from the model, so that it is safe to print.
fn shown(text: &str) -> String {
    clean(text, 200)
}

#[derive(Serialize)]
struct Summaries<'a> {
    models: Vec<Summary<'a>>,
    /// The oldest release that can read all models.
    #[serde(skip_serializing_if = "Option::is_none")]
    needs: Option<&'a Oldest>,
    /// The pipelines that the folders hold.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pipelines: &'a [Overview],
}

#[derive(Serialize)]
struct Summary<'a> {
    path: String,
    #[serde(flatten)]
    info: &'a Info,
}

/// Returns all models as one line of JSON.
pub fn json(models: &[Page], pipelines: &[Overview]) -> serde_json::Result<String> {
    let most = most_demanding(models.iter().filter_map(needs));
    let models = models.iter().map(|(path, info)| Summary { path: path_text(path), info }).collect();
    document::of_all(&Summaries { models, needs: most.map(|(_, needs)| needs), pipelines })
}

/// Formats the releases that read a model, with what earlier ones lack, and the rules for which the newest one does not.
fn read_by(info: &Info) -> String {
    let Some(openvino) = &info.openvino else { return String::new() };
    let ranges: Vec<String> = openvino.reading().map(ToString::to_string).collect();
    let reads = (!ranges.is_empty()).then(|| {
        let ranges = format!("OpenVINO {}", ranges.join(", "));
        match info.needs.as_ref().filter(|needs| !needs.because.is_empty()) {
            Some(needs) => {
                let because = needs.because.iter().map(|reason| shown(reason));
                fitted(&format!("{ranges}  ("), because, "", ROOM - 1) + ")"
            }
            None => ranges,
        }
    });
    let fails = match openvino.read {
        Read::Reads => None,
        Read::Rejects => Some("rejects"),
        Read::Undecided => Some("may reject"),
    };
    let because = match &openvino.because[..] {
        [one] if one == EXTENSION_REQUIRED.name => format!(" without {}", libraries(&info.extensions)),
        all => format!("  ({})", shown(&all.join(", "))),
    };
    let fails = fails.map(|verb| format!("OpenVINO {} {verb} it{because}", openvino.release));
    reads.into_iter().chain(fails).collect::<Vec<_>>().join("; ")
}

/// Returns the library of the extension operations.
fn libraries(extensions: &[Extension]) -> &'static str {
    let mut all = extensions.iter().map(|one| one.library);
    let first = all.next().flatten();
    first.filter(|_| all.all(|one| one == first)).unwrap_or("its extension libraries")
}

/// Returns the release that a model needs, unless none reads it.
fn needs<'a>((path, info): &'a Page) -> Option<(&'a Path, &'a Oldest)> {
    Some((path, info.needs.as_ref()?))
}

/// Formats the last line about several models: the oldest release that can read all of them.
pub fn together<'a>(models: impl Iterator<Item = (&'a Path, &'a Oldest)> + Clone) -> String {
    let count = models.clone().count();
    let Some((path, oldest)) = most_demanding(models).filter(|_| count > 1) else { return String::new() };
    let whose = if oldest.because.is_empty() {
        String::new()
    } else {
        format!(" ({}: {})", shown(&path_text(path)), shown(&oldest.reason()))
    };
    format!("{} need OpenVINO {} or newer{whose}\n", counted(count, "model"), oldest.release)
}

/// Returns the first of the models that need the newest release.
fn most_demanding<'a>(models: impl Iterator<Item = (&'a Path, &'a Oldest)>) -> Option<(&'a Path, &'a Oldest)> {
    models.reduce(|most, next| if next.1.release > most.1.release { next } else { most })
}
