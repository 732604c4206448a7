//! Demands that say what a length equals.

use super::{Classes, Open, Solved, only};
use crate::ir::LayerId;
use crate::types::symbol::demand::Test;
use crate::types::symbol::{Atom, Expressions, Length, Symbol};
use std::collections::{BTreeMap, HashMap, HashSet};

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

/// Takes out demands that say what atoms equal, as many as do not meddle with each other; what the atoms are replaced by.
pub(super) fn take_solved(
    all: &mut Expressions,
    work: &mut Vec<Open>,
    solved: &mut Vec<Solved>,
    kept: &mut Vec<Open>,
) -> HashMap<Atom, Symbol> {
    let mut found: Vec<(usize, Atom, Symbol, Symbol)> = Vec::new();
    for (i, one) in work.iter().enumerate() {
        let Some(Test::Zero(zero)) = only(&one.demand) else { continue };
        found.extend(all.solved(zero).map(|(atom, symbol)| (i, atom, symbol, zero)));
    }
    // Lengths that meet in one of them say more than sums, and lengths of inputs more than other functions.
    let rank = |atom: &Atom| match atom {
        Atom::Broadcast(..) => 0,
        Atom::Input(..) => 1,
        _ => 2,
    };
    let first = found.iter().map(|(_, atom, ..)| rank(atom)).min();
    let (mut by, mut used, mut places) = (HashMap::new(), HashSet::new(), HashMap::new());
    for (i, atom, symbol, zero) in found.into_iter().filter(|(_, atom, ..)| Some(rank(atom)) == first) {
        let mut atoms = HashSet::new();
        all.atoms_of(zero, &mut atoms);
        if !used.contains(&atom) && !atoms.iter().any(|atom| by.contains_key(atom)) {
            used.extend(atoms);
            by.insert(atom, symbol);
            places.insert(i, (atom, symbol));
        }
    }
    for (i, one) in std::mem::take(work).into_iter().enumerate() {
        match places.get(&i) {
            Some((Atom::Input(length, _), symbol)) => {
                solved.push(Solved { length: *length, symbol: *symbol, layers: one.layers });
            }
            Some(_) => kept.push(Open { demand: one.shown.clone(), ..one }),
            None => work.push(one),
        }
    }
    by
}
