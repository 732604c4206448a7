//! The origins of a layer's shapes and values, as findings show them: labels at constants and attributes, and the chain of
//! producers.

use super::{SHOWN, input_name};
use crate::diagnostic::{Label, WeightsRange};
use crate::infer::bodies::BodyWiring;
use crate::infer::facts::Facts;
use crate::infer::plan::BodyPlan;
use crate::infer::scope::Scope;
use crate::ir::{Graph, Layer, OutputRef, Port, Role};
use crate::ops::Meaning;
use crate::types::{Value, bare_fact, number_text};

/// The maximum number of outputs that are compared; if these are equal, all are taken as equal.
const ALIKE: usize = 64;

/// Returns a label on the Const behind a value, with its byte range in the weights file.
pub(super) fn constant_label(scope: &Scope, output: OutputRef, role: &str, value: &Value) -> Option<Label> {
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

/// Formats the first elements of a value.
pub(super) fn shown(value: &Value) -> String {
    let first = value.first(SHOWN);
    let floats = first.as_floats().unwrap_or_default().iter().map(|one| one.value().map(number_text));
    let floats: Vec<String> = floats.collect::<Option<_>>().unwrap_or_default();
    let text = if floats.is_empty() { first.to_string().replace(',', ", ") } else { floats.join(", ") };
    if value.len() <= SHOWN { text } else { format!("{text}, ... {} in all", value.len()) }
}

/// Formats the chain of producers of an output: `mul (Multiply) f32[6,4] <- split_3 (Split) :0 f32[6,4] <- data f32[6,12]`.
pub(crate) fn chain(scope: &Scope, facts: &Facts, output: OutputRef) -> String {
    text(scope, &producers(scope, facts, output, scope.limits.chain))
}

/// Returns the chain as `layer:output` names, for machine-readable formats.
pub(crate) fn chain_names(scope: &Scope, facts: &Facts, output: OutputRef) -> Vec<String> {
    names(scope, &producers(scope, facts, output, scope.limits.chain))
}

/// Returns the chain behind an output, as text and as names: from the first input of its layer, or from the body of a loop.
///
/// `None` for an If, and for a layer without inputs.
pub(crate) fn chain_behind(scope: &Scope, facts: &Facts, output: OutputRef) -> Option<(String, Vec<String>)> {
    let layer = scope.graph.layer(output.layer)?;
    let most = scope.limits.chain;
    let (from, producers) = match layer.subgraph {
        // The layer itself comes first.
        Some(_) => (format!("output {}", output.output), producers(scope, facts, output, most + 1).split_off(1)),
        None => ("input 0".to_owned(), producers(scope, facts, source(scope.graph, layer, 0)?, most)),
    };
    let text = format!("{from} <- {}", text(scope, &producers));
    (!producers.is_empty()).then(|| (text, names(scope, &producers)))
}

fn text(scope: &Scope, producers: &[Producer]) -> String {
    let mut parts = Vec::new();
    for Producer { graph, facts, prefix, layer, output } in producers {
        let kind = graph.kind(layer);
        let name = graph.name(scope.source, layer);
        let ty = if kind.role == Role::Parameter { String::new() } else { format!(" ({})", kind.ty) };
        let port = if graph.outputs(layer).len() > 1 { format!(" :{}", output.output) } else { String::new() };
        let fact = facts.output(*output).map(|fact| format!(" {}{}", fact.ty, fact.shape)).unwrap_or_default();
        let assumed = if facts.is_assumed(output.layer) { " (declared)" } else { "" };
        parts.push(format!("{prefix}{name}{ty}{port}{fact}{assumed}"));
    }
    parts.join(" <- ")
}

fn names(scope: &Scope, producers: &[Producer]) -> Vec<String> {
    let name =
        |one: &Producer| format!("{}{}:{}", one.prefix, one.graph.name(scope.source, one.layer), one.output.output);
    producers.iter().map(name).collect()
}

/// An output of a layer in the graph of a finding, or in a body nested in it.
struct Producer<'a> {
    graph: &'a Graph,
    facts: &'a Facts,
    /// `loop/body/` for a body.
    prefix: String,
    layer: &'a Layer,
    output: OutputRef,
}

