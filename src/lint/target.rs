//! Content that an older release of OpenVINO, given by `Options::target`, cannot read.

use super::first_of_kind::FirstOfKind;
use super::requirements::{Feature, Requirement, requirements};
use super::{Checked, for_every_graph};
use crate::diagnostic::{Diagnostic, Group, Rule, Sink};
use crate::ir::{Kind, Net};
use crate::ops::releases::opset;
use crate::ops::revisions::{NEWEST, revisions_of};
use crate::ops::{Meaning, first_tokenizers};
use crate::types::{Release, Targets};

const fn target_rule(name: &'static str, summary: &'static str, explain: &'static str) -> Rule {
    Rule::error(Group::Portability, name, summary, explain)
}

pub(crate) static NEEDS_NEWER_OPENVINO: Rule = target_rule(
    "needs-newer-openvino",
    "the target release cannot read this kind of file",
    "Checked with `--target RELEASES` only. Besides operations and element types, it checks features that older \
     releases cannot read: IR version 11 (2022.1); output ports with the precision `UNSPECIFIED` or `dynamic` (2023.0); model \
     inputs and outputs without elements (2023.2); layers of a graph that share a name \
     (2024.1); files of at most 512 bytes, files whose `<net>` starts after the first 512 bytes, files in UTF-16, and \
     entries of `<rt_info>` \
     without a name or a version (2024.5); a Convert or Const \
     (2025.0) or Parameter (2025.1) without an element type; in IR version 10 inputs and outputs that share a tensor \
     name (2025.1). `docs/releases.md` lists the uses and attributes of operations that need a newer release.\n\n\
     Convert the original model with a tool of the target release, or raise the target.",
);

pub(crate) static OPSET_TOO_NEW_FOR_TARGET: Rule = target_rule(
    "opset-too-new-for-target",
    "the target release does not have an operation, or does not have it in this opset",
    "Checked with `--target RELEASES` only. An operation needs a release whose opset contains it; \
     one of openvino_tokenizers needs the library of that release.\n\n\
     Convert the original model with a tool of the target release, or raise the target.",
);

pub(crate) static TYPE_TOO_NEW_FOR_TARGET: Rule = target_rule(
    "type-too-new-for-target",
    "the target release does not know an element type",
    "Checked with `--target RELEASES` only. Types for compressed weights and for strings were added over time; the \
     finding names the release that a type needs.\n\n\
     Compress the weights to a type that the target supports, such as u4 or i8, or raise the target.",
);

/// The rules that need a target.
pub(crate) static RULES: [&Rule; 3] = [&NEEDS_NEWER_OPENVINO, &OPSET_TOO_NEW_FOR_TARGET, &TYPE_TOO_NEW_FOR_TARGET];

pub(super) fn check(checked: &Checked, net: &Net, sink: &mut Sink) {
    let Some(target) = checked.options.target.map(Targets::oldest) else { return };
    let all = requirements(net, checked.facts, checked.scope.source);
    let too_new = all.into_iter().filter(|(_, requirement)| requirement.first > target);
    for (feature, requirement) in too_new {
        let layers = requirement.layers;
        let finding = finding(&feature, requirement, target);
        sink.report(if layers > 1 { finding.note(format!("{layers} layers use it")) } else { finding });
        if matches!(feature, Feature::IrVersion(_)) {
            return; // All other content would have to be converted again as well.
        }
    }
    libraries(checked, target, sink);
}

/// Reports operations that the library of the target release lacks.
fn libraries(checked: &Checked, target: Release, sink: &mut Sink) {
    let mut found = FirstOfKind::new();
    for_every_graph(checked, &mut |checked| {
        let graph = checked.scope.graph;
        let late: Vec<_> = graph.kinds.iter().map(|kind| late(kind).filter(|(_, first)| *first > target)).collect();
        for layer in graph.layers.iter().filter(|_| late.iter().any(Option::is_some)) {
            let Some((library, first)) = late.get(layer.kind as usize).copied().flatten() else { continue };
            let ty = &graph.kind(layer).ty;
            found.add(ty.clone(), || {
                let message = format!("{ty} needs {library} {first}, but the target is {target}");
                checked.about(layer, Diagnostic::new(&OPSET_TOO_NEW_FOR_TARGET, layer.tag, message))
            });
        }
    });
    found.into_findings("use it").for_each(|finding| sink.report(finding));
}

/// The library of an operation, and its first release with it.
fn late(kind: &Kind) -> Option<(&'static str, Release)> {
    let Meaning::Extension { library } = kind.meaning else { return None };
    library.zip(first_tokenizers(&kind.ty))
}

fn finding(feature: &Feature, requirement: Requirement, target: Release) -> Diagnostic {
    let Requirement { first, span, layer, .. } = requirement;
    let needs = format!("needs OpenVINO {first}");
    let (rule, message) = match feature {
        Feature::IrVersion(_) => (&NEEDS_NEWER_OPENVINO, format!("{feature} {needs}, the target is {target}")),
        Feature::Type(_) => (&TYPE_TOO_NEW_FOR_TARGET, format!("{feature} {needs}; the target is {target}")),
        Feature::Operation(..) => (&OPSET_TOO_NEW_FOR_TARGET, format!("{feature} {needs}, but the target is {target}")),
        _ => (&NEEDS_NEWER_OPENVINO, format!("{feature} {needs}; the target is {target}")),
    };
    let mut finding = Diagnostic::new(rule, span, message);
    if let Some((layer, body)) = layer {
        (finding.layer, finding.body) = (Some(layer), body);
    }
    let Feature::Operation(ty, version) = feature else { return finding };
    let newest = target.newest_opset();
    match opset(version) {
        Some(opset) if has_older(ty, opset, target) => {
            finding.note(format!("{target} has an older revision of {ty}, whose inputs may differ"))
        }
        Some(opset) if usize::from(opset) > newest => {
            finding.note(format!("the newest opset that {target} knows in full is opset{newest}"))
        }
        _ => finding,
    }
}

/// Whether a release knows an older revision of an operation.
fn has_older(ty: &str, opset: u8, target: Release) -> bool {
    let known = |revision: u8| Release::of_operation(ty, revision, revision).is_some_and(|first| first <= target);
    opset <= NEWEST && revisions_of(ty).any(|revision| revision.opset < opset && known(revision.opset))
}
