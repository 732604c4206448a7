//! The findings about each layer of a file.

use crate::diagnostic::{Diagnostic, FindingId, Sink};
use crate::ir::Layer;

/// Findings by the layers that they are about, those of bodies included.
#[derive(Debug, Default)]
pub(super) struct ByLayer(Vec<(u32, FindingId)>);

impl ByLayer {
    /// The findings of a sink that are `wanted`.
    pub(super) fn new(sink: &Sink, wanted: impl Fn(FindingId, &Diagnostic) -> bool) -> Self {
        let wanted = sink.numbered().filter(|(id, finding)| wanted(*id, finding));
        let mut all: Vec<(u32, FindingId)> =
            wanted.filter_map(|(id, finding)| Some((finding.layer.as_ref()?.span.start, id))).collect();
        all.sort_unstable();
        Self(all)
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The findings about a layer, in the order of their numbers. No two layers start at the same byte.
    pub(super) fn of(&self, layer: &Layer) -> impl Iterator<Item = FindingId> {
        let start = self.0.partition_point(|(at, _)| *at < layer.tag.start);
        let all = self.0.get(start..).unwrap_or_default().iter();
        all.take_while(|(at, _)| *at == layer.tag.start).map(|(_, id)| *id)
    }
}
