//! The input dimensions that a model accepts: the constraints that its layers impose, simplified.
//!
//! Layers record demands, each a clause: a disjunction of tests such as `a - b = 0` ([`Demand`]). All clauses must hold. An
//! `Add` of `x[a]` and `y[b]` demands `a = b or a = 1 or b = 1`. The passes, in order: assume away unusual cases (`a = 1`),
//! eliminate variables by equations (`a = b`, `c = a + 1`), drop implied clauses by subsumption, and turn clauses on a single
//! dimension into a set of values (`h % 32 == 0`).

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

use crate::arrange::Fill;
use crate::infer::{Demanded, Facts, Symbols};
use crate::ir::LayerId;
use crate::types::symbol::demand::{Demand, Test};
use crate::types::symbol::substitution::Substitution;
use crate::types::symbol::{Expressions, Length, Reader, Symbol};
use equations::Equations;
use foldhash::fast::FixedState;
use lengths::Lengths;
use single::extract_single;
use std::collections::{BTreeSet, HashMap};

/// The constraints on the input dimensions of a model.
#[derive(Debug)]
pub(crate) struct Domain {
    /// The constraints, all of which must hold.
    pub(crate) constraints: Vec<Constraint>,
    /// The index of a constraint that contradicts the others.
    pub(crate) contradiction: Option<usize>,
    /// Layers with further demands, which the constraints do not express.
    pub(crate) open: Vec<LayerId>,
    /// The assumption under which the constraints were simplified.
    pub(crate) assumption: Assumption,
    /// The table in which the symbols of the constraints are looked up.
    pub(crate) expressions: Expressions,
}

/// An assumption about dimensions, which makes constraints shorter. Each assumption implies those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Assumption {
    /// Dimensions may have every value that the file declares.
    Nothing,
    /// Dimensions are 1 or more.
    Present,
    /// Also, dimensions that are broadcast together are equal, although one of them could be 1, and dimensions to squeeze are 1,
    /// although any other length would be kept.
    Usual,
}

/// One condition on dimensions, and its origin.
#[derive(Debug)]
pub(crate) struct Constraint {
    /// The condition.
    pub(crate) form: Form,
    /// The layers that impose it. [`Domain::new`] leaves out layers that equal an earlier one; [`Domain::of`] adds them. If all
    /// demand the same, the first one suffices as an explanation.
    pub(crate) layers: Vec<LayerId>,
}

/// The forms of conditions.
#[derive(Debug)]
pub(crate) enum Form {
    /// These dimensions are equal.
    Equal(Vec<Length>),
    /// A dimension equals an expression of others, or a number.
    Solved(Length, Symbol),
    /// The value of a dimension is in a set.
    In(Length, Lengths),
    /// A clause: one of its tests holds. The empty clause is a contradiction.
    Demand(Demand),
}

/// Maximum number of clauses to test for subsumption, pair by pair; if there are more, all of them stay.
const SUBSUMPTION_LIMIT: usize = 500;

/// A clause that is being simplified.
#[derive(Debug)]
struct Clause {
    /// The clause in which solved variables are eliminated; subsumption and [`Lengths`] use it.
    demand: Demand,
    /// The clause to show: equivalent to `demand` given the other constraints, but in the variables that the layers use.
    shown: Demand,
    /// The layers that demand it.
    layers: Vec<LayerId>,
}

