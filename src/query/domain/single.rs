//! Demands on one length alone.

use super::lengths::Lengths;
use super::{Constraint, Form, Open, symbols_of};
use crate::ir::LayerId;
use crate::types::symbol::demand::Demand;
use crate::types::symbol::{Atom, Expressions, Length, Symbol};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Takes out the demands on one length each, and says which lengths meet all that are on the same; what the lengths are
/// replaced by.
pub(super) fn take_single(
    all: &mut Expressions,
    work: &mut Vec<Open>,
    constraints: &mut Vec<Constraint>,
) -> HashMap<Atom, Symbol> {
    let mut of_length: BTreeMap<Length, Vec<usize>> = BTreeMap::new();
    for (i, one) in work.iter().enumerate() {
        let mut lengths = BTreeSet::new();
        for symbol in symbols_of(&one.demand) {
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
    let mut by = HashMap::new();
    for (length, places) in of_length {
        let (lower, upper) = all.range(length);
        let demands = || places.iter().filter_map(|i| work.get(*i));
        let Some(lengths) = Lengths::of(all, &demands().map(|one| &one.demand), lower) else { continue };
        taken.extend(&places);
        // The layer that leaves the fewest lengths comes first.
        let mut ranked: Vec<(usize, i64, &Vec<LayerId>)> = demands()
            .filter_map(|one| {
                let own = Lengths::of(all, &std::iter::once(&one.demand), lower)?;
                let (count, of) = own.share();
                Some((count * 1_000 / of.max(1), -own.from, &one.layers))
            })
            .collect();
        ranked.sort_by_key(|(share, from, _)| (*share, *from));
        let mut layers: Vec<LayerId> = Vec::new();
        for layer in ranked.into_iter().flat_map(|(_, _, layers)| layers) {
            if !layers.contains(layer) {
                layers.push(*layer);
            }
        }
        let form = if lengths.is_empty(upper) {
            Form::Demand(Demand::default())
        } else {
            by.extend(all.input_atom(length).and_then(|atom| Some((atom, part_of(all, length, &lengths)?))));
            Form::In(length, lengths)
        };
        constraints.push(Constraint { form, layers });
    }
    let mut place = 0;
    work.retain(|_| {
        place += 1;
        !taken.contains(&(place - 1))
    });
    by
}

/// A length of a set by the number of those before it, where all have the same distance; or the same length within narrower
/// bounds.
fn part_of(all: &mut Expressions, length: Length, lengths: &Lengths) -> Option<Symbol> {
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
