//! Symbols for dimensions that follow from nothing known: those of inputs and states, and those that data decides.

use super::explain::Scope;
use super::{Facts, Symbolic, Work};
use crate::ir::{Layer, LayerId, Role, find_attribute};
use crate::ops::Action;
use crate::types::Fact;
use crate::types::symbol::demand::{Demands, taken};
use crate::types::symbol::{Atom, Expressions, Length, atom, record};

/// What is known of lengths beside their bounds.
#[derive(Debug)]
pub(crate) struct Symbols {
    /// What symbols stand for.
    pub(crate) expressions: Box<Expressions>,
    /// What layers demand, in the order in which they are inferred.
    pub(crate) demanded: Vec<Demanded>,
}

/// What a layer demands of lengths that are not known.
#[derive(Debug)]
pub(crate) struct Demanded {
    pub(crate) layer: LayerId,
    pub(crate) demands: Demands,
}

/// Keeps what a layer demands that was just inferred.
pub(super) fn demand(scope: &Scope, facts: &Facts, index: LayerId, layer: &Layer, is_inferred: bool, work: &mut Work) {
    if !work.is_recording {
        return;
    }
    let mut demands = taken();
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
    if demands.is_open || !demands.all.is_empty() {
        work.demanded.push(Demanded { layer: index, demands });
    }
}

/// Gives a symbol to every dimension of the outputs that is not exact and has none; whether there was one.
///
/// In bodies, which may run again and again, such a length has no symbol, as it may differ each time.
pub(super) fn name(scope: &Scope, index: LayerId, layer: &Layer, work: &mut Work, outputs: &mut [Fact]) -> bool {
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
    // A variable without a shape of its own has that of its initial value.
    let has_shape = || find_attribute(scope.source, layer.data, "variable_shape").is_some();
    let is_input = is_source && (kind.role == Role::Parameter || has_shape());
    let number = |i: usize| u32::try_from(i).unwrap_or(u32::MAX);
    let mut is_named = false;
    for (output, fact) in outputs.iter_mut().enumerate() {
        for (axis, dim) in fact.shape.dims_mut().into_iter().flatten().enumerate() {
            if dim.is_exact() || !is_input && !dim.symbol().is_none() {
                continue;
            }
            let place = Length { layer: number(index.index()), output: number(output), axis: number(axis) };
            let bounds = (dim.lower(), dim.upper().unwrap_or(i64::MAX));
            *dim = dim.named(atom(if is_input { Atom::Input(place, bounds) } else { Atom::Unknown(place) }));
            is_named = true;
        }
    }
    is_named
}
