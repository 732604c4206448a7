//! The expressions of one model, each of them once.

use super::{Operand, Symbol};
use crate::types::interval::floor_quotient;
use smallvec::{SmallVec, smallvec};
use std::collections::HashMap;
use std::hash::Hash;

/// Terms of a sum at most; a larger one gets no symbol.
const TERMS: usize = 12;

/// Factors of a product at most.
const FACTORS: usize = 8;

/// Lengths that the text of an expression names at most; a larger one gets no symbol.
const NAMED: u32 = 64;

/// Expressions of a model at most.
const MOST: usize = 1 << 20;

/// A dimension that the user chooses, or that data decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Length {
    /// The layer, by its place in the graph.
    pub(crate) layer: u32,
    /// Its output.
    pub(crate) output: u32,
    /// The dimension of that.
    pub(crate) axis: u32,
}

/// What has no simpler form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Atom {
    /// A dimension of an input or of a state, with its bounds.
    Input(Length, (i64, i64)),
    /// A length that follows from neither.
    Unknown(Length),
    /// A number divided by a positive one, rounded down.
    Quotient(Symbol, i64),
    /// The smaller of two numbers.
    Least(Symbol, Symbol),
    /// The larger of two numbers.
    Greatest(Symbol, Symbol),
    /// The length in which two lengths meet that are equal unless one is 1.
    Broadcast(Symbol, Symbol),
}

/// Factors, in order, as often as they occur.
pub(super) type Product = SmallVec<[u32; 4]>;

/// Products and their coefficients, in order; the product of nothing is 1.
pub(super) type Sum = SmallVec<[(Product, i64); 2]>;

/// All expressions of a model.
#[derive(Debug)]
pub(crate) struct Expressions {
    atoms: Interned<Atom>,
    /// The first one is never used: it stands for no symbol.
    sums: Interned<Sum>,
    /// How many lengths the text of every atom names.
    sizes: Vec<u32>,
}

/// Things by their numbers, each of them once.
#[derive(Debug)]
struct Interned<T> {
    all: Vec<T>,
    numbers: HashMap<T, u32, foldhash::fast::FixedState>,
}

impl<T: Clone + Eq + Hash> Interned<T> {
    fn new() -> Self {
        Self { all: Vec::new(), numbers: HashMap::default() }
    }

    fn number(&mut self, one: T) -> Option<u32> {
        if let Some(known) = self.numbers.get(&one) {
            return Some(*known);
        }
        let number = u32::try_from(self.all.len()).ok().filter(|_| self.all.len() < MOST)?;
        self.all.push(one.clone());
        self.numbers.insert(one, number);
        Some(number)
    }
}

impl Default for Expressions {
    fn default() -> Self {
        let mut sums = Interned::new();
        let nothing: Product = smallvec![u32::MAX];
        sums.number(smallvec![(nothing, 1)]);
        Self { atoms: Interned::new(), sums, sizes: Vec::new() }
    }
}

impl Expressions {
    /// The atom of that number.
    pub(super) fn atom_at(&self, number: u32) -> Option<Atom> {
        self.atoms.all.get(number as usize).copied()
    }

    /// The sum that a symbol stands for.
    pub(super) fn sum(&self, symbol: Symbol) -> Option<&Sum> {
        self.sums.all.get(symbol.0 as usize).filter(|_| !symbol.is_none())
    }

