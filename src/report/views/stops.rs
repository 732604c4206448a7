//! The marks of shapes that are not inferred, and the layers where inference stops in words, for all pages with shapes.

use crate::query::stops::{Stop, Stops};
use crate::text::counted;
use crate::text::escape::line as clean;
use crate::types::Basis;

/// The maximum number of layers that are named.
const SHOWN: usize = 5;

/// The meaning of the mark of declared shapes.
pub(super) const MEANING: &str =
    "(declared) means that the shape is declared in the file or inferred from declared shapes";

/// Returns the mark of a shape that does not follow from inference alone.
pub(super) fn mark(basis: Basis) -> &'static str {
    match basis {
        Basis::Inferred => "",
        Basis::Declared => " (declared)",
        Basis::Unknown => " (unknown)",
    }
}

/// Returns a line for each of the first layers where inference stops.
pub(super) fn lines(stops: &Stops) -> Vec<String> {
    first(stops, SHOWN)
}

/// Returns a line for each of the first `shown` layers where inference stops, and the number of the others.
pub(super) fn first(stops: &Stops, shown: usize) -> Vec<String> {
    let mut lines: Vec<String> = stops
        .layers
        .iter()
        .take(shown)
        .map(|stop| format!("{} {}", if stop.is_assumed { "inference stops at" } else { "error in" }, one(stop)))
        .collect();
    let more = stops.layers.len().saturating_sub(shown);
    lines.extend((more > 0).then(|| format!("and at {}", counted(more, "more layer"))));
    if let Some((count, reason)) = &stops.constants {
        let what = if *count == 1 { "constant that shapes depend on" } else { "constants that shapes depend on" };
        lines.push(clean(&format!("{count} {what} cannot be read: {reason}"), 240));
    }
    lines
}

/// Formats a stop: ``` `vsplit` (VariadicSplit, line 27): split lengths add up to 7, but axis 0 of the input is 6 ```
fn one(stop: &Stop) -> String {
    clean(&format!("`{}` ({}, line {}): {}", stop.layer, stop.ty, stop.line, stop.reason.shown()), 240)
}
