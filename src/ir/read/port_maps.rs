//! Reading of port maps and back edges, as written.

use super::super::body::{BodyKind, PortMapEntry, Slice, Subgraph};
use super::super::rules::INVALID_ATTRIBUTE;
use super::super::xml::attributes::resolved;
use super::super::xml::broken::Broken;
use super::super::xml::cursor::Tag;
use super::Reader;
use crate::diagnostic::{Diagnostic, Direction, Runtime, Severity};
use crate::ops::rules::MISSING_ATTRIBUTE;
use crate::source::Span;

impl<'a> Reader<'a, '_> {
    pub(super) fn port_map(&mut self, parent: Tag<'a>, subgraph: &mut Subgraph) -> Result<(), Broken> {
        let body = match parent.name {
            b"then_port_map" => BodyKind::Then,
            b"else_port_map" => BodyKind::Else,
            _ => BodyKind::Body,
        };
        while let Some(tag) = self.child(parent)? {
            match tag.name {
                b"input" => self.port_map_entry(tag, body, Direction::Input, &mut subgraph.port_map),
                b"output" => self.port_map_entry(tag, body, Direction::Output, &mut subgraph.port_map),
                _ => self.report_ignored(tag, parent, &[]),
            }
            self.cursor.skip_content(tag, self.limits.depth)?;
        }
        Ok(())
    }

    fn port_map_entry(&mut self, tag: Tag<'a>, body: BodyKind, direction: Direction, all: &mut Vec<PortMapEntry>) {
        const NAMES: [&[u8]; 7] =
            [b"external_port_id", b"internal_layer_id", b"axis", b"start", b"end", b"stride", b"part_size"];
        let mut numbers = [None; 7];
        let mut purpose = Span::default();
        self.attributes(tag, |key, attribute| {
            if let Some(i) = NAMES.iter().position(|name| *name == key) {
                numbers[i] = Some(attribute.value);
            } else if key == b"purpose" {
                purpose = attribute.value;
            }
        });
        let mut values = [None; 7];
        for (i, (name, span)) in NAMES.iter().zip(numbers).enumerate() {
            let Some(span) = span else { continue };
            let text = resolved(self.text(span));
            values[i] = std::str::from_utf8(&text).ok().and_then(|text| text.trim_start().parse::<i64>().ok());
            let is_unsigned = *name == b"internal_layer_id" || *name == b"axis" && direction == Direction::Input;
            if values[i].is_none_or(|value| value < 0 && is_unsigned) {
                let (shown, text) = (String::from_utf8_lossy(name), String::from_utf8_lossy(&text));
                let wanted = if is_unsigned { "an unsigned integer" } else { "an integer" };
                let message = format!("`{shown}=\"{text}\"` is not {wanted}");
                let finding = Diagnostic::new(&INVALID_ATTRIBUTE, span, message);
                let (external, axis) = (values[0], numbers[2]);
                let is_mapped = |entry: &PortMapEntry| {
                    (entry.body, entry.direction) == (body, direction) && entry.external_port == external
                };
                self.sink.report(match &*shown {
                    // OpenVINO skips the parts of a slice without an axis, the second entry for a port, and the axis of an
                    // entry without a port that has a purpose.
                    "start" | "end" | "stride" | "part_size" if axis.is_none() => {
                        finding.severity(Severity::Warning).runtime(Runtime::Accepts)
                    }
                    "internal_layer_id" if all.iter().any(is_mapped) => finding.runtime(Runtime::Unknown),
                    "axis" if external == Some(-1) && purpose != Span::default() => finding.runtime(Runtime::Unknown),
                    _ => finding,
                });
            }
        }
        for (i, name) in ["external_port_id", "internal_layer_id"].into_iter().enumerate() {
            if numbers[i].is_none() {
                self.report(&MISSING_ATTRIBUTE, tag.span, format!("port map entry has no `{name}`"));
            }
        }
        let [external, internal, axis, start, end, stride, part_size] = values;
        let slice = axis.map(|axis| Slice {
            axis,
            start: start.unwrap_or(0),
            end: end.unwrap_or(-1),
            stride: stride.unwrap_or(1),
            part_size: part_size.unwrap_or(1),
        });
        all.push(PortMapEntry {
            tag: tag.span,
            body,
            direction,
            external_port: external,
            internal_layer: internal.and_then(|id| u64::try_from(id).ok()),
            slice,
            purpose,
        });
    }

    pub(super) fn back_edges(&mut self, parent: Tag<'a>, subgraph: &mut Subgraph) -> Result<(), Broken> {
        while let Some(tag) = self.child(parent)? {
            if tag.name != b"edge" {
                self.skip(tag, parent, &[])?;
                continue;
            }
            let (mut from, mut to) = (None, None);
            self.attributes(tag, |key, attribute| match key {
                b"from-layer" => from = Some(attribute.value),
                b"to-layer" => to = Some(attribute.value),
                _ => {}
            });
            if to.is_none() {
                self.report(&MISSING_ATTRIBUTE, tag.span, "back edge has no `to-layer`");
            }
            let to = to.and_then(|span| self.unsigned("to-layer", span));
            // OpenVINO reads where an edge comes from only if it is the first that leads to a Parameter fed by a whole input.
            let is_fed = |entry: &PortMapEntry| {
                entry.direction == Direction::Input && entry.internal_layer == to && entry.slice.is_none()
            };
            let is_read = subgraph.port_map.iter().any(is_fed)
                && !subgraph.back_edges.iter().any(|(_, other, _)| Some(*other) == to);
            let runtime = if is_read { INVALID_ATTRIBUTE.runtime } else { Runtime::Unknown };
            if from.is_none() {
                let finding = Diagnostic::new(&MISSING_ATTRIBUTE, tag.span, "back edge has no `from-layer`");
                self.sink.report(finding.runtime(runtime));
            }
            let from = from.and_then(|span| self.unsigned_or("from-layer", span, runtime));
            if let (Some(from), Some(to)) = (from, to) {
                subgraph.back_edges.push((from, to, tag.span));
            }
            self.cursor.skip_content(tag, self.limits.depth)?;
        }
        Ok(())
    }
}
