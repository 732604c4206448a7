//! Checks for shapes that are too dynamic: outputs whose rank gets lost, and inputs or states that the device does not
//! support.

use super::{Checked, llm};
use crate::diagnostic::{Diagnostic, Group, Rule, Runtime, Severity, Sink};
use crate::ir::{Layer, LayerId, OutputRef, Port, Role, find_attribute};
use crate::ops::devices::Device;
use crate::ops::{Action, OpSpec, WithBodies};
use crate::source::Span;
use crate::types::{Dim, Fact};
use petgraph::Direction::Outgoing;
use petgraph::visit::EdgeRef;
use std::collections::HashSet;

const fn shape_rule(name: &'static str, summary: &'static str, explain: &'static str) -> Rule {
    Rule::error(Group::Portability, name, summary, explain).accepted(Severity::Warning)
}

pub(crate) static DYNAMIC_RANK: Rule = shape_rule(
    "dynamic-rank",
    "the rank of a tensor is not known",
    "OpenVINO's CPU plugin does not compile an input of unknown rank. The rank is also unknown where the branches of \
     an If give tensors of different ranks.\n\n\
     Give the input a shape, with `?` for each dimension that may vary; reshape the outputs of the branches to the same rank. \
     The rule reports only the layer where the rank is lost, not every layer after it.",
);

pub(crate) static DYNAMIC_INPUT_FOR_DEVICE: Rule = shape_rule(
    "dynamic-input-for-device",
    "the device does not support an input of this shape",
    "Checked with `--device cpu|gpu|npu` only. It finds inputs of unknown rank, and, for the NPU, dimensions that \
     are not fixed. If every input is static, it finds states that stay dynamic on the NPU.\n\n\
     A language model that keeps its KV cache in variables is dynamic by design, so the finding is only a warning for such a model. Such a \
     model has the inputs `input_ids`, `attention_mask` and `beam_idx`, optionally `position_ids`, and uses \
     `beam_idx` only to select from the past.\n\n\
     Do not reshape such a model for openvino.genai. Its `LLMPipeline` takes the dynamic model on the NPU and makes the \
     inputs static itself: add `--for genai`. A reshaped model fails for prompts of any other length.\n\n\
     For other models, give the inputs static shapes: `ovlint reshape model.xml --set batch=1,seq=128 --in-place`, or \
     `model.reshape({\"x\": [1, 3, 224, 224]})` before the model is saved.",
)
.severity(Severity::Error)
.runtime(Runtime::NotCompiled);

/// Reports that the rank of an output is unknown although the ranks of all inputs are known.
pub(super) fn unknown_rank(checked: &Checked, index: LayerId, layer: &Layer, output: usize, sink: &mut Sink) {
    let graph = checked.scope.graph;
    if graph.kind(layer).role == Role::Const {
        return; // Its attributes state the rank, or another finding says what is wrong with them.
    }
    let known = |fact: &Fact| fact.rank().is_some() && !fact.assumed;
    let inputs_known = graph.inputs(layer).iter().all(|port| checked.facts.of_port(port).is_some_and(known));
    let is_given = graph.kind(layer).role == Role::Parameter && !checked.scope.body.is_empty();
    if !inputs_known || is_given || !checked.facts.is_reachable(index) {
        return;
    }
    // OpenVINO may know more about the outputs of bodies.
    let reference = u32::try_from(output).map(|output| OutputRef { layer: index, output });
    let known = || checked.known_to_openvino(reference.ok()?).and_then(Fact::rank);
    let is_assumed = || checked.facts.outputs(index).get(output).is_some_and(|fact| fact.assumed);
    let is_no_root = match layer.subgraph {
        Some(_) => is_assumed() || known().is_some(),
        None => follows_from_another(checked, layer),
    };
    if is_no_root {
        return;
    }
    let name = graph.name(checked.scope.source, layer);
    let message = match graph.kind(layer).role {
        Role::Parameter => format!("the rank of input `{name}` is not known"),
        _ => format!("the rank of output {output} of `{name}` ({}) is not known", graph.kind(layer).ty),
    };
    let finding = checked.about(layer, Diagnostic::new(&DYNAMIC_RANK, shape_span(checked, layer), message));
    let fails = reference.is_ok_and(|output| is_not_compiled(checked, layer, output));
    sink.report(if fails { finding.runtime(Runtime::NotCompiled) } else { finding });
}

