//! Demands that say what a length equals.

use super::{Constraint, Form, Open, only, substituted, taken_apart};
use crate::ir::LayerId;
use crate::types::symbol::demand::Test;
use crate::types::symbol::substitution::Substitution;
use crate::types::symbol::{Atom, Expressions, Length, Symbol};
use std::collections::{BTreeMap, HashMap, HashSet};

/// How often equations are looked for in what is left.
const ROUNDS: usize = 32;

/// The equations among demands.
#[derive(Debug, Default)]
pub(super) struct Equations {
    /// Equal lengths by the first of them: the others, and the layers that demand it.
    classes: BTreeMap<Length, (Vec<Length>, Vec<LayerId>)>,
    /// What lengths equal.
    solved: Vec<Solved>,
    /// Demands that say what functions equal.
    kept: Vec<Open>,
}

/// What a length equals.
#[derive(Debug)]
struct Solved {
    length: Length,
    symbol: Symbol,
    layers: Vec<LayerId>,
}

impl Equations {
    /// Takes out the equations, and rewrites the other demands by them; those that are left.
    pub(super) fn take_from(&mut self, all: &mut Expressions, mut work: Vec<Open>) -> Vec<Open> {
        for _ in 0..ROUNDS {
            let mut by = self.take_equal(all, &mut work);
            let is_shown = !by.is_empty();
            if by.is_empty() {
                by = self.take_solved(all, &mut work);
            }
            if by.is_empty() {
                break;
            }
            let is_length = by.keys().all(|atom| matches!(atom, Atom::Input(..)));
            let mut substitution = Substitution::new(by);
            for one in self.solved.iter_mut().filter(|_| is_length) {
                one.symbol = substitution.apply(all, one.symbol).unwrap_or(one.symbol);
            }
            if is_shown {
                self.kept = substituted(all, &mut substitution, std::mem::take(&mut self.kept), true);
            }
            work = substituted(all, &mut substitution, work, is_shown);
            // A single test may say what a broadcast equals.
            let (single, several) = work.into_iter().partition(|one| one.demand.0.len() == 1);
            work = single;
            work.extend(taken_apart(all, several));
        }
        work.append(&mut self.kept);
        work
    }

    /// The equations as constraints.
    pub(super) fn constraints(self) -> Vec<Constraint> {
        let equal = self.classes.into_iter().map(|(first, (others, layers))| {
            let form = Form::Equal([vec![first], others].concat());
            Constraint { form, layers }
        });
        let solved = self.solved.into_iter().map(|Solved { length, symbol, layers }| {
            let form = Form::Solved(length, symbol);
            Constraint { form, layers }
        });
        equal.chain(solved).collect()
    }

    /// Takes out all demands that two lengths are equal; what the lengths are replaced by.
    fn take_equal(&mut self, all: &Expressions, work: &mut Vec<Open>) -> HashMap<Atom, Symbol> {
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
            let (members, more) = self.classes.remove(&other).unwrap_or_default();
            let (known, why) = self.classes.entry(first).or_default();
            known.push(other);
            known.extend(members);
            why.extend(more.into_iter().chain(layers));
        }
        for (members, layers) in self.classes.values_mut() {
            members.sort_unstable();
            layers.sort_unstable();
            layers.dedup();
        }
        let replaced = |length: &Length| Some((all.input_atom(*length)?, all.input(root(&roots, *length))?));
        roots.keys().filter_map(replaced).collect()
    }

    /// Takes out demands that say what atoms equal, as many as do not change each other; what the atoms are replaced by.
    fn take_solved(&mut self, all: &mut Expressions, work: &mut Vec<Open>) -> HashMap<Atom, Symbol> {
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
                    self.solved.push(Solved { length: *length, symbol: *symbol, layers: one.layers });
                }
                Some(_) => self.kept.push(Open { demand: one.shown.clone(), ..one }),
                None => work.push(one),
            }
        }
        by
    }
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
