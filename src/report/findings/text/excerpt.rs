//! Labelled excerpts of the XML, with their positions.

use super::window;
use super::window::{Placed, Window};
use super::{NARROW, NOTE};
use crate::arrange::Arrange;
use crate::diagnostic::{Diagnostic, Label};
use crate::report::wrap::{columns, wrap};
use crate::report::{ModelReport, has_place, label_text, weights_name};
use crate::source::{Lines, Position, Source};
use crate::text::{escape, path_text};
use annotate_snippets::{Annotation, AnnotationKind, Snippet};
use std::fmt::Write;

/// A placeholder in rendered text for a position in the file, which the renderer does not know: a private-use character, which
/// escaped text cannot contain.
const PLACE: char = '\u{e000}';

/// The width of the margin of a finding that shows no line.
const NO_LINES: usize = 2;

/// Some lines with labels.
pub(super) type Excerpt = Snippet<'static, Annotation<'static>>;

/// The parts of a model from which its excerpts are made.
pub(super) struct Excerpts<'a> {
    pub(super) source: Option<(&'a Source, Lines<'a>)>,
    pub(super) path: String,
    weights: String,
}

/// The positions of a finding, in rendering order.
#[derive(Default)]
pub(super) struct Positions(Vec<Option<Position>>);

impl Positions {
    /// Records a position and returns its placeholder; `None` stands for the file as a whole.
    pub(super) fn stand_in(&mut self, position: Option<Position>) -> String {
        self.0.push(position);
        PLACE.into()
    }

    /// Whether any position has a line.
    pub(super) fn has_lines(&self) -> bool {
        self.0.iter().any(Option::is_some)
    }
}

impl<'a> Excerpts<'a> {
    pub(super) fn new(model: &ModelReport<'a>) -> Self {
        Self {
            source: model.source.map(|source| (source, Lines::new(source))),
            path: escape::line(&path_text(model.path), NOTE),
            weights: weights_name(model),
        }
    }

    /// Returns the width of the margin: the number of digits of the last line that a finding shows.
    pub(super) fn margin(&self, finding: &Diagnostic) -> usize {
        let Some((_, lines)) = &self.source else { return NO_LINES };
        let primary = Some(finding.primary.span).filter(|_| has_place(finding));
        let spans = primary.into_iter().chain(finding.labels.iter().map(|label| label.span));
        let edits = finding.fix.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span);
        let last = spans.chain(edits).map(|span| lines.position(span.start).line).max();
        last.map_or(NO_LINES, |last| last.to_string().len())
    }

    /// Returns excerpts around labels, `room` columns wide; that of the primary label comes first.
    pub(super) fn around(
        &self,
        primary: Option<&Label>,
        others: &[&Label],
        room: usize,
        positions: &mut Positions,
    ) -> Vec<Excerpt> {
        let Some((source, lines)) = &self.source else { return Vec::new() };
        let labels: Vec<&Label> = primary.into_iter().chain(others.iter().copied()).collect();
        let spans: Vec<_> = labels.iter().map(|label| label.span).collect();
        let is_primary = |mark: &Placed| primary.is_some() && mark.index == 0;
        let mut windows = window::windows(source, lines, &spans, room);
        windows.arrange_by_key(|window| !window.marks.iter().any(is_primary));

        let mut excerpts = Vec::new();
        for Window { text, line, position, marks } in windows {
            let head = primary.filter(|_| marks.iter().any(is_primary));
            let position = head.map_or(position, |label| lines.position(label.span.start));
            let mut excerpt = Snippet::source(text).line_start(line).path(positions.stand_in(Some(position)));
            for mark in marks {
                let kind = if is_primary(&mark) { AnnotationKind::Primary } else { AnnotationKind::Context };
                let Some(label) = labels.get(mark.index) else { continue };
                excerpt = excerpt.annotations(self.annotations(label, kind, mark, room));
            }
            excerpts.push(excerpt);
        }
        excerpts
    }

    /// Returns the annotations of one label.
    fn annotations(&self, label: &Label, kind: AnnotationKind, mark: Placed, room: usize) -> Vec<Annotation<'static>> {
        let text = label_text(label, &self.weights);
        let beside = mark.columns.end.max(mark.columns.start + 1) + 1;
        let wide = beside + columns(&text) > room;
        // A second, invisible annotation makes the renderer put a wide label on its own line.
        let invisible = (wide && mark.last && mark.range.len() > mark.head.len()).then(|| kind.span(mark.head));
        if text.is_empty() {
            return vec![kind.span(mark.range)];
        }
        // The renderer puts several labels of a span on lines below it, but a single one only with the invisible annotation.
        let from = if invisible.is_some() { mark.columns.start } else { beside };
        let text = if wide { wrap(&text, room.saturating_sub(from).max(NARROW)) } else { text };
        let lines = text.split('\n').map(|line| kind.span(mark.range.clone()).label(Some(line.to_owned())));
        lines.chain(invisible).collect()
    }

    /// Replaces the placeholders by positions.
    pub(super) fn put_positions(&self, rendered: &str, positions: &Positions) -> String {
        let mut pieces = rendered.split(PLACE);
        let mut out = pieces.next().unwrap_or_default().to_owned();
        for (piece, position) in pieces.zip(&positions.0) {
            out.push_str(&self.path);
            if let Some(position) = position {
                let _ = write!(out, ":{}:{}", position.line, position.column);
            }
            // The renderer adds a position within the window, which is meaningless in the file.
            out.push_str(piece.trim_start_matches(|c: char| c == ':' || c.is_ascii_digit()));
        }
        out
    }
}
