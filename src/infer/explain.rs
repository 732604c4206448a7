//! From what an operation finds wrong to a finding with places, constants and producers.

use super::facts::Facts;
use super::not_built;
use crate::diagnostic::{
    Diagnostic, Direction, LIMIT_EXCEEDED, Label, NOT_COMPILED, REJECTS, REJECTS_LATE, Rule, Runtime, Severity,
    WeightsRange,
};
use crate::ir::{Graph, Layer, LayerId, OutputRef, Port, Role, Weights, find_attribute};
use crate::limits::Limits;
use crate::ops::rules::{
    ATTRIBUTE_VALUE, AXIS_RANGE, INPUT_RANK, INPUT_VALUE, LENIENT_NUMBER, MISSING_ATTRIBUTE, SHAPE_CONFLICT,
    SPLIT_LENGTHS_OVERRUN, SPLIT_LENGTHS_SUM, SPLIT_NOT_DIVISIBLE, UNKNOWN_OP_ATTRIBUTE,
};
use crate::ops::{At, Fault, Meaning, OpSpec, variadic_split};
use crate::source::{Source, Span};
use crate::types::{Fact, Value, number_text};

/// One graph of a file and all that is needed to report on it.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub source: &'a Source,
    pub graph: &'a Graph,
    pub weights: &'a Weights,
    pub limits: &'a Limits,
    /// The layers around it, as `name/body`.
    pub body: &'a [String],
}

/// How many outputs are compared before they are called all alike.
const ALIKE: usize = 64;

/// How many inputs of a layer, or elements of a constant, a finding shows.
const SHOWN: usize = 8;

pub(super) fn finding(
    scope: &Scope,
    facts: &Facts,
    is_built: bool,
    layer: &Layer,
    spec: &'static OpSpec,
    fault: &Fault,
) -> Diagnostic {
    let (source, graph) = (scope.source, scope.graph);
    let span = span_of(scope, layer, fault.at);
    let mut finding = Diagnostic::new(fault.rule, span, fault.message.clone());
    finding.layer = Some(graph.layer_ref(source, layer));
    finding.body = scope.body.to_vec();
    finding.primary.message = primary_text(scope, facts, layer, spec, fault);
    finding.severity = fault.severity.unwrap_or(fault.rule.severity);
    finding.runtime = fault.runtime.unwrap_or(fault.rule.runtime);
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
    // An attribute that is an input of the operation: what arrives there is worth showing.
    let unknown = match fault.at {
        At::Unknown(i) => graph.attrs(layer).get(i).map(|attribute| source.slice(attribute.name)),
        _ => None,
    };
    let told = |i: usize| i < SHOWN || fault.at == At::Input(i);
    for (i, port) in graph.inputs(layer).iter().enumerate().filter(|(i, _)| told(*i)) {
        let Some(output) = port.source() else { continue };
        let name = &role(spec, i);
        if !hangs_on_inputs(fault) && unknown != Some(name.as_bytes()) {
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
                        } else if !says(&finding.primary.message, &label.message) {
                            finding.notes.push(label.message);
                        }
                    }
                    Some(label) => finding.labels.push(label),
                    None => {
                        finding.notes.push(format!("{name} = [{}] <- {}", shown(value), chain(scope, facts, output)));
                    }
                }
            }
            None if fault.is_error() => {
                if i == 0 {
                    finding.chain = chain_names(scope, output);
                }
                finding.notes.push(format!("{name} <- {}", chain(scope, facts, output)));
            }
            None => {}
        }
    }
    finding.notes.extend(fault.notes.iter().cloned());
    if fault.rule == &SPLIT_LENGTHS_SUM {
        finding.notes.extend(declared_parts(scope, facts, layer));
    }
    finding.help.extend(fault.help.iter().cloned());
    if finding.severity != Severity::Error {
        return finding;
    }
    if !is_built {
        return not_built(finding);
    }
    if finding.runtime == Runtime::NotCompiled {
        finding.notes.push(NOT_COMPILED.to_owned());
    }
    if finding.runtime == Runtime::Rejects {
        finding.notes.push(if fault.rule == &ATTRIBUTE_VALUE {
            "OpenVINO rejects this file and may not say which layer it means".to_owned()
        } else if LATE.contains(&fault.rule) && !is_settled(scope, facts, layer, spec) {
            finding.runtime = Runtime::Unknown;
            format!("{REJECTS_LATE} `{}_<n>`", spec.name)
        } else {
            format!("{REJECTS} `{}_<n>`", spec.name)
        });
    }
    finding
}

/// What OpenVINO may find only when it runs a layer, unless all that arrives there is known before.
pub(crate) const LATE: [&Rule; 7] = [
    &AXIS_RANGE,
    &INPUT_RANK,
    &INPUT_VALUE,
    &SHAPE_CONFLICT,
    &SPLIT_LENGTHS_OVERRUN,
    &SPLIT_LENGTHS_SUM,
    &SPLIT_NOT_DIVISIBLE,
];

