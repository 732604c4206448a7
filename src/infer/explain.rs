//! Faults of operations as findings: with spans, labels at the constants and attributes behind them, chains of producers, and
//! the verdict of OpenVINO.

mod declared_parts;
mod early;
mod origins;

pub(crate) use early::LATE;
pub(super) use early::has_known_inputs;
pub(crate) use origins::{chain, chain_behind, chain_names, origins};

use super::facts::Facts;
use super::scope::Scope;
use crate::diagnostic::{Diagnostic, Direction, Fix, LIMIT_EXCEEDED, Label, Refusal, Runtime, Severity, Since, Text};
use crate::ir::{Attribute, Layer, Port, Role, find_attribute};
use crate::ops::rules::{
    ATTRIBUTE_VALUE, LENIENT_NUMBER, MISSING_ATTRIBUTE, SPLIT_LENGTHS_SUM, UNKNOWN_OP_ATTRIBUTE, WRONG_INPUT_COUNT,
    WRONG_OUTPUT_COUNT,
};
use crate::ops::{At, Fault, LateCheck, OpSpec};
use crate::source::Span;
use declared_parts::declared_parts;
use early::is_found_early;
use origins::{constant_label, shown};

/// The maximum number of inputs of a layer, or of elements of a constant, in a finding.
const SHOWN: usize = 8;

pub(super) fn finding(scope: &Scope, facts: &Facts, layer: &Layer, spec: &'static OpSpec, fault: &Fault) -> Diagnostic {
    let (source, graph) = (scope.source, scope.graph);
    let span = span_of(scope, layer, fault.at);
    let mut finding = scope.about(layer, Diagnostic::new(fault.rule, span, fault.message.clone()));
    finding.primary.message = primary_text(scope, facts, layer, spec, fault);
    finding.severity = fault.severity.unwrap_or(fault.rule.severity);
    finding.runtime = fault.runtime.unwrap_or(fault.rule.runtime);
    let inputs = || graph.inputs(layer).iter().map(|port| facts.of_port(port)).collect::<Vec<_>>();
    let is_late = |check: &LateCheck| matches!(fault.at, At::Input(_)) && (check.finds)(fault.rule, &inputs());
    let late = spec.late_check.filter(is_late).map(|check| check.first);
    finding.since = fault.since.or(late).map(|release| Since { release, runtime: None });
    match fault.at {
        At::Input(i) => finding.port = Some(graph.port_ref(source, layer, Direction::Input, i)),
        At::Output(i) => finding.port = Some(graph.port_ref(source, layer, Direction::Output, i)),
        At::Layer | At::Attr(_) | At::Unknown(_) => {}
    }
    if span != layer.tag {
        finding.labels.push(Label::new(layer.tag, format!("in this {} layer", graph.kind(layer).ty)));
    }
    for (at, text) in &fault.labels {
        let label = Label::new(span_of(scope, layer, *at), text.clone());
        if label.span != span {
            finding.labels.push(label);
        }
    }
    // An unknown attribute that has the name of an input: show that input.
    let unknown = match fault.at {
        At::Unknown(i) => graph.attrs(layer).get(i).map(|attribute| source.slice(attribute.name)),
        _ => None,
    };
    let is_shown = |i: usize| i < SHOWN || fault.at == At::Input(i);
    for (i, port) in graph.inputs(layer).iter().enumerate().filter(|(i, _)| is_shown(*i)) {
        let Some(output) = port.source() else { continue };
        let name = &input_name(spec, i);
        if !depends_on_inputs(fault) && unknown != Some(name.as_bytes()) {
            continue;
        }
        match facts.output(output).and_then(|fact| fact.value.as_deref()) {
            Some(value) => {
                let label = constant_label(scope, output, name, value);
                match label {
                    Some(label) if label.span == finding.primary.span => {
                        finding.primary.weights = label.weights;
                        finding.primary.value = label.value;
                        if finding.primary.message.is_empty() {
                            finding.primary.message = label.message;
                        } else if !fault.shows_value {
                            finding.notes.push(label.message.into());
                        }
                    }
                    Some(label) => finding.labels.push(label),
                    None => {
                        finding
                            .notes
                            .push(format!("{name} = [{}] <- {}", shown(value), chain(scope, facts, output)).into());
                    }
                }
            }
            None if fault.is_error() => {
                if i == 0 {
                    finding.chain = chain_names(scope, facts, output);
                }
                finding.notes.push(format!("{name} <- {}", chain(scope, facts, output)).into());
            }
            None => {}
        }
    }
    finding.notes.extend(fault.notes.iter().cloned());
    if fault.rule == &SPLIT_LENGTHS_SUM {
        finding.notes.extend(declared_parts(scope, facts, layer));
    }
    finding.help.extend(fault.help.iter().cloned());
    finding.fix = fault.read_as.as_ref().and_then(|text| written_as(scope, layer, fault.at, text));
    finding.refusal = fault.refusal.clone().map(Box::new);
    let is_general = finding.refusal.as_deref().is_none_or(Refusal::is_of_operation)
        && ![&ATTRIBUTE_VALUE, &WRONG_INPUT_COUNT, &WRONG_OUTPUT_COUNT].contains(&fault.rule);
    let is_assumed = |port: &Port| facts.of_port(port).is_some_and(|fact| fact.assumed);
    if finding.severity == Severity::Error && finding.runtime == Runtime::Rejects && is_general {
        let is_late = LATE.contains(&fault.rule);
        let is_certain = if is_late {
            !fault.is_late
                && (has_known_inputs(scope, facts, layer, spec) || is_found_early(scope, facts, layer, spec, fault))
        } else {
            !scope.graph.inputs(layer).iter().any(is_assumed)
        };
        if !is_certain {
            finding.runtime = Runtime::Unknown;
        }
        if is_certain || is_late {
            finding.refusal.get_or_insert_with(|| Box::new(Refusal::Operation(spec.name)));
        }
    }
    finding
}

