//! Slices of a TensorIterator that yield different numbers of iterations.

use super::{Checked, for_every_graph};
use crate::diagnostic::{Diagnostic, Direction, Group, Rule, Severity, Sink};
use crate::infer::bodies::rules::BAD_PORT_MAP;
use crate::ir::{Layer, LayerId, PortMapEntry, Slice};
use crate::ops::WithBodies;
use crate::source::Span;
use crate::types::from_front;
use std::collections::BTreeSet;

pub(crate) static DOUBTFUL_ITERATIONS: Rule = Rule::error(
    Group::Graph,
    "doubtful-iterations",
    "the port map of a TensorIterator does not fit its iterations",
    "In every iteration, a TensorIterator reads one slice of each input that has an `axis`, and writes one slice of \
     each such output. `start`, `end`, `stride` and `part_size` of all of them must yield the same number of \
     iterations.\n\n\
     Without a back edge, inputs that are not sliced are the same in every iteration, and iterations pass nothing to \
     each other.\n\n\
     Correct the port map, or add the back edges.",
)
.accepted(Severity::Warning)
.opt_in();

pub(super) fn check(checked: &Checked, sink: &mut Sink) {
    if !checked.options.enables(&DOUBTFUL_ITERATIONS) {
        return;
    }
    let reported = sink.findings().iter().filter(|finding| finding.rule == &BAD_PORT_MAP);
    let reported: BTreeSet<Span> = reported.filter_map(|finding| Some(finding.layer.as_ref()?.span)).collect();
    for_every_graph(checked, &mut |checked| {
        let graph = checked.scope.graph;
        for (index, layer) in graph.entries() {
            let is_iterator = graph.kind(layer).with_bodies() == Some(WithBodies::TensorIterator);
            if is_iterator && !reported.contains(&layer.tag) {
                check_layer(checked, index, layer, sink);
            }
        }
    });
}

fn check_layer(checked: &Checked, index: LayerId, layer: &Layer, sink: &mut Sink) {
    let Some(subgraph) = &layer.subgraph else { return };
    let name = checked.scope.graph.name(checked.scope.source, layer);
    let report = |finding: Diagnostic, sink: &mut Sink| {
        sink.report(checked.about(layer, finding).label(layer.tag, "in this TensorIterator layer"));
    };
    if subgraph.back_edges.is_empty() {
        let message = format!("TensorIterator `{name}` has no back edge, so iterations pass nothing to each other");
        sink.report(checked.about(layer, Diagnostic::new(&DOUBTFUL_ITERATIONS, layer.tag, message)));
    }
    let mut first: Option<(&PortMapEntry, i64)> = None;
    for entry in &subgraph.port_map {
        let Some((slice, length)) = entry.slice.zip(length(checked, index, layer, entry)) else { continue };
        let Some(count) = count(&slice, length) else {
            let Slice { axis, start, end, stride, .. } = slice;
            let cut = format!("`start` {start}, `end` {end} and `stride` {stride} cut no equal slices");
            let message = format!("{cut} from {length} elements along axis {axis}");
            let finding = Diagnostic::new(&DOUBTFUL_ITERATIONS, entry.tag, message);
            return report(finding.note("OpenVINO reads the file, but its CPU plugin does not compile it"), sink);
        };
        let Some((other, wanted)) = first else {
            first = Some((entry, count));
            continue;
        };
        if count != wanted {
            let message = format!("this makes {count} iterations, an earlier entry {wanted}");
            let finding = Diagnostic::new(&DOUBTFUL_ITERATIONS, entry.tag, message).label(other.tag, "the earlier one");
            return report(finding.note("OpenVINO reads the file, but its CPU plugin does not compile it"), sink);
        }
    }
}

/// The dimension that an entry slices, if it is known.
fn length(checked: &Checked, index: LayerId, layer: &Layer, entry: &PortMapEntry) -> Option<i64> {
    let (graph, slice, external) = (checked.scope.graph, entry.slice?, entry.external_port?);
    let fact = match entry.direction {
        Direction::Input => checked.facts.of_port(graph.inputs(layer).get(usize::try_from(external).ok()?)?)?,
        Direction::Output => {
            // Outputs are numbered in the order of their port ids.
            let all = layer.subgraph.as_ref()?.port_map.iter();
            let before =
                all.filter(|other| other.direction == Direction::Output && other.external_port < Some(external));
            checked.facts.outputs(index).get(before.count())?
        }
    };
    fact.shape.dims()?.get(from_front(slice.axis, fact.rank()?)?)?.length()
}

/// The number of slices that the CPU plugin cuts; `None` if it rejects the entry.
fn count(slice: &Slice, length: i64) -> Option<i64> {
    let position =
        |position: i64| if position < 0 { position.checked_add(length)?.checked_add(1) } else { Some(position) };
    let (start, end, step) = (position(slice.start)?, position(slice.end)?, slice.stride.checked_abs()?);
    let (low, high) = if slice.stride < 0 { (end, start) } else { (start, end) };
    let all = high.checked_sub(low)?;
    (low >= 0 && low < high && high <= length && step > 0 && all >= step && all % step == 0).then(|| all / step)
}

#[cfg(test)]
mod tests {
    use super::*;

    // Expected values: the CPU plugin of OpenVINO 2026.4.1, for an axis of 6 elements.
    #[test]
    fn slices_are_counted_from_start_to_end() {
        for (start, end, stride, slices) in [
            (0, -1, 1, Some(6)),
            (0, -1, 2, Some(3)),
            (0, -1, 3, Some(2)),
            (2, 4, 1, Some(2)),
            (1, 6, 1, Some(5)),
            (0, -2, 1, Some(5)),
            (-1, 0, -1, Some(6)),
            (0, -1, -1, None),
            (4, 1, 1, None),
            (0, 7, 1, None),
            (0, -1, 4, None),
        ] {
            let slice = Slice { axis: 1, start, end, stride, part_size: 1 };
            assert_eq!(count(&slice, 6), slices, "{start} {end} {stride}");
        }
    }
}
