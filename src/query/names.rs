//! Lookup of layers and tensors by the names that people use, in the main graph and in bodies.

pub use crate::ir::lookup::Wanted;

use crate::analysis::Model;
use crate::infer::Facts;
use crate::ir::lookup::{self, NO_MODEL, Named, find};
use crate::ir::{BodyKind, Graph, Layer, LayerId, OutputRef};

/// A layer of the main graph or of a body.
#[derive(Debug, Clone)]
pub struct Place<'a> {
    /// The graph of the layer.
    pub graph: &'a Graph,
    /// The facts of that graph.
    pub facts: &'a Facts,
    /// The prefix of names in the graph: `loop/body/` in a body, empty in the main graph.
    pub prefix: String,
    /// The layers and bodies around it, outermost first.
    pub path: Vec<(LayerId, BodyKind)>,
    /// Its index in the graph.
    pub index: LayerId,
    /// The layer.
    pub layer: &'a Layer,
}

impl<'a> Place<'a> {
    /// Finds the layer that a name refers to.
    ///
    /// In order of preference: the name of the layer, its id, its output (`layer:0`), the name of a tensor. `loop/body/name`
    /// refers to a layer in a body. For inputs, tensor names take precedence over ids.
    pub fn find(model: &'a Model, name: &str, wanted: Wanted) -> Result<Self, String> {
        let net = model.net().ok_or(NO_MODEL)?;
        let named = find(&net.graph, model.source(), name, wanted)?;
        Self::of(model, &named.path, named.index).ok_or_else(|| lookup::unknown(wanted, name))
    }

    /// Returns the layer at `index` of the graph that `path` leads to.
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

/// A tensor of the main graph or of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tensor {
    /// The layers and bodies around it, outermost first.
    pub path: Vec<(LayerId, BodyKind)>,
    /// The output that produces it.
    pub output: OutputRef,
}

impl Tensor {
    /// Finds the tensor that a name refers to.
    ///
    /// In order of preference: the name of a layer, for its first output; `layer:output`, with the index or the port id of the
    /// output; the name of a tensor; and the first two with the id of a layer. `loop/body/name` refers to a tensor in a body. A
    /// Result stands for the tensor that it consumes.
    pub fn find(model: &Model, name: &str) -> Result<Self, String> {
        let net = model.net().ok_or(NO_MODEL)?;
        let Named { path, index: layer, output } = find(&net.graph, model.source(), name, Wanted::Tensor)?;
        Ok(Self { path, output: OutputRef { layer, output } })
    }
}

#[cfg(test)]
mod tests;
