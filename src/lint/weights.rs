//! Checks of the weights file as a whole, and of the bytes that each constant takes from it.

mod mangled;
mod overlaps;
mod stray_bits;
mod values;
mod whole;

pub(crate) use stray_bits::STRAY_BITS;
pub use values::DEEP;
pub(crate) use values::{
    INVERTED_RANGE, MISREAD_WEIGHTS, NON_FINITE_WEIGHTS, SUBNORMAL_WEIGHTS, UNIFORM_WEIGHTS, ZERO_SCALE,
};
pub(crate) use whole::zero_tail;

use super::rules::{CONST_SIZE_EXCESS, CONST_SIZE_MISMATCH, STRING_CONST_LAYOUT, WEIGHTS_OUT_OF_RANGE};
use super::sized::declared_of_size;
use super::{Checked, dynamic_type, for_every_graph};
use crate::diagnostic::{Diagnostic, Fix, Refusal, Runtime, Severity, Sink};
use crate::ir::{Constant, Graph, Layer, LayerId, PreProcess, Role, find_attribute};
use crate::text::plural;
use crate::types::{ElementType, release};
use overlaps::Ranges;

/// The bytes that all constants need from the weights.
#[derive(Default)]
struct Needs {
    constants: usize,
    /// Set if a shape depends on the elements of a constant.
    is_read: bool,
    /// The end of the last constant that is reached.
    end: u64,
    /// The end of the last constant within the file.
    used: u64,
    ranges: Ranges,
    /// Findings about constants outside the file, each with the offset of its constant.
    outside: Vec<(u64, Diagnostic)>,
}

/// Checks the weights; `means` are read from them as well.
pub(super) fn check(checked: &Checked, means: Option<&PreProcess>, sink: &mut Sink) {
    let weights = checked.scope.weights;
    let mut needs = Needs::default();
    let mut strings = checked.scope.limits.work as u64;
    for_every_graph(checked, &mut |checked| {
        let graph = checked.scope.graph;
        for (index, layer) in graph.entries() {
            if graph.kind(layer).role != Role::Const {
                continue;
            }
            let Some(constant) = graph.constant(layer) else { continue };
            let reachable = checked.facts.is_reachable(index);
            if constant.ty == ElementType::Dynamic {
                dynamic_type::computed(checked, index, layer, sink);
            }
            for finding in size_findings(checked, layer, constant, &mut strings) {
                sink.report(finding);
            }
            if constant.end() <= weights.size() {
                needs.used = needs.used.max(constant.end());
            }
            note_needs(checked, layer, constant, reachable, &mut needs);
            needs.is_read = needs.is_read
                || reachable && checked.facts.plan().wants_values(index) && !is_read_without_bytes(graph, index);
        }
    });
    if weights.path.is_none() && !weights.is_available() {
        return; // The user wants no weights.
    }
    if needs.constants == 0 {
        return;
    }
    if !weights.is_available() {
        // A file that exists and cannot be opened is a failure, not a finding.
        weights.need();
        if weights.failure().is_none() {
            sink.report(whole::missing(weights, needs.constants));
        }
        return;
    }
    if let Some(finding) = whole::other_kind(weights, &needs) {
        sink.report(finding);
        return;
    }
    if weights.size() == 0 && needs.outside.is_empty() {
        if needs.is_read {
            sink.report(whole::empty(weights));
        }
        return;
    }
    whole::report_outside(checked, needs.outside, needs.used, needs.end, sink);
    whole::report_trailing(checked, needs.end.max(needs.used).max(means.map_or(0, PreProcess::end)), sink);
    needs.ranges.report(checked, sink);
    values::check(checked, sink);
    if checked.options.enables(&STRAY_BITS) {
        stray_bits::check(checked, sink);
    }
}

/// Whether OpenVINO needs no weights for this constant, which has no elements.
fn is_read_without_bytes(graph: &Graph, at: LayerId) -> bool {
    let mut readers = graph.dag.neighbors(at.node()).filter_map(|node| graph.layer(LayerId::from(node)));
    readers.all(|reader| graph.kind(reader).spec().is_some_and(|spec| spec.needs_no_bytes))
}

