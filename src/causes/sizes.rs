//! The size of a Const, where it is that of a port with another shape or type: the finding about the size is the cause.

use super::by_layer::ByLayer;
use crate::diagnostic::{Direction, FindingId, Sink};
use crate::ir::{Graph, Layer, Port};
use crate::lint::declared::{Declared, Mismatch, Report};
use crate::lint::rules::{CONST_SIZE_EXCESS, CONST_SIZE_MISMATCH};
use crate::lint::sized::declared_of_size;
use crate::lint::{Checked, for_every_graph};

/// Links the findings about ports that declare what has the size of their Const.
pub(super) fn find(checked: &Checked, declared: &Declared, sink: &mut Sink) {
    let sizes = ByLayer::new(sink, |_, finding| [&CONST_SIZE_EXCESS, &CONST_SIZE_MISMATCH].contains(&finding.rule));
    if sizes.is_empty() {
        return;
    }
    let mut follows: Vec<(FindingId, FindingId)> = Vec::new();
    for_every_graph(checked, &mut |checked| {
        let graph = checked.scope.graph;
        let wrong = declared.of(graph).map(|wrong| wrong.all.as_slice()).unwrap_or_default();
        follows.extend(wrong.iter().filter_map(|mismatch| {
            let Report::Made(finding) = mismatch.report else { return None };
            let (port, holder) = ends(graph, mismatch)?;
            let cause = sizes.of(holder).next()?;
            let size = graph.constant(holder)?.size;
            declared_of_size(checked, holder, size).filter(|(tag, _)| *tag == port.tag).map(|_| (finding, cause))
        }));
    });
    for (finding, cause) in follows {
        if sink.cause(finding).is_none() {
            sink.hand_over(finding, cause);
        }
    }
}

/// The port of a mismatch, and the layer that gives its value.
fn ends<'a>(graph: &'a Graph, mismatch: &Mismatch) -> Option<(&'a Port, &'a Layer)> {
    let layer = graph.layer(mismatch.layer)?;
    let port = graph.ports(layer, mismatch.direction).get(mismatch.port)?;
    match mismatch.direction {
        Direction::Input => Some((port, graph.layer(port.source()?.layer)?)),
        Direction::Output => Some((port, layer)),
    }
}
