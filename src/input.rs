//! Access to input files: the allowed kinds of files, limits on their size, and checks that they stay unchanged.
//!
//! Opening a pipe without a writer blocks, and a device may never end. So only regular files are read, and open files that
//! the process inherits: `/dev/stdin`, or `/dev/fd/63` from a shell's `<(..)`.
//!
//! ```
//! use ovlint::internal::input;
//! use std::path::Path;
//!
//! let error = input::read(Path::new("."), 100).unwrap_err();
//! assert_eq!(error.kind(), std::io::ErrorKind::IsADirectory);
//! ```

mod bounds;

pub use bounds::{Bounds, stays_below};

use crate::fault;
use crate::limits::Limits;
use crate::remote;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{Error, ErrorKind, Read, Result};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// An open regular file, with its size and modification time at opening.
#[derive(Debug)]
pub struct InputFile {
    path: PathBuf,
    file: File,
    opened: Stamp,
}

/// The metadata that changes with every write.
#[derive(Debug, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        Self { length: metadata.len(), modified: metadata.modified().ok() }
    }
}

impl InputFile {
    /// Opens a regular file.
    pub fn open(path: &Path) -> Result<Self> {
        let (file, metadata) = open(path, 0)?;
        Self::of(path, file, &metadata)
    }

    fn of(path: &Path, file: File, metadata: &Metadata) -> Result<Self> {
        let opened = Stamp::of(metadata);
        if metadata.is_file() { Ok(Self { path: path.to_owned(), file, opened }) } else { Err(not_a_file(metadata)) }
    }

    /// Opens a regular file that is not a link out of the bounds.
    pub(crate) fn open_inside(path: &Path, bounds: &Bounds) -> Result<Self> {
        // A file that is no link needs no other look at its path.
        #[cfg(unix)]
        if let Ok(file) = open(path, libc::O_NOFOLLOW).and_then(|(file, metadata)| Self::of(path, file, &metadata)) {
            return Ok(file);
        }
        bounds.check_link(path)?;
        Self::open(path)
    }

    /// Returns the size at the time of opening.
    pub fn length(&self) -> u64 {
        self.opened.length
    }

    /// Reads `size` bytes at an offset.
    pub fn read_at(&self, offset: u64, size: usize) -> Result<Vec<u8>> {
        let mut bytes = vec![0; size];
        self.fill(&mut bytes, offset)?;
        Ok(bytes)
    }

    /// Fills `bytes` with the bytes of the file from an offset on.
    pub(crate) fn fill(&self, bytes: &mut [u8], offset: u64) -> Result<()> {
        self.fault()?;
        let mut done = 0;
        while let Some(rest) = bytes.get_mut(done..).filter(|rest| !rest.is_empty()) {
            let at = offset.saturating_add(done as u64);
            match read_some(&self.file, rest, at) {
                Ok(0) => {
                    let message = format!("it ends at byte {at}, and had {} bytes when it was opened", self.length());
                    return Err(Error::new(ErrorKind::UnexpectedEof, message));
                }
                Ok(read) => done += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Reads all bytes; an error if the file changes meanwhile.
    pub fn read_all(&self) -> Result<Vec<u8>> {
        let bytes = self.read_at(0, usize::try_from(self.length()).map_err(Error::other)?);
        self.unchanged()?;
        bytes
    }

    /// Checks that the file is unchanged since it was opened.
    pub fn unchanged(&self) -> Result<()> {
        let now = Stamp::of(&self.file.metadata()?);
        if now == self.opened && !fault::is_due("change", &self.path) { Ok(()) } else { Err(changed()) }
    }

    fn fault(&self) -> Result<()> {
        if fault::is_due("read", &self.path) { Err(Error::other("a fault that a test asked for")) } else { Ok(()) }
    }
}

fn changed() -> Error {
    Error::other("it was changed while it was read")
}

/// Reads a file or an inherited pipe; an error if it has more than `limit` bytes.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>> {
    let (file, metadata) = open(path, 0)?;
    if metadata.is_file() {
        let file = InputFile::of(path, file, &metadata)?;
        return if file.length() > limit { Err(too_large(limit)) } else { file.read_all() };
    }
    if !is_given(path) || metadata.is_dir() {
        return Err(not_a_file(&metadata));
    }
    read_up_to(Waiting(file), limit)
}

/// Reads the text of a file or an inherited pipe; an error if it has more than `limit` bytes.
pub fn read_text(path: &Path, limit: u64) -> Result<String> {
    text(read(path, limit)?)
}

/// Reads the text of a remote file; an error if it has more than `most` bytes.
pub fn read_remote_text(path: &Path, most: u64, limits: &Limits) -> Result<String> {
    text(remote::read(path, most, limits)?)
}

/// Reads the text of stdin; an error if it has more than `limit` bytes.
pub fn read_stdin(limit: u64) -> Result<String> {
    text(read_up_to(std::io::stdin().lock(), limit)?)
}

/// Reads at most `size` bytes from the start of a regular or remote file.
pub fn head(path: &Path, size: u64, limits: &Limits) -> Result<Vec<u8>> {
    if remote::is_remote(path) {
        let mut head = remote::open(path, size, limits)?.head;
        head.truncate(usize::try_from(size).unwrap_or(usize::MAX));
        return Ok(head);
    }
    let file = InputFile::open(path)?;
    file.read_at(0, usize::try_from(size.min(file.length())).unwrap_or(usize::MAX))
}

/// A pipe opened in non-blocking mode, whose reads here wait for data.
struct Waiting(File);

impl Read for Waiting {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize> {
        loop {
            match self.0.read(bytes) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::sleep(PAUSE),
                result => return result,
            }
        }
    }
}

/// The interval at which a pipe is polled.
const PAUSE: Duration = Duration::from_millis(1);

fn text(bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|_| Error::new(ErrorKind::InvalidData, "it is not UTF-8"))
}

