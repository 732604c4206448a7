//! Errors in a body that follow from what one of its Parameters declares: OpenVINO checks a body with its declarations before
//! it binds the tensors around it.

use crate::diagnostic::{Diagnostic, FindingId, Severity, Sink};
use crate::lint::rules::BODY_SHAPE_MISMATCH;
use crate::lint::{Checked, for_every_graph};
use petgraph::visit::{Dfs, VisitMap};

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
        for (root, start) in &roots {
            let Some(parameter) = graph.layer_at(*start) else { continue };
            let mut reached = Dfs::new(&graph.dag, parameter.node());
            while reached.next(&graph.dag).is_some() {}
            // The layers of a body stand inside the layer that has it.
            let is_after = |byte| graph.layer_around(byte).is_some_and(|at| reached.discovered.is_visited(&at.node()));
            follows.extend(errors.iter().filter(|(_, start)| is_after(*start)).map(|(error, _)| (*error, *root)));
        }
    });
    for (error, root) in follows {
        if sink.cause(error).is_none() {
            sink.follow(error, root);
        }
    }
}
