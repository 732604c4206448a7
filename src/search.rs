//! Search for models: in folders, and beside weights; and the kind of each XML file found.

mod kind;
mod tracked;
mod walk;

pub use kind::Kind;
pub use tracked::Tracked;
pub use walk::{Below, below};

use std::path::{Path, PathBuf};

/// Returns the model that a path stands for: the `.xml` beside a `.bin`, otherwise the path itself.
pub fn model_of(path: &Path) -> PathBuf {
    let model = is_called(path, "bin").then(|| path.with_extension("xml")).filter(|model| model.is_file());
    model.unwrap_or_else(|| path.to_owned())
}

/// Whether a path starts with a host name (`\\host\..`), to which Windows would connect.
fn is_on_host(path: &str) -> bool {
    path.len() > 1 && path.chars().take(2).all(|first| matches!(first, '/' | '\\'))
}

/// Whether a path has an extension, ignoring case.
pub fn is_called(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending))
}
