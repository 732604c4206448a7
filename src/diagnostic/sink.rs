//! Where every stage reports, with a bound on the memory that the findings of a file use.

use super::{Diagnostic, Edit, Fix, Label, Rule, Severity};
use crate::diagnostic::LIMIT_EXCEEDED;
use crate::limits::{CONSEQUENCES, EDITS, Limits, PARTS, TEXT};
use crate::source::Span;
use std::cmp::Ordering;
use std::sync::Arc;

/// Where every stage reports.
///
/// Findings are appended and stay as they were reported. What may have to be discarded is reported to a nested sink, which
/// is absorbed or dropped as a whole.
#[derive(Debug)]
pub struct Sink {
    findings: Vec<Diagnostic>,
    /// Bytes that findings may still use.
    left: usize,
    /// Findings that did not fit.
    left_out: usize,
    /// Bytes in the beginning.
    limit: usize,
    /// Bytes of findings that follow from others, beyond which these are only counted.
    consequences: usize,
    /// The body that the findings of this sink are in.
    body: Option<Arc<Enclosing>>,
}

/// A body, and the body around it.
#[derive(Debug)]
struct Enclosing {
    name: String,
    outer: Option<Arc<Enclosing>>,
}

/// What was reported to a nested sink.
#[derive(Debug, Default)]
pub(crate) struct Reported {
    pub findings: Vec<Diagnostic>,
    /// The number of findings that did not fit.
    pub left_out: usize,
}

impl Reported {
    /// Whether any of it is an error.
    pub(crate) fn has_errors(&self) -> bool {
        self.findings.iter().any(|finding| finding.severity == Severity::Error)
    }

    /// Appends what was reported later.
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
    /// A sink for findings of about `limit` bytes in memory.
    pub fn new(limit: usize) -> Self {
        let consequences = limit / CONSEQUENCES;
        Self { findings: Vec::new(), left: limit, left_out: 0, limit, consequences, body: None }
    }

    /// A sink that takes all findings that follow from others as well, as far as they fit.
    pub(crate) fn in_full(limit: usize) -> Self {
        Self { consequences: limit, ..Self::new(limit) }
    }

    /// Bytes of findings beyond which those that follow from others are better left out.
    pub(crate) fn room_for_consequences(&self) -> usize {
        self.consequences
    }

    /// An empty sink that has the space that is left here.
    pub(crate) fn nested(&self) -> Self {
        Self { findings: Vec::new(), left_out: 0, body: self.body.clone(), ..*self }
    }

    /// The same for the findings of a body.
    pub(crate) fn nested_in(&self, body: String) -> Self {
        let body = Enclosing { name: body, outer: self.body.clone() };
        Self { body: Some(Arc::new(body)), ..self.nested() }
    }

    /// Appends everything that was reported to a nested sink; nothing was reported here meanwhile.
    pub(crate) fn absorb(&mut self, nested: Self) {
        self.left = nested.left;
        self.left_out += nested.left_out;
        self.findings.extend(nested.findings);
    }

    /// Everything reported, without taking up space any more.
    pub(crate) fn into_reported(self) -> Reported {
        Reported { findings: self.findings, left_out: self.left_out }
    }

    /// Appends a finding. The last half of the space is for errors only.
    pub fn report(&mut self, mut finding: Diagnostic) {
        let bodies = std::iter::successors(self.body.as_ref(), |body| body.outer.as_ref());
        bodies.for_each(|body| finding.body.insert(0, body.name.clone()));
        finding.shorten();
        let size = finding.size();
        let room =
            if finding.severity == Severity::Error { self.left } else { self.left.saturating_sub(self.limit / 2) };
        if size > room {
            self.left_out += 1;
            return;
        }
        self.left -= size;
        self.findings.push(finding);
    }

    /// Counts findings that are not worth their space.
    pub(crate) fn leave_out(&mut self, count: usize) {
        self.left_out += count;
    }

    /// Takes back what was reported since there were `count` findings.
    pub(crate) fn take_back(&mut self, count: usize) -> Vec<Diagnostic> {
        let back = self.findings.split_off(count.min(self.findings.len()));
        self.left += back.iter().map(Diagnostic::size).sum::<usize>();
        back
    }

    /// Marks a finding as one that follows from another.
    pub(crate) fn follow(&mut self, place: usize, from: usize) {
        let layer = self.findings.get(from).and_then(|finding| finding.layer.as_ref());
        let name = layer.map(|layer| layer.name.clone()).unwrap_or_default();
        if let Some(finding) = self.findings.get_mut(place) {
            finding.consequence_of = Some(name);
        }
        self.count_consequence(from);
    }

    /// Counts one more finding that follows from another.
    pub(crate) fn count_consequence(&mut self, from: usize) {
        if let Some(finding) = self.findings.get_mut(from) {
            finding.consequences += 1;
        }
    }

    /// Marks the findings that follow from one elsewhere, of the layer that `root` names.
    pub(crate) fn follow_all(&mut self, mut root: impl FnMut(&Diagnostic) -> Option<String>) {
        for finding in self.findings.iter_mut().filter(|finding| finding.consequence_of.is_none()) {
            finding.consequence_of = root(finding);
        }
    }

    /// Everything reported so far.
    pub fn findings(&self) -> &[Diagnostic] {
        &self.findings
    }

    /// Calls `change` for everything reported so far of one rule.
    pub(crate) fn amend(&mut self, rule: &Rule, change: impl FnMut(&mut Diagnostic)) {
        self.findings.iter_mut().filter(|finding| finding.rule == rule).for_each(change);
    }

