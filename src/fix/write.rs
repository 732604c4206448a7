//! Puts a fixed text in the place of a file, whole or not at all.

use super::text::Text;
use crate::atomic::{self, Existing};
use crate::diagnostic::Edit;
use crate::input;
use std::path::{Path, PathBuf};

/// Why a file is not written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {error}", path.display())]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    #[source]
    pub error: std::io::Error,
}

/// Applies edits to the file at `path`, which must give `bytes`: so nothing else is changed, and nothing is lost that
/// somebody else wrote meanwhile.
///
/// The file is replaced as a whole or not at all.
///
/// # Errors
/// [`WriteError`]; the file is then untouched.
pub fn write(path: &Path, edits: &[Edit], bytes: &[u8]) -> Result<(), WriteError> {
    let failed = |error| WriteError { path: path.to_owned(), error };
    let old = input::read(path, u64::from(u32::MAX)).map_err(failed)?;
    let mut text = Text::new(old.len());
    text.apply(edits);
    if text.bytes(&old) != bytes {
        return Err(failed(atomic::changed()));
    }
    atomic::write(path, Existing::Same(&old), bytes).map_err(failed)
}
