//! Demands that say what a length equals.

use super::{Classes, Open, Solved, only};
use crate::ir::LayerId;
use crate::types::symbol::demand::{Demand, Test};
use crate::types::symbol::{Atom, Expressions, Length, Symbol};
use std::collections::{BTreeMap, HashMap};

/// Takes out all demands that two lengths are equal; what the lengths are replaced by.
pub(super) fn take_equal(all: &Expressions, work: &mut Vec<Open>, classes: &mut Classes) -> HashMap<Atom, Symbol> {
    let mut pairs: Vec<(Length, Length, Vec<LayerId>)> = Vec::new();
    work.retain_mut(|one| match only(&one.demand).and_then(|test| equal_pair(all, test)) {
        Some((a, b)) => {
            pairs.push((a, b, std::mem::take(&mut one.layers)));
            false
        }
        None => true,
    });
    let mut roots: BTreeMap<Length, Length> = BTreeMap::new();
    let root = |roots: &BTreeMap<Length, Length>, mut length: Length| {
        while let Some(next) = roots.get(&length) {
            length = *next;
        }
        length
    };
    for (a, b, layers) in pairs {
        let (a, b) = (root(&roots, a), root(&roots, b));
        let (first, other) = (a.min(b), a.max(b));
        if first == other {
            continue;
        }
        roots.insert(other, first);
        let (members, more) = classes.remove(&other).unwrap_or_default();
        let (known, why) = classes.entry(first).or_default();
        known.push(other);
        known.extend(members);
        why.extend(more.into_iter().chain(layers));
    }
    for (members, layers) in classes.values_mut() {
        members.sort_unstable();
        layers.sort_unstable();
        layers.dedup();
    }
    let replaced = |length: &Length| Some((all.input_atom(*length)?, all.input(root(&roots, *length))?));
    roots.keys().filter_map(replaced).collect()
}

/// The lengths that a test demands to be equal, where it demands no more.
fn equal_pair(all: &Expressions, test: Test) -> Option<(Length, Length)> {
    let Test::Zero(symbol) = test else { return None };
    let terms: Vec<_> = all.terms(symbol)?.take(3).collect();
    match terms.as_slice() {
        [(one, 1), (other, -1)] | [(one, -1), (other, 1)] => match (one.as_slice(), other.as_slice()) {
            ([Atom::Input(a, _)], [Atom::Input(b, _)]) => Some((*a, *b)),
            _ => None,
        },
        _ => None,
    }
}

/// Takes out one demand that says what an atom equals; what it is replaced by.
pub(super) fn take_solved(
    all: &mut Expressions,
    work: &mut Vec<Open>,
    solved: &mut Vec<Solved>,
    kept: &mut Vec<Open>,
) -> HashMap<Atom, Symbol> {
    let solve = |all: &mut Expressions, demand: &Demand| match only(demand) {
        Some(Test::Zero(symbol)) => all.solved(symbol),
        _ => None,
    };
    let mut found: Option<(usize, (Atom, Symbol))> = None;
    for (i, one) in work.iter().enumerate() {
        let Some((atom, symbol)) = solve(all, &one.demand) else { continue };
        // Lengths that meet in one of them say more than sums.
        if matches!(atom, Atom::Broadcast(..)) {
            found = Some((i, (atom, symbol)));
            break;
        }
        found = found.or(Some((i, (atom, symbol))));
    }
    let Some((i, (atom, symbol))) = found else { return HashMap::new() };
    let one = work.remove(i);
    match atom {
        Atom::Input(length, _) => solved.push(Solved { length, symbol, layers: one.layers }),
        _ => kept.push(Open { demand: one.shown.clone(), ..one }),
    }
    HashMap::from([(atom, symbol)])
}
