//! The weights of a model in a file, in memory or on a server, of which only what is asked for is read. Inference asks for the
//! constants on whose values a shape depends.

mod blocks;
mod fetched;
mod foreign;
mod option;
mod parts;

pub use foreign::{ForeignFormat, LfsObject, foreign_format};

use super::constant::Constant;
use crate::input::{Bounds, InputFile};
use crate::limits::Limits;
use crate::remote::{self, Store};
use crate::types::{ElementType, Elements, Value, codec};
use blocks::Blocks;
use fetched::Fetched;
pub use fetched::Traffic;
pub use option::{WeightsOption, weights_path};
use std::borrow::Cow;
use std::io::{Error, ErrorKind};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The maximum size in bytes of a file that is read as a whole at the first read.
const READ_WHOLE: u64 = 1 << 20;

/// An open weights file, or the reason why it is not open.
#[derive(Debug, Default)]
pub struct Weights {
    /// The path of the file, existing or not; `None` if weights are skipped.
    pub path: Option<PathBuf>,
    bytes: Bytes,
    size: u64,
    whole: OnceLock<Option<Vec<u8>>>,
    blocks: Blocks,
    foreign_format: OnceLock<Option<ForeignFormat>>,
    /// The error of opening a file that exists.
    refusal: Option<Error>,
    /// The first read error. Callers see unreadable bytes as unknown values, so the whole model must fail instead.
    failure: OnceLock<Error>,
}

/// The storage of the bytes.
#[derive(Debug, Default)]
enum Bytes {
    #[default]
    Missing,
    File(InputFile),
    Memory(Arc<[u8]>),
    /// Memory that may change: every read copies it.
    Foreign(Arc<dyn Store>),
    Fetched(Fetched),
}

impl Weights {
    /// Opens the weights of an XML. A missing or unreadable file is an error only once its bytes are needed; so is a link
    /// beside the XML that leads out of the bounds.
    pub fn open(xml: &Path, option: &WeightsOption, bounds: Option<&Bounds>, limits: &Limits) -> Self {
        let Some(path) = weights_path(xml, option) else { return Self::default() };
        let inside = bounds.filter(|_| matches!(option, WeightsOption::Auto | WeightsOption::AutoOrSkip));
        let may_open = match option {
            WeightsOption::Within(path, bounds) => bounds.check_configured(path),
            _ => Ok(()),
        };
        let opened = may_open.and_then(|()| {
            if remote::is_remote(&path) {
                return Fetched::open(&path, limits).map(|fetched| (fetched.size(), Bytes::Fetched(fetched)));
            }
            let file = inside.map_or_else(|| InputFile::open(&path), |bounds| InputFile::open_inside(&path, bounds))?;
            Ok((file.length(), Bytes::File(file)))
        });
        let is_missing = opened.as_ref().is_err_and(|error| error.kind() == ErrorKind::NotFound);
        let weights = Self::of(path, opened);
        let is_pointer = || weights.foreign_format() == Some(ForeignFormat::LfsPointer);
        if *option == WeightsOption::AutoOrSkip && (is_missing || is_pointer()) { Self::default() } else { weights }
    }

    /// Uses the weights in a store, if there is one; messages call them `path`.
    pub fn in_store(path: PathBuf, store: Option<Arc<dyn Store>>, limits: &Limits) -> Self {
        let opened = store.ok_or_else(|| ErrorKind::NotFound.into()).and_then(|store| Fetched::of(store, limits));
        Self::of(path, opened.map(|fetched| (fetched.size(), Bytes::Fetched(fetched))))
    }

    fn of(path: PathBuf, opened: std::io::Result<(u64, Bytes)>) -> Self {
        match opened {
            Ok((size, bytes)) => Self { path: Some(path), size, bytes, ..Self::default() },
            Err(error) => {
                let refusal = Some(error).filter(|error| error.kind() != ErrorKind::NotFound);
                Self { path: Some(path), refusal, ..Self::default() }
            }
        }
    }

    /// Uses weights in memory.
    pub fn in_memory(bytes: Vec<u8>) -> Self {
        Self::shared(bytes.into())
    }

    /// Uses shared weights in memory.
    pub fn shared(bytes: Arc<[u8]>) -> Self {
        Self { size: bytes.len() as u64, bytes: Bytes::Memory(bytes), ..Self::default() }
    }

    /// Uses weights in memory that may change.
    pub fn in_foreign_memory(memory: Arc<dyn Store>) -> Self {
        Self { size: memory.size(), bytes: Bytes::Foreign(memory), ..Self::default() }
    }

    /// Whether there are bytes to read.
    pub fn is_available(&self) -> bool {
        !matches!(self.bytes, Bytes::Missing)
    }

