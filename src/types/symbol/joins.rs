//! Canonical forms of min, max and broadcast of expressions, so that equal numbers get the same symbol.

use super::Symbol;
use super::expressions::{Atom, Expressions};
use super::sum::{constant, gcd};
use smallvec::SmallVec;

/// The operands of a flattened min, max or broadcast.
type Parts = SmallVec<[Symbol; 8]>;

impl Expressions {
    pub(super) fn min(&mut self, a: Symbol, b: Symbol) -> Option<Symbol> {
        match self.order(a, b) {
            Some(true) => Some(a),
            Some(false) => Some(b),
            None if self.known(a) == Some(1) && self.bounds(b).0 >= 0 => self.presence(b),
            None if self.known(b) == Some(1) && self.bounds(a).0 >= 0 => self.presence(a),
            None => self.joined(a, b, Atom::Min),
        }
    }

    pub(super) fn max(&mut self, a: Symbol, b: Symbol) -> Option<Symbol> {
        match self.order(a, b) {
            Some(true) => Some(b),
            Some(false) => Some(a),
            None => self.joined(a, b, Atom::Max),
        }
    }

    pub(super) fn broadcast(&mut self, a: Symbol, b: Symbol) -> Option<Symbol> {
        if a == b {
            return Some(a);
        }
        match (self.known(a), self.known(b)) {
            (Some(1), _) => return Some(b),
            (_, Some(1)) => return Some(a),
            _ => {}
        }
        // A length that is never 1 is the result.
        let is_never_1 = |symbol| matches!(self.bounds(symbol), (2.., _) | (_, ..=0));
        match (is_never_1(a), is_never_1(b)) {
            (true, true) => Some(self.simpler(a, b)),
            (true, false) => Some(a),
            (false, true) => Some(b),
            (false, false) => {
                if let Some(known) = self.broadcasts.get(&(a, b)) {
                    return *known;
                }
                let met = self.joined(a, b, Atom::Broadcast);
                self.broadcasts.insert((a, b), met);
                met
            }
        }
    }

    /// The canonical expression for `join(a, b)`: `max(a, max(c, a))` becomes `max(a, c)`.
    pub(super) fn joined(&mut self, a: Symbol, b: Symbol, join: fn(Symbol, Symbol) -> Atom) -> Option<Symbol> {
        let mut parts = self.parts([a, b], join);
        if join(a, b) == Atom::Broadcast(a, b) {
            let all = parts.clone();
            parts.retain(|part| !self.is_absorbed(*part, &all));
        }
        let times = if join(a, b) == Atom::Broadcast(a, b) { 1 } else { self.common_factor(&parts) };
        let number = self.number(times)?;
        if times > 1 {
            parts = parts.into_iter().map(|part| self.floor_div(part, number)).collect::<Option<_>>()?;
        }
        let mut parts = parts.into_iter();
        let first = parts.next()?;
        let all = parts.try_fold(first, |all, part| self.atom(join(all, part)))?;
        self.times(all, number)
    }

    /// The greatest common divisor of all coefficients; 1 if there are none.
    fn common_factor(&self, all: &[Symbol]) -> i64 {
        let terms = all.iter().filter_map(|one| self.sum(*one)).flatten();
        terms.fold(0, |common, (_, times)| gcd(times.saturating_abs(), common)).max(1)
    }

    /// Whether `length` never changes a broadcast with one of `others`: if the two broadcast, it is 1 or equal to the other.
    fn is_absorbed(&mut self, length: Symbol, others: &[Symbol]) -> bool {
        // `min(other, n)` with `n` above 0.
        if let Some(Atom::Min(a, b)) = self.atom_of(length) {
            let parts = self.parts([a, b], Atom::Min);
            let is_other = |part: &Symbol| others.contains(part);
            return parts.iter().any(is_other) && parts.iter().all(|part| is_other(part) || self.bounds(*part).0 > 0);
        }
        // `length = other + 1 - min(1, other)`: 1 if the other is 0, else equal.
        let added = |all: &Self, symbol| all.sum(symbol).and_then(constant).unwrap_or(0);
        let is_1_beside_0 = |all: &mut Self, other| {
            if added(all, length).checked_sub(added(all, other)) != Some(1) {
                return None;
            }
            let (one, more) = (all.number(1)?, all.minus(length, other)?);
            let has_any = all.minus(one, more).filter(|has_any| all.bounds(*has_any) == (0, 1))?;
            Some(all.times(other, has_any)? == other)
        };
        others.iter().any(|other| is_1_beside_0(self, *other) == Some(true))
    }

    /// The distinct operands of nested `join`s, sorted.
    pub(super) fn parts(&self, two: [Symbol; 2], join: fn(Symbol, Symbol) -> Atom) -> Parts {
        let (mut parts, mut open) = (Parts::new(), Parts::from_slice(&two));
        while let Some(symbol) = open.pop() {
            match self.atom_of(symbol) {
                Some(atom @ (Atom::Min(one, other) | Atom::Max(one, other) | Atom::Broadcast(one, other)))
                    if atom == join(one, other) =>
                {
                    open.extend([one, other]);
                }
                _ => parts.push(symbol),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        parts
    }

    /// Returns `Some(true)` if `a <= b` always holds, `Some(false)` if `a >= b` does, and `None` if it depends.
    fn order(&mut self, a: Symbol, b: Symbol) -> Option<bool> {
        let distance = self.minus(b, a)?;
        match self.bounds(distance) {
            (0.., _) => Some(true),
            (_, ..=0) => Some(false),
            _ => None,
        }
    }
}
