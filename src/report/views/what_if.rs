//! The layer that breaks first with other input shapes, in words.

use super::why::one_line;
use crate::analysis::Model;
use crate::diagnostic::Severity;
use crate::query::what_if::{FirstBroken, first_broken};
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

/// Which layer breaks first and what pins it, a line for each; `None` if nothing breaks.
pub fn breaks(model: &Model) -> Option<Vec<String>> {
    let broken = first_broken(model);
    let place = broken.as_ref().map(|broken| broken.finding);
    let mut errors = model.findings().iter().filter(|finding| finding.severity == Severity::Error);
    let first = place.and_then(|place| model.findings().get(place)).or_else(|| errors.next())?;
    let layer = first.layer.as_ref();
    let line = model.source().position(layer.map_or(first.primary.span, |layer| layer.span).start).line;
    let name = layer.map(|layer| format!("`{}` ({}), ", layer.name, layer.ty)).unwrap_or_default();
    let mut lines = vec![format!("breaks at {name}line {line}: {}", first.message)];
    lines.extend(broken.iter().flat_map(|broken| pins(broken, model.weights().path.as_deref())));
    Some(lines)
}
