//! The edits of a fix as removed and added lines, below a finding of the text report.

use super::window;
use super::window::Window;
use crate::diagnostic::Fix;
use crate::source::{Lines, Source, Span};
use crate::text::escape;
use annotate_snippets::{Patch, Snippet};
use std::borrow::Cow;

/// The maximum number of edited lines that are shown; `--diff` shows all.
const SHOWN: usize = 5;
/// The maximum size in bytes of the old or new text of a shown edit.
const LONG: usize = 1000;
/// The maximum number of lines of new text in a shown edit.
const TALL: usize = 8;

/// One line with its edits.
type Line = Snippet<'static, Patch<'static>>;

/// Returns the edits line by line, and the number of omitted ones. Edits across lines and very long ones are never shown.
pub(super) fn snippets(fix: &Fix, source: &Source, lines: &Lines, room: usize) -> (Vec<Line>, usize) {
    let mut edits: Vec<(Span, Cow<str>)> = Vec::new();
    for edit in &fix.edits {
        let apart = edits.last().is_none_or(|(last, _)| last.end <= edit.span.start);
        if !apart || edit.span.start > edit.span.end || edit.span.end as usize > source.bytes().len() {
            return (Vec::new(), fix.edits.len());
        }
        edits.push(trim(source, edit.span, &edit.text));
    }
    edits.retain(|(span, text)| {
        let old = source.slice(*span);
        let short = old.len() <= LONG && text.len() <= LONG && text.lines().count() <= TALL;
        short && !old.contains(&b'\n') && old != text.as_bytes()
    });
    let mut shown: Vec<(Line, usize)> = Vec::new();
    let one_line = |(_, text): &(Span, Cow<str>)| !text.contains('\n');
    for edits in edits.chunk_by(|a, b| one_line(a) && one_line(b)) {
        let spans: Vec<_> = edits.iter().map(|edit| edit.0).collect();
        for window in window::windows(source, lines, &spans, room) {
            shown.extend(split(&window, edits));
        }
    }
    shown.truncate(SHOWN);
    let count: usize = shown.iter().map(|line| line.1).sum();
    (shown.into_iter().map(|line| line.0).collect(), fix.edits.len().saturating_sub(count))
}

/// Removes the line break from an edit of whole lines, so that only these lines are shown.
fn trim<'t>(source: &Source, span: Span, text: &'t str) -> (Span, Cow<'t, str>) {
    let (mut start, mut end, mut text) = (span.start, span.end, text);
    let old = source.slice(span);
    let behind = source.bytes().get(span.end as usize..).unwrap_or_default();
    let line_break = if behind.starts_with(b"\r\n") { 2 } else { u32::from(behind.starts_with(b"\n")) };
    if let (true, 1.., Some(lines)) = (old.is_empty(), line_break, text.trim_start_matches('\r').strip_prefix('\n')) {
        // Lines inserted after a line are shown as inserted before the next one.
        let start = span.start + line_break;
        return (Span { start, end: start }, format!("{lines}\n").into());
    }
    if let Some(old) = old.strip_suffix(b"\n") {
        if text.is_empty() || text.ends_with('\n') {
            end -= if old.ends_with(b"\r") && (text.is_empty() || text.ends_with("\r\n")) { 2 } else { 1 };
            text = text.strip_suffix("\r\n").or(text.strip_suffix('\n')).unwrap_or(text);
        }
    } else if text.is_empty() {
        let skip = if old.starts_with(b"\r\n") { 2 } else { u32::from(old.starts_with(b"\n")) };
        start += skip;
    }
    (Span { start: start.min(end), end }, text.into())
}

/// Splits a window into lines with their number of edits, because the renderer shows one line as old and new.
fn split(window: &Window, edits: &[(Span, Cow<str>)]) -> Vec<(Line, usize)> {
    let mut snippets = Vec::new();
    let mut start = 0;
    for (index, line) in window.text.split('\n').enumerate() {
        let end = start + line.len();
        let mut patches = Vec::new();
        for mark in window.marks.iter().filter(|mark| (start..=end).contains(&mark.range.start)) {
            let Some((_, text)) = edits.get(mark.index) else { continue };
            patches.push(Patch::new(mark.range.start - start..mark.range.end - start, shown(text)));
        }
        if !patches.is_empty() {
            let count = patches.len();
            snippets.push((Snippet::source(line.to_owned()).line_start(window.line + index).patches(patches), count));
        }
        start = end + 1;
    }
    snippets
}

/// Escapes line breaks and all other control characters of new text.
fn shown(text: &str) -> String {
    let mut out = String::new();
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        escape::push_bytes(&mut out, line.strip_suffix('\r').unwrap_or(line).as_bytes(), |_| ());
    }
    out
}
