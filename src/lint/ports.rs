//! Ports of layers: missing edges, and the number of ports that the operation has.

use super::{Checked, missing_edge};
use crate::arrange::Fill;
use crate::diagnostic::{Amendment, Diagnostic, Direction, Hint, Note, Runtime, Severity, Sink};
use crate::infer::bodies::rules::BAD_PORT_MAP;
use crate::infer::{Scope, origins, with_call};
use crate::ir::rules::{INPUT_NOT_CONNECTED, RESULT_HAS_OUTPUT};
use crate::ir::{Graph, Layer, LayerId, Port, PortMapEntry, Role, find_attribute};
use crate::ops::apply::{Application, Call};
use crate::ops::revisions::revisions_of;
use crate::ops::rules::{WRONG_INPUT_COUNT, WRONG_OUTPUT_COUNT};
use crate::ops::{Meaning, OpSpec, Outputs, WithBodies};
use crate::types::Fact;
use std::collections::BTreeSet;

pub(super) fn check(checked: &Checked, sink: &mut Sink) {
    let graph = checked.scope.graph;
    if checked.version == 10 && sink.has(&WRONG_OUTPUT_COUNT) {
        excuse_unread(checked, sink);
    }
    for (index, layer) in graph.entries() {
        if checked.version == 10 {
            excuse_surplus(checked, index, layer, sink);
        }
        if graph.inputs(layer).iter().any(|port| port.source().is_none()) {
            unconnected(checked, index, layer, sink);
        }
        output_count(checked, index, layer, sink);
        if let (Role::Result, Some(port)) = (graph.kind(layer).role, graph.outputs(layer).first()) {
            let name = graph.name(checked.scope.source, layer);
            let message = format!("Result `{name}` declares an output port");
            let mut finding = Diagnostic::new(&RESULT_HAS_OUTPUT, port.tag, message);
            // Consumers of the surplus output are not inferred.
            if graph.dag.edges(index.node()).next().is_some() {
                finding =
                    finding.severity(Severity::Error).runtime(Runtime::Unknown).note("an edge starts at this port");
            }
            sink.report(checked.about(layer, finding));
        }
    }
}

fn unconnected(checked: &Checked, index: LayerId, layer: &Layer, sink: &mut Sink) {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    for (i, port) in graph.inputs(layer).iter().enumerate() {
        if !missing_edge::is_open(graph, index, i) {
            continue;
        }
        let reference = graph.port_ref(source, layer, Direction::Input, i);
        let kind = graph.kind(layer);
        let name = graph.name(source, layer);
        let message = format!("input port {} of `{name}` ({}) has no incoming edge", reference.id, kind.ty);
        let role = match kind.meaning {
            Meaning::Modelled(spec) => spec.input(i),
            _ => None,
        };
        let text = role.map(|input| format!("`{}` is not connected", input.name)).unwrap_or_default();
        let mut finding = checked
            .scope
            .about_part(layer, Diagnostic::new(&INPUT_NOT_CONNECTED, port.tag, message))
            .primary(text)
            .port(reference);
        if i >= connected(graph.inputs(layer)) {
            let may_be_read = role.is_some_and(|input| input.skippable);
            finding = finding.runtime(match checked.version {
                10 if is_counted(graph, layer, port) => Runtime::Rejects,
                10 => without_the_last(checked, index, layer),
                11 if may_be_read => Runtime::Unknown,
                _ => Runtime::Rejects,
            });
        }
        let lost = checked.gap.filter(|gap| (gap.layer, gap.input) == (index, i));
        if let Some(producer) = lost.and_then(|gap| graph.layer(gap.producer)) {
            let text = format!("`{}` ({}) feeds nothing", graph.name(source, producer), graph.kind(producer).ty);
            finding = finding.label(producer.tag, text);
        }
        if lost.is_some_and(|gap| gap.producer != index) {
            finding = finding.help("is an edge between the two missing?");
        }
        sink.report(finding);
    }
}

/// The number of ports up to the last one with an edge.
fn connected(ports: &[Port]) -> usize {
    ports.iter().rposition(|port| port.source().is_some()).map_or(0, |last| last + 1)
}

/// Infers a layer from the inputs up to the last one with an edge.
fn from_connected(checked: &Checked, layer: &Layer) -> Option<Application> {
    let Scope { graph, source, limits, .. } = checked.scope;
    let spec = graph.kind(layer).spec().filter(|_| layer.subgraph.is_none())?;
    let count = connected(graph.inputs(layer));
    with_call(source, graph, checked.facts, layer, spec, |call| {
        call.inputs.get(..count).map(|inputs| Call { inputs, ..*call }.apply(limits))
    })
}

