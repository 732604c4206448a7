//! Layers by the names that people use, in the net and in bodies.

use crate::infer::Facts;
use crate::ir::{BodyKind, Graph, Layer};
use crate::model::Model;

/// Chooses among layers.
pub type Filter<'f> = &'f dyn Fn(&Graph, &Layer) -> bool;

/// A layer of a net or of a body.
#[derive(Debug, Clone)]
pub struct Place<'a> {
    /// The graph that it stands in.
    pub graph: &'a Graph,
    /// What is known of that graph.
    pub facts: &'a Facts,
    /// `loop/body/` for a body.
    pub prefix: String,
    /// The layers and bodies around it, outermost first.
    pub path: Vec<(u32, BodyKind)>,
    /// Its place in the graph.
    pub index: u32,
    /// The layer.
    pub layer: &'a Layer,
}

impl<'a> Place<'a> {
    /// The layer called `name`, else the one with that id; `loop/body/name` for one in a body.
    ///
    /// `filter` chooses among layers of one name.
    pub fn find(model: &'a Model, name: &str, filter: Filter) -> Option<Self> {
        let (graph, facts) = (&model.net()?.graph, model.facts()?);
        Finder { model, filter }.find(graph, facts, name, String::new(), &[])
    }

    /// The layer of that name in a body, else the one whose name is most like `name`, if any is like it at all.
    pub fn nearest(model: &Model, name: &str, filter: Filter) -> Option<String> {
        let graph = &model.net()?.graph;
        let layers = graph.layers.iter().filter(|layer| filter(graph, layer));
        let names = layers.map(|layer| graph.name(model.source(), layer));
        let near = names.map(|known| (strsim::jaro_winkler(name, &known), known));
        let best = near.filter(|(likeness, _)| *likeness > 0.8).max_by(|a, b| a.0.total_cmp(&b.0));
        in_body(model, graph, name, "").or_else(|| best.map(|(_, known)| known.into_owned()))
    }
}

/// The layer of a body that has this name, with the bodies around it.
fn in_body(model: &Model, graph: &Graph, name: &str, prefix: &str) -> Option<String> {
    let source = model.source();
    let bodies = graph.layers.iter().flat_map(|layer| {
        let bodies = layer.subgraph.iter().flat_map(|subgraph| &subgraph.bodies);
        bodies.map(move |body| (layer, body))
    });
    bodies.into_iter().find_map(|(layer, body)| {
        let prefix = format!("{prefix}{}/{}/", graph.name(source, layer), body.kind.name());
        let has = body.graph.layers.iter().any(|layer| body.graph.full_name(source, layer) == name);
        if has { Some(format!("{prefix}{name}")) } else { in_body(model, &body.graph, name, &prefix) }
    })
}

struct Finder<'a, 'f> {
    model: &'a Model,
    filter: Filter<'f>,
}

impl<'a> Finder<'a, '_> {
    fn find(
        &self,
        graph: &'a Graph,
        facts: &'a Facts,
        name: &str,
        prefix: String,
        path: &[(u32, BodyKind)],
    ) -> Option<Place<'a>> {
        let source = self.model.source();
        let id: Option<u64> = name.parse().ok();
        let layers = || (0_u32..).zip(&graph.layers).filter(|(_, layer)| (self.filter)(graph, layer));
        let by_name = layers().find(|(_, layer)| graph.full_name(source, layer) == name);
        let by_id = || layers().find(|(_, layer)| id.is_some() && layer.id.map(crate::ir::Id::get) == id);
        if let Some((index, layer)) = by_name.or_else(by_id) {
            return Some(Place { graph, facts, prefix, path: path.to_vec(), index, layer });
        }
        for (index, layer) in (0_u32..).zip(&graph.layers) {
            for body in layer.subgraph.iter().flat_map(|subgraph| &subgraph.bodies) {
                let around = format!("{}/{}/", graph.full_name(source, layer), body.kind.name());
                let (Some(rest), Some(inner)) = (name.strip_prefix(&around), facts.body(index, body.kind)) else {
                    continue;
                };
                let path: Vec<_> = path.iter().copied().chain([(index, body.kind)]).collect();
                let found = self.find(&body.graph, inner, rest, format!("{prefix}{around}"), &path);
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }
}
