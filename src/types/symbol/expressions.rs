//! The table of the expressions of one model, each stored once (interned).

use super::demand::{Demands, Outcomes};
use super::sum::{MAX_TERMS, Product, Sum, added};
use super::{Operand, Symbol};
use foldhash::fast::FixedState;
use smallvec::{SmallVec, smallvec};
use std::collections::HashMap;
use std::hash::Hash;

/// Maximum number of factors of a product.
const MAX_FACTORS: usize = 8;

/// The largest coefficient of a product: its product with any 32-bit length fits 64 bits.
const MAX_COEFFICIENT: u64 = 1 << 31;

/// Maximum number of lengths and functions in the text of an expression; a larger one gets no symbol. This also bounds the
/// nesting depth.
const MAX_SIZE: u32 = 96;

/// The base of the layer numbers of count variables: those of layer `i` have the number `COUNTS - i`
/// (see [`Expressions::spaced`]).
const COUNTS: u32 = u32::MAX;

/// Maximum number of atoms of a model, and of sums.
const MAX_EXPRESSIONS: usize = 1 << 20;

/// The identity of a dimension variable: an output dimension that the caller or the data determines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Length {
    /// The index of the layer in the graph.
    pub(crate) layer: u32,
    /// The output of the layer.
    pub(crate) output: u32,
    /// The axis of the output.
    pub(crate) axis: u32,
}

impl Length {
    /// Whether this is a count variable of [`Expressions::spaced`] and not a dimension.
    pub(crate) fn is_count(self) -> bool {
        self.layer > COUNTS / 2
    }
}

/// An indivisible factor: a variable, or a function of two expressions that has no simpler form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Atom {
    /// A dimension of an input or of a state, with its bounds.
    Input(Length, (i64, i64)),
    /// A dimension that depends on the data, such as the output of `NonZero`.
    Unknown(Length),
    /// The floor division `a // max(b, 1)`, with `b` 0 or more.
    FloorDiv(Symbol, Symbol),
    /// The smaller of two expressions.
    Min(Symbol, Symbol),
    /// The larger of two expressions.
    Max(Symbol, Symbol),
    /// The broadcast of two lengths.
    Broadcast(Symbol, Symbol),
}

impl Atom {
    /// The variable of an [`Atom::Input`].
    pub(crate) fn input(self) -> Option<Length> {
        if let Self::Input(length, _) = self { Some(length) } else { None }
    }
}

/// All expressions of a model.
#[derive(Debug, Clone)]
pub(crate) struct Expressions {
    atoms: Interned<Atom>,
    /// The sums; the first one is a placeholder, as its index is that of [`Symbol::NONE`].
    sums: Interned<Sum>,
    /// The size and bounds of every atom, in the order of `atoms`.
    infos: Vec<AtomInfo>,
    /// The atoms of the dimensions of inputs and states.
    inputs: HashMap<Length, u32, FixedState>,
    /// A cache of the conditions under which two lengths broadcast.
    pub(super) broadcast_conditions: HashMap<(Operand, Operand), Option<Outcomes>, FixedState>,
    /// A cache of the broadcasts of two lengths.
    pub(super) broadcasts: HashMap<(Symbol, Symbol), Option<Symbol>, FixedState>,
    /// The demands recorded by the current layer.
    pub(super) demands: Demands,
    /// Whether symbols may make facts narrower.
    pub(super) narrow: bool,
}

/// The size and the bounds of an atom.
#[derive(Debug, Clone, Copy)]
pub(super) struct AtomInfo {
    /// The number of lengths and functions in its text.
    size: u32,
    /// The smallest and the largest value that it can have.
    pub(super) bounds: (i128, i128),
}

/// An interner: distinct values and their indices.
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
        let number = u32::try_from(self.all.len()).ok().filter(|_| self.all.len() < MAX_EXPRESSIONS)?;
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
            infos: Vec::new(),
            inputs: HashMap::default(),
            broadcast_conditions: HashMap::default(),
            broadcasts: HashMap::default(),
            demands: Demands::default(),
            narrow: false,
        }
    }
}

impl Expressions {
    /// An empty table whose symbols may make facts narrower.
    pub(super) fn narrowing() -> Self {
        Self { narrow: true, ..Self::default() }
    }

    pub(super) fn atom_at(&self, number: u32) -> Option<Atom> {
        self.atoms.all.get(number as usize).copied()
    }

    pub(super) fn sum(&self, symbol: Symbol) -> Option<&Sum> {
        self.sums.all.get(symbol.0 as usize).filter(|_| !symbol.is_none())
    }

    /// The terms of an expression, each as its factors and its coefficient.
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

    pub(crate) fn input(&self, length: Length) -> Option<Symbol> {
        let atom = *self.inputs.get(&length)?;
        let sum: Sum = smallvec![(smallvec![atom], 1)];
        self.sums.numbers.get(&sum).copied().map(Symbol)
    }

    /// The bounds of a dimension of an input.
    pub(crate) fn range(&self, length: Length) -> (i64, i64) {
        match self.input_atom(length) {
            Some(Atom::Input(_, range)) => range,
            _ => (0, i64::MAX),
        }
    }

    pub(crate) fn input_atom(&self, length: Length) -> Option<Atom> {
        self.atom_at(*self.inputs.get(&length)?)
    }

