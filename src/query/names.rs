//! Layers and tensors by the names that people use, in the net and in bodies.

pub use crate::ir::lookup::Wanted;

use crate::analysis::Model;
use crate::infer::Facts;
use crate::ir::lookup::{self, NO_MODEL, Named, find};
use crate::ir::{BodyKind, Graph, Layer, LayerId, OutputRef};

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
    pub path: Vec<(LayerId, BodyKind)>,
    /// Its place in the graph.
    pub index: LayerId,
    /// The layer.
    pub layer: &'a Layer,
}

impl<'a> Place<'a> {
    /// The layer that a name means.
    ///
    /// That is the one called so, else the one with that id, with that output (`layer:0`), or with a tensor called so;
    /// `loop/body/name` is for one in a body. Of inputs, tensors come before ids.
    pub fn find(model: &'a Model, name: &str, wanted: Wanted) -> Result<Self, String> {
        let net = model.net().ok_or(NO_MODEL)?;
        let named = find(&net.graph, model.source(), name, wanted)?;
        Self::of(model, &named.path, named.index).ok_or_else(|| lookup::unknown(wanted, name))
    }

    /// The layer at a place of the graph at the end of a path.
    pub fn of(model: &'a Model, path: &[(LayerId, BodyKind)], index: LayerId) -> Option<Self> {
        let (mut graph, mut facts, mut prefix) = (&model.net()?.graph, model.facts()?, String::new());
        for (around, kind) in path {
            let layer = graph.layer(*around)?;
            prefix = format!("{prefix}{}/{}/", graph.full_name(model.source(), layer), kind.name());
            facts = facts.body(*around, *kind)?;
            graph = layer.subgraph.as_ref().and_then(|all| all.body(*kind))?;
        }
        Some(Self { graph, facts, prefix, path: path.to_vec(), index, layer: graph.layer(index)? })
    }
}

/// A tensor of a net or of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tensor {
    /// The layers and bodies around it, outermost first.
    pub path: Vec<(LayerId, BodyKind)>,
    /// The output that it is.
    pub output: OutputRef,
}

impl Tensor {
    /// The tensor that a name means.
    ///
    /// That is the first output of the layer called so, else `layer:output` by position or by the id of the port, the
    /// name of a tensor, or the same with the id of a layer; `loop/body/name` is for one in a body. A Result stands for
    /// what it takes.
    pub fn find(model: &Model, name: &str) -> Result<Self, String> {
        let net = model.net().ok_or(NO_MODEL)?;
        let Named { path, index: layer, output } = find(&net.graph, model.source(), name, Wanted::Tensor)?;
        Ok(Self { path, output: OutputRef { layer, output } })
    }
}

#[cfg(test)]
mod tests;
