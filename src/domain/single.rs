//! Clauses on a single dimension, combined into a set of values.
//!
//! A known set simplifies the remaining clauses: if `h % 4 == 0`, then `4 * k` replaces `h`, and the clause
//! `4 * (h / 4) = h or w = 1` always holds.

use super::lengths::{Lengths, Pattern, is_simple};
use super::{Clause, Constraint, Form, substituted, symbols_of};
use crate::arrange::Arrange;
use crate::ir::LayerId;
use crate::types::symbol::demand::Demand;
use crate::types::symbol::substitution::Substitution;
use crate::types::symbol::{Atom, Expressions, Length, Symbol};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Maximum number of rounds in which known sets simplify the remaining clauses.
const ROUNDS: usize = 4;

/// The clauses on each dimension and their patterns, with its declared bounds.
type Singles = BTreeMap<Length, ((i64, i64), Vec<(Clause, Option<Pattern>)>)>;

/// Removes the clauses on a single dimension and adds them to `constraints`, combined per dimension. Returns the other
/// clauses, simplified by means of the remaining values.
pub(super) fn extract_single(
    all: &mut Expressions,
    mut work: Vec<Clause>,
    constraints: &mut Vec<Constraint>,
) -> Vec<Clause> {
    let mut singles = Singles::new();
    for _ in 0..ROUNDS {
        let before = work.len();
        let mut rest = Vec::new();
        for one in work {
            match only_length(all, &one.demand) {
                Some(length) => {
                    let (range, clauses) = singles.entry(length).or_insert_with(|| (all.range(length), Vec::new()));
                    let pattern = Pattern::of(all, &one.demand, range.0, clauses.len().saturating_add(1));
                    clauses.push((one, pattern));
                }
                None => rest.push(one),
            }
        }
        work = rest;
        if work.len() == before {
            break;
        }
        let mut by = HashMap::new();
        for (length, ((lower, _), clauses)) in &singles {
            let Some(lengths) = Lengths::of(clauses.iter().map(|(_, pattern)| pattern), *lower) else { continue };
            by.extend(all.input_atom(*length).and_then(|atom| Some((atom, substitute(all, *length, &lengths)?))));
        }
        work = substituted(all, &mut Substitution::new(by), work, false);
        for one in work.iter_mut().filter(|one| !has_count(all, &one.demand)) {
            one.shown = one.demand.clone();
        }
    }
    for (length, (range, clauses)) in singles {
        constraints.extend(combined(length, range, clauses));
    }
    work
}

/// Whether a clause contains a count variable: the `k` in `first + k * distance`, which replaces a dimension.
fn has_count(all: &Expressions, demand: &Demand) -> bool {
    let mut has = false;
    for symbol in symbols_of(demand) {
        all.leaves(symbol, &mut |atom| has |= matches!(atom, Atom::Input(length, _) if length.is_count()));
    }
    has
}

/// Returns the dimension of a clause if it has just one and a known pattern.
fn only_length(all: &Expressions, demand: &Demand) -> Option<Length> {
    let mut lengths = all.lengths_of(symbols_of(demand));
    let length = lengths.pop_first().filter(|_| lengths.is_empty())?;
    // A count variable is not a dimension.
    Some(length).filter(|length| !length.is_count() && is_simple(all, demand))
}

/// Combines the clauses on one dimension into one constraint, or returns one per clause if no common pattern is known.
fn combined(length: Length, (lower, upper): (i64, i64), clauses: Vec<(Clause, Option<Pattern>)>) -> Vec<Constraint> {
    let Some(lengths) = Lengths::of(clauses.iter().map(|(_, pattern)| pattern), lower) else {
        return clauses
            .into_iter()
            .map(|(one, _)| Constraint { form: Form::Demand(one.shown), layers: one.layers })
            .collect();
    };
    // The most restrictive layer comes first.
    let mut ranked: Vec<(usize, Reverse<i64>, &Vec<LayerId>)> = clauses
        .iter()
        .filter_map(|(one, pattern)| {
            let own = Lengths::of(std::iter::once(pattern), lower)?;
            let (count, of) = own.share();
            Some((count.checked_mul(1_000)?.checked_div(of)?, Reverse(own.from), &one.layers))
        })
        .collect();
    ranked.arrange_by_key(|(share, from, _)| (*share, *from));
    let mut seen = BTreeSet::new();
    let layers = ranked.into_iter().flat_map(|(_, _, layers)| layers).copied();
    let layers = layers.filter(|layer| seen.insert(*layer)).collect();
    let form = if lengths.is_empty(upper) { Form::Demand(Demand::default()) } else { Form::In(length, lengths) };
    vec![Constraint { form, layers }]
}

/// Returns a substitute for a dimension whose values form a set: `first + k * distance` for an arithmetic progression, or
/// the dimension within narrower bounds.
fn substitute(all: &mut Expressions, length: Length, lengths: &Lengths) -> Option<Symbol> {
    let (_, upper) = all.range(length);
    let first = lengths.first()?;
    match lengths.remainder() {
        _ if !lengths.below.is_empty() && lengths.share().0 > 0 => None,
        Some((_, distance)) if distance > 1 => all.spaced(length, first, distance),
        Some(_) => all.bounded(length, (first, upper)),
        None if lengths.share().0 == 0 => all.bounded(length, (first, lengths.below.last().copied()?.min(upper))),
        None => None,
    }
}
