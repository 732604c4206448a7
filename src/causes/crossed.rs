//! Two edges whose targets are exchanged: each input declares exactly what the producer of the other one gives.
//!
//! Exchanged inputs of one layer are found in `lint/declared`.

use crate::diagnostic::{Amendment, Direction, FindingId, Label, Severity, Sink};
use crate::ir::{Graph, LayerId, Port};
use crate::lint::declared::{Declared, Mismatch, Report, fits};
use crate::lint::{Checked, for_every_graph};
use crate::types::Fact;
use petgraph::Direction::Incoming;

/// The maximum number of disagreeing inputs per graph that are compared with each other.
const COMPARED: usize = 32;

/// An input that disagrees with its producer.
struct Input<'a> {
    finding: FindingId,
    layer: LayerId,
    index: usize,
    port: &'a Port,
    /// The output of the producer.
    fact: &'a Fact,
}

/// Links the findings about two inputs whose edges are exchanged.
pub(super) fn find(checked: &Checked, declared: &Declared, sink: &mut Sink) {
    for_every_graph(checked, &mut |checked| {
        let graph = checked.scope.graph;
        let wrong = declared.of(graph).map(|wrong| wrong.all.as_slice()).unwrap_or_default();
        let inputs: Vec<Input> =
            wrong.iter().filter_map(|mismatch| input(checked, mismatch, sink)).take(COMPARED).collect();
        for (i, one) in inputs.iter().enumerate() {
            let Some(other) = partner(graph, &inputs, i).filter(|other| *other > i) else { continue };
            if partner(graph, &inputs, other) == Some(i) {
                report(checked, one, &inputs[other], sink);
            }
        }
    });
}

fn input<'a>(checked: &Checked<'a>, mismatch: &Mismatch, sink: &Sink) -> Option<Input<'a>> {
    let Mismatch { layer, direction, port: index, severity, report } = *mismatch;
    let Report::Made(finding) = report else { return None };
    if (direction, severity) != (Direction::Input, Severity::Error) || sink.cause(finding).is_some() {
        return None;
    }
    let graph = checked.scope.graph;
    let port = graph.inputs(graph.layer(layer)?).get(index)?;
    Some(Input { finding, layer, index, port, fact: checked.facts.of_port(port)? })
}

/// The index in `inputs` of the only input of another layer that would fit if exchanged with input `i`; `None` if there is none
/// or more than one.
fn partner(graph: &Graph, inputs: &[Input], i: usize) -> Option<usize> {
    let one = &inputs[i];
    let fit = |other: &Input| {
        other.layer != one.layer && fits(graph, one.port, other.fact) && fits(graph, other.port, one.fact)
    };
    let mut found = inputs.iter().enumerate().filter(|(_, other)| fit(other)).map(|(j, _)| j);
    found.next().filter(|_| found.next().is_none())
}

fn report(checked: &Checked, first: &Input, second: &Input, sink: &mut Sink) {
    let graph = checked.scope.graph;
    let shown = |input: &Input| {
        let layer = graph.layer(input.layer)?;
        let id = graph.port_ref(checked.scope.source, layer, Direction::Input, input.index).id;
        Some(format!("input port {id} of `{}`", graph.name(checked.scope.source, layer)))
    };
    let Some((one, other)) = shown(first).zip(shown(second)) else { return };
    for input in [first, second] {
        // Both edges are labelled on the first finding.
        let mut edges = graph.dag.edges_directed(input.layer.node(), Incoming);
        if let Some(edge) = edges.find(|edge| edge.weight().input as usize == input.index) {
            sink.amend(first.finding, Amendment::Suspect(Label::new(edge.weight().tag, "this edge")));
        }
        sink.amend(input.finding, Amendment::NoFix); // A fix would make the ports agree with the wrong edges.
    }
    let producer = |input: &Input| input.port.source().map(|source| source.layer);
    // No hint if both edges come from one producer: its output ports may be the wrong ones.
    if producer(first) != producer(second) {
        let help = format!("{one} and {other} would fit if exchanged: are their edges swapped?");
        sink.amend(first.finding, Amendment::Help(help.into()));
    }
    sink.hand_over(second.finding, first.finding);
}
