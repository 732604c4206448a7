//! Consequences of equations and inequalities. An equation `zero = 0` is given by its symbol `zero`.

use super::Symbol;
use super::demand::{Demand, Outcome, Test};
use super::expressions::{Atom, Expressions};
use smallvec::{SmallVec, smallvec};

/// Maximum number of clauses into which one clause is split.
const MAX_CLAUSES: usize = 8;

impl Expressions {
    /// Solves `zero = 0` for an atom. A broadcast that equals one of its parts or 1 goes first. Otherwise the atom must occur
    /// only once: the last such dimension of an input, or else a function. With `a` before `b`, `a - b - 1 = 0` gives
    /// `b = a - 1`.
    pub(crate) fn solved(&mut self, zero: Symbol) -> Option<(Atom, Symbol)> {
        if let Some(met) = self.resolved_broadcast(zero) {
            return Some(met);
        }
        let mut best: Option<(Atom, Symbol)> = None;
        for (atom, symbol) in self.isolated(zero, |atom| !matches!(atom, Atom::Unknown(_)))? {
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

    /// Rewrites a clause as an equivalent set of clauses in which no broadcast equals one of its parts or 1; `None` if that is
    /// too large.
    ///
    /// `broadcast(a, b) = a` becomes `b = a or b = 1`. This is equivalent only because another demand says that `a` and `b`
    /// broadcast.
    pub(crate) fn without_broadcasts(&mut self, demand: &Demand) -> Option<Vec<Demand>> {
        let mut ways: Vec<Demand> = vec![Demand::default()];
        for test in &demand.0 {
            let parts = match *test {
                Test::Zero(symbol) => self.resolved_parts(symbol),
                _ => None,
            };
            // A test that becomes a conjunction splits the clause: `x or (y and z)` is `(x or y) and (x or z)`.
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
            if ways.len().saturating_mul(choices.len()) > MAX_CLAUSES {
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

    /// The parts of the broadcast that [`Self::resolved_broadcast`] finds in `zero = 0`, and the length that it equals.
    fn resolved_parts(&mut self, zero: Symbol) -> Option<(Vec<Symbol>, Symbol)> {
        let (Atom::Broadcast(a, b), length) = self.resolved_broadcast(zero)? else { return None };
        Some((self.parts([a, b], Atom::Broadcast).to_vec(), length))
    }

    /// Finds `broadcast(a, b) = a`, `= b` or `= 1` in the equation `zero = 0`.
    fn resolved_broadcast(&mut self, zero: Symbol) -> Option<(Atom, Symbol)> {
        for (atom, length) in self.isolated(zero, |atom| matches!(atom, Atom::Broadcast(..)))? {
            let Atom::Broadcast(a, b) = atom else { continue };
            if self.parts([a, b], Atom::Broadcast).contains(&length) || self.known(length) == Some(1) {
                return Some((atom, length));
            }
        }
        None
    }

    /// Rewrites an equation `a // b = q`: returns the test that `b` divides `a`, and the clause `a = q*b`, which is equivalent
    /// to the equation if the test holds.
    pub(crate) fn undivided(&mut self, zero: Symbol) -> Option<(Test, Demand)> {
        for (atom, quotient) in self.isolated(zero, |atom| matches!(atom, Atom::FloorDiv(..)))? {
            let Atom::FloorDiv(a, b) = atom else { continue };
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

    /// Rewrites the equations `min(x, y) = x` to `y - x >= 0`, and `max(x, y) = x` to `x - y >= 0`.
    pub(super) fn extreme_equation(&mut self, zero: Symbol) -> Option<Outcome> {
        for (atom, number) in self.isolated(zero, |atom| matches!(atom, Atom::Min(..) | Atom::Max(..)))? {
            let (parts, is_min) = match atom {
                Atom::Min(a, b) => (self.parts([a, b], Atom::Min), true),
                Atom::Max(a, b) => (self.parts([a, b], Atom::Max), false),
                _ => continue,
            };
            let other = match parts.as_slice() {
                [other, one] | [one, other] if *one == number => *other,
                _ => continue,
            };
            let (more, less) = if is_min { (other, number) } else { (number, other) };
            let distance = self.minus(more, less)?;
            return self.not_negative(distance);
        }
        None
    }

    /// Simplifies `min(x, y) >= z`, `max(x, y) >= z`, `z >= min(x, y)` and `z >= max(x, y)` if one of `x` and `y` always meets
    /// the condition: then either the whole always holds, or it depends on the other one alone.
    pub(super) fn extreme_inequality(&mut self, symbol: Symbol) -> Option<Outcome> {
        for (atom, number) in self.isolated(symbol, |atom| matches!(atom, Atom::Min(..) | Atom::Max(..)))? {
            let (parts, is_min) = match atom {
                Atom::Min(a, b) => ([a, b], true),
                Atom::Max(a, b) => ([a, b], false),
                _ => continue,
            };
            let extreme = self.atom(atom)?;
            let is_more = self.minus(extreme, number)? == symbol;
            let [first, second] =
                parts.map(|part| if is_more { self.minus(part, number) } else { self.minus(number, part) });
            for (distance, other) in [(first?, second?), (second?, first?)] {
                if self.bounds(distance).0 >= 0 {
                    // `min(x, y) >= z` needs both, `max(x, y) >= z` needs one; `z >= ..` is the other way round.
                    return if is_min == is_more { self.not_negative(other) } else { Some(Outcome::Holds) };
                }
            }
        }
        None
    }

    /// Solves `zero = 0` for every wanted atom that is a term with coefficient 1 or -1.
    fn isolated(&mut self, zero: Symbol, is_wanted: impl Fn(Atom) -> bool) -> Option<SmallVec<[(Atom, Symbol); 2]>> {
        let terms = self.sum(zero)?.iter().filter_map(|(product, times)| match product.as_slice() {
            [number] if times.unsigned_abs() == 1 => Some((*number, self.atom_at(*number)?, *times)),
            _ => None,
        });
        let terms: SmallVec<[(u32, Atom, i64); 2]> = terms.filter(|(_, atom, _)| is_wanted(*atom)).collect();
        let mut isolated = SmallVec::new();
        for (number, atom, times) in terms {
            // times*atom + rest == 0
            let term = self.symbol(smallvec![(smallvec![number], times)])?;
            let rest = self.minus(zero, term)?;
            let sign = self.number(times.checked_neg()?)?;
            isolated.push((atom, self.times(rest, sign)?));
        }
        Some(isolated)
    }
}
