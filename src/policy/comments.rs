//! `<!-- ovlint: ignore[rule] reason -->` in the XML: accepted findings about an element.
//!
//! The reader collects these comments while it reads the file, so a file without any costs nothing.

use super::rules::UNUSED_IGNORE;
use super::selector::Selector;
use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix, Sink};
use crate::ir::{Cursor, Token};
use crate::limits::COMMENTS;
use crate::source::{Source, Span};

/// The comments of one file.
#[derive(Debug)]
pub(super) struct Comments {
    comments: Vec<Comment>,
    /// The first comment beyond the limit.
    left_out: Option<Span>,
}

#[derive(Debug)]
struct Comment {
    span: Span,
    /// The rules it names, or the reason why it is invalid.
    rules: Result<Vec<Selector>, String>,
    /// The element it applies to: the next one, or the one before it on the same line.
    element: Span,
    is_used: bool,
}

impl Comments {
    /// Reads the comments at some spans.
    pub(super) fn new(source: &Source, spans: &[Span]) -> Self {
        let left_out = spans.get(COMMENTS).copied();
        let spans = spans.get(..COMMENTS).unwrap_or(spans);
        let comments = spans.iter().zip(elements(source.bytes(), spans)).map(|(span, element)| {
            let rules = rules(&source.text(*span));
            Comment { span: *span, rules, element, is_used: false }
        });
        Self { comments: comments.collect(), left_out }
    }

    /// Whether a comment ignores a finding; marks it as used.
    pub(super) fn cover(&mut self, finding: &Diagnostic) -> bool {
        let is_about = |comment: &&mut Comment| {
            comment.rules.as_ref().is_ok_and(|rules| rules.iter().any(|rule| rule.covers(finding.rule)))
                && is_in(finding, comment.element)
        };
        let mut covered = false;
        for comment in self.comments.iter_mut().filter(is_about) {
            comment.is_used = true;
            covered = true;
        }
        covered
    }

    /// Reports unused comments; `counts` returns whether findings that a selector matches are reported in this run.
    pub(super) fn unused(&self, source: &Source, counts: impl Fn(Selector) -> bool, sink: &mut Sink) {
        for comment in self.comments.iter().filter(|comment| !comment.is_used) {
            let message = match &comment.rules {
                Err(reason) => reason.clone(),
                Ok(rules) if rules.iter().any(|rule| counts(*rule)) => {
                    let names: Vec<String> = rules.iter().map(|rule| format!("`{rule}`")).collect();
                    format!("{} has no finding at this element", names.join(" or "))
                }
                Ok(_) => continue,
            };
            let edit = Edit { span: with_line(source, comment.span), text: String::new() };
            let message_of_fix = "remove the comment".into();
            let fix = Fix { applicability: Applicability::Safe, message: message_of_fix, edits: vec![edit] };
            let finding = Diagnostic::new(&UNUSED_IGNORE, comment.span, message);
            sink.report(if comment.rules.is_ok() { finding.fix(fix) } else { finding });
        }
        if let Some(span) = self.left_out {
            let message = format!("more than {COMMENTS} ovlint comments; the rest is ignored");
            sink.report(Diagnostic::new(&UNUSED_IGNORE, span, message).help("use [[ignore]] in ovlint.toml instead"));
        }
    }
}

/// Whether a finding is inside an element or about its layer; the root element stands for the whole file.
fn is_in(finding: &Diagnostic, element: Span) -> bool {
    let holds = |span: Span| element.start <= span.start && span.start < element.end;
    let span = finding.primary.span;
    let is_file = element == WHOLE;
    is_file || (span != Span::default() && holds(span)) || finding.layer.as_ref().is_some_and(|layer| holds(layer.span))
}

const WHOLE: Span = Span { start: 0, end: u32::MAX };

/// Parses the rules of `<!-- ovlint: ignore[rule, group] reason -->`.
fn rules(comment: &str) -> Result<Vec<Selector>, String> {
    let text = comment.trim_start_matches("<!--").trim_end_matches("-->").trim();
    let text = text.strip_prefix("ovlint:").unwrap_or(text).trim_start();
    let names = text.strip_prefix("ignore").map(str::trim_start).and_then(|rest| rest.strip_prefix('['));
    let Some((names, _)) = names.and_then(|names| names.split_once(']')) else {
        let start: String = text.chars().take(40).collect();
        return Err(format!("`{start}` is not understood; known is `ignore[rule] reason`"));
    };
    names.split(',').map(|name| name.trim().parse()).collect()
}

/// The span of the comment, with its line if nothing else is on it.
fn with_line(source: &Source, comment: Span) -> Span {
    let line = source.line_around(comment.start);
    let is_blank = |span: Span| source.slice(span).trim_ascii().is_empty();
    let alone = comment.end <= line.end
        && is_blank(Span { end: comment.start, ..line })
        && is_blank(Span { start: comment.end, ..line });
    if !alone {
        return comment;
    }
    source.line_at(comment.start)
}

