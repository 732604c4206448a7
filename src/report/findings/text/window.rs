//! Windows: the few lines of a source of any size that an excerpt shows.
//!
//! The renderer processes all text that it gets, so it gets only windows: lines with marks, and for the lines in between only
//! line breaks. Long lines are truncated around the marks, and hidden characters are escaped.

use crate::arrange::Arrange;
use crate::report::wrap::{columns, width};
use crate::source::{Lines, Position, Source, Span};
use crate::text::escape;
use std::ops::Range;

/// The maximum distance in lines between consecutive marks of a window.
const NEAR: u32 = 1000;
/// The number of bytes read on either side of a mark, more than fit on the widest line.
const REACH: usize = 2048;
const ELLIPSIS: &str = "...";
/// The number of columns kept before a mark when a line is truncated on the left.
const LEAD: usize = 16;

/// Consecutive lines, with the marks in them.
#[derive(Debug)]
pub(super) struct Window {
    pub(super) text: String,
    /// The number of the first line.
    pub(super) line: usize,
    /// The position of the first mark in the whole source.
    pub(super) position: Position,
    pub(super) marks: Vec<Placed>,
}

/// A mark in a window.
#[derive(Debug)]
pub(super) struct Placed {
    /// The index of its span in the list of spans.
    pub(super) index: usize,
    /// The bytes in the window's text.
    pub(super) range: Range<usize>,
    /// The bytes of its first character.
    pub(super) head: Range<usize>,
    /// The columns within the line.
    pub(super) columns: Range<usize>,
    /// Set for the last mark of a line, from left to right.
    pub(super) last: bool,
}

/// A truncated line with the `ranges` of its marks.
struct Excerpt {
    text: String,
    ranges: Vec<Range<usize>>,
}

/// A span to show, and its position.
#[derive(Clone, Copy)]
struct Wanted {
    index: usize,
    start: usize,
    end: usize,
    position: Position,
}

/// Returns windows around all `spans`, in file order; no line is wider than `room`.
pub(super) fn windows(source: &Source, lines: &Lines, spans: &[Span], room: usize) -> Vec<Window> {
    let length = source.bytes().len();
    let mut wanted = Vec::with_capacity(spans.len());
    for (index, span) in spans.iter().enumerate() {
        let start = (span.start as usize).min(length);
        let end = (span.end as usize).clamp(start, length);
        wanted.push(Wanted { index, start, end, position: lines.position(span.start) });
    }
    wanted.arrange_by_key(|mark| (mark.start, mark.index));
    let mut windows = Vec::new();
    for cluster in wanted.chunk_by(|a, b| near(a, b, room)) {
        split_wide(source.bytes(), cluster, room, &mut windows);
    }
    windows
}

/// Whether two consecutive marks belong in one window.
fn near(a: &Wanted, b: &Wanted, room: usize) -> bool {
    if a.position.line == b.position.line {
        b.start - a.start < room
    } else {
        b.position.line - a.position.line <= NEAR
    }
}

/// Builds the windows of a cluster of marks; starts a new one where the marks of one line span more than `room`.
fn split_wide(bytes: &[u8], cluster: &[Wanted], room: usize, windows: &mut Vec<Window>) {
    let mut window: Vec<&[Wanted]> = Vec::new();
    for on_line in cluster.chunk_by(|a, b| a.position.line == b.position.line) {
        let mut rest = on_line;
        while let Some(first) = rest.first() {
            let fits = rest.iter().take_while(|mark| mark.start - first.start < room).count();
            let (now, later) = rest.split_at(fits);
            window.push(now);
            rest = later;
            if !rest.is_empty() {
                windows.extend(assemble(bytes, &window, room));
                window.clear();
            }
        }
    }
    windows.extend(assemble(bytes, &window, room));
}

