//! Checks of a net that need no inference.

use super::plan::{Plan, body_path};
use super::{Facts, Scope, report, with_call};
use crate::diagnostic::Sink;
use crate::ir::{Net, Role, Weights};
use crate::limits::Limits;
use crate::ops::Meaning;
use crate::source::Source;
use crate::stack::descend;
use std::sync::Arc;

/// Facts that record which layers are reachable and which form cycles, but nothing about outputs.
///
/// How bodies are wired, the attributes of layers and the numbers of their ports are reported.
pub(crate) fn structure(net: &Net, source: &Source, weights: &Weights, limits: &Limits, sink: &mut Sink) -> Facts {
    let scope = Scope { source, graph: &net.graph, weights, limits, body: &[] };
    let plan = Arc::new(Plan::of(&scope, &[], true, sink));
    visit(&scope, &plan, sink)
}

fn visit(scope: &Scope, plan: &Arc<Plan>, sink: &mut Sink) -> Facts {
    let graph = scope.graph;
    let mut facts = Facts::new(graph, plan);
    for (index, layer) in graph.entries() {
        let kind = graph.kind(layer);
        if let (Meaning::Modelled(spec), true) = (kind.meaning, kind.role != Role::Const) {
            let faults = with_call(scope.source, graph, &facts, layer, spec, |call| call.check(scope.limits));
            for fault in &faults {
                report(scope, &facts, index, layer, spec, fault, sink);
            }
        }
        facts.mark_unknown(index);
        let plans = plan.bodies.get(&index).into_iter().flat_map(|bodies| &bodies.all);
        for (body, plan) in layer.bodies().zip(plans) {
            let path = body_path(scope, layer, body.kind);
            let scope = Scope { graph: &body.graph, body: &path, ..*scope };
            let inner = descend(path.len(), || visit(&scope, &plan.plan, sink));
            facts.add_body(index, body.kind, inner);
        }
    }
    facts
}
