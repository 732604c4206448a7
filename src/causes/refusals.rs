//! Refused fixes: those of ports at or downstream of a layer for which OpenVINO fails, those of ports that follow from a number
//! that is not read as it is written, and the deletion of dead layers to which a wrong edge may belong.

use super::by_layer::ByLayer;
use crate::arrange::Fill;
use crate::diagnostic::{Amendment, Applicability, Diagnostic, FindingId, Severity, Sink};
use crate::ir::rules::UNREACHABLE_LAYER;
use crate::lint::{Checked, for_every_graph};
use crate::ops::rules::LENIENT_NUMBER;
use petgraph::Direction::Incoming;
use std::collections::BTreeSet;

/// The reason not to fix a port of a layer for which OpenVINO fails.
const AT: &str = "`--fix` does not change this port: OpenVINO fails at this layer, so what it declares may be right";

/// The reason not to fix a port behind such a layer.
const BEHIND: &str = "`--fix` does not change this port: OpenVINO fails further up, so what it declares may be right";

/// The reason not to fix a port that follows from a number of its layer, or of the one at which its finding starts.
const MISREAD: &str = "`--fix` does not change this port: OpenVINO reads another number than is written, so what it declares may be right";

/// The reason not to delete a layer.
const LOST: &str = "an edge that is wrong elsewhere may belong to this layer";

/// Refuses fixes that would hide a fault elsewhere.
pub(super) fn find(checked: &Checked, sink: &mut Sink) {
    let is_error = |finding: &Diagnostic| finding.severity == Severity::Error;
    if !sink.findings().iter().any(is_error) {
        return;
    }
    let dead = sink.numbered().filter(|(_, finding)| finding.rule == &UNREACHABLE_LAYER);
    for id in dead.map(|(id, _)| id).collect::<Vec<_>>() {
        sink.amend(id, Amendment::Refuse(Applicability::Unsafe, LOST));
    }
    let failing = ByLayer::new(sink, |_, finding| is_error(finding) && finding.runtime.fails());
    let is_safe = |finding: &Diagnostic| {
        finding.fix.as_ref().is_some_and(|fix| fix.applicability == Applicability::Safe) && !finding.runtime.fails()
    };
    refuse_misread(sink, is_safe);
    let fixed = ByLayer::new(sink, |_, finding| is_safe(finding));
    if failing.is_empty() || fixed.is_empty() {
        return;
    }
    let mut refused: Vec<(FindingId, &'static str)> = Vec::new();
    for_every_graph(checked, &mut |checked| {
        let graph = checked.scope.graph;
        let mut fails = vec![false; graph.layers.len()];
        for &index in checked.facts.order() {
            let Some(layer) = graph.layer(index) else { continue };
            let is_behind = graph.dag.neighbors_directed(index.node(), Incoming).any(|from| fails[from.index()]);
            let reason = if is_behind { Some(BEHIND) } else { failing.of(layer).next().map(|_| AT) };
            refused.extend(reason.into_iter().flat_map(|reason| fixed.of(layer).map(move |id| (id, reason))));
            fails[index.index()] = reason.is_some();
        }
    });
    for (id, reason) in refused {
        sink.amend(id, Amendment::Refuse(Applicability::Safe, reason));
    }
}

/// Refuses safe fixes that follow from a layer one of whose numbers is not read as it is written.
fn refuse_misread(sink: &mut Sink, is_safe: impl Fn(&Diagnostic) -> bool) {
    let start = |finding: &Diagnostic| Some(finding.layer.as_ref()?.span.start);
    let misread = sink.findings().iter().filter(|finding| finding.rule == &LENIENT_NUMBER);
    let misread: BTreeSet<u32> = misread.filter_map(start).into_set();
    if misread.is_empty() {
        return;
    }
    let is_there = |finding: &Diagnostic| start(finding).is_some_and(|start| misread.contains(&start));
    let there: BTreeSet<FindingId> =
        sink.numbered().filter(|(_, finding)| is_there(finding)).map(|(id, _)| id).into_set();
    let root = |id| std::iter::successors(Some(id), |id| sink.cause(*id)).last();
    let safe = sink.numbered().filter(|(_, finding)| is_safe(finding)).map(|(id, _)| id);
    for id in safe.filter(|id| root(*id).is_some_and(|root| there.contains(&root))).collect::<Vec<_>>() {
        sink.amend(id, Amendment::Refuse(Applicability::Safe, MISREAD));
    }
}
