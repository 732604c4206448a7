//! Where every stage reports, with a bound on what the findings of a file take.

use super::{Diagnostic, Edit, Fix, Label, Rule, Severity};
use crate::diagnostic::LIMIT_EXCEEDED;
use crate::limits::{CONSEQUENCES, EDITS, Limits, PARTS, TEXT};
use crate::source::Span;
use std::cmp::Ordering;

/// Where every stage reports.
#[derive(Debug)]
pub struct Sink {
    findings: Vec<Diagnostic>,
    /// Bytes that the findings may still take.
    left: usize,
    /// Findings that did not fit.
    left_out: usize,
    /// Bytes in the beginning.
    limit: usize,
    /// Bytes of findings that follow from others, beyond which these are only counted.
    consequences: usize,
}

/// What a sink held at some time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    findings: usize,
    left_out: usize,
}

impl Default for Sink {
    fn default() -> Self {
        Self::new(Limits::default().findings)
    }
}

impl Sink {
    /// A sink for findings of about `limit` bytes in memory.
    pub fn new(limit: usize) -> Self {
        Self { findings: Vec::new(), left: limit, left_out: 0, limit, consequences: limit / CONSEQUENCES }
    }

    /// A sink that takes all findings that follow from others as well, as far as they fit.
    pub(crate) fn in_full(limit: usize) -> Self {
        Self { consequences: limit, ..Self::new(limit) }
    }

    /// Bytes of findings beyond which those that follow from others are better left out.
    pub(crate) fn room_for_consequences(&self) -> usize {
        self.consequences
    }

    /// Takes a finding. The last half of the space is for errors only.
    pub fn report(&mut self, mut finding: Diagnostic) {
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

    /// Counts a finding that is not worth its space.
    pub(crate) fn leave_out(&mut self) {
        self.left_out += 1;
    }

    /// What there is so far, to return to.
    pub(crate) fn mark(&self) -> Mark {
        Mark { findings: self.findings.len(), left_out: self.left_out }
    }

    /// Is as it was.
    pub(crate) fn return_to(&mut self, mark: Mark) {
        self.take_back(mark.findings);
        self.left_out = mark.left_out;
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

    /// Notes that what was reported since there were `count` findings stands in a body; as far as there is room.
    pub(crate) fn enclose(&mut self, count: usize, body: impl Fn() -> String) {
        for finding in self.findings.iter_mut().skip(count) {
            let mut name = body();
            cut(&mut name);
            let size = size_of::<String>() + name.len();
            if size <= self.left {
                self.left -= size;
                finding.body.insert(0, name);
            }
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
