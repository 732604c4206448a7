//! Const layers: their element type, shape and place in the weights, read from attributes as strictly as OpenVINO reads them.

use super::rules::INVALID_ATTRIBUTE;
use super::xml::attributes::resolved;
use super::xml::number;
use crate::diagnostic::{Diagnostic, Runtime, Sink};
use crate::ir::{Graph, Layer, find_attribute};
use crate::ops::Kind;
use crate::ops::apply::read_before_2026_2;
use crate::ops::attribute::{AttrValue, read};
use crate::ops::rules::{ATTRIBUTE_VALUE, LENIENT_NUMBER, MISSING_ATTRIBUTE, UNKNOWN_OP_ATTRIBUTE};
use crate::source::{Source, Span};
use crate::types::{ElementType, PartialShape, release};
use smallvec::SmallVec;

/// Element type, shape and bytes of a Const layer.
#[derive(Debug, Clone)]
pub struct Constant {
    /// The element type.
    pub ty: ElementType,
    /// The dimensions, never negative.
    pub lengths: SmallVec<[i64; 4]>,
    /// The first byte in the weights file.
    pub offset: u64,
    /// The number of bytes.
    pub size: u64,
}

impl Constant {
    /// Returns the shape.
    pub fn shape(&self) -> PartialShape {
        PartialShape::exact(&self.lengths)
    }

    /// Returns the offset after the last byte in the weights file.
    pub fn end(&self) -> u64 {
        self.offset.saturating_add(self.size)
    }

    /// Returns the number of elements; `None` if it overflows 64 bits.
    pub fn elements(&self) -> Option<u64> {
        if self.lengths.contains(&0) {
            return Some(0);
        }
        self.lengths.iter().try_fold(1_u64, |n, length| n.checked_mul(u64::try_from(*length).ok()?))
    }

    /// Returns the size of the elements in bytes; `None` if it overflows or the type has no fixed size (string, dynamic).
    pub fn bytes_needed(&self) -> Option<u64> {
        self.ty.storage(self.elements()?)
    }

    /// Returns the number of bytes that hold the bits of all elements: for u3 and u6, which are stored in blocks, fewer than
    /// [`Self::bytes_needed`]. OpenVINO wants no more. `None` if it overflows.
    pub fn bytes_of_bits(&self) -> Option<u64> {
        Some(self.elements()?.checked_mul(u64::from(self.ty.bits()))?.div_ceil(8))
    }
}

/// Reads the attributes of a Const layer and removes them from it; adds the `Constant` that they describe, if any.
pub(super) fn read_constant(graph: &mut Graph, layer: &mut Layer, source: &Source, sink: &mut Sink) {
    if let Some(constant) = constant(graph, layer, source, sink) {
        layer.constant = graph.add_constant(constant);
    }
    let (start, end) = std::mem::take(&mut layer.attrs);
    if start < end && end as usize == graph.attrs.len() {
        graph.attrs.truncate(start as usize);
    }
}

fn constant(graph: &Graph, layer: &Layer, source: &Source, sink: &mut Sink) -> Option<Constant> {
    let (mut ty, mut lengths, mut offset, mut size) = (None, None, None, None);
    let mut seen = [false; 4];
    let declared_type = || {
        let attr = find_attribute(source, layer.data, "element_type")?;
        element_type(&resolved(source.slice(attr.value)))
    };
    let (mut unknown, mut is_inline) = (0, false);
    for attr in graph.attrs(layer) {
        let raw = &*resolved(source.slice(attr.value));
        match source.slice(attr.name) {
            b"element_type" => {
                seen[0] = true;
                ty = element_type(raw).or_else(|| {
                    let text = String::from_utf8_lossy(raw);
                    let message = format!("`element_type=\"{text}\"` of Const is not an element type");
                    let finding = about(graph, layer, source, &ATTRIBUTE_VALUE, attr.value, message);
                    let of_ports = || ElementType::from_port_text(&text.to_uppercase());
                    sink.report(match ElementType::from_data_text(&text).or_else(of_ports) {
                        Some(meant) => finding.help(format!("did you mean `{}`?", meant.name())),
                        None => finding,
                    });
                    None
                });
            }
            b"shape" => {
                seen[1] = true;
                lengths = shape(graph, layer, source, attr.value, declared_type, sink);
            }
            name @ (b"offset" | b"size") => {
                seen[if name == b"offset" { 2 } else { 3 }] = true;
                let number = number::unsigned(raw);
                if number.is_none() {
                    let (name, text) = (String::from_utf8_lossy(name), String::from_utf8_lossy(raw));
                    let message = format!("`{name}=\"{text}\"` {}", number::why_not(raw));
                    sink.report(about(graph, layer, source, &INVALID_ATTRIBUTE, attr.value, message));
                }
                *if name == b"offset" { &mut offset } else { &mut size } = number;
            }
            b"PrimitivesPriority" | b"alt_width" => {}
            b"value" => {
                is_inline = true;
                let message = "Const has no attribute `value`; OpenVINO takes its text for the data";
                sink.report(about(graph, layer, source, &UNKNOWN_OP_ATTRIBUTE, attr.name, message.to_owned()));
            }
            name if unknown < UNKNOWN_ATTRIBUTES => {
                unknown += 1;
                let message =
                    format!("Const has no attribute `{}`; OpenVINO ignores it", String::from_utf8_lossy(name));
                sink.report(about(graph, layer, source, &UNKNOWN_OP_ATTRIBUTE, attr.name, message));
            }
            _ => {}
        }
    }
    let names = ["element_type", "shape", "offset", "size"];
    let missing: Vec<&str> = names.into_iter().zip(seen).filter(|(_, seen)| !seen).map(|(name, _)| name).collect();
    if !missing.is_empty() {
        let span = if layer.data.is_empty() { layer.tag } else { layer.data };
        let message = format!("Const has no `{}`", missing.join("`, `"));
        let finding = about(graph, layer, source, &MISSING_ATTRIBUTE, span, message);
        sink.report(match missing[..] {
            _ if is_inline => finding.runtime(Runtime::Accepts),
            // OpenVINO reads the number of strings from the stored bytes, not from the shape.
            ["shape"] if declared_type() == Some(ElementType::String) => finding.runtime(Runtime::Unknown),
            ["shape" | "element_type"] | ["element_type", "shape"] => finding.since(release(2026, 4)),
            _ => finding,
        });
    }
    if is_inline {
        return None;
    }
    Some(Constant { ty: ty?, lengths: lengths?, offset: offset?, size: size? })
}