/// Builds a window over marked lines. The lines in between are left empty, because the renderer elides them; a single line
/// in between is shown.
fn assemble(bytes: &[u8], marked: &[&[Wanted]], room: usize) -> Option<Window> {
    let first = marked.first()?.first()?;
    let mut window =
        Window { text: String::new(), line: first.position.line as usize, position: first.position, marks: Vec::new() };
    let mut above = first.position.line;
    for marks in marked {
        let [head, ..] = marks else { continue };
        let gap = head.position.line - above;
        window.text.extend((0..gap.min(1)).map(|_| '\n'));
        if gap == 2 {
            window.text.push_str(&line_above(bytes, head.start, room));
        }
        window.text.extend((1..gap).map(|_| '\n'));
        above = head.position.line;

        let spans: Vec<_> = marks.iter().map(|mark| mark.start..mark.end).collect();
        let excerpt = excerpt(bytes, &spans, room);
        let base = window.text.len();
        let column = |at: usize| columns(excerpt.text.get(..at).unwrap_or_default());
        for (mark, range) in marks.iter().zip(&excerpt.ranges) {
            let head = excerpt.text.get(range.start..).and_then(|text| text.chars().next()).map_or(0, char::len_utf8);
            window.marks.push(Placed {
                index: mark.index,
                head: base + range.start..base + range.start + head,
                columns: column(range.start)..column(range.end),
                range: base + range.start..base + range.end,
                last: marks.last().is_none_or(|last| last.index == mark.index),
            });
        }
        window.text.push_str(&excerpt.text);
    }
    Some(window)
}

/// Returns the line above that of byte `at`.
fn line_above(bytes: &[u8], at: usize, room: usize) -> String {
    let from = at.saturating_sub(REACH);
    let Some(newline) = memchr::memrchr(b'\n', bytes.get(from..at).unwrap_or_default()) else {
        return String::new();
    };
    let end = from + newline;
    excerpt(bytes, std::slice::from_ref(&(end..end)), room).text
}

/// Truncates the line around `spans`, which start on it in this order, to `room` columns.
fn excerpt(bytes: &[u8], spans: &[Range<usize>], room: usize) -> Excerpt {
    let slice = |range: Range<usize>| bytes.get(range).unwrap_or_default();
    let first = spans.first().map_or(0, |span| span.start);
    let last = spans.last().map_or(0, |span| span.start);
    let back = first.saturating_sub(REACH);
    let low = memchr::memrchr(b'\n', slice(back..first)).map_or(back, |newline| back + newline + 1);
    let ahead = (last + REACH).min(bytes.len());
    let mut high = memchr::memchr(b'\n', slice(last..ahead)).map_or(ahead, |newline| last + newline);
    let cut_left = low == back && back > 0 && bytes.get(back - 1) != Some(&b'\n');
    let cut_right = high == ahead && high < bytes.len() && bytes.get(high) != Some(&b'\n');
    if !cut_right && high > low && bytes.get(high - 1) == Some(&b'\r') {
        high -= 1;
    }

    let (mut text, mut offsets) = (String::new(), Vec::with_capacity(high - low));
    escape::push_bytes(&mut text, slice(low..high), |at| offsets.push(at));
    let offset = |at: usize| offsets.get(at.saturating_sub(low)).copied().unwrap_or(text.len());
    let mut ranges: Vec<_> = spans.iter().map(|span| offset(span.start)..offset(span.end.max(span.start))).collect();

    let visible = visible(&text, &ranges, room, cut_left, cut_right);
    let (cut_left, cut_right) = (cut_left || visible.start > 0, cut_right || visible.end < text.len());
    let mut shown = String::new();
    if cut_left {
        shown.push_str(ELLIPSIS);
    }
    let lead = shown.len();
    shown.push_str(text.get(visible.clone()).unwrap_or_default());
    if cut_right {
        shown.push_str(ELLIPSIS);
    }
    if shown.is_empty() {
        shown.push(' ');
    }
    // A mark that extends into a truncated part covers the ellipsis.
    let moved = |at: usize| match at {
        at if at < visible.start => 0,
        at if at > visible.end => shown.len(),
        at => at - visible.start + lead,
    };
    for range in &mut ranges {
        *range = moved(range.start)..moved(range.end);
    }
    Excerpt { text: shown, ranges }
}