fn about(checked: &Checked, layer: &Layer, finding: Diagnostic) -> Diagnostic {
    checked.about(layer, finding).label(layer.tag, "in this Const layer")
}

fn size_findings(checked: &Checked, layer: &Layer, constant: &Constant, strings: &mut u64) -> Vec<Diagnostic> {
    let Constant { ty, size, .. } = *constant;
    if matches!(ty, ElementType::String) {
        return string_finding(checked, layer, constant, strings).into_iter().collect();
    }
    if ty == ElementType::Dynamic {
        return Vec::new();
    }
    let Some(need) = constant.bytes_needed() else {
        let shape = constant.shape();
        let message = format!("shape {shape} of type {ty} has more bytes than 64 bits can count");
        // OpenVINO compares the number of bits modulo 2^64.
        let lengths = constant.lengths.iter().map(|length| length.unsigned_abs());
        let bits = lengths.fold(u64::from(ty.bits()), u64::wrapping_mul);
        let is_refused = bits.wrapping_add(7) >> 3 > size;
        let runtime = if is_refused { Runtime::Rejects } else { Runtime::Unknown };
        let finding = Diagnostic::new(&CONST_SIZE_MISMATCH, layer.data, message).runtime(runtime);
        return vec![about(checked, layer, finding)];
    };
    if size < need {
        let shape = constant.shape();
        let message =
            format!("`size=\"{size}\"`, but shape {shape} of type {ty} needs {need} byte{s}", s = plural(need));
        let mut finding =
            Diagnostic::new(&CONST_SIZE_MISMATCH, layer.data, message).primary(format!("{need} bytes needed"));
        // In this check OpenVINO counts bits, not whole blocks, so it accepts a short last block of u3 and u6; and it counts in
        // 64 bits, with wraparound.
        let bits = constant
            .lengths
            .iter()
            .fold(u64::from(ty.bits()), |bits, length| bits.wrapping_mul(length.cast_unsigned()));
        let bytes = bits.wrapping_add(7) / 8;
        if need <= u64::MAX / 8 {
            finding = finding.refused(Refusal::ConstantSize(size, bytes, need));
        }
        if size >= bytes {
            finding = finding.runtime(Runtime::Accepts);
        }
        return vec![with_declared(checked, layer, constant, about(checked, layer, finding))];
    }
    // Writers give empty constants one byte.
    if size > need && !(need == 0 && size == 1) {
        let shape = constant.shape();
        let message =
            format!("`size=\"{size}\"`, but shape {shape} of type {ty} needs only {need} byte{s}", s = plural(need));
        let mut finding = Diagnostic::new(&CONST_SIZE_EXCESS, layer.data, message);
        let have = checked.scope.weights.size();
        let only_excess = constant.end() > have && constant.offset.saturating_add(need) <= have;
        if checked.scope.weights.is_available() && only_excess {
            let note = format!(
                "{} bytes at offset {} extend past the end of the weights, which have {have} bytes",
                size, constant.offset
            );
            finding = finding.severity(Severity::Error).runtime(Runtime::Rejects).note(note);
        }
        return vec![with_declared(checked, layer, constant, about(checked, layer, finding))];
    }
    Vec::new()
}

