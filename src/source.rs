//! The text of a file, and byte spans, lines and columns in it.

mod large;

pub(crate) use large::{LARGE, LargeText};

use serde::Serialize;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A range of bytes in a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize)]
pub struct Span {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Creates a span. Offsets saturate at `u32::MAX`, the maximum size of a source.
    pub fn new(start: usize, end: usize) -> Self {
        let clip = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self { start: clip(start), end: clip(end) }
    }

    /// Returns the span as a range of indices.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns the smallest span that contains both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Returns the number of bytes.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether the span is empty.
    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }
}

/// A line and a column, both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column in characters.
    pub column: u32,
    /// The column in UTF-16 code units, as language servers count.
    pub utf16_column: u32,
}

impl Position {
    const FIRST: Self = Self { line: 1, column: 1, utf16_column: 1 };

    /// Returns the position after `bytes`, which start at this position. UTF-8 continuation bytes are not characters.
    fn after(self, bytes: &[u8]) -> Self {
        let clip = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let newlines = memchr::memchr_iter(b'\n', bytes).count();
        let (start, rest) = match memchr::memrchr(b'\n', bytes) {
            Some(newline) => (Self::FIRST, bytes.get(newline + 1..).unwrap_or_default()),
            None => (self, bytes),
        };
        let characters = clip(rest.iter().filter(|&byte| byte & 0xC0 != 0x80).count());
        let surrogates = clip(rest.iter().filter(|byte| is_astral(**byte)).count());
        Self {
            line: self.line.saturating_add(clip(newlines)),
            column: start.column.saturating_add(characters),
            utf16_column: start.utf16_column.saturating_add(characters).saturating_add(surrogates),
        }
    }
}

/// Whether a byte starts a UTF-8 character that UTF-16 encodes as two code units.
fn is_astral(byte: u8) -> bool {
    matches!(byte, 0xF0..=0xF4)
}

/// A column, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// In characters.
    Characters(u32),
    /// In UTF-16 code units.
    Utf16(u32),
}

impl Column {
    /// Returns the byte offset of this column in `line`, at most that of its line break. A column within a character gives the
    /// offset of the character's start.
    fn offset(self, line: &[u8]) -> usize {
        let (mut left, pair) = match self {
            Self::Characters(column) => (column, 1),
            Self::Utf16(column) => (column, 2),
        };
        for (at, byte) in line.iter().enumerate().filter(|(_, byte)| **byte & 0xC0 != 0x80) {
            left = left.saturating_sub(if is_astral(*byte) { pair } else { 1 });
            if left == 0 {
                return at;
            }
        }
        line.strip_suffix(b"\n").map_or(line.len(), |line| line.strip_suffix(b"\r").unwrap_or(line).len())
    }
}

/// The text of a file, completely in memory.
///
/// A byte-order mark is kept; other encodings are converted to UTF-8 on opening. At most `u32::MAX` bytes.
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
    /// Creates a source from bytes in memory.
    pub fn new(path: impl Into<PathBuf>, bytes: Vec<u8>) -> Self {
        Self { path: path.into(), bytes: Bytes::Owned(bytes), encoding: None }
    }

    /// Creates the source of a large file.
    pub(crate) fn large(path: impl Into<PathBuf>, text: LargeText) -> Self {
        Self { path: path.into(), bytes: Bytes::Large(text), encoding: None }
    }

    /// Creates a source from bytes that were converted from another encoding.
    pub(crate) fn decoded(path: impl Into<PathBuf>, bytes: Vec<u8>, encoding: &'static str) -> Self {
        Self { path: path.into(), bytes: Bytes::Owned(bytes), encoding: Some(encoding) }
    }

    /// Returns the encoding of the file; `None` for UTF-8, whose bytes are those of the file.
    pub fn encoding(&self) -> Option<&'static str> {
        self.encoding
    }

    /// Releases the memory from `start` on until it is needed again.
    pub(crate) fn release(&mut self, start: u32) {
        if let Bytes::Large(text) = &mut self.bytes {
            text.release(start as usize);
        }
    }

    /// Returns the error if released bytes could not be read again unchanged.
    pub fn failure(&self) -> Option<&std::io::Error> {
        match &self.bytes {
            Bytes::Owned(_) => None,
            Bytes::Large(text) => text.failure(),
        }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns all bytes.
    pub fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Owned(bytes) => bytes,
            Bytes::Large(text) => text.bytes(),
        }
    }

    /// Returns the bytes of a span; empty if it exceeds the source.
    pub fn slice(&self, span: Span) -> &[u8] {
        let bytes = match &self.bytes {
            Bytes::Owned(bytes) => bytes.get(span.range()),
            Bytes::Large(text) => text.get(span.range()),
        };
        bytes.unwrap_or_default()
    }

    /// Returns the text of a span, with invalid UTF-8 replaced.
    pub fn text(&self, span: Span) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(self.slice(span))
    }

    /// Returns the position of a byte. Scans everything before it; for many bytes use [`Lines`].
    pub fn position(&self, at: u32) -> Position {
        let at = (at as usize).min(self.bytes().len());
        Position::FIRST.after(self.bytes().get(..at).unwrap_or_default())
    }

    /// Returns the byte offset of a line, counted from 1, and a column: the end of the line if it has fewer columns, `None` if
    /// there are fewer lines. Scans everything before it; for many positions use [`Lines`].
    pub fn offset(&self, line: u32, column: Column) -> Option<u32> {
        offset(self.bytes(), 0, 1, line, column)
    }

    /// Returns the span of the line around a byte, with its line break.
    pub fn line_at(&self, at: u32) -> Span {
        let bytes = self.bytes();
        let at = (at as usize).min(bytes.len());
        let start = memchr::memrchr(b'\n', bytes.get(..at).unwrap_or_default()).map_or(0, |newline| newline + 1);
        let end = memchr::memchr(b'\n', bytes.get(at..).unwrap_or_default()).map_or(bytes.len(), |n| at + n + 1);
        Span::new(start, end)
    }

    /// Returns the span of the line around a byte, without the final `\n`.
    pub fn line_around(&self, at: u32) -> Span {
        let line = self.line_at(at);
        let newline = u32::from(self.slice(line).ends_with(b"\n"));
        Span { end: line.end - newline, ..line }
    }
}

