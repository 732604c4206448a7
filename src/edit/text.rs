//! A piece table: a text after several rounds of edits, as ranges kept from the original and new bytes, which gives the edits
//! of the original.

use crate::arrange::Arrange;
use crate::diagnostic::Edit;
use crate::source::Span;
use std::ops::Range;

/// A text after a sequence of edits.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    pieces: Vec<Piece>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Kept(Range<usize>),
    New(Vec<u8>),
}

impl Piece {
    fn len(&self) -> usize {
        match self {
            Self::Kept(range) => range.len(),
            Self::New(bytes) => bytes.len(),
        }
    }

    fn part(&self, part: Range<usize>) -> Self {
        match self {
            Self::Kept(range) => Self::Kept(range.start + part.start..range.start + part.end),
            Self::New(bytes) => Self::New(bytes.get(part).unwrap_or_default().to_vec()),
        }
    }
}

impl Text {
    /// Creates an unedited text of this length in bytes.
    pub(crate) fn new(length: usize) -> Self {
        Self { pieces: vec![Piece::Kept(0..length)] }
    }

    /// Applies edits, sorted and without overlap. Their spans refer to the current text.
    pub(crate) fn apply(&mut self, edits: &[Edit]) {
        let mut edited = Vec::with_capacity(self.pieces.len() + 2 * edits.len());
        let mut edits = edits.iter().peekable();
        let mut piece_start = 0;
        let mut removed_to = 0;
        for piece in &self.pieces {
            let piece_end = piece_start + piece.len();
            let mut copied_to = piece_start.max(removed_to);
            while let Some(edit) = edits.next_if(|edit| edit.span.range().start < piece_end) {
                let Range { start, end } = edit.span.range();
                if copied_to < start {
                    edited.push(piece.part(copied_to - piece_start..start - piece_start));
                }
                edited.push(Piece::New(edit.text.clone().into_bytes()));
                removed_to = end;
                copied_to = end.max(piece_start);
            }
            if copied_to < piece_end {
                edited.push(piece.part(copied_to - piece_start..piece_end - piece_start));
            }
            piece_start = piece_end;
        }
        // Edits at the end of the text.
        edited.extend(edits.map(|edit| Piece::New(edit.text.clone().into_bytes())));
        edited.retain(|piece| piece.len() > 0);
        self.pieces = edited;
    }

    /// Maps an offset in this text to the original. New bytes map to the end of the kept bytes before them.
    pub(crate) fn origin(&self, at: usize) -> usize {
        let (mut start, mut origin) = (0, 0);
        for piece in &self.pieces {
            if start > at {
                break;
            }
            if let Piece::Kept(range) = piece {
                origin = range.start + (at - start).min(range.len());
            }
            start += piece.len();
        }
        origin
    }

    /// Returns all bytes.
    pub(crate) fn bytes(&self, original: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.pieces.iter().map(Piece::len).sum());
        for piece in &self.pieces {
            match piece {
                Piece::Kept(range) => bytes.extend_from_slice(original.get(range.clone()).unwrap_or_default()),
                Piece::New(new) => bytes.extend_from_slice(new),
            }
        }
        bytes
    }

    /// Returns the edits that turn the original, which has `length` bytes, into this text.
    pub(crate) fn edits(&self, length: usize) -> Vec<Edit> {
        let mut edits = Vec::new();
        let mut at = 0;
        let mut new: Vec<u8> = Vec::new();
        for piece in self.pieces.iter().chain([&Piece::Kept(length..length)]) {
            match piece {
                Piece::New(bytes) => new.extend_from_slice(bytes),
                Piece::Kept(range) => {
                    if at < range.start || !new.is_empty() {
                        let text = String::from_utf8_lossy(&std::mem::take(&mut new)).into_owned();
                        edits.push(Edit { span: Span::new(at, range.start), text });
                    }
                    at = range.end;
                }
            }
        }
        edits
    }
}

/// Returns the result of applying edits, sorted and without overlap, to an original.
pub(crate) fn applied(original: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut text = Text::new(original.len());
    text.apply(edits);
    text.bytes(original)
}

/// Sorts edits and drops each one that starts before the end of an earlier one.
pub(crate) fn outermost(mut edits: Vec<Edit>) -> Vec<Edit> {
    edits.arrange_by_key(|edit| edit.span);
    let mut end = 0;
    edits.retain(|edit| {
        let is_outside = edit.span.start >= end;
        end = if is_outside { edit.span.end.max(end) } else { end };
        is_outside
    });
    edits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: usize, end: usize, text: &str) -> Edit {
        Edit { span: Span::new(start, end), text: text.to_owned() }
    }

    #[test]
    fn edits_of_edits_are_edits_of_the_original() {
        let original = b"one two three four";
        let mut text = Text::new(original.len());
        let show = |text: &Text| String::from_utf8(text.bytes(original)).unwrap();
        text.apply(&[edit(0, 3, "1"), edit(8, 8, "and "), edit(14, 18, "")]);
        assert_eq!(show(&text), "1 two and three ");
        assert_eq!([0, 1, 2, 6, 10, 15].map(|at| text.origin(at)), [0, 3, 4, 8, 8, 13]);
        // One edit before everything, one across the end of a new part, one after everything.
        text.apply(&[edit(0, 0, "+"), edit(7, 13, "d t"), edit(16, 16, "!")]);
        assert_eq!(show(&text), "+1 two ad tee !");
        let edits = text.edits(original.len());
        assert_eq!(edits, [edit(0, 3, "+1"), edit(8, 11, "ad t"), edit(14, 18, "!")]);
        let mut at_once = Text::new(original.len());
        at_once.apply(&edits);
        assert_eq!(show(&at_once), show(&text));
    }

    #[test]
    fn edits_within_others_are_dropped() {
        let edits = [edit(2, 5, ""), edit(3, 4, "x"), edit(2, 2, "new"), edit(5, 6, "y"), edit(5, 5, "z")];
        let kept = outermost(edits.to_vec());
        assert_eq!(kept, [edit(2, 2, "new"), edit(2, 5, ""), edit(5, 5, "z"), edit(5, 6, "y")]);
        assert_eq!(applied(b"abcdefg", &kept), b"abnewzyg");
    }

    #[test]
    fn an_edit_takes_out_whole_pieces() {
        let original = b"abcdef";
        let mut text = Text::new(original.len());
        text.apply(&[edit(1, 2, "B"), edit(3, 4, "D")]);
        text.apply(&[edit(0, 5, "-")]);
        assert_eq!(text.bytes(original), b"-f");
        assert_eq!(text.edits(6), [edit(0, 5, "-")]);
        assert_eq!(Text::new(3).edits(3), []);
        let mut all = Text::new(3);
        all.apply(&[edit(0, 3, "")]);
        assert_eq!((all.bytes(b"abc"), all.edits(3)), (Vec::new(), vec![edit(0, 3, "")]));
    }
}