/// Whether OpenVINO requires an edge to the port because the body of a loop takes its input from there.
fn is_counted(graph: &Graph, layer: &Layer, port: &Port) -> bool {
    let is_loop = graph.kind(layer).spec().and_then(OpSpec::with_bodies).is_some_and(|kind| kind != WithBodies::If);
    let id = port.id.and_then(|id| i64::try_from(id.get()).ok());
    let names = |entry: &PortMapEntry| entry.direction == Direction::Input && entry.external_port == id;
    is_loop && layer.subgraph.as_ref().is_some_and(|subgraph| subgraph.port_map.iter().any(names))
}

/// The reaction of OpenVINO where the last inputs have no edges: in IR version 10, it infers from the others.
fn without_the_last(checked: &Checked, index: LayerId, layer: &Layer) -> Runtime {
    let Meaning::Modelled(_) = checked.scope.graph.kind(layer).meaning else { return Runtime::Rejects };
    let Some(Application { outputs, faults, .. }) = from_connected(checked, layer) else { return Runtime::Unknown };
    if faults.iter().any(|fault| fault.rule == &WRONG_INPUT_COUNT) {
        return Runtime::Rejects;
    }
    let facts = checked.facts.outputs(index);
    let same = |(a, b): (&Fact, &Fact)| a.ty == b.ty && a.shape == b.shape;
    let is_same = |all: Vec<Fact>| all.len() == facts.len() && all.iter().zip(facts).all(same);
    if faults.is_empty() && outputs.is_some_and(is_same) { Runtime::Accepts } else { Runtime::Unknown }
}

/// Corrects the verdict about surplus outputs of IR version 10: OpenVINO accepts them if no edge starts there.
fn excuse_unread(checked: &Checked, sink: &mut Sink) {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    let real = |index: LayerId| {
        let layer = graph.layer(index)?;
        match graph.kind(layer).spec()?.outputs {
            // OpenVINO ignores what follows the digits.
            Outputs::FromAttr(name) => {
                let text = source.text(find_attribute(source, layer.data, name)?.value);
                text.trim().split(|digit: char| !digit.is_ascii_digit()).next()?.parse().ok()
            }
            _ => Some(checked.facts.outputs(index).len()),
        }
    };
    let is_excused = |finding: &Diagnostic| {
        let index = finding.layer.as_ref().and_then(|layer| graph.layer_at(layer.span.start));
        let real = index.and_then(|index| Some((index, real(index).filter(|real| *real > 0)?)));
        finding.rule == &WRONG_OUTPUT_COUNT
            && finding.body == checked.scope.body
            && real.is_some_and(|(index, real)| {
                graph.dag.edges(index.node()).all(|edge| (edge.weight().output as usize) < real)
            })
    };
    let excused: Vec<_> = sink.numbered().filter(|(_, finding)| is_excused(finding)).map(|(id, _)| id).collect();
    for id in excused {
        sink.amend(id, Amendment::Verdict(Runtime::Accepts));
    }
}

/// Corrects the verdict about the number of inputs in IR version 10: OpenVINO accepts surplus ones if no edge leads there,
/// or if the operation has no inputs at all and the inputs with edges come first; some other operations ignore them. It
/// does not count the last ports if they have no edges. It builds the Parameters first, so that only Parameters before one
/// may feed it.
fn excuse_surplus(checked: &Checked, index: LayerId, layer: &Layer, sink: &mut Sink) {
    let graph = checked.scope.graph;
    let takes_any = |spec: &OpSpec| spec.inputs.last().is_some_and(|last| last.variadic);
    let taken = graph.kind(layer).spec().map_or(0, |spec| if takes_any(spec) { usize::MAX } else { spec.inputs.len() });
    let ports = graph.inputs(layer);
    let surplus = ports.get(taken..).unwrap_or_default();
    let is_open = |port: &Port| port.source().is_none();
    let is_parameter = |index| graph.layer(index).is_some_and(|layer| graph.kind(layer).role == Role::Parameter);
    if surplus.is_empty() && ports.last().is_none_or(|last| !is_open(last)) {
        return;
    }
    let is_count = |finding: &Diagnostic| {
        finding.rule == &WRONG_INPUT_COUNT && finding.layer.as_ref().is_some_and(|found| found.span == layer.tag)
    };
    let found = sink.numbered().find(|(_, finding)| is_count(finding)).map(|(id, _)| id);
    if let Some(id) = found {
        let is_accepted = surplus.iter().all(is_open) || taken == 0 && surplus.is_sorted_by_key(is_open);
        let is_inferred = || from_connected(checked, layer).is_none_or(|found| found.outputs.is_some());
        let is_built = |from: LayerId| from < index && is_parameter(from);
        let is_fed_early = |port: &Port| port.source().is_none_or(|from| is_built(from.layer));
        let verdict = if surplus.is_empty() {
            without_the_last(checked, index, layer)
        } else if graph.kind(layer).role == Role::Result && !is_accepted
            || is_parameter(index) && !surplus.iter().all(is_fed_early)
        {
            Runtime::Rejects
        } else if is_accepted && (taken == 0 || is_inferred()) {
            Runtime::Accepts
        } else {
            Runtime::Unknown
        };
        sink.amend(id, Amendment::Verdict(verdict));
    }
}

