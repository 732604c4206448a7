//! The check for constants whose bytes in the weights partly overlap.

use crate::diagnostic::{Diagnostic, Sink};
use crate::ir::{Layer, unescape};
use crate::lint::rules::WEIGHTS_PARTIAL_OVERLAP;
use crate::lint::{Checked, for_every_graph};
use crate::source::Span;
use std::collections::BTreeMap;

/// The byte range of a constant, its `<data>` and its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Range {
    start: u64,
    end: u64,
    data: Span,
    name: Span,
}

/// The byte ranges of all constants.
#[derive(Default)]
pub(super) struct Ranges {
    /// Ranges that each start at or after the end of the one before, as OpenVINO writes them.
    rising: Vec<Range>,
    /// All others, except exact copies of the above: equal constants share their bytes.
    others: Vec<Range>,
}

impl Ranges {
    /// Adds the constant of a layer.
    pub(super) fn add(&mut self, start: u64, end: u64, layer: &Layer) {
        if start >= end {
            return;
        }
        let range = Range { start, end, data: layer.data, name: layer.name };
        if self.rising.last().is_none_or(|last| last.end <= start) {
            self.rising.push(range);
        } else if self.rising.binary_search_by_key(&(start, end), |range| (range.start, range.end)).is_err() {
            self.others.push(range);
        }
    }

    /// Reports every range that begins inside another and ends after it.
    pub(super) fn report(self, checked: &Checked, sink: &mut Sink) {
        if self.others.is_empty() {
            return;
        }
        let mut all = [self.rising, self.others].concat();
        all.sort_unstable();
        all.dedup_by_key(|range| (range.start, range.end));
        let named = |range: Range| unescape(checked.scope.source.slice(range.name));
        let mut widest: Option<Range> = None;
        let mut found: BTreeMap<Span, Diagnostic> = BTreeMap::new();
        for range in all {
            let Range { start, end, data, .. } = range;
            // A constant may share a part of a larger one; only a range that extends beyond it is odd.
            if let Some(other) = widest.filter(|other| start < other.end && end > other.end && start > other.start) {
                let (first, second) = (named(other), named(range));
                let message = format!("Const `{first}` and `{second}` overlap in bytes {start}..{}", other.end);
                let finding = Diagnostic::new(&WEIGHTS_PARTIAL_OVERLAP, data, message)
                    .primary(format!("`{second}` has {start}..{end}"))
                    .label(other.data, format!("`{first}` has {}..{}", other.start, other.end));
                found.insert(data, finding);
            }
            if widest.is_none_or(|other| end > other.end) {
                widest = Some(range);
            }
        }
        if found.is_empty() {
            return;
        }
        // The constants of all graphs share one file.
        for_every_graph(checked, &mut |checked| {
            for layer in &checked.scope.graph.layers {
                if let Some(finding) = found.remove(&layer.data) {
                    sink.report(checked.about(layer, finding));
                }
            }
        });
    }
}