    /// Every dimension of an input or a state that has a symbol.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = (Length, (i64, i64))> {
        self.atoms.all.iter().filter_map(|atom| match atom {
            Atom::Input(length, bounds) => Some((*length, *bounds)),
            _ => None,
        })
    }

    /// The symbol of an atom.
    pub(super) fn atom(&mut self, atom: Atom) -> Option<Symbol> {
        let size = match atom {
            Atom::Input(..) | Atom::Unknown(_) => 1,
            Atom::Quotient(inner, _) => self.size(inner),
            Atom::Least(a, b) | Atom::Greatest(a, b) => self.size(a).saturating_add(self.size(b)),
            Atom::Broadcast(a, b) => self.size(a).saturating_add(self.size(b)).saturating_mul(2),
        };
        if size > NAMED {
            return None;
        }
        let number = self.atoms.number(atom)?;
        if self.sizes.len() < self.atoms.all.len() {
            self.sizes.push(size);
        }
        self.symbol(smallvec![(smallvec![number], 1)])
    }

    /// How many lengths the text of an expression names.
    fn size(&self, symbol: Symbol) -> u32 {
        let atoms = self.sum(symbol).into_iter().flatten().flat_map(|(product, _)| product);
        atoms.filter_map(|atom| self.sizes.get(*atom as usize)).fold(0, |all, size| all.saturating_add(*size))
    }

    /// The symbol of a number.
    pub(super) fn operand(&mut self, operand: Operand) -> Option<Symbol> {
        match operand {
            Operand::Unknown => None,
            Operand::Known(number) => self.number(number),
            Operand::Of(symbol) => Some(symbol),
        }
    }

    fn number(&mut self, number: i64) -> Option<Symbol> {
        self.symbol(if number == 0 { Sum::new() } else { smallvec![(Product::new(), number)] })
    }

    fn symbol(&mut self, sum: Sum) -> Option<Symbol> {
        if sum.len() > TERMS || sum.iter().any(|(product, _)| product.len() > FACTORS) {
            return None;
        }
        self.sums.number(sum).map(Symbol)
    }

    /// The number that an expression is, if it is one.
    pub(super) fn known(&self, symbol: Symbol) -> Option<i64> {
        match self.sum(symbol)?.as_slice() {
            [] => Some(0),
            [(product, number)] if product.is_empty() => Some(*number),
            _ => None,
        }
    }

    pub(super) fn plus(&mut self, a: Symbol, b: Symbol) -> Option<Symbol> {
        let sum = added(self.sum(a)?, self.sum(b)?, 1)?;
        self.symbol(sum)
    }

    pub(super) fn minus(&mut self, a: Symbol, b: Symbol) -> Option<Symbol> {
        let sum = added(self.sum(a)?, self.sum(b)?, -1)?;
        self.symbol(sum)
    }

    pub(super) fn times(&mut self, a: Symbol, b: Symbol) -> Option<Symbol> {
        let (a, b) = (self.sum(a)?, self.sum(b)?);
        let mut all = Sum::new();
        for (one, by) in a {
            for (other, times) in b {
                let mut product: Product = one.iter().chain(other).copied().collect();
                product.sort_unstable();
                self.without_presence(&mut product);
                all = added(&all, &[(product, by.checked_mul(*times)?)], 1)?;
            }
        }
        self.symbol(all)
    }

    /// Drops the factors `min(1, x)` that change nothing: beside `x`, and beside another like it.
    fn without_presence(&self, product: &mut Product) {
        let all = product.clone();
        let mut before = None;
        product.retain(|atom| {
            let is_repeated = before.replace(*atom) == Some(*atom);
            match self.presence_of(*atom) {
                Some(_) if is_repeated => false,
                Some(of) => !all.contains(&of),
                None => true,
            }
        });
    }

    /// The atom `x` if an atom is `min(1, x)`.
    fn presence_of(&self, atom: u32) -> Option<u32> {
        let Some(Atom::Least(a, b)) = self.atom_at(atom) else { return None };
        let of = if self.known(a) == Some(1) { b } else { a };
        match self.sum(of).filter(|_| self.known(a) == Some(1) || self.known(b) == Some(1))?.as_slice() {
            [(product, 1)] if product.len() == 1 => product.first().copied(),
            _ => None,
        }
    }

    /// The sum that is the same where no length is 0.
    pub(super) fn where_present(&self, sum: &Sum) -> Sum {
        let mut all = Sum::new();
        for (product, times) in sum {
            let mut product = product.clone();
            product.retain(|atom| self.presence_of(*atom).is_none());
            all = added(&all, &[(product, *times)], 1).unwrap_or(all);
        }
        all
    }

    /// `min(1, a)` for a number that is no less than 0: 0 if it is 0, and 1 otherwise.
    pub(super) fn is_positive(&mut self, a: Symbol) -> Option<Symbol> {
        let one = self.number(1)?;
        let [(product, 1..)] = self.sum(a)?.as_slice() else { return self.least(one, a) };
        // A product is 0 if one of its factors is.
        let mut factors = product.clone();
        factors.dedup();
        factors.into_iter().try_fold(one, |all, factor| {
            let factor = self.symbol(smallvec![(smallvec![factor], 1)])?;
            let factor = self.least(one, factor)?;
            self.times(all, factor)
        })
    }

    /// `a / b`, rounded down, where `b` is not 0.
    pub(super) fn divided(&mut self, a: Symbol, b: Symbol) -> Option<Symbol> {
        if let Some(exact) = self.exact_quotient(a, b) {
            return self.symbol(exact);
        }
        let by = self.known(b).filter(|by| *by > 0)?;
        let sum = self.sum(a)?;
        let mut whole: Sum = sum.iter().map(|(product, times)| (product.clone(), times.div_euclid(by))).collect();
        whole.retain(|(_, times)| *times != 0);
        let mut left: Sum = sum.iter().map(|(product, times)| (product.clone(), times.rem_euclid(by))).collect();
        left.retain(|(_, times)| *times != 0);
        let whole = self.symbol(whole)?;
        let (more, quotient, is_taken) = self.quotient(left, by)?;
        let whole = self.plus(whole, more)?;
        if is_taken { self.minus(whole, quotient) } else { self.plus(whole, quotient) }
    }

    /// A sum with coefficients in `0..by`, divided by it and rounded down: an expression, and a quotient that is added to it
    /// or, if so marked, taken from it.
    fn quotient(&mut self, mut sum: Sum, by: i64) -> Option<(Symbol, Symbol, bool)> {
        let of_products = |sum: &Sum| sum.iter().filter(|(product, _)| !product.is_empty()).cloned().collect::<Sum>();
        let common = of_products(&sum).iter().fold(by, |common, (_, times)| gcd(common, *times));
        sum.iter_mut().for_each(|(_, times)| *times /= common);
        sum.retain(|(_, times)| *times != 0);
        let by = by / common;
        let nothing = self.number(0)?;
        let products = of_products(&sum);
        let Some((_, first)) = products.first().filter(|_| by > 1) else {
            let whole = if by > 1 { nothing } else { self.symbol(sum)? };
            return Some((whole, nothing, false));
        };
        let added = constant(&sum).unwrap_or(0);
        // y // n = -((n - 1 - y) // n): of the two, the one of smaller coefficients.
        if (2 * i128::from(*first), added) <= (by.into(), (by - 1) / 2) || 2 * i128::from(*first) < by.into() {
            return Some((nothing, self.rounded_down(sum, by)?, false));
        }
        let more: Sum = products.iter().map(|(product, _)| (product.clone(), 1)).collect();
        let mut turned: Sum = products.into_iter().map(|(product, times)| (product, by - times)).collect();
        if by - 1 > added {
            turned.insert(0, (Product::new(), by - 1 - added));
        }
        Some((self.symbol(more)?, self.rounded_down(turned, by)?, true))
    }

    /// `sum // by` where that has no simpler form but for what the terms are.
    fn rounded_down(&mut self, sum: Sum, by: i64) -> Option<Symbol> {
        // (a // b + c) // d = (a + b*c) // (b*d)
        if let [(product, 1)] | [_, (product, 1)] = sum.as_slice()
            && let [atom] = product.as_slice()
            && let Some(Atom::Quotient(inner, divisor)) = self.atom_at(*atom)
            && let Some(number) = if sum.len() == 1 { Some(0) } else { constant(&sum) }
        {
            let number = self.number(number.checked_mul(divisor)?)?;
            let inner = self.plus(inner, number)?;
            let by = self.number(by.checked_mul(divisor)?)?;
            return self.divided(inner, by);
        }
        let symbol = self.symbol(sum)?;
        if let (0.., upper) = self.bounds(symbol)
            && upper < i128::from(by)
        {
            return self.number(0);
        }
        self.atom(Atom::Quotient(symbol, by))
    }

    /// The sum that gives `a` when it is multiplied by the product `b`.
    fn exact_quotient(&self, a: Symbol, b: Symbol) -> Option<Sum> {
        let (a, b) = (self.sum(a)?, self.sum(b)?);
        let [(divisor, by)] = b.as_slice() else {
            return (a == b).then(|| smallvec![(Product::new(), 1)]).or_else(|| long_division(a, b));
        };
        a.iter().map(|term| term_quotient(term, &(divisor.clone(), *by))).collect::<Option<Sum>>().map(sorted)
    }

    pub(super) fn least(&mut self, a: Symbol, b: Symbol) -> Option<Symbol> {
        match self.order(a, b) {
            Some(true) => Some(a),
            Some(false) => Some(b),
            None => self.joined(a, b, Atom::Least),
        }
    }

    pub(super) fn greatest(&mut self, a: Symbol, b: Symbol) -> Option<Symbol> {
        match self.order(a, b) {
            Some(true) => Some(b),
            Some(false) => Some(a),
            None => self.joined(a, b, Atom::Greatest),
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
        // A length that cannot be 1 is what they meet in.
        let is_never_1 = |symbol| matches!(self.bounds(symbol), (2.., _) | (_, ..=0));
        match (is_never_1(a), is_never_1(b)) {
            (true, true) => Some(self.simpler(a, b)),
            (true, false) => Some(a),
            (false, true) => Some(b),
            (false, false) => self.joined(a, b, Atom::Broadcast),
        }
    }

    /// The atom of all numbers that `a` and `b` join in the same way, each of them once and in order.
    fn joined(&mut self, a: Symbol, b: Symbol, join: fn(Symbol, Symbol) -> Atom) -> Option<Symbol> {
        let (mut parts, mut open) = (SmallVec::<[Symbol; 8]>::new(), smallvec![a, b] as SmallVec<[Symbol; 8]>);
        while let Some(symbol) = open.pop() {
            match self.atom_of(symbol) {
                Some(atom @ (Atom::Least(one, other) | Atom::Greatest(one, other) | Atom::Broadcast(one, other)))
                    if atom == join(one, other) =>
                {
                    open.extend([one, other]);
                }
                _ => parts.push(symbol),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        let mut parts = parts.into_iter();
        let first = parts.next()?;
        parts.try_fold(first, |all, part| self.atom(join(all, part)))
    }

    /// The atom that an expression is, if it is one.
    fn atom_of(&self, symbol: Symbol) -> Option<Atom> {
        match self.sum(symbol)?.as_slice() {
            [(product, 1)] if product.len() == 1 => self.atom_at(*product.first()?),
            _ => None,
        }
    }

    /// Whether `a <= b`, if that holds or fails whatever the lengths are.
    fn order(&mut self, a: Symbol, b: Symbol) -> Option<bool> {
        let distance = self.minus(b, a)?;
        match self.bounds(distance) {
            (0.., _) => Some(true),
            (_, ..=0) => Some(false),
            _ => None,
        }
    }

    /// The simpler of two expressions: of inputs rather than of unknown lengths, of fewer terms, seen first.
    pub(super) fn simpler(&self, a: Symbol, b: Symbol) -> Symbol {
        let weight = |symbol| (self.is_unknown(symbol), self.sum(symbol).map_or(usize::MAX, SmallVec::len), symbol);
        if weight(b) < weight(a) { b } else { a }
    }

    /// Whether a length that follows from no input is part of it.
    pub(crate) fn is_unknown(&self, symbol: Symbol) -> bool {
        let atoms = self.sum(symbol).into_iter().flatten().flat_map(|(product, _)| product);
        atoms.filter_map(|atom| self.atom_at(*atom)).any(|atom| match atom {
            Atom::Input(..) => false,
            Atom::Unknown(_) => true,
            Atom::Quotient(inner, _) => self.is_unknown(inner),
            Atom::Least(a, b) | Atom::Greatest(a, b) | Atom::Broadcast(a, b) => {
                self.is_unknown(a) || self.is_unknown(b)
            }
        })
    }

    /// The smallest and the largest number that an expression can be; `i128::MAX` and its negative are no bounds.
    pub(super) fn bounds(&self, symbol: Symbol) -> (i128, i128) {
        const FAR: i128 = 1 << 100;
        let Some(sum) = self.sum(symbol) else { return (-i128::MAX, i128::MAX) };
        let product = |factors: &Product| {
            factors.iter().fold((1_i128, 1_i128), |(lower, upper), atom| {
                let (least, most) = self.atom_at(*atom).map_or((-FAR, FAR), |atom| self.atom_bounds(atom));
                let ends = [lower, upper].map(|end| [end.saturating_mul(least), end.saturating_mul(most)]);
                let all = ends.into_iter().flatten();
                (all.clone().min().unwrap_or(-FAR), all.max().unwrap_or(FAR))
            })
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

    fn atom_bounds(&self, atom: Atom) -> (i128, i128) {
        const FAR: i128 = 1 << 70;
        match atom {
            Atom::Input(_, (lower, upper)) => (lower.into(), if upper == i64::MAX { FAR } else { upper.into() }),
            Atom::Unknown(_) => (0, FAR),
            Atom::Quotient(inner, by) => {
                let (lower, upper) = self.bounds(inner);
                (floor_quotient(lower, by.into()), floor_quotient(upper, by.into()))
            }
            Atom::Least(a, b) => {
                let (a, b) = (self.bounds(a), self.bounds(b));
                (a.0.min(b.0), a.1.min(b.1))
            }
            Atom::Greatest(a, b) => {
                let (a, b) = (self.bounds(a), self.bounds(b));
                (a.0.max(b.0), a.1.max(b.1))
            }
            Atom::Broadcast(a, b) => {
                let (a, b) = (self.bounds(a), self.bounds(b));
                (a.0.min(b.0), a.1.max(b.1))
            }
        }
    }

    /// The number that an expression is where lengths are as `length` has them; `None` beyond 64 bits or by 0.
    #[cfg(test)]
    pub(crate) fn evaluate(&self, symbol: Symbol, length: &dyn Fn(Length) -> Option<i64>) -> Option<i64> {
        let mut total = 0_i64;
        for (product, times) in self.sum(symbol)? {
            let factors = product.iter().map(|atom| self.evaluate_atom(self.atom_at(*atom)?, length));
            let product = factors.into_iter().try_fold(*times, |product, factor| product.checked_mul(factor?))?;
            total = total.checked_add(product)?;
        }
        Some(total)
    }

    #[cfg(test)]
    fn evaluate_atom(&self, atom: Atom, length: &dyn Fn(Length) -> Option<i64>) -> Option<i64> {
        let of = |symbol| self.evaluate(symbol, length);
        match atom {
            Atom::Input(place, _) | Atom::Unknown(place) => length(place),
            Atom::Quotient(inner, by) => Some(of(inner)?.div_euclid(by)),
            Atom::Least(a, b) => Some(of(a)?.min(of(b)?)),
            Atom::Greatest(a, b) => Some(of(a)?.max(of(b)?)),
            Atom::Broadcast(a, b) => match (of(a)?, of(b)?) {
                (1, other) => Some(other),
                (one, 1) => Some(one),
                (one, other) => (one == other).then_some(one),
            },
        }
    }
}

/// `a + times*b`, without terms of 0.
fn added(a: &[(Product, i64)], b: &[(Product, i64)], times: i64) -> Option<Sum> {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut all = Sum::new();
    loop {
        let next = match (a.peek(), b.peek()) {
            (None, None) => return Some(all),
            (Some((one, _)), Some((other, _))) if one == other => {
                let ((product, n), (_, m)) = (a.next()?, b.next()?);
                (product.clone(), n.checked_add(m.checked_mul(times)?)?)
            }
            (Some((one, _)), Some((other, _))) if one < other => a.next()?.clone(),
            (Some(_), None) => a.next()?.clone(),
            _ => {
                let (product, n) = b.next()?;
                (product.clone(), n.checked_mul(times)?)
            }
        };
        if next.1 != 0 {
            all.push(next);
        }
    }
}

fn sorted(mut sum: Sum) -> Sum {
    sum.sort_unstable();
    sum
}

/// What gives the term `a` when it is multiplied by the term `b`.
fn term_quotient((product, times): &(Product, i64), (divisor, by): &(Product, i64)) -> Option<(Product, i64)> {
    let mut left = product.clone();
    for factor in divisor {
        let place = left.iter().position(|one| one == factor)?;
        left.remove(place);
    }
    (times.checked_rem(*by)? == 0).then(|| (left, times / by))
}

/// The sum that gives `a` when it is multiplied by `b`, if there is one.
fn long_division(a: &Sum, b: &Sum) -> Option<Sum> {
    // Of the highest terms first: the order of products is kept where both are multiplied alike.
    let highest = |sum: &Sum| sum.iter().max_by_key(|(product, _)| (product.len(), product.clone())).cloned();
    let (mut left, lead) = (a.clone(), highest(b)?);
    let mut quotient = Sum::new();
    for _ in 0..TERMS {
        let Some(term) = highest(&left) else { return Some(quotient) };
        let part = term_quotient(&term, &lead)?;
        for (product, times) in b {
            let mut product: Product = product.iter().chain(&part.0).copied().collect();
            product.sort_unstable();
            left = added(&left, &[(product, times.checked_mul(part.1)?)], -1)?;
        }
        quotient = added(&quotient, &[part], 1)?;
    }
    left.is_empty().then_some(quotient)
}

/// The number that is added in a sum.
fn constant(sum: &Sum) -> Option<i64> {
    sum.first().filter(|(product, _)| product.is_empty()).map(|(_, number)| *number)
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.saturating_abs().max(1) } else { gcd(b, a % b) }
}
