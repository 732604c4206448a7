//! The atomic replacement of a file by its edited text.

use super::applied;
use crate::atomic::{self, Existing};
use crate::diagnostic::Edit;
use crate::input;
use crate::remote::is_remote;
use std::io::{Error, ErrorKind};
use std::path::Path;

/// Applies edits to the file at `path`. Fails if the result differs from `bytes`, so that concurrent changes are not lost.
///
/// The file is replaced as a whole or not at all.
///
/// # Errors
/// The message of the operating system; the file is then unchanged.
pub fn write(path: &Path, edits: &[Edit], bytes: &[u8]) -> Result<(), String> {
    let failed = |error: Error| format!("cannot write {}: {error}", path.display());
    if is_remote(path) {
        return Err(failed(Error::new(ErrorKind::Unsupported, "it is on a server; download it first")));
    }
    let old = input::read(path, u64::from(u32::MAX)).map_err(failed)?;
    if applied(&old, edits) != bytes {
        return Err(failed(atomic::changed()));
    }
    atomic::write(path, Existing::Same(&old), bytes).map_err(failed)
}
