//! An edited model, and the reasons why a model is not edited.

use super::files::Bytes;
use crate::analysis::{InputShapes, Model};
use crate::diagnostic::{Diagnostic, Direction, Edit};
use crate::query::stops::Stops;

/// A model with edits that are proved and not written yet.
#[derive(Debug)]
pub struct Edited {
    /// The edited model.
    pub model: Model,
    /// The edits of the original text, in order and without overlap.
    pub edits: Vec<Edit>,
    /// The reasons for the edits, in the order of the file.
    pub changes: Vec<Change>,
    /// The weights of the edited model.
    pub weights: Bytes,
}

/// One change of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The name of the layer; `loop/body/name` for one in a body.
    pub layer: String,
    /// The changed part.
    pub part: Part,
    /// The text before; empty for what is new.
    pub before: String,
    /// The text after; empty for what is gone.
    pub after: String,
}

/// The part of a layer that changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// An attribute.
    Attribute(&'static str),
    /// A port, by its index.
    Port(Direction, usize),
    /// The layer itself.
    Layer,
}

/// The reason why a model is not edited.
#[derive(Debug)]
pub enum Refusal {
    /// The request names what the model does not have, or the file cannot be edited.
    Request(String),
    /// OpenVINO does not accept these input shapes; the model has them.
    Shapes(InputShapes, Box<Model>),
    /// Inference stops at these layers for the input shapes.
    Unknown(Stops),
    /// The edited text would have this new finding.
    Finding(Box<Diagnostic>),
    /// The edited text would not be what was meant: a fault of ovlint.
    Unproved(&'static str),
}

impl From<String> for Refusal {
    fn from(request: String) -> Self {
        Self::Request(request)
    }
}
