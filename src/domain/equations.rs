//! Elimination of dimensions from the constraints of a model by unit clauses that are equations: `a = b`, `c = a + 1`.
//!
//! Each round substitutes by one kind of equation, which may turn other clauses into equations. With `a = b` and
//! `a + b = c`, the first round gives `2 * a = c`, and the second one solves that for `c`.

use super::{Clause, Constraint, Form, substituted, unit, without_broadcasts};
use crate::ir::LayerId;
use crate::types::symbol::demand::Test;
use crate::types::symbol::substitution::Substitution;
use crate::types::symbol::{Atom, Expressions, Length, Symbol};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Maximum number of rounds of elimination.
const ROUNDS: usize = 32;

/// The equations found so far.
#[derive(Debug, Default)]
pub(super) struct Equations {
    /// Classes of equal dimensions, by their first member: the other members, and the layers that demand the equality.
    classes: BTreeMap<Length, (Vec<Length>, Vec<LayerId>)>,
    /// Solved dimensions.
    solved: Vec<Solved>,
    /// Clauses that solve for a function such as a floor division. They are used once as substitutions, but remain constraints.
    kept: Vec<Clause>,
}

/// A dimension, the expression that it equals, and the layers that demand this equality.
#[derive(Debug)]
struct Solved {
    length: Length,
    symbol: Symbol,
    layers: Vec<LayerId>,
}

impl Equations {
    /// Removes the equations from `work`, applies them to the other clauses as substitutions, and returns these clauses.
    pub(super) fn take_from(&mut self, all: &mut Expressions, mut work: Vec<Clause>) -> Vec<Clause> {
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
            // Unit clauses keep their broadcasts: the next round may solve one for a broadcast.
            let (single, several) = work.into_iter().partition(|one| one.demand.0.len() == 1);
            work = single;
            work.extend(without_broadcasts(all, several));
        }
        work.append(&mut self.kept);
        work
    }

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

    /// Removes clauses of the form `a = b`, merges their classes, and returns the substitution of members by first members.
    fn take_equal(&mut self, all: &Expressions, work: &mut Vec<Clause>) -> HashMap<Atom, Symbol> {
        let mut pairs: Vec<(Length, Length, Vec<LayerId>)> = Vec::new();
        work.retain_mut(|one| match unit(&one.demand).and_then(|test| equal_pair(all, test)) {
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
            let (class, why) = self.classes.entry(first).or_default();
            class.push(other);
            class.extend(members);
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

    /// Removes clauses that can be solved for an atom, as many as are independent of each other; returns the solutions as a
    /// substitution.
    fn take_solved(&mut self, all: &mut Expressions, work: &mut Vec<Clause>) -> HashMap<Atom, Symbol> {
        let mut found: Vec<(usize, Atom, Symbol, Symbol)> = Vec::new();
        for (i, one) in work.iter().enumerate() {
            let Some(Test::Zero(zero)) = unit(&one.demand) else { continue };
            found.extend(all.solved(zero).map(|(atom, symbol)| (i, atom, symbol, zero)));
        }
        // Solving for a broadcast simplifies most, then solving for a dimension, then for another function.
        let rank = |atom: &Atom| match atom {
            Atom::Broadcast(..) => 0,
            Atom::Input(..) => 1,
            _ => 2,
        };
        let first = found.iter().map(|(_, atom, ..)| rank(atom)).min();
        let (mut by, mut used, mut indices) = (HashMap::new(), HashSet::new(), HashMap::new());
        for (i, atom, symbol, zero) in found.into_iter().filter(|(_, atom, ..)| Some(rank(atom)) == first) {
            let mut atoms = HashSet::new();
            all.atoms_of(zero, &mut atoms);
            if !used.contains(&atom) && !atoms.iter().any(|atom| by.contains_key(atom)) {
                used.extend(atoms);
                by.insert(atom, symbol);
                indices.insert(i, (atom, symbol));
            }
        }
        for (i, one) in std::mem::take(work).into_iter().enumerate() {
            match indices.get(&i) {
                Some((Atom::Input(length, _), symbol)) => {
                    self.solved.push(Solved { length: *length, symbol: *symbol, layers: one.layers });
                }
                Some(_) => self.kept.push(Clause { demand: one.shown.clone(), ..one }),
                None => work.push(one),
            }
        }
        by
    }
}

/// Returns the two dimensions of a test of the form `a = b`.
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
