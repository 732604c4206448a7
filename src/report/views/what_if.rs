//! The reason why a model does not work for other input shapes, in words: the first layer that rejects them, and the
//! constants to blame.

use super::why::one_line;
use crate::analysis::Model;
use crate::diagnostic::{Diagnostic, Runtime};
use crate::query::what_if::{FirstBroken, Obstacles, first_broken};
use crate::text::plural;
use std::path::Path;

/// Returns the notes for the finding about this layer; `weights` is the weights file.
pub fn notes(first: &FirstBroken, weights: Option<&Path>) -> Vec<String> {
    let mut notes = vec!["with these input shapes, this layer is the first to fail".to_owned()];
    notes.extend(pins(first, weights));
    if first.more > 0 {
        notes.push(format!("and by {} more constant{}", first.more, plural(first.more)));
    }
    notes
}

/// Returns the constants that make the layer reject the shapes, one line each.
pub fn pins(first: &FirstBroken, weights: Option<&Path>) -> Vec<String> {
    first.constants.iter().map(|reason| format!("because of {}", one_line(reason, weights))).collect()
}

/// Describes why the model does not work: a line for the error, and one for each constant that causes it; `None` if the
/// model works.
pub fn breaks(model: &Model) -> Option<Vec<String>> {
    let obstacles = Obstacles::of(model);
    let finding = |index: usize| model.findings().get(index);
    if let Some(first) = obstacles.of_file.first().and_then(|index| finding(*index)) {
        let verdict = match first.runtime {
            Runtime::NotCompiled => "does not compile the file",
            Runtime::MayNotCompile => "may not compile the file",
            Runtime::Unknown => "may refuse the file",
            _ => "refuses the file",
        };
        return Some(vec![format!("OpenVINO {verdict} whatever the input shapes: {}", located(model, first))]);
    }
    let broken = first_broken(model, &obstacles);
    let index = broken.as_ref().map(|broken| broken.finding).or(obstacles.of_shapes.first().copied());
    let mut lines = vec![format!("fails at {}", located(model, index.and_then(finding)?))];
    lines.extend(broken.iter().flat_map(|broken| pins(broken, model.weights().path.as_deref())));
    Some(lines)
}

/// Formats a finding on one line: ``"`add` (Add), line 7: shapes [2] and [3] do not broadcast"``.
fn located(model: &Model, finding: &Diagnostic) -> String {
    let layer = finding.layer.as_ref();
    let line = model.source().position(layer.map_or(finding.primary.span, |layer| layer.span).start).line;
    let name = layer.map(|layer| format!("`{}` ({}), ", layer.name, layer.ty)).unwrap_or_default();
    format!("{name}line {line}: {}", finding.message.shown())
}
