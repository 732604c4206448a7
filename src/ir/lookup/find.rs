//! The layers and outputs that a name may mean: the name of a layer, `name:port`, the name of a tensor, an id, or a path into
//! a body.

use super::Wanted;
use crate::ir::{BodyKind, Graph, Id, Layer, LayerId, Port, Role, name_list};
use crate::source::Source;

/// A layer or one of its outputs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Named {
    /// The layers and bodies around it, outermost first.
    pub(crate) path: Vec<(LayerId, BodyKind)>,
    /// The layer in its graph.
    pub(crate) index: LayerId,
    /// The output; 0 if a layer is wanted.
    pub(crate) output: u32,
}

/// One interpretation of a name.
type Way<'w> = &'w dyn Fn() -> Vec<Named>;

pub(super) struct Finder<'a> {
    pub(super) source: &'a Source,
    pub(super) wanted: Wanted,
}

impl Finder<'_> {
    /// Returns all candidates of the first interpretation that has any, in file order.
    pub(super) fn candidates(&self, graph: &Graph, name: &str) -> Vec<Named> {
        let numbered = name.rsplit_once(':').and_then(|(layer, port)| Some((layer, port.parse::<u64>().ok()?)));
        let called =
            |name: &str, port| self.of_layers(graph, port, &|layer: &Layer| layer.is_called(self.source, name));
        let with_id = |id: &str, port| {
            let Ok(id) = id.parse::<u64>() else { return Vec::new() };
            self.of_layers(graph, port, &|layer: &Layer| layer.id.map(Id::get) == Some(id))
        };
        let of_output = |ways: &dyn Fn(&str, Option<u64>) -> Vec<Named>| {
            numbered.map(|(layer, port)| ways(layer, Some(port))).unwrap_or_default()
        };
        let [layers, outputs, tensors]: [Way; 3] =
            [&|| called(name, None), &|| of_output(&called), &|| self.of_tensors(graph, name)];
        let [ids, outputs_of_ids, bodies]: [Way; 3] =
            [&|| with_id(name, None), &|| of_output(&with_id), &|| self.in_bodies(graph, name)];
        // Exporters use numbers as tensor names. If a layer is wanted, a number is its id first.
        let ways = match self.wanted {
            Wanted::Tensor | Wanted::Input => [layers, outputs, tensors, ids, outputs_of_ids, bodies],
            Wanted::Layer | Wanted::Constant => [layers, ids, outputs, outputs_of_ids, tensors, bodies],
        };
        let mut found = ways.iter().map(|way| way()).find(|found| !found.is_empty()).unwrap_or_default();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns the chosen layers, with the output of a port number if there is one.
    fn of_layers(&self, graph: &Graph, port: Option<u64>, chosen: &dyn Fn(&Layer) -> bool) -> Vec<Named> {
        let layers = graph.entries().filter(|(_, layer)| self.wanted.admits(graph, layer));
        let layers = layers.filter(|(_, layer)| chosen(layer));
        layers.filter_map(|(index, layer)| self.output(graph, index, layer, port)).collect()
    }

    fn output(&self, graph: &Graph, index: LayerId, layer: &Layer, port: Option<u64>) -> Option<Named> {
        let outputs = graph.outputs(layer);
        let by_id = |port| outputs.iter().position(|one| one.id.is_some_and(|id| id.get() == port));
        let at = match port {
            None if self.wanted != Wanted::Tensor => Some(0),
            _ if graph.kind(layer).role == Role::Result => return self.of_result(graph, index, layer, port),
            None => (!outputs.is_empty()).then_some(0),
            Some(port) => usize::try_from(port).ok().filter(|at| *at < outputs.len()).or_else(|| by_id(port)),
        };
        Some(Named { path: Vec::new(), index, output: u32::try_from(at?).ok()? })
    }

    /// Resolves a Result: to its producer's output if a tensor is wanted.
    fn of_result(&self, graph: &Graph, index: LayerId, layer: &Layer, port: Option<u64>) -> Option<Named> {
        if port.is_some_and(|port| port != 0) {
            return None;
        }
        if self.wanted != Wanted::Tensor {
            return Some(Named { path: Vec::new(), index, output: 0 });
        }
        let output = graph.inputs(layer).first().and_then(Port::source)?;
        Some(Named { path: Vec::new(), index: output.layer, output: output.output })
    }

    /// Finds outputs with a tensor of that name, and Results with it in `output_names`.
    fn of_tensors(&self, graph: &Graph, name: &str) -> Vec<Named> {
        let mut found = Vec::new();
        let has = |tag, attribute| name_list(self.source, tag, attribute).iter().any(|one| one == name);
        for (index, layer) in graph.entries().filter(|(_, layer)| self.wanted.admits(graph, layer)) {
            for (output, port) in (0_u32..).zip(graph.outputs(layer)) {
                if has(port.tag, "names") {
                    found.push(Named { path: Vec::new(), index, output });
                }
            }
            if graph.kind(layer).role == Role::Result && has(layer.tag, "output_names") {
                found.extend(self.of_result(graph, index, layer, None));
            }
        }
        found
    }

    /// Finds `loop/body/name`, with the name or id of the loop.
    fn in_bodies(&self, graph: &Graph, name: &str) -> Vec<Named> {
        let mut found = Vec::new();
        if self.wanted == Wanted::Input {
            return found;
        }
        for (index, layer) in graph.entries() {
            let Some(subgraph) = &layer.subgraph else { continue };
            let own = graph.full_name(self.source, layer);
            let id = layer.id.map(|id| id.to_string()).unwrap_or_default();
            for body in &subgraph.bodies {
                let inner = [own.as_ref(), &id].into_iter().filter(|around| !around.is_empty()).find_map(|around| {
                    name.strip_prefix(around)?.strip_prefix('/')?.strip_prefix(body.kind.name())?.strip_prefix('/')
                });
                let inside = inner.map(|inner| self.candidates(&body.graph, inner)).unwrap_or_default();
                found.extend(inside.into_iter().map(|named| Named {
                    path: std::iter::once((index, body.kind)).chain(named.path).collect(),
                    ..named
                }));
            }
        }
        found
    }
}