/// Whether all that arrives at a layer is known when the file is read: OpenVINO puts off some checks of other inputs.
pub(super) fn is_settled(scope: &Scope, facts: &Facts, layer: &Layer, spec: &OpSpec) -> bool {
    let is_known = |(i, port): (usize, &Port)| {
        facts.of_port(port).is_some_and(|fact| {
            let is_read = spec.input(i).is_some_and(|input| input.reads_value);
            let value = fact.value.as_deref();
            fact.shape.is_static() && value.map_or(!is_read, Value::is_exact)
        })
    };
    scope.graph.inputs(layer).iter().enumerate().all(is_known)
}

/// The parts that the outputs of a `VariadicSplit` declare, if they fit while its lengths do not.
fn declared_parts(scope: &Scope, facts: &Facts, layer: &Layer) -> Option<String> {
    let [data, axis, lengths] = scope.graph.inputs(layer) else { return None };
    let inputs = [facts.of_port(data)?, facts.of_port(axis)?, facts.of_port(lengths)?];
    let declared: Vec<&[i64]> = scope.graph.outputs(layer).iter().map(|port| scope.graph.dims(port)).collect();
    variadic_split::declared_parts(inputs, &declared)
}

/// Whether what is wrong has to do with what arrives at the layer.
fn hangs_on_inputs(fault: &Fault) -> bool {
    let alone = [&MISSING_ATTRIBUTE, &ATTRIBUTE_VALUE, &LENIENT_NUMBER, &UNKNOWN_OP_ATTRIBUTE, &LIMIT_EXCEEDED];
    !alone.contains(&fault.rule)
}

/// The text under the wrong bytes: the operation's own words, or what arrives at the input that is wrong.
fn primary_text(scope: &Scope, facts: &Facts, layer: &Layer, spec: &OpSpec, fault: &Fault) -> String {
    let arrives = || match fault.at {
        At::Input(i) => {
            let fact = facts.of_port(scope.graph.inputs(layer).get(i)?)?;
            fact.value.is_none().then(|| format!("{} = {}{}", role(spec, i), fact.ty, fact.shape))
        }
        _ => None,
    };
    if fault.primary.is_empty() { arrives().unwrap_or_default() } else { fault.primary.clone() }
}

/// What an input is called.
fn role(spec: &OpSpec, i: usize) -> String {
    match spec.input(i) {
        Some(input) if !input.variadic => input.name.to_owned(),
        _ => format!("input {i}"),
    }
}

/// Whether a text under the wrong bytes already gives the value of `role = value`.
fn says(text: &str, message: &str) -> bool {
    let value = message.rsplit(" = ").next().unwrap_or_default().replace(' ', "");
    value.starts_with('[') && text.replace(' ', "").contains(&value)
}

