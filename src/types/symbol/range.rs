//! The bounds of expressions, and their values for given dimensions.

use super::Symbol;
use super::demand::{Demand, Test};
use super::expressions::{Atom, Expressions, Length};
use super::sum::Product;
use crate::types::interval::floor_div;

impl Expressions {
    /// The smallest and the largest value of an expression; ends far beyond 64 bits (`1 << 70` for a length) mean unbounded.
    pub(crate) fn bounds(&self, symbol: Symbol) -> (i128, i128) {
        const FAR: i128 = 1 << 100;
        let Some(sum) = self.sum(symbol) else { return (-i128::MAX, i128::MAX) };
        let product = |factors: &Product| {
            let bounds = factors.iter().map(|atom| self.info_of(*atom).map_or((-FAR, FAR), |known| known.bounds));
            let times = |(lower, upper): (i128, i128), (least, most): (i128, i128)| {
                let (a, b) = (lower.saturating_mul(least), lower.saturating_mul(most));
                let (c, d) = (upper.saturating_mul(least), upper.saturating_mul(most));
                (a.min(b).min(c).min(d), a.max(b).max(c).max(d))
            };
            bounds.reduce(times).unwrap_or((1, 1))
        };
        let (mut lower, mut upper) = (0_i128, 0_i128);
        for (factors, times) in sum {
            let (least, most) = product(factors);
            let (one, other) = (least.saturating_mul((*times).into()), most.saturating_mul((*times).into()));
            lower = lower.saturating_add(one.min(other));
            upper = upper.saturating_add(one.max(other));
        }
        (lower, upper)
    }

    /// The smallest and the largest value of an atom.
    pub(super) fn bounds_of(&self, atom: Atom) -> (i128, i128) {
        const FAR: i128 = 1 << 70;
        match atom {
            Atom::Input(_, (lower, upper)) => (lower.into(), if upper == i64::MAX { FAR } else { upper.into() }),
            Atom::Unknown(_) => (0, FAR),
            Atom::FloorDiv(inner, by) => {
                let ((lower, upper), (least, most)) = (self.bounds(inner), self.bounds(by));
                let by = |end: i128| [least, most].map(|by| floor_div(end, by.max(1)));
                let ([a, b], [c, d]) = (by(lower), by(upper));
                (a.min(b), c.max(d))
            }
            Atom::Min(a, b) => {
                let (a, b) = (self.bounds(a), self.bounds(b));
                (a.0.min(b.0), a.1.min(b.1))
            }
            Atom::Max(a, b) => {
                let (a, b) = (self.bounds(a), self.bounds(b));
                (a.0.max(b.0), a.1.max(b.1))
            }
            Atom::Broadcast(a, b) => {
                let (a, b) = (self.bounds(a), self.bounds(b));
                (a.0.min(b.0), a.1.max(b.1))
            }
        }
    }

    /// Evaluates an expression for the given lengths; `None` beyond 64 bits, without a length, or if lengths do not broadcast.
    pub(crate) fn evaluate(&self, symbol: Symbol, length: &dyn Fn(Length) -> Option<i64>) -> Option<i64> {
        let mut total = 0_i64;
        for (product, times) in self.sum(symbol)? {
            let factors = product.iter().map(|atom| self.evaluate_atom(self.atom_at(*atom)?, length));
            let product = factors.into_iter().try_fold(*times, |product, factor| product.checked_mul(factor?))?;
            total = total.checked_add(product)?;
        }
        Some(total)
    }

    /// Evaluates a demand for the given lengths; `None` if one of its expressions has no value.
    pub(crate) fn holds(&self, demand: &Demand, length: &dyn Fn(Length) -> Option<i64>) -> Option<bool> {
        let mut holds = false;
        for test in &demand.0 {
            let (Test::Zero(symbol) | Test::NotNegative(symbol) | Test::Multiple(symbol, _)) = *test;
            holds |= self.is_met(*test, self.evaluate(symbol, length)?, length)?;
        }
        Some(holds)
    }

    /// Whether a test is met where its first expression has this value.
    pub(crate) fn is_met(&self, test: Test, value: i64, length: &dyn Fn(Length) -> Option<i64>) -> Option<bool> {
        Some(match test {
            Test::Zero(_) => value == 0,
            Test::NotNegative(_) => value >= 0,
            Test::Multiple(_, by) => match self.evaluate(by, length)? {
                0 => value == 0,
                by => value.checked_rem(by)? == 0,
            },
        })
    }

    fn evaluate_atom(&self, atom: Atom, length: &dyn Fn(Length) -> Option<i64>) -> Option<i64> {
        let of = |symbol| self.evaluate(symbol, length);
        match atom {
            Atom::Input(index, _) | Atom::Unknown(index) => length(index),
            Atom::FloorDiv(inner, by) => of(inner)?.checked_div_euclid(of(by)?.max(1)),
            Atom::Min(a, b) => Some(of(a)?.min(of(b)?)),
            Atom::Max(a, b) => Some(of(a)?.max(of(b)?)),
            Atom::Broadcast(a, b) => match (of(a)?, of(b)?) {
                (1, other) => Some(other),
                (one, 1) => Some(one),
                (one, other) => (one == other).then_some(one),
            },
        }
    }
}
