//! Types and versions of layers that OpenVINO does not know.

use super::first_of_kind::FirstOfKind;
use super::rules::{EXTENSION_REQUIRED, INTERNAL_OP, OP_NOT_IN_OPSET, UNKNOWN_OP, UNKNOWN_OPSET};
use super::{Checked, for_every_graph};
use crate::arrange::Arrange;
use crate::diagnostic::{Diagnostic, Edit, Fix, Refusal, Runtime, Sink};
use crate::ir::{Attribute, Kind, Layer, find_attribute};
use crate::limits::EDITS;
use crate::ops::apply::owner;
use crate::ops::releases::opset;
use crate::ops::revisions::{NEWEST, renamed};
use crate::ops::{Meaning, OpSpec, find, nearest_name};
use crate::source::Span;
use crate::text::Hints;
use crate::types::Release;
use std::ops::RangeInclusive;

/// Reports the layers that cannot be inferred: each type and version once, at the first such layer.
pub(super) fn check(checked: &Checked, sink: &mut Sink) {
    let mut hints = Hints::default();
    let mut first = FirstOfKind::new();
    for_every_graph(checked, &mut |checked| {
        let (graph, source) = (checked.scope.graph, checked.scope.source);
        if graph.kinds.iter().all(|kind| matches!(kind.meaning, Meaning::Modelled(_))) {
            return;
        }
        for (index, layer) in graph.entries() {
            let kind = graph.kind(layer);
            let (ty, version) = (&kind.ty, &kind.version);
            // Users who state the outputs of an operation are assumed to have its library.
            if checked.options.extension_ops.is_some_and(|stated| kind.stated(stated).is_some()) {
                continue;
            }
            let (rule, attribute, message) = match kind.meaning {
                Meaning::Modelled(_) => continue,
                Meaning::UnknownOp if ty.eq_ignore_ascii_case("Constant") => (
                    &UNKNOWN_OP,
                    "type",
                    format!("`{ty}` is loaded without its data; the type of constants is `Const`"),
                ),
                Meaning::UnknownOp => {
                    (&UNKNOWN_OP, "type", format!("`{ty}` is not an operation of {version}, nor of any other opset"))
                }
                Meaning::NotInOpset { first, .. } if opset(version).is_some_and(|number| number < first) => {
                    (&OP_NOT_IN_OPSET, "version", format!("{ty} is new in opset{first}, the layer says {version}"))
                }
                Meaning::NotInOpset { last, .. } => {
                    (&OP_NOT_IN_OPSET, "version", format!("{ty} is in opsets up to opset{last}, not in {version}"))
                }
                Meaning::Internal => (
                    &INTERNAL_OP,
                    "version",
                    format!("{ty} ({version}) is an internal operation, which OpenVINO does not load from files"),
                ),
                Meaning::Extension { library } => (&EXTENSION_REQUIRED, "version", needs_library(kind, library)),
                Meaning::UnknownOpset if opset(version).is_some_and(|number| number > NEWEST) => (
                    &UNKNOWN_OPSET,
                    "version",
                    format!(
                        "`{version}` is newer than opset{NEWEST}, the newest opset of OpenVINO {}",
                        Release::NEWEST
                    ),
                ),
                Meaning::UnknownOpset => (
                    &UNKNOWN_OPSET,
                    "version",
                    format!("`{version}` is not an opset of OpenVINO; the known opsets are opset1 to opset{NEWEST}"),
                ),
            };
            let refusal = match kind.meaning {
                Meaning::UnknownOp | Meaning::NotInOpset { .. } => Some(Refusal::NoOperation(renamed(ty).to_owned())),
                _ => Some(Refusal::NoOpset),
            };
            let Some(written) = find_attribute(source, layer.tag, attribute) else { continue };
            let key = (ty.clone(), version.clone(), checked.facts.is_reachable(index));
            if let Some(Diagnostic { fix: Some(fix), .. }) = first.get_mut(&key)
                && let Some(text) = fix.edits.first().map(|edit| edit.text.clone())
                && fix.edits.len() <= EDITS
            {
                fix.edits.push(Edit { span: written.value, text });
            }
            first.add(key, || {
                let mut finding = checked.about(layer, Diagnostic::new(rule, written.value, message));
                finding.refusal = refusal.map(Box::new);
                if let Meaning::UnknownOp = kind.meaning
                    && let Some(near) = hints.give(|| nearest_name(ty, graph.inputs(layer).len()))
                {
                    finding = finding.fix(Fix::replace(written.value, near, format!("did you mean `{near}`?")));
                }
                if let Meaning::NotInOpset { first, last } = kind.meaning {
                    finding = suggest(checked, layer, written.value, first..=last, finding);
                }
                if let Some([_, first]) = Release::of_wrong_label(ty, version) {
                    finding = finding.since(first);
                }
                if ty.eq_ignore_ascii_case("Constant") {
                    finding = finding.runtime(Runtime::Unknown);
                }
                // In the place of a Parameter or Result whose id it has, OpenVINO builds it.
                let is_root = || graph.layers.iter().any(|one| one.id == layer.id && graph.kind(one).is_root());
                if matches!(kind.meaning, Meaning::UnknownOp) && graph.outputs(layer).is_empty() && !is_root() {
                    let note = "OpenVINO silently drops it, as only a Result ends a model";
                    finding = finding.runtime(Runtime::Accepts).note(note);
                }
                if let Meaning::Extension { library: Some(library) } = kind.meaning {
                    finding = finding.help(format!("`import {library}` in Python before you read the model"));
                }
                finding
            });
        }
    });
    for mut finding in first.into_findings("use it") {
        if let Some(fix) = &mut finding.fix {
            fix.edits.arrange_by_key(|edit| edit.span);
        }
        sink.report(finding);
    }
}

/// Formats the library that an extension operation needs.
pub(crate) fn needs_library(kind: &Kind, library: Option<&str>) -> String {
    format!("{} ({}) needs {}", kind.ty, kind.version, library.unwrap_or("an extension library"))
}

/// Suggests the nearest opset in which the operation has all attributes of a layer; without one, an operation that has an
/// attribute that is foreign to this one.
fn suggest(
    checked: &Checked,
    layer: &Layer,
    written: Span,
    opsets: RangeInclusive<u8>,
    finding: Diagnostic,
) -> Diagnostic {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    let Kind { ty, version, .. } = graph.kind(layer);
    let nearest = opset(version).unwrap_or(*opsets.start()).clamp(*opsets.start(), *opsets.end());
    // Older revisions may lack attributes of newer ones.
    let has = |spec: &OpSpec, attribute: &Attribute| {
        spec.attrs.iter().any(|known| known.name.as_bytes() == source.slice(attribute.name))
    };
    let has_all = |opset: &u8| {
        let mut written = graph.attrs(layer).iter();
        find(ty, *opset).is_some_and(|spec| written.all(|attribute| has(spec, attribute)))
    };
    let fitting = (nearest..=*opsets.end()).find(has_all);
    let foreign = find(ty, nearest).filter(|_| fitting.is_none()).and_then(|spec| {
        let mut foreign = graph.attrs(layer).iter().filter(|attribute| !has(spec, attribute));
        foreign.find_map(|attribute| owner(spec, &source.text(attribute.name)))
    });
    let opset = format!("opset{}", fitting.unwrap_or(nearest));
    match foreign {
        Some(help) => finding.help(help), // The type is likelier to be wrong than the version.
        None => finding.fix(Fix::replace(written, opset.as_str(), format!("use {opset}"))),
    }
}
