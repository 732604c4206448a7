//! The models that a path stands for: what a folder holds, and what weights belong to.

mod kind;
mod tracked;
mod walk;

pub use kind::Kind;
pub use tracked::Tracked;
pub use walk::{Below, below};

use std::path::{Path, PathBuf};

/// The model that a path stands for: weights stand for the `.xml` beside them.
pub fn model_of(path: &Path) -> PathBuf {
    let model = is_called(path, "bin").then(|| path.with_extension("xml")).filter(|model| model.is_file());
    model.unwrap_or_else(|| path.to_owned())
}

/// Whether a path starts with the name of a host, which Windows would ask for it.
fn is_on_host(path: &str) -> bool {
    path.len() > 1 && path.chars().take(2).all(|first| matches!(first, '/' | '\\'))
}

/// Whether the name of a file has an ending, in any case.
pub fn is_called(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending))
}
