//! The position of the walk: a graph with those around it, an output in it, and the aspect to explain; and their names for
//! people.

use super::Follower;
use crate::infer::Facts;
use crate::ir::{BodyKind, Graph, LayerId, OutputRef};
use crate::query::why::Aspect;
use crate::source::Lines;
use std::rc::Rc;

/// A graph and, for a body, the graph around it.
pub(super) struct Scene<'a> {
    pub(super) graph: &'a Graph,
    pub(super) facts: &'a Facts,
    /// The prefix of names: `loop/body/` for a body, empty for the main graph.
    pub(super) prefix: String,
    /// For a body: the outer graph, the layer that owns the body, and the kind of body.
    pub(super) around: Option<(Rc<Scene<'a>>, LayerId, BodyKind)>,
}

/// An aspect of a tensor of some graph.
#[derive(Clone)]
pub(super) struct Point<'a> {
    pub(super) scene: Rc<Scene<'a>>,
    pub(super) output: OutputRef,
    pub(super) aspect: Aspect,
}

impl<'a> Follower<'a> {
    pub(super) fn scene(
        &self,
        graph: &'a Graph,
        facts: &'a Facts,
        path: &[(LayerId, BodyKind)],
    ) -> Option<Rc<Scene<'a>>> {
        let mut scene = Rc::new(Scene { graph, facts, prefix: String::new(), around: None });
        for (layer, kind) in path {
            scene = self.inside(&scene, *layer, *kind)?;
        }
        Some(scene)
    }

    pub(super) fn inside(&self, scene: &Rc<Scene<'a>>, owner: LayerId, kind: BodyKind) -> Option<Rc<Scene<'a>>> {
        let (outer, layer) = (scene.graph, scene.graph.layer(owner)?);
        let graph = layer.subgraph.as_ref()?.body(kind)?;
        let prefix = format!("{}{}/{}/", scene.prefix, outer.name(self.model.source(), layer), kind.name());
        let facts = scene.facts.body(owner, kind)?;
        let around = Some((Rc::clone(scene), owner, kind));
        Some(Rc::new(Scene { graph, facts, prefix, around }))
    }

    /// Returns the name of a tensor for people.
    pub(super) fn name(&self, scene: &Scene, output: OutputRef) -> String {
        let Some(layer) = scene.graph.layer(output.layer) else { return String::new() };
        let name = scene.graph.name(self.model.source(), layer);
        let several = scene.facts.outputs(output.layer).len().max(scene.graph.outputs(layer).len()) > 1;
        let port = if several { format!(":{}", output.output) } else { String::new() };
        format!("{}{name}{port}", scene.prefix)
    }

    pub(super) fn line(&self, at: u32) -> u32 {
        self.lines.get_or_init(|| Lines::new(self.model.source())).position(at).line
    }

    pub(super) fn layer_name(&self, point: &Point) -> String {
        let layer = point.scene.graph.layer(point.output.layer);
        let name = layer.map(|layer| point.scene.graph.name(self.model.source(), layer)).unwrap_or_default();
        format!("{}{name}", point.scene.prefix)
    }
}
