//! Names of layers, and of the tensors that callers refer to.

mod odd_names;

use super::rules::DUPLICATE_TENSOR_NAME;
use super::{Checked, for_every_graph};
use crate::arrange::Arrange;
use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix, Group, Rule, Runtime, Severity, Sink};
use crate::ir::rules::DUPLICATE_LAYER_ID;
use crate::ir::{Graph, Layer, OutputRef, Role, find_attribute, name_list, resolved};
use crate::source::Span;
use crate::types::release;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

pub(crate) static NAMES: Rule = Rule::error(
    Group::Hygiene,
    "names",
    "a name is missing, shared, or read differently by different tools",
    "Callers refer to the inputs and outputs of a model by the names of their tensors: `compiled(\"images\")`, \
     `request.get_tensor(\"scores\")`. Callers can refer to a tensor without a name only by its position. Names are in \
     `names` of the \
     output port of the Parameter, or of the layer that feeds the Result.\n\n\
     Edges refer to layers by id, so layers may share a name. Features that use names reach only one of them, for example \
     ignored scopes of NNCF, affinities of HETERO, profiles, and layer names in messages. `--fix=all` numbers the others.\n\n\
     A name should not be empty. A line break or a tab in it counts as a space in XML. A control character, a bare \
     `<` or `&`, and an entity that XML does not define make the file malformed for strict XML parsers. A type is \
     written as in the specification: `Parameter`, not `parameter`.",
)
.accepted(Severity::Warning)
.fixed(Applicability::Unsafe)
.opt_in();

/// A tensor that callers see, with its names and their spans.
struct Tensor<'a> {
    output: OutputRef,
    layer: &'a Layer,
    names: Vec<String>,
    span: Span,
}

pub(super) fn check(checked: &Checked, sink: &mut Sink) {
    if checked.version == 10 {
        check_version_10(checked, sink);
    } else {
        check_interface(checked, sink);
    }
    if checked.options.enables(&NAMES) {
        for_every_graph(checked, &mut |checked| {
            check_layers(checked, sink);
            odd_names::check_graph(checked, sink);
        });
    }
}

/// Checks the inputs and outputs of a net of IR version 11: OpenVINO appends a number to the later of two equal names.
fn check_interface(checked: &Checked, sink: &mut Sink) {
    let graph = checked.scope.graph;
    let tensors: Vec<Tensor> = ends(graph).map(|(layer, output)| tensor(checked, layer, output)).collect();
    let mut taken: BTreeMap<&str, &Tensor> = BTreeMap::new();
    // OpenVINO builds a layer twice if another one takes its id, and names both.
    let is_certain = !sink.has(&DUPLICATE_LAYER_ID);
    for tensor in &tensors {
        for name in &tensor.names {
            let first = match taken.entry(name) {
                Entry::Occupied(entry) => *entry.get(),
                Entry::Vacant(entry) => {
                    entry.insert(tensor);
                    continue;
                }
            };
            if first.output != tensor.output && is_certain {
                let message = format!("`{name}` names two inputs or outputs of the model");
                sink.report(
                    checked
                        .about(tensor.layer, Diagnostic::new(&DUPLICATE_TENSOR_NAME, tensor.span, message))
                        .label(first.span, "the other one")
                        .note(format!(
                            "OpenVINO calls this one `{name}_1`, so callers that use `{name}` get the other"
                        )),
                );
            }
        }
        if tensor.names.is_empty() && checked.options.enables(&NAMES) {
            let side = if graph.kind(tensor.layer).role == Role::Result { "output" } else { "input" };
            let message = format!("{side} `{}` has no tensor name", graph.name(checked.scope.source, tensor.layer));
            let finding = Diagnostic::new(&NAMES, tensor.span, message).severity(Severity::Info);
            sink.report(checked.about(tensor.layer, finding));
        }
    }
}

fn tensor<'a>(checked: &Checked<'a>, layer: &'a Layer, output: OutputRef) -> Tensor<'a> {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    let port = graph.layer(output.layer).and_then(|producer| graph.outputs(producer).get(output.output as usize));
    let mut given = Some((layer.tag, "output_names")).filter(|_| graph.kind(layer).role == Role::Result);
    let mut names = given.map(|(tag, attribute)| name_list(source, tag, attribute)).unwrap_or_default();
    if names.is_empty() {
        given = port.map(|port| (port.tag, "names"));
        names = given.map(|(tag, attribute)| name_list(source, tag, attribute)).unwrap_or_default();
    }
    let written = given.and_then(|(tag, attribute)| find_attribute(source, tag, attribute));
    Tensor { output, layer, names, span: written.map_or(layer.tag, |attribute| attribute.value) }
}

