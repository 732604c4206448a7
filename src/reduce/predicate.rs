//! Reduction to what a predicate accepts, of which nothing else is known.

use super::choice::{Choice, Treatment};
use super::draft::Candidate;
use super::original::Original;
use super::search::{Around, Search};
use super::{Reduced, Task};
use petgraph::Direction::Incoming;

/// Reduces a model to one that a predicate accepts, as it accepts the model itself; an error of the predicate ends it.
///
/// The first layers up to one are looked for that are accepted, by halves; then the layers around the last of them.
pub fn by_predicate(
    task: &mut Task,
    predicate: &mut dyn FnMut(&Candidate) -> Result<bool, String>,
) -> Result<Reduced, String> {
    let original = Original::of(task.model)?;
    let (keep_weights, is_anonymous) = (task.keep_weights, task.is_anonymous);
    let mut search = Search::new(&original, predicate, task);
    let whole = Choice::all(&original);
    let extended = Choice { weights: Treatment::Extended, ..whole.clone() };
    let bare = Choice { extras: vec![false; whole.extras.len()], ..extended.clone() };
    let mut base = None;
    for choice in [bare, extended, whole] {
        if search.holds(choice.clone())? {
            base = Some(choice);
            break;
        }
    }
    let base = base.ok_or("the command does not accept a copy of the model")?;
    let order = search.narrow(&base)?;
    let last: Vec<_> = order.last().copied().into_iter().collect();
    let around = Around::of(&original, &last, &[Incoming]);
    if !search.near(&base, &around, usize::MAX)? {
        search.narrow_start(&base, &order)?;
    }
    search.thin(&last, &around)?;
    search.end_each_layer_once()?;
    search.hollow(None)?;
    search.lighten(keep_weights)?;
    if is_anonymous {
        search.anonymize()?;
    }
    Reduced::of(search, None)
}
