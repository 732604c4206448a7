//! Layers that OpenVINO builds, so that it can refuse a file for them. It takes in the ids, types and ports of all layers and
//! all edges; then it builds every Parameter, Result and Assign and what edges lead there from, in every body that it builds.

use crate::diagnostic::{Diagnostic, Runtime, Severity, Sink};
use crate::infer::{Facts, Plan, kinds};
use crate::ir::{BodyKind, Graph, Id, LayerId, Role};
use crate::ops::OpSpec;
use crate::source::Span;
use crate::stack::descend;
use std::collections::BTreeMap;

/// The layers of a graph that OpenVINO builds, with those of bodies.
struct Built {
    layers: Vec<bool>,
    bodies: BTreeMap<(LayerId, BodyKind), Built>,
}

/// Takes back that OpenVINO refuses the file for a layer that it does not build.
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
        // What is wrong with an edge may be why the layer leads nowhere.
        if finding.severity == Severity::Error && !is_meant && finding.layer.is_some() {
            finding.severity = Severity::Warning;
            finding.notes.push("the layer reaches no Result, so OpenVINO never builds it".to_owned().into());
        }
    });
}

/// Whether a finding is about layers that OpenVINO does not build, and then whether a broken edge may have been meant to
/// lead on from one of them.
fn unbuilt(finding: &Diagnostic, graph: &Graph, plan: &Plan, built: &Built) -> Option<bool> {
    let of = |place: Span, is_own| unbuilt_at(place.start, is_own, graph, plan, built);
    if let Some(layer) = finding.layer.as_ref().filter(|_| finding.builds.is_empty()) {
        return of(layer.span, true);
    }
    if finding.builds.is_empty() {
        return of(finding.primary.span, false);
    }
    finding.builds.iter().try_fold(false, |is_meant, place| Some(is_meant | of(*place, true)?))
}

/// The same of the layer around a place; `is_own` says that the finding is about this layer.
fn unbuilt_at(place: u32, is_own: bool, mut graph: &Graph, mut plan: &Plan, mut built: &Built) -> Option<bool> {
    loop {
        let id = graph.layer_around(place)?;
        let layer = graph.layer(id)?;
        let is_inside = |start: u32, end: u32| start <= place && place < end;
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
        if !built.layers.get(id.index()).copied().unwrap_or(true) {
            return Some(plan.is_reachable(id));
        }
        let body = layer.bodies().find(|body| body.graph.layer_around(place).is_some())?;
        (built, plan) = (built.bodies.get(&(id, body.kind))?, plan.body(id, body.kind)?);
        graph = &body.graph;
    }
}

impl Built {
    fn of(graph: &Graph, is_built: bool, level: usize) -> Self {
        // Of layers that share an id, OpenVINO keeps the last.
        let last: BTreeMap<Option<u64>, LayerId> =
            graph.entries().map(|(id, layer)| (layer.id.map(Id::get), id)).collect();
        let starts = |role| matches!(role, Role::Parameter | Role::Result | Role::Assign);
        let roots = graph
            .entries()
            .filter(|(id, layer)| starts(graph.kind(layer).role) && last.get(&layer.id.map(Id::get)) == Some(id));
        let mut open: Vec<LayerId> = roots.map(|(id, _)| id).filter(|_| is_built).collect();
        let mut layers = vec![false; graph.layers.len()];
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut layers[id.index()], true)
                && let Some(layer) = graph.layer(id)
            {
                open.extend(graph.inputs(layer).iter().filter_map(|port| Some(port.source()?.layer)));
                open.extend(graph.loose.further_producers(id));
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
