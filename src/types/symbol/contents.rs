//! Questions to an expression about its content: the dimensions and functions in it.

use super::expressions::{Atom, Expressions};
use super::{Length, Symbol};
use std::collections::{BTreeSet, HashSet};

impl Atom {
    /// The operands of a function; `None` for a variable.
    fn operands(self) -> Option<[Symbol; 2]> {
        match self {
            Self::Input(..) | Self::Unknown(_) => None,
            Self::FloorDiv(a, b) | Self::Min(a, b) | Self::Max(a, b) | Self::Broadcast(a, b) => Some([a, b]),
        }
    }
}

impl Expressions {
    fn atoms_in(&self, symbol: Symbol) -> impl Iterator<Item = Atom> {
        let products = self.sum(symbol).into_iter().flatten().flat_map(|(product, _)| product);
        products.filter_map(|atom| self.atom_at(*atom))
    }

    /// Visits the variables of an expression, also those inside functions.
    pub(crate) fn leaves(&self, symbol: Symbol, visit: &mut impl FnMut(Atom)) {
        for atom in self.atoms_in(symbol) {
            match atom.operands() {
                None => visit(atom),
                Some(both) => both.into_iter().for_each(|one| self.leaves(one, visit)),
            }
        }
    }

    /// The dimensions of inputs and states in some expressions.
    pub(crate) fn lengths_of(&self, symbols: impl IntoIterator<Item = Symbol>) -> BTreeSet<Length> {
        let mut lengths = BTreeSet::new();
        for symbol in symbols {
            self.leaves(symbol, &mut |atom| lengths.extend(atom.input()));
        }
        lengths
    }

    /// Whether an expression contains a data-dependent length.
    pub(crate) fn is_unknown(&self, symbol: Symbol) -> bool {
        self.atoms_in(symbol).any(|atom| match atom.operands() {
            None => matches!(atom, Atom::Unknown(_)),
            Some(both) => both.into_iter().any(|one| self.is_unknown(one)),
        })
    }

    /// Collects the atoms of an expression, also those inside functions.
    pub(crate) fn atoms_of(&self, symbol: Symbol, atoms: &mut HashSet<Atom>) {
        for atom in self.atoms_in(symbol) {
            if atoms.insert(atom) {
                atom.operands().into_iter().flatten().for_each(|one| self.atoms_of(one, atoms));
            }
        }
    }

    /// Counts the occurrences of an atom, also those inside functions.
    pub(super) fn occurrences(&self, symbol: Symbol, wanted: Atom) -> usize {
        let count = |atom: Atom| match atom.operands() {
            _ if atom == wanted => 1,
            None => 0,
            Some(both) => both.into_iter().map(|one| self.occurrences(one, wanted)).sum(),
        };
        self.atoms_in(symbol).map(count).sum()
    }
}
