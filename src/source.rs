//! The bytes of a file, and places in it.

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
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column in characters.
    pub column: u32,
}

/// The text of a file, whole in memory or mapped, as the reader sees it.
///
/// A byte-order mark stays in; UTF-16 is turned into UTF-8 when the file is opened. At most `u32::MAX` bytes.
#[derive(Debug)]
pub struct Source {
    path: PathBuf,
    bytes: Bytes,
}

#[derive(Debug)]
enum Bytes {
    Owned(Vec<u8>),
    Mapped(memmap2::Mmap),
}

impl Source {
    /// A source of bytes in memory.
    pub fn new(path: impl Into<PathBuf>, bytes: Vec<u8>) -> Self {
        Self { path: path.into(), bytes: Bytes::Owned(bytes) }
    }

    /// A source of a mapped file.
    pub(crate) fn mapped(path: impl Into<PathBuf>, map: memmap2::Mmap) -> Self {
        Self { path: path.into(), bytes: Bytes::Mapped(map) }
    }

    /// Where the bytes came from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// All bytes.
    pub fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Owned(bytes) => bytes,
            Bytes::Mapped(map) => map,
        }
    }

    /// The bytes of a span; empty where the span does not fit the source.
    pub fn slice(&self, span: Span) -> &[u8] {
        self.bytes().get(span.range()).unwrap_or_default()
    }

    /// The text of a span, invalid UTF-8 replaced.
    pub fn text(&self, span: Span) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(self.slice(span))
    }

    /// The line and column of a byte.
    pub fn position(&self, at: u32) -> Position {
        let at = (at as usize).min(self.bytes().len());
        let before = self.bytes().get(..at).unwrap_or_default();
        let line = memchr::memchr_iter(b'\n', before).count() + 1;
        let start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
        let column = String::from_utf8_lossy(before.get(start..).unwrap_or_default()).chars().count() + 1;
        let clip = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Position { line: clip(line), column: clip(column) }
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
}
