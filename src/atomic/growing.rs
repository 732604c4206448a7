//! A file that is not finished: nameless where that is possible, otherwise beside its place.

use super::{marks, nameless};
use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// A file that is not finished.
#[derive(Debug)]
pub(super) enum Growing {
    Nameless(File),
    Named(NamedTempFile),
}

impl Growing {
    /// A new file in the folder of `path`, with the permissions of any new file, which is gone unless it is finished.
    pub(super) fn beside(path: &Path) -> io::Result<Self> {
        let folder = folder(path);
        if let Some(file) = nameless::create(folder) {
            return Ok(Self::Nameless(file));
        }
        named(folder, create).map(Self::Named).map_err(|error| {
            let reason = match error.kind() {
                io::ErrorKind::PermissionDenied => "permission denied: its folder takes no new files".to_owned(),
                _ => format!("no new file can be made in its folder: {error}"),
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

    /// The file with a name in the folder of `path`, which it has for the moment only before it takes its place.
    pub(super) fn named(self, path: &Path) -> io::Result<NamedTempFile> {
        match self {
            Self::Named(file) => Ok(file),
            Self::Nameless(file) => {
                named(folder(path), |name| nameless::link(&file, name)).or_else(|_| copied(file, path))
            }
        }
    }
}

/// A copy of a file that cannot be given a name, as some sandboxes forbid it.
pub(super) fn copied(mut file: File, path: &Path) -> io::Result<NamedTempFile> {
    let mut copy = named(folder(path), create)?;
    file.rewind()?;
    io::copy(&mut file, copy.as_file_mut())?;
    if let Ok(old) = fs::symlink_metadata(path) {
        marks::copy(path, &old, copy.as_file())?;
    }
    copy.as_file().sync_all()?;
    Ok(copy)
}

fn create(path: &Path) -> io::Result<File> {
    File::options().read(true).write(true).create_new(true).open(path)
}

fn named(folder: &Path, make: impl FnMut(&Path) -> io::Result<File>) -> io::Result<NamedTempFile> {
    tempfile::Builder::new().prefix(".ovlint-").make_in(folder, make)
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

impl Write for Growing {
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