fn read_up_to(from: impl Read, limit: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large(limit)) } else { Ok(bytes) }
}

fn too_large(limit: u64) -> Error {
    Error::new(ErrorKind::FileTooLarge, format!("it has more than {limit} bytes"))
}

/// Opens any kind of file, without blocking; on Unix with these flags.
fn open(path: &Path, flags: i32) -> Result<(File, Metadata)> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK | libc::O_NOCTTY | flags);
    #[cfg(not(unix))]
    let _ = flags;
    let file = options.read(true).open(path)?;
    let metadata = file.metadata()?;
    Ok((file, metadata))
}

/// Whether a path names an open file of this process, or `/dev/null`.
fn is_given(path: &Path) -> bool {
    ["/dev/stdin", "/dev/null"].iter().any(|name| path == Path::new(name))
        || ["/dev/fd", "/proc/self/fd"].iter().any(|folder| path.starts_with(folder))
}

#[cfg(unix)]
fn is_pipe(metadata: &Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type())
}

#[cfg(not(unix))]
fn is_pipe(_metadata: &Metadata) -> bool {
    false
}

fn not_a_file(metadata: &Metadata) -> Error {
    if metadata.is_dir() {
        return Error::new(ErrorKind::IsADirectory, "it is a folder, wanted a file");
    }
    let kind = if is_pipe(metadata) { "a pipe" } else { "a device" };
    Error::other(format!("it is {kind}, wanted a file"))
}

#[cfg(unix)]
fn read_some(file: &File, bytes: &mut [u8], offset: u64) -> Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_some(file: &File, bytes: &mut [u8], offset: u64) -> Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, bytes, offset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn files_that_change_are_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        fs::write(&path, "0123456789").unwrap();
        let file = InputFile::open(&path).unwrap();
        assert_eq!((file.read_at(2, 3).unwrap(), file.read_all().unwrap()), (b"234".to_vec(), b"0123456789".to_vec()));
        let message = |result: Result<Vec<u8>>| result.unwrap_err().to_string();
        File::options().write(true).open(&path).unwrap().set_len(4).unwrap();
        assert_eq!(message(file.read_at(2, 3)), "it ends at byte 4, and had 10 bytes when it was opened");
        assert_eq!(message(file.read_all()), "it was changed while it was read");
        // Same length, other time.
        let file = InputFile::open(&path).unwrap();
        let later = SystemTime::now() + Duration::from_secs(5);
        File::options().write(true).open(&path).unwrap().set_modified(later).unwrap();
        assert_eq!(file.unchanged().unwrap_err().to_string(), "it was changed while it was read");
    }

    #[test]
    fn large_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        fs::write(&path, "0123456789").unwrap();
        assert_eq!(read(&path, 10).unwrap().len(), 10);
        assert_eq!(read(&path, 9).unwrap_err().to_string(), "it has more than 9 bytes");
        assert_eq!(read_up_to(&b"0123456789"[..], 9).unwrap_err().to_string(), "it has more than 9 bytes");
        assert_eq!(head(&path, 3, &Limits::default()).unwrap(), b"012");
    }

    #[cfg(unix)]
    #[test]
    fn only_files_are_read() {
        let message = |path: &Path| read(path, 10).unwrap_err().to_string();
        assert_eq!(message(Path::new("/dev/zero")), "it is a device, wanted a file");
        assert_eq!(message(Path::new("/")), "it is a folder, wanted a file");
        assert_eq!(read(Path::new("/dev/null"), 10).unwrap(), b"");
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(message(&pipe), "it is a pipe, wanted a file");
        assert!(head(&pipe, 10, &Limits::default()).is_err());
    }
}
