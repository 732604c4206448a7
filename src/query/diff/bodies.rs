//! The differences of two layers in how they are connected with their bodies: port maps and back edges.

use super::matching::Matched;
use crate::arrange::Arrange;
use crate::ir::{BodyKind, Graph, Layer, LayerId, PortMapEntry, Subgraph, unescape};
use crate::source::Source;

/// A port map entry, with the inner layer as its index in the new graph.
type Entry = (BodyKind, u8, Option<i64>, Option<LayerId>, Option<[i64; 5]>, String);

/// Reports port maps and back edges that differ.
pub(super) fn changes(
    old: (&Layer, &Source),
    new: (&Layer, &Source),
    place: LayerId,
    matched: &Matched,
) -> Vec<String> {
    let (Some(was), Some(is)) = (&old.0.subgraph, &new.0.subgraph) else { return Vec::new() };
    let counterpart = |kind, index| matched.bodies.get(&(place, kind)).and_then(|inner| inner.in_new(index));
    let before = entries(was, old.1, &|kind, id| counterpart(kind, index_of(was.body(kind)?, id)?));
    let now = entries(is, new.1, &|kind, id| index_of(is.body(kind)?, id));
    let mut details = Vec::new();
    details.extend((before != now).then(|| "port map changed".to_owned()));
    let edges = |subgraph: &Subgraph, index: &dyn Fn(u64) -> Option<LayerId>| {
        let mut all: Vec<_> = subgraph.back_edges.iter().map(|(from, to, _)| (index(*from), index(*to))).collect();
        all.sort_unstable();
        all
    };
    let kind = BodyKind::Body;
    let before = edges(was, &|id| counterpart(kind, index_of(was.body(kind)?, id)?));
    let now = edges(is, &|id| index_of(is.body(kind)?, id));
    details.extend((before != now).then(|| "back edges changed".to_owned()));
    details
}

fn index_of(graph: &Graph, id: u64) -> Option<LayerId> {
    let found = graph.layers.iter().position(|layer| layer.id.is_some_and(|own| own.get() == id))?;
    Some(LayerId::new(found))
}

fn entries(subgraph: &Subgraph, source: &Source, index: &dyn Fn(BodyKind, u64) -> Option<LayerId>) -> Vec<Entry> {
    let entry = |entry: &PortMapEntry| {
        let inside = entry.internal_layer.and_then(|id| index(entry.body, id));
        let slice = entry.slice.map(|cut| [cut.axis, cut.start, cut.end, cut.stride, cut.part_size]);
        let purpose = unescape(source.slice(entry.purpose)).into_owned();
        (entry.body, entry.direction as u8, entry.external_port, inside, slice, purpose)
    };
    let mut all: Vec<Entry> = subgraph.port_map.iter().map(entry).collect();
    all.arrange();
    all
}
