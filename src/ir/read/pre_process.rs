//! Reading of the `<pre-process>` of a net.

use super::super::pre_process::{Channel, Mean, PreProcess, Written};
use super::super::rules::INVALID_ATTRIBUTE;
use super::super::xml::attributes::resolved;
use super::super::xml::broken::Broken;
use super::super::xml::cursor::Tag;
use super::super::xml::number;
use super::Reader;
use crate::diagnostic::{Diagnostic, Fix};
use crate::ops::rules::LENIENT_NUMBER;
use crate::source::Span;

impl<'a> Reader<'a, '_> {
    /// Reads the element with the start tag `tag`.
    pub(super) fn pre_process(&mut self, tag: Tag<'a>) -> Result<PreProcess, Broken> {
        let mut all = PreProcess { tag: tag.span, reference: None, channels: Vec::new() };
        self.attributes(tag, |name, attribute| {
            if name == b"reference-layer-name" {
                all.reference = Some(attribute.value);
            }
        });
        while let Some(child) = self.child(tag)? {
            if child.name == b"channel" {
                let channel = self.channel(child, all.channels.len() as u64)?;
                all.channels.push(channel);
            } else {
                self.skip(child, tag, &[])?;
            }
        }
        Ok(all)
    }

    fn channel(&mut self, tag: Tag<'a>, index: u64) -> Result<Channel, Broken> {
        let mut written = None;
        self.attributes(tag, |name, attribute| {
            if name == b"id" {
                written = Some(attribute.value);
            }
        });
        let id = written.map_or(Some(index), |span| self.unsigned("id", span));
        let mut channel = Channel { tag: tag.span, id, mean: None };
        while let Some(child) = self.child(tag)? {
            if child.name != b"mean" {
                self.skip(child, tag, &[])?;
                continue;
            }
            if channel.mean.is_none() {
                channel.mean = Some(self.mean(child)?);
            } else {
                self.report_second(child, tag);
            }
            self.cursor.skip_content(child, self.limits.depth)?;
        }
        Ok(channel)
    }

    fn mean(&mut self, tag: Tag<'a>) -> Result<Mean, Broken> {
        let (mut value, mut offset, mut size) = (None, None, None);
        self.attributes(tag, |name, attribute| match name {
            b"value" => value = Some(attribute.value),
            b"offset" => offset = Some(attribute.value),
            b"size" => size = Some(attribute.value),
            _ => {}
        });
        // OpenVINO reads the two only together.
        let is_image = offset.is_some() && size.is_some();
        let mut written = |name, span: Option<Span>| Written {
            span,
            number: span.filter(|_| is_image).and_then(|span| self.unsigned(name, span)),
        };
        let (offset, size) = (written("offset", offset), written("size", size));
        Ok(Mean { tag: tag.span, value: value.map(|span| self.mean_value(span)), offset, size })
    }

    fn mean_value(&mut self, span: Span) -> Option<f32> {
        let text = resolved(self.text(span));
        let value = number::float(&text);
        let text = String::from_utf8_lossy(&text);
        match value {
            None => self.report(&INVALID_ATTRIBUTE, span, format!("`value=\"{text}\"` is not a floating-point number")),
            Some((_, true)) if text.is_empty() => {
                self.report(&LENIENT_NUMBER, span, "`value=\"\"` is no number, and OpenVINO reads one all the same");
            }
            Some((value, true)) => {
                let message = format!("OpenVINO reads `value=\"{text}\"` as {value}");
                let finding = Diagnostic::new(&LENIENT_NUMBER, span, message);
                self.sink.report(finding.fix(Fix::write(span, value.to_string())));
            }
            Some((_, false)) => {}
        }
        value.map(|(value, _)| value)
    }
}