/// Returns the fix that writes an attribute the way OpenVINO reads it.
fn written_as(scope: &Scope, layer: &Layer, at: At, text: &str) -> Option<Fix> {
    let At::Attr(name) = at else { return None };
    let span = find_attribute(scope.source, layer.data, name)?.value;
    Some(Fix::write(span, text))
}

/// Whether the fault depends on the inputs of the layer, rather than on its attributes alone.
fn depends_on_inputs(fault: &Fault) -> bool {
    let alone = [&MISSING_ATTRIBUTE, &ATTRIBUTE_VALUE, &LENIENT_NUMBER, &UNKNOWN_OP_ATTRIBUTE, &LIMIT_EXCEEDED];
    !alone.contains(&fault.rule)
}

/// Returns the text of the primary label: that of the fault, or else the fact at the faulty input.
fn primary_text(scope: &Scope, facts: &Facts, layer: &Layer, spec: &OpSpec, fault: &Fault) -> Text {
    let arrives = || match fault.at {
        At::Input(i) => {
            let fact = facts.of_port(scope.graph.inputs(layer).get(i)?)?;
            fact.value.is_none().then(|| format!("{} = {}{}", input_name(spec, i), fact.ty, fact.shape))
        }
        _ => None,
    };
    if fault.primary.is_empty() { arrives().unwrap_or_default().into() } else { fault.primary.clone() }
}

/// Returns the name of an input.
fn input_name(spec: &OpSpec, i: usize) -> String {
    match spec.input(i) {
        Some(input) if !input.variadic => input.name.to_owned(),
        _ => format!("input {i}"),
    }
}

fn span_of(scope: &Scope, layer: &Layer, at: At) -> Span {
    match at {
        At::Layer => layer.tag,
        At::Unknown(i) => scope.graph.attrs(layer).get(i).map_or(layer.tag, |attribute| attribute.name),
        At::Attr(name) => find_attribute(scope.source, layer.data, name)
            .map_or(if layer.data.is_empty() { layer.tag } else { layer.data }, Attribute::whole),
        At::Input(i) => match scope.graph.inputs(layer).get(i) {
            Some(port) => port
                .source()
                .and_then(|source| scope.graph.layer(source.layer))
                .filter(|producer| scope.graph.kind(producer).role == Role::Const && !producer.data.is_empty())
                .map_or(port.tag, |producer| producer.data),
            None => layer.tag,
        },
        At::Output(i) => scope.graph.outputs(layer).get(i).map_or(layer.tag, |port| port.tag),
    }
}