    /// Returns the name for messages.
    pub fn shown(&self) -> String {
        self.path.as_ref().map_or("the weights file".to_owned(), |path| path.display().to_string())
    }

    /// Returns the size in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns the error for which the bytes read so far cannot be trusted: the file cannot be opened or read, or it changed.
    /// Call it after the last read.
    pub fn failure(&self) -> Option<Error> {
        let changed = || match &self.bytes {
            Bytes::File(file) => file.unchanged().err(),
            // Each fetch compares the file with the previous one.
            Bytes::Missing | Bytes::Memory(_) | Bytes::Foreign(_) | Bytes::Fetched(_) => None,
        };
        self.failure.get().map(copy).or_else(changed)
    }

    /// Turns an error of opening into a failure, because the bytes are needed.
    pub(crate) fn need(&self) {
        if let Some(refusal) = &self.refusal {
            self.fail(copy(refusal));
        }
    }

    fn fail(&self, error: Error) {
        // Only the first error is kept.
        let _ = self.failure.set(error);
    }

    /// Reads bytes at an offset; `None` if the file is shorter, and after a [`failure`](Self::failure).
    pub fn read(&self, offset: u64, size: usize) -> Option<Vec<u8>> {
        self.bytes(offset, size).map(Cow::into_owned)
    }

    /// Reads bytes at an offset, borrowed if they are in memory.
    fn bytes(&self, offset: u64, size: usize) -> Option<Cow<'_, [u8]>> {
        if offset.checked_add(size as u64)? > self.size {
            return None;
        }
        match &self.bytes {
            Bytes::Missing => return None,
            Bytes::Memory(bytes) => return part(bytes, offset, size),
            Bytes::Foreign(memory) => {
                let range = offset..offset.saturating_add(size as u64);
                let found = self.try_read(|| memory.read_ranges(std::slice::from_ref(&range)))?.pop();
                return found.filter(|bytes| bytes.len() == size).map(Cow::Owned);
            }
            Bytes::Fetched(fetched) => return self.try_read(|| fetched.read(offset, size)).map(Cow::Owned),
            Bytes::File(_) => {}
        }
        if self.size <= READ_WHOLE {
            let whole = self.whole.get_or_init(|| self.read_at(0, usize::try_from(self.size).ok()?));
            return part(whole.as_ref()?, offset, size);
        }
        let in_block = self.blocks.read(self.size, offset, size, |begin, length| self.read_at(begin, length));
        in_block.or_else(|| self.read_at(offset, size)).map(Cow::Owned)
    }

    /// Reads the file; the only function that does.
    fn read_at(&self, offset: u64, size: usize) -> Option<Vec<u8>> {
        let Bytes::File(file) = &self.bytes else { return None };
        self.try_read(|| file.read_at(offset, size))
    }

    /// Runs `read` unless reading has failed before, and keeps its error.
    fn try_read<T>(&self, read: impl FnOnce() -> std::io::Result<T>) -> Option<T> {
        if self.failure.get().is_some() {
            return None;
        }
        read().map_err(|error| self.fail(error)).ok()
    }

    /// Fetches the ranges of remote weights at once, because every later read would be a round trip.
    pub(crate) fn prefetch(&self, ranges: impl FnOnce() -> Vec<Range<u64>>) {
        if let Bytes::Fetched(fetched) = &self.bytes
            && self.foreign_format().is_none()
        {
            self.try_read(|| fetched.prefetch(ranges()));
        }
    }

    /// Returns the traffic so far, for remote weights.
    pub fn traffic(&self) -> Option<Traffic> {
        let Bytes::Fetched(fetched) = &self.bytes else { return None };
        Some(fetched.traffic())
    }

    /// Returns the format of a file that is not a weights file: one that its first bytes show with certainty, or, after
    /// `identify`, a likely one if the file is also too short.
    pub fn foreign_format(&self) -> Option<ForeignFormat> {
        *self.foreign_format.get_or_init(|| foreign::plain(&self.head(foreign::HEAD)?))
    }

    /// Returns the file that a Git LFS pointer in place of the weights stands for.
    pub fn lfs_object(&self) -> Option<LfsObject> {
        let is_pointer = self.foreign_format() == Some(ForeignFormat::LfsPointer);
        foreign::lfs_object(&self.head(foreign::TEXT).filter(|_| is_pointer)?)
    }

    /// Determines the format before values are read. `end`, the end of the last constant, is only computed for files that
    /// look like another format.
    pub(crate) fn identify(&self, end: impl Fn() -> u64) {
        let likely = || foreign::guess(&self.head(foreign::TEXT)?, self.size, end);
        self.foreign_format.get_or_init(|| foreign::plain(&self.head(foreign::HEAD)?).or_else(likely));
    }

    /// Reads the first bytes, at most `most`.
    fn head(&self, most: u64) -> Option<Vec<u8>> {
        self.read(0, usize::try_from(self.size.min(most)).ok()?)
    }

    /// Returns the value of a constant; `None` if it cannot be read.
    pub fn value(&self, constant: &Constant) -> Option<Value> {
        if self.foreign_format().is_some() {
            return None;
        }
        let count = usize::try_from(constant.elements()?).ok()?;
        if constant.ty == ElementType::String {
            return opaque(constant, count, self.string_bytes(constant, count)).map(Value::stored);
        }
        if constant.ty == ElementType::Dynamic {
            return opaque(constant, count, None).map(Value::stored);
        }
        let size = usize::try_from(constant.bytes_needed()?).ok()?;
        if count > 0 && size as u64 > constant.size {
            let is_read = constant.bytes_of_bits().is_some_and(|least| least <= constant.size);
            return is_read.then(|| opaque(constant, count, None).map(Value::stored)).flatten();
        }
        let bytes = if count == 0 { Cow::default() } else { self.bytes(constant.offset, size)? };
        codec::value(constant.ty, &constant.shape(), count, &bytes)
            .or_else(|| opaque(constant, count, None))
            .map(Value::stored)
    }

    /// Returns the total size of the `count` strings of a constant. The bytes start with a table of i32: the number of
    /// strings, the start of the first, and the end of each.
    fn string_bytes(&self, constant: &Constant, count: usize) -> Option<i64> {
        let entry = |index: usize| {
            let at = u64::try_from(index).ok()?.checked_mul(4).filter(|at| at.saturating_add(4) <= constant.size)?;
            let four = self.read(constant.offset.checked_add(at)?, 4)?;
            four.first_chunk().map(|four| i64::from(i32::from_le_bytes(*four)))
        };
        let strings = usize::try_from(entry(0)?).ok().filter(|strings| *strings == count)?;
        let (first, last) = (entry(1)?, entry(strings.checked_add(1)?)?);
        let room = i64::try_from(constant.size)
            .ok()?
            .checked_sub(i64::try_from(strings).ok()?.checked_add(2)?.checked_mul(4)?)?;
        (0 <= first && first <= last && last <= room).then_some(last - first)
    }
}

