//! The sink that every stage reports to, with a bound on the memory for the findings of a file.

use super::cause::Causes;
use super::{Amendment, BodyRef, Diagnostic, FindingId, LIMIT_EXCEEDED, Rule, Severity};
use crate::arrange::Arrange;
use crate::limits::{CAUSES, CONSEQUENCES, Limits};
use crate::source::Span;
use std::cmp::Ordering;
use std::sync::Arc;

/// The sink that every stage reports to.
///
/// Findings are appended and do not change, except that verdicts are settled once. Findings that may be discarded go to a
/// nested sink, which is absorbed or dropped as a whole. Links between findings, and later amendments, are kept beside them.
#[derive(Debug)]
pub struct Sink {
    findings: Vec<Diagnostic>,
    causes: Causes,
    /// The number of bytes that are left for findings.
    left: usize,
    /// The number of findings that did not fit.
    left_out: usize,
    /// Maximum size of all findings, in bytes.
    limit: usize,
    /// Maximum size of all consequences, in bytes; those beyond it are only counted.
    consequences: usize,
    /// The body whose findings this sink collects; `None` for the main graph.
    body: Option<Arc<Enclosing>>,
}

/// A body, and the body around it.
#[derive(Debug)]
struct Enclosing {
    body: BodyRef,
    outer: Option<Arc<Enclosing>>,
}

/// The findings of a nested sink.
#[derive(Debug, Default)]
pub(crate) struct Reported {
    pub findings: Vec<Diagnostic>,
    /// The number of findings that did not fit.
    pub left_out: usize,
}

impl Reported {
    /// Whether any finding is an error.
    pub(crate) fn has_errors(&self) -> bool {
        self.findings.iter().any(|finding| finding.severity == Severity::Error)
    }

    /// Appends later findings.
    pub(crate) fn append(&mut self, later: Self) {
        self.findings.extend(later.findings);
        self.left_out += later.left_out;
    }
}

impl Default for Sink {
    fn default() -> Self {
        Self::new(Limits::default().findings)
    }
}

impl Sink {
    /// Creates a sink for findings of about `limit` bytes in memory.
    pub fn new(limit: usize) -> Self {
        let (findings, causes) = (Vec::new(), Causes::default());
        Self { findings, causes, left: limit, left_out: 0, limit, consequences: limit / CONSEQUENCES, body: None }
    }

    /// Creates a sink without a separate limit for consequences.
    pub(crate) fn in_full(limit: usize) -> Self {
        Self { consequences: limit, ..Self::new(limit) }
    }

    /// Returns the maximum size of all consequences, in bytes.
    pub(crate) fn room_for_consequences(&self) -> usize {
        self.consequences
    }

    /// Creates an empty sink that may use the space left in this one.
    pub(crate) fn nested(&self) -> Self {
        let (findings, causes) = (Vec::new(), Causes::default());
        Self { findings, causes, left_out: 0, body: self.body.clone(), ..*self }
    }

    /// Creates a nested sink for the findings of a body.
    pub(crate) fn nested_in(&self, body: BodyRef) -> Self {
        let body = Enclosing { body, outer: self.body.clone() };
        Self { body: Some(Arc::new(body)), ..self.nested() }
    }

    /// Appends the findings of a nested sink. This sink must not have got any findings since it created the nested one.
    pub(crate) fn absorb(&mut self, nested: Self) {
        self.left = nested.left;
        self.left_out += nested.left_out;
        self.findings.extend(nested.findings);
    }

    /// Returns all findings.
    pub(crate) fn into_reported(self) -> Reported {
        Reported { findings: self.findings, left_out: self.left_out }
    }

    /// Appends a finding. Half of the space is reserved for errors, and a small part of that for causes.
    pub fn report(&mut self, finding: Diagnostic) {
        self.push(finding);
    }

    /// Appends a finding; returns its number if it fits.
    pub(crate) fn push(&mut self, finding: Diagnostic) -> Option<FindingId> {
        let kept = if finding.severity == Severity::Error { self.limit / CAUSES } else { self.limit / 2 };
        self.append(finding, kept)
    }

    /// Appends a finding that others follow from, for which some space is reserved.
    pub(crate) fn push_cause(&mut self, finding: Diagnostic) -> Option<FindingId> {
        self.append(finding, 0)
    }

    fn append(&mut self, mut finding: Diagnostic, kept: usize) -> Option<FindingId> {
        let bodies = std::iter::successors(self.body.as_ref(), |body| body.outer.as_ref());
        bodies.for_each(|body| finding.body.insert(0, body.body.clone()));
        finding.shorten();
        let size = finding.size();
        let id = FindingId::of(self.findings.len()).filter(|_| size <= self.left.saturating_sub(kept));
        match id {
            Some(_) => {
                self.left -= size;
                self.findings.push(finding);
            }
            None => self.left_out += 1,
        }
        id
    }

    /// Adds to the number of dropped findings.
    pub(crate) fn leave_out(&mut self, count: usize) {
        self.left_out += count;
    }

    /// Links a finding to `cause`, instead of its former cause.
    pub(crate) fn follow(&mut self, finding: FindingId, cause: FindingId) {
        self.causes.follow(finding, cause);
    }

    /// Adds to the number of unreported consequences of `cause`.
    pub(crate) fn count_consequences(&mut self, cause: FindingId, findings: usize) {
        self.causes.count(cause, findings);
    }

    /// Links a finding to `cause`, which also takes over the number of its unreported consequences.
    pub(crate) fn hand_over(&mut self, finding: FindingId, cause: FindingId) {
        self.causes.follow(finding, cause);
        self.causes.hand_over(finding, cause);
    }

