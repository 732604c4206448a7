//! What follows from expressions that are 0.

use super::Symbol;
use super::demand::{Demand, Outcome, Test};
use super::expressions::{Atom, Expressions};
use smallvec::smallvec;

/// Demands that one is taken apart into, at most.
const MOST_WAYS: usize = 8;

impl Expressions {
    /// An atom and what it equals where an expression is 0, which is the only place in it where the atom stands: the last
    /// dimension of an input, or else a function.
    pub(crate) fn solved(&mut self, zero: Symbol) -> Option<(Atom, Symbol)> {
        if let Some(met) = self.met(zero) {
            return Some(met);
        }
        let sum = self.sum(zero)?.clone();
        let mut best: Option<(Atom, Symbol, i64)> = None;
        for (product, times) in &sum {
            let [number] = product.as_slice() else { continue };
            let Some(atom) = self.atom_at(*number).filter(|_| times.abs() == 1) else { continue };
            let is_better = match (atom, best) {
                (Atom::Unknown(_), _) => false,
                (Atom::Input(length, _), Some((Atom::Input(before, _), ..))) => before < length,
                (_, None) | (Atom::Input(..), _) => true,
                _ => false,
            };
            if is_better && self.occurrences(zero, atom) == 1 {
                best = Some((atom, self.symbol(smallvec![(product.clone(), *times)])?, *times));
            }
        }
        let (atom, term, times) = best?;
        // times*atom + rest == 0
        let rest = self.minus(zero, term)?;
        let sign = self.number(-times)?;
        Some((atom, self.times(rest, sign)?))
    }

    /// Demands that say together what one says, without the broadcast of lengths that is one of them or 1. The lengths fit
    /// where other demands are met.
    pub(crate) fn without_broadcasts(&mut self, demand: &Demand) -> Option<Vec<Demand>> {
        let mut ways: Vec<Demand> = vec![Demand::default()];
        for test in &demand.0 {
            let parts = match *test {
                Test::Zero(symbol) => self.met_in(symbol),
                _ => None,
            };
            // A test that stands for several demands is in a demand of its own for each of them.
            let choices: Vec<Vec<Outcome>> = match parts {
                Some((parts, length)) => {
                    let one = self.number(1)?;
                    let mut choices = Vec::new();
                    for part in parts.into_iter().filter(|part| *part != length) {
                        let mut choice = Vec::new();
                        for wanted in [length, one] {
                            let difference = self.minus(part, wanted)?;
                            choice.extend(self.zero(difference)?);
                        }
                        choices.push(choice);
                    }
                    choices
                }
                None => vec![vec![Outcome::Open(*test)]],
            };
            if ways.len().saturating_mul(choices.len()) > MOST_WAYS {
                return None;
            }
            let mut next = Vec::new();
            for way in &ways {
                for choice in &choices {
                    if choice.contains(&Outcome::Holds) {
                        continue;
                    }
                    let mut tests = way.clone();
                    tests.0.extend(choice.iter().filter_map(|outcome| match outcome {
                        Outcome::Open(test) => Some(*test),
                        _ => None,
                    }));
                    tests.0.sort_unstable();
                    tests.0.dedup();
                    next.push(tests);
                }
            }
            ways = next;
        }
        Some(ways)
    }

    /// The lengths that meet in one where an expression is 0, and what they meet in: one of them, or 1.
    fn met_in(&mut self, zero: Symbol) -> Option<(Vec<Symbol>, Symbol)> {
        let (Atom::Broadcast(a, b), length) = self.met(zero)? else { return None };
        Some((self.parts([a, b], Atom::Broadcast).to_vec(), length))
    }

    /// The broadcast of lengths that is one of them or 1 where an expression is 0, and which.
    fn met(&mut self, zero: Symbol) -> Option<(Atom, Symbol)> {
        let sum = self.sum(zero)?.clone();
        for (product, times) in &sum {
            let [number] = product.as_slice() else { continue };
            let Some(atom @ Atom::Broadcast(a, b)) = self.atom_at(*number).filter(|_| times.abs() == 1) else {
                continue;
            };
            let term = self.symbol(smallvec![(product.clone(), *times)])?;
            let rest = self.minus(zero, term)?;
            let sign = self.number(-times)?;
            let length = self.times(rest, sign)?;
            if self.parts([a, b], Atom::Broadcast).contains(&length) || self.known(length) == Some(1) {
                return Some((atom, length));
            }
        }
        None
    }

    /// For an expression that is 0 where a quotient is something: the test that the division has no remainder, and the demand
    /// which says the same of the product then.
    pub(crate) fn undivided(&mut self, zero: Symbol) -> Option<(Test, Demand)> {
        let sum = self.sum(zero)?.clone();
        for (product, times) in &sum {
            let [number] = product.as_slice() else { continue };
            let Some(Atom::Quotient(a, b)) = self.atom_at(*number).filter(|_| times.abs() == 1) else { continue };
            if self.bounds(b).0 < 1 {
                continue;
            }
            let term = self.symbol(smallvec![(product.clone(), *times)])?;
            let rest = self.minus(zero, term)?;
            let sign = self.number(-times)?;
            let quotient = self.times(rest, sign)?;
            let whole = self.times(quotient, b)?;
            let difference = self.minus(a, whole)?;
            let mut tests = Demand::default();
            for outcome in self.zero(difference)? {
                match outcome {
                    Outcome::Holds => return None,
                    Outcome::Fails => {}
                    Outcome::Open(test) => tests.0.push(test),
                }
            }
            return Some((Test::Multiple(a, b), tests));
        }
        None
    }
}