/// The maximum number of labels beside that of the first input or state.
const LABELS: usize = 8;

/// The maximum number of layers that are followed from a lost rank.
const FOLLOWED: usize = 128;

/// Whether the rank of an output is unknown because that of a tensor further up is: the lists that decide it, or all inputs if
/// there is no such list, are as long as that tensor makes them.
fn follows_from_another(checked: &Checked, layer: &Layer) -> bool {
    let graph = checked.scope.graph;
    let is_open = |port: &&Port| checked.facts.of_port(port).is_some_and(|fact| !fact.shape.is_static());
    let open = |layer| graph.inputs(layer).iter().filter(is_open);
    let is_read =
        |i: usize| graph.kind(layer).spec().and_then(|spec| spec.input(i)).is_some_and(|input| input.reads_value);
    let read = graph.inputs(layer).iter().enumerate().filter(|(i, _)| is_read(*i)).map(|(_, port)| port);
    let mut todo: Vec<&Port> = read.filter(is_open).collect();
    if todo.is_empty() {
        todo.extend(open(layer));
    }
    let mut seen = HashSet::new();
    while let Some(port) = todo.pop().filter(|_| seen.len() < FOLLOWED) {
        if checked.facts.of_port(port).is_some_and(|fact| fact.rank().is_none()) {
            return true;
        }
        let producer = port.source().filter(|source| seen.insert(source.layer));
        todo.extend(producer.and_then(|source| graph.layer(source.layer)).into_iter().flat_map(open));
    }
    false
}

/// Whether the CPU plugin certainly rejects an output of unknown rank: an input of the model, or an output of the model that
/// comes from an If whose condition is an input of the model.
///
/// Elsewhere the plugin may fold conditions, unroll loops and drop dead layers, so the result is uncertain.
fn is_not_compiled(checked: &Checked, layer: &Layer, output: OutputRef) -> bool {
    let graph = checked.scope.graph;
    let has_role = |id: LayerId, role| graph.layer(id).is_some_and(|layer| graph.kind(layer).role == role);
    let is_input = |id: LayerId| has_role(id, Role::Parameter);
    let is_chosen = || {
        let condition = graph.inputs(layer).first().and_then(Port::source);
        graph.kind(layer).spec().and_then(OpSpec::with_bodies) == Some(WithBodies::If)
            && condition.is_some_and(|condition| is_input(condition.layer))
    };
    let is_given = || {
        let mut edges = graph.dag.edges_directed(output.layer.node(), Outgoing);
        edges.any(|edge| edge.weight().output == output.output && has_role(edge.target().into(), Role::Result))
    };
    checked.scope.body.is_empty() && (is_input(output.layer) || is_chosen() && is_given())
}

/// The span of the `shape` attribute of a layer, or the layer's.
pub(super) fn shape_span(checked: &Checked, layer: &Layer) -> Span {
    let source = checked.scope.source;
    let shape = find_attribute(source, layer.data, "shape");
    shape
        .or_else(|| find_attribute(source, layer.data, "variable_shape"))
        .map_or(layer.tag, |attribute| attribute.value)
}

