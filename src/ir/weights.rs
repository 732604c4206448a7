//! The weights file: found beside the XML, and read only where a constant drives a shape.

mod blocks;

use super::constant::Constant;
use super::decode::decode;
use crate::input::InputFile;
use crate::types::{ElementType, Elements, Value};
use blocks::Blocks;
use std::borrow::Cow;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Files up to this size are read as a whole when the first constant is asked for.
const READ_WHOLE: u64 = 1 << 20;

/// Where the weights come from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum WeightsOption {
    /// The file of the same name that ends in `.bin`.
    #[default]
    Auto,
    /// No weights are read; checks that need none still run.
    Skip,
    /// This file.
    File(PathBuf),
}

/// The path of the weights that belong to an XML.
pub fn weights_path(xml: &Path, option: &WeightsOption) -> Option<PathBuf> {
    match option {
        WeightsOption::Auto => Some(xml.with_extension("bin")),
        WeightsOption::Skip => None,
        WeightsOption::File(path) => Some(path.clone()),
    }
}

/// An open weights file, or why there is none.
#[derive(Debug, Default)]
pub struct Weights {
    /// Where it is or should be; `None` if weights are skipped.
    pub path: Option<PathBuf>,
    file: Option<InputFile>,
    size: u64,
    whole: OnceLock<Option<Vec<u8>>>,
    blocks: Blocks,
    stranger: OnceLock<Option<Stranger>>,
    /// Why the file cannot be opened, though there is one.
    refusal: Option<Error>,
    /// The first error of reading. What could not be read is unknown to whoever asked, so that the model fails as a whole.
    failure: OnceLock<Error>,
}

/// A file that stands where weights should be, by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stranger {
    /// The text that stands for a file in Git LFS.
    LfsPointer,
    /// A file of another kind, with its article: `an HTML page`.
    Other(&'static str),
}

