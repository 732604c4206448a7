//! Which lengths of its inputs a model works for: what its layers demand, in the simplest form.

#![warn(clippy::arithmetic_side_effects, reason = "the numbers of a file may be as large as a number can be")]

mod equations;
mod lengths;
mod names;
mod single;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests;
mod text;

pub(crate) use names::{Input, Names};

use crate::infer::{Demanded, Facts, Symbols};
use crate::ir::LayerId;
use crate::types::symbol::demand::{Demand, Test};
use crate::types::symbol::substitution::Substitution;
use crate::types::symbol::{Atom, Expressions, Length, Reader, Symbol};
use equations::Equations;
use lengths::Lengths;
use single::take_single;
use std::collections::{BTreeSet, HashMap};

/// Which lengths a model works for.
#[derive(Debug)]
pub(crate) struct Domain {
    /// What must hold, all of it.
    pub(crate) constraints: Vec<Constraint>,
    /// The place of a constraint that no lengths meet together with the others.
    pub(crate) contradiction: Option<usize>,
    /// Layers that demand more than is expressed here.
    pub(crate) open: Vec<LayerId>,
    /// What lengths are taken to be.
    pub(crate) assumption: Assumption,
    /// What symbols stand for here.
    pub(crate) expressions: Expressions,
}

/// What lengths are taken to be, which takes fewer words.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Assumption {
    /// Anything that is declared.
    Nothing,
    /// 1 or more.
    Present,
    /// The same, and equal where one of them could also be 1.
    Usual,
}

/// One condition on lengths, and where it comes from.
#[derive(Debug)]
pub(crate) struct Constraint {
    /// What must hold.
    pub(crate) form: Form,
    /// The layers that demand it; the first one alone if the others demand the same.
    pub(crate) layers: Vec<LayerId>,
}

/// The kinds of conditions.
#[derive(Debug)]
pub(crate) enum Form {
    /// These are equal.
    Equal(Vec<Length>),
    /// One equals an expression of others, or a number.
    Solved(Length, Symbol),
    /// One is in a set.
    In(Length, Lengths),
    /// One of these tests holds.
    Demand(Demand),
}

/// Demands that are compared with each other, at most.
const COMPARED: usize = 500;

/// A demand in work.
#[derive(Debug)]
struct Open {
    /// What to check.
    demand: Demand,
    /// What to show, which says the same together with what other demands say.
    shown: Demand,
    /// The layers that have it.
    layers: Vec<LayerId>,
}

impl Domain {
    /// The domain of a model under an assumption, or a weaker one if lengths fit that alone. `None` if no symbols were asked
    /// for.
    pub(crate) fn of(facts: &Facts, assumption: Assumption) -> Option<Self> {
        let symbols = facts.symbols()?;
        let domain = Self::new(symbols, &symbols.demanded, assumption);
        if domain.contradiction.is_none() {
            return Some(domain);
        }
        match domain.assumption {
            Assumption::Usual => Self::of(facts, Assumption::Present),
            Assumption::Present => {
                let weaker = Self::of(facts, Assumption::Nothing).filter(|weaker| weaker.contradiction.is_none());
                Some(weaker.unwrap_or(domain))
            }
            Assumption::Nothing => Some(domain),
        }
    }

