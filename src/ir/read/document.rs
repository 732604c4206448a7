//! Reading of the file's top level: the declaration, the root, and anything around it.

use super::super::identify;
use super::super::rules::{
    INVALID_ATTRIBUTE, NOT_OPENVINO_IR, UNSUPPORTED_IR_VERSION, XML_DOCTYPE, XML_ENCODING, XML_TRAILING_CONTENT,
};
use super::super::xml::attributes::{resolved, unescape};
use super::super::xml::broken::Broken;
use super::super::xml::cursor::{Tag, Token};
use super::super::xml::number;
use super::{Net, Reader, is_conflict_mark};
use crate::diagnostic::Diagnostic;
use crate::ir::Attribute;
use crate::ops::rules::MISSING_ATTRIBUTE;
use crate::source::Span;

/// The number of bytes by which OpenVINO recognizes an IR. Before 2024.5 they must not be the whole document.
pub(crate) const HEADER: usize = 512;

impl<'a> Reader<'a, '_> {
    /// Reads the file; `other` is the first byte that is not UTF-8.
    pub(super) fn document(&mut self, other: Option<usize>) -> Result<Option<Net>, Broken> {
        let bytes = self.source.bytes();
        if let Some(message) = identify::weights(self.source.path(), bytes) {
            self.report(&NOT_OPENVINO_IR, Span::default(), message);
            return Ok(None);
        }
        if let Some(kind) = identify::kind_of(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)) {
            self.not_ir(Span::default(), kind);
            return Ok(None);
        }
        if let Some(at) = other {
            let message = format!("byte {:#04x} is not UTF-8", bytes.get(at).copied().unwrap_or(0));
            self.report(&XML_ENCODING, Span::new(at, at + 1), message);
        }
        let mut net = None;
        let mut had_root = false;
        let mut had_second = false;
        loop {
            match self.cursor.next()? {
                Token::Start(tag) if had_root => {
                    if !std::mem::replace(&mut had_second, true) {
                        let name = String::from_utf8_lossy(tag.name).into_owned();
                        let message = format!("a second root element <{name}> is ignored");
                        self.report(&XML_TRAILING_CONTENT, tag.span, message);
                    }
                    self.cursor.skip_content(tag, usize::MAX)?;
                }
                Token::Start(tag) => {
                    had_root = true;
                    net = self.root(tag)?;
                    if net.is_none() {
                        return Ok(None);
                    }
                }
                Token::Text(span) if is_conflict_mark(self.text(span)) => self.report_stray_text(span),
                Token::Text(span) => {
                    let place = if had_root { "after </net>" } else { "before the root element" };
                    self.report(&XML_TRAILING_CONTENT, span, format!("text {place} is ignored"));
                }
                Token::Doctype(span) => {
                    self.report(
                        &XML_DOCTYPE,
                        span,
                        "the file has a document type declaration; its entities are not expanded",
                    );
                }
                Token::Declaration(span) => self.declaration(span),
                Token::Close(_) => {} // The cursor rejects an end tag without a start tag.
                Token::End => break,
            }
        }
        if !had_root {
            self.not_ir(Span::default(), "an XML file without any element");
        } else if self.cursor.end() < bytes.len() {
            let span = Span::new(self.cursor.end(), bytes.len());
            self.report(&XML_TRAILING_CONTENT, span, "everything from a NUL byte on is ignored");
        }
        Ok(net)
    }

    pub(super) fn not_ir(&mut self, span: Span, kind: &str) {
        self.report(&NOT_OPENVINO_IR, span, format!("this is {kind}, not an OpenVINO IR"));
    }

    /// Reports an XML declaration with an encoding that does not match the bytes.
    pub(super) fn declaration(&mut self, span: Span) {
        let text = self.source.text(span);
        let Some((_, rest)) = text.split_once("encoding") else { return };
        let label: String = rest
            .trim_start_matches([' ', '=', '"', '\''])
            .chars()
            .take_while(|c| !matches!(c, '"' | '\'' | '?'))
            .collect();
        let (lower, actual) = (label.to_ascii_lowercase(), self.source.encoding());
        let kept = match actual {
            Some("ISO-8859-1") => true, // This encoding is recognised by the declaration alone.
            Some(encoding) => lower.starts_with(&encoding.to_ascii_lowercase()),
            None => matches!(lower.as_str(), "utf-8" | "utf8" | "us-ascii" | "ascii"),
        };
        if !kept {
            let message =
                format!("the file declares the encoding `{label}`, but is read as {}", actual.unwrap_or("UTF-8"));
            self.report(&XML_ENCODING, span, message);
        }
    }

    pub(super) fn root(&mut self, tag: Tag<'a>) -> Result<Option<Net>, Broken> {
        if !tag.name.eq_ignore_ascii_case(b"net") {
            let name = String::from_utf8_lossy(tag.name).into_owned();
            self.not_ir(tag.span, &format!("XML with root <{name}>"));
            return Ok(None);
        }
        let (mut version, mut name) = (None, Span::default());
        self.attributes(tag, |key, attribute| match key {
            b"version" => version = Some(attribute),
            b"name" => name = attribute.value,
            _ => {}
        });
        let name = unescape(self.text(name)).into_owned();
        let Some(attribute) = version else {
            self.report(&MISSING_ATTRIBUTE, tag.span, "<net> has no `version`; OpenVINO reads 10 and 11");
            return Ok(None);
        };
        let span = attribute.value;
        let version = match number::unsigned(&resolved(self.text(span))) {
            Some(10) => 10,
            Some(11) => 11,
            Some(other) => {
                let finding = Diagnostic::new(
                    &UNSUPPORTED_IR_VERSION,
                    span,
                    format!("IR version {other}; OpenVINO reads 10 and 11"),
                );
                self.sink.report(if other < 10 {
                    finding.help("convert the original model again, for instance by `ovc`")
                } else {
                    finding
                });
                return Ok(None);
            }
            None => {
                let text = unescape(self.text(span));
                self.report(
                    &INVALID_ATTRIBUTE,
                    span,
                    format!("`version=\"{text}\"` {}", number::why_not(text.as_bytes())),
                );
                return Ok(None);
            }
        };
        self.cut_version(attribute);
        let graph = if tag.closes { self.empty_graph(tag) } else { self.graph(tag, 0)? };
        let pre_process = self.pre_process.take();
        Ok(Some(Net { version, name, graph, notes: Vec::new(), settings: None, pre_process, comments: Vec::new() }))
    }

    /// Reports a version that the end of the header cuts, so that OpenVINO reads another number there, or none.
    fn cut_version(&mut self, version: Attribute) {
        let (name, value) = (version.name.range(), version.value.range());
        let held = self.source.bytes().get(value.start..value.end.min(HEADER)).unwrap_or_default();
        if name.end <= HEADER && HEADER < value.end && !matches!(number::unsigned(held), Some(10 | 11)) {
            let message = format!("the first {HEADER} bytes, by which OpenVINO recognizes an IR, end inside `version`");
            let finding = Diagnostic::new(&UNSUPPORTED_IR_VERSION, version.value, message);
            self.sink.report(finding.help("put `version` first in <net>, or shorten what stands before it"));
        }
    }
}
