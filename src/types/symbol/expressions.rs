//! The expressions of one model, each of them once.

use super::demand::Demands;
use super::sum::{Product, Sum, TERMS, added, gcd};
use super::{Operand, Symbol};
use smallvec::{SmallVec, smallvec};
use std::collections::HashMap;
use std::hash::Hash;

/// Factors of a product at most.
const FACTORS: usize = 8;

/// Lengths and functions in the text of an expression at most, which bounds how deep they are nested too; a larger one gets
/// no symbol.
const SIZE: u32 = 96;

/// Numbers that are joined.
type Parts = SmallVec<[Symbol; 8]>;

/// The place of numbers of distances, from which those of layers are taken.
const COUNTS: u32 = u32::MAX;

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

impl Length {
    /// Whether it is a number of distances, not a dimension.
    pub(crate) fn is_count(self) -> bool {
        self.layer > COUNTS / 2
    }
}

/// What has no simpler form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Atom {
    /// A dimension of an input or of a state, with its bounds.
    Input(Length, (i64, i64)),
    /// A length that follows from neither.
    Unknown(Length),
    /// A number divided by another, rounded down; the divisor is no less than 0, and 0 divides like 1.
    Quotient(Symbol, Symbol),
    /// The smaller of two numbers.
    Least(Symbol, Symbol),
    /// The larger of two numbers.
    Greatest(Symbol, Symbol),
    /// The length in which two lengths meet that are equal unless one is 1.
    Broadcast(Symbol, Symbol),
}

impl Atom {
    /// The dimension of an input or of a state, if it is one.
    pub(crate) fn input(self) -> Option<Length> {
        if let Self::Input(length, _) = self { Some(length) } else { None }
    }
}

/// All expressions of a model.
#[derive(Debug, Clone)]
pub(crate) struct Expressions {
    atoms: Interned<Atom>,
    /// The first one is never used: it stands for no symbol.
    sums: Interned<Sum>,
    /// How many lengths and functions the text of every atom holds.
    sizes: Vec<u32>,
    /// The atoms of dimensions of inputs.
    inputs: HashMap<Length, u32>,
    /// What the layer at work demands of them.
    pub(super) demands: Demands,
}

