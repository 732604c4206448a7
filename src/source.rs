//! The bytes of a file, and places in it.

mod large;

pub(crate) use large::{LARGE, LargeText};

use std::ops::Range;
use std::path::{Path, PathBuf};

/// A range of bytes in a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` up to `end`; saturating, as a source never holds more than `u32::MAX` bytes.
    pub fn new(start: usize, end: usize) -> Self {
        let clip = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self { start: clip(start), end: clip(end) }
    }

    /// The range of indices.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The smallest span around both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The number of bytes.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether the span holds no byte.
    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }
}

/// A line and a column, both counted from 1; the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column in characters.
    pub column: u32,
}

impl Position {
    const FIRST: Self = Self { line: 1, column: 1 };

    /// The position behind `bytes`, which start here. Bytes that continue a UTF-8 sequence are no characters.
    fn after(self, bytes: &[u8]) -> Self {
        let clip = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let newlines = memchr::memchr_iter(b'\n', bytes).count();
        let (column, rest) = match memchr::memrchr(b'\n', bytes) {
            Some(newline) => (1, bytes.get(newline + 1..).unwrap_or_default()),
            None => (self.column, bytes),
        };
        let characters = rest.iter().filter(|&byte| byte & 0xC0 != 0x80).count();
        Self { line: self.line.saturating_add(clip(newlines)), column: column.saturating_add(clip(characters)) }
    }
}

/// The text of a file, whole in memory, as the reader sees it.
///
/// A byte-order mark stays in; other encodings are turned into UTF-8 when the file is opened. At most `u32::MAX` bytes.
#[derive(Debug)]
pub struct Source {
    path: PathBuf,
    bytes: Bytes,
    encoding: Option<&'static str>,
}

#[derive(Debug)]
enum Bytes {
    Owned(Vec<u8>),
    Large(LargeText),
}

impl Source {
    /// A source of bytes in memory.
    pub fn new(path: impl Into<PathBuf>, bytes: Vec<u8>) -> Self {
        Self { path: path.into(), bytes: Bytes::Owned(bytes), encoding: None }
    }

    /// A source of a large file.
    pub(crate) fn large(path: impl Into<PathBuf>, text: LargeText) -> Self {
        Self { path: path.into(), bytes: Bytes::Large(text), encoding: None }
    }

    /// A source of bytes that the file holds in another encoding.
    pub(crate) fn decoded(path: impl Into<PathBuf>, bytes: Vec<u8>, encoding: &'static str) -> Self {
        Self { path: path.into(), bytes: Bytes::Owned(bytes), encoding: Some(encoding) }
    }

    /// The encoding of the file; `None` if it is taken for UTF-8, and then the bytes are those of the file.
    pub fn encoding(&self) -> Option<&'static str> {
        self.encoding
    }

    /// Gives the memory of what stands from `start` on back for now.
    pub(crate) fn release(&mut self, start: u32) {
        if let Bytes::Large(text) = &mut self.bytes {
            text.release(start as usize);
        }
    }

    /// Why bytes of a large file, of which memory was given back, are not those that it had at first.
    pub fn failure(&self) -> Option<&std::io::Error> {
        match &self.bytes {
            Bytes::Owned(_) => None,
            Bytes::Large(text) => text.failure(),
        }
    }

    /// Where the bytes came from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// All bytes.
    pub fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Owned(bytes) => bytes,
            Bytes::Large(text) => text.bytes(),
        }
    }

    /// The bytes of a span; empty where the span does not fit the source.
    pub fn slice(&self, span: Span) -> &[u8] {
        let bytes = match &self.bytes {
            Bytes::Owned(bytes) => bytes.get(span.range()),
            Bytes::Large(text) => text.get(span.range()),
        };
        bytes.unwrap_or_default()
    }

    /// The text of a span, invalid UTF-8 replaced.
    pub fn text(&self, span: Span) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(self.slice(span))
    }

    /// The line and column of a byte. Reads everything before it; for many bytes there is [`Lines`].
    pub fn position(&self, at: u32) -> Position {
        let at = (at as usize).min(self.bytes().len());
        Position::FIRST.after(self.bytes().get(..at).unwrap_or_default())
    }

    /// The span of the line that holds byte `at`, without its line break.
    pub fn line_around(&self, at: u32) -> Span {
        let bytes = self.bytes();
        let at = (at as usize).min(bytes.len());
        let start = memchr::memrchr(b'\n', bytes.get(..at).unwrap_or_default()).map_or(0, |newline| newline + 1);
        let end = memchr::memchr(b'\n', bytes.get(at..).unwrap_or_default()).map_or(bytes.len(), |n| at + n);
        Span::new(start, end)
    }
}

/// The lines and columns of a source, for many bytes at the price of one pass.
#[derive(Debug)]
pub struct Lines<'a> {
    bytes: &'a [u8],
    /// The position of the first byte of every block, and of the end.
    blocks: Vec<Position>,
}

impl<'a> Lines<'a> {
    const BLOCK: usize = 4096;

    /// The lines of `source`.
    pub fn new(source: &'a Source) -> Self {
        let bytes = source.bytes();
        let mut here = Position::FIRST;
        let mut blocks = Vec::with_capacity(bytes.len() / Self::BLOCK + 2);
        for block in bytes.chunks(Self::BLOCK) {
            blocks.push(here);
            here = here.after(block);
        }
        blocks.push(here);
        Self { bytes, blocks }
    }

    /// The line and column of a byte.
    pub fn position(&self, at: u32) -> Position {
        let at = (at as usize).min(self.bytes.len());
        let block = at / Self::BLOCK;
        let start = self.blocks.get(block).copied().unwrap_or(Position::FIRST);
        start.after(self.bytes.get(block * Self::BLOCK..at).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters() {
        let source = Source::new("x", "a\nbä c\n".as_bytes().to_vec());
        assert_eq!(source.position(0), Position { line: 1, column: 1 });
        assert_eq!(source.position(5), Position { line: 2, column: 3 });
        assert_eq!(source.position(99), Position { line: 3, column: 1 });
        assert_eq!(source.text(source.line_around(4)), "bä c");
    }

    #[test]
    fn lines_agree_with_a_count_from_the_start() {
        let mut bytes = "<layer/>\r\n\t<ä>\n".repeat(700).into_bytes();
        bytes.extend("ö".repeat(5000).into_bytes());
        bytes.extend([0xff, 0x80, b'\n', b'x']);
        let source = Source::new("x", bytes);
        let lines = Lines::new(&source);
        for at in (0..30_000).step_by(7).chain([4095, 4096, 4097, u32::MAX]) {
            assert_eq!(lines.position(at), source.position(at), "{at}");
        }
        let exact = Source::new("x", vec![b'\n'; Lines::BLOCK]);
        assert_eq!(Lines::new(&exact).position(u32::MAX), Position { line: 4097, column: 1 });
        assert_eq!(Lines::new(&Source::new("x", Vec::new())).position(0), Position::FIRST);
    }
}
