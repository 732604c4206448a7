//! The symbolic part of inference, layer by layer: symbols for the dimensions that inputs, states and data decide, and the
//! record of the constraints that layers put on them.

use super::scope::Scope;
use super::{Demanded, Facts, Symbolic, Work};
use crate::ir::{Layer, LayerId, Role, find_attribute};
use crate::ops::Action;
use crate::types::Fact;
use crate::types::symbol::demand::drain;
use crate::types::symbol::{Atom, Length, atom, record};

/// Records the constraints of the layer that was just inferred, unless it is in a body.
pub(super) fn record_constraints(
    scope: &Scope,
    facts: &Facts,
    index: LayerId,
    layer: &Layer,
    is_inferred: bool,
    work: &mut Work,
) {
    if !work.is_recording {
        return;
    }
    let mut demands = drain();
    if !scope.body.is_empty() {
        return;
    }
    let spec = scope.graph.kind(layer).spec().filter(|_| is_inferred && layer.subgraph.is_none());
    let mut is_reached = false;
    for (i, port) in scope.graph.inputs(layer).iter().enumerate() {
        let Some(fact) = facts.of_port(port) else { continue };
        is_reached |= !fact.shape.is_static() || fact.value.as_deref().is_some_and(|value| !value.is_exact());
        demands.is_open |= !spec.is_some_and(|spec| spec.follows(i, fact));
    }
    if !facts.is_reachable(index) || !is_reached {
        return;
    }
    if demands.is_open || !demands.all.is_empty() || !demands.usual.is_empty() {
        work.demands.resize(scope.graph.layers.len(), false);
        work.demands[index.index()] = true;
        work.demanded.push(Demanded { layer: index, demands });
    }
}

/// Gives a symbol to every inexact output dimension that has none; returns whether there was one.
///
/// Dimensions inside bodies get no symbol: they can differ in each iteration.
pub(super) fn name_dims(scope: &Scope, index: LayerId, layer: &Layer, work: &mut Work, outputs: &mut [Fact]) -> bool {
    if work.terms.symbolic == Symbolic::Never || !scope.body.is_empty() {
        return false;
    }
    let kind = scope.graph.kind(layer);
    let is_source = kind.role == Role::Parameter || kind.spec().is_some_and(|spec| spec.action == Action::Reads);
    if !work.is_recording {
        if !is_source || outputs.iter().all(|fact| fact.shape.is_static()) {
            return false;
        }
        record();
        work.is_recording = true;
    }
    // A variable without `variable_shape` has the shape of its initial value.
    let has_shape = || find_attribute(scope.source, layer.data, "variable_shape").is_some();
    let is_input = is_source && (kind.role == Role::Parameter || has_shape());
    let number = |i: usize| u32::try_from(i).unwrap_or(u32::MAX);
    let mut is_named = false;
    for (output, fact) in outputs.iter_mut().enumerate() {
        for (axis, dim) in fact.shape.dims_mut().into_iter().flatten().enumerate() {
            // A length that a missing value decides is not one that data decide.
            if dim.is_exact() || !is_input && (fact.assumed || !dim.symbol().is_none()) {
                continue;
            }
            let length = Length { layer: number(index.index()), output: number(output), axis: number(axis) };
            let bounds = (dim.lower(), dim.upper().unwrap_or(i64::MAX));
            *dim = dim.with_symbol(atom(if is_input { Atom::Input(length, bounds) } else { Atom::Unknown(length) }));
            is_named = true;
        }
    }
    is_named
}