impl Domain {
    /// Returns the domain of a model under an assumption, or under a weaker one if no dimensions meet the constraints under
    /// this one. `None` if inference recorded no symbols.
    pub(crate) fn of(facts: &Facts, assumption: Assumption) -> Option<Self> {
        let symbols = facts.symbols()?;
        let mut domain = Self::new(symbols, &symbols.demanded, assumption);
        symbols.add_equal(&mut domain.open);
        for constraint in &mut domain.constraints {
            symbols.add_equal(&mut constraint.layers);
        }
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

    /// Simplifies demands of layers to a domain. Uses [`Assumption::Present`] instead of `Usual` where that makes no difference.
    pub(crate) fn new<'a>(
        symbols: &Symbols,
        demanded: impl IntoIterator<Item = &'a Demanded>,
        mut assumption: Assumption,
    ) -> Self {
        let mut all = symbols.expressions.as_ref().clone();
        let (mut work, open, is_usual) = clauses(&all, demanded, assumption);
        if assumption >= Assumption::Present {
            let present = all.present();
            work = substituted(&mut all, &mut Substitution::new(present), work, true);
        }
        work.retain(|one| !all.is_about_presence(&one.demand));
        if assumption == Assumption::Usual {
            let changed = work.iter_mut().filter_map(|one| one.assume_usual(&all).then_some(())).count();
            assumption = if is_usual || changed > 0 { assumption } else { Assumption::Present };
        }
        let mut equations = Equations::default();
        let work = equations.take_from(&mut all, work);
        let mut constraints = equations.constraints();
        let work = simplified(&mut all, work);
        let work = extract_single(&mut all, work, &mut constraints);
        let is_impossible = |one: &Constraint| matches!(&one.form, Form::Demand(demand) if demand.0.is_empty());
        let behind =
            || work.iter().position(|one| one.demand.0.is_empty()).map(|index| constraints.len().saturating_add(index));
        let contradiction = constraints.iter().position(is_impossible).or_else(behind);
        let demand = |one: Clause| Constraint { form: Form::Demand(one.shown), layers: one.layers };
        constraints.extend(work.into_iter().map(demand));
        Self { constraints, contradiction, open, assumption, expressions: all }
    }

    /// Evaluates a constraint for the dimensions that `length` returns; `None` if it depends on others or exceeds 64 bits.
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

    /// Returns the audience of expressions in reports. The form for people is right only for dimensions of 1 or more, which all
    /// assumptions but `Nothing` imply.
    pub(crate) fn reader(&self) -> Reader {
        if self.assumption == Assumption::Nothing { Reader::Program } else { Reader::Person }
    }

    /// Whether dimensions that meet the constraints pass every shape check.
    pub(crate) fn is_complete(&self) -> bool {
        self.open.is_empty()
    }
}

impl Clause {
    /// Drops the tests `a = 1` of a broadcast clause such as `a = b or a = 1`; returns whether there were any.
    fn assume_usual(&mut self, all: &Expressions) -> bool {
        // `a = min(a, b)` is normalized to `b - a >= 0`, so treat such a test as an equality, too.
        let is_equality = |test: &Test| match test {
            Test::Zero(symbol) => !all.is_one(*symbol),
            Test::NotNegative(_) => true,
            Test::Multiple(..) => false,
        };
        if all.lengths_of(symbols_of(&self.demand)).len() < 2 || !self.demand.0.iter().any(is_equality) {
            return false;
        }
        let before = self.demand.0.len();
        self.demand.0.retain(|test| !matches!(test, Test::Zero(symbol) if all.is_one(*symbol)));
        self.shown = self.demand.clone();
        self.demand.0.len() < before
    }
}

/// Returns the demands that are clauses over dimensions of inputs and states, the layers that have other demands, and whether
/// some of the clauses are demanded under [`Assumption::Usual`] only.
fn clauses<'a>(
    all: &Expressions,
    demanded: impl IntoIterator<Item = &'a Demanded>,
    assumption: Assumption,
) -> (Vec<Clause>, Vec<LayerId>, bool) {
    let (mut work, mut open): (Vec<Clause>, BTreeSet<LayerId>) = (Vec::new(), BTreeSet::new());
    let mut is_usual = false;
    for Demanded { layer, demands } in demanded {
        let usual = if assumption == Assumption::Usual { demands.usual.as_slice() } else { &[] };
        is_usual |= !usual.is_empty();
        if demands.is_open || usual.len() < demands.usual.len() {
            open.insert(*layer);
        }
        for demand in demands.all.iter().chain(usual) {
            if symbols_of(demand).any(|symbol| all.is_unknown(symbol)) {
                open.insert(*layer);
            } else {
                work.push(Clause { demand: demand.clone(), shown: demand.clone(), layers: vec![*layer] });
            }
        }
    }
    (unique(work), open.into_iter().collect(), is_usual)
}

