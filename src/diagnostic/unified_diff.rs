//! The unified diff of an edited text. The edits say what changed, so only the lines around them are read.

use super::Edit;
use crate::source::{Lines, Source, Span};
use std::fmt::Write;

/// The number of context lines before and after a change.
const CONTEXT: usize = 3;

/// Maximum size, in bytes, of a change to show.
const LONG: usize = 1 << 20;

/// Returns the unified diff of `source`, called `path`, for sorted edits without overlaps; empty if there are none.
///
/// Of a change of more than 1 MiB, as in a file of one line, only the size is shown.
pub fn unified_diff(path: &str, source: &Source, edits: &[Edit]) -> String {
    diff([path, path], source, edits, LONG)
}

/// Returns the unified diff between two paths; of a change of more than `long` bytes, only the size is shown.
pub(crate) fn diff(paths: [&str; 2], source: &Source, edits: &[Edit], long: usize) -> String {
    let changes = changes(source, edits);
    if changes.is_empty() {
        return String::new();
    }
    let [old, new] = paths;
    let mut out = Out { text: format!("--- {old}\n+++ {new}\n"), long };
    let lines = Lines::new(source);
    let near = |a: &Change, b: &Change| after(source, a.end) >= before(source, b.start);
    let mut grown = 0;
    for hunk in changes.chunk_by(near) {
        grown += write_hunk(source, &lines, hunk, grown, &mut out);
    }
    out.text
}

/// The diff written so far.
struct Out {
    text: String,
    /// Maximum size, in bytes, of a change to show.
    long: usize,
}

/// A replacement of whole lines.
struct Change {
    start: usize,
    end: usize,
    new: String,
}

/// The changes, line by line.
fn changes(source: &Source, edits: &[Edit]) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut rest = edits;
    while let Some(first) = rest.first() {
        let start = line_start(source, first.span.start as usize);
        let mut end = line_end(source, first.span.end as usize);
        let mut count = 1;
        while let Some(edit) = rest.get(count).filter(|edit| (edit.span.start as usize) < end) {
            if edit.span.end as usize >= end {
                end = line_end(source, edit.span.end as usize);
            }
            count += 1;
        }
        let (here, others) = rest.split_at(count);
        rest = others;
        changes.extend(trimmed(source, start, end, &applied(source, start, end, here)));
    }
    changes
}

/// Returns some lines with edits applied.
fn applied(source: &Source, start: usize, end: usize, edits: &[Edit]) -> String {
    let mut new = String::with_capacity(end - start);
    let mut at = start;
    for edit in edits {
        new.push_str(&source.text(Span::new(at, edit.span.start as usize)));
        new.push_str(&edit.text);
        at = edit.span.end as usize;
    }
    new.push_str(&source.text(Span::new(at, end)));
    new
}

/// Removes equal lines from both ends of a change.
fn trimmed(source: &Source, start: usize, end: usize, new: &str) -> Option<Change> {
    let bytes = source.bytes().get(start..end)?;
    let old: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let lines: Vec<&str> = new.split_inclusive('\n').collect();
    let same = old.iter().zip(&lines).take_while(|(old, new)| **old == new.as_bytes()).count();
    let (old, lines) = (old.get(same..)?, lines.get(same..)?);
    let tail = old.iter().rev().zip(lines.iter().rev()).take_while(|(old, new)| **old == new.as_bytes()).count();
    let (gone, come) = (old.get(..old.len() - tail)?, lines.get(..lines.len() - tail)?);
    let length: usize = gone.iter().map(|line| line.len()).sum();
    let behind: usize = old.iter().map(|line| line.len()).sum::<usize>() - length;
    let (start, end) = (end - behind - length, end - behind);
    (!gone.is_empty() || !come.is_empty()).then(|| Change { start, end, new: come.concat() })
}

/// The start of the line at a byte.
fn line_start(source: &Source, at: usize) -> usize {
    source.line_at(Span::new(at, at).start).range().start
}

/// The end of the line at a byte.
fn line_end(source: &Source, at: usize) -> usize {
    source.line_at(Span::new(at, at).start).range().end
}

/// The start of the context before a line.
fn before(source: &Source, start: usize) -> usize {
    (0..CONTEXT).fold(start, |at, _| line_start(source, at.saturating_sub(1)))
}

/// The end of the context after a line.
fn after(source: &Source, end: usize) -> usize {
    (0..CONTEXT).fold(end, |at, _| line_end(source, at))
}

/// Writes a hunk and returns the number of lines that it adds, less those that it removes; `grown` is the sum of these
/// numbers for the hunks before it.
fn write_hunk(source: &Source, lines: &Lines, changes: &[Change], grown: i64, out: &mut Out) -> i64 {
    let (Some(first), Some(last)) = (changes.first(), changes.last()) else { return 0 };
    let (start, end) = (before(source, first.start), after(source, last.end));
    let old = |from: usize, to: usize| source.text(Span::new(from, to));
    let count = |text: &str| i64::try_from(text.split_inclusive('\n').count()).unwrap_or(i64::MAX);
    let was = count(&old(start, end));
    let more: i64 = changes.iter().map(|change| count(&change.new) - count(&old(change.start, change.end))).sum();
    let is = was + more;
    let line = i64::from(lines.position(Span::new(start, start).start).line);
    // By convention, the header of a side without lines gives the number of the line before it.
    let first_line = |line: i64, count: i64| if count == 0 { line - 1 } else { line };
    let _ = writeln!(out.text, "@@ -{},{was} +{},{is} @@", first_line(line, was), first_line(line + grown, is));
    let mut at = start;
    for change in changes {
        out.lines(' ', &old(at, change.start));
        out.lines('-', &old(change.start, change.end));
        out.lines('+', &change.new);
        at = change.end;
    }
    out.lines(' ', &old(at, end));
    more
}

impl Out {
    fn lines(&mut self, sign: char, lines: &str) {
        if lines.len() > self.long {
            let _ = writeln!(self.text, "# {sign} {} bytes, too many to show", lines.len());
            return;
        }
        for line in lines.split_inclusive('\n') {
            self.text.push(sign);
            self.text.push_str(line);
            if !line.ends_with('\n') {
                self.text.push_str("\n\\ No newline at end of file\n");
            }
        }
    }
}