/// Returns the range of an escaped line to show: all of it if it fits, or else the part around the marks.
fn visible(text: &str, ranges: &[Range<usize>], room: usize, cut_left: bool, cut_right: bool) -> Range<usize> {
    let mut starts = Vec::new();
    let mut column = 0;
    for (at, character) in text.char_indices() {
        starts.push((at, column));
        column += width(character);
    }
    if column <= room && !cut_left && !cut_right {
        return 0..text.len();
    }
    let column_of = |at: usize| starts.get(starts.partition_point(|&(start, _)| start < at)).map_or(column, |c| c.1);
    let inner = room.saturating_sub(2 * ELLIPSIS.len());
    let from = ranges.first().map_or(0, |range| column_of(range.start));
    let to = ranges.iter().map(|range| column_of(range.end)).max().unwrap_or(from);
    let lead = LEAD.min(inner.saturating_sub(to.saturating_sub(from)) / 2);
    let left = if !cut_left && to <= inner { 0 } else { from.saturating_sub(lead).min(column.saturating_sub(inner)) };
    let right = left + inner;
    let low = starts.partition_point(|&(_, column)| column < left);
    let high = starts.partition_point(|&(_, column)| column < right);
    let byte = |index: usize| starts.get(index).map_or(text.len(), |start| start.0);
    byte(low)..byte(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(bytes: &[u8], spans: &[Span], room: usize) -> Vec<Window> {
        let source = Source::new("x", bytes.to_vec());
        windows(&source, &Lines::new(&source), spans, room)
    }

    fn marked(window: &Window) -> Vec<&str> {
        window.marks.iter().map(|mark| &window.text[mark.range.clone()]).collect()
    }

    #[test]
    fn far_lines_are_left_out() {
        let text = "first\n".to_owned() + &"middle\n".repeat(9) + "second\n";
        let second = text.find("second").unwrap();
        let found = cut(text.as_bytes(), &[Span::new(second, second + 6), Span::new(0, 5)], 80);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].text, "first\n\n\n\n\n\n\n\n\n\nsecond");
        assert_eq!(marked(&found[0]), ["first", "second"]);
        assert_eq!(found[0].marks[1].index, 0);

        let text = "first\n".to_owned() + &"middle\n".repeat(5000) + "second\n";
        let second = text.find("second").unwrap();
        let found = cut(text.as_bytes(), &[Span::new(0, 5), Span::new(second, second + 6)], 80);
        assert_eq!((found.len(), found[1].line, found[1].text.as_str()), (2, 5002, "second"));
    }

    #[test]
    fn a_single_line_in_between_is_shown() {
        let found = cut(b"ab\r\n\tcd\r\nef\r\n", &[Span::new(0, 2), Span::new(9, 11)], 80);
        assert_eq!(found[0].text, "ab\n    cd\nef");
        assert_eq!(marked(&found[0]), ["ab", "ef"]);
    }

    #[test]
    fn long_lines_are_cut_around_the_mark() {
        let text = "a".repeat(3_000_000) + "<dim>5</dim>" + &"b".repeat(2_000_000);
        let found = cut(text.as_bytes(), &[Span::new(3_000_005, 3_000_006), Span::new(10, 12)], 40);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].text, format!("{}...", "a".repeat(34)));
        assert_eq!(found[1].text, "...aaaaaaaaaaa<dim>5</dim>bbbbbbbbbbb...");
        assert_eq!((found[1].position.line, found[1].position.column), (1, 3_000_006));
        assert_eq!(marked(&found[1]), ["5"]);
        let wide = cut(text.as_bytes(), &[Span::new(3_000_000, 5_000_000)], 40);
        assert_eq!(marked(&wide[0]), ["<dim>5</dim>bbbbbbbbbbbbbbbbbbbbbb..."]);
    }

    #[test]
    fn spans_over_lines_end_with_their_first_line() {
        let found = cut(b"<a\n b>\n", &[Span::new(0, 6)], 80);
        assert_eq!((found[0].text.as_str(), marked(&found[0])), ("<a", vec!["<a"]));
    }

    #[test]
    fn the_end_of_the_file_has_a_place() {
        for (bytes, line) in [(&b""[..], 1), (b"abc\n", 2), (b"abc", 1)] {
            let found = cut(bytes, &[Span::new(900, 901)], 80);
            assert_eq!(found[0].line, line);
        }
    }
}