/// Reports the inputs of the model that the device does not support, and for the NPU the states that stay dynamic when every
/// input is static.
pub(super) fn device(checked: &Checked, sink: &mut Sink) {
    let Some(device) = checked.options.device else { return };
    let graph = checked.scope.graph;
    let inputs = dynamic(checked, |layer| graph.kind(layer).role == Role::Parameter);
    if device != Device::Npu {
        for (layer, fact) in inputs.iter().filter(|(_, fact)| fact.rank().is_none()) {
            sink.report(unranked(checked, device, layer, fact));
        }
    } else if inputs.is_empty() {
        let states = dynamic(checked, |layer| graph.kind(layer).action() == Action::Reads);
        pipeline(checked, &states, ["state", "states"], sink);
    } else if llm::is_stateful(checked) {
        pipeline(checked, &inputs, ["input", "inputs"], sink);
    } else {
        for (layer, fact) in inputs {
            sink.report(not_static(checked, layer, fact));
        }
    }
}

/// Returns the layers of the net that are chosen and have one output, of a dynamic shape.
fn dynamic<'a>(checked: &'a Checked, is_chosen: impl Fn(&Layer) -> bool) -> Vec<(&'a Layer, &'a Fact)> {
    let one = |(index, layer): (LayerId, &'a Layer)| match checked.facts.outputs(index) {
        [fact] if !fact.shape.is_static() && is_chosen(layer) => Some((layer, fact)),
        _ => None,
    };
    checked.scope.graph.entries().filter_map(one).collect()
}

fn about(checked: &Checked, layer: &Layer, message: String) -> Diagnostic {
    checked.about(layer, Diagnostic::new(&DYNAMIC_INPUT_FOR_DEVICE, shape_span(checked, layer), message))
}

/// The finding of an input of unknown rank.
fn unranked(checked: &Checked, device: Device, layer: &Layer, fact: &Fact) -> Diagnostic {
    let name = checked.scope.graph.name(checked.scope.source, layer);
    about(checked, layer, format!("{device} needs to know the rank of input `{name}`, which is {}", fact.shape))
}

/// The finding of an input that is not static for the NPU.
fn not_static(checked: &Checked, layer: &Layer, fact: &Fact) -> Diagnostic {
    let Some(dims) = fact.shape.dims() else { return unranked(checked, Device::Npu, layer, fact) };
    let name = checked.scope.graph.name(checked.scope.source, layer);
    let finding = about(checked, layer, format!("NPU needs static shapes; input `{name}` is {}", fact.shape));
    let unbounded = |dims: &[Dim]| dims.iter().any(|dim| dim.upper().is_none());
    // The only dimension of a vector is not a batch.
    let finding = if unbounded(dims.get(1..).unwrap_or_default()) || dims.len() == 1 && unbounded(dims) {
        finding
    } else if unbounded(dims) {
        finding
            .severity(Severity::Warning)
            .note("a warning only, because every dimension except the batch has an upper bound")
    } else {
        finding.severity(Severity::Warning).note("a warning only, because every dimension has an upper bound")
    };
    finding.help("reshape the model before you save it, or write fixed sizes into `shape`")
}

/// Reports the inputs of a language model, or the states of a model, that only a pipeline makes static.
fn pipeline(checked: &Checked, open: &[(&Layer, &Fact)], [one, many]: [&str; 2], sink: &mut Sink) {
    let [(first, _), others @ ..] = open else { return };
    let count = if others.is_empty() { format!("a dynamic {one}") } else { format!("{} dynamic {many}", open.len()) };
    let model = if llm::is_stateful(checked) { "stateful LLM" } else { "model" };
    let message = format!("NPU needs static shapes; this {model} has {count}");
    let name = |layer: &Layer| format!("{one} `{}`", checked.scope.graph.name(checked.scope.source, layer));
    let mut finding = about(checked, first, message).severity(Severity::Warning).primary(name(first));
    for (layer, _) in others.iter().take(LABELS) {
        finding = finding.label(shape_span(checked, layer), name(layer));
    }
    if llm::is_stateful(checked) {
        finding = finding.note("a language model that keeps its KV cache in variables is dynamic by design");
        if one == "input" {
            finding = finding.note(
                "the pipeline of openvino.genai makes the inputs static; if it loads the model, add `--for genai`",
            );
        }
    }
    sink.report(finding);
}
