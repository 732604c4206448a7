//! The findings as JSON for programs, consequences included: one document (`json`), or one record per line (`ndjson`).

use super::{FormatSpec, Join};
use crate::diagnostic::{
    Applicability, Diagnostic, Edit, FindingId, Fix, Group, Label, PortRef, Runtime, Severity, WeightsRange,
    fingerprint,
};
use crate::query::ReadBy;
use crate::report::document::{SCHEMA_VERSION, text};
use crate::report::home::rule_page;
use crate::report::words;
use crate::report::{ModelReport, Summary, has_place};
use crate::source::{Lines, Span};
use crate::text::path_text;
use crate::types::Basis;
use serde::Serialize;
use std::borrow::Cow;

pub(in crate::report) static FORMAT: FormatSpec = FormatSpec {
    is_document: true,
    head,
    join: Join::Commas,
    tail: |end, _| tail(end.summary),
    ..FormatSpec::new("json", "one object with every model, finding and count", |report, _| model(report))
};

/// Renders the whole run: tool, models with their findings, and the counts.
pub fn render(models: &[ModelReport], summary: &Summary) -> serde_json::Result<String> {
    let models: Vec<String> = models.iter().map(model).collect::<Result<_, _>>()?;
    Ok(head()? + &models.join(",") + &tail(summary)?)
}

/// Renders the part before the models, which commas separate.
fn head() -> serde_json::Result<String> {
    Ok(format!("{{\"schema_version\":\"{SCHEMA_VERSION}\",\"tool\":{},\"models\":[", text(&TOOL)?))
}

/// Renders one model with its findings.
pub fn model(model: &ModelReport) -> serde_json::Result<String> {
    let fixed = model
        .fixed
        .map(|fixed| Fixed { findings: fixed.findings.iter().map(FixedRecord::new).collect(), edits: fixed.edits });
    let (path, openvino) = (path_text(model.path), model.model.and_then(ReadBy::of));
    text(&Model { path, openvino, findings: records(model).collect(), fixed })
}

/// Renders the part after the models.
fn tail(summary: &Summary) -> serde_json::Result<String> {
    Ok(format!("],\"summary\":{}}}\n", text(summary)?))
}

/// Renders one record per finding, each on its own line.
pub fn render_lines(model: &ModelReport) -> serde_json::Result<String> {
    records(model).map(|record| Ok(text(&record)? + "\n")).collect()
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

const TOOL: Tool = Tool { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") };

#[derive(Serialize)]
struct Model<'a> {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    openvino: Option<ReadBy>,
    findings: Vec<Record<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fixed: Option<Fixed<'a>>,
}

#[derive(Serialize)]
struct Fixed<'a> {
    findings: Vec<FixedRecord<'a>>,
    edits: &'a [Edit],
}

/// A fixed finding. It has no position, which would refer to an intermediate text.
#[derive(Serialize)]
struct FixedRecord<'a> {
    rule: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    applicability: Option<Applicability>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<&'a str>,
    fingerprint: String,
}

impl<'a> FixedRecord<'a> {
    fn new(finding: &'a Diagnostic) -> Self {
        Self {
            rule: finding.rule.name,
            message: finding.message.shown(),
            applicability: finding.fix.as_ref().map(|fix| fix.applicability),
            fix: finding.fix.as_ref().map(|fix| fix.message.shown()),
            fingerprint: fingerprint(finding),
        }
    }
}

#[derive(Serialize)]
struct Record<'a> {
    schema_version: &'static str,
    rule: &'static str,
    group: Group,
    severity: Severity,
    runtime: Runtime,
    message: &'a str,
    /// The text at the primary span.
    #[serde(skip_serializing_if = "str::is_empty")]
    label: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<Weights<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'a [i64]>,
    notes: Vec<Cow<'a, str>>,
    help: Option<String>,
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    body: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<Range>,
    #[serde(skip_serializing_if = "Option::is_none")]
    layer: Option<Layer<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<&'a PortRef>,
    #[serde(skip_serializing_if = "Option::is_none")]
    declared: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inferred: Option<&'a str>,
    basis: Basis,
    related: Vec<Related<'a>>,
    chain: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    consequence_of: Option<&'a str>,
    consequences: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<&'a Fix>,
    fingerprint: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

