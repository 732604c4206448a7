//! Places in other files to which a finding points, such as another model of the same pipeline.

use super::Text;
use crate::source::{Position, Span};
use std::path::PathBuf;

/// A place in another file that the problem depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elsewhere {
    /// The file.
    pub path: PathBuf,
    /// The bytes, with the positions of the first one and of the one after the last; `None` for the file as a whole.
    pub place: Option<(Span, Position, Position)>,
    /// The text about the place.
    pub message: Text,
}
