//! A reshaped or extracted model, in the public API.

use super::analysis::Analysis;
use super::error::{self, Error, ErrorKind};
use super::reduced::write;
use crate::analysis::InputShapes;
use crate::cut::{Extraction, extract};
use crate::diagnostic::unified_diff;
use crate::edit::{self, Bytes, Refusal, reshape};
use crate::query::Sizes;
use crate::report::views::edited;
use crate::text::plain_text;
use std::path::Path;
use std::time::Instant;

/// A model with other input shapes, or a part of a model, in memory.
///
/// ```
/// use ovlint::{Analysis, Options};
///
/// let analysis = Analysis::open("ir-samples/models/detector.xml", &Options::new())?;
/// let edited = analysis.reshape("images[1,3,32,32]", "")?;
/// assert!(edited.diff().contains("+\t\t\t<data shape=\"1,3,32,32\""));
/// assert!(edited.changes().any(|change| change == "images: shape [?,3,32,32] is [1,3,32,32] now"));
/// # Ok::<(), ovlint::Error>(())
/// ```
#[derive(Debug)]
pub struct Edited {
    analysis: Analysis,
    diff: String,
    changes: Vec<String>,
    weights: Bytes,
}

impl Edited {
    /// Gives the inputs of a model other shapes.
    pub(super) fn reshaped(before: &Analysis, shapes: &str, sizes: &str) -> Result<Self, Error> {
        let argument = |error: String| Error::new(ErrorKind::Argument, error);
        let shapes = if shapes.is_empty() { Ok(InputShapes::default()) } else { shapes.parse().map_err(argument) };
        let sizes = if sizes.is_empty() { Ok(Sizes::default()) } else { sizes.parse().map_err(argument) };
        Self::of(before, reshape(&before.model, &shapes?, &sizes?))
    }

    /// Extracts a part of a model.
    pub(super) fn extracted(before: &Analysis, part: &Extraction) -> Result<Self, Error> {
        Self::of(before, extract(&before.model, part))
    }

    fn of(before: &Analysis, edited: Result<edit::Edited, Refusal>) -> Result<Self, Error> {
        before.model.intact().map_err(error::of_model)?;
        let path = before.path();
        let edit::Edited { model, edits, changes, weights } = edited.map_err(|refusal| match refusal {
            Refusal::Request(request) => Error::new(ErrorKind::Argument, format!("{}: {request}", path.display())),
            refusal => {
                let why = edited::refusal(&before.model, &refusal, usize::MAX);
                Error::new(ErrorKind::Refused, format!("{}: {}", path.display(), why.trim_end()))
            }
        })?;
        let diff = unified_diff(&plain_text(&path.display().to_string()), before.model.source(), &edits);
        let analysis = Analysis::new(model, path, before.options(), Instant::now(), None)?;
        Ok(Self { analysis, diff, changes: changes.iter().map(edited::change).collect(), weights })
    }

    /// Returns the edited model.
    pub fn analysis(&self) -> &Analysis {
        &self.analysis
    }

    /// Returns the edited XML.
    pub fn xml(&self) -> &[u8] {
        self.analysis.model.source().bytes()
    }

    /// Returns the weights; `None` if they are those of the original model.
    pub fn weights(&self) -> Option<&[u8]> {
        match &self.weights {
            Bytes::New(bytes) => Some(bytes),
            Bytes::Original(_) => None,
        }
    }

    /// Returns the unified diff from the original to [`xml`](Self::xml); empty if nothing changed.
    pub fn diff(&self) -> &str {
        &self.diff
    }

    /// Returns a line for every change, in the order of the file.
    pub fn changes(&self) -> impl ExactSizeIterator<Item = &str> {
        self.changes.iter().map(String::as_str)
    }

    /// Writes the model to a new file that ends in `.xml`, with its weights beside it. Existing files are kept.
    ///
    /// # Errors
    /// [`ErrorKind::Unwritable`]; nothing is then written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        write(path.as_ref(), self.xml(), &self.weights, &self.analysis)
    }
}
