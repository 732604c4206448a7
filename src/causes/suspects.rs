//! Suspects, each of which may explain several errors: a layer whose outputs differ from what its consumers declare, an edge
//! from the wrong producer, a layer that shares its id with another.
//!
//! A suspect explains the errors that vanish when inference continues with what the suspect's ports declare, provided that
//! no new contradiction appears. Example: a Split gives 4 channels where all layers after it declare 8; with 8, the errors of
//! its consumers vanish too. A single port that disagrees with all others explains only itself.

use super::counterfactual::{Counterfactual, Evidence, reported};
use crate::arrange::{Arrange, Fill};
use crate::diagnostic::{Diagnostic, Direction, FindingId, Group, Hint, Rule, Severity, Sink};
use crate::infer::{Supposed, declared as declared_fact, declared_output, with_call};
use crate::ir::rules::DUPLICATE_LAYER_ID;
use crate::ir::{Graph, Layer, LayerId, Net, find_attribute};
use crate::limits::SUPPOSITIONS;
use crate::lint::declared::{Declared, contradicts, fits};
use crate::lint::rules::INPUT_PORT_MISMATCH;
use crate::lint::{Checked, for_every_graph};
use crate::ops::apply::{Call, Texts, meant};
use crate::ops::rules::{ATTRIBUTE_VALUE, MISSING_ATTRIBUTE, UNKNOWN_OP_ATTRIBUTE};
use crate::types::Fact;
use std::collections::{BTreeMap, BTreeSet};

/// A finding that may be the cause of others.
struct Suspect {
    finding: FindingId,
    /// The facts that hold if the suspicion is right.
    supposed: Supposed,
    /// The nesting depth of the layer. Of equally good suspects the deepest is preferred: outputs of a body explain errors
    /// outside of it.
    depth: usize,
    /// The tie-breaker between suspects of the same depth that explain equally many errors.
    rank: Rank,
}

/// The likelihood that a finding is a cause rather than a consequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// A port that disagrees with inference.
    Port,
    /// A fault of a layer.
    Fault,
    /// An attribute with a name that the operation does not know.
    Misspelling,
}

/// Links the consequences of suspects to them.
pub(super) fn find(checked: &Checked, net: &Net, declared: &Declared, sink: &mut Sink) {
    let open: BTreeSet<FindingId> =
        sink.numbered().filter(|(id, finding)| is_open(sink, *id, finding)).map(|(id, _)| id).into_set();
    if open.len() < 2 {
        return;
    }
    let evidence = reported(declared, sink);
    let mut counterfactual = Counterfactual::new(checked, net);
    let Some(base) = counterfactual.errors(&Supposed::default()) else { return };
    let known: BTreeSet<Evidence> = evidence.values().copied().chain(base.iter().copied()).into_set();
    // Inference does not reproduce the findings of other checks, so it cannot explain them.
    let tried: BTreeMap<FindingId, Evidence> =
        open.iter().filter_map(|id| Some((*id, *evidence.get(id)?))).filter(|(_, one)| base.contains(one)).into_map();
    let deepest = open.iter().filter_map(|id| sink.get(*id)).map(|finding| finding.body.len()).max().unwrap_or(0);
    let mut explained: Vec<(Suspect, BTreeSet<FindingId>)> = Vec::new();
    for suspect in suspects(checked, &open, sink) {
        let Some(left) = counterfactual.errors(&suspect.supposed) else { break };
        if !left.is_subset(&known) {
            continue;
        }
        let mut gone: BTreeSet<FindingId> =
            tried.iter().filter(|(_, one)| !left.contains(one)).map(|(id, _)| *id).into_set();
        gone.retain(|id| !are_independent(sink, suspect.finding, *id));
        gone.insert(suspect.finding);
        if gone.len() > 1 {
            let is_all = gone.len() == open.len() && suspect.depth == deepest;
            explained.push((suspect, gone));
            if is_all {
                break;
            }
        }
    }
    let mut left = open;
    loop {
        // Find the suspect that explains most; in file order, the first of several equal ones.
        let explains = |(suspect, gone): &(Suspect, BTreeSet<FindingId>)| {
            let count = if left.contains(&suspect.finding) { gone.intersection(&left).count() } else { 0 };
            (count, suspect.depth, suspect.rank)
        };
        let Some(best) = explained.iter().rev().max_by_key(|one| explains(one)) else { return };
        if explains(best).0 < 2 {
            return;
        }
        for finding in best.1.intersection(&left).filter(|finding| **finding != best.0.finding) {
            sink.hand_over(*finding, best.0.finding);
        }
        left = left.difference(&best.1).copied().into_set();
    }
}

