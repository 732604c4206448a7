//! From the names that people use to tensors.

use crate::ir::{BodyKind, Graph, OutputRef, Port, Role, find_attribute, unescape};
use crate::model::Model;
use crate::source::Source;

/// A tensor of a net or of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tensor {
    /// The layers and bodies around it, outermost first.
    pub path: Vec<(u32, BodyKind)>,
    /// The output that it is.
    pub output: OutputRef,
}

impl Tensor {
    /// The tensor of a name: `layer`, `layer:output` by position, else by the id of the port, or a tensor name;
    /// `loop/body/name` for one in a body. A Result stands for what it takes.
    pub fn find(model: &Model, name: &str) -> Option<Self> {
        let mut path = Vec::new();
        let output = find(&model.net()?.graph, model.source(), name, &mut path)?;
        Some(Self { path, output })
    }
}

fn find(graph: &Graph, source: &Source, name: &str, path: &mut Vec<(u32, BodyKind)>) -> Option<OutputRef> {
    let numbered = name.rsplit_once(':').and_then(|(layer, port)| Some((layer, port.parse::<u64>().ok()?)));
    let by_layer = [Some((name, None)), numbered.map(|(layer, port)| (layer, Some(port)))];
    for (wanted, port) in by_layer.into_iter().flatten() {
        for (index, layer) in (0_u32..).zip(&graph.layers) {
            if graph.full_name(source, layer) != wanted {
                continue;
            }
            if graph.kind(layer).role == Role::Result {
                return graph.inputs(layer).first().and_then(Port::source);
            }
            let outputs = graph.outputs(layer);
            let by_id = |port| outputs.iter().position(|one| one.id.is_some_and(|id| id.get() == port));
            let output = match port {
                None => Some(0),
                Some(port) => usize::try_from(port).ok().filter(|at| *at < outputs.len()).or_else(|| by_id(port)),
            };
            if let Some(output) = output.filter(|at| *at < outputs.len()).and_then(|at| u32::try_from(at).ok()) {
                return Some(OutputRef { layer: index, output });
            }
        }
    }
    for (index, layer) in (0_u32..).zip(&graph.layers) {
        for (output, port) in (0_u32..).zip(graph.outputs(layer)) {
            let names = find_attribute(source, port.tag, "names").map(|names| unescape(source.slice(names.value)));
            if names.is_some_and(|names| names.split(',').any(|one| one == name)) {
                return Some(OutputRef { layer: index, output });
            }
        }
    }
    for (index, layer) in (0_u32..).zip(&graph.layers) {
        for body in layer.subgraph.iter().flat_map(|subgraph| &subgraph.bodies) {
            let around = format!("{}/{}/", graph.full_name(source, layer), body.kind.name());
            let Some(inner) = name.strip_prefix(&around) else { continue };
            path.push((index, body.kind));
            if let Some(output) = find(&body.graph, source, inner, path) {
                return Some(output);
            }
            path.pop();
        }
    }
    None
}