    /// Gives the finding at a place of the list a fix.
    pub(crate) fn give_fix(&mut self, place: usize, fix: Fix) {
        if let Some(finding) = self.findings.get_mut(place) {
            finding.fix = Some(fix).filter(|fix| fix.edits.len() <= EDITS);
        }
    }

    /// Whether a finding of this rule was reported.
    pub fn has(&self, rule: &Rule) -> bool {
        self.findings.iter().any(|finding| finding.rule == rule)
    }

    /// Everything reported, sorted by place, then by rule.
    pub fn into_sorted(self) -> Vec<Diagnostic> {
        let mut findings = self.findings;
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

/// Sorts findings by place, then by rule.
pub(crate) fn sort(findings: &mut [Diagnostic]) {
    findings.sort_by(order);
}

/// The order of findings: by place, then by rule. How many are left out comes last.
pub fn order(a: &Diagnostic, b: &Diagnostic) -> Ordering {
    let is_count = |finding: &Diagnostic| finding.rule == &LIMIT_EXCEEDED && finding.severity == Severity::Info;
    (is_count(a), a.primary.span, a.rule.name, &a.message).cmp(&(is_count(b), b.primary.span, b.rule.name, &b.message))
}

impl Diagnostic {
    /// Cuts texts that quote endless names, and lists that go on and on.
    fn shorten(&mut self) {
        self.labels.truncate(PARTS);
        self.notes.truncate(PARTS);
        self.help.truncate(PARTS);
        if let Some(fix) = &mut self.fix {
            cut(&mut fix.message);
        }
        if self.fix.as_ref().is_some_and(|fix| fix.edits.len() > EDITS) {
            self.fix = None;
        }
        let texts = [Some(&mut self.message), self.declared.as_mut(), self.inferred.as_mut()].into_iter().flatten();
        texts.chain(&mut self.notes).chain(&mut self.help).chain(&mut self.body).chain(&mut self.chain).for_each(cut);
        self.consequence_of.iter_mut().for_each(cut);
        for label in std::iter::once(&mut self.primary).chain(&mut self.labels) {
            cut(&mut label.message);
            label.layer.iter_mut().for_each(cut);
        }
        if let Some(layer) = &mut self.layer {
            [&mut layer.id, &mut layer.name, &mut layer.ty, &mut layer.version].into_iter().for_each(cut);
        }
        self.port.iter_mut().for_each(|port| cut(&mut port.id));
    }

    /// About how many bytes it takes.
    pub(crate) fn size(&self) -> usize {
        let label =
            |label: &Label| size_of::<Label>() + label.message.len() + label.value.as_ref().map_or(0, Vec::len) * 8;
        let texts = self.notes.iter().chain(&self.help).chain(&self.body).chain(&self.chain);
        let texts = texts.chain(&self.declared).chain(&self.inferred).chain(&self.consequence_of);
        size_of::<Self>()
            + self.message.len()
            + texts.map(|text| size_of::<String>() + text.len()).sum::<usize>()
            + self.labels.iter().chain([&self.primary]).map(label).sum::<usize>()
            + self
                .layer
                .as_ref()
                .map_or(0, |layer| layer.id.len() + layer.name.len() + layer.ty.len() + layer.version.len())
            + self.fix.as_ref().map_or(0, |fix| fix.edits.len() * (size_of::<Edit>() + 16))
    }
}

/// Cuts a text off where it is too long.
fn cut(text: &mut String) {
    if text.len() > TEXT {
        let end = (0..=TEXT).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        text.truncate(end);
        text.push_str("...");
        text.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(severity: Severity, message: &str) -> Diagnostic {
        Diagnostic::new(&LIMIT_EXCEEDED, Span::default(), message).severity(severity)
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        let mut sink = Sink::default();
        sink.report(finding(Severity::Error, &"ä".repeat(TEXT)).label(Span::default(), "x".repeat(3 * TEXT)));
        let [found] = sink.findings() else { panic!() };
        assert_eq!(found.message, "ä".repeat(TEXT / 2) + "...");
        assert_eq!(found.labels[0].message.len(), TEXT + 3);
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
        assert!(sorted.iter().all(|found| !["dropped", "after"].contains(&found.message.as_str())));
        let message = format!("{} more findings are left out", 103 - sorted.len());
        assert_eq!(sorted.last().map(|found| found.message.as_str()), Some(message.as_str()));
    }

    #[test]
    fn a_sink_of_a_body_names_the_bodies_around() {
        let mut sink = Sink::default();
        let mut outer = sink.nested_in("a/body".to_owned());
        let mut inner = outer.nested_in("b/then_body".to_owned());
        inner.report(finding(Severity::Error, "inner"));
        outer.absorb(inner);
        outer.report(finding(Severity::Error, "outer"));
        sink.absorb(outer);
        sink.report(finding(Severity::Error, "around"));
        let bodies: Vec<String> = sink.findings().iter().map(|found| found.body.join(" ")).collect();
        assert_eq!(bodies, ["a/body b/then_body", "a/body", ""]);
    }

    #[test]
    fn errors_have_room_when_warnings_have_none() {
        let mut sink = Sink::new(40 * size_of::<Diagnostic>());
        (0..100).for_each(|_| sink.report(finding(Severity::Warning, "w")));
        sink.report(finding(Severity::Error, "e"));
        let sorted = sink.into_sorted();
        assert!(sorted.len() > 10 && sorted.len() < 30);
        assert!(sorted.iter().any(|found| found.message == "e"));
        let last = sorted.last().map(|found| (found.message.as_str(), found.severity));
        let message = format!("{} more findings are left out", 102 - sorted.len());
        assert_eq!(last, Some((message.as_str(), Severity::Info)));
    }
}
