//! The layers that OpenVINO builds. It can reject a file only for faults in these.
//!
//! OpenVINO first reads the ids, types and ports of all layers, and all edges. Then it builds every Parameter, Result and
//! Assign and the layers that lead to them, in every body that it builds. It follows edges through layers that do not exist.

use crate::arrange::Fill;
use crate::diagnostic::{Diagnostic, Runtime, Severity, Sink};
use crate::infer::{Facts, Plan, kinds};
use crate::ir::walk::Beside;
use crate::ir::{BodyKind, Graph, Id, LayerId};
use crate::ops::OpSpec;
use crate::source::Span;
use crate::stack::descend;
use std::collections::{BTreeMap, BTreeSet};

/// The layers of a graph that OpenVINO builds, those of bodies included.
pub(super) struct Built {
    layers: Vec<bool>,
    bodies: BTreeMap<(LayerId, BodyKind), Built>,
}

/// Withdraws the verdict that OpenVINO rejects the file from findings about layers that it does not build.
pub(super) fn settle(graph: &Graph, facts: &Facts, sink: &mut Sink) {
    let may_change = |finding: &Diagnostic| finding.runtime.fails() || finding.severity == Severity::Error;
    if !sink.findings().iter().any(may_change) {
        return;
    }
    let built = Built::of(graph, true, 0);
    sink.settle(|finding| {
        if !may_change(finding) {
            return;
        }
        let Some(is_meant) = unbuilt(finding, graph, facts.plan(), &built) else { return };
        if finding.runtime.fails() || !is_meant && finding.runtime != Runtime::None {
            finding.runtime = Runtime::Accepts;
        }
        // A broken edge may be the reason why the layer leads nowhere.
        if finding.severity == Severity::Error && !is_meant && finding.layer.is_some() {
            finding.severity = Severity::Warning;
            finding.notes.push("the layer reaches no Result, so OpenVINO never builds it".into());
        }
    });
}

/// Returns `None` if OpenVINO builds any layer that the finding is about; otherwise whether a broken edge may have been
/// meant to leave one of them.
fn unbuilt(finding: &Diagnostic, graph: &Graph, plan: &Plan, built: &Built) -> Option<bool> {
    let of = |span: Span, is_own| unbuilt_at(span.start, is_own, graph, plan, built);
    if let Some(layer) = finding.layer.as_ref().filter(|_| finding.builds.is_empty()) {
        return of(layer.span, true);
    }
    if finding.builds.is_empty() {
        return of(finding.primary.span, false);
    }
    finding.builds.iter().try_fold(false, |is_meant, span| Some(is_meant | of(*span, true)?))
}

/// Answers [`unbuilt`] for the layer around a byte offset; `is_own`: the finding is about this layer.
fn unbuilt_at(byte: u32, is_own: bool, mut graph: &Graph, mut plan: &Plan, mut built: &Built) -> Option<bool> {
    loop {
        let id = graph.layer_around(byte)?;
        let layer = graph.layer(id)?;
        let is_inside = |start: u32, end: u32| start <= byte && byte < end;
        let is_taken_in = !is_own
            && (layer.subgraph.is_none()
                || is_inside(layer.tag.start, layer.tag.end)
                || graph
                    .inputs(layer)
                    .iter()
                    .chain(graph.outputs(layer))
                    .any(|port| is_inside(port.tag.start, port.end)));
        if is_taken_in {
            return None;
        }
        if !built.has(id) {
            return Some(plan.is_reachable(id));
        }
        let body = layer.bodies().find(|body| body.graph.layer_around(byte).is_some())?;
        (built, plan) = (built.bodies.get(&(id, body.kind))?, plan.body(id, body.kind)?);
        graph = &body.graph;
    }
}

impl Beside for (&Facts, &Built) {
    fn body(self, layer: LayerId, kind: BodyKind) -> Option<Self> {
        Some((self.0.body(layer, kind)?, self.1.bodies.get(&(layer, kind))?))
    }
}

impl Built {
    /// Whether OpenVINO builds a layer of the graph.
    pub(super) fn has(&self, layer: LayerId) -> bool {
        self.layers.get(layer.index()).copied().unwrap_or(true)
    }

    pub(super) fn of(graph: &Graph, is_built: bool, level: usize) -> Self {
        // Of layers that share an id, OpenVINO keeps the last.
        let last: BTreeMap<Option<u64>, LayerId> =
            graph.entries().map(|(id, layer)| (layer.id.map(Id::get), id)).into_map();
        let roots = graph.layers.iter().filter(|layer| is_built && graph.kind(layer).is_root());
        let mut open: Vec<LayerId> = roots.filter_map(|layer| last.get(&layer.id.map(Id::get)).copied()).collect();
        let (mut layers, mut missing) = (vec![false; graph.layers.len()], BTreeSet::new());
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut layers[id.index()], true)
                && let Some(layer) = graph.layer(id)
            {
                open.extend(graph.inputs(layer).iter().filter_map(|port| Some(port.source()?.layer)));
                open.extend(graph.loose.further_producers(id));
                let unseen = graph.loose.missing_producers(id).filter(|id| missing.insert(*id));
                open.extend(unseen.flat_map(|id| graph.loose.producers_of_missing(id)));
            }
        }
        let mut bodies = BTreeMap::new();
        for (id, layer) in graph.entries() {
            let op = graph.kind(layer).spec().and_then(OpSpec::with_bodies);
            for body in layer.bodies() {
                let is_built = layers[id.index()] && op.is_some_and(|op| kinds(op).contains(&body.kind));
                let inner = descend(level + 1, || Self::of(&body.graph, is_built, level + 1));
                bodies.entry((id, body.kind)).or_insert(inner);
            }
        }
        Self { layers, bodies }
    }
}