fn span_of(scope: &Scope, layer: &Layer, at: At) -> Span {
    match at {
        At::Layer => layer.tag,
        At::Unknown(i) => scope.graph.attrs(layer).get(i).map_or(layer.tag, |attribute| attribute.name),
        At::Attr(name) => find_attribute(scope.source, layer.data, name).map_or(
            if layer.data.is_empty() { layer.tag } else { layer.data },
            |a| Span { end: a.value.end.saturating_add(1), ..a.name.to(a.value) },
        ),
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

/// A label on the Const that gives a value, with its bytes in the weights file.
fn constant_label(scope: &Scope, output: OutputRef, role: &str, value: &Value) -> Option<Label> {
    let layer = scope.graph.layer(output.layer)?;
    let constant = scope.graph.constant(layer)?;
    let name = scope.graph.name(scope.source, layer);
    let values = if value.lengths().is_empty() { shown(value) } else { format!("[{}]", shown(value)) };
    let mut label = Label::new(layer.data, format!("{role} = {values}"));
    label.weights = Some(WeightsRange { offset: constant.offset, size: constant.size });
    label.value = value.first(64).exact_integers().map(|all| all.into_iter().collect());
    label.layer = Some(name.into_owned());
    Some(label)
}

/// The first elements of a value.
fn shown(value: &Value) -> String {
    let first = value.first(SHOWN);
    let floats = first.as_floats().unwrap_or_default().iter().map(|one| one.value().map(number_text));
    let floats: Vec<String> = floats.collect::<Option<_>>().unwrap_or_default();
    let text = if floats.is_empty() { first.to_string().replace(',', ", ") } else { floats.join(", ") };
    if value.len() <= SHOWN { text } else { format!("{text}, ... {} in all", value.len()) }
}

/// Where an output comes from: `mul (Multiply) f32[6,4] <- split_3 (Split) :0 f32[6,4] <- data f32[6,12]`.
pub(crate) fn chain(scope: &Scope, facts: &Facts, output: OutputRef) -> String {
    let mut parts = Vec::new();
    for output in producers(scope, output) {
        let Some(layer) = scope.graph.layer(output.layer) else { break };
        let kind = scope.graph.kind(layer);
        let name = scope.graph.name(scope.source, layer);
        let ty = if kind.role == Role::Parameter { String::new() } else { format!(" ({})", kind.ty) };
        let port = if scope.graph.outputs(layer).len() > 1 { format!(" :{}", output.output) } else { String::new() };
        let fact = facts.output(output).map(|fact| format!(" {}{}", fact.ty, fact.shape)).unwrap_or_default();
        let assumed = if facts.is_assumed(output.layer) { " (assumed)" } else { "" };
        parts.push(format!("{name}{ty}{port}{fact}{assumed}"));
    }
    parts.join(" <- ")
}

/// The same as `layer:output` names, for machines.
pub(crate) fn chain_names(scope: &Scope, output: OutputRef) -> Vec<String> {
    producers(scope, output)
        .filter_map(|output| {
            let layer = scope.graph.layer(output.layer)?;
            Some(format!("{}:{}", scope.graph.name(scope.source, layer), output.output))
        })
        .collect()
}

/// An output and what its layer's first input comes from, and so on.
fn producers(scope: &Scope, output: OutputRef) -> impl Iterator<Item = OutputRef> {
    let graph = scope.graph;
    let next = |output: &OutputRef| graph.inputs(graph.layer(output.layer)?).first()?.source();
    std::iter::successors(Some(output), next).take(scope.limits.chain)
}

/// Where the numbers of a layer's outputs come from: its attributes, and what its inputs are.
pub(crate) fn origins(scope: &Scope, facts: &Facts, layer: &Layer) -> Vec<Label> {
    let graph = scope.graph;
    let mut labels = Vec::new();
    // What a Parameter of a body is, comes from outside.
    let outside = graph.kind(layer).role == Role::Parameter && !scope.body.is_empty();
    if !layer.data.is_empty() && graph.kind(layer).role != Role::Const && !outside {
        let text = application(graph, facts, layer);
        labels.push(Label::new(layer.data, text));
    }
    if !layer.data.is_empty() && graph.kind(layer).role == Role::Const {
        labels.push(Label::new(layer.data, "the constant's own shape"));
    }
    for (i, port) in graph.inputs(layer).iter().enumerate().take(SHOWN) {
        let Some(output) = port.source() else { continue };
        let Some(producer) = graph.layer(output.layer) else { continue };
        let Some(fact) = facts.output(output) else { continue };
        let role = &match graph.kind(layer).meaning {
            Meaning::Modelled(spec) => role(spec, i),
            _ => format!("input {i}"),
        };
        let name = graph.name(scope.source, producer);
        match (&fact.value, graph.kind(producer).role) {
            (Some(value), Role::Const) => labels.extend(constant_label(scope, output, role, value)),
            (_, Role::Parameter) if !producer.data.is_empty() => {
                labels.push(Label::new(
                    producer.data,
                    format!("{role} = {}{} (Parameter `{name}`)", fact.ty, fact.shape),
                ));
            }
            _ => {}
        }
    }
    for label in &mut labels {
        label.origin = true;
    }
    labels
}

/// A layer as a call: `Split(f32[6,12], 1) = 3 x f32[6,4]`.
fn application(graph: &Graph, facts: &Facts, layer: &Layer) -> String {
    let plain = |fact: &Fact| format!("{}{}", fact.ty, fact.shape);
    let given = |port: &Port| match facts.of_port(port) {
        Some(fact) => match fact.value.as_deref().filter(|value| value.len() <= SHOWN) {
            Some(value) if value.lengths().is_empty() => shown(value),
            Some(value) => format!("[{}]", shown(value)),
            None => plain(fact),
        },
        None => "?".to_owned(),
    };
    let inputs: Vec<String> = graph.inputs(layer).iter().take(SHOWN).map(given).collect();
    let more = if graph.inputs(layer).len() > SHOWN { ", ..." } else { "" };
    // The table is in the order of the file.
    let place = graph.layers.binary_search_by_key(&layer.tag.start, |other| other.tag.start);
    let outputs = place.map(|index| facts.outputs(LayerId::new(index))).unwrap_or_default();
    // Of very many outputs the first are taken for the rest.
    let texts: Vec<String> = outputs.iter().take(ALIKE).map(plain).collect();
    let result = match texts.as_slice() {
        [] => String::new(),
        [only] => format!(" = {only}"),
        [first, rest @ ..] if rest.iter().all(|other| other == first) => format!(" = {} x {first}", outputs.len()),
        all => format!(" = {}{}", all[..all.len().min(SHOWN)].join(", "), if all.len() > SHOWN { ", ..." } else { "" }),
    };
    let ty = &graph.kind(layer).ty;
    if inputs.is_empty() { format!("{ty}{result}") } else { format!("{ty}({}{more}){result}", inputs.join(", ")) }
}