/// First bytes that no weights have, in lower case, and whose they are.
const MAGIC: &[(&[u8], &str)] = &[
    (b"<!doctype html", "an HTML page"),
    (b"<html", "an HTML page"),
    (b"<net ", "the XML of a model"),
    (b"<?xml", "an XML file"),
    (b"pk\x03\x04", "a zip archive"),
    (b"gguf", "a GGUF file"),
    (b"\x89hdf\r\n\x1a\n", "an HDF5 file"),
    (b"\x93numpy", "a NumPy array"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
];

/// First bytes that weights may have as well, though hardly those of a file that is too short.
const LIKELY_MAGIC: &[(&[u8], &str)] = &[
    (b"\x1f\x8b\x08", "a gzip archive"),
    (b"\x80\x02", "a Python pickle"),
    (b"\x80\x03", "a Python pickle"),
    (b"\x80\x04", "a Python pickle"),
    (b"{", "a JSON file"),
];

/// Bytes of a text that stands for a file, such as the message of a server.
const TEXT: u64 = 4096;

impl Weights {
    /// Opens the weights of an XML. A file that is missing or cannot be opened is no error until it is needed.
    pub fn open(xml: &Path, option: &WeightsOption) -> Self {
        let Some(path) = weights_path(xml, option) else { return Self::default() };
        match InputFile::open(&path) {
            Ok(file) => Self { path: Some(path), size: file.length(), file: Some(file), ..Self::default() },
            Err(error) => {
                let refusal = Some(error).filter(|error| error.kind() != ErrorKind::NotFound);
                Self { path: Some(path), refusal, ..Self::default() }
            }
        }
    }

    /// Weights in memory.
    pub fn in_memory(bytes: Vec<u8>) -> Self {
        let size = bytes.len() as u64;
        Self { size, whole: OnceLock::from(Some(bytes)), ..Self::default() }
    }

    /// Whether there are bytes to read.
    pub fn is_available(&self) -> bool {
        self.file.is_some() || self.whole.get().is_some_and(Option::is_some)
    }

    /// The number of bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Why the bytes that were asked for are not those of the file: it cannot be opened or read, or was changed since it
    /// was opened. To be asked after the last look at them.
    pub fn failure(&self) -> Option<Error> {
        let changed = || self.file.as_ref().and_then(|file| file.unchanged().err());
        self.failure.get().map(copy).or_else(changed)
    }

    /// Takes it for a failure that the file cannot be opened, as somebody needs it.
    pub(crate) fn need(&self) {
        if let Some(refusal) = &self.refusal {
            self.fail(copy(refusal));
        }
    }

    fn fail(&self, error: Error) {
        // Only the first counts.
        let _ = self.failure.set(error);
    }

    /// The bytes from `offset` on; `None` where the file does not hold them, and after a [`failure`](Self::failure).
    pub fn read(&self, offset: u64, size: usize) -> Option<Vec<u8>> {
        self.bytes(offset, size).map(Cow::into_owned)
    }

    /// The bytes from `offset` on, as they are where the file is in memory.
    fn bytes(&self, offset: u64, size: usize) -> Option<Cow<'_, [u8]>> {
        if offset.checked_add(size as u64)? > self.size {
            return None;
        }
        if self.size <= READ_WHOLE || self.file.is_none() {
            let whole = self.whole.get_or_init(|| self.read_at(0, usize::try_from(self.size).ok()?));
            let start = usize::try_from(offset).ok()?;
            return whole.as_ref()?.get(start..start + size).map(Cow::Borrowed);
        }
        let in_block = self.blocks.read(self.size, offset, size, |begin, length| self.read_at(begin, length));
        in_block.or_else(|| self.read_at(offset, size)).map(Cow::Owned)
    }

    /// The one place where the file is read.
    fn read_at(&self, offset: u64, size: usize) -> Option<Vec<u8>> {
        if self.failure.get().is_some() {
            return None;
        }
        self.file.as_ref()?.read_at(offset, size).map_err(|error| self.fail(error)).ok()
    }

    /// What the file holds where it is plainly no weights; what only looks like it counts once
    /// [`identify`](Self::identify) found the file too short.
    pub fn stranger(&self) -> Option<Stranger> {
        *self.stranger.get_or_init(|| self.plain_stranger())
    }

    /// Settles what the file holds, before its bytes are taken for numbers. `end` is the end of the last constant; it is
    /// worked out only for files that look like something else.
    pub(crate) fn identify(&self, end: impl FnOnce() -> u64) {
        let likely = || self.likely_stranger().filter(|_| self.size < end());
        self.stranger.get_or_init(|| self.plain_stranger().or_else(likely));
    }

    fn plain_stranger(&self) -> Option<Stranger> {
        let bytes = self.read(0, usize::try_from(self.size.min(64)).ok()?)?;
        let head = bytes.to_ascii_lowercase();
        if head.starts_with(b"version https://git-lfs.github.com/spec/") {
            return Some(Stranger::LfsPointer);
        }
        let text = head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&head).trim_ascii_start();
        let has = |magic: &&(&[u8], &str)| head.starts_with(magic.0) || magic.0[0] == b'<' && text.starts_with(magic.0);
        let is_safetensors = head.get(8..10) == Some(b"{\"");
        let kind = MAGIC.iter().find(has).map(|magic| magic.1);
        let kind = kind.or_else(|| is_safetensors.then_some("a safetensors file"));
        kind.or_else(|| is_gzip(&bytes).then_some("a gzip archive")).map(Stranger::Other)
    }

    /// What a file that is too short for its model looks like.
    fn likely_stranger(&self) -> Option<Stranger> {
        let head = self.read(0, usize::try_from(self.size.min(TEXT)).ok()?)?;
        if let Some(magic) = LIKELY_MAGIC.iter().find(|magic| head.starts_with(magic.0)) {
            return Some(Stranger::Other(magic.1));
        }
        let is_text = self.size <= TEXT
            && !head.is_empty()
            && std::str::from_utf8(&head).is_ok_and(|text| text.chars().all(|c| !c.is_control() || c.is_whitespace()));
        is_text.then_some(Stranger::Other("a text file"))
    }

    /// The elements of a constant as a value; `None` where they cannot be read or have no numbers.
    pub fn value(&self, constant: &Constant) -> Option<Value> {
        if self.stranger().is_some() {
            return None;
        }
        let count = usize::try_from(constant.elements()?).ok()?;
        if constant.ty == ElementType::String {
            return opaque(constant, count, self.string_bytes(constant, count)).map(Value::stored);
        }
        let size = usize::try_from(constant.bytes_needed()?).ok()?;
        if count > 0 && size as u64 > constant.size {
            return None;
        }
        let bytes = if count == 0 { Cow::default() } else { self.bytes(constant.offset, size)? };
        decode(constant.ty, &constant.shape(), count, &bytes)
            .or_else(|| opaque(constant, count, None))
            .map(Value::stored)
    }

    /// The bytes that the `count` strings of a constant take together: their table holds their number, then where the first
    /// begins and where each ends.
    fn string_bytes(&self, constant: &Constant, count: usize) -> Option<i64> {
        let entry = |place: usize| {
            let at = u64::try_from(place).ok()?.checked_mul(4).filter(|at| at.saturating_add(4) <= constant.size)?;
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

/// Whether a file starts with the whole header of a gzip archive: deflate, no reserved flag, a known level and system.
fn is_gzip(head: &[u8]) -> bool {
    match head {
        [0x1f, 0x8b, 8, flags, _, _, _, _, level, system, ..] => {
            *flags < 0x20 && matches!(level, 0 | 2 | 4) && matches!(system, 0..=13 | 255)
        }
        _ => false,
    }
}

/// The same error once more.
fn copy(error: &Error) -> Error {
    error.raw_os_error().map_or_else(|| Error::new(error.kind(), error.to_string()), Error::from_raw_os_error)
}

/// A constant whose elements are not taken for numbers.
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
            let open = || Weights::open(&folder.path().join("m.xml"), &WeightsOption::Auto);
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
        let open = || Weights::open(&folder.path().join("m.xml"), &WeightsOption::Auto);
        open().need();
        assert!(open().failure().is_none(), "a missing file is a finding");
        std::fs::create_dir(&path).unwrap();
        let weights = open();
        assert!(!weights.is_available() && weights.failure().is_none());
        weights.need();
        assert_eq!(weights.failure().unwrap().to_string(), "it is a folder, wanted a file");
    }

    #[test]
    fn files_that_are_no_weights_are_told_by_their_first_bytes() {
        let stranger = |bytes: &[u8]| Weights::in_memory(bytes.to_vec()).stranger();
        let other = |kind| Some(Stranger::Other(kind));
        assert_eq!(stranger(b"version https://git-lfs.github.com/spec/v1\noid sha256:0"), Some(Stranger::LfsPointer));
        assert_eq!(stranger(b"\xef\xbb\xbf \r\n<!DOCTYPE html>"), other("an HTML page"));
        assert_eq!(stranger(b"<?xml version=\"1.0\"?><Error>"), other("an XML file"));
        assert_eq!(stranger(b"<net name=\"m\" version=\"11\">"), other("the XML of a model"));
        assert_eq!(stranger(b"PK\x03\x04\x14\0\0\0"), other("a zip archive"));
        assert_eq!(stranger(b"\x40\0\0\0\0\0\0\0{\"__metadata__\":{}}"), other("a safetensors file"));
        assert_eq!(stranger(b"GGUF\x03\0\0\0"), other("a GGUF file"));
        let gzip = [0x1f, 0x8b, 8, 8, 0x99, 0x9a, 0x92, 0x65, 0, 3, b'm'];
        assert_eq!(stranger(&gzip), other("a gzip archive"));
        let mut weights = gzip;
        weights[3] = 0x3f;
        assert_eq!(stranger(&weights), None);
        for weights in [b"".as_slice(), b"\0\0\x80\x3f", b"{\"a\": 1}", b"Entry not found", b"\x80\x02c"] {
            assert_eq!(stranger(weights), None, "{weights:?}");
        }
    }

    #[test]
    fn short_files_that_look_like_others_are_named() {
        let likely = |bytes: &[u8]| Weights::in_memory(bytes.to_vec()).likely_stranger();
        let other = |kind| Some(Stranger::Other(kind));
        assert_eq!(likely(b"Entry not found\n"), other("a text file"));
        assert_eq!(likely(b"{\"message\": \"gone\"}"), other("a JSON file"));
        assert_eq!(likely(b"\x80\x04\x95\0"), other("a Python pickle"));
        assert_eq!(likely(b"\x1f\x8b\x08\0"), other("a gzip archive"));
        assert_eq!(likely(b"\0\0\x80\x3f"), None);
        assert_eq!(likely(b""), None);
    }
}
