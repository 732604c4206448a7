//! The unified diff of an edited text, worked out around the edits only.

use crate::diagnostic::Edit;
use crate::source::{Lines, Source, Span};
use similar::{ChangeTag, TextDiff};
use std::fmt::Write;

/// Lines shown around a change.
const CONTEXT: usize = 3;

/// Bytes of a hunk beyond which only its edits are named.
const LONG: usize = 1 << 20;

/// The unified diff of `source`, called `path`, under edits in order and apart; empty if there are none.
pub fn unified_diff(path: &str, source: &Source, edits: &[Edit]) -> String {
    if edits.is_empty() {
        return String::new();
    }
    let mut text = format!("--- {path}\n+++ {path}\n");
    let lines = Lines::new(source);
    let mut grown = 0_i64;
    let mut rest = edits;
    while let Some(first) = rest.first() {
        let mut span = around(source, first.span);
        let mut count = 1;
        while let Some(edit) = rest.get(count).filter(|edit| around(source, edit.span).start <= span.end) {
            span = span.to(around(source, edit.span));
            count += 1;
        }
        let (here, others) = rest.split_at(count);
        rest = others;
        let line = lines.position(span.start).line;
        grown += hunk(source, span, here, line, grown, &mut text);
    }
    text
}

/// The lines around some bytes.
fn around(source: &Source, span: Span) -> Span {
    let bytes = source.bytes();
    let range = span.range();
    let line_start = |at: usize| memchr::memrchr(b'\n', bytes.get(..at).unwrap_or_default()).map_or(0, |at| at + 1);
    let mut start = line_start(range.start.min(bytes.len()));
    for _ in 0..CONTEXT {
        start = line_start(start.saturating_sub(1));
    }
    // An edit that ends with a line leaves the next one as it is, but shows it.
    let mut end = range.end.min(bytes.len());
    for _ in 0..=CONTEXT {
        end += memchr::memchr(b'\n', bytes.get(end..).unwrap_or_default()).map_or(bytes.len() - end, |at| at + 1);
    }
    Span::new(start, end)
}

/// Writes a hunk; `line` is where it starts and `grown` by how many lines the text before has grown. Gives by how many
/// lines this one grows.
fn hunk(source: &Source, span: Span, edits: &[Edit], line: u32, grown: i64, text: &mut String) -> i64 {
    let old = source.text(span);
    let mut new = String::with_capacity(old.len());
    let mut at = span.start;
    for edit in edits {
        new.push_str(&source.text(Span { start: at, end: edit.span.start }));
        new.push_str(&edit.text);
        at = edit.span.end;
    }
    new.push_str(&source.text(Span { start: at, end: span.end }));
    let count = |text: &str| text.split_inclusive('\n').count();
    let (was, is) = (count(&old), count(&new));
    let more = i64::try_from(is).unwrap_or(0) - i64::try_from(was).unwrap_or(0);
    let start = |line: i64, count: usize| if count == 0 { line - 1 } else { line };
    let (from, to) = (start(i64::from(line), was), start(i64::from(line) + grown, is));
    let _ = writeln!(text, "@@ -{from},{was} +{to},{is} @@");
    if old.len() > LONG {
        let _ = writeln!(text, "# {} edits in a line of {} bytes, too long to show", edits.len(), old.len());
        return more;
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    for change in TextDiff::from_slices(&old, &new).iter_all_changes() {
        let sign = match change.tag() {
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
            ChangeTag::Equal => ' ',
        };
        let _ = write!(text, "{sign}{}", change.value());
        if !change.value().ends_with('\n') {
            text.push_str("\n\\ No newline at end of file\n");
        }
    }
    more
}
