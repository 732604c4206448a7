//! Locations in a SARIF report: files with ranges of their text, and layers and ports as logical locations.

use crate::diagnostic::{Diagnostic, Direction, Elsewhere};
use crate::remote::is_remote;
use crate::report::ModelReport;
use crate::source::{Lines, Span};
use crate::text::path_text;
use serde::Serialize;
use std::borrow::Cow;
use std::fmt::Write;
use std::path::Path;

/// The `uriBaseId` of relative paths.
pub(super) const BASE: &str = "SRCROOT";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Artifact {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

/// A range of a file's text; columns count characters, and the end is exclusive.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    byte_offset: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    byte_length: Option<usize>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Physical {
    pub(super) artifact_location: Artifact,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) region: Option<Region>,
}

impl Physical {
    /// Returns the location of a place in another file.
    pub(super) fn elsewhere(other: &Elsewhere) -> Self {
        let region = other.place.map(|(span, start, end)| Region {
            start_line: start.line,
            start_column: start.column,
            end_line: end.line,
            end_column: end.column,
            byte_offset: Some(span.start),
            byte_length: Some(span.len()),
        });
        Self { artifact_location: artifact(&other.path), region }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Logical<'a> {
    name: &'a str,
    fully_qualified_name: String,
    kind: &'static str,
}

/// The converter of spans and findings of one model to SARIF locations.
pub(super) struct Locator<'a> {
    model: ModelReport<'a>,
    lines: Option<Lines<'a>>,
    /// Set if the text was not converted from another encoding; only then are its byte positions those of the file.
    is_plain: bool,
}

impl<'a> Locator<'a> {
    pub(super) fn new(model: &ModelReport<'a>) -> Self {
        Self {
            model: *model,
            lines: model.source.filter(|_| !model.findings.is_empty()).map(Lines::new),
            is_plain: model.source.is_some_and(|source| source.encoding().is_none()),
        }
    }

    pub(super) fn artifact(&self) -> Artifact {
        artifact(self.model.path)
    }

    pub(super) fn region(&self, span: Span) -> Option<Region> {
        let lines = self.lines.as_ref()?;
        let (start, end) = (lines.position(span.start), lines.position(span.end));
        Some(Region {
            start_line: start.line,
            start_column: start.column,
            end_line: end.line,
            end_column: end.column,
            byte_offset: self.is_plain.then_some(span.start),
            byte_length: self.is_plain.then_some(span.len()),
        })
    }

    pub(super) fn physical(&self, span: Option<Span>) -> Physical {
        Physical { artifact_location: self.artifact(), region: span.and_then(|span| self.region(span)) }
    }

    /// Returns the logical location of a finding, which names its layer and port: `demo/loop_1/body/split_3/out:2`.
    pub(super) fn logical<'f>(&self, finding: &'f Diagnostic) -> Option<Logical<'f>> {
        let layer = finding.layer.as_ref()?;
        let name = self.model.name.filter(|name| !name.is_empty());
        let mut path: Vec<Cow<str>> = name.map(Cow::Borrowed).into_iter().collect();
        path.extend(finding.body.iter().map(|body| Cow::Owned(body.to_string())));
        path.push(Cow::Borrowed(&layer.name));
        let mut name = path.join("/");
        if let Some(port) = &finding.port {
            let side = if port.direction == Direction::Input { "in" } else { "out" };
            let _ = write!(name, "/{side}:{}", port.id);
        }
        Some(Logical { name: &layer.name, fully_qualified_name: name, kind: "element" })
    }
}

/// Returns the location of a file.
pub(super) fn artifact(file: &Path) -> Artifact {
    let path = path_text(file);
    if is_remote(file) {
        // `https://host:8000` is not encoded, only the path after it.
        let host = path.match_indices('/').nth(2).map_or(path.len(), |(at, _)| at);
        let (host, path) = path.split_at(host);
        return Artifact { uri: format!("{host}{}", encoded(path)), uri_base_id: None };
    }
    if file.is_absolute() {
        let slash = if path.starts_with('/') { "" } else { "/" };
        return Artifact { uri: format!("file://{slash}{}", encoded(&path)), uri_base_id: None };
    }
    Artifact { uri: encoded(path.strip_prefix("./").unwrap_or(&path)), uri_base_id: Some(BASE) }
}

/// Percent-encodes a path for a URI.
fn encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_encoded() {
        assert_eq!(encoded("a b/ü#1%.xml"), "a%20b/%C3%BC%231%25.xml");
        assert_eq!(encoded("c:/x"), "c%3A/x");
    }
}
