//! Canonical forms of floor divisions of expressions, so that equal numbers get the same symbol.

use super::Symbol;
use super::expressions::{Atom, Expressions};
use super::sum::{Product, Sum, constant, gcd, long_division, mapped, sorted, term_quotient};
use smallvec::smallvec;

impl Expressions {
    /// The expression `a // b`, where `b` is not 0.
    pub(super) fn floor_div(&mut self, a: Symbol, b: Symbol) -> Option<Symbol> {
        if let Some(exact) = self.exact_quotient(a, b) {
            return self.symbol(exact);
        }
        let (a, b) = self.reduced(a, b)?;
        let Some(by) = self.known(b) else {
            return if self.bounds(b).0 < 0 { None } else { self.atom(Atom::FloorDiv(a, b)) };
        };
        let sum = self.sum(a).filter(|_| by > 0)?;
        let whole = mapped(sum, |times| times.checked_div_euclid(by))?;
        let left = mapped(sum, |times| times.checked_rem_euclid(by))?;
        let first = left.iter().find(|(product, _)| !product.is_empty()).map(|(product, _)| product);
        let is_first = |(product, times): &(Product, i64)| Some(product) == first && *times < 0;
        let is_negative = sum.iter().any(is_first);
        let whole = self.symbol(whole)?;
        let (more, quotient, is_taken) = self.quotient(&left, by, is_negative)?;
        let whole = self.plus(whole, more)?;
        if is_taken { self.minus(whole, quotient) } else { self.plus(whole, quotient) }
    }

    /// Cancels the common factors of all terms of `a` and `b`, provided that none of these is 0.
    pub(super) fn reduced(&mut self, a: Symbol, b: Symbol) -> Option<(Symbol, Symbol)> {
        let (above, below) = (self.sum(a)?, self.sum(b)?);
        let mut terms = below.iter().chain(above);
        let (mut factors, mut number) =
            terms.next().map(|(product, times)| (product.clone(), times.saturating_abs()))?;
        for (product, times) in terms {
            let mut left = product.clone();
            let mut is_in = |factor: &u32| left.iter().position(|one| one == factor).map(|index| left.remove(index));
            factors.retain(|factor| is_in(factor).is_some());
            number = gcd(number, times.saturating_abs());
        }
        let common = (factors, number);
        let over = |sum: &Sum| sum.iter().map(|term| term_quotient(term, &common)).collect::<Option<Sum>>().map(sorted);
        let (above, below) = (over(above)?, over(below)?);
        Some((self.symbol(above)?, self.symbol(below)?))
    }

    /// Divides a sum with coefficients in `0..by` by `by`, rounded down. Returns an expression and a quotient to add to it or,
    /// if the flag is set, to subtract from it. `is_negative` is the original sign of the first product, which breaks ties.
    fn quotient(&mut self, sum: &Sum, by: i64, is_negative: bool) -> Option<(Symbol, Symbol, bool)> {
        let of_products = |sum: &Sum| sum.iter().filter(|(product, _)| !product.is_empty()).cloned().collect::<Sum>();
        let common = of_products(sum).iter().fold(by, |common, (_, times)| gcd(common, *times));
        let sum = mapped(sum, |times| times.checked_div(common))?;
        let by = by.checked_div(common)?;
        let nothing = self.number(0)?;
        let products = of_products(&sum);
        let Some((_, first)) = products.first().filter(|_| by > 1) else {
            let whole = if by > 1 { nothing } else { self.symbol(sum)? };
            return Some((whole, nothing, false));
        };
        let added = constant(&sum).unwrap_or(0);
        // y // n = -((n - 1 - y) // n). Choose the form with smaller coefficients, and (y + 1) // 2 rather than y - y // 2.
        let distance = by.checked_sub(*first)?;
        if *first < distance || *first == distance && !is_negative {
            return Some((nothing, self.rounded_down(sum, by)?, false));
        }
        let more: Sum = products.iter().map(|(product, _)| (product.clone(), 1)).collect();
        let mut turned = mapped(&products, |times| by.checked_sub(times))?;
        let rest = by.checked_sub(1)?.checked_sub(added)?;
        if rest > 0 {
            turned.insert(0, (Product::new(), rest));
        }
        Some((self.symbol(more)?, self.rounded_down(turned, by)?, true))
    }

    /// The expression `sum // by` for a sum with coefficients below `by`.
    fn rounded_down(&mut self, sum: Sum, by: i64) -> Option<Symbol> {
        // (a // b + c) // d = (a + b*c) // (b*d)
        if let [(product, 1)] | [_, (product, 1)] = sum.as_slice()
            && let [atom] = product.as_slice()
            && let Some(Atom::FloorDiv(inner, divisor)) = self.atom_at(*atom)
            && let Some(divisor) = self.known(divisor)
            && let Some(number) = if sum.len() == 1 { Some(0) } else { constant(&sum) }
        {
            let number = self.number(number.checked_mul(divisor)?)?;
            let inner = self.plus(inner, number)?;
            let by = self.number(by.checked_mul(divisor)?)?;
            return self.floor_div(inner, by);
        }
        let symbol = self.symbol(sum)?;
        if let (0.., upper) = self.bounds(symbol)
            && upper < i128::from(by)
        {
            return self.number(0);
        }
        let by = self.number(by)?;
        self.atom(Atom::FloorDiv(symbol, by))
    }

    /// The exact quotient of `a` by `b` as a symbol.
    pub(super) fn quotient_of(&mut self, a: Symbol, b: Symbol) -> Option<Symbol> {
        let quotient = self.exact_quotient(a, b)?;
        self.symbol(quotient)
    }

    /// Whether `b` divides `a`.
    pub(super) fn has_quotient(&self, a: Symbol, b: Symbol) -> bool {
        self.exact_quotient(a, b).is_some()
    }

    /// The exact quotient of `a` by `b`; `None` if `b` does not divide `a`.
    fn exact_quotient(&self, a: Symbol, b: Symbol) -> Option<Sum> {
        let (a, b) = (self.sum(a)?, self.sum(b)?);
        let [(divisor, by)] = b.as_slice() else {
            return (a == b).then(|| smallvec![(Product::new(), 1)]).or_else(|| long_division(a, b));
        };
        a.iter().map(|term| term_quotient(term, &(divisor.clone(), *by))).collect::<Option<Sum>>().map(sorted)
    }
}
