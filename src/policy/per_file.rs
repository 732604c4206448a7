//! Settings for some files only.

use super::{FileGlobs, NameGlob, Selector};
use crate::diagnostic::{Diagnostic, Severity};
use crate::lint::rules::{EXTENSION_REQUIRED, UNKNOWN_OPSET};
use crate::ops::{Meaning, meaning};
use crate::recipe::Chosen;

/// A `[[per-file]]`: settings for some files only.
#[derive(Clone, Debug)]
pub struct PerFile {
    /// The files.
    pub files: FileGlobs,
    /// Severities in addition to those for all files.
    pub severities: Vec<(Selector, Severity)>,
    /// Allowed extension operations: by library, version or type.
    pub extensions: Vec<NameGlob>,
    /// The weights as written: `skip`, `auto`, or a path relative to the configuration, with `{name}` for the model's name.
    pub weights: Option<String>,
    /// Recipes to follow in addition to those for all files.
    pub recipes: Vec<Chosen>,
}

impl PerFile {
    /// Whether a finding reports only that a layer belongs to an allowed extension.
    pub(super) fn allows(&self, finding: &Diagnostic) -> bool {
        let (false, Some(layer)) = (self.extensions.is_empty(), &finding.layer) else { return false };
        let library = match meaning(&layer.ty, &layer.version) {
            Meaning::Extension { library } => library.unwrap_or_default(),
            _ => "",
        };
        [&EXTENSION_REQUIRED, &UNKNOWN_OPSET].contains(&finding.rule)
            && self
                .extensions
                .iter()
                .any(|glob| [&layer.ty, &layer.version, library].iter().any(|name| glob.admits(name)))
    }
}
