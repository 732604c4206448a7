//! The provenance of a tensor's shape, in the public API.

use super::error::{Error, ErrorKind};
use crate::query::why;
use crate::report::document::about;
use crate::report::findings::text::TextOptions;
use crate::report::views::why::{Page, text};
use std::fmt;
use std::path::{Path, PathBuf};

/// The provenance of a tensor's type and shape: every dimension, traced back to inputs, attributes and bytes of constants.
/// Its text is the tree that `ovlint why` prints.
///
/// ```
/// use ovlint::{Analysis, Options};
///
/// let analysis = Analysis::open("ir-samples/models/split.xml", &Options::new())?;
/// let why = analysis.why("split_3", 6)?;
/// assert!(why.to_string().contains("dim 1 = 4                            Split, line 21, num_splits=3"));
/// # Ok::<(), ovlint::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Why {
    inner: why::Why,
    path: PathBuf,
    weights: Option<PathBuf>,
}

impl Why {
    pub(super) fn new(inner: why::Why, path: &Path, weights: Option<&Path>) -> Self {
        Self { inner, path: path.to_owned(), weights: weights.map(Path::to_owned) }
    }

    /// Whether a larger depth would show more.
    pub fn is_cut(&self) -> bool {
        !self.inner.is_complete
    }

    /// Returns the JSON that `ovlint why --format json` prints. `ovlint generate schema why` prints its schema.
    ///
    /// # Errors
    /// [`ErrorKind::Unwritable`] if the data cannot be serialised.
    pub fn to_json(&self) -> Result<String, Error> {
        about(&self.path, &self.inner).map_err(|error| Error::new(ErrorKind::Unwritable, error))
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weights = self.weights.as_deref();
        let page = Page { model: &self.path, weights, width: TextOptions::default().width, whole: None };
        f.write_str(&text(&self.inner, &page))
    }
}
