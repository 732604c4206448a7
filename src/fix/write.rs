//! Puts a fixed text in the place of a file, whole or not at all.

use super::text::Text;
use crate::diagnostic::Edit;
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Why a file is not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Its owner protects it.
    #[error("{} is read-only; it is left as it was", .0.display())]
    ReadOnly(PathBuf),
    /// It is not the file that was read.
    #[error("{} was changed meanwhile; it is left as it is", .0.display())]
    Changed(PathBuf),
    /// The operating system refuses.
    #[error("cannot write {}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        error: std::io::Error,
    },
}

/// Applies edits to the file at `path`, which must give `bytes`: so nothing else is changed, and nothing is lost that
/// somebody else wrote meanwhile.
///
/// The new text is written to a file beside it, which takes its name and mode once it is on the disk. Links are followed.
///
/// # Errors
/// [`WriteError`]; the file is then untouched.
pub fn write(path: &Path, edits: &[Edit], bytes: &[u8]) -> Result<(), WriteError> {
    let failed = |error| WriteError::Io { path: path.to_owned(), error };
    let target = path.canonicalize().map_err(failed)?;
    let permissions = target.metadata().map_err(failed)?.permissions();
    if permissions.readonly() {
        return Err(WriteError::ReadOnly(path.to_owned()));
    }
    let old = std::fs::read(&target).map_err(failed)?;
    let mut text = Text::new(old.len());
    text.apply(edits);
    if text.bytes(&old) != bytes {
        return Err(WriteError::Changed(path.to_owned()));
    }
    replace(&target, bytes, Some(permissions)).map_err(failed)
}

/// Writes a file beside its place, then moves it there.
pub(crate) fn replace(path: &Path, bytes: &[u8], permissions: Option<std::fs::Permissions>) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
