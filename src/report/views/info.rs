//! The facts about models: a page or a row each for people, and data for JSON.

mod rows;

pub use rows::{csv, markdown, table};

use super::stops::{self, MARK, MEANING};
use crate::query::info::Info;
use crate::query::stops::Stops;
use crate::query::{End, Oldest};
use crate::report::WIDTH;
use crate::report::wrap::{KEPT, wrap};
use crate::text::escape::line as clean;
use crate::text::{counted, grouped, path_text, plural};
use crate::types::{ElementType, PartialShape, bare_fact};
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

/// Limit for the operation types that are listed.
const TYPES: usize = 12;

/// Limit for the inputs or outputs that are listed.
const ENDS: usize = 20;

/// The digests that `--sha256` adds: of the XML and of the weights.
pub type Digests = (String, Option<String>);

/// A model and its facts.
pub type Page<'a> = (&'a Path, Info, Option<Digests>);

/// Formats the page of a model.
pub fn text(info: &Info, path: &Path, digests: Option<&Digests>) -> String {
    let mut text = String::new();
    let name = if info.name.is_empty() { String::new() } else { format!("  {}", shown(&info.name)) };
    let _ = writeln!(text, "{}{name}", shown(&path_text(path)));
    let mut row = |title: &str, value: &str| {
        let _ = writeln!(text, "{}", format!("  {title:<11} {value}").trim_end());
    };
    let lines = |row: &mut dyn FnMut(&str, &str), title: &str, value: &str| {
        for (i, line) in wrap(value, WIDTH - 14).lines().enumerate() {
            row(if i == 0 { title } else { "" }, &line.replace(KEPT, " "));
        }
    };
    row("IR", &format!("v{}", info.version));
    if let Some(runtime) = &info.runtime {
        let from = info.framework.as_ref().map(|from| format!(", from {}", shown(from))).unwrap_or_default();
        row("written by", &format!("OpenVINO {}{from}", shown(runtime)));
    }
    let ends = |row: &mut dyn FnMut(&str, &str), title: &str, all: &[End]| {
        let width = all.iter().take(ENDS).map(|one| shown(&one.layer).chars().count()).max().unwrap_or(0).min(60);
        for (i, one) in all.iter().take(ENDS).enumerate() {
            let others: Vec<String> =
                one.tensors.iter().filter(|name| **name != one.layer).map(|name| shown(name)).collect();
            let also = if others.is_empty() { String::new() } else { format!("  ({})", others.join(", ")) };
            let assumed = if is_assumed(one) { MARK } else { "" };
            let fact = one.fact.as_ref().map_or_else(|| "not connected".to_owned(), bare_fact);
            let title = if i == 0 { title } else { "" };
            row(title, &format!("{:<width$}  {fact}{assumed}{also}", shown(&one.layer)));
        }
        match all.len() {
            0 => row(title, "none"),
            count if count > ENDS => row("", &format!("and {} more", count - ENDS)),
            _ => {}
        }
    };
    ends(&mut row, "inputs", &info.inputs);
    ends(&mut row, "outputs", &info.outputs);
    let mut marked = info.inputs.iter().take(ENDS).chain(info.outputs.iter().take(ENDS));
    if marked.any(is_assumed) {
        for line in std::iter::once(MEANING.to_owned()).chain(stops::lines(&info.stops)) {
            lines(&mut row, "", &line);
        }
    }
    let listed = |all: &[(String, usize)]| {
        let all = all.iter().map(|(name, count)| format!("{}{KEPT}{}", shown(name), grouped(*count)));
        all.collect::<Vec<_>>().join(", ")
    };
    let top = info.types.get(..TYPES).unwrap_or(&info.types);
    let rest = info.types.len() - top.len();
    let more = if rest > 0 { format!(", and {rest} more type{}", plural(rest)) } else { String::new() };
    let types = if top.is_empty() { String::new() } else { format!(": {}{more}", listed(top)) };
    lines(&mut row, "layers", &format!("{}{types}", grouped(info.layers)));
    lines(&mut row, "opsets", &listed(&info.versions));
    let because = match info.oldest.reason() {
        reason if reason.is_empty() => String::new(),
        reason => format!("  ({})", shown(&reason)),
    };
    lines(&mut row, "needs", &format!("OpenVINO {} or newer{because}", info.oldest.release));
    for (i, ((ty, version), count)) in info.extensions.iter().enumerate() {
        let title = if i == 0 { "extensions" } else { "" };
        row(title, &format!("{} ({}) {}", shown(ty), shown(version), grouped(*count)));
    }
    row("xml", &bytes(info.xml_size));
    row("bin", &info.weights_size.map_or_else(|| "none".to_owned(), bytes));
    for (i, (ty, count, size)) in info.constants.iter().enumerate() {
        let title = if i == 0 { "constants" } else { "" };
        row(title, &format!("{:<8} {:>5}  {:>21}", ty.name(), grouped(*count), bytes(*size)));
    }
    if let Some((xml, bin)) = digests {
        row("sha256 xml", xml);
        row("sha256 bin", bin.as_deref().unwrap_or("none"));
    }
    match info.findings {
        (0, 0) => row("findings", "none"),
        (errors, warnings) => {
            let (errors, warnings) = (counted(errors, "error"), counted(warnings, "warning"));
            row("findings", &format!("{errors}, {warnings} (run `ovlint check` for details)"));
        }
    }
    text
}

