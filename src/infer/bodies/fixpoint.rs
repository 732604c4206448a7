//! Fixpoint of the Parameter shapes over all iterations: back edges pass Results of one iteration to Parameters of the next.
//!
//! Round 0 extends each Parameter's shape to the hull of this shape and the one passed to it. Later rounds apply widening: a
//! lower or upper bound that moves again is dropped, so that few rounds suffice. E.g. a Concat that adds a row each
//! iteration: `[2]`, then `[2..3]`, then `[2..]`. Shapes that still change after `ROUNDS` rounds become unknown.

use super::BodyOp;
use super::runs::Runs;
use crate::arrange::Fill;
use crate::ir::LayerId;
use crate::limits::ROUNDS;
use crate::types::{Dim, PartialShape};
use std::collections::{BTreeMap, BTreeSet};

/// Infers the body until every Parameter contains the shape that its back edge passes.
///
/// The Parameters in `misfits` keep their initial shape, although their back edges pass another one.
pub(super) fn infer_fixpoint(host: &mut BodyOp, body: &mut Runs, misfits: &BTreeSet<LayerId>) {
    let inlets = body.wiring().inputs.iter().filter(|inlet| !misfits.contains(&inlet.parameter));
    let back_edges: BTreeMap<LayerId, LayerId> =
        inlets.filter_map(|inlet| Some((inlet.parameter, inlet.back?.0))).into_map();
    for round in 0.. {
        let mut bindings = body.bindings();
        let mut changed = false;
        for (parameter, result) in &back_edges {
            let Some(binding) = bindings.get_mut(parameter) else { continue };
            let join = if round == 0 { Dim::hull } else { widen };
            let passed = body.result(*result);
            let Some(shape) = join_shapes(&binding.fact.shape, &passed.shape, join) else { continue };
            changed = true;
            binding.fact.shape = shape;
            binding.fact.assumed |= passed.assumed;
        }
        if !changed || host.work.budget.is_spent() {
            return;
        }
        if round >= ROUNDS {
            for parameter in back_edges.keys() {
                bindings.entry(*parameter).and_modify(|binding| binding.fact.shape = PartialShape::UNKNOWN);
            }
        }
        body.run(bindings, host.work);
    }
}

/// Joins the shape `bound` to a Parameter with the shape `passed` to it, dimension by dimension; `None` if the former already
/// contains the latter.
fn join_shapes(bound: &PartialShape, passed: &PartialShape, join: fn(Dim, Dim) -> Dim) -> Option<PartialShape> {
    match (bound.dims(), passed.dims()) {
        (Some(old), Some(new)) if old.len() == new.len() => {
            let pairs = || old.iter().copied().zip(new.iter().copied());
            let joined = |(old, new)| if covers(old, new) { old } else { join(old, new) };
            let is_fixpoint = pairs().all(|(old, new)| covers(old, new));
            (!is_fixpoint).then(|| PartialShape::of(pairs().map(joined)))
        }
        _ => (!bound.contains(passed)).then_some(PartialShape::UNKNOWN),
    }
}

/// Whether `old` contains `new`, and `new` equals the expression of `old`, if `old` has one.
fn covers(old: Dim, new: Dim) -> bool {
    old.contains(new) && (old.symbol().is_none() || old.equals(new))
}

/// Applies the widening operator: drops each bound of `old` that `new` exceeds.
fn widen(old: Dim, new: Dim) -> Dim {
    let lower = if new.lower() < old.lower() { 0 } else { old.lower() };
    match old.upper() {
        Some(upper) if new.upper().is_some_and(|new| new <= upper) => Dim::between(lower, upper).unwrap_or(Dim::ANY),
        _ => Dim::at_least(lower),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_open_where_they_leave_their_bounds() {
        let join_shapes = |bound: &str, passed: &str| {
            join_shapes(&bound.parse().unwrap(), &passed.parse().unwrap(), widen).map(|shape| shape.to_string())
        };
        assert_eq!(join_shapes("[2,3]", "[4,3]").as_deref(), Some("[2..,3]"));
        assert_eq!(join_shapes("[2,3..5]", "[1,3..4]").as_deref(), Some("[..2,3..5]"));
        assert_eq!(join_shapes("[2,3]", "[2,1..5]").as_deref(), Some("[2,?]"));
        assert_eq!(join_shapes("[2,3..]", "[3,4..]").as_deref(), Some("[2..,3..]"));
        assert_eq!(join_shapes("[2,3]", "[2,3,1]").as_deref(), Some("[...]"));
        assert_eq!(join_shapes("[2,3]", "[...]").as_deref(), Some("[...]"));
        assert_eq!(join_shapes("[2,?]", "[2,3]"), None);
        assert_eq!(join_shapes("[...]", "[2]"), None);
    }
}
