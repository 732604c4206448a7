//! Substitution of expressions for dimensions and functions, to apply the equations of a model.

use super::Symbol;
use super::demand::{Demand, Outcome, Outcomes, Test};
use super::expressions::{Atom, Expressions};
use foldhash::fast::FixedState;
use smallvec::smallvec;
use std::collections::HashMap;

/// The replacements of atoms, and a cache of the expressions rewritten so far.
#[derive(Debug, Default)]
pub(crate) struct Substitution {
    by: HashMap<Atom, Symbol, FixedState>,
    done: HashMap<Symbol, Option<Symbol>, FixedState>,
}

impl Substitution {
    /// A substitution that replaces the atoms in `by`.
    pub(crate) fn new(by: HashMap<Atom, Symbol>) -> Self {
        Self { by: by.into_iter().collect(), done: HashMap::default() }
    }

    /// Rewrites an expression; `None` if it becomes too large.
    pub(crate) fn apply(&mut self, all: &mut Expressions, symbol: Symbol) -> Option<Symbol> {
        if let Some(done) = self.done.get(&symbol) {
            return *done;
        }
        let made = self.sum(all, symbol);
        self.done.insert(symbol, made);
        made
    }

    fn sum(&mut self, all: &mut Expressions, symbol: Symbol) -> Option<Symbol> {
        let sum = all.sum(symbol)?;
        let stays = |atom: Atom| matches!(atom, Atom::Input(..) | Atom::Unknown(_)) && !self.by.contains_key(&atom);
        if sum.iter().flat_map(|(product, _)| product).all(|atom| all.atom_at(*atom).is_some_and(stays)) {
            return Some(symbol);
        }
        let sum = sum.clone();
        let mut whole = None;
        for (product, times) in sum {
            let mut term = if times == 1 { None } else { Some(all.number(times)?) };
            for atom in product {
                let factor = self.atom(all, all.atom_at(atom)?)?;
                term = Some(term.map_or(Some(factor), |term| all.times(term, factor))?);
            }
            let term = term.or_else(|| all.number(1))?;
            whole = Some(whole.map_or(Some(term), |whole| all.plus(whole, term))?);
        }
        whole.or_else(|| all.number(0))
    }

    fn atom(&mut self, all: &mut Expressions, atom: Atom) -> Option<Symbol> {
        if let Some(symbol) = self.by.get(&atom) {
            return Some(*symbol);
        }
        let symbol = match atom {
            Atom::Input(..) | Atom::Unknown(_) => return all.atom(atom),
            Atom::FloorDiv(a, b) => self.pair(all, a, b, Expressions::floor_div),
            Atom::Min(a, b) => self.pair(all, a, b, Expressions::min),
            Atom::Max(a, b) => self.pair(all, a, b, Expressions::max),
            Atom::Broadcast(a, b) => self.pair(all, a, b, Expressions::broadcast),
        }?;
        // A rewritten function may itself be replaced.
        Some(all.atom_of(symbol).and_then(|atom| self.by.get(&atom).copied()).unwrap_or(symbol))
    }

    fn pair(
        &mut self,
        all: &mut Expressions,
        a: Symbol,
        b: Symbol,
        join: fn(&mut Expressions, Symbol, Symbol) -> Option<Symbol>,
    ) -> Option<Symbol> {
        let (a, b) = (self.apply(all, a)?, self.apply(all, b)?);
        join(all, a, b)
    }

    fn test(&mut self, all: &mut Expressions, test: Test) -> Option<Outcomes> {
        match test {
            Test::Zero(symbol) => {
                let symbol = self.apply(all, symbol)?;
                all.zero(symbol)
            }
            Test::NotNegative(symbol) => {
                let symbol = self.apply(all, symbol)?;
                Some(smallvec![all.not_negative(symbol)?])
            }
            Test::Multiple(symbol, by) => {
                let (symbol, by) = (self.apply(all, symbol)?, self.apply(all, by)?);
                all.multiple(symbol, by)
            }
        }
    }

    /// Rewrites a demand; `None` if it then always holds. A test that would become too large stays as it is.
    pub(crate) fn demand(&mut self, all: &mut Expressions, demand: &Demand) -> Option<Demand> {
        let mut tests = Demand::default();
        for test in &demand.0 {
            for outcome in self.test(all, *test).unwrap_or_else(|| smallvec![Outcome::Open(*test)]) {
                match outcome {
                    Outcome::Holds => return None,
                    Outcome::Fails => {}
                    Outcome::Open(test) => tests.0.push(test),
                }
            }
        }
        tests.0.sort_unstable();
        tests.0.dedup();
        Some(tests)
    }
}
