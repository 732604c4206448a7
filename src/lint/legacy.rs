//! Two effects of IR version 10: OpenVINO gives callers other types of inputs and outputs than the file declares, and takes
//! memory for the inputs when it reads the file.

use super::Checked;
use crate::diagnostic::{Diagnostic, Direction, Group, Rule, Runtime, Severity, Sink};
use crate::ir::{Layer, LayerId, Role, find_attribute};
use crate::ops::rules::ATTRIBUTE_VALUE;
use crate::types::{ElementType, release};

pub(crate) static LEGACY_IR_VERSION: Rule = Rule::error(
    Group::Portability,
    "legacy-ir-version",
    "OpenVINO changes the types of inputs or outputs of IR version 10",
    "OpenVINO exposes other types for files of IR version 10: an f16 input as f32, an output of an integer type as \
     i32 and any other output as f32, with conversions that are not in the file. Models of version 11 keep the types \
     that they declare. Reported only where a type changes.\n\n\
     Convert the original model again, or use the types shown.",
)
.accepted(Severity::Info);

pub(super) fn check(checked: &Checked, sink: &mut Sink) {
    if checked.version != 10 {
        return;
    }
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    let mut changes = Vec::new();
    for (index, layer) in graph.entries() {
        if let Some(finding) = too_large(checked, index, layer) {
            sink.report(finding);
        }
        let (end, fact, changed): (_, _, fn(ElementType) -> ElementType) = match graph.kind(layer).role {
            Role::Parameter => ("input", checked.facts.outputs(index).first(), input_type),
            Role::Result => {
                ("output", graph.inputs(layer).first().and_then(|port| checked.facts.of_port(port)), output_type)
            }
            _ => continue,
        };
        let Some(ty) = fact.map(|fact| fact.ty).filter(|ty| changed(*ty) != *ty) else { continue };
        let (name, shown) = (graph.name(source, layer), changed(ty));
        changes.push((layer.tag, format!("{end} `{name}` is {ty} in this file, but OpenVINO exposes it as {shown}")));
    }
    let [(_, first), others @ ..] = &changes[..] else { return };
    let more = if others.is_empty() { String::new() } else { format!(", and {} more", others.len()) };
    let span = find_attribute(source, graph.tag, "version").map_or(graph.tag, |attribute| attribute.value);
    let mut finding = Diagnostic::new(&LEGACY_IR_VERSION, span, format!("IR version 10: {first}{more}"));
    for (span, text) in changes.into_iter().take(8) {
        finding = finding.label(span, text);
    }
    sink.report(finding.help("convert the original model again to get version 11"));
}

/// The size in bytes from which on an input may be too large to be read.
const LARGE: u64 = 1 << 35;

/// The size in bytes that no address space holds.
const TOO_LARGE: u64 = 1 << 57;

/// The size in bytes of a string that is empty.
const STRING: u64 = 32;

/// The finding about an input for which OpenVINO may find no memory when it reads the file.
fn too_large(checked: &Checked, index: LayerId, layer: &Layer) -> Option<Diagnostic> {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    if graph.kind(layer).role != Role::Parameter || checked.options.is_reshaped {
        return None;
    }
    let fact = checked.facts.outputs(index).first()?;
    let count = fact.shape.lengths()?.iter().try_fold(1_u64, |count, length| count.checked_mul(length.unsigned_abs()));
    let of = |count: u64| match fact.ty {
        ElementType::String => count.checked_mul(STRING),
        ty => ty.storage(count),
    };
    of(1)?;
    let size = count.and_then(of).unwrap_or(u64::MAX);
    let span = find_attribute(source, layer.data, "shape").filter(|_| size >= LARGE)?.value;
    let shown = if size == u64::MAX { "more bytes than 64 bits can count".into() } else { format!("{size} bytes") };
    let message = format!("input `{}` takes {shown} of memory", graph.name(source, layer));
    let finding = Diagnostic::new(&ATTRIBUTE_VALUE, span, message)
        .note("OpenVINO takes this memory when it reads a file of IR version 10");
    let finding = finding.runtime(if size >= TOO_LARGE { Runtime::Rejects } else { Runtime::Unknown });
    Some(checked.about(layer, finding.since(release(2025, 4))))
}

/// The type that an input or output has for callers.
pub(crate) fn exposed_type(version: u8, direction: Direction, ty: ElementType) -> ElementType {
    match direction {
        _ if version != 10 => ty,
        Direction::Input => input_type(ty),
        Direction::Output => output_type(ty),
    }
}

/// The type of a Parameter for callers.
fn input_type(ty: ElementType) -> ElementType {
    if ty == ElementType::F16 { ElementType::F32 } else { ty }
}

/// The type of a Result for callers.
fn output_type(ty: ElementType) -> ElementType {
    use ElementType as T;
    match ty {
        T::I64 | T::U64 | T::U32 | T::I32 => T::I32,
        T::Dynamic => T::Dynamic,
        _ => T::F32,
    }
}
