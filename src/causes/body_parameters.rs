//! Errors in a body that follow from what one of its Parameters declares: OpenVINO checks a body with its declarations before
//! it binds the tensors around it.

use crate::diagnostic::{Diagnostic, FindingId, Severity, Sink};
use crate::lint::rules::BODY_SHAPE_MISMATCH;
use crate::lint::{Checked, for_every_graph};
use petgraph::graph::NodeIndex;
use petgraph::visit::Dfs;
use std::collections::BTreeMap;

/// Links each error that only the declarations cause to the wrong Parameter before it.
pub(super) fn find(checked: &Checked, sink: &mut Sink) {
    let starts = |is: fn(&Diagnostic) -> bool| {
        let errors = sink.numbered().filter(move |(_, one)| one.severity == Severity::Error && is(one));
        errors.filter_map(|(id, one)| Some((id, one.layer.as_ref()?.span.start))).collect::<Vec<_>>()
    };
    let errors = starts(|one| one.of_parameters);
    if errors.is_empty() {
        return;
    }
    let roots = starts(|one| one.rule == &BODY_SHAPE_MISMATCH);
    let mut follows: Vec<(FindingId, FindingId)> = Vec::new();
    for_every_graph(checked, &mut |checked| {
        let graph = checked.scope.graph;
        let mut first: BTreeMap<NodeIndex, FindingId> = BTreeMap::new();
        let mut search = Dfs::empty(&graph.dag);
        for (root, start) in &roots {
            let Some(parameter) = graph.layer_at(*start) else { continue };
            search.move_to(parameter.node());
            first.extend(std::iter::from_fn(|| search.next(&graph.dag)).map(|node| (node, *root)));
        }
        if first.is_empty() {
            return;
        }
        // The layers of a body stand inside the layer that has it.
        let before = |byte| first.get(&graph.layer_around(byte)?.node()).copied();
        follows.extend(errors.iter().filter_map(|(error, start)| Some((*error, before(*start)?))));
    });
    for (error, root) in follows {
        if sink.cause(error).is_none() {
            sink.follow(error, root);
        }
    }
}