/// The maximum number of unknown attributes that are reported per layer.
const UNKNOWN_ATTRIBUTES: usize = 16;

/// Reads the element type of a Const. OpenVINO parses its text twice: as an attribute and, except for three common types, as
/// a port precision; so both grammars must allow it.
pub(super) fn element_type(raw: &[u8]) -> Option<ElementType> {
    match raw {
        b"i64" => return Some(ElementType::I64),
        b"f32" => return Some(ElementType::F32),
        b"i32" => return Some(ElementType::I32),
        _ => {}
    }
    let text = std::str::from_utf8(raw).ok()?;
    let ty = ElementType::from_data_text(text)?;
    ElementType::from_port_text(text).map(|_| ty)
}

fn shape(
    graph: &Graph,
    layer: &Layer,
    source: &Source,
    span: Span,
    declared_type: impl Fn() -> Option<ElementType>,
    sink: &mut Sink,
) -> Option<SmallVec<[i64; 4]>> {
    let raw = resolved(source.slice(span));
    if let Some(lengths) = plain_list(&raw) {
        return Some(lengths);
    }
    let text = String::from_utf8_lossy(&raw);
    match read(Kind::COUNTS, &text) {
        Ok(reading) => {
            let Some(AttrValue::Ints(lengths)) = reading.value else { return None };
            if reading.lenient {
                let message = format!("OpenVINO reads `shape=\"{text}\"` as {lengths:?}");
                sink.report(about(graph, layer, source, &LENIENT_NUMBER, span, message));
            }
            Some(lengths)
        }
        Err(_) => {
            let message = format!("`shape=\"{text}\"` of Const must be a comma-separated list of lengths");
            let finding = about(graph, layer, source, &ATTRIBUTE_VALUE, span, message);
            // OpenVINO counts elements modulo 2^64, so some negative dimensions give no elements, as a 0 does. It reads
            // the number of strings from the stored bytes, and compares no sizes for the type dynamic. Packed types get
            // no verdict either.
            let numbers = read(Kind::Ints(i64::MIN, i64::MAX), &text).ok().and_then(|reading| reading.value);
            let wraps = |one: &i64| *one == 0 || *one < -i64::from(u32::MAX);
            let product = |all: &[i64]| all.iter().fold(1_i64, |count, one| count.wrapping_mul(*one));
            let may_wrap = matches!(numbers, Some(AttrValue::Ints(all)) if all.iter().any(wraps) || product(&all) >= 0);
            let is_unsized = |ty| matches!(ty, ElementType::String | ElementType::Dynamic) || ty.is_packed();
            let may_wrap = may_wrap || declared_type().is_some_and(is_unsized);
            let is_read = read(Kind::COUNTS, &read_before_2026_2(&text)).is_ok();
            sink.report(match is_read {
                _ if may_wrap => finding.runtime(Runtime::Unknown),
                true => finding.since(release(2026, 2)),
                false => finding,
            });
            None
        }
    }
}

/// Parses a list of digits, commas and single blanks, as OpenVINO writes it; `None` leaves other forms to the full parser.
pub(super) fn plain_list(raw: &[u8]) -> Option<SmallVec<[i64; 4]>> {
    if raw.is_empty() {
        return Some(SmallVec::new());
    }
    raw.split(|b| *b == b',')
        .map(|item| {
            let digits = item.strip_prefix(b" ").unwrap_or(item);
            if !(1..=18).contains(&digits.len()) {
                return None;
            }
            digits.iter().try_fold(0_i64, |n, b| b.is_ascii_digit().then(|| n * 10 + i64::from(b - b'0')))
        })
        .collect()
}

fn about(
    graph: &Graph,
    layer: &Layer,
    source: &Source,
    rule: &'static crate::diagnostic::Rule,
    span: Span,
    message: String,
) -> Diagnostic {
    Diagnostic::new(rule, span, message).layer(graph.layer_ref(source, layer)).label(layer.tag, "in this Const layer")
}
