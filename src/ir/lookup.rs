//! Lookup of layers, inputs and tensors by the names that users give.

mod find;
mod suggest;

pub(crate) use find::Named;

use super::{Graph, Layer, Role};
use crate::ir::LayerId;
use crate::source::Source;
use find::Finder;
use suggest::Suggester;

/// The error of any lookup in a file that is not an IR.
pub(crate) const NO_MODEL: &str = "the file could not be read as an IR; run `ovlint check` to see why";

/// Returns the error for an unknown name.
pub(crate) fn unknown(wanted: Wanted, name: &str) -> String {
    format!("the model has no {} `{name}`", wanted.noun())
}

/// The kind of thing that a name must refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Any layer; a tensor name refers to its producer.
    Layer,
    /// A constant.
    Constant,
    /// An input of the model.
    Input,
    /// An output of a layer. The name of a layer refers to its first output; the name of a Result, to the tensor it reads.
    Tensor,
}

impl Wanted {
    /// Returns the noun for messages.
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

/// Finds the Parameter with a name, or with a tensor of that name.
pub(crate) fn input(graph: &Graph, source: &Source, name: &str) -> Result<LayerId, String> {
    find(graph, source, name, Wanted::Input).map(|named| named.index)
}

/// Finds the only layer or output that a name refers to, or returns an error with suggestions.
pub(crate) fn find(graph: &Graph, source: &Source, name: &str, wanted: Wanted) -> Result<Named, String> {
    let mut all = Finder { source, wanted }.candidates(graph, name);
    match all.len() {
        0 => Err(Suggester { source, wanted }.unknown(graph, name)),
        1 => all.pop().ok_or_else(|| unknown(wanted, name)),
        _ => Err(Suggester { source, wanted }.ambiguous(graph, name, &all)),
    }
}
