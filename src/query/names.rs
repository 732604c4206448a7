//! Layers and tensors by the names that people use, in the net and in bodies.

mod error;
mod find;
mod suggest;

pub use error::{Candidate, NameError};

use crate::analysis::Model;
use crate::infer::Facts;
use crate::ir::{BodyKind, Graph, Layer, OutputRef, Role};
use crate::source::Source;
use find::{Finder, Named};
use suggest::Suggester;

/// What a name is to stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Any layer; a tensor stands for the layer that makes it.
    Layer,
    /// A constant.
    Constant,
    /// An input of the model.
    Input,
    /// An output of a layer; a layer stands for its first one, a Result for what it takes.
    Tensor,
}

impl Wanted {
    /// What it is called in messages.
    fn noun(self) -> &'static str {
        match self {
            Self::Layer => "layer",
            Self::Constant => "constant",
            Self::Input => "input",
            Self::Tensor => "layer or tensor",
        }
    }

    fn admits(self, graph: &Graph, layer: &Layer) -> bool {
        match self {
            Self::Layer | Self::Tensor => true,
            Self::Constant => graph.kind(layer).role == Role::Const,
            Self::Input => graph.kind(layer).role == Role::Parameter,
        }
    }
}

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
    /// The layer that a name means.
    ///
    /// That is the one called so, else the one with that id, with that output (`layer:0`), or with a tensor called so;
    /// `loop/body/name` is for one in a body. Of inputs, tensors come before ids.
    pub fn find(model: &'a Model, name: &str, wanted: Wanted) -> Result<Self, NameError> {
        let (Some(net), Some(mut facts)) = (model.net(), model.facts()) else { return Err(NameError::NoModel) };
        let named = find(&net.graph, model.source(), name, wanted)?;
        let (mut graph, mut prefix) = (&net.graph, String::new());
        let unknown = || NameError::unknown(wanted, name);
        for (around, kind) in &named.path {
            let layer = graph.layer(*around).ok_or_else(unknown)?;
            prefix = format!("{prefix}{}/{}/", graph.full_name(model.source(), layer), kind.name());
            facts = facts.body(*around, *kind).ok_or_else(unknown)?;
            graph = layer.subgraph.as_ref().and_then(|all| all.body(*kind)).ok_or_else(unknown)?;
        }
        let layer = graph.layer(named.index).ok_or_else(unknown)?;
        Ok(Self { graph, facts, prefix, path: named.path, index: named.index, layer })
    }
}

/// A tensor of a net or of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tensor {
    /// The layers and bodies around it, outermost first.
    pub path: Vec<(u32, BodyKind)>,
    /// The output that it is.
    pub output: OutputRef,
}

impl Tensor {
    /// The tensor that a name means.
    ///
    /// That is the first output of the layer called so, else `layer:output` by position or by the id of the port, the
    /// name of a tensor, or the same with the id of a layer; `loop/body/name` is for one in a body. A Result stands for
    /// what it takes.
    pub fn find(model: &Model, name: &str) -> Result<Self, NameError> {
        let net = model.net().ok_or(NameError::NoModel)?;
        let Named { path, index: layer, output } = find(&net.graph, model.source(), name, Wanted::Tensor)?;
        Ok(Self { path, output: OutputRef { layer, output } })
    }
}

/// The place of the Parameter that a name means: its own, or that of its tensor.
pub(crate) fn input(graph: &Graph, source: &Source, name: &str) -> Result<u32, NameError> {
    find(graph, source, name, Wanted::Input).map(|named| named.index)
}

fn find(graph: &Graph, source: &Source, name: &str, wanted: Wanted) -> Result<Named, NameError> {
    let mut all = Finder { source, wanted }.all(graph, name);
    match all.len() {
        0 => Err(Suggester { source, wanted }.unknown(graph, name)),
        1 => all.pop().ok_or_else(|| NameError::unknown(wanted, name)),
        _ => Err(Suggester { source, wanted }.ambiguous(graph, name, &all)),
    }
}

#[cfg(test)]
mod tests;