/// Whether two findings are independent faults: both are about attributes, or both about input ports of one layer.
fn are_independent(sink: &Sink, suspect: FindingId, other: FindingId) -> bool {
    let (Some(suspect), Some(other)) = (sink.get(suspect), sink.get(other)) else { return false };
    let of = |rules: &[&Rule]| rules.contains(&suspect.rule) && rules.contains(&other.rule);
    of(&[&MISSING_ATTRIBUTE, &ATTRIBUTE_VALUE]) || of(&[&INPUT_PORT_MISMATCH]) && suspect.layer == other.layer
}

/// Whether a finding is an error or a misspelling at a layer, and has no cause yet.
fn is_open(sink: &Sink, id: FindingId, finding: &Diagnostic) -> bool {
    (finding.severity == Severity::Error || is_misspelling(finding))
        && finding.layer.is_some()
        && finding.rule.group != Group::Portability
        && sink.cause(id).is_none()
}

/// Whether an unknown attribute resembles a missing one.
fn is_misspelling(finding: &Diagnostic) -> bool {
    finding.rule == &UNKNOWN_OP_ATTRIBUTE && finding.help.iter().any(|hint| matches!(hint, Hint::DidYouMean(_)))
}

/// Whether a layer gives what its ports declare once the misspelt attribute has the intended name.
fn explains_itself(checked: &Checked, graph: &Graph, layer: &Layer, finding: &Diagnostic) -> bool {
    let source = checked.scope.source;
    let Some(spec) = graph.kind(layer).spec() else { return false };
    let wrong = source.text(finding.primary.span);
    let is_written = |known: &str| find_attribute(source, layer.data, known).is_some();
    let Some(meant) = meant(spec, &wrong, is_written) else { return false };
    with_call(source, graph, checked.facts, layer, spec, |call| {
        let mut attrs: Texts = call.attrs.iter().cloned().collect();
        attrs.iter_mut().filter(|(name, _)| *name == wrong).for_each(|(name, _)| *name = meant.into());
        let outputs = Call { attrs: &attrs, ..*call }.apply(checked.scope.limits).outputs.unwrap_or_default();
        let ports = graph.outputs(layer);
        outputs.len() == ports.len() && outputs.iter().zip(ports).all(|(fact, port)| fits(graph, port, fact))
    })
}

/// The suspects among open findings, in file order.
fn suspects(checked: &Checked, open: &BTreeSet<FindingId>, sink: &Sink) -> Vec<Suspect> {
    let mut candidates: Vec<(u32, FindingId, &Diagnostic)> = Vec::new();
    for (id, finding) in open.iter().filter_map(|id| Some((*id, sink.get(*id)?))) {
        candidates.extend(finding.layer.as_ref().map(|layer| (layer.span.start, id, finding)));
    }
    candidates.sort_unstable_by_key(|(start, id, _)| (*start, *id));
    candidates.truncate(SUPPOSITIONS);
    let mut suspects: Vec<(u32, Suspect)> = Vec::new();
    for_every_graph(checked, &mut |checked| {
        let graph = checked.scope.graph;
        for (start, finding, about) in &candidates {
            let Some(index) = graph.layer_at(*start) else { continue };
            let Some(layer) = graph.layer(index) else { continue };
            let supposed = suppose(checked, graph, index, layer, about);
            let rank = match about.rule.group {
                Group::Declared => Rank::Port,
                _ if is_misspelling(about) => Rank::Misspelling,
                _ => Rank::Fault,
            };
            if rank != Rank::Misspelling || explains_itself(checked, graph, layer, about) {
                let supposed = std::iter::once(supposed).chain(suppose_swapped(checked, graph, layer, about));
                let depth = about.body.len();
                suspects
                    .extend(supposed.map(|supposed| (*start, Suspect { finding: *finding, supposed, depth, rank })));
            }
        }
    });
    suspects.arrange_by_key(|(start, suspect)| (*start, suspect.finding));
    suspects.into_iter().map(|(_, suspect)| suspect).collect()
}

