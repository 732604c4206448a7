//! An unfinished file: without a name if possible, else beside its destination.

use super::{metadata, nameless};
use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// An unfinished file.
#[derive(Debug)]
pub(super) enum Unfinished {
    Nameless(File),
    Named(NamedTempFile),
}

impl Unfinished {
    /// Creates a file in the folder of `path`, with default permissions. It is deleted unless it is finished.
    pub(super) fn beside(path: &Path) -> io::Result<Self> {
        let folder = folder(path);
        if let Some(file) = nameless::create(folder) {
            return Ok(Self::Nameless(file));
        }
        named(folder, create).map(Self::Named).map_err(|error| {
            let reason = match error.kind() {
                io::ErrorKind::PermissionDenied => "permission denied: its folder takes no new files".to_owned(),
                _ => format!("cannot create a file in its folder: {error}"),
            };
            io::Error::new(error.kind(), reason)
        })
    }

    pub(super) fn file(&self) -> &File {
        match self {
            Self::Nameless(file) => file,
            Self::Named(file) => file.as_file(),
        }
    }

    /// Returns the file with a temporary name in the folder of `path`.
    pub(super) fn named(self, path: &Path) -> io::Result<NamedTempFile> {
        match self {
            Self::Named(file) => Ok(file),
            Self::Nameless(file) => {
                named(folder(path), |name| nameless::link(&file, name)).or_else(|_| copied(file, path))
            }
        }
    }
}

/// Copies a nameless file to one with a temporary name, for sandboxes that forbid to give it a name.
pub(super) fn copied(mut file: File, path: &Path) -> io::Result<NamedTempFile> {
    let mut copy = named(folder(path), create)?;
    file.rewind()?;
    io::copy(&mut file, copy.as_file_mut())?;
    if let Ok(old) = fs::symlink_metadata(path) {
        metadata::copy(path, &old, copy.as_file())?;
    }
    copy.as_file().sync_all()?;
    Ok(copy)
}

fn create(path: &Path) -> io::Result<File> {
    File::options().read(true).write(true).create_new(true).open(path)
}

pub(super) fn named<F>(folder: &Path, make: impl FnMut(&Path) -> io::Result<F>) -> io::Result<NamedTempFile<F>> {
    tempfile::Builder::new().prefix(".ovlint-").make_in(folder, make)
}

pub(super) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

impl Write for Unfinished {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Nameless(file) => file.write(bytes),
            Self::Named(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
