//! Paths as they are given: which of them a command can take.

use ovlint::internal::remote::is_remote;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Whether every path exists, as far as that is known without asking a server; names the first that does not.
pub(crate) fn all_exist<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), String> {
    let missing = |path: &&PathBuf| path.metadata().err().filter(|_| !is_remote(path));
    let first = paths.into_iter().find_map(|path| Some((path, missing(&path)?)));
    first.map_or(Ok(()), |(path, error)| match error.kind() {
        ErrorKind::NotFound => Err(format!("`{}` does not exist", path.display())),
        _ => Err(cannot_read(path, &error)),
    })
}

/// The message that a path cannot be read.
pub(super) fn cannot_read(path: &Path, error: &std::io::Error) -> String {
    format!("cannot read {}: {error}", path.display())
}

/// Names the first path that is on a server, where `what` is for files only.
pub(crate) fn all_local<'a>(what: &str, paths: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), String> {
    let first = paths.into_iter().find(|path| is_remote(path));
    first.map_or(Ok(()), |path| Err(format!("{what}, and {} is on a server; download it first", path.display())))
}

/// Models are files: beside them are their weights.
pub(crate) fn refuse_stdin(path: &Path) -> Result<(), String> {
    if path == Path::new("-") && !path.exists() {
        return Err("models are not read from stdin; `check --files-from -` reads their paths from it".to_owned());
    }
    Ok(())
}
