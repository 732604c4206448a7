//! Fixes of ports that may hide a narrowing. A faulty layer or edge may have narrowed the input shapes that a model accepts. A
//! fix that writes the narrower shapes into the ports would hide it.
//!
//! Example: every port around a tensor declares `[?,8]` but inference gives `[4,8]`. If the ports are right, the model once
//! worked for any batch, so a fix that writes `4` into the ports is unsafe.

use super::blame::families;
use super::counterfactual::{Counterfactual, Evidence, reported};
use super::suspects::as_declared;
use crate::arrange::Fill;
use crate::diagnostic::{Amendment, Applicability, Diagnostic, Direction, FindingId, Severity, Sink};
use crate::infer::{Supposed, declared as declared_fact};
use crate::ir::{LayerId, Net, Role};
use crate::lint::declared::{Declared, Mismatch, Report};
use crate::lint::{Checked, for_every_graph};
use petgraph::visit::{Dfs, Reversed, VisitMap, Visitable};
use std::collections::BTreeSet;

/// A port that may be right.
struct Candidate {
    /// The finding about the port, which follows from no other.
    root: FindingId,
    /// The layer of the port; for a port in a body, the layer of the main graph that owns the body.
    around: LayerId,
    /// The facts that hold if the port is right.
    supposed: Supposed,
}

/// Marks fixes as unsafe where they may hide a narrowing.
pub(super) fn find(checked: &Checked, net: &Net, declared: &Declared, sink: &mut Sink) {
    let candidates = candidates(checked, net, declared, sink);
    if candidates.is_empty() {
        return;
    }
    let known: BTreeSet<Evidence> = reported(declared, sink).into_values().into_set();
    let mut counterfactual = Counterfactual::new(checked, net);
    let as_it_is = counterfactual.demanding(&Supposed::default());
    if as_it_is.as_ref().is_some_and(|(_, demanding)| demanding.layers.is_empty()) {
        return;
    }
    let demanding = as_it_is.as_ref().map(|(_, demanding)| demanding);
    let leads_to_demands = before(net, demanding.map(|demanding| &demanding.layers));
    let leads_to_open = before(net, demanding.map(|demanding| &demanding.open));
    let mut hiding: BTreeSet<FindingId> = BTreeSet::new();
    // A port that is right hides nothing if no demand depends on it, or if new faults show that it is not right alone. Where
    // nothing can be inferred, it may.
    for Candidate { root, around, supposed } in candidates {
        let may_hide = as_it_is.as_ref().is_none_or(|(base, demanding)| {
            if !leads_to_demands(around) {
                return false;
            }
            counterfactual.demanding(&supposed).is_none_or(|(left, otherwise)| {
                let is_alone = left.iter().any(|one| !base.contains(one) && !known.contains(one));
                !is_alone && (leads_to_open(around) || demanding.narrows(&otherwise).next().is_some())
            })
        });
        if may_hide {
            hiding.insert(root);
        }
    }
    let families = families(sink);
    for root in hiding {
        for id in families.get(&root).into_iter().flatten().copied().chain([root]) {
            sink.amend(id, Amendment::Unsafe);
        }
    }
}

/// Returns a test: whether a layer is one of `layers` or leads to one.
fn before(net: &Net, layers: Option<&BTreeSet<LayerId>>) -> impl Fn(LayerId) -> bool {
    let dag = &net.graph.dag;
    let starts = layers.into_iter().flatten().map(|layer| layer.node());
    let mut search = Dfs::from_parts(starts.collect(), dag.visit_map());
    while search.next(Reversed(dag)).is_some() {}
    move |layer| search.discovered.is_visited(&layer.node())
}

/// Returns the ports that safe fixes would change, in file order.
fn candidates(checked: &Checked, net: &Net, declared: &Declared, sink: &Sink) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    if declared.is_empty() {
        return candidates;
    }
    for_every_graph(checked, &mut |checked| {
        let wrong = declared.of(checked.scope.graph).map(|wrong| wrong.all.as_slice()).unwrap_or_default();
        for mismatch in wrong {
            let Report::Made(root) = mismatch.report else { continue };
            let Some(finding) = sink.get(root).filter(|finding| is_safe_error(finding)) else { continue };
            if sink.cause(root).is_some() {
                continue;
            }
            let around = finding.layer.as_ref().and_then(|layer| net.graph.layer_around(layer.span.start));
            let supposed = around.and_then(|around| Some((around, suppose(checked, mismatch)?)));
            candidates.extend(supposed.map(|(around, supposed)| Candidate { root, around, supposed }));
        }
    });
    candidates
}

fn is_safe_error(finding: &Diagnostic) -> bool {
    let is_safe = finding.fix.as_ref().is_some_and(|fix| fix.applicability == Applicability::Safe);
    finding.severity == Severity::Error && is_safe
}

/// The facts that hold if a port is right; `None` for ports of a Parameter or Const, which may have been edited on purpose.
fn suppose(checked: &Checked, mismatch: &Mismatch) -> Option<Supposed> {
    let graph = checked.scope.graph;
    let layer = graph.layer(mismatch.layer)?;
    let mut supposed = Supposed::default();
    match mismatch.direction {
        Direction::Input => {
            let port = graph.inputs(layer).get(mismatch.port)?;
            supposed.set_input(layer, mismatch.port, declared_fact(graph, port));
        }
        Direction::Output if matches!(graph.kind(layer).role, Role::Parameter | Role::Const) => return None,
        Direction::Output => {
            let given = checked.facts.outputs(mismatch.layer);
            let outputs = (0..graph.outputs(layer).len()).map(|i| as_declared(graph, layer, i, given.get(i)));
            supposed.set_outputs(layer, outputs.collect());
        }
    }
    Some(supposed)
}
