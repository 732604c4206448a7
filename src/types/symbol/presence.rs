//! Presence factors `min(1, x)`: 0 if the length `x` is 0, else 1. They appear where an empty tensor changes a result.

use super::Symbol;
use super::demand::{Demand, Test};
use super::expressions::{Atom, Expressions};
use super::sum::{Product, Sum, added};
use smallvec::{SmallVec, smallvec};

impl Expressions {
    /// Drops redundant factors `min(1, x)`: repeated ones, and those beside another factor that is 0 whenever `x` is 0.
    pub(super) fn without_presence(&self, product: &mut Product) {
        let all = product.clone();
        let mut before = None;
        product.retain(|atom| {
            // Factors are sorted, so equal ones are neighbours.
            let is_repeated = before.replace(*atom) == Some(*atom);
            match self.length_of_presence(*atom) {
                Some(_) if is_repeated => false,
                Some(length) => !all.iter().any(|other| other != atom && self.is_zero_with(*other, length)),
                None => true,
            }
        });
    }

    /// Whether an atom is known to be 0 whenever `length` is 0.
    fn is_zero_with(&self, atom: u32, length: u32) -> bool {
        let sum_is_zero = |symbol| {
            let terms = self.sum(symbol).into_iter().flatten();
            terms.into_iter().all(|(product, _)| product.iter().any(|factor| self.is_zero_with(*factor, length)))
        };
        atom == length
            || match self.atom_at(atom) {
                Some(Atom::FloorDiv(a, _)) => sum_is_zero(a),
                Some(Atom::Broadcast(a, b)) => sum_is_zero(a) || sum_is_zero(b),
                Some(Atom::Min(a, b)) => self.is_nonnegative(atom) && (sum_is_zero(a) || sum_is_zero(b)),
                Some(Atom::Max(a, b)) => sum_is_zero(a) && sum_is_zero(b),
                _ => false,
            }
    }

    /// Whether an atom is never below 0.
    fn is_nonnegative(&self, atom: u32) -> bool {
        self.info_of(atom).is_some_and(|known| known.bounds.0 >= 0)
    }

    /// The atom `x` if an atom is `min(1, x)` and `x` is never below 0.
    fn length_of_presence(&self, atom: u32) -> Option<u32> {
        let Some(Atom::Min(a, b)) = self.atom_at(atom) else { return None };
        let operand = if self.known(a) == Some(1) { b } else { a };
        match self.sum(operand).filter(|_| self.known(a) == Some(1) || self.known(b) == Some(1))?.as_slice() {
            [(product, 1)] if product.len() == 1 => product.first().copied().filter(|atom| self.is_nonnegative(*atom)),
            _ => None,
        }
    }

    /// The sum with every `min(1, x)` replaced by 1, its value if no length is 0.
    pub(super) fn where_present(&self, sum: &Sum) -> Option<Sum> {
        let mut all = Sum::new();
        for (product, times) in sum {
            let mut product = product.clone();
            product.retain(|atom| self.length_of_presence(*atom).is_none());
            all = added(&all, &[(product, *times)], 1)?;
        }
        Some(all)
    }

    /// The expression `min(1, a)` for `a` of 0 or more, simplified.
    pub(super) fn presence(&mut self, a: Symbol) -> Option<Symbol> {
        let one = self.number(1)?;
        let factors_of = |sum: &Sum| match sum.as_slice() {
            [(product, 1..)] if product.iter().all(|factor| self.is_nonnegative(*factor)) => Some(product.clone()),
            _ => None,
        };
        let Some(mut factors) = factors_of(self.sum(a)?) else { return self.joined(one, a, Atom::Min) };
        // A product is 0 if one of its factors is, and so is the minimum or the broadcast of lengths.
        factors.dedup();
        factors.into_iter().try_fold(one, |all, factor| {
            let factor_presence = match self.atom_at(factor) {
                Some(Atom::Broadcast(a, b) | Atom::Min(a, b)) => {
                    let (a, b) = (self.presence(a)?, self.presence(b)?);
                    self.times(a, b)
                }
                _ if self.info_of(factor).is_some_and(|known| known.bounds.0 > 0) => Some(one),
                _ => {
                    let factor = self.symbol(smallvec![(smallvec![factor], 1)])?;
                    self.joined(one, factor, Atom::Min)
                }
            };
            self.times(all, factor_presence?)
        })
    }

    /// Whether a clause is a tautology of presence factors, such as `min(a, 1)*min(b, 1) = 1 or a = 0 or b = 0`.
    pub(crate) fn is_about_presence(&self, demand: &Demand) -> bool {
        let holds = |test: &Test| {
            let Test::Zero(zero) = *test else { return false };
            let Some([(constant, -1), (factors, 1)] | [(constant, 1), (factors, -1)]) =
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
                let atom = self.length_of_presence(*factor);
                atom.is_some_and(|atom| demand.0.iter().any(|test| is_0(atom, test)))
            };
            constant.is_empty() && factors.iter().all(has_alternative)
        };
        demand.0.iter().any(holds)
    }
}
