//! What follows from expressions that are 0.

use super::Symbol;
use super::demand::{Demand, Outcome, Test};
use super::expressions::{Atom, Expressions};
use smallvec::{SmallVec, smallvec};

/// Demands that one is taken apart into, at most.
const MOST_WAYS: usize = 8;

impl Expressions {
    /// An atom and what it equals where an expression is 0, which is the only place in it where the atom stands: the last
    /// dimension of an input, or else a function.
    pub(crate) fn solved(&mut self, zero: Symbol) -> Option<(Atom, Symbol)> {
        if let Some(met) = self.met(zero) {
            return Some(met);
        }
        let mut best: Option<(Atom, Symbol)> = None;
        for (atom, symbol) in self.alone(zero, |atom| !matches!(atom, Atom::Unknown(_)))? {
            let is_better = match (atom, best) {
                (Atom::Input(length, _), Some((Atom::Input(before, _), _))) => before < length,
                (_, None) | (Atom::Input(..), _) => true,
                _ => false,
            };
            if is_better && self.occurrences(zero, atom) == 1 {
                best = Some((atom, symbol));
            }
        }
        best
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
        for (atom, length) in self.alone(zero, |atom| matches!(atom, Atom::Broadcast(..)))? {
            let Atom::Broadcast(a, b) = atom else { continue };
            if self.parts([a, b], Atom::Broadcast).contains(&length) || self.known(length) == Some(1) {
                return Some((atom, length));
            }
        }
        None
    }

    /// For an expression that is 0 where a quotient is something: the test that the division has no remainder, and the demand
    /// which says the same of the product then.
    pub(crate) fn undivided(&mut self, zero: Symbol) -> Option<(Test, Demand)> {
        for (atom, quotient) in self.alone(zero, |atom| matches!(atom, Atom::Quotient(..)))? {
            let Atom::Quotient(a, b) = atom else { continue };
            if self.bounds(b).0 < 1 {
                continue;
            }
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

    /// For an expression that is 0 where a number is the smaller or the larger of itself and another: whether it is.
    pub(super) fn is_extreme(&mut self, zero: Symbol) -> Option<Outcome> {
        for (atom, number) in self.alone(zero, |atom| matches!(atom, Atom::Least(..) | Atom::Greatest(..)))? {
            let (parts, is_least) = match atom {
                Atom::Least(a, b) => (self.parts([a, b], Atom::Least), true),
                Atom::Greatest(a, b) => (self.parts([a, b], Atom::Greatest), false),
                _ => continue,
            };
            let other = match parts.as_slice() {
                [other, one] | [one, other] if *one == number => *other,
                _ => continue,
            };
            let (more, less) = if is_least { (other, number) } else { (number, other) };
            let distance = self.minus(more, less)?;
            return self.not_negative(distance);
        }
        None
    }

    /// For the smaller or the larger of two numbers less a third, or the other way round, where one of the two always is on the
    /// right side of the third: whether that is not negative.
    pub(super) fn is_past_extreme(&mut self, symbol: Symbol) -> Option<Outcome> {
        for (atom, number) in self.alone(symbol, |atom| matches!(atom, Atom::Least(..) | Atom::Greatest(..)))? {
            let (parts, is_least) = match atom {
                Atom::Least(a, b) => ([a, b], true),
                Atom::Greatest(a, b) => ([a, b], false),
                _ => continue,
            };
            let extreme = self.atom(atom)?;
            let is_more = self.minus(extreme, number)? == symbol;
            let [first, second] =
                parts.map(|part| if is_more { self.minus(part, number) } else { self.minus(number, part) });
            for (distance, other) in [(first?, second?), (second?, first?)] {
                if self.bounds(distance).0 >= 0 {
                    // The smaller of two is no less than a third if neither is; the larger, if one is not.
                    return if is_least == is_more { self.not_negative(other) } else { Some(Outcome::Holds) };
                }
            }
        }
        None
    }

    /// The atoms that are terms of an expression, with what they equal where that is 0.
    fn alone(&mut self, zero: Symbol, is_wanted: impl Fn(Atom) -> bool) -> Option<SmallVec<[(Atom, Symbol); 2]>> {
        let terms = self.sum(zero)?.iter().filter_map(|(product, times)| match product.as_slice() {
            [number] if times.unsigned_abs() == 1 => Some((*number, self.atom_at(*number)?, *times)),
            _ => None,
        });
        let terms: SmallVec<[(u32, Atom, i64); 2]> = terms.filter(|(_, atom, _)| is_wanted(*atom)).collect();
        let mut alone = SmallVec::new();
        for (number, atom, times) in terms {
            // times*atom + rest == 0
            let term = self.symbol(smallvec![(smallvec![number], times)])?;
            let rest = self.minus(zero, term)?;
            let sign = self.number(times.checked_neg()?)?;
            alone.push((atom, self.times(rest, sign)?));
        }
        Some(alone)
    }
}