    /// The domain of some demands.
    pub(crate) fn new<'a>(
        symbols: &Symbols,
        demanded: impl IntoIterator<Item = &'a Demanded>,
        mut assumption: Assumption,
    ) -> Self {
        let mut all = symbols.expressions.as_ref().clone();
        let (mut work, open) = expressed(&all, demanded);
        if assumption >= Assumption::Present {
            let present = all.present();
            work = substituted(&mut all, &mut Substitution::new(present), work, true);
        }
        if assumption == Assumption::Usual
            && work.iter_mut().filter_map(|one| one.is_made_usual(&all).then_some(())).count() == 0
        {
            assumption = Assumption::Present;
        }
        let mut equations = Equations::default();
        let work = equations.take_from(&mut all, work);
        let mut constraints = equations.constraints();
        let work = simplest(&mut all, work);
        let work = take_single(&mut all, work, &mut constraints);
        let is_impossible = |one: &Constraint| matches!(&one.form, Form::Demand(demand) if demand.0.is_empty());
        let behind =
            || work.iter().position(|one| one.demand.0.is_empty()).map(|place| constraints.len().saturating_add(place));
        let contradiction = constraints.iter().position(is_impossible).or_else(behind);
        let demand = |one: Open| Constraint { form: Form::Demand(one.shown), layers: one.layers };
        constraints.extend(work.into_iter().map(demand));
        Self { constraints, contradiction, open, assumption, expressions: all }
    }

    /// Whether a constraint holds where lengths are as `length` has them; `None` beyond 64 bits.
    pub(crate) fn holds(&self, constraint: &Constraint, length: &dyn Fn(Length) -> Option<i64>) -> Option<bool> {
        match &constraint.form {
            Form::Equal(lengths) => {
                let lengths: Vec<i64> = lengths.iter().map(|one| length(*one)).collect::<Option<_>>()?;
                Some(lengths.iter().zip(lengths.iter().skip(1)).all(|(a, b)| a == b))
            }
            Form::Solved(one, symbol) => Some(length(*one)? == self.expressions.evaluate(*symbol, length)?),
            Form::In(one, lengths) => Some(lengths.admits(length(*one)?)),
            Form::Demand(demand) => self.expressions.holds(demand, length),
        }
    }

    /// The reader of its expressions on a screen: shortened ones hold under an assumption alone.
    pub(crate) fn reader(&self) -> Reader {
        if self.assumption == Assumption::Nothing { Reader::Program } else { Reader::Person }
    }

    /// Whether lengths that meet the constraints pass every check of shapes.
    pub(crate) fn is_complete(&self) -> bool {
        self.open.is_empty()
    }
}

impl Open {
    /// Takes lengths to be equal where one of them could also be 1; whether that changes anything.
    fn is_made_usual(&mut self, all: &Expressions) -> bool {
        // That a length equals the shorter of it and another one is said as that it is no longer.
        let is_equality = |test: &Test| match test {
            Test::Zero(symbol) => !all.is_one(*symbol),
            Test::NotNegative(_) => true,
            Test::Multiple(..) => false,
        };
        let mut lengths: BTreeSet<Length> = BTreeSet::new();
        for symbol in symbols_of(&self.demand) {
            all.leaves(symbol, &mut |atom: Atom| lengths.extend(atom.input()));
        }
        if lengths.len() < 2 || !self.demand.0.iter().any(is_equality) {
            return false;
        }
        let before = self.demand.0.len();
        self.demand.0.retain(|test| !matches!(test, Test::Zero(symbol) if all.is_one(*symbol)));
        self.shown = self.demand.clone();
        self.demand.0.len() < before
    }
}

/// The demands that are expressed by lengths of inputs and states, and the layers that demand more.
fn expressed<'a>(all: &Expressions, demanded: impl IntoIterator<Item = &'a Demanded>) -> (Vec<Open>, Vec<LayerId>) {
    let (mut work, mut open): (Vec<Open>, BTreeSet<LayerId>) = (Vec::new(), BTreeSet::new());
    for Demanded { layer, demands } in demanded {
        if demands.is_open {
            open.insert(*layer);
        }
        for demand in &demands.all {
            if symbols_of(demand).any(|symbol| all.is_unknown(symbol)) {
                open.insert(*layer);
            } else {
                work.push(Open { demand: demand.clone(), shown: demand.clone(), layers: vec![*layer] });
            }
        }
    }
    (unique(work), open.into_iter().collect())
}

