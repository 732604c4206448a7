//! The stand-in for inference with `--no-infer`: it checks attributes, numbers of ports and the wiring of bodies, and leaves
//! all outputs unknown.

use super::faults::report_one;
use super::order::By;
use super::plan::Plan;
use super::scope::{Scope, body_path};
use super::{Facts, with_call};
use crate::diagnostic::Sink;
use crate::ir::{Layer, LayerId, Net, Role, Weights};
use crate::limits::Limits;
use crate::ops::rules::WRONG_INPUT_COUNT;
use crate::ops::{Meaning, OpSpec};
use crate::source::Source;
use crate::stack::descend;
use foldhash::fast::FixedState;
use std::collections::HashSet;
use std::sync::Arc;

/// Records which layers are reachable and which form cycles, without inferring outputs.
///
/// Reports faults in the wiring of bodies, in attributes, and in the number of ports.
pub(crate) fn structure(net: &Net, source: &Source, weights: &Weights, limits: &Limits, sink: &mut Sink) -> Facts {
    let scope = Scope { source, graph: &net.graph, weights, limits, body: &[] };
    let plan = Arc::new(Plan::of(&scope, &[], true, By::File, sink));
    visit(&scope, &plan, sink)
}

fn visit(scope: &Scope, plan: &Arc<Plan>, sink: &mut Sink) -> Facts {
    let graph = scope.graph;
    let mut facts = Facts::new(graph, plan);
    // Without facts, these alone decide what a check finds.
    let mut clean: HashSet<(u32, u32, usize, usize), FixedState> = HashSet::default();
    for (index, layer) in graph.entries() {
        let kind = graph.kind(layer);
        if let Some(spec) = kind.spec().filter(|_| kind.role == Role::Const) {
            inputs_of_constant(scope, &facts, index, layer, spec, sink);
        } else if let Meaning::Modelled(spec) = kind.meaning {
            let key = (layer.kind, layer.data_like, graph.inputs(layer).len(), graph.outputs(layer).len());
            if !clean.contains(&key) {
                let faults = with_call(scope.source, graph, &facts, layer, spec, |call| call.check(scope.limits));
                for fault in &faults {
                    report_one(scope, &facts, index, layer, spec, fault, sink);
                }
                if faults.is_empty() {
                    clean.insert(key);
                }
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

/// Reports a constant that has inputs; its attributes are checked elsewhere.
pub(super) fn inputs_of_constant(
    scope: &Scope,
    facts: &Facts,
    index: LayerId,
    layer: &Layer,
    spec: &'static OpSpec,
    sink: &mut Sink,
) {
    if scope.graph.inputs(layer).is_empty() {
        return;
    }
    let faults = with_call(scope.source, scope.graph, facts, layer, spec, |call| call.check(scope.limits));
    for fault in faults.iter().filter(|fault| fault.rule == &WRONG_INPUT_COUNT) {
        report_one(scope, facts, index, layer, spec, fault, sink);
    }
}
