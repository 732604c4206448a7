//! An index of findings by their layer, for searches of `causes` among the findings of one layer.

use crate::diagnostic::{Diagnostic, FindingId, Sink};
use crate::ir::Layer;

/// Findings sorted by the start of their layer's tag, including layers of bodies.
#[derive(Debug, Default)]
pub(super) struct ByLayer(Vec<(u32, FindingId)>);

impl ByLayer {
    /// Collects the findings of a sink for which `wanted` holds.
    pub(super) fn new(sink: &Sink, wanted: impl Fn(FindingId, &Diagnostic) -> bool) -> Self {
        let wanted = sink.numbered().filter(|(id, finding)| wanted(*id, finding));
        let mut all: Vec<(u32, FindingId)> =
            wanted.filter_map(|(id, finding)| Some((finding.layer.as_ref()?.span.start, id))).collect();
        all.sort_unstable();
        Self(all)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the findings about a layer, in the order of their numbers. No two layers start at the same byte.
    pub(super) fn of(&self, layer: &Layer) -> impl Iterator<Item = FindingId> {
        let start = self.0.partition_point(|(at, _)| *at < layer.tag.start);
        let all = self.0.get(start..).unwrap_or_default().iter();
        all.take_while(|(at, _)| *at == layer.tag.start).map(|(_, id)| *id)
    }
}
