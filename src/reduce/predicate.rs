//! Reduction by an opaque predicate, such as a script of the user.

use super::search::Search;
use super::{Reduced, Task};
use crate::cut::{Around, Candidate, Choice, Original, Treatment};
use petgraph::Direction::Incoming;

/// Reduces a model to the smallest one found that a predicate accepts. The predicate must accept a copy of the model itself.
/// An error of the predicate ends the search.
///
/// Nothing says which layer is faulty. A binary search over prefixes of the topological order finds a suspect: the last layer
/// of the shortest accepted prefix. The search then continues in the neighborhood of that layer.
pub fn by_predicate(
    task: &mut Task,
    predicate: &mut dyn FnMut(&Candidate) -> Result<bool, String>,
) -> Result<Reduced, String> {
    let original = Original::of(task.model, "reduced")?;
    let (keep_weights, is_anonymous) = (task.keep_weights, task.is_anonymous);
    let mut search = Search::new(&original, predicate, task);
    let whole = Choice::all(&original);
    let extended = Choice { weights: Treatment::Extended, ..whole.clone() };
    let bare = Choice { extras: vec![false; whole.extras.len()], ..extended.clone() };
    let mut base = None;
    for choice in [bare, extended, whole] {
        if search.try_choice(choice.clone())? {
            base = Some(choice);
            break;
        }
    }
    let base = base.ok_or("the command does not accept a copy of the model")?;
    let order = search.shortest_prefix(&base)?;
    let last: Vec<_> = order.last().copied().into_iter().collect();
    let around = Around::of(&original, &last, &[Incoming]);
    if !search.search_near(&base, &around, usize::MAX)? {
        search.shortest_suffix(&base, &order)?;
    }
    search.minimize(&last, &around)?;
    search.end_each_layer_once()?;
    search.remove_body_layers(None)?;
    search.shrink_weights(keep_weights)?;
    if is_anonymous {
        search.anonymize()?;
    }
    Reduced::of(search, None)
}