fn is_assumed(end: &End) -> bool {
    end.fact.as_ref().is_some_and(|fact| fact.assumed)
}

fn bytes(count: u64) -> String {
    counted(usize::try_from(count).unwrap_or(usize::MAX), "byte")
}

/// Makes text of the model safe to print.
fn shown(text: &str) -> String {
    clean(text, 200)
}

#[derive(Serialize)]
struct Document<'a> {
    schema_version: &'static str,
    models: Vec<Record<'a>>,
    /// The release that the most demanding model needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    needs: Option<Needs<'a>>,
}

#[derive(Serialize)]
struct Record<'a> {
    path: String,
    name: &'a str,
    ir_version: u8,
    runtime_version: Option<&'a str>,
    framework: Option<&'a str>,
    inputs: Vec<Tensor<'a>>,
    outputs: Vec<Tensor<'a>>,
    layers: usize,
    types: Vec<Counted<'a>>,
    versions: Vec<Counted<'a>>,
    #[serde(skip_serializing_if = "Stops::is_empty")]
    stops: &'a Stops,
    needs: Needs<'a>,
    extensions: Vec<Extension<'a>>,
    xml_size: u64,
    weights_size: Option<u64>,
    constants: Vec<Constants>,
    #[serde(skip_serializing_if = "Option::is_none")]
    xml_sha256: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights_sha256: Option<&'a str>,
    errors: usize,
    warnings: usize,
}

#[derive(Serialize)]
struct Tensor<'a> {
    name: &'a str,
    tensors: &'a [String],
    #[serde(rename = "type")]
    ty: &'static str,
    shape: String,
    assumed: bool,
}

#[derive(Serialize)]
struct Counted<'a> {
    name: &'a str,
    layers: usize,
}

/// The oldest release that reads the model, and the reason.
#[derive(Serialize)]
struct Needs<'a> {
    openvino: String,
    because: &'a [String],
}

#[derive(Serialize)]
struct Extension<'a> {
    #[serde(rename = "type")]
    ty: &'a str,
    version: &'a str,
    layers: usize,
}

#[derive(Serialize)]
struct Constants {
    #[serde(rename = "type")]
    ty: &'static str,
    layers: usize,
    bytes: u64,
}

/// Returns all models as one line of JSON.
pub fn json(models: &[Page]) -> serde_json::Result<String> {
    let most = most_demanding(models.iter().map(|(path, info, _)| (*path, &info.oldest)));
    let needs = most.map(|(_, oldest)| needs(oldest));
    let models = models.iter().map(|(path, info, digests)| record(path, info, digests.as_ref())).collect();
    crate::report::document::text(&Document { schema_version: crate::report::document::SCHEMA_VERSION, models, needs })
}

/// Formats the release that several models need together, as the last line.
pub fn together<'a>(models: impl ExactSizeIterator<Item = (&'a Path, &'a Oldest)>) -> String {
    let count = models.len();
    let Some((path, oldest)) = most_demanding(models) else { return String::new() };
    let whose = if oldest.because.is_empty() {
        String::new()
    } else {
        format!(" ({}: {})", shown(&path_text(path)), shown(&oldest.reason()))
    };
    format!("{} need OpenVINO {} or newer{whose}\n", counted(count, "model"), oldest.release)
}

/// The first of the models that need the newest release.
fn most_demanding<'a>(models: impl Iterator<Item = (&'a Path, &'a Oldest)>) -> Option<(&'a Path, &'a Oldest)> {
    models.reduce(|most, next| if next.1.release > most.1.release { next } else { most })
}

fn needs(oldest: &Oldest) -> Needs<'_> {
    Needs { openvino: oldest.release.to_string(), because: &oldest.because }
}

fn record<'a>(path: &Path, info: &'a Info, digests: Option<&'a Digests>) -> Record<'a> {
    let tensor = |one: &'a End| Tensor {
        name: &one.layer,
        tensors: &one.tensors,
        ty: one.fact.as_ref().map_or(ElementType::Dynamic, |fact| fact.ty).name(),
        shape: one.fact.as_ref().map_or_else(|| PartialShape::UNKNOWN.to_string(), |fact| fact.shape.to_string()),
        assumed: is_assumed(one),
    };
    let counted =
        |all: &'a [(String, usize)]| all.iter().map(|(name, layers)| Counted { name, layers: *layers }).collect();
    let extensions = info.extensions.iter();
    let constants = info.constants.iter();
    Record {
        path: path_text(path),
        name: &info.name,
        ir_version: info.version,
        runtime_version: info.runtime.as_deref(),
        framework: info.framework.as_deref(),
        inputs: info.inputs.iter().map(tensor).collect(),
        outputs: info.outputs.iter().map(tensor).collect(),
        layers: info.layers,
        types: counted(&info.types),
        versions: counted(&info.versions),
        stops: &info.stops,
        needs: needs(&info.oldest),
        extensions: extensions.map(|((ty, version), n)| Extension { ty, version, layers: *n }).collect(),
        xml_size: info.xml_size,
        weights_size: info.weights_size,
        constants: constants.map(|(ty, n, bytes)| Constants { ty: ty.name(), layers: *n, bytes: *bytes }).collect(),
        xml_sha256: digests.map(|(xml, _)| xml.as_str()),
        weights_sha256: digests.and_then(|(_, bin)| bin.as_deref()),
        errors: info.findings.0,
        warnings: info.findings.1,
    }
}
