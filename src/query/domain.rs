//! Which lengths of its inputs a model works for: what its layers demand, in the simplest form.

pub(crate) mod lengths;
mod text;

use crate::analysis::Model;
use crate::infer::Demanded;
use crate::ir::LayerId;
use crate::types::symbol::demand::{Demand, Test};
use crate::types::symbol::substitution::Substitution;
use crate::types::symbol::{Atom, Expressions, Length, Symbol};
use lengths::Lengths;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Which lengths a model works for.
#[derive(Debug)]
pub(crate) struct Domain {
    /// What must hold, all of it.
    pub(crate) constraints: Vec<Constraint>,
    /// Layers that demand more than is expressed here.
    pub(crate) open: Vec<LayerId>,
    /// What symbols stand for here.
    pub(crate) expressions: Expressions,
}

/// What must hold of lengths.
#[derive(Debug)]
pub(crate) struct Constraint {
    /// What must hold.
    pub(crate) form: Form,
    /// The layers that demand it; the first one alone if the others demand the same.
    pub(crate) layers: Vec<LayerId>,
}

/// What must hold of lengths.
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

/// How often equations are looked for in what is left.
const ROUNDS: usize = 32;

/// A demand with the layers that have it.
type Work = Vec<(Demand, Vec<LayerId>)>;

impl Domain {
    /// The domain of a model; `None` if no symbols were asked for.
    pub(crate) fn of(model: &Model) -> Option<Self> {
        let symbols = model.facts()?.symbols()?;
        Some(Self::new(symbols.expressions.as_ref().clone(), &symbols.demanded))
    }

    fn new(mut all: Expressions, demanded: &[Demanded]) -> Self {
        let mut open: BTreeSet<LayerId> = BTreeSet::new();
        let mut work: Work = Vec::new();
        for Demanded { layer, demands } in demanded {
            if demands.is_open {
                open.insert(*layer);
            }
            for demand in &demands.all {
                if symbols_of(demand).any(|symbol| all.is_unknown(symbol)) {
                    open.insert(*layer);
                } else {
                    work.push((demand.clone(), vec![*layer]));
                }
            }
        }
        let mut work = unique(work);
        let mut constraints = Vec::new();
        let mut classes: BTreeMap<Length, (Vec<Length>, Vec<LayerId>)> = BTreeMap::new();
        let mut solved: Vec<(Length, Symbol, Vec<LayerId>)> = Vec::new();
        for _ in 0..ROUNDS {
            let mut by: HashMap<Length, Symbol> = HashMap::new();
            take_equal(&mut all, &mut work, &mut classes, &mut by);
            if by.is_empty() {
                take_solved(&mut all, &mut work, &mut solved, &mut by);
            }
            if by.is_empty() {
                break;
            }
            work = substituted(&mut all, by, work, &mut solved);
        }
        for (first, (others, layers)) in classes {
            constraints.push(Constraint { form: Form::Equal([vec![first], others].concat()), layers });
        }
        constraints.extend(
            solved
                .into_iter()
                .map(|(length, symbol, layers)| Constraint { form: Form::Solved(length, symbol), layers }),
        );
        take_single(&mut all, &mut work, &mut constraints);
        // What follows from a demand of one test.
        let units: BTreeSet<Test> = work.iter().filter_map(|(demand, _)| only(demand)).collect();
        work.retain(|(demand, _)| demand.0.len() == 1 || !demand.0.iter().any(|test| units.contains(test)));
        constraints.extend(work.into_iter().map(|(demand, layers)| Constraint { form: Form::Demand(demand), layers }));
        Self { constraints, open: open.into_iter().collect(), expressions: all }
    }

    /// Whether lengths that meet the constraints pass every check of shapes.
    pub(crate) fn is_complete(&self) -> bool {
        self.open.is_empty()
    }
}

fn symbols_of(demand: &Demand) -> impl Iterator<Item = Symbol> {
    demand.0.iter().flat_map(|test| match *test {
        Test::Zero(symbol) | Test::NotNegative(symbol) => [symbol, symbol],
        Test::Multiple(symbol, by) => [symbol, by],
    })
}

fn only(demand: &Demand) -> Option<Test> {
    if let [test] = demand.0.as_slice() { Some(*test) } else { None }
}

/// Every demand once, with all layers that have it.
fn unique(work: Work) -> Work {
    let mut places: HashMap<Demand, usize> = HashMap::new();
    let mut all: Work = Vec::new();
    for (demand, layers) in work {
        match places.get(&demand).and_then(|place| all.get_mut(*place)) {
            Some((_, known)) => known.extend(layers),
            None => {
                places.insert(demand.clone(), all.len());
                all.push((demand, layers));
            }
        }
    }
    for (_, layers) in &mut all {
        layers.sort_unstable();
        layers.dedup();
    }
    all
}

fn substituted(
    all: &mut Expressions,
    by: HashMap<Length, Symbol>,
    work: Work,
    solved: &mut [(Length, Symbol, Vec<LayerId>)],
) -> Work {
    let mut substitution = Substitution::new(by);
    for (_, symbol, _) in solved {
        *symbol = substitution.apply(all, *symbol).unwrap_or(*symbol);
    }
    unique(work.into_iter().filter_map(|(demand, layers)| Some((substitution.demand(all, &demand)?, layers))).collect())
}