#[derive(Serialize)]
struct Range {
    start: Point,
    end: Point,
}

#[derive(Serialize)]
struct Point {
    line: u32,
    column: u32,
    byte: u32,
}

#[derive(Serialize)]
struct Layer<'a> {
    id: &'a str,
    name: &'a str,
    #[serde(rename = "type")]
    ty: &'a str,
    version: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
}

#[derive(Serialize)]
struct Related<'a> {
    message: &'a str,
    /// The file, if it is not that of the finding.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    layer: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<Weights<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'a [i64]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<Range>,
}

#[derive(Serialize)]
struct Weights<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(flatten)]
    range: &'a WeightsRange,
}

/// Returns the records of a model; counts the lines of its source once.
fn records<'a>(model: &ModelReport<'a>) -> impl Iterator<Item = Record<'a>> {
    let lines = model.source.filter(|_| !model.findings.is_empty()).map(Lines::new);
    let file = path_text(model.path);
    let (weights, name) = (model.weights_path.map(path_text), model.name);
    model.active().map(move |finding| Record::new(finding, name, &file, weights.as_deref(), lines.as_ref()))
}

impl<'a> Record<'a> {
    fn new(
        finding: &'a Diagnostic,
        model: Option<&'a str>,
        file: &str,
        weights: Option<&str>,
        lines: Option<&Lines>,
    ) -> Self {
        let range = |span: Span| lines.map(|lines| Range::new(lines, span));
        let bytes = |label: &'a Label| {
            let range = label.weights.as_ref()?;
            Some(Weights { file: weights.map(str::to_owned), range })
        };
        let labels = finding.labels.iter().map(|label| Related {
            message: label.message.shown(),
            file: None,
            layer: label.layer.as_deref(),
            weights: bytes(label),
            value: label.value.as_deref(),
            range: range(label.span),
        });
        let elsewhere = finding.elsewhere.iter().map(|other| Related {
            message: other.message.shown(),
            file: Some(path_text(&other.path)),
            layer: None,
            weights: None,
            value: None,
            range: other.place.map(|(span, start, end)| Range {
                start: Point { line: start.line, column: start.column, byte: span.start },
                end: Point { line: end.line, column: end.column, byte: span.end },
            }),
        });
        Self {
            schema_version: SCHEMA_VERSION,
            rule: finding.rule.name,
            group: finding.rule.group,
            severity: finding.severity,
            runtime: finding.runtime,
            message: finding.message.shown(),
            label: finding.primary.message.shown(),
            weights: bytes(&finding.primary),
            value: finding.primary.value.as_deref(),
            notes: words::notes(finding).collect(),
            help: Some(words::help(finding).collect::<Vec<_>>().join("\n")).filter(|help| !help.is_empty()),
            file: file.to_owned(),
            model,
            body: finding.body.iter().map(ToString::to_string).collect(),
            range: range(finding.primary.span).filter(|_| has_place(finding)),
            layer: finding.layer.as_ref().map(|layer| Layer {
                id: &layer.id,
                name: &layer.name,
                ty: &layer.ty,
                version: &layer.version,
                line: lines.map(|lines| lines.position(layer.span.start).line),
            }),
            port: finding.port.as_ref(),
            declared: finding.declared.as_deref(),
            inferred: finding.inferred.as_deref(),
            basis: finding.basis(),
            related: labels.chain(elsewhere).collect(),
            chain: &finding.chain,
            id: finding.id.map(FindingId::number),
            cause: finding.consequence_of.as_ref().map(|cause| cause.finding.number()),
            consequence_of: finding.consequence_of.as_ref().map(|cause| &*cause.layer),
            consequences: finding.consequences,
            fix: finding.fix.as_ref(),
            fingerprint: fingerprint(finding),
            url: rule_page(finding.rule.name),
        }
    }
}

impl Range {
    fn new(lines: &Lines, span: Span) -> Self {
        let point = |byte: u32| {
            let place = lines.position(byte);
            Point { line: place.line, column: place.column, byte }
        };
        Self { start: point(span.start), end: point(span.end) }
    }
}