    /// The replacements of dimensions of inputs that may be 0 by dimensions that are 1 or more.
    pub(crate) fn present(&mut self) -> HashMap<Atom, Symbol> {
        let inputs: Vec<(Length, (i64, i64))> = self.inputs().filter(|(_, (lower, _))| *lower < 1).collect();
        let present = |(length, (lower, upper)): (Length, (i64, i64))| {
            Some((Atom::Input(length, (lower, upper)), self.bounded(length, (1, upper.max(1)))?))
        };
        inputs.into_iter().filter_map(present).collect()
    }

    /// The symbol of a dimension of an input, with other bounds.
    pub(crate) fn bounded(&mut self, length: Length, bounds: (i64, i64)) -> Option<Symbol> {
        self.atom(Atom::Input(length, bounds))
    }

    /// The expression `first + distance*n` for a dimension of an input, where the count `n` is a variable of its own.
    pub(crate) fn spaced(&mut self, length: Length, first: i64, distance: i64) -> Option<Symbol> {
        let count = Length { layer: COUNTS.checked_sub(length.layer)?, ..length };
        let count = self.bounded(count, (0, i64::MAX))?;
        let (first, distance) = (self.number(first)?, self.number(distance)?);
        let way = self.times(distance, count)?;
        self.plus(first, way)
    }

    pub(super) fn atom(&mut self, atom: Atom) -> Option<Symbol> {
        let size = match atom {
            Atom::Input(..) | Atom::Unknown(_) => 1,
            Atom::FloorDiv(a, b) | Atom::Min(a, b) | Atom::Max(a, b) => {
                self.size(a).saturating_add(self.size(b)).saturating_add(1)
            }
            // The text repeats every part: `max(a, b)*min(1, a, b)`.
            Atom::Broadcast(a, b) => {
                let parts = self.parts([a, b], Atom::Broadcast);
                parts.iter().fold(1_u32, |all, part| all.saturating_add(self.size(*part).saturating_mul(2)))
            }
        };
        if size > MAX_SIZE {
            return None;
        }
        let number = self.atoms.number(atom)?;
        if self.infos.len() < self.atoms.all.len() {
            self.infos.push(AtomInfo { size, bounds: self.bounds_of(atom) });
            if let Atom::Input(length, _) = atom {
                self.inputs.insert(length, number);
            }
        }
        self.symbol(smallvec![(smallvec![number], 1)])
    }

    /// The number of lengths and functions in the text of an expression.
    fn size(&self, symbol: Symbol) -> u32 {
        let atoms = self.sum(symbol).into_iter().flatten().flat_map(|(product, _)| product);
        atoms.filter_map(|atom| self.info_of(*atom)).fold(0, |all, known| all.saturating_add(known.size))
    }

    /// The size and bounds of the atom at an index.
    pub(super) fn info_of(&self, atom: u32) -> Option<AtomInfo> {
        self.infos.get(atom as usize).copied()
    }

    pub(super) fn operand(&mut self, operand: Operand) -> Option<Symbol> {
        match operand {
            Operand::Unknown => None,
            Operand::Known(number) => self.number(number),
            Operand::Of(symbol) => Some(symbol),
        }
    }

    pub(crate) fn number(&mut self, number: i64) -> Option<Symbol> {
        self.symbol(if number == 0 { Sum::new() } else { smallvec![(Product::new(), number)] })
    }

    /// The symbol of a sum. A sum with too large a coefficient gets none, as OpenVINO's numbers wrap around beyond 64 bits.
    pub(super) fn symbol(&mut self, sum: Sum) -> Option<Symbol> {
        let is_large = |(product, times): &(Product, i64)| {
            let limit = if product.is_empty() { i64::MAX.unsigned_abs() } else { MAX_COEFFICIENT };
            product.len() > MAX_FACTORS || times.unsigned_abs() > limit
        };
        if sum.len() > MAX_TERMS || sum.iter().any(is_large) {
            return None;
        }
        self.sums.number(sum).map(Symbol)
    }

    /// The value of a constant expression.
    pub(crate) fn known(&self, symbol: Symbol) -> Option<i64> {
        match self.sum(symbol)?.as_slice() {
            [] => Some(0),
            [(product, number)] if product.is_empty() => Some(*number),
            _ => None,
        }
    }

    /// Whether the equation `zero = 0` says that a product is 1, as `x - 1 = 0` does, and the product can be larger:
    /// `min(x, 1) - 1 = 0` says only that `x` is not 0.
    pub(crate) fn is_one(&self, zero: Symbol) -> bool {
        let Some([(product, added), (factors, times)]) = self.sum(zero).map(SmallVec::as_slice) else { return false };
        let can_exceed_1 = |atom: &u32| self.info_of(*atom).is_none_or(|info| info.bounds.1 > 1);
        product.is_empty() && matches!((added, times), (-1, 1) | (1, -1)) && factors.iter().any(can_exceed_1)
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

    /// The atom that an expression consists of; `None` if it is not a single atom.
    pub(super) fn atom_of(&self, symbol: Symbol) -> Option<Atom> {
        match self.sum(symbol)?.as_slice() {
            [(product, 1)] if product.len() == 1 => self.atom_at(*product.first()?),
            _ => None,
        }
    }

    /// The simpler of two expressions: the one without unknown lengths, else the one with fewer terms, else the older one.
    pub(super) fn simpler(&self, a: Symbol, b: Symbol) -> Symbol {
        let weight = |symbol| (self.is_unknown(symbol), self.sum(symbol).map_or(usize::MAX, SmallVec::len), symbol);
        if weight(b) < weight(a) { b } else { a }
    }
}
