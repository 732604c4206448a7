//! Layers that OpenVINO is known to compute wrongly on the device given by `Options::device`.

use super::first_of_kind::FirstOfKind;
use super::{Checked, for_every_graph};
use crate::diagnostic::{Diagnostic, Group, Rule, Severity, Sink};
use crate::ir::{Layer, LayerId, find_attribute};
use crate::ops::advisories::{ADVISORIES, Advisory, When};
use crate::types::Targets;

pub(crate) static REPORTED_DEFECT: Rule = Rule::error(
    Group::Portability,
    "reported-defect",
    "the device is reported to compute a layer wrongly",
    "Checked with `--device` only; `--target RELEASE` includes defects that are fixed in newer releases. Somebody reported to \
     OpenVINO that such layers give wrong results on this device. Whether yours do may depend on the hardware, the driver and \
     the data. The finding has a link to the report, the release that it is about, and whether it was measured \
     again.\n\n\
     Compare the results of the device with those of another one, and change the layer or the release where they differ.\n\n\
     The reports were last read on 2026-11-23.",
)
.accepted(Severity::Info);

/// Reports each advisory once, at the first layer that it concerns.
pub(super) fn check(checked: &Checked, sink: &mut Sink) {
    let Some(device) = checked.options.device else { return };
    let concerns = |one: &&Advisory| one.device == device && one.concerns(checked.options.target.map(Targets::oldest));
    let advisories: Vec<&Advisory> = ADVISORIES.iter().filter(concerns).collect();
    let mut found = FirstOfKind::new();
    for_every_graph(checked, &mut |checked| {
        let graph = checked.scope.graph;
        for (index, layer) in graph.entries().filter(|(index, _)| checked.facts.is_reachable(*index)) {
            let Some(spec) = graph.kind(layer).spec() else { continue };
            let fits = |one: &&&Advisory| one.operation == spec.name && fits(checked, index, layer, one.when);
            for advisory in advisories.iter().filter(fits) {
                found.add(advisory.thread, || {
                    let message = format!("on {device}, {} {}", spec.name, advisory.what);
                    let finding = Diagnostic::new(&REPORTED_DEFECT, layer.tag, message);
                    let finding = finding.note(format!("{}: {}", advisory.releases(), advisory.thread));
                    checked.about(layer, finding)
                });
            }
        }
    });
    found.into_findings("are like this").for_each(|finding| sink.report(finding));
}

fn fits(checked: &Checked, index: LayerId, layer: &Layer, when: When) -> bool {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    let input = graph.inputs(layer).first().and_then(|port| checked.facts.of_port(port));
    let is = |(name, wanted): (&str, &str)| {
        let value = find_attribute(source, layer.data, name).map(|attribute| source.slice(attribute.value));
        value.is_some_and(|value| value.eq_ignore_ascii_case(wanted.as_bytes()))
    };
    match when {
        When::Takes(ty) => input.is_some_and(|fact| fact.ty == ty),
        When::Turns(from, to) => {
            let output = checked.facts.outputs(index).first();
            input.is_some_and(|fact| fact.ty == from) && output.is_some_and(|fact| fact.ty == to)
        }
        When::Attributes(has, not) => is(has) && !is(not),
        When::Open => {
            let dims = input.and_then(|fact| fact.shape.dims()?.get(2..));
            dims.is_some_and(|dims| dims.iter().any(|dim| !dim.is_exact()))
        }
    }
}