fn output_count(checked: &Checked, index: LayerId, layer: &Layer, sink: &mut Sink) {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    let kind = graph.kind(layer);
    let ports = graph.outputs(layer);
    let facts = checked.facts.outputs(index);
    let knows_facts = !checked.options.no_infer;
    let real = match kind.meaning {
        _ if knows_facts && checked.facts.is_assumed(index) => return,
        // A Result passes its input on, but nothing reads it and its port may be omitted.
        _ if kind.role == Role::Result => ports.len().min(1),
        Meaning::Modelled(OpSpec { outputs: Outputs::Exactly(count), .. }) if !knows_facts => *count,
        _ if !knows_facts => return,
        _ => facts.len(),
    };
    let declared = ports.len();
    let (from_values, from_attribute) = match kind.meaning {
        Meaning::Modelled(spec) => (spec.outputs == Outputs::Inferred, matches!(spec.outputs, Outputs::FromAttr(_))),
        _ => (false, false),
    };
    if declared < real && graph.loose.lacks_port(index, Direction::Output) {
        return; // The edge that names the missing port is reported.
    }
    if declared == real || from_values && facts.iter().any(|fact| fact.assumed) {
        return;
    }
    let name = graph.name(source, layer);
    let (rule, extra, message) = match unmapped_output(layer, ports).filter(|_| declared > real && checked.version > 10)
    {
        Some((i, id)) => (&BAD_PORT_MAP, i, format!("output port {id} of `{name}` is in no <output> of the port map")),
        None => {
            let message = format!("`{name}` declares {}, {} produces {real}", outputs(declared), kind.ty);
            (&WRONG_OUTPUT_COUNT, real, message)
        }
    };
    let span = if declared > real { ports[extra].tag } else { layer.tag };
    let mut finding = checked.about(layer, Diagnostic::new(rule, span, message));
    if declared > real {
        finding = finding
            .port(graph.port_ref(source, layer, Direction::Output, extra))
            .label(layer.tag, format!("in this {} layer", kind.ty));
        let mut revisions = kind.spec().into_iter().flat_map(|spec| revisions_of(spec.name));
        if let Some(other) = revisions.find(|other| other.outputs == Outputs::Exactly(declared)) {
            let text = format!("{} of opset{} has {declared} outputs: is the version right?", other.name, other.opset);
            finding.help.push(Hint::OtherOperation(text.into()));
        }
        let last = graph.dag.edges(index.node()).map(|edge| edge.weight().output as usize).max();
        if checked.version == 10 && last.is_none_or(|last| last < real) {
            finding = finding.runtime(Runtime::Accepts);
        } else if matches!(kind.meaning, Meaning::Modelled(OpSpec { outputs: Outputs::Exactly(0), .. })) {
            // An operation without outputs keeps the ports that it declares.
            finding = finding.runtime(Runtime::Unknown);
        } else if checked.version == 10 && layer.subgraph.is_some() && last == Some(0) {
            // OpenVINO reads the first output of a layer whose bodies give none, but does not compile the layer.
            finding = finding.runtime(Runtime::Unknown);
        }
    } else {
        finding = finding.runtime(Runtime::Accepts);
        finding.labels.extend(origins(&checked.scope, checked.facts, layer));
        // A layer without outputs is broken unless nothing has to read it. Model Optimizer wrote all parts of a split.
        let may_omit = checked.version == 10 && declared > 0 && !(from_values || from_attribute);
        if may_omit || kind.role == Role::Assign {
            finding = finding.severity(Severity::Info).note("Model Optimizer wrote only the outputs that are read");
        }
    }
    finding.notes.extend(checked.stated(layer, real).map(Note::from));
    sink.report(finding);
}

/// Returns the index and the id of the first output port that no entry of a port map names.
fn unmapped_output(layer: &Layer, ports: &[Port]) -> Option<(usize, i64)> {
    let entries = layer.subgraph.as_ref()?.port_map.iter().filter(|entry| entry.direction == Direction::Output);
    let named: BTreeSet<i64> = entries.filter_map(|entry| entry.external_port).into_set();
    let mut ids = ports.iter().enumerate().filter_map(|(i, port)| Some((i, i64::try_from(port.id?.get()).ok()?)));
    ids.find(|(_, id)| !named.contains(id))
}

fn outputs(count: usize) -> String {
    if count == 1 { "1 output".to_owned() } else { format!("{count} outputs") }
}
