//! The number of rows of a model's embedding of tokens, which the ids of tokens must stay below.

use super::demand::dim;
use crate::ops::Action;
use crate::recipe::View;

/// The maximum number of layers between an input and the embedding that it is looked up in.
const CONVERTS: usize = 8;

/// Returns the number of tokens that the first input of a model may have: the rows of what gathers by it.
pub(super) fn rows(view: &View) -> Option<i64> {
    let input = view.input("input_ids").or_else(|| view.inputs.first())?;
    let graph = view.graph();
    let is = |layer, action| graph.kind(layer).action() == action;
    let is_from_input = |layer| {
        let mut at = view.producer(layer, 1);
        for _ in 0..CONVERTS {
            match at {
                Some((_, source)) if is(source, Action::Converts) => at = view.producer(source, 0),
                _ => break,
            }
        }
        at.is_some_and(|(id, _)| id == input.index)
    };
    view.layers().find_map(|(_, layer)| {
        let gathers = is(layer, Action::Gathers) && is_from_input(layer);
        let table = view.fact(layer, 0).filter(|table| gathers && table.rank() == Some(2))?;
        dim(table, 0)?.length()
    })
}