/// Simplifies clauses into fewer and shorter ones.
fn simplified(all: &mut Expressions, work: Vec<Clause>) -> Vec<Clause> {
    let mut work = unique(without_broadcasts(all, work));
    without_divisions(all, &mut work);
    without_subsumed(unique(without_broadcasts(all, work)))
}

pub(crate) fn symbols_of(demand: &Demand) -> impl Iterator<Item = Symbol> {
    demand.0.iter().flat_map(|test| match *test {
        Test::Zero(symbol) | Test::NotNegative(symbol) => [symbol, symbol],
        Test::Multiple(symbol, by) => [symbol, by],
    })
}

/// Returns the test of a unit clause, which has only one.
fn unit(demand: &Demand) -> Option<Test> {
    if let [test] = demand.0.as_slice() { Some(*test) } else { None }
}

/// Merges equal clauses and their layers. Contradictions are all the same empty clause, so they are merged only if the clauses
/// to show are equal, too.
fn unique(work: Vec<Clause>) -> Vec<Clause> {
    let mut indices: HashMap<Demand, usize, FixedState> = HashMap::default();
    let mut all: Vec<Clause> = Vec::new();
    for one in work {
        match indices.get(&one.demand).and_then(|index| all.get_mut(*index)) {
            Some(same) if !one.demand.0.is_empty() || same.shown == one.shown => same.layers.extend(one.layers),
            _ => {
                indices.insert(one.demand.clone(), all.len());
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

/// Applies a substitution to clauses, also to the shown ones if `is_shown`; drops clauses that then always hold.
fn substituted(all: &mut Expressions, by: &mut Substitution, work: Vec<Clause>, is_shown: bool) -> Vec<Clause> {
    let replaced = |Clause { demand, shown, layers }: Clause| {
        let made = by.demand(all, &demand)?;
        let shown = match is_shown {
            true if shown == demand => made.clone(),
            true => by.demand(all, &shown).unwrap_or(shown),
            false => shown,
        };
        Some(Clause { demand: made, shown, layers })
    };
    unique(work.into_iter().filter_map(replaced).collect())
}

/// Splits clauses with `broadcast(a, b)` atoms into several without them, where that is possible.
fn without_broadcasts(all: &mut Expressions, work: Vec<Clause>) -> Vec<Clause> {
    let mut apart = Vec::new();
    for one in work {
        match all.without_broadcasts(&one.demand) {
            Some(demands) if demands != [one.demand.clone()] => {
                let clause = |demand: Demand| Clause { shown: demand.clone(), demand, layers: one.layers.clone() };
                apart.extend(demands.into_iter().map(clause));
            }
            _ => apart.push(one),
        }
    }
    apart
}

/// Replaces the pair `a % 3 = 0` and `a / 3 = b` by `a = 3 * b`.
fn without_divisions(all: &mut Expressions, work: &mut Vec<Clause>) {
    let multiples: BTreeSet<Test> =
        work.iter().filter_map(|one| unit(&one.demand)).filter(|test| matches!(test, Test::Multiple(..))).into_set();
    let mut merged: BTreeSet<Test> = BTreeSet::new();
    for one in work.iter_mut() {
        let Some(Test::Zero(zero)) = unit(&one.demand) else { continue };
        let Some((multiple, product)) = all.undivided(zero).filter(|(multiple, _)| multiples.contains(multiple)) else {
            continue;
        };
        merged.insert(multiple);
        one.demand = product.clone();
        one.shown = product;
    }
    work.retain(|one| !unit(&one.demand).is_some_and(|test| merged.contains(&test)));
}

/// Drops subsumed clauses: if `a = b` must hold, then `a = b or a = 1` adds nothing. The empty clause subsumes none, so that
/// a contradiction is shown with the constraints that it contradicts.
fn without_subsumed(mut work: Vec<Clause>) -> Vec<Clause> {
    if work.len() > SUBSUMPTION_LIMIT {
        return work;
    }
    let all: Vec<Demand> = work.iter().map(|one| one.demand.clone()).collect();
    let is_part = |one: &Demand, other: &Demand| {
        !one.0.is_empty() && one != other && one.0.iter().all(|test| other.0.contains(test))
    };
    work.retain(|one| !all.iter().any(|other| is_part(other, &one.demand)));
    work
}
