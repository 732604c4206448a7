//! Port fixes that may hide a fault. A faulty layer or edge can narrow the input shapes that a model accepts; a fix that writes
//! the narrower shapes into the ports would hide that.
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
    main_layer: LayerId,
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
    let baseline = counterfactual.constraints(&Supposed::default());
    if baseline.as_ref().is_some_and(|(_, constraints)| constraints.layers.is_empty()) {
        return;
    }
    let constraints = baseline.as_ref().map(|(_, constraints)| constraints);
    let leads_to_constraints = leads_to(net, constraints.map(|constraints| &constraints.layers));
    // Layers with constraints that cannot be written as expressions.
    let leads_to_open = leads_to(net, constraints.map(|constraints| &constraints.open));
    let mut hiding: BTreeSet<FindingId> = BTreeSet::new();
    // A fix hides nothing if no constraint depends on the port, or if assuming the port right causes new errors. If inference
    // fails, it may hide something.
    for Candidate { root, main_layer, supposed } in candidates {
        let may_hide = baseline.as_ref().is_none_or(|(base, constraints)| {
            if !leads_to_constraints(main_layer) {
                return false;
            }
            counterfactual.constraints(&supposed).is_none_or(|(left, otherwise)| {
                let causes_new_errors = left.iter().any(|one| !base.contains(one) && !known.contains(one));
                !causes_new_errors && (leads_to_open(main_layer) || constraints.narrows(&otherwise).next().is_some())
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

/// Returns a test of a layer: it is one of `layers` or leads to one.
fn leads_to(net: &Net, layers: Option<&BTreeSet<LayerId>>) -> impl Fn(LayerId) -> bool {
    let dag = &net.graph.dag;
    let starts = layers.into_iter().flatten().map(|layer| layer.node());
    let mut search = Dfs::from_parts(starts.collect(), dag.visit_map());
    while search.next(Reversed(dag)).is_some() {}
    move |layer| search.discovered.is_visited(&layer.node())
}

/// Returns the ports that safe fixes of errors without a cause would change, in file order.
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
            let main_layer = finding.layer.as_ref().and_then(|layer| net.graph.layer_around(layer.span.start));
            let supposed = main_layer.and_then(|main_layer| Some((main_layer, suppose(checked, mismatch)?)));
            candidates.extend(supposed.map(|(main_layer, supposed)| Candidate { root, main_layer, supposed }));
        }
    });
    candidates
}

fn is_safe_error(finding: &Diagnostic) -> bool {
    let is_safe = finding.fix.as_ref().is_some_and(|fix| fix.applicability == Applicability::Safe);
    finding.severity == Severity::Error && is_safe
}

/// The facts that hold if a port is right; `None` for an output of a Parameter or Const, which may have been edited on purpose.
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