/// Finds the elements of all comments, in one pass over the XML.
fn elements(bytes: &[u8], comments: &[Span]) -> Vec<Span> {
    let mut pass = Pass { bytes, found: vec![Span::default(); comments.len()], ..Pass::default() };
    let mut cursor = Cursor::new(bytes);
    let mut comments = comments.iter().enumerate().peekable();
    while let Ok(token) = cursor.next() {
        let place = match token {
            Token::Start(tag) => tag.span,
            Token::Close(span) => span,
            Token::End => Span { start: u32::MAX, end: u32::MAX },
            Token::Text(_) | Token::Doctype(_) | Token::Declaration(_) => continue,
        };
        while let Some((number, span)) = comments.next_if(|(_, span)| span.start < place.start) {
            pass.comment(number, *span);
        }
        match token {
            Token::Start(tag) => {
                pass.open(tag.span);
                if tag.closes {
                    pass.close(tag.span.end);
                }
            }
            Token::Close(span) => pass.close(span.end),
            _ => break,
        }
    }
    pass.found
}

#[derive(Default)]
struct Pass<'a> {
    bytes: &'a [u8],
    /// The open elements, each with the comments that apply to it.
    open: Vec<(u32, Vec<usize>)>,
    /// Comments that apply to the next element.
    next: Vec<usize>,
    /// The end of the last tag, and the element that it closes; `None` if it opens one.
    tag_end: u32,
    closed: Option<Span>,
    found: Vec<Span>,
}

impl Pass<'_> {
    fn open(&mut self, tag: Span) {
        self.open.push((tag.start, std::mem::take(&mut self.next)));
        (self.tag_end, self.closed) = (tag.end, None);
    }

    fn close(&mut self, end: u32) {
        let Some((start, comments)) = self.open.pop() else { return };
        let element = if self.open.is_empty() { WHOLE } else { Span { start, end } };
        for comment in comments {
            self.found[comment] = element;
        }
        (self.tag_end, self.closed) = (end, Some(element));
        self.next.clear(); // No element follows them.
    }

    fn comment(&mut self, number: usize, span: Span) {
        let part = |start: u32, end: usize| self.bytes.get(start as usize..end).unwrap_or_default();
        let is_behind_tag = self.tag_end > 0 && !part(self.tag_end, span.start as usize).contains(&b'\n');
        let rest = part(span.end, self.bytes.len());
        let ends_line = rest.iter().take_while(|byte| **byte != b'\n').all(u8::is_ascii_whitespace);
        if !is_behind_tag || !ends_line {
            self.next.push(number);
        } else if let Some(element) = self.closed {
            self.found[number] = element;
        } else if let Some((_, comments)) = self.open.last_mut() {
            comments.push(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the elements that the comments of a text apply to.
    fn about(text: &str) -> Vec<&str> {
        let starts = text.match_indices("<!--").map(|(at, _)| at);
        let spans: Vec<Span> = starts.map(|at| Span::new(at, at + text[at..].find("-->").unwrap() + 3)).collect();
        let elements = elements(text.as_bytes(), &spans).into_iter();
        elements.map(|span| if span == WHOLE { "file" } else { &text[span.range()] }).collect()
    }

    #[test]
    fn a_comment_is_about_the_next_element() {
        assert_eq!(about("<a>\n<!-- --><b><c/></b>\n</a>"), ["<b><c/></b>"]);
        assert_eq!(about("<a>\n<!-- -->\n<!-- -->\n<b/></a>"), ["<b/>", "<b/>"]);
        assert_eq!(about("<?xml version=\"1.0\"?>\n<!-- --><a><b/></a>"), ["file"]);
        assert_eq!(about("<a><b/><!-- --><c/></a>"), ["<c/>"]);
        assert_eq!(about("<a><b/>\n<!-- -->\n</a>"), [""]);
    }

    #[test]
    fn at_the_end_of_a_line_it_is_about_what_stands_before() {
        assert_eq!(about("<a>\n<b> <!-- -->\n<c/>\n</b></a>"), ["<b> <!-- -->\n<c/>\n</b>"]);
        assert_eq!(about("<a>\n<b>5</b> <!-- -->\n<c/></a>"), ["<b>5</b>"]);
        assert_eq!(about("<a>\n<b/> <!-- -->\r\n<c/></a>"), ["<b/>"]);
        assert_eq!(about("<a> <!-- -->\n<b/></a>"), ["file"]);
    }

    #[test]
    fn comments_name_rules() {
        assert_eq!(rules("<!-- ovlint: ignore[axis-range] x -->"), Ok(vec!["axis-range".parse().unwrap()]));
        assert_eq!(rules("<!--ovlint:ignore[axis-range, declared]-->").unwrap().len(), 2);
        let unknown = "there is no rule or group `axis`; did you mean `axis-range`?";
        assert_eq!(rules("<!-- ovlint: ignore[axis] -->"), Err(unknown.to_owned()));
        let wrong = "`off axis-range` is not understood; known is `ignore[rule] reason`";
        assert_eq!(rules("<!-- ovlint: off axis-range -->"), Err(wrong.to_owned()));
    }
}