/// Returns the offset of a line and a column, if line `first` starts at `start`.
fn offset(bytes: &[u8], start: usize, first: u32, line: u32, column: Column) -> Option<u32> {
    let above = usize::try_from(line.checked_sub(first)?).ok()?;
    let rest = bytes.get(start..)?;
    let from = match above.checked_sub(1) {
        Some(last) => memchr::memchr_iter(b'\n', rest).nth(last)? + 1,
        None => 0,
    };
    let rest = rest.get(from..)?;
    let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |newline| newline + 1);
    u32::try_from(start + from + column.offset(rest.get(..end)?)).ok()
}

/// An index of lines and columns, for many queries after a single scan.
#[derive(Debug)]
pub struct Lines<'a> {
    bytes: &'a [u8],
    /// The positions of the first byte of every block, and of the end.
    blocks: Vec<Position>,
}

impl<'a> Lines<'a> {
    const BLOCK: usize = 4096;

    /// Indexes the lines of `source`.
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

    /// Returns the position of a byte.
    pub fn position(&self, at: u32) -> Position {
        let at = (at as usize).min(self.bytes.len());
        let block = at / Self::BLOCK;
        let start = self.blocks.get(block).copied().unwrap_or(Position::FIRST);
        start.after(self.bytes.get(block * Self::BLOCK..at).unwrap_or_default())
    }

    /// Returns the byte offset of a line, counted from 1, and a column: the end of the line if it has fewer columns, `None` if
    /// there are fewer lines.
    pub fn offset(&self, line: u32, column: Column) -> Option<u32> {
        // The last block that starts on an earlier line contains the line break before this line.
        let block = self.blocks.partition_point(|position| position.line < line).saturating_sub(1);
        match self.blocks.get(block) {
            Some(position) if position.line < line => {
                let start = block * Self::BLOCK;
                offset(self.bytes, start, position.line, line, column)
            }
            _ => offset(self.bytes, 0, 1, line, column),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters() {
        let source = Source::new("x", "a\nbä c\n".as_bytes().to_vec());
        let at = |line, column, utf16_column| Position { line, column, utf16_column };
        assert_eq!(source.position(0), at(1, 1, 1));
        assert_eq!(source.position(5), at(2, 3, 3));
        assert_eq!(source.position(99), at(3, 1, 1));
        assert_eq!(source.text(source.line_around(4)), "bä c");
        assert_eq!(source.text(source.line_at(4)), "bä c\n");
        let source = Source::new("x", "ä€😀x".as_bytes().to_vec());
        let positions = [0, 2, 5, 9, 10].map(|at| source.position(at));
        assert_eq!(positions, [at(1, 1, 1), at(1, 2, 2), at(1, 3, 3), at(1, 4, 5), at(1, 5, 6)]);
    }

    #[test]
    fn offsets_are_the_inverse_of_positions() {
        let texts = ["", "a", "a\nb", "a\r\nä😀€b\r\n\r\n😀", "\n\n", "😀\n", "\u{feff}<a/>\n"];
        let long = "<ä😀/>\r\n\n".repeat(2000) + &"ö😀".repeat(3000);
        for text in texts.into_iter().chain([long.as_str()]) {
            let source = Source::new("x", text.as_bytes().to_vec());
            let lines = Lines::new(&source);
            let step = if text.len() > 100 { 37 } else { 1 };
            let characters = text.char_indices().map(|(at, _)| at).step_by(step);
            for at in characters.chain([text.len()]).map(|at| u32::try_from(at).unwrap()) {
                let Position { line, column, utf16_column } = lines.position(at);
                for column in [Column::Characters(column), Column::Utf16(utf16_column)] {
                    assert_eq!(source.offset(line, column), Some(at), "{at} {column:?}");
                    assert_eq!(lines.offset(line, column), Some(at), "{at} {column:?}");
                }
            }
            let last = lines.position(u32::MAX).line;
            assert_eq!(lines.offset(last + 1, Column::Characters(1)), None);
            assert_eq!(lines.offset(0, Column::Characters(1)), None);
        }
    }

    #[test]
    fn columns_outside_a_line_or_inside_a_character_are_moved_into_it() {
        let source = Source::new("x", "a😀b\r\ncd".as_bytes().to_vec());
        let offset = |line, column| source.offset(line, column);
        assert_eq!(offset(1, Column::Characters(99)), Some(6), "before the line break");
        assert_eq!(offset(2, Column::Characters(99)), Some(10));
        assert_eq!(offset(1, Column::Characters(0)), Some(0));
        assert_eq!(offset(1, Column::Utf16(3)), Some(1), "inside a surrogate pair");
        assert_eq!(offset(1, Column::Utf16(4)), Some(5));
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
        assert_eq!(Lines::new(&exact).position(u32::MAX), Position { line: 4097, ..Position::FIRST });
        assert_eq!(Lines::new(&Source::new("x", Vec::new())).position(0), Position::FIRST);
    }
}
