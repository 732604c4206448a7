//! Content that an older release of OpenVINO, given by `Options::target`, cannot read.

use super::{Checked, for_every_graph};
use crate::diagnostic::{Diagnostic, Group, Rule, Sink};
use crate::ir::{Kind, Layer, Role, find_attribute};
use crate::ops::releases::opset;
use crate::ops::revisions::{NEWEST, revisions_of};
use crate::source::Span;
use crate::types::{ElementType, Release};
use std::collections::BTreeMap;

const fn target_rule(name: &'static str, summary: &'static str, explain: &'static str) -> Rule {
    Rule::error(Group::Portability, name, summary, explain)
}

pub(crate) static NEEDS_NEWER_OPENVINO: Rule = target_rule(
    "needs-newer-openvino",
    "the target release cannot read this kind of file",
    "Checked with `--target RELEASE` only. It finds an IR version that is newer than the release, and inputs with a \
     length of 0 that it does not read.\n\n\
     Convert the original model with a tool of the target release, or raise the target.",
);

pub(crate) static OPSET_TOO_NEW_FOR_TARGET: Rule = target_rule(
    "opset-too-new-for-target",
    "the target release does not know an operation, or not under this opset",
    "Checked with `--target RELEASE` only. An operation needs a release whose opset contains it.\n\n\
     Convert the original model with a tool of the target release, or raise the target.",
);

pub(crate) static TYPE_TOO_NEW_FOR_TARGET: Rule = target_rule(
    "type-too-new-for-target",
    "the target release does not know an element type",
    "Checked with `--target RELEASE` only. Types for compressed weights and for strings were added over time; the \
     finding names the release that a type needs.\n\n\
     Compress the weights to a type that the target supports, such as u4 or i8, or raise the target.",
);

/// The rules that need a target.
pub(crate) static RULES: [&Rule; 3] = [&NEEDS_NEWER_OPENVINO, &OPSET_TOO_NEW_FOR_TARGET, &TYPE_TOO_NEW_FOR_TARGET];

pub(super) fn check(checked: &Checked, sink: &mut Sink) {
    let Some(target) = checked.options.target else { return };
    if checked.version > 10 && target < Release::IR_11 {
        let tag = checked.scope.graph.tag;
        let span = find_attribute(checked.scope.source, tag, "version").map_or(tag, |attribute| attribute.value);
        let message = format!("IR version 11 needs OpenVINO {}, the target is {target}", Release::IR_11);
        sink.report(Diagnostic::new(&NEEDS_NEWER_OPENVINO, span, message));
        return; // All other content would have to be converted again as well.
    }
    if target < Release::EMPTY_INPUTS {
        empty_inputs(checked, target, sink);
    }
    let mut found: BTreeMap<String, (Diagnostic, usize)> = BTreeMap::new();
    for_every_graph(checked, &mut |checked| {
        let graph = checked.scope.graph;
        let too_new: Vec<Option<Release>> =
            graph.kinds.iter().map(|kind| kind.first_release().filter(|first| *first > target)).collect();
        for (index, layer) in graph.entries() {
            if !checked.facts.is_reachable(index) {
                continue;
            }
            let kind = graph.kind(layer);
            if let Some(first) = too_new.get(layer.kind as usize).copied().flatten() {
                let what = format!("{} ({})", kind.ty, kind.version);
                note(&mut found, what, || operation_finding(checked, layer, first, target));
            }
            let types = checked.facts.outputs(index).iter().map(|fact| fact.ty);
            let types = types.chain(graph.constant(layer).map(|constant| constant.ty));
            for (ty, first) in types.filter_map(|ty| Some((ty, Release::of_type(ty)?))) {
                if first > target {
                    note(&mut found, ty.to_string(), || type_finding(checked, layer, ty, first, target));
                    break;
                }
            }
        }
    });
    for (finding, count) in found.into_values() {
        sink.report(if count > 1 { finding.note(format!("{count} layers use it")) } else { finding });
    }
}

fn empty_inputs(checked: &Checked, target: Release, sink: &mut Sink) {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    for (index, layer) in graph.entries().filter(|(_, layer)| graph.kind(layer).role == Role::Parameter) {
        let [fact] = checked.facts.outputs(index) else { continue };
        if fact.shape.is_static() && fact.shape.is_empty() {
            let span = find_attribute(source, layer.data, "shape").map_or(layer.tag, |attribute| attribute.value);
            let (name, first) = (graph.name(source, layer), Release::EMPTY_INPUTS);
            let message =
                format!("input `{name}` is {}, which needs OpenVINO {first}; the target is {target}", fact.shape);
            sink.report(checked.about(layer, Diagnostic::new(&NEEDS_NEWER_OPENVINO, span, message)));
        }
    }
}

/// Counts a layer that needs `what`; `finding` is built for the first such layer only.
fn note(found: &mut BTreeMap<String, (Diagnostic, usize)>, what: String, finding: impl FnOnce() -> Diagnostic) {
    found.entry(what).or_insert_with(|| (finding(), 0)).1 += 1;
}

fn operation_finding(checked: &Checked, layer: &Layer, first: Release, target: Release) -> Diagnostic {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    let kind = graph.kind(layer);
    let span = find_attribute(source, layer.tag, "version").map_or(layer.tag, |attribute| attribute.value);
    let message =
        format!("{} of {} needs OpenVINO {first}, the target {target} does not know it", kind.ty, kind.version);
    let finding = checked.about(layer, Diagnostic::new(&OPSET_TOO_NEW_FOR_TARGET, span, message));
    let newest = target.newest_opset();
    match opset(&kind.version) {
        Some(opset) if is_older(kind, opset, target) => {
            finding.note(format!("{target} has an older revision of {}, whose inputs may differ", kind.ty))
        }
        Some(opset) if usize::from(opset) > newest => {
            finding.note(format!("the newest opset that {target} knows in full is opset{newest}"))
        }
        _ => finding,
    }
}

/// Whether the target knows an older revision of the operation.
fn is_older(kind: &Kind, opset: u8, target: Release) -> bool {
    let known = |revision: u8| Release::of_operation(&kind.ty, revision, revision).is_some_and(|first| first <= target);
    opset <= NEWEST && revisions_of(&kind.ty).iter().any(|revision| revision.opset < opset && known(revision.opset))
}

fn type_finding(checked: &Checked, layer: &Layer, ty: ElementType, first: Release, target: Release) -> Diagnostic {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    let written = |name| find_attribute(source, layer.data, name).map(|attribute| attribute.value);
    let span: Span = written("element_type").or_else(|| written("destination_type")).unwrap_or(layer.tag);
    let name = graph.name(source, layer);
    let message = format!("`{name}` is of type {ty}, which needs OpenVINO {first}; the target is {target}");
    checked.about(layer, Diagnostic::new(&TYPE_TOO_NEW_FOR_TARGET, span, message))
}
