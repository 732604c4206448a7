//! The declarations in a file of an IR version below 10, which OpenVINO no longer reads but `ovlint info` describes.

use super::End;
use crate::analysis::Model;
use crate::diagnostic::Sink;
use crate::infer::declared;
use crate::ir::rules::UNSUPPORTED_IR_VERSION;
use crate::ir::{Layer, Net, Role, find_attribute, read};
use crate::source::Source;
use crate::types::{ElementType, Fact};
use petgraph::Direction::Outgoing;

/// The file, read as one of version 10, with its inputs and its outputs.
pub(super) struct Older {
    pub(super) source: Source,
    pub(super) net: Net,
    pub(super) ends: (Vec<End>, Vec<End>),
}

/// Reads a model of an IR version below 10; `None` for any other.
pub(super) fn older(model: &Model) -> Option<Older> {
    let finding = model.findings().iter().find(|one| one.rule == &UNSUPPORTED_IR_VERSION)?;
    let version = model.source().text(finding.primary.span).parse().ok().filter(|version| *version < 10)?;
    let mut text = model.source().bytes().to_vec();
    text.splice(finding.primary.span.range(), *b"10");
    let source = Source::new(model.source().path(), text);
    let net = Net { version, ..read(&source, model.limits(), &mut Sink::new(model.limits().findings))? };
    let type_of = |layer: &Layer| {
        ElementType::from_port_text(&source.text(find_attribute(&source, layer.tag, "precision")?.value))
    };
    let (graph, mut inputs, mut outputs) = (&net.graph, Vec::new(), Vec::new());
    for (index, layer) in graph.entries().filter(|(_, layer)| graph.kind(layer).role != Role::Const) {
        let (kind, name) = (graph.kind(layer), graph.name(&source, layer));
        let used: Vec<u32> =
            graph.dag.edges_directed(index.node(), Outgoing).map(|edge| edge.weight().output).collect();
        let is_input = kind.role == Role::Parameter || kind.ty == "Input";
        let ports = if kind.role == Role::Result { graph.inputs(layer) } else { graph.outputs(layer) };
        // Most of these files have no Results: outputs are ports without consumers.
        for (i, port) in (0..).zip(ports).filter(|(i, _)| is_input || !used.contains(i)) {
            let layer_name = if ports.len() > 1 { format!("{name}.{i}") } else { name.to_string() };
            let ty = port.precision.or_else(|| type_of(layer)).unwrap_or(ElementType::Dynamic);
            let fact = Some(Fact { ty, ..declared(graph, port) });
            let end = End { layer: layer_name, tensors: Vec::new(), fact, symbolic: None };
            if is_input { inputs.push(end) } else { outputs.push(end) }
        }
    }
    Some(Older { ends: (inputs, outputs), source, net })
}
