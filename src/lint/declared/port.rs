//! The finding about a port with another shape than the inferred one.

use super::repair;
use crate::diagnostic::{Diagnostic, Direction, Label, Rule};
use crate::infer::{declared, declaring};
use crate::ir::{Graph, Layer, OutputRef, Port, dim_spans};
use crate::lint::Checked;
use crate::types::{Fact, bare_fact};

/// The maximum number of further dimensions that a finding shows.
const SHOWN_DIMS: usize = 16;

#[allow(clippy::too_many_arguments, reason = "the place of one port takes four of them")]
pub(super) fn shape_finding(
    checked: &Checked,
    layer: &Layer,
    direction: Direction,
    i: usize,
    port: &Port,
    fact: &Fact,
    rule: &'static Rule,
    differing: &[usize],
) -> Diagnostic {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    let mut reference = graph.port_ref(source, layer, direction, i);
    let dims = graph.dims(port);
    let spans = dim_spans(source, port);
    let (span, message, primary) = match differing.first() {
        Some(&dim) => {
            reference.dim = Some(dim);
            let (declared, inferred) = (dims.get(dim).copied().unwrap_or(-1), fact.shape.dim(dim));
            let text =
                format!("declared {declared}, inferred {inferred} (dim {dim} of {direction} port {})", reference.id);
            (spans.get(dim).copied().unwrap_or(port.tag), format!("{}: {text}", rule.summary), text)
        }
        None => {
            let declared = match dims.len() {
                0 => "no dimensions".to_owned(),
                1 => "1 dimension".to_owned(),
                count => format!("{count} dimensions"),
            };
            let inferred = fact.rank().map_or("an unknown rank".to_owned(), |rank| rank.to_string());
            let text = format!("{direction} port {} declares {declared}, but inference gives {inferred}", reference.id);
            (port.tag, text, String::new())
        }
    };
    let mut finding = checked.scope.about_part(layer, Diagnostic::new(rule, span, message)).primary(primary);
    for &dim in differing.iter().skip(1).take(SHOWN_DIMS) {
        if let Some(span) = spans.get(dim) {
            let (declared, inferred) = (dims.get(dim).copied().unwrap_or(-1), fact.shape.dim(dim));
            finding = finding.label(*span, format!("declared {declared}, inferred {inferred}"));
        }
    }
    finding.fix = repair::repair(checked, layer, port, fact);
    finding.declared = Some(show_beside(checked, port, fact));
    finding.inferred = Some(bare_fact(fact));
    finding.assumed = fact.assumed;
    if fact.assumed {
        let inputs = graph.inputs(layer).iter().enumerate();
        let sources = inputs.filter(|(input, _)| direction == Direction::Output || *input == i);
        finding.labels.extend(sources.filter_map(|(_, port)| port.source()).find_map(|from| basis(checked, from)));
    }
    finding.port(reference)
}

/// Returns a label on the output port whose declared shape an output is based on.
fn basis(checked: &Checked, output: OutputRef) -> Option<Label> {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    let declaring = declaring(graph, checked.facts, output)?;
    let (layer, output) = (graph.layer(declaring.layer)?, declaring.output as usize);
    let port = graph.outputs(layer).get(output)?;
    let (name, id) = (graph.name(source, layer), graph.port_ref(source, layer, Direction::Output, output).id);
    let declared = show_beside(checked, port, checked.facts.output(declaring)?);
    let text = format!("based on {declared}, which output port {id} of `{name}` declares");
    Some(Label::new(port.tag, text))
}

/// The declaration of a port; without dimensions it may be a scalar, and is one beside the fact of a scalar.
pub(super) fn declared_beside(graph: &Graph, port: &Port, fact: &Fact) -> Fact {
    let mut declared = declared(graph, port);
    if declared.rank().is_none() && fact.rank() == Some(0) {
        declared.shape = fact.shape.clone();
    }
    declared
}

/// Formats the declaration of a port like a fact.
pub(super) fn show_beside(checked: &Checked, port: &Port, fact: &Fact) -> String {
    bare_fact(&declared_beside(checked.scope.graph, port, fact))
}
