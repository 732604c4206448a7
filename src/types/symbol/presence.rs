//! Presence factors `min(1, x)`: 0 if the length `x` is 0, and 1 otherwise.

use super::Symbol;
use super::demand::{Demand, Test};
use super::expressions::{Atom, Expressions};
use super::sum::{Product, Sum, added};
use smallvec::{SmallVec, smallvec};

impl Expressions {
    /// Drops redundant factors `min(1, x)`: repeated ones, and those with another factor beside them that is 0 whenever `x` is.
    pub(super) fn without_presence(&self, product: &mut Product) {
        let all = product.clone();
        let mut before = None;
        product.retain(|atom| {
            let is_repeated = before.replace(*atom) == Some(*atom);
            match self.presence_of(*atom) {
                Some(_) if is_repeated => false,
                Some(of) => !all.iter().any(|other| other != atom && self.vanishes(*other, of)),
                None => true,
            }
        });
    }

    /// Whether an atom is known to be 0 whenever `length` is.
    fn vanishes(&self, atom: u32, length: u32) -> bool {
        let does = |symbol| {
            let terms = self.sum(symbol).into_iter().flatten();
            terms.into_iter().all(|(product, _)| product.iter().any(|factor| self.vanishes(*factor, length)))
        };
        atom == length
            || match self.atom_at(atom) {
                Some(Atom::FloorDiv(a, _)) => does(a),
                Some(Atom::Broadcast(a, b)) => does(a) || does(b),
                Some(Atom::Min(a, b)) => self.is_length(atom) && (does(a) || does(b)),
                Some(Atom::Max(a, b)) => does(a) && does(b),
                _ => false,
            }
    }

    /// Whether an atom is never below 0.
    fn is_length(&self, atom: u32) -> bool {
        self.info_of(atom).is_some_and(|known| known.bounds.0 >= 0)
    }

    /// The atom `x` if an atom is `min(1, x)` and `x` is never below 0.
    fn presence_of(&self, atom: u32) -> Option<u32> {
        let Some(Atom::Min(a, b)) = self.atom_at(atom) else { return None };
        let of = if self.known(a) == Some(1) { b } else { a };
        match self.sum(of).filter(|_| self.known(a) == Some(1) || self.known(b) == Some(1))?.as_slice() {
            [(product, 1)] if product.len() == 1 => product.first().copied().filter(|atom| self.is_length(*atom)),
            _ => None,
        }
    }

    /// The sum without presence factors, which has the same value if no length is 0.
    pub(super) fn where_present(&self, sum: &Sum) -> Option<Sum> {
        let mut all = Sum::new();
        for (product, times) in sum {
            let mut product = product.clone();
            product.retain(|atom| self.presence_of(*atom).is_none());
            all = added(&all, &[(product, *times)], 1)?;
        }
        Some(all)
    }

    /// The expression `min(1, a)` for `a` of 0 or more.
    pub(super) fn is_positive(&mut self, a: Symbol) -> Option<Symbol> {
        let one = self.number(1)?;
        let factors = |sum: &Sum| match sum.as_slice() {
            [(product, 1..)] if product.iter().all(|factor| self.is_length(*factor)) => Some(product.clone()),
            _ => None,
        };
        let Some(mut factors) = factors(self.sum(a)?) else { return self.joined(one, a, Atom::Min) };
        // A product is 0 if one of its factors is, and so is the minimum or the broadcast of lengths.
        factors.dedup();
        factors.into_iter().try_fold(one, |all, factor| {
            let has_any = match self.atom_at(factor) {
                Some(Atom::Broadcast(a, b) | Atom::Min(a, b)) => {
                    let (a, b) = (self.is_positive(a)?, self.is_positive(b)?);
                    self.times(a, b)
                }
                _ if self.info_of(factor).is_some_and(|known| known.bounds.0 > 0) => Some(one),
                _ => {
                    let factor = self.symbol(smallvec![(smallvec![factor], 1)])?;
                    self.joined(one, factor, Atom::Min)
                }
            };
            self.times(all, has_any?)
        })
    }

    /// Whether a clause always holds: it demands that some expressions are 1 or more, or that one of them is 0, as in
    /// `min(a, 1)*min(b, 1) = 1 or a = 0 or b = 0`.
    pub(crate) fn is_about_presence(&self, demand: &Demand) -> bool {
        let holds = |test: &Test| {
            let Test::Zero(zero) = *test else { return false };
            let Some([(empty, -1), (factors, 1)] | [(empty, 1), (factors, -1)]) =
                self.sum(zero).map(SmallVec::as_slice)
            else {
                return false;
            };
            let is_0 = |atom: u32, test: &Test| {
                let Test::Zero(zero) = *test else { return false };
                let sum = self.sum(zero).map(SmallVec::as_slice);
                matches!(sum, Some([(product, 1 | -1)]) if product.as_slice() == [atom])
            };
            let has_alternative = |factor: &u32| {
                let atom = self.presence_of(*factor);
                atom.is_some_and(|atom| demand.0.iter().any(|test| is_0(atom, test)))
            };
            empty.is_empty() && factors.iter().all(has_alternative)
        };
        demand.0.iter().any(holds)
    }
}
