//! What follows from what: findings name each other by number, as layers may share a name.

use super::family::{quote, raise, withdraw_loads};
use super::{Applicability, Diagnostic, Fix, Hint, Label, Note, Runtime};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of a finding among those of its file, in the order in which they were reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FindingId(u32);

impl FindingId {
    /// The number as reports show it.
    pub fn number(self) -> u32 {
        self.0
    }

    /// The number of the finding that was reported after `place` others.
    #[cfg(test)]
    pub(crate) fn nth(place: u32) -> Self {
        Self(place)
    }

    pub(super) fn of(place: usize) -> Option<Self> {
        u32::try_from(place).ok().map(Self)
    }

    pub(super) fn place(self) -> usize {
        self.0 as usize
    }
}

/// The finding that another one follows from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The finding.
    pub finding: FindingId,
    /// The name of its layer, which reports show; empty if it is about no layer.
    pub layer: Arc<str>,
}

impl Cause {
    /// A finding as the cause of others, if others may follow from it.
    pub(crate) fn of(finding: &Diagnostic) -> Option<Self> {
        let layer = finding.layer.as_ref().map_or("", |layer| layer.name.as_str());
        Some(Self { finding: finding.id?, layer: layer.into() })
    }
}

/// What is learnt about a finding after it was reported.
#[derive(Debug)]
pub(crate) enum Amendment {
    /// OpenVINO does something else than was said of it.
    Verdict(Runtime),
    /// A fix was found.
    Fix(Fix),
    /// Its fix would hide the problem.
    NoFix,
    /// Its fix may hide a problem.
    Unsafe,
    /// A fix of this kind is refused, for this reason.
    Refuse(Applicability, &'static str),
    /// A further note.
    Note(Note),
    /// A further line of help.
    Help(Hint),
    /// A place that may be the cause.
    Suspect(Label),
    /// What it says of all layers of some kind.
    Kind(Box<str>),
}

impl Amendment {
    fn apply(self, finding: &mut Diagnostic) {
        match self {
            Self::Verdict(runtime) => finding.runtime = runtime,
            Self::Fix(fix) => finding.fix = Some(fix),
            Self::NoFix => finding.fix = None,
            Self::Unsafe => finding.fix.iter_mut().for_each(|fix| fix.applicability = Applicability::Unsafe),
            Self::Refuse(level, reason) => finding.refuse_fix(level, reason),
            Self::Note(note) => finding.notes.push(note),
            Self::Help(help) => finding.help.push(help),
            Self::Suspect(label) => finding.labels.insert(0, label),
            Self::Kind(kind) => finding.kind = Some(kind),
        }
    }
}

/// What is known about findings beside what each of them says.
#[derive(Debug, Default)]
pub(super) struct Causes {
    of: BTreeMap<FindingId, FindingId>,
    /// For every cause, the findings that follow from it and were not worth reporting.
    unreported: BTreeMap<FindingId, usize>,
    amendments: Vec<(FindingId, Amendment)>,
}

impl Causes {
    pub(super) fn cause(&self, finding: FindingId) -> Option<FindingId> {
        self.of.get(&finding).copied()
    }

    /// What a finding follows from, nearest first.
    fn causes_of(&self, finding: FindingId) -> impl Iterator<Item = FindingId> {
        std::iter::successors(self.cause(finding), |cause| self.cause(*cause))
    }

    /// Notes that a finding follows from `cause`, rather than from what it followed from before; not if that follows from
    /// it in turn.
    pub(super) fn follow(&mut self, finding: FindingId, cause: FindingId) {
        let mut causes = std::iter::successors(Some(cause), |cause| self.cause(*cause));
        if causes.all(|cause| cause != finding) {
            self.of.insert(finding, cause);
        }
    }

    /// The same of findings that were not reported.
    pub(super) fn count(&mut self, cause: FindingId, findings: usize) {
        *self.unreported.entry(cause).or_default() += findings;
    }

    /// What was counted for one finding counts for another.
    pub(super) fn hand_over(&mut self, from: FindingId, to: FindingId) {
        if let Some(count) = self.unreported.remove(&from) {
            self.count(to, count);
        }
    }

    pub(super) fn amend(&mut self, finding: FindingId, amendment: Amendment) {
        self.amendments.push((finding, amendment));
    }

    /// Completes findings, which are in the order of their numbers.
    pub(super) fn resolve(mut self, findings: &mut [Diagnostic]) {
        for (id, amendment) in std::mem::take(&mut self.amendments) {
            if let Some(finding) = findings.get_mut(id.place()) {
                amendment.apply(finding);
                finding.shorten();
            }
        }
        quote(findings);
        raise(findings, &self.of);
        withdraw_loads(findings);
        let mut counts = self.unreported.clone();
        for (finding, own) in self.of.keys().map(|id| (*id, 1)).chain(self.unreported.iter().map(|(id, n)| (*id, *n))) {
            for cause in self.causes_of(finding) {
                *counts.entry(cause).or_default() += own;
            }
        }
        let mut causes: BTreeMap<FindingId, Cause> = BTreeMap::new();
        for (id, count) in counts {
            if let Some(finding) = findings.get_mut(id.place()) {
                (finding.id, finding.consequences) = (Some(id), count);
                causes.extend(Cause::of(finding).map(|cause| (id, cause)));
            }
        }
        for (id, cause) in self.of {
            if let Some(finding) = findings.get_mut(id.place()) {
                finding.id = Some(id);
                finding.consequence_of = causes.get(&cause).cloned();
            }
        }
    }
}