    /// Returns the cause of a finding.
    pub(crate) fn cause(&self, finding: FindingId) -> Option<FindingId> {
        self.causes.cause(finding)
    }

    /// Records an amendment of a finding.
    pub(crate) fn amend(&mut self, finding: FindingId, amendment: Amendment) {
        self.causes.amend(finding, amendment);
    }

    /// Returns a finding by its number.
    pub(crate) fn get(&self, finding: FindingId) -> Option<&Diagnostic> {
        self.findings.get(finding.index())
    }

    /// Returns all findings with their numbers.
    pub(crate) fn numbered(&self) -> impl Iterator<Item = (FindingId, &Diagnostic)> {
        self.findings.iter().enumerate().filter_map(|(index, finding)| Some((FindingId::of(index)?, finding)))
    }

    /// Returns all findings.
    pub fn findings(&self) -> &[Diagnostic] {
        &self.findings
    }

    /// Settles the reactions of OpenVINO for all findings, before the search for causes.
    pub(crate) fn settle(&mut self, verdict: impl FnMut(&mut Diagnostic)) {
        self.findings.iter_mut().for_each(verdict);
    }

    /// Whether a finding of this rule was reported.
    pub fn has(&self, rule: &Rule) -> bool {
        self.findings.iter().any(|finding| finding.rule == rule)
    }

    /// Returns all findings, sorted by position, then by rule.
    pub fn into_sorted(self) -> Vec<Diagnostic> {
        let mut findings = self.findings;
        self.causes.resolve(&mut findings);
        if self.left_out > 0 {
            let (s, verb) = if self.left_out == 1 { ("", "is") } else { ("s", "are") };
            let message = format!("{} more finding{s} {verb} left out", self.left_out);
            findings.push(
                Diagnostic::new(&LIMIT_EXCEEDED, Span::default(), message)
                    .severity(Severity::Info)
                    .help("raise the limit with --max-findings-size"),
            );
        }
        sort(&mut findings);
        findings
    }
}

/// Sorts findings by position, then by rule; equal ones stay in the order of reporting.
pub(crate) fn sort(findings: &mut [Diagnostic]) {
    findings.arrange_by(order);
}

/// Compares findings by position, then by rule. The finding with the number of dropped findings comes last.
pub fn order(a: &Diagnostic, b: &Diagnostic) -> Ordering {
    let is_count = |finding: &Diagnostic| finding.rule == &LIMIT_EXCEEDED && finding.severity == Severity::Info;
    (is_count(a), a.primary.span, a.rule.name).cmp(&(is_count(b), b.primary.span, b.rule.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::body_text;
    use crate::limits::TEXT;
    use crate::report::fixtures::body_of;

    fn finding(severity: Severity, message: &str) -> Diagnostic {
        Diagnostic::new(&LIMIT_EXCEEDED, Span::default(), message).severity(severity)
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        let mut sink = Sink::default();
        sink.report(finding(Severity::Error, &"ä".repeat(TEXT)).label(Span::default(), "x".repeat(3 * TEXT)));
        let [found] = sink.findings() else { panic!() };
        assert_eq!(found.message.shown(), "ä".repeat(TEXT / 2) + "...");
        assert_eq!(found.labels[0].message.shown().len(), TEXT + 3);
    }

    #[test]
    fn a_nested_sink_is_absorbed_or_dropped_as_a_whole() {
        let mut sink = Sink::new(40 * size_of::<Diagnostic>());
        sink.report(finding(Severity::Error, "before"));
        let mut dropped = sink.nested();
        (0..100).for_each(|_| dropped.report(finding(Severity::Error, "dropped")));
        assert!(dropped.findings().len() > 30 && dropped.left_out > 50);
        drop(dropped);
        let mut absorbed = sink.nested();
        (0..100).for_each(|_| absorbed.report(finding(Severity::Error, "absorbed")));
        sink.absorb(absorbed);
        sink.report(finding(Severity::Error, "after"));
        let sorted = sink.into_sorted();
        assert!(sorted.iter().all(|found| !["dropped", "after"].contains(&found.message.shown())));
        let message = format!("{} more findings are left out", 103 - sorted.len());
        assert_eq!(sorted.last().map(|found| found.message.shown()), Some(message.as_str()));
    }

    #[test]
    fn a_sink_of_a_body_names_the_bodies_around() {
        let mut sink = Sink::default();
        let mut outer = sink.nested_in(body_of("a"));
        let mut inner = outer.nested_in(body_of("b"));
        inner.report(finding(Severity::Error, "inner"));
        outer.absorb(inner);
        outer.report(finding(Severity::Error, "outer"));
        sink.absorb(outer);
        sink.report(finding(Severity::Error, "around"));
        let bodies: Vec<String> = sink.findings().iter().map(|found| body_text(&found.body)).collect();
        assert_eq!(bodies, ["a/body/b/body", "a/body", ""]);
    }

    #[test]
    fn errors_have_room_when_warnings_have_none() {
        let mut sink = Sink::new(40 * size_of::<Diagnostic>());
        (0..100).for_each(|_| sink.report(finding(Severity::Warning, "w")));
        sink.report(finding(Severity::Error, "e"));
        let sorted = sink.into_sorted();
        assert!(sorted.len() > 10 && sorted.len() < 30);
        assert!(sorted.iter().any(|found| found.message == "e".into()));
        let last = sorted.last().map(|found| (found.message.shown(), found.severity));
        let message = format!("{} more findings are left out", 102 - sorted.len());
        assert_eq!(last, Some((message.as_str(), Severity::Info)));
    }
}
