//! The expressions of one model, each of them once.

use super::demand::{Demands, Outcomes};
use super::sum::{Product, Sum, TERMS, added};
use super::{Operand, Symbol};
use foldhash::fast::FixedState;
use smallvec::{SmallVec, smallvec};
use std::collections::HashMap;
use std::hash::Hash;

/// Factors of a product at most.
const FACTORS: usize = 8;

/// The largest coefficient of a length: times any length of 32 bits it fits 64 bits.
const LARGEST: u64 = 1 << 31;

/// Lengths and functions in the text of an expression at most, which bounds how deep they are nested too; a larger one gets
/// no symbol.
const SIZE: u32 = 96;

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
    /// What is known of every atom.
    known: Vec<Known>,
    /// The atoms of dimensions of inputs.
    inputs: HashMap<Length, u32, FixedState>,
    /// What it takes for two lengths to meet, where that was asked for before.
    pub(super) meetings: HashMap<(Operand, Operand), Option<Outcomes>, FixedState>,
    /// The lengths in which two meet.
    pub(super) met: HashMap<(Symbol, Symbol), Option<Symbol>, FixedState>,
    /// What the layer at work demands of them.
    pub(super) demands: Demands,
    /// Whether facts may be narrower than without symbols.
    pub(super) narrow: bool,
}

/// What is known of an atom.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    /// How many lengths and functions its text holds.
    size: u32,
    /// The smallest and the largest number that it can be.
    pub(super) bounds: (i128, i128),
}

/// Things by their numbers, each of them once.
#[derive(Debug, Clone)]
struct Interned<T> {
    all: Vec<T>,
    numbers: HashMap<T, u32, FixedState>,
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
        Self {
            atoms: Interned::new(),
            sums,
            known: Vec::new(),
            inputs: HashMap::default(),
            meetings: HashMap::default(),
            met: HashMap::default(),
            demands: Demands::default(),
            narrow: false,
        }
    }
}

impl Expressions {
    /// None yet, for facts that may be narrower for them.
    pub(super) fn narrowing() -> Self {
        Self { narrow: true, ..Self::default() }
    }

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
        let count = Length { layer: COUNTS.checked_sub(length.layer)?, ..length };
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
        if self.known.len() < self.atoms.all.len() {
            self.known.push(Known { size, bounds: self.bounds_of(atom) });
            if let Atom::Input(length, _) = atom {
                self.inputs.insert(length, number);
            }
        }
        self.symbol(smallvec![(smallvec![number], 1)])
    }

    /// How many lengths and functions the text of an expression holds.
    fn size(&self, symbol: Symbol) -> u32 {
        let atoms = self.sum(symbol).into_iter().flatten().flat_map(|(product, _)| product);
        atoms.filter_map(|atom| self.known_of(*atom)).fold(0, |all, known| all.saturating_add(known.size))
    }

    /// What is known of the atom of that number.
    pub(super) fn known_of(&self, atom: u32) -> Option<Known> {
        self.known.get(atom as usize).copied()
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

    /// The symbol of a sum. A larger coefficient gives none, as OpenVINO's numbers wrap beyond 64 bits.
    pub(super) fn symbol(&mut self, sum: Sum) -> Option<Symbol> {
        let is_large = |(product, times): &(Product, i64)| {
            let limit = if product.is_empty() { i64::MAX.unsigned_abs() } else { LARGEST };
            product.len() > FACTORS || times.unsigned_abs() > limit
        };
        if sum.len() > TERMS || sum.iter().any(is_large) {
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

    /// Whether an expression that is 0 says that another is 1.
    pub(crate) fn is_one(&self, zero: Symbol) -> bool {
        let Some([(product, added), (_, times)]) = self.sum(zero).map(SmallVec::as_slice) else { return false };
        product.is_empty() && matches!((added, times), (-1, 1) | (1, -1))
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

    /// The atom that an expression is, if it is one.
    pub(super) fn atom_of(&self, symbol: Symbol) -> Option<Atom> {
        match self.sum(symbol)?.as_slice() {
            [(product, 1)] if product.len() == 1 => self.atom_at(*product.first()?),
            _ => None,
        }
    }

    /// The simpler of two expressions: of inputs rather than of unknown lengths, of fewer terms, seen first.
    pub(super) fn simpler(&self, a: Symbol, b: Symbol) -> Symbol {
        let weight = |symbol| (self.is_unknown(symbol), self.sum(symbol).map_or(usize::MAX, SmallVec::len), symbol);
        if weight(b) < weight(a) { b } else { a }
    }
}
