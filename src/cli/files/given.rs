//! Paths as they are given: which of them a command can take.

use ovlint::internal::policy::absolute;
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

/// The path of a configuration as seen from the current folder, if it is below or above.
pub(crate) fn from_here(path: &Path) -> String {
    let here = absolute(Path::new("."));
    let above = || {
        let (folder, name) = (path.parent()?, path.file_name()?);
        let up = here.strip_prefix(folder).ok()?;
        Some(up.components().map(|_| Path::new("..")).chain([Path::new(name)]).collect())
    };
    let below = path.strip_prefix(&here).ok().map(Path::to_owned);
    below.or_else(above).unwrap_or_else(|| path.to_owned()).display().to_string()
}
