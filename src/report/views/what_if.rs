//! The layer that breaks first with other input shapes, in words.

use super::why::one_line;
use crate::query::what_if::FirstBroken;
use crate::text::plural;
use std::path::Path;

/// The notes of the finding about the layer that breaks first; `weights` names the file of the constants.
pub fn notes(first: &FirstBroken, weights: Option<&Path>) -> Vec<String> {
    let mut notes = vec!["with these input shapes this layer breaks first".to_owned()];
    notes.extend(pins(first, weights));
    if first.more > 0 {
        notes.push(format!("and by {} more constant{}", first.more, plural(first.more)));
    }
    notes
}

/// What pins the layer, a line for each of the first constants.
pub fn pins(first: &FirstBroken, weights: Option<&Path>) -> Vec<String> {
    first.constants.iter().map(|reason| format!("pinned by {}", one_line(reason, weights))).collect()
}