/// Things by their numbers, each of them once.
#[derive(Debug, Clone)]
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
        Self { atoms: Interned::new(), sums, sizes: Vec::new(), inputs: HashMap::new(), demands: Demands::default() }
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

    /// The terms of an expression: factors and a coefficient.
    pub(crate) fn terms(&self, symbol: Symbol) -> Option<impl Iterator<Item = (SmallVec<[Atom; 4]>, i64)>> {
        let factors = |product: &Product| product.iter().filter_map(|atom| self.atom_at(*atom)).collect();
        Some(self.sum(symbol)?.iter().map(move |(product, times)| (factors(product), *times)))
    }

    /// Every dimension of an input or a state that has a symbol.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = (Length, (i64, i64))> {
        self.atoms.all.iter().filter_map(|atom| match atom {
            Atom::Input(length, bounds) => Some((*length, *bounds)),
            _ => None,
        })
    }

    /// The symbol of a dimension of an input.
    pub(crate) fn input(&self, length: Length) -> Option<Symbol> {
        let atom = *self.inputs.get(&length)?;
        let sum: Sum = smallvec![(smallvec![atom], 1)];
        self.sums.numbers.get(&sum).copied().map(Symbol)
    }

    /// The lengths that a dimension of an input may have.
    pub(crate) fn range(&self, length: Length) -> (i64, i64) {
        match self.input_atom(length) {
            Some(Atom::Input(_, range)) => range,
            _ => (0, i64::MAX),
        }
    }

    /// The atom of a dimension of an input.
    pub(crate) fn input_atom(&self, length: Length) -> Option<Atom> {
        self.atom_at(*self.inputs.get(&length)?)
    }

    /// What dimensions of inputs are replaced by where all of them are 1 or more.
    pub(crate) fn present(&mut self) -> HashMap<Atom, Symbol> {
        let inputs: Vec<(Length, (i64, i64))> = self.inputs().filter(|(_, (lower, _))| *lower < 1).collect();
        let present = |(length, (lower, upper)): (Length, (i64, i64))| {
            Some((Atom::Input(length, (lower, upper)), self.bounded(length, (1, upper.max(1)))?))
        };
        inputs.into_iter().filter_map(present).collect()
    }

    /// A dimension of an input that lies within bounds.
    pub(crate) fn bounded(&mut self, length: Length, bounds: (i64, i64)) -> Option<Symbol> {
        self.atom(Atom::Input(length, bounds))
    }

    /// A dimension of an input that is `first`, or more by a multiple of `distance`.
    pub(crate) fn spaced(&mut self, length: Length, first: i64, distance: i64) -> Option<Symbol> {
        // A name of its own for the number of distances.
        let count = Length { layer: COUNTS - length.layer, ..length };
        let count = self.bounded(count, (0, i64::MAX))?;
        let (first, distance) = (self.number(first)?, self.number(distance)?);
        let way = self.times(distance, count)?;
        self.plus(first, way)
    }

    /// The symbol of an atom.
    pub(super) fn atom(&mut self, atom: Atom) -> Option<Symbol> {
        let size = match atom {
            Atom::Input(..) | Atom::Unknown(_) => 1,
            Atom::Quotient(a, b) | Atom::Least(a, b) | Atom::Greatest(a, b) => {
                self.size(a).saturating_add(self.size(b)).saturating_add(1)
            }
            // The lengths that meet are written twice, those that met before too.
            Atom::Broadcast(a, b) => {
                let parts = self.parts([a, b], Atom::Broadcast);
                parts.iter().fold(1_u32, |all, part| all.saturating_add(self.size(*part).saturating_mul(2)))
            }
        };
        if size > SIZE {
            return None;
        }
        let number = self.atoms.number(atom)?;
        if self.sizes.len() < self.atoms.all.len() {
            self.sizes.push(size);
            if let Atom::Input(length, _) = atom {
                self.inputs.insert(length, number);
            }
        }
        self.symbol(smallvec![(smallvec![number], 1)])
    }

    /// How many lengths and functions the text of an expression holds.
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

    pub(super) fn number(&mut self, number: i64) -> Option<Symbol> {
        self.symbol(if number == 0 { Sum::new() } else { smallvec![(Product::new(), number)] })
    }

    pub(super) fn symbol(&mut self, sum: Sum) -> Option<Symbol> {
        if sum.len() > TERMS || sum.iter().any(|(product, _)| product.len() > FACTORS) {
            return None;
        }
        self.sums.number(sum).map(Symbol)
    }

    /// The number that an expression is, if it is one.
    pub(crate) fn known(&self, symbol: Symbol) -> Option<i64> {
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

    /// Drops the factors `min(1, x)` that change nothing: beside what is 0 where `x` is, and beside another like it.
    fn without_presence(&self, product: &mut Product) {
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

    /// Whether an atom is 0 wherever `length` is.
    fn vanishes(&self, atom: u32, length: u32) -> bool {
        let does = |symbol| {
            let terms = self.sum(symbol).into_iter().flatten();
            terms.into_iter().all(|(product, _)| product.iter().any(|factor| self.vanishes(*factor, length)))
        };
        atom == length
            || match self.atom_at(atom) {
                Some(Atom::Quotient(a, _)) => does(a),
                Some(Atom::Broadcast(a, b)) => does(a) || does(b),
                Some(Atom::Least(a, b)) => self.is_length(atom) && (does(a) || does(b)),
                Some(Atom::Greatest(a, b)) => does(a) && does(b),
                _ => false,
            }
    }

    /// Whether an atom is never below 0.
    fn is_length(&self, atom: u32) -> bool {
        self.atom_at(atom).is_some_and(|atom| self.atom_bounds(atom).0 >= 0)
    }

    /// The atom `x` if an atom is `min(1, x)`.
    fn presence_of(&self, atom: u32) -> Option<u32> {
        let Some(Atom::Least(a, b)) = self.atom_at(atom) else { return None };
        let of = if self.known(a) == Some(1) { b } else { a };
        match self.sum(of).filter(|_| self.known(a) == Some(1) || self.known(b) == Some(1))?.as_slice() {
            [(product, 1)] if product.len() == 1 => product.first().copied().filter(|atom| self.is_length(*atom)),
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
        let factors = |sum: &Sum| match sum.as_slice() {
            [(product, 1..)] if product.iter().all(|factor| self.is_length(*factor)) => Some(product.clone()),
            _ => None,
        };
        let Some(mut factors) = factors(self.sum(a)?) else { return self.joined(one, a, Atom::Least) };
        // A product is 0 if one of its factors is, and so is the least of lengths.
        factors.dedup();
        factors.into_iter().try_fold(one, |all, factor| {
            let has_any = match self.atom_at(factor) {
                Some(Atom::Broadcast(a, b) | Atom::Least(a, b)) => {
                    let (a, b) = (self.is_positive(a)?, self.is_positive(b)?);
                    self.times(a, b)
                }
                Some(atom) if self.atom_bounds(atom).0 > 0 => Some(one),
                _ => {
                    let factor = self.symbol(smallvec![(smallvec![factor], 1)])?;
                    self.joined(one, factor, Atom::Least)
                }
            };
            self.times(all, has_any?)
        })
    }

    pub(super) fn least(&mut self, a: Symbol, b: Symbol) -> Option<Symbol> {
        match self.order(a, b) {
            Some(true) => Some(a),
            Some(false) => Some(b),
            None if self.known(a) == Some(1) && self.bounds(b).0 >= 0 => self.is_positive(b),
            None if self.known(b) == Some(1) && self.bounds(a).0 >= 0 => self.is_positive(a),
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
        let mut parts = self.parts([a, b], join);
        if join(a, b) == Atom::Broadcast(a, b) {
            let all = parts.clone();
            parts.retain(|part| !self.gives_way(*part, &all));
        }
        let times = if join(a, b) == Atom::Broadcast(a, b) { 1 } else { self.common_factor(&parts) };
        let number = self.number(times)?;
        if times > 1 {
            parts = parts.into_iter().map(|part| self.divided(part, number)).collect::<Option<_>>()?;
        }
        let mut parts = parts.into_iter();
        let first = parts.next()?;
        let all = parts.try_fold(first, |all, part| self.atom(join(all, part)))?;
        self.times(all, number)
    }

    /// The largest number by which all numbers divide; 1 if they are all 0.
    fn common_factor(&self, all: &[Symbol]) -> i64 {
        let terms = all.iter().filter_map(|one| self.sum(*one)).flatten();
        terms.fold(0, |common, (_, times)| gcd(times.saturating_abs(), common)).max(1)
    }

    /// Whether a length is 1 or equal wherever it meets one of `others`.
    fn gives_way(&mut self, length: Symbol, others: &[Symbol]) -> bool {
        // It is the smaller of the other and of numbers above 0.
        if let Some(Atom::Least(a, b)) = self.atom_of(length) {
            let parts = self.parts([a, b], Atom::Least);
            let is_other = |part: &Symbol| others.contains(part);
            return parts.iter().any(is_other) && parts.iter().all(|part| is_other(part) || self.bounds(*part).0 > 0);
        }
        // It is 1 where the other is 0.
        let is_1_beside_0 = |all: &mut Self, other| {
            let (one, more) = (all.number(1)?, all.minus(length, other)?);
            let has_any = all.minus(one, more).filter(|has_any| all.bounds(*has_any) == (0, 1))?;
            Some(all.times(other, has_any)? == other)
        };
        others.iter().any(|other| is_1_beside_0(self, *other) == Some(true))
    }

    /// The numbers that two join in the same way, each of them once and in order.
    pub(super) fn parts(&self, two: [Symbol; 2], join: fn(Symbol, Symbol) -> Atom) -> Parts {
        let (mut parts, mut open) = (Parts::new(), Parts::from_slice(&two));
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
        parts
    }

    /// The atom that an expression is, if it is one.
    pub(super) fn atom_of(&self, symbol: Symbol) -> Option<Atom> {
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
            Atom::Quotient(a, b) | Atom::Least(a, b) | Atom::Greatest(a, b) | Atom::Broadcast(a, b) => {
                self.is_unknown(a) || self.is_unknown(b)
            }
        })
    }
}
