//! Reshapes to the largest number of a type, which OpenVINO reads as an unbounded dimension.

use super::{Checked, for_every_graph};
use crate::diagnostic::{Diagnostic, Runtime, Sink};
use crate::ir::{Kind, Layer, OutputRef};
use crate::ops::rules::INPUT_VALUE;
use crate::ops::{Action, largest_index};
use petgraph::visit::{Dfs, Reversed, VisitMap};
use smallvec::SmallVec;

pub(super) fn check(checked: &Checked, sink: &mut Sink) {
    if !checked.options.no_infer {
        for_every_graph(checked, &mut |checked| check_graph(checked, sink));
    }
}

/// Reports such a dimension if a later Reshape divides by the other dimensions to resolve a -1.
fn check_graph(checked: &Checked, sink: &mut Sink) {
    let graph = checked.scope.graph;
    let is_reshape: Vec<bool> = graph.kinds.iter().map(reshapes).collect();
    if !is_reshape.contains(&true) {
        return;
    }
    let reshapes = || {
        let of_kind = |layer: &Layer| is_reshape.get(layer.kind as usize) == Some(&true);
        graph.entries().filter(move |(_, layer)| of_kind(layer))
    };
    let largest: Vec<_> = reshapes().filter_map(|(index, layer)| Some((index, largest(checked, layer)?))).collect();
    if largest.is_empty() {
        return;
    }
    let divides = |(_, shape): (_, SmallVec<[i64; 4]>)| shape.contains(&-1);
    let dividing = reshapes().filter(|(_, layer)| target_of(checked, layer).is_some_and(divides));
    // The dividing layers and all layers that lead to them.
    let mut before = Dfs::empty(&graph.dag);
    before.stack = dividing.map(|(index, _)| index.node()).collect();
    while before.next(Reversed(&graph.dag)).is_some() {}
    for (index, (at, largest)) in largest {
        let Some(layer) = graph.layer(index) else { continue };
        if !graph.dag.neighbors(index.node()).any(|next| before.discovered.is_visited(&next)) {
            continue;
        }
        let message = format!("`shape` is {largest} at position {at}, wanted at most {}", largest - 1);
        let finding = Diagnostic::new(&INPUT_VALUE, layer.tag, message).runtime(Runtime::Unknown);
        let note =
            "OpenVINO takes it for a dimension that is not known, and a -1 of a Reshape behind may have no length";
        sink.report(checked.about(layer, finding.note(note)));
    }
}

fn reshapes(kind: &Kind) -> bool {
    kind.spec().is_some_and(|spec| spec.action == Action::Reshapes)
}

/// The index and the value of the largest number in the target of a Reshape.
fn largest(checked: &Checked, reshape: &Layer) -> Option<(usize, i64)> {
    let (source, shape) = target_of(checked, reshape)?;
    let largest = largest_index(checked.facts.output(source)?.ty);
    Some((shape.iter().position(|length| *length == largest)?, largest))
}

/// The target shape of a Reshape, with the output that it comes from.
fn target_of(checked: &Checked, reshape: &Layer) -> Option<(OutputRef, SmallVec<[i64; 4]>)> {
    let source = checked.scope.graph.inputs(reshape).get(1)?.source()?;
    Some((source, checked.facts.output(source)?.value.as_deref()?.exact_integers()?))
}