/// Returns an output, the producer of its layer's first input, and so on, up to a number.
///
/// The wiring of a loop leads into its body and out again. An If has two bodies and ends the chain.
fn producers<'a>(scope: &'a Scope, facts: &'a Facts, output: OutputRef, most: usize) -> Vec<Producer<'a>> {
    let mut found: Vec<Producer> = Vec::new();
    let mut hosts: Vec<(usize, &BodyWiring)> = Vec::new();
    let mut next = producer(scope.graph, facts, String::new(), output);
    while let Some(last) = next.filter(|_| found.len() < most) {
        let Producer { graph, facts, layer, output, .. } = last;
        next = if let Some(subgraph) = &layer.subgraph {
            match facts.plan().bodies_of(output.layer) {
                [BodyPlan { kind, wiring, .. }] => {
                    hosts.push((found.len(), wiring));
                    let prefix = format!("{}{}/{}/", last.prefix, graph.name(scope.source, layer), kind.name());
                    let outlet = wiring.outputs.get(output.output as usize);
                    let inside = subgraph.body(*kind).zip(facts.body(output.layer, *kind)).zip(outlet);
                    inside.and_then(|((graph, facts), outlet)| {
                        producer(graph, facts, prefix, source(graph, graph.layer(outlet.result)?, 0)?)
                    })
                }
                _ => None,
            }
        } else if graph.kind(layer).role == Role::Parameter {
            hosts.pop().and_then(|(host, wiring)| {
                let inlet = wiring.inputs.iter().find(|inlet| inlet.parameter == output.layer)?;
                let Producer { graph, facts, prefix, layer, .. } = found.get(host)?;
                producer(graph, facts, prefix.clone(), source(graph, layer, inlet.external)?)
            })
        } else {
            source(graph, layer, 0).and_then(|from| producer(graph, facts, last.prefix.clone(), from))
        };
        found.push(last);
    }
    found
}

fn producer<'a>(graph: &'a Graph, facts: &'a Facts, prefix: String, output: OutputRef) -> Option<Producer<'a>> {
    Some(Producer { graph, facts, prefix, layer: graph.layer(output.layer)?, output })
}

/// Returns the output at the other end of the edge to an input.
fn source(graph: &Graph, layer: &Layer, input: usize) -> Option<OutputRef> {
    graph.inputs(layer).get(input)?.source()
}

/// Returns labels for the origins of a layer's outputs: its attributes and its inputs.
pub(crate) fn origins(scope: &Scope, facts: &Facts, layer: &Layer) -> Vec<Label> {
    let graph = scope.graph;
    let mut labels = Vec::new();
    // The fact of a body Parameter comes from outside the body.
    let outside = graph.kind(layer).role == Role::Parameter && !scope.body.is_empty();
    if !layer.data.is_empty() && graph.kind(layer).role != Role::Const && !outside {
        let text = application(graph, facts, layer);
        labels.push(Label::new(layer.data, text));
    }
    if !layer.data.is_empty() && graph.kind(layer).role == Role::Const {
        labels.push(Label::new(layer.data, "the constant itself"));
    }
    for (i, port) in graph.inputs(layer).iter().enumerate().take(SHOWN) {
        let Some(output) = port.source() else { continue };
        let Some(producer) = graph.layer(output.layer) else { continue };
        let Some(fact) = facts.output(output) else { continue };
        let role = &match graph.kind(layer).meaning {
            Meaning::Modelled(spec) => input_name(spec, i),
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

/// Formats a layer as a call: `Split(f32[6,12], 1) = 3 x f32[6,4]`.
fn application(graph: &Graph, facts: &Facts, layer: &Layer) -> String {
    let given = |port: &Port| match facts.of_port(port) {
        Some(fact) => match fact.value.as_deref().filter(|value| value.len() <= SHOWN) {
            Some(value) if value.lengths().is_empty() => shown(value),
            Some(value) => format!("[{}]", shown(value)),
            None => bare_fact(fact),
        },
        None => "?".to_owned(),
    };
    let inputs: Vec<String> = graph.inputs(layer).iter().take(SHOWN).map(given).collect();
    let more = if graph.inputs(layer).len() > SHOWN { ", ..." } else { "" };
    let outputs = graph.layer_at(layer.tag.start).map(|index| facts.outputs(index)).unwrap_or_default();
    // Only the first outputs are compared; there can be very many.
    let texts: Vec<String> = outputs.iter().take(ALIKE).map(bare_fact).collect();
    let result = match texts.as_slice() {
        [] => String::new(),
        [only] => format!(" = {only}"),
        [first, rest @ ..] if rest.iter().all(|other| other == first) => format!(" = {} x {first}", outputs.len()),
        all => format!(" = {}{}", all[..all.len().min(SHOWN)].join(", "), if all.len() > SHOWN { ", ..." } else { "" }),
    };
    let ty = &graph.kind(layer).ty;
    if inputs.is_empty() { format!("{ty}{result}") } else { format!("{ty}({}{more}){result}", inputs.join(", ")) }
}