/// Checks the inputs and outputs of a net of IR version 10: OpenVINO also names their tensors after layers, and rejects a
/// file in which such a name belongs to another input or output.
fn check_version_10(checked: &Checked, sink: &mut Sink) {
    let graph = checked.scope.graph;
    let ends: Vec<(&Layer, OutputRef)> = ends(graph).collect();
    let mut taken: BTreeMap<String, (OutputRef, &Layer)> = BTreeMap::new();
    let mut name_of: BTreeMap<OutputRef, String> = BTreeMap::new();
    for (layer, output) in &ends {
        // An output of a Result names the tensor that it reads.
        let producer = graph.layer(output.layer).map(|producer| graph.outputs(producer)).unwrap_or_default();
        let ports = producer.get(output.output as usize).into_iter().chain(graph.outputs(layer));
        let written = ports.flat_map(|port| name_list(checked.scope.source, port.tag, "names"));
        for name in written {
            name_of.entry(*output).or_insert_with(|| name.clone());
            taken.entry(name).or_insert((*output, layer));
        }
        for name in tensor(checked, layer, *output).names {
            taken.entry(name).or_insert((*output, layer));
        }
    }
    if sink.has(&DUPLICATE_LAYER_ID) {
        reject_namesakes(graph, sink);
    }
    let mut first_ends: BTreeMap<OutputRef, &Layer> = BTreeMap::new();
    for (layer, output) in &ends {
        let first = *first_ends.entry(*output).or_insert(layer);
        let port = graph.layer(output.layer).and_then(|producer| graph.outputs(producer).get(output.output as usize));
        let Some(port) = port.filter(|_| !std::ptr::eq(first, *layer)) else { continue };
        if let Some(name) = name_of.get(output) {
            let message = format!("`{name}` names two inputs or outputs of the model, which are one tensor");
            let finding = Diagnostic::new(&DUPLICATE_TENSOR_NAME, layer.tag, message).severity(Severity::Error);
            let finding = finding.runtime(Runtime::Rejects).since(release(2025, 0)).label(first.tag, "the other one");
            sink.report(checked.about(layer, finding.label(port.tag, "both are this tensor")));
        }
    }
    for (layer, output) in ends {
        let Some(producer) = graph.layer(output.layer) else { continue };
        let name = graph.name(checked.scope.source, producer);
        let outputs = checked.facts.outputs(output.layer).len().max(graph.outputs(producer).len());
        let name = if outputs > 1 { format!("{name}.{}", output.output) } else { name.into_owned() };
        if name.is_empty() {
            continue;
        }
        let message = format!("`{name}` names two inputs or outputs of the model");
        let (tensor, other) = *taken.entry(name).or_insert((output, layer));
        if tensor != output {
            sink.report(
                checked
                    .about(producer, Diagnostic::new(&DUPLICATE_TENSOR_NAME, producer.tag, message))
                    .severity(Severity::Error)
                    .runtime(Runtime::Rejects)
                    .label(other.tag, "the other tensor belongs to this layer")
                    .note("in IR version 10, layer names also serve as names of inputs and outputs"),
            );
        }
    }
}

/// Settles that OpenVINO rejects a Parameter with the id of another one: it builds the last of them for each, with one name.
fn reject_namesakes(graph: &Graph, sink: &mut Sink) {
    let named = |tag: Span| graph.layers.iter().find(|layer| layer.tag == tag && !layer.name.is_empty());
    let is_parameter = |tag| named(tag).is_some_and(|layer| graph.kind(layer).role == Role::Parameter);
    sink.settle(|finding| {
        let mut tags = finding.labels.iter().map(|label| label.span).chain([finding.primary.span]);
        if finding.rule == &DUPLICATE_LAYER_ID && tags.all(is_parameter) {
            finding.runtime = Runtime::Rejects;
        }
    });
}

/// The Parameters with their outputs, then the Results with their producers.
pub(super) fn ends(graph: &Graph) -> impl Iterator<Item = (&Layer, OutputRef)> {
    let of = move |role| graph.entries().filter(move |(_, layer)| graph.kind(layer).role == role);
    let parameters = of(Role::Parameter).map(|(index, layer)| (layer, OutputRef { layer: index, output: 0 }));
    let results = of(Role::Result).filter_map(move |(_, layer)| Some((layer, graph.inputs(layer).first()?.source()?)));
    parameters.chain(results)
}

fn check_layers(checked: &Checked, sink: &mut Sink) {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    let mut layers: Vec<&Layer> = graph.layers.iter().filter(|layer| !layer.name.is_empty()).collect();
    // Character references are rare; names without any are compared as raw bytes.
    let has_references = layers.iter().any(|layer| source.slice(layer.name).contains(&b'&'));
    let name_of = |layer: &Layer| match source.slice(layer.name) {
        raw if has_references => resolved(raw),
        raw => Cow::Borrowed(raw),
    };
    layers.arrange_by(|a, b| name_of(a).cmp(&name_of(b)));
    let is_taken = |name: &str| layers.binary_search_by(|layer| name_of(layer).as_ref().cmp(name.as_bytes())).is_ok();
    for same in layers.chunk_by(|a, b| name_of(a) == name_of(b)) {
        let [first, others @ ..] = same else { continue };
        let Some(second) = others.first() else { continue };
        let message = format!("{} layers are called `{}`", same.len(), graph.name(source, first));
        let mut finding = Diagnostic::new(&NAMES, second.name, message).label(first.name, "the first one");
        let written = graph.full_name(source, first);
        let free = (2..).map(|number| format!("_{number}")).filter(|ending| !is_taken(&format!("{written}{ending}")));
        let after = |layer: &Layer| Span { start: layer.name.end, end: layer.name.end };
        let edits = others.iter().zip(free).map(|(layer, text)| Edit { span: after(layer), text }).collect();
        let message = "number the other names".into();
        finding.fix = Some(Fix { applicability: Applicability::Unsafe, message, edits });
        sink.report(checked.about(second, finding));
    }
}