/// The facts that hold if a layer, or the edge to one of its inputs, is at fault.
fn suppose(checked: &Checked, graph: &Graph, index: LayerId, layer: &Layer, finding: &Diagnostic) -> Supposed {
    let mut supposed = Supposed::default();
    let input = finding.port.as_ref().filter(|port| port.direction == Direction::Input).map(|port| port.index);
    match input.and_then(|i| Some((i, graph.inputs(layer).get(i)?))) {
        Some((i, port)) if finding.rule == &INPUT_PORT_MISMATCH => {
            supposed.set_input(layer, i, declared_fact(graph, port));
        }
        _ if matches!(finding.rule.group, Group::Graph | Group::Ports) => {
            let shares = |other: &&Layer| finding.rule == &DUPLICATE_LAYER_ID && other.id == layer.id;
            for other in graph.layers.iter().filter(|other| other.tag == layer.tag || shares(other)) {
                supposed.set_outputs(other, vec![Fact::unknown(); graph.outputs(other).len()]);
            }
        }
        _ => {
            let given = checked.facts.outputs(index);
            let outputs = (0..graph.outputs(layer).len()).map(|i| as_declared(graph, layer, i, given.get(i)));
            supposed.set_outputs(layer, outputs.collect());
        }
    }
    supposed
}

/// Maximum number of inputs with which one input is swapped.
const SWAPS: usize = 4;

/// Returns the facts that hold if the input of a finding is swapped with another one whose port does not show it.
fn suppose_swapped<'a>(
    checked: &'a Checked,
    graph: &'a Graph,
    layer: &'a Layer,
    finding: &Diagnostic,
) -> impl Iterator<Item = Supposed> + use<'a> {
    let is_edge = finding.rule == &INPUT_PORT_MISMATCH;
    let wrong = finding.port.as_ref().filter(|port| is_edge && port.direction == Direction::Input);
    let ports = graph.inputs(layer);
    let given = |i: usize| Some((ports.get(i)?, checked.facts.of_port(ports.get(i)?)?));
    let swap = move |i: usize, j: usize| {
        let ((port, fact), (other, others)) = (given(i)?, given(j)?);
        let fits = i != j && !contradicts(graph, port, others) && !contradicts(graph, other, fact);
        fits.then(|| {
            let mut supposed = Supposed::default();
            supposed.set_input(layer, i, others.clone());
            supposed.set_input(layer, j, fact.clone());
            supposed
        })
    };
    let swaps = move |i: usize| (0..ports.len()).filter_map(move |j| swap(i, j)).take(SWAPS);
    wrong.map(|port| port.index).into_iter().flat_map(swaps)
}

/// Returns the declared fact of an output, with the elements of the fact `given` if their number and type fit.
pub(super) fn as_declared(graph: &Graph, layer: &Layer, i: usize, given: Option<&Fact>) -> Fact {
    let declared = declared_output(graph, layer, i);
    let value = given.filter(|given| given.ty == declared.ty).and_then(|given| given.value.as_deref());
    let value = value.and_then(|value| value.reshaped(&declared.shape));
    Fact { assumed: false, ..declared }.with_value(value)
}
