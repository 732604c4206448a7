//! Atomic writing of files: completely or not at all. ovlint writes files in no other way.
//!
//! A new file replaces an old one and gets its owner, permissions and extended attributes. If that is impossible, the write
//! is refused. So are links, because they lead out of the intended folder, and files with several hard links, because only
//! one of them would change.
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

mod metadata;
mod nameless;
#[cfg(test)]
mod tests;
mod unfinished;

use crate::fault;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;
use unfinished::Unfinished;

/// The treatment of an existing file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing<'a> {
    /// Replaces it, unless it is read-only.
    Replace,
    /// Replaces it if it still has this content when the new file is complete.
    Same(&'a [u8]),
    /// Keeps it, and does not write the new file.
    Keep,
}

/// A file that appears only when it is finished. Until then, or if it never is, the old file stays.
///
/// On Linux it has no name until it is complete. Then it gets a temporary name beside its destination, which starts with
/// `.ovlint-`, and is renamed at once. On other systems, and on file systems without nameless files, it has the temporary
/// name from the start. A process that is killed during that time leaves the temporary file. No command reads it, it blocks
/// nothing, and it can be deleted; ovlint does not delete it, because it may belong to a running process. Pipes, terminals
/// and other special files are written directly.
#[derive(Debug)]
pub struct NewFile<'a> {
    destination: Destination<'a>,
}

#[derive(Debug)]
enum Destination<'a> {
    Beside { file: Unfinished, path: PathBuf, existing: Existing<'a> },
    Direct(File),
}

impl<'a> NewFile<'a> {
    /// Starts the file for `path`.
    ///
    /// # Errors
    /// If the file cannot be written there. This check comes first, so that a long run fails at its start.
    pub fn begin(path: &Path, existing: Existing<'a>) -> io::Result<Self> {
        let old = fs::metadata(path).ok();
        if let Some(link) = fs::read_link(path).ok().filter(|_| !old.as_ref().is_some_and(is_device)) {
            if !is_of_system(path) {
                return Err(linked(&link));
            }
            return Ok(Self { destination: Destination::Direct(File::options().append(true).open(path)?) });
        }
        match &old {
            Some(_) if existing == Existing::Keep => Err(there_already()),
            Some(old) if !old.is_file() => {
                Ok(Self { destination: Destination::Direct(File::options().write(true).open(path)?) })
            }
            old => {
                old.as_ref().map_or(Ok(()), metadata::check_replaceable)?;
                let file = Unfinished::beside(path)?;
                old.as_ref().map_or(Ok(()), |old| metadata::copy(path, old, file.file()))?;
                Ok(Self { destination: Destination::Beside { file, path: path.to_owned(), existing } })
            }
        }
    }

    /// Copies what `from` has, up to its limit; the system may share the blocks of both files.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub fn copy(&mut self, from: &mut io::Take<&File>) -> io::Result<u64> {
        match &mut self.destination {
            Destination::Beside { file, .. } => io::copy(from, &mut file.file()),
            Destination::Direct(file) => io::copy(from, file),
        }
    }

    /// Syncs the file to the disk and moves it to its destination.
    ///
    /// # Errors
    /// If the operating system refuses, or the old file changed meanwhile; the old file is then untouched.
    pub fn finish(self) -> io::Result<()> {
        self.prepare()?.commit()
    }

    /// Syncs the file to the disk, so that only a name is missing.
    ///
    /// # Errors
    /// If the operating system refuses, or the old file changed meanwhile; the old file is then untouched.
    pub fn prepare(self) -> io::Result<Ready<'a>> {
        if let Destination::Beside { file, path, existing } = &self.destination {
            if fault::is_due("finish", path) {
                return Err(io::Error::other("a fault that a test asked for"));
            }
            file.file().sync_all()?;
            // Compare before the file has a name: reading a large file takes long, and a process killed then must leave nothing.
            if let Existing::Same(bytes) = existing
                && fs::read(path).ok().is_none_or(|now| now != *bytes)
            {
                return Err(changed());
            }
        }
        Ok(Ready { destination: self.destination })
    }
}

/// A complete file that is not at its destination yet, so that several can get there at once.
#[derive(Debug)]
pub struct Ready<'a> {
    destination: Destination<'a>,
}

impl Ready<'_> {
    /// Moves the file to its destination.
    ///
    /// # Errors
    /// If the operating system refuses; the old file is then untouched.
    pub fn commit(self) -> io::Result<()> {
        match self.destination {
            Destination::Direct(mut file) => file.flush(),
            Destination::Beside { file, path, existing } => placed(file.named(&path)?, &path, existing),
        }
    }
}

/// Moves a file with a temporary name to its destination.
fn placed<F>(file: NamedTempFile<F>, path: &Path, existing: Existing) -> io::Result<()> {
    let done = match existing {
        Existing::Replace | Existing::Same(_) => file.persist(path),
        Existing::Keep => file.persist_noclobber(path),
    };
    done.map(drop).map_err(|failed| match failed.error.kind() {
        io::ErrorKind::AlreadyExists => there_already(),
        _ => failed.error,
    })
}

/// Makes `path` a further hard link to a file.
///
/// # Errors
/// If the operating system refuses, as between file systems, or the existing file is kept; it is then untouched.
pub fn link(file: &Path, path: &Path, existing: Existing) -> io::Result<()> {
    drop(NewFile::begin(path, existing)?);
    placed(unfinished::named(unfinished::folder(path), |name| fs::hard_link(file, name))?, path, existing)
}

impl Write for NewFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.destination {
            Destination::Beside { file, .. } => file.write(bytes),
            Destination::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes the file at `path`, completely or not at all.
///
/// # Errors
/// As [`NewFile`]; the old file is then untouched.
pub fn write(path: &Path, existing: Existing, bytes: &[u8]) -> io::Result<()> {
    let mut file = NewFile::begin(path, existing)?;
    file.write_all(bytes)?;
    file.finish()
}

/// Checks that a file can be replaced or created at `path`. Pipes are not opened, because their readers would notice.
///
/// # Errors
/// The reason why not.
pub fn probe(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(old) if old.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(old) if is_device(&old) => Ok(()),
        _ => NewFile::begin(path, Existing::Replace).map(drop),
    }
}

/// Whether a file is a special file, such as a pipe or a terminal.
fn is_device(file: &fs::Metadata) -> bool {
    !file.is_file() && !file.is_dir()
}

/// Whether a link belongs to the system, such as `/dev/stdout`.
fn is_of_system(path: &Path) -> bool {
    path.starts_with("/dev") || path.starts_with("/proc")
}

fn linked(target: &Path) -> io::Error {
    let target = target.display();
    io::Error::other(format!("it is a link to {target}, and links are not followed; name the file itself"))
}

/// Returns the error for a file that changed and is left as it is.
pub(crate) fn changed() -> io::Error {
    io::Error::other("it changed in the meantime and was not overwritten")
}

/// The text of the error for a file that must not be replaced.
pub const THERE_ALREADY: &str = "it already exists and was not overwritten";

fn there_already() -> io::Error {
    io::Error::new(io::ErrorKind::AlreadyExists, THERE_ALREADY)
}
