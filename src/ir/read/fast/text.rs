//! The cursor of the fast path: it reads XML only in the form in which OpenVINO writes it, and remembers the holes of
//! templates.

use crate::source::Span;
use smallvec::SmallVec;

/// A position in the bytes of a file, and the holes before it.
pub(in crate::ir) struct Text<'a> {
    pub text: &'a [u8],
    pub at: usize,
    pub(super) holes: Holes,
}

/// Holes in the order of the file.
pub(super) type Holes = SmallVec<[Hole; 12]>;

/// A part of a layer in which layers of one template differ.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hole {
    pub kind: HoleKind,
    pub span: Span,
    /// The value of a [`HoleKind::Number`].
    pub number: u64,
    /// The value of a [`HoleKind::Dims`].
    pub dims: (u32, u32),
}

/// The content of a hole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HoleKind {
    Number,
    /// The text before the next quote.
    Text,
    /// As `Text`: names that OpenVINO can certainly read.
    Names,
    /// Dimensions and `</port>`.
    Dims,
}

/// The blanks that most exporters write before a tag. Those that a text begins with are skipped at once, the others one by one.
const INDENTATION: u64 = u64::from_le_bytes(*b"\n\t\t\t\t\t\t\t");

impl<'a> Text<'a> {
    pub(in crate::ir) fn new(text: &'a [u8], at: usize) -> Self {
        Self { text, at, holes: Holes::new() }
    }

