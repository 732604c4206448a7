//! The choice of the weights file: beside the XML, another one, or none.

use crate::input::Bounds;
use std::path::{Path, PathBuf};

/// The source of the weights.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum WeightsOption {
    /// The file of the same name that ends in `.bin`.
    #[default]
    Auto,
    /// The same file, and no weights if it is missing or a Git LFS pointer.
    AutoOrSkip,
    /// No weights are read; checks that need none still run.
    Skip,
    /// This file.
    File(PathBuf),
    /// This file, which must lie within the bounds.
    Within(PathBuf, Bounds),
}

impl WeightsOption {
    /// Parses a command-line value: `auto`, `skip`, or a file.
    pub fn written(path: &Path) -> Self {
        match path.to_str() {
            Some("auto") => Self::Auto,
            Some("skip") => Self::Skip,
            _ => Self::File(path.to_owned()),
        }
    }
}

/// Returns the path of the weights of an XML.
pub fn weights_path(xml: &Path, option: &WeightsOption) -> Option<PathBuf> {
    match option {
        WeightsOption::Auto | WeightsOption::AutoOrSkip => Some(xml.with_extension("bin")),
        WeightsOption::Skip => None,
        WeightsOption::File(path) | WeightsOption::Within(path, _) => Some(path.clone()),
    }
}
