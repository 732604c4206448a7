//! Edges from the wrong layer. If an error vanishes once an input comes from a layer that feeds nothing, and the port declares
//! just what that layer gives, the edge is wrong rather than a value.

use super::blame::slot_name;
use super::by_layer::ByLayer;
use super::counterfactual::{Counterfactual, Evidence, reported};
use super::solve::Slot;
use crate::diagnostic::{Amendment, Diagnostic, FindingId, Label, Severity, Sink};
use crate::infer::Supposed;
use crate::ir::rules::UNREACHABLE_LAYER;
use crate::ir::{Layer, Net};
use crate::lint::declared::{Declared, fits};
use crate::lint::rules::INPUT_PORT_MISMATCH;
use crate::lint::{Checked, for_every_graph};
use crate::types::Fact;
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of layers that feed nothing that are tried in one graph, and of edges after which no further error is
/// looked at.
const STRAYS: usize = 16;
const CANDIDATES: usize = 64;

/// A layer with one output that feeds nothing.
struct Stray<'a> {
    /// The finding about it.
    finding: FindingId,
    layer: &'a Layer,
    fact: &'a Fact,
}

/// An edge that may be meant to start at a layer that feeds nothing.
struct Candidate {
    finding: FindingId,
    /// The finding about the layer that feeds nothing.
    stray: FindingId,
    supposed: Supposed,
    /// Whether the finding compares the port of the edge with its producer.
    is_of_port: bool,
    label: Label,
}

/// Labels the layers at which wrong edges should start, and returns the findings about these edges.
pub(super) fn find(checked: &Checked, net: &Net, declared: &Declared, sink: &mut Sink) -> BTreeSet<FindingId> {
    let strays = ByLayer::new(sink, |_, finding| finding.rule == &UNREACHABLE_LAYER);
    if strays.is_empty() {
        return BTreeSet::new();
    }
    let errors = ByLayer::new(sink, |id, finding| finding.severity == Severity::Error && sink.cause(id).is_none());
    let mut candidates = Vec::new();
    for_every_graph(checked, &mut |checked| {
        let graph = checked.scope.graph;
        let stray = |(index, layer)| match checked.facts.outputs(index) {
            [fact] => Some(Stray { finding: strays.of(layer).next()?, layer, fact }),
            _ => None,
        };
        let strays: Vec<Stray> = graph.entries().filter_map(stray).take(STRAYS).collect();
        for layer in graph.layers.iter().filter(|_| !strays.is_empty()) {
            for finding in errors.of(layer) {
                let Some(about) = sink.get(finding).filter(|_| candidates.len() < CANDIDATES) else { break };
                candidates.extend(of_layer(checked, layer, (finding, about), &strays));
            }
        }
    });
    let (evidence, mut counterfactual) = (reported(declared, sink), Counterfactual::new(checked, net));
    let base = counterfactual.errors(&Supposed::default()).filter(|_| !candidates.is_empty()).unwrap_or_default();
    let mut fitting: BTreeMap<FindingId, Vec<Candidate>> = BTreeMap::new();
    for candidate in candidates {
        let Some(left) = counterfactual.errors(&candidate.supposed) else { break };
        let is_left = |one: &Evidence| !candidate.is_of_port && left.contains(one);
        let vanishes = evidence.get(&candidate.finding).is_some_and(|one| base.contains(one) && !is_left(one));
        if vanishes && left.is_subset(&base) {
            fitting.entry(candidate.finding).or_default().push(candidate);
        }
    }
    let mut found = BTreeSet::new();
    for (finding, mut candidates) in fitting {
        let (Some(Candidate { stray, label, .. }), true) = (candidates.pop(), candidates.is_empty()) else { continue };
        sink.amend(finding, Amendment::Suspect(label));
        sink.amend(finding, Amendment::NoFix); // It would make the file agree with the wrong edge.
        sink.follow(stray, finding);
        found.insert(finding);
    }
    found
}

/// The candidates among the edges to one layer with an error.
fn of_layer(
    checked: &Checked,
    layer: &Layer,
    (finding, about): (FindingId, &Diagnostic),
    strays: &[Stray],
) -> Vec<Candidate> {
    let graph = checked.scope.graph;
    let own = about.port.as_ref().filter(|_| about.rule == &INPUT_PORT_MISMATCH).map(|port| port.index);
    let mut candidates = Vec::new();
    for stray in strays {
        for (i, port) in graph.inputs(layer).iter().enumerate() {
            let is_declared = port.precision.is_some() && port.source().is_some();
            if !is_declared || own.is_some_and(|own| own != i) || !fits(graph, port, stray.fact) {
                continue;
            }
            let mut supposed = Supposed::default();
            supposed.set_input(layer, i, stray.fact.clone());
            let what = slot_name(checked, layer, Slot::Input(i));
            let text = format!("feeds nothing and fits `{what}`: should the edge start here?");
            let label = Label::new(stray.layer.tag, text);
            candidates.push(Candidate { finding, stray: stray.finding, supposed, is_of_port: own.is_some(), label });
        }
    }
    candidates
}
