//! Declared ports, compared with the inferred facts.

mod body;
mod empty;
mod exact;
mod inputs;
mod invalid;
mod mismatch;
mod nonempty;
mod openvino;
mod outputs;
mod port;
mod relation;
mod repair;
mod scalar;

use super::rules::INPUT_PORT_MISMATCH;
use super::shapes::unknown_rank;
use super::{Checked, for_every_graph};
use crate::arrange::Fill;
use crate::diagnostic::{Direction, Sink};
use crate::ir::{Graph, LayerId, OutputRef, Port};
use crate::types::Fact;
use std::collections::BTreeSet;

use exact::Exact;
pub(super) use invalid::repair_invalid;
pub(crate) use mismatch::{Declared, Mismatch, Mismatches, Report};
pub(crate) use nonempty::withdraw;
use outputs::Output;
pub(crate) use repair::{redeclare, repair};

/// The edges that close cycles: producer, output and input.
type CycleEdges = BTreeSet<(LayerId, u32, u32)>;

/// Collects the ports of a file that disagree with inference, and reports none of them.
pub(crate) fn mismatches(checked: &Checked) -> Declared {
    let (mut declared, mut sink) = (Declared::default(), Sink::new(0));
    for_every_graph(checked, &mut |checked| check(checked, &mut declared, &mut sink));
    declared
}

/// Whether a port declares exactly the known fact of an output.
pub(crate) fn fits(graph: &Graph, port: &Port, fact: &Fact) -> bool {
    relation::other_type(port, fact).is_none()
        && relation::compare(graph.dims(port), fact).0 == relation::Relation::Agrees
}

/// Whether no tensor satisfies both a port and the fact of its output.
pub(crate) fn contradicts(graph: &Graph, port: &Port, fact: &Fact) -> bool {
    relation::other_type(port, fact).is_some()
        || relation::compare(graph.dims(port), fact).0 == relation::Relation::Contradicts
}

/// Reports the ports of a graph that disagree with inference.
pub(super) fn check(checked: &Checked, declared: &mut Declared, sink: &mut Sink) {
    let graph = checked.scope.graph;
    let steps = checked.facts.cycles().iter().flatten();
    let cycles: CycleEdges = steps.map(|step| (step.from, step.edge.output, step.edge.input)).into_set();
    let mut exact = Exact::new(graph);
    let mut wrong = Mismatches::new(sink);
    body::check(checked, &mut |index, finding| wrong.report(checked, index, finding, sink));
    for (index, layer) in graph.entries() {
        let (mut ports, mut swap) = (Vec::new(), None);
        let mut fits =
            |port: &Port| port.source().is_some_and(|output| exact.is_declared(graph, checked.facts, output, port));
        if !graph.inputs(layer).iter().all(&mut fits) && !graph.loose.lacks_port(index, Direction::Input) {
            ports = inputs::wrong(checked, &cycles, index, layer);
            swap = inputs::swapped(checked, layer, &ports);
        }
        wrong.swapped.extend(swap.map(|_| index));
        if !checked.facts.is_assumed(index) {
            let lacks_port = || graph.loose.lacks_port(index, Direction::Output);
            for (i, (port, fact)) in graph.outputs(layer).iter().zip(checked.facts.outputs(index)).enumerate() {
                let output = OutputRef { layer: index, output: u32::try_from(i).unwrap_or(u32::MAX) };
                if exact.is_declared(graph, checked.facts, output, port) {
                    continue;
                }
                if lacks_port() {
                    break;
                }
                if fact.rank().is_none() {
                    unknown_rank(checked, index, layer, i, sink);
                }
                let output = Output { index, layer, i, port, fact };
                match outputs::rule(checked, &output) {
                    Some(rule) if wrong.has_room() => {
                        wrong.report(checked, index, outputs::finding(checked, &output, rule), sink);
                    }
                    Some(rule) => wrong.count(index, Direction::Output, i, rule.severity),
                    None => {}
                }
            }
            if let Some(finding) = empty::empty_tensor(checked, index, layer).filter(|_| !lacks_port()) {
                sink.report(finding);
            }
        }
        if ports.is_empty() {
            continue;
        }
        if wrong.has_room() || swap.is_some() {
            for finding in inputs::findings(checked, index, layer, &ports, swap) {
                wrong.report(checked, index, finding, sink);
            }
        } else {
            for i in ports {
                wrong.count(index, Direction::Input, i, INPUT_PORT_MISMATCH.severity);
            }
        }
    }
    declared.add(graph, wrong);
}