/// Takes out all demands that two lengths are equal.
fn take_equal(
    all: &mut Expressions,
    work: &mut Work,
    classes: &mut BTreeMap<Length, (Vec<Length>, Vec<LayerId>)>,
    by: &mut HashMap<Length, Symbol>,
) {
    let mut pairs: Vec<(Length, Length, Vec<LayerId>)> = Vec::new();
    work.retain_mut(|(demand, layers)| match only(demand).and_then(|test| equal_pair(all, test)) {
        Some((a, b)) => {
            pairs.push((a, b, std::mem::take(layers)));
            false
        }
        None => true,
    });
    let mut roots: BTreeMap<Length, Length> = BTreeMap::new();
    let root = |roots: &BTreeMap<Length, Length>, mut length: Length| {
        while let Some(next) = roots.get(&length) {
            length = *next;
        }
        length
    };
    for (a, b, layers) in pairs {
        let (a, b) = (root(&roots, a), root(&roots, b));
        let (first, other) = (a.min(b), a.max(b));
        if first == other {
            continue;
        }
        roots.insert(other, first);
        let (members, more) = classes.remove(&other).unwrap_or_default();
        let (known, why) = classes.entry(first).or_default();
        known.push(other);
        known.extend(members);
        why.extend(more.into_iter().chain(layers));
    }
    for length in roots.keys() {
        let first = root(&roots, *length);
        by.extend(all.input(first).map(|symbol| (*length, symbol)));
    }
    for (members, layers) in classes.values_mut() {
        members.sort_unstable();
        layers.sort_unstable();
        layers.dedup();
    }
}

/// The lengths that a test demands to be equal, where it demands no more.
fn equal_pair(all: &Expressions, test: Test) -> Option<(Length, Length)> {
    let Test::Zero(symbol) = test else { return None };
    let terms: Vec<_> = all.terms(symbol)?.take(3).collect();
    match terms.as_slice() {
        [(one, 1), (other, -1)] | [(one, -1), (other, 1)] => match (one.as_slice(), other.as_slice()) {
            ([Atom::Input(a, _)], [Atom::Input(b, _)]) => Some((*a, *b)),
            _ => None,
        },
        _ => None,
    }
}

/// Takes out one demand that says what a length equals.
fn take_solved(
    all: &mut Expressions,
    work: &mut Work,
    solved: &mut Vec<(Length, Symbol, Vec<LayerId>)>,
    by: &mut HashMap<Length, Symbol>,
) {
    let solve = |all: &mut Expressions, demand: &Demand| match only(demand) {
        Some(Test::Zero(symbol)) => all.solved(symbol),
        _ => None,
    };
    let found = work.iter().enumerate().find_map(|(i, (demand, _))| Some((i, solve(all, demand)?)));
    let Some((i, (length, symbol))) = found else { return };
    let (_, layers) = work.remove(i);
    by.insert(length, symbol);
    solved.push((length, symbol, layers));
}

/// Takes out the demands on one length each, and says which lengths meet all that are on the same.
fn take_single(all: &mut Expressions, work: &mut Work, constraints: &mut Vec<Constraint>) {
    let mut of_length: BTreeMap<Length, Vec<usize>> = BTreeMap::new();
    for (i, (demand, _)) in work.iter().enumerate() {
        let mut lengths = BTreeSet::new();
        for symbol in symbols_of(demand) {
            all.leaves(symbol, &mut |atom| {
                if let Atom::Input(length, _) = atom {
                    lengths.insert(length);
                }
            });
        }
        if let (1, Some(length)) = (lengths.len(), lengths.first()) {
            of_length.entry(*length).or_default().push(i);
        }
    }
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    for (length, places) in of_length {
        let (lower, upper) = all.range(length);
        let demands = || places.iter().filter_map(|i| work.get(*i));
        let Some(lengths) = Lengths::of(all, &demands().map(|(demand, _)| demand), lower) else { continue };
        taken.extend(&places);
        // The layer that leaves the fewest lengths comes first.
        let mut ranked: Vec<(usize, i64, &Vec<LayerId>)> = demands()
            .filter_map(|(demand, layers)| {
                let own = Lengths::of(all, &std::iter::once(demand), lower)?;
                let (count, of) = own.share();
                Some((count * 1_000 / of.max(1), -own.from, layers))
            })
            .collect();
        ranked.sort_by_key(|(share, from, _)| (*share, *from));
        let mut layers: Vec<LayerId> = Vec::new();
        for layer in ranked.into_iter().flat_map(|(_, _, layers)| layers) {
            if !layers.contains(layer) {
                layers.push(*layer);
            }
        }
        let form = if lengths.is_empty(upper) { Form::Demand(Demand::default()) } else { Form::In(length, lengths) };
        constraints.push(Constraint { form, layers });
    }
    let mut place = 0;
    work.retain(|_| {
        place += 1;
        !taken.contains(&(place - 1))
    });
}
