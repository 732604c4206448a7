//! Layers, inputs and tensors of a graph by the names that people use.

mod find;
mod suggest;

pub(crate) use find::Named;

use super::{Graph, Layer, Role};
use crate::ir::LayerId;
use crate::source::Source;
use find::Finder;
use suggest::Suggester;

/// What is said of names in a file that is no IR.
pub(crate) const NO_MODEL: &str = "the file could not be read as an IR; run `ovlint check` to see why";

/// The error of a name that nothing has.
pub(crate) fn unknown(wanted: Wanted, name: &str) -> String {
    format!("the model has no {} `{name}`", wanted.noun())
}

/// What a name must refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Any layer; the name of a tensor refers to the layer that produces it.
    Layer,
    /// A constant.
    Constant,
    /// An input of the model.
    Input,
    /// An output of a layer; the name of a layer refers to its first output, that of a Result to its input.
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

/// The place of the Parameter that a name means: its own, or that of its tensor.
pub(crate) fn input(graph: &Graph, source: &Source, name: &str) -> Result<LayerId, String> {
    find(graph, source, name, Wanted::Input).map(|named| named.index)
}

/// What a name means in a graph.
pub(crate) fn find(graph: &Graph, source: &Source, name: &str, wanted: Wanted) -> Result<Named, String> {
    let mut all = Finder { source, wanted }.all(graph, name);
    match all.len() {
        0 => Err(Suggester { source, wanted }.unknown(graph, name)),
        1 => all.pop().ok_or_else(|| unknown(wanted, name)),
        _ => Err(Suggester { source, wanted }.ambiguous(graph, name, &all)),
    }
}