    /// Returns the position as in spans.
    pub(super) fn position(&self) -> u32 {
        Span::new(self.at, self.at).end
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn blanks(&mut self) {
        if let Some(bytes) = self.rest().first_chunk() {
            let other = u64::from_le_bytes(*bytes) ^ INDENTATION;
            self.at += other.trailing_zeros() as usize / 8;
        }
        while self.text.get(self.at).is_some_and(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Skips `word` if it comes next; returns whether it did.
    pub(super) fn word<const N: usize>(&mut self, word: &[u8; N]) -> bool {
        let found = self.rest().first_chunk() == Some(word);
        self.at += if found { N } else { 0 };
        found
    }

    /// Reads a number of at most 18 digits.
    pub(super) fn number(&mut self) -> Option<u64> {
        let start = self.at;
        let mut value = 0_u64;
        while let Some(digit) = self.text.get(self.at).filter(|b| b.is_ascii_digit()) {
            value = value.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
            self.at += 1;
        }
        (1..=18).contains(&(self.at - start)).then_some(value)
    }

    /// Reads the text before the next quote, and skips the quote.
    pub(super) fn quoted(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest();
        let length = to_quote(rest)?;
        self.at += length + 1;
        rest.get(..length)
    }

    /// Reads `word`, a value and a quote.
    pub(super) fn value<const N: usize>(&mut self, word: &[u8; N]) -> Option<&'a [u8]> {
        self.word(word).then(|| self.quoted())?
    }

    /// Reads `word`, a number and a quote.
    pub(super) fn attribute<const N: usize>(&mut self, word: &[u8; N]) -> Option<u64> {
        let value = self.word(word).then(|| self.number())??;
        self.word(b"\"").then_some(value)
    }

    /// Reads `word`, a hole and a quote.
    pub(super) fn hole<const N: usize>(&mut self, word: &[u8; N], kind: HoleKind) -> Option<Hole> {
        let hole = self.word(word).then(|| self.fill(kind))??;
        self.word(b"\"").then_some(hole)
    }

    /// Reads a hole of dimensions, which take `length` bytes.
    pub(super) fn fill_dims(&mut self, length: usize, dims: (u32, u32)) {
        let start = self.at;
        self.at += length;
        self.holes.push(Hole { kind: HoleKind::Dims, span: Span::new(start, self.at), number: 0, dims });
    }

    /// Reads a hole without dimensions.
    pub(super) fn fill(&mut self, kind: HoleKind) -> Option<Hole> {
        let start = self.at;
        let number = if kind == HoleKind::Number {
            self.number()?
        } else {
            let text = self.quoted()?;
            self.at -= 1;
            (kind != HoleKind::Names || are_plain(text)).then_some(0)?
        };
        let hole = Hole { kind, span: Span::new(start, self.at), number, dims: (0, 0) };
        self.holes.push(hole);
        Some(hole)
    }
}

/// The number of bytes of a value that are searched in words of eight bytes; memchr searches the rest.
const SHORT: usize = 64;

/// Returns the number of bytes before the next quote, if they are UTF-8 without a NUL. Most values are short, for which a
/// search in words of eight is faster than memchr.
fn to_quote(text: &[u8]) -> Option<usize> {
    let (mut at, mut odd) = (0, 0);
    while let Some(bytes) = text.get(at..SHORT).and_then(|rest| rest.first_chunk()) {
        let word = u64::from_le_bytes(*bytes);
        let quote = zero_bytes(word ^ (ONES * u64::from(b'"')));
        let strange = zero_bytes(word) | word & (ONES << 7);
        if quote != 0 {
            // Only the bytes before the quote count.
            odd |= strange & (quote & quote.wrapping_neg()).wrapping_sub(1);
            let length = at + quote.trailing_zeros() as usize / 8;
            return (odd == 0 || is_clean(text.get(..length)?)).then_some(length);
        }
        odd |= strange;
        at += 8;
    }
    let rest = text.get(at..)?;
    let length = at + memchr::memchr(b'"', rest)?;
    is_clean(text.get(..length)?).then_some(length)
}

const ONES: u64 = u64::from_ne_bytes([1; 8]);

/// Sets the highest bit of the lowest zero byte, and possibly of bytes above it.
fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & (ONES << 7)
}

fn is_clean(text: &[u8]) -> bool {
    memchr::memchr(0, text).is_none() && simdutf8::basic::from_utf8(text).is_ok()
}

/// Whether names are separated by single commas, with at most one blank after each. Scans all bytes without branches, which
/// is faster than to stop early.
#[allow(clippy::needless_bitwise_bool, reason = "without branches, the compiler looks at many bytes at once")]
fn are_plain(text: &[u8]) -> bool {
    let pairs = text.iter().zip(text.get(1..).unwrap_or_default());
    let odd = |a: u8, b: u8| (a == b',') & (b == b',') | (a == b' ') & ((b == b',') | (b == b' ')) | (a == b'&');
    let is_odd = pairs.fold(false, |found, (a, b)| found | odd(*a, *b));
    !is_odd && !matches!(text.first(), Some(b',' | b' ')) && !matches!(text.last(), Some(b' ' | b'&'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_are_passed_however_they_are_mixed() {
        for blanks in
            ["", " ", "\n", "\n\t\t\t", "\t\n", "\r\n\t\t", "\n\t\t\t\t\t\t\t", "\n\t\t\t\t\t\t\t\t\t", "\n\t  \t"]
        {
            for end in ["", "<", "<dim>", "\u{b}\t", "abcdefghij"] {
                let text = format!("{blanks}{end}");
                let mut cursor = Text::new(text.as_bytes(), 0);
                cursor.blanks();
                assert_eq!(cursor.at, blanks.len(), "{text:?}");
            }
        }
    }

    #[test]
    fn numbers_of_any_length_are_read() {
        for (text, number) in [
            ("", None),
            ("x", None),
            ("0", Some(0)),
            ("7</dim>", Some(7)),
            ("007</dim>", Some(7)),
            ("1234567<", Some(1_234_567)),
            ("9999999</dim>", Some(9_999_999)),
            ("12345678</dim>", Some(12_345_678)),
            ("123456789012345678\"", Some(123_456_789_012_345_678)),
            ("1234567890123456789\"", None),
            ("12:45678", Some(12)),
            ("12/45678", Some(12)),
            ("3\u{ff}99999999", Some(3)),
        ] {
            let mut cursor = Text::new(text.as_bytes(), 0);
            assert_eq!(cursor.number(), number, "{text}");
            let digits = text.bytes().take_while(u8::is_ascii_digit).count();
            assert_eq!(cursor.at, digits, "{text}");
        }
    }

    #[test]
    fn quotes_are_found_wherever_they_stand() {
        for length in 0..40 {
            let text =
                format!("{}\"\"{}", "\u{a3}!".repeat(20).chars().take(length).collect::<String>(), "#".repeat(9));
            assert_eq!(to_quote(text.as_bytes()), text.find('"'), "{text}");
        }
        assert_eq!(to_quote(b"123456789"), None);
    }

    #[test]
    fn bytes_that_are_no_text_are_found() {
        for odd in [&b"\0"[..], b"\xff", b"\xe2\x82", b"\x80"] {
            for length in 0..20 {
                let before = [b"x".repeat(length).as_slice(), odd, b"\"", &b"x".repeat(12)].concat();
                assert_eq!(to_quote(&before), None, "{before:?}");
                let behind = [b"x".repeat(length).as_slice(), b"\"", odd, &b"x".repeat(12)].concat();
                assert_eq!(to_quote(&behind), Some(length), "{behind:?}");
            }
        }
    }
}
