//! States: what Parameters are over all iterations, when back edges hand them what the one before gave.
//!
//! A dimension first takes in what it is handed; when that moves on once more, it has no bound on that side from then on, so
//! that few rounds do. What has not settled after `ROUNDS` rounds may be of any shape.

use super::Host;
use super::runs::Runs;
use crate::ir::LayerId;
use crate::limits::ROUNDS;
use crate::types::{Dim, PartialShape};
use std::collections::{BTreeMap, BTreeSet};

/// Infers the body until every Parameter takes what it is handed as well as what it starts with.
///
/// `misfits` stay what they start with, although they are handed something else.
pub(super) fn settle(host: &mut Host, body: &mut Runs, misfits: &BTreeSet<LayerId>) {
    let inlets = body.wiring().inputs.iter().filter(|inlet| !misfits.contains(&inlet.parameter));
    let back_edges: BTreeMap<LayerId, LayerId> =
        inlets.filter_map(|inlet| Some((inlet.parameter, inlet.back?.0))).collect();
    for round in 0.. {
        let mut bindings = body.bindings();
        let mut changed = false;
        for (parameter, result) in &back_edges {
            let Some(binding) = bindings.get_mut(parameter) else { continue };
            let join = if round == 0 { Dim::hull } else { opened };
            let Some(shape) = widened(&binding.fact.shape, &body.result(*result).shape, join) else { continue };
            changed = true;
            binding.fact.shape = shape;
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

/// The shape of a Parameter that must also take what it is handed, dimension by dimension; `None` if it does already.
fn widened(taken: &PartialShape, handed: &PartialShape, join: fn(Dim, Dim) -> Dim) -> Option<PartialShape> {
    match (taken.dims(), handed.dims()) {
        (Some(old), Some(new)) if old.len() == new.len() => {
            let pairs = || old.iter().copied().zip(new.iter().copied());
            let joined = |(old, new)| if takes(old, new) { old } else { join(old, new) };
            let is_settled = pairs().all(|(old, new)| takes(old, new));
            (!is_settled).then(|| PartialShape::of(pairs().map(joined)))
        }
        _ => (!taken.contains(handed)).then_some(PartialShape::UNKNOWN),
    }
}

/// Whether every length of `new` is one of `old`, and what `old` equals, if that is known, `new` equals too.
fn takes(old: Dim, new: Dim) -> bool {
    old.contains(new) && (old.symbol().is_none() || old.equals(new))
}

/// The lengths from `old` on toward where `new` leaves them.
fn opened(old: Dim, new: Dim) -> Dim {
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
        let widened = |taken: &str, handed: &str| {
            widened(&taken.parse().unwrap(), &handed.parse().unwrap(), opened).map(|shape| shape.to_string())
        };
        assert_eq!(widened("[2,3]", "[4,3]").as_deref(), Some("[2..,3]"));
        assert_eq!(widened("[2,3..5]", "[1,3..4]").as_deref(), Some("[..2,3..5]"));
        assert_eq!(widened("[2,3]", "[2,1..5]").as_deref(), Some("[2,?]"));
        assert_eq!(widened("[2,3..]", "[3,4..]").as_deref(), Some("[2..,3..]"));
        assert_eq!(widened("[2,3]", "[2,3,1]").as_deref(), Some("[...]"));
        assert_eq!(widened("[2,3]", "[...]").as_deref(), Some("[...]"));
        assert_eq!(widened("[2,?]", "[2,3]"), None);
        assert_eq!(widened("[...]", "[2]"), None);
    }
}