/// Adds the port that declares what has the size of the constant to the finding: then the shape or the type is wrong.
fn with_declared(checked: &Checked, layer: &Layer, constant: &Constant, finding: Diagnostic) -> Diagnostic {
    let size = constant.size;
    let Some((tag, fact)) = declared_of_size(checked, layer, size) else { return finding };
    let finding = finding.label(tag, format!("{}{} takes {size} bytes", fact.ty, fact.shape));
    let dims = fact.shape.lengths().unwrap_or_default();
    let (name, text) = match (fact.ty == constant.ty, dims == constant.lengths) {
        (true, _) => ("shape", dims.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
        (false, true) => ("element_type", fact.ty.to_string()),
        (false, false) => return finding.help("is it `shape` or `element_type` that is wrong?"),
    };
    match find_attribute(checked.scope.source, layer.data, name) {
        Some(attribute) => finding.fix(Fix::replace(attribute.value, text.clone(), format!("write {name}=\"{text}\""))),
        None => finding,
    }
}

/// Checks a constant of strings; `left` is the number of strings that may still be checked in this file.
fn string_finding(checked: &Checked, layer: &Layer, constant: &Constant, left: &mut u64) -> Option<Diagnostic> {
    let weights = checked.scope.weights;
    let table = |at: u64| {
        let bytes = weights.read(constant.offset.checked_add(at)?, 4)?;
        bytes.first_chunk().map(|four| i32::from_le_bytes(*four))
    };
    let fault =
        |message: String| Some(about(checked, layer, Diagnostic::new(&STRING_CONST_LAYOUT, layer.data, message)));
    if !weights.is_available()
        || weights.foreign_format().is_some()
        || constant.offset.checked_add(constant.size)? > weights.size()
    {
        return None;
    }
    if constant.size < 4 {
        return fault(format!("{} bytes cannot hold the number of strings", constant.size));
    }
    let count = table(0)?;
    let Ok(strings) = u64::try_from(count) else {
        return fault(format!("the number of strings is {count}")).map(|finding| finding.since(release(2024, 0)));
    };
    let elements = constant.elements().unwrap_or(u64::MAX);
    let header = strings.checked_add(2)?.checked_mul(4)?;
    if header > constant.size {
        return fault(format!("a table of {strings} strings takes {header} bytes, the constant has {}", constant.size));
    }
    let mut begin = i64::from(table(4)?);
    let looked_at = strings.min(checked.scope.limits.value_elements as u64).min(*left);
    *left -= looked_at;
    let ends = weights.read(constant.offset.checked_add(8)?, usize::try_from(looked_at * 4).ok()?)?;
    for (i, end) in ends.chunks_exact(4).enumerate() {
        let end = i64::from(i32::from_le_bytes([end[0], end[1], end[2], end[3]]));
        if begin < 0 || end < begin || header.saturating_add(end.unsigned_abs()) > constant.size {
            let found = fault(format!(
                "string {i} is at bytes {begin}..{end}, but the strings have only {} bytes",
                constant.size - header
            ));
            return found.map(|finding| finding.since(release(2026, 2)));
        }
        begin = end;
    }
    if strings != elements {
        let message = format!("the table holds {strings} strings, shape {} has {elements}", constant.shape());
        return fault(message).map(|finding| finding.runtime(Runtime::Accepts));
    }
    None
}

fn note_needs(checked: &Checked, layer: &Layer, constant: &Constant, reachable: bool, needs: &mut Needs) {
    if !reachable {
        return;
    }
    needs.constants += 1;
    let (start, size) = (constant.offset, checked.scope.weights.size());
    let need = constant.bytes_needed();
    let needed = start.saturating_add(need.unwrap_or(constant.size));
    // Bytes beyond those of the elements have a finding of their own. So they do not place a constant outside the file,
    // unless it has no other bytes.
    let is_empty = need == Some(0) && constant.size <= 1;
    let end = if needed <= size && !is_empty { constant.end().min(size) } else { constant.end() };
    needs.end = needs.end.max(end);
    needs.ranges.add(start, end.min(needed), layer);
    if end > size && checked.scope.weights.is_available() {
        let name = checked.scope.graph.name(checked.scope.source, layer);
        let message =
            format!("Const `{name}` needs bytes {}..{end}, but the weights have only {size} bytes", constant.offset);
        let finding = Diagnostic::new(&WEIGHTS_OUT_OF_RANGE, layer.data, message);
        // OpenVINO does not look for constants in an empty file.
        let finding = if size > 0 { finding.refused(Refusal::OutsideWeights) } else { finding };
        needs.outside.push((constant.offset, about(checked, layer, finding)));
    }
}
