//! Reading of `<port>` elements and their dimensions.

use super::super::rules::{INVALID_DIM, UNKNOWN_PRECISION};
use super::super::xml::attributes::resolved;
use super::super::xml::broken::Broken;
use super::super::xml::cursor::{Tag, Token};
use super::super::xml::number;
use super::fast::{DimsCache, Text, section};
use super::{Reader, range};
use crate::diagnostic::{Applicability, Diagnostic, Direction, Edit, Fix, Refusal, Runtime, Severity};
use crate::ir::{Graph, Id, LayerId, Port, UNREADABLE_DIM};
use crate::ops::rules::{LENIENT_NUMBER, MISSING_ATTRIBUTE};
use crate::source::Span;
use crate::types::ElementType;
use std::borrow::Cow;

impl<'a> Reader<'a, '_> {
    /// Reads the ports on one side of a layer, if they come next in the plain form and within the limits.
    pub(super) fn plain_section(
        &mut self,
        direction: Direction,
        ports: &mut (u32, u32),
        graph: &mut Graph,
        cache: &mut DimsCache<'a>,
    ) -> bool {
        let first = graph.ports.len();
        let limits = self.limits;
        let mut found = None;
        self.cursor.skip_plain(|bytes, at| {
            let mut text = Text::new(bytes, at);
            found = section(direction, &mut text, graph, cache, limits);
            text.at
        });
        if found.is_some() {
            *ports = range(first, graph.ports.len());
        }
        found.is_some()
    }

    /// Reads the ports in an `<input>` or `<output>`; returns them as a range of `graph.ports`.
    pub(super) fn ports(
        &mut self,
        parent: Tag<'a>,
        direction: Direction,
        graph: &mut Graph,
    ) -> Result<(u32, u32), Broken> {
        let first = graph.ports.len();
        while let Some(tag) = self.child(parent)? {
            if tag.name != b"port" {
                self.report_ignored(tag, parent, &[]);
                self.cursor.skip_content(tag, self.limits.depth)?;
                continue;
            }
            if graph.ports.len() - first >= self.limits.ports {
                let reason = format!("a layer has more than {} ports on one side", self.limits.ports);
                return Err(Broken::limit(tag.span, reason, "--max-ports"));
            }
            let mut port = self.port_tag(tag, direction);
            let start = graph.dims.len();
            let mut has_notes = false;
            while let Some(child) = self.child(tag)? {
                match child.name {
                    b"dim" => self.dim(child, &mut graph.dims)?,
                    b"rt_info" if !std::mem::replace(&mut has_notes, true) => {
                        self.rt_info(child, graph.layers.len(), &mut graph.rt_info)?;
                    }
                    _ => self.skip(child, tag, &[b"rt_info"])?,
                }
            }
            port.end = self.end();
            port.dims = range(start, graph.dims.len());
            if graph.dims.len() - start > self.limits.rank {
                let reason = format!("a port has more than {} dimensions", self.limits.rank);
                return Err(Broken::limit(tag.span, reason, "--max-rank"));
            }
            graph.ports.push(port);
        }
        Ok(range(first, graph.ports.len()))
    }

    pub(super) fn port_tag(&mut self, tag: Tag<'a>, direction: Direction) -> Port {
        let (mut id, mut precision) = (None, None);
        self.attributes(tag, |key, attribute| match key {
            b"id" => id = Some(attribute.value),
            b"precision" => precision = Some(attribute.value),
            _ => {}
        });
        let number = match id {
            Some(span) => self.unsigned("id", span).and_then(Id::new),
            None => {
                let finding = Diagnostic::new(&MISSING_ATTRIBUTE, tag.span, "<port> has no `id`");
                self.sink.report(finding.refused(Refusal::NoAttribute("port", "id")));
                None
            }
        };
        let ty = precision.and_then(|span| self.precision(span, direction));
        if precision.is_none() && direction == Direction::Output {
            let finding = Diagnostic::new(&MISSING_ATTRIBUTE, tag.span, "output <port> has no `precision`");
            self.sink.report(finding.refused(Refusal::NoAttribute("port", "precision")));
        }
        Port { tag: tag.span, end: tag.span.end, id: number, precision: ty, dims: (0, 0), source: (LayerId::NONE, 0) }
    }

    pub(super) fn precision(&mut self, span: Span, direction: Direction) -> Option<ElementType> {
        let raw = resolved(self.text(span));
        let ty = std::str::from_utf8(&raw).ok().and_then(ElementType::from_port_text);
        if ty.is_none() {
            let text = String::from_utf8_lossy(&raw).into_owned();
            let near = ElementType::from_data_text(&text)
                .or_else(|| ElementType::all().find(|ty| ty.port_name().eq_ignore_ascii_case(&text)));
            let mut finding = Diagnostic::new(&UNKNOWN_PRECISION, span, format!("`{text}` is not a precision"));
            finding = finding.refused(Refusal::Precision(text));
            if direction == Direction::Input {
                finding = finding.severity(Severity::Warning).runtime(Runtime::Accepts);
            }
            if let Some(near) = near {
                finding = finding.fix(Fix {
                    applicability: Applicability::Unsafe,
                    message: format!("did you mean {}?", near.port_name()).into(),
                    edits: vec![Edit { span, text: near.port_name().to_owned() }],
                });
            }
            self.sink.report(finding);
        }
        ty
    }

    /// Reads one `<dim>`.
    pub(super) fn dim(&mut self, tag: Tag<'a>, dims: &mut Vec<i64>) -> Result<(), Broken> {
        let (text, span) = if tag.closes { Default::default() } else { self.first_text(tag)? };
        let span = if span.is_empty() { tag.span } else { span };
        let length = number::dimension(&text);
        let text = String::from_utf8_lossy(&text);
        match length {
            Some((length, true)) => {
                let message = format!("OpenVINO reads `<dim>{text}</dim>` as {length}");
                let finding = Diagnostic::new(&LENIENT_NUMBER, span, message);
                self.sink.report(finding.fix(Fix::write(span, length.to_string())));
            }
            Some((_, false)) => {}
            None => {
                let is_integer = number::is_long_integer(text.as_bytes());
                let wrong = if is_integer { "does not fit in 64 bits" } else { "is not an integer >= -1" };
                let finding = Diagnostic::new(&INVALID_DIM, span, format!("`<dim>{text}</dim>` {wrong}"));
                let refusal = Refusal::Dimension(text.into_owned());
                self.sink.report(finding.help("write -1 for a dynamic dimension").refused(refusal));
            }
        }
        dims.push(length.map_or(UNREADABLE_DIM, |(length, _)| length));
        Ok(())
    }

    /// Returns the first text in an element and its span. OpenVINO reads only this text, which ends at the next tag or
    /// comment.
    fn first_text(&mut self, tag: Tag<'a>) -> Result<(Cow<'a, [u8]>, Span), Broken> {
        let mut found = None;
        loop {
            match self.cursor.next()? {
                Token::Text(span) if found.is_none() => {
                    let raw = self.text(span);
                    let before = self.source.slice(Span { start: span.start.saturating_sub(9), end: span.start });
                    let text = if before == b"<![CDATA[" { Cow::Borrowed(raw) } else { resolved(raw) };
                    found = Some((text, span));
                }
                Token::Start(inner) => self.cursor.skip_content(inner, self.limits.depth)?,
                Token::Close(_) => return Ok(found.unwrap_or_default()),
                Token::End => return Err(self.cursor.cut_short(tag)),
                Token::Text(_) | Token::Doctype(_) | Token::Declaration(_) => {}
            }
        }
    }
}