/// The demands in fewer and simpler ones.
fn simplest(all: &mut Expressions, work: Vec<Open>) -> Vec<Open> {
    let mut work = unique(taken_apart(all, work));
    without_divisions(all, &mut work);
    without_implied(unique(taken_apart(all, work)))
}

/// The numbers that a demand is about.
pub(crate) fn symbols_of(demand: &Demand) -> impl Iterator<Item = Symbol> {
    demand.0.iter().flat_map(|test| match *test {
        Test::Zero(symbol) | Test::NotNegative(symbol) => [symbol, symbol],
        Test::Multiple(symbol, by) => [symbol, by],
    })
}

fn only(demand: &Demand) -> Option<Test> {
    if let [test] = demand.0.as_slice() { Some(*test) } else { None }
}

/// Every demand once, with all layers that have it; but all that cannot be met, as they are shown as different ones.
fn unique(work: Vec<Open>) -> Vec<Open> {
    let mut places: HashMap<Demand, usize> = HashMap::new();
    let mut all: Vec<Open> = Vec::new();
    for one in work {
        match places.get(&one.demand).and_then(|place| all.get_mut(*place)) {
            Some(known) if !one.demand.0.is_empty() || known.shown == one.shown => known.layers.extend(one.layers),
            _ => {
                places.insert(one.demand.clone(), all.len());
                all.push(one);
            }
        }
    }
    for one in &mut all {
        one.layers.sort_unstable();
        one.layers.dedup();
    }
    all
}

/// The demands with atoms replaced, in what is shown as well if `is_shown`; without those that are met then.
fn substituted(all: &mut Expressions, by: &mut Substitution, work: Vec<Open>, is_shown: bool) -> Vec<Open> {
    let replaced = |Open { demand, shown, layers }: Open| {
        let demand = by.demand(all, &demand)?;
        let shown = if is_shown { by.demand(all, &shown).unwrap_or(shown) } else { shown };
        Some(Open { demand, shown, layers })
    };
    unique(work.into_iter().filter_map(replaced).collect())
}

/// The demands without the broadcast of lengths that is one of them or 1.
fn taken_apart(all: &mut Expressions, work: Vec<Open>) -> Vec<Open> {
    let mut apart = Vec::new();
    for one in work {
        match all.without_broadcasts(&one.demand) {
            Some(demands) if demands != [one.demand.clone()] => {
                let open = |demand: Demand| Open { shown: demand.clone(), demand, layers: one.layers.clone() };
                apart.extend(demands.into_iter().map(open));
            }
            _ => apart.push(one),
        }
    }
    apart
}

/// Says that a product equals another, instead of that it is a multiple and what the quotient is.
fn without_divisions(all: &mut Expressions, work: &mut Vec<Open>) {
    let multiples: BTreeSet<Test> =
        work.iter().filter_map(|one| only(&one.demand)).filter(|test| matches!(test, Test::Multiple(..))).collect();
    let mut said: BTreeSet<Test> = BTreeSet::new();
    for one in work.iter_mut() {
        let Some(Test::Zero(zero)) = only(&one.demand) else { continue };
        let Some((multiple, product)) = all.undivided(zero).filter(|(multiple, _)| multiples.contains(multiple)) else {
            continue;
        };
        said.insert(multiple);
        one.demand = product.clone();
        one.shown = product;
    }
    work.retain(|one| !only(&one.demand).is_some_and(|test| said.contains(&test)));
}

/// The demands without those that another one is a part of; what contradicts one that cannot be met is said as well.
fn without_implied(mut work: Vec<Open>) -> Vec<Open> {
    if work.len() > COMPARED {
        return work;
    }
    let all: Vec<Demand> = work.iter().map(|one| one.demand.clone()).collect();
    let is_part = |one: &Demand, other: &Demand| {
        !one.0.is_empty() && one != other && one.0.iter().all(|test| other.0.contains(test))
    };
    work.retain(|one| !all.iter().any(|other| is_part(other, &one.demand)));
    work
}