/// Returns a part of bytes in memory.
fn part(whole: &[u8], offset: u64, size: usize) -> Option<Cow<'_, [u8]>> {
    let start = usize::try_from(offset).ok()?;
    whole.get(start..start.checked_add(size)?).map(Cow::Borrowed)
}

/// Copies an error, because `Error` does not implement `Clone`.
fn copy(error: &Error) -> Error {
    error.raw_os_error().map_or_else(|| Error::new(error.kind(), error.to_string()), Error::from_raw_os_error)
}

/// Returns a value without numbers, for constants whose elements are not read.
fn opaque(constant: &Constant, count: usize, bytes: Option<i64>) -> Option<Value> {
    let lengths: Vec<usize> =
        constant.lengths.iter().map(|length| usize::try_from(*length).ok()).collect::<Option<_>>()?;
    Value::new(&lengths, Elements::Opaque(count, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_reading_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.bin");
        for size in [100, READ_WHOLE + 4096] {
            std::fs::write(&path, vec![1; usize::try_from(size).unwrap()]).unwrap();
            let open = || Weights::open(&folder.path().join("m.xml"), &WeightsOption::Auto, None, &Limits::default());
            let (weights, unread) = (open(), open());
            assert_eq!((weights.read(size - 8, 8), weights.read(size, 8)), (Some(vec![1; 8]), None));
            assert!(weights.failure().is_none() && unread.failure().is_none());
            std::fs::File::options().write(true).open(&path).unwrap().set_len(50).unwrap();
            let message = |weights: &Weights| weights.failure().unwrap().to_string();
            assert_eq!(message(&weights), "it was changed while it was read");
            assert_eq!((unread.read(80, 8), unread.read(8, 8)), (None, None));
            assert_eq!(message(&unread), format!("it ends at byte 50, and had {size} bytes when it was opened"));
        }
        std::fs::remove_file(&path).unwrap();
        let open = || Weights::open(&folder.path().join("m.xml"), &WeightsOption::Auto, None, &Limits::default());
        open().need();
        assert!(open().failure().is_none(), "a missing file is a finding");
        std::fs::create_dir(&path).unwrap();
        let weights = open();
        assert!(!weights.is_available() && weights.failure().is_none());
        weights.need();
        assert_eq!(weights.failure().unwrap().to_string(), "it is a folder, wanted a file");
    }
}
