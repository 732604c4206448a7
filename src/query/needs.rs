//! The constraints on the dimensions of inputs and states, as sorted text without layer names, for snapshots and `diff`.

use crate::analysis::Model;
use crate::arrange::Arrange;
use crate::domain::{Assumption, Domain, Names};
use crate::text::counted;
use crate::types::Dim;

/// Returns the bounds that inputs and states declare for their dimensions, and the constraints that layers require of them,
/// for dimensions of 1 or more. The last line says how many layers have further ones; empty without symbolic inference.
pub(super) fn needs(model: &Model, names: Option<&Names>) -> Vec<String> {
    let Some((facts, names)) = model.facts().zip(names) else { return Vec::new() };
    let Some(domain) = Domain::of(facts, Assumption::Present) else { return Vec::new() };
    let mut lines: Vec<String> = names.inputs().filter_map(|input| bounds(&input.name, input.range)).collect();
    lines.extend(domain.constraints.iter().flat_map(|one| domain.expressions_of(one, names)));
    lines.arrange();
    lines.dedup();
    if !domain.is_complete() {
        lines.push(format!("... (more constraints of {})", counted(domain.open.len(), "layer")));
    }
    lines
}

/// Formats the bounds of a dimension; `None` if it has none.
fn bounds(name: &str, range: Dim) -> Option<String> {
    match (range.lower(), range.upper()) {
        (..=1, None) => None,
        (lower, None) => Some(format!("{name} >= {lower}")),
        (..=1, Some(upper)) => Some(format!("{name} <= {upper}")),
        (lower, Some(upper)) => Some(format!("{lower} <= {name} <= {upper}")),
    }
}
