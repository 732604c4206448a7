//! Files that are written completely or not at all. ovlint writes files in no other way.
//!
//! A new file takes the place of an old one, with its owner, permissions and extended attributes. What such a file cannot
//! be given is not lost but refused: links are not followed, as they lead out of the folder that was meant, and a file with
//! several hard links is left as it is, as only one of them would change.
//!
//! ```
//! use ovlint::internal::atomic::{Existing, NewFile};
//! use std::io::Write;
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("report.txt");
//! let mut file = NewFile::begin(&path, Existing::Replace)?;
//! file.write_all(b"all of it")?;
//! assert!(!path.exists());
//! file.finish()?;
//! assert_eq!(std::fs::read(&path)?, b"all of it");
//! assert!(NewFile::begin(&path, Existing::Keep).is_err());
//! # Ok::<(), std::io::Error>(())
//! ```

mod growing;
mod marks;
mod nameless;
#[cfg(test)]
mod tests;

use crate::fault;
use growing::Growing;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What happens to an existing file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing<'a> {
    /// It is replaced, unless it is read-only.
    Replace,
    /// It is replaced if it still holds these bytes once the new one is on the disk.
    Same(&'a [u8]),
    /// It is kept, and the new one is not written.
    Keep,
}

/// A file that appears only when it is finished; until then, and if it never is, the old one stays.
///
/// On Linux it has no name until it is whole; then it is given one beside its destination, which starts with `.ovlint-`, and is
/// renamed at once. Elsewhere, and where the file system has no nameless files, it has such a name from the start. A process
/// that is killed while there is such a name leaves that file: no command reads it, it blocks nothing, and it can be deleted.
/// ovlint does not do so, as it may belong to a process at work. Pipes, terminals and other special files are written to
/// directly.
#[derive(Debug)]
pub struct NewFile<'a> {
    place: Place<'a>,
}

#[derive(Debug)]
enum Place<'a> {
    Beside { file: Growing, path: PathBuf, existing: Existing<'a> },
    Direct(File),
}

impl<'a> NewFile<'a> {
    /// Starts the file that is to be at `path`.
    ///
    /// # Errors
    /// If it could not be written there, so that a long run need not begin.
    pub fn begin(path: &Path, existing: Existing<'a>) -> io::Result<Self> {
        let old = fs::metadata(path).ok();
        if let Some(link) = fs::read_link(path).ok().filter(|_| !old.as_ref().is_some_and(is_device)) {
            if !is_of_system(path) {
                return Err(linked(&link));
            }
            return Ok(Self { place: Place::Direct(File::options().append(true).open(path)?) });
        }
        match &old {
            Some(_) if existing == Existing::Keep => Err(there_already()),
            Some(old) if !old.is_file() => Ok(Self { place: Place::Direct(File::options().write(true).open(path)?) }),
            old => {
                old.as_ref().map_or(Ok(()), marks::can_be_replaced)?;
                let file = Growing::beside(path)?;
                old.as_ref().map_or(Ok(()), |old| marks::copy(path, old, file.file()))?;
                Ok(Self { place: Place::Beside { file, path: path.to_owned(), existing } })
            }
        }
    }

    /// Puts the file in its place, once it is on the disk.
    ///
    /// # Errors
    /// If the operating system refuses, or the file changed meanwhile; the old file is then untouched.
    pub fn finish(self) -> io::Result<()> {
        let (file, path, existing) = match self.place {
            Place::Direct(mut file) => return file.flush(),
            Place::Beside { file, path, existing } => (file, path, existing),
        };
        if fault::is_due("finish", &path) {
            return Err(io::Error::other("a fault that a test asked for"));
        }
        file.file().sync_all()?;
        // Before it has a name: a large file takes long to read.
        if let Existing::Same(bytes) = existing
            && fs::read(&path).ok().is_none_or(|now| now != bytes)
        {
            return Err(changed());
        }
        let file = file.named(&path)?;
        let done = match existing {
            Existing::Replace | Existing::Same(_) => file.persist(&path),
            Existing::Keep => file.persist_noclobber(&path),
        };
        done.map(drop).map_err(|failed| match failed.error.kind() {
            io::ErrorKind::AlreadyExists => there_already(),
            _ => failed.error,
        })
    }
}

impl Write for NewFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.place {
            Place::Beside { file, .. } => file.write(bytes),
            Place::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes bytes to the file at `path`, completely or not at all.
///
/// # Errors
/// As [`NewFile`]; the old file is then untouched.
pub fn write(path: &Path, existing: Existing, bytes: &[u8]) -> io::Result<()> {
    let mut file = NewFile::begin(path, existing)?;
    file.write_all(bytes)?;
    file.finish()
}

/// Whether a file could be replaced or made at `path`. Pipes are not opened, as their readers would notice.
///
/// # Errors
/// Why not.
pub fn probe(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(old) if old.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(old) if is_device(&old) => Ok(()),
        _ => NewFile::begin(path, Existing::Replace).map(drop),
    }
}

/// Whether it is something to write to that keeps nothing, as a pipe or a terminal.
fn is_device(file: &fs::Metadata) -> bool {
    !file.is_file() && !file.is_dir()
}

/// Whether a link is one that the system keeps, as `/dev/stdout`.
fn is_of_system(path: &Path) -> bool {
    path.starts_with("/dev") || path.starts_with("/proc")
}

fn linked(target: &Path) -> io::Error {
    let target = target.display();
    io::Error::other(format!("it is a link to {target}, and links are not followed; name the file itself"))
}

/// Why a file is left as it is that is not what it was.
pub(crate) fn changed() -> io::Error {
    io::Error::other("it was changed meanwhile and is left as it is")
}

fn there_already() -> io::Error {
    io::Error::new(io::ErrorKind::AlreadyExists, "it exists already and is left as it is")
}
