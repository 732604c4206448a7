//! Causes and amendments of findings. Both refer to findings by number, as layers may share a name.

mod family;

pub(crate) use family::{are_read, strength, withdraw_loads};

use super::{Applicability, Diagnostic, Fix, Hint, Label, Note, Runtime};
use family::{quote, raise};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of a finding within its file, in the order of reporting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FindingId(u32);

impl FindingId {
    /// Returns the number as reports show it.
    pub fn number(self) -> u32 {
        self.0
    }

    /// Returns the number of the finding at this index.
    #[cfg(test)]
    pub(crate) fn nth(index: u32) -> Self {
        Self(index)
    }

    pub(super) fn of(index: usize) -> Option<Self> {
        u32::try_from(index).ok().map(Self)
    }

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The finding that another one follows from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The finding.
    pub finding: FindingId,
    /// The name of its layer, for reports; empty if it is about no layer.
    pub layer: Arc<str>,
}

impl Cause {
    /// Creates a reference to a finding, if it has a number.
    pub(crate) fn of(finding: &Diagnostic) -> Option<Self> {
        let layer = finding.layer.as_ref().map_or("", |layer| layer.name.as_str());
        Some(Self { finding: finding.id?, layer: layer.into() })
    }
}

/// A change to a finding after it was reported.
#[derive(Debug)]
pub(crate) enum Amendment {
    /// Changes the reaction of OpenVINO.
    Verdict(Runtime),
    /// Adds a fix.
    Fix(Fix),
    /// Removes the fix, which would hide the problem.
    NoFix,
    /// Makes the fix unsafe, because it may hide a problem.
    Unsafe,
    /// Removes a fix of this applicability and adds the reason to the help.
    Refuse(Applicability, &'static str),
    /// Adds a note.
    Note(Note),
    /// Adds a line of help.
    Help(Hint),
    /// Adds a label at a span that may be the cause.
    Suspect(Label),
    /// Sets the key shared with findings about other layers.
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

/// The links between findings, and their amendments.
#[derive(Debug, Default)]
pub(super) struct Causes {
    of: BTreeMap<FindingId, FindingId>,
    /// The number of unreported consequences of each cause.
    unreported: BTreeMap<FindingId, usize>,
    amendments: Vec<(FindingId, Amendment)>,
}

impl Causes {
    pub(super) fn cause(&self, finding: FindingId) -> Option<FindingId> {
        self.of.get(&finding).copied()
    }

    /// Returns the causes of a finding, nearest first.
    fn causes_of(&self, finding: FindingId) -> impl Iterator<Item = FindingId> {
        std::iter::successors(self.cause(finding), |cause| self.cause(*cause))
    }

    /// Links a finding to `cause` instead of its former cause; does nothing if the link would close a cycle.
    pub(super) fn follow(&mut self, finding: FindingId, cause: FindingId) {
        let mut causes = std::iter::successors(Some(cause), |cause| self.cause(*cause));
        if causes.all(|cause| cause != finding) {
            self.of.insert(finding, cause);
        }
    }

    /// Adds to the number of unreported consequences of `cause`.
    pub(super) fn count(&mut self, cause: FindingId, findings: usize) {
        *self.unreported.entry(cause).or_default() += findings;
    }

    /// Moves the number of unreported consequences of one finding to another.
    pub(super) fn hand_over(&mut self, from: FindingId, to: FindingId) {
        if let Some(count) = self.unreported.remove(&from) {
            self.count(to, count);
        }
    }

    pub(super) fn amend(&mut self, finding: FindingId, amendment: Amendment) {
        self.amendments.push((finding, amendment));
    }

    /// Applies links and amendments to the findings, which are in the order of their numbers.
    pub(super) fn resolve(mut self, findings: &mut [Diagnostic]) {
        for (id, amendment) in std::mem::take(&mut self.amendments) {
            if let Some(finding) = findings.get_mut(id.index()) {
                amendment.apply(finding);
                finding.shorten();
            }
        }
        quote(findings, &self.of);
        raise(findings, &self.of);
        if !are_read(findings) {
            withdraw_loads(findings);
        }
        let mut counts = self.unreported.clone();
        for (finding, own) in self.of.keys().map(|id| (*id, 1)).chain(self.unreported.iter().map(|(id, n)| (*id, *n))) {
            for cause in self.causes_of(finding) {
                *counts.entry(cause).or_default() += own;
            }
        }
        let mut causes: BTreeMap<FindingId, Cause> = BTreeMap::new();
        for (id, count) in counts {
            if let Some(finding) = findings.get_mut(id.index()) {
                (finding.id, finding.consequences) = (Some(id), count);
                causes.extend(Cause::of(finding).map(|cause| (id, cause)));
            }
        }
        for (id, cause) in self.of {
            if let Some(finding) = findings.get_mut(id.index()) {
                finding.id = Some(id);
                finding.consequence_of = causes.get(&cause).cloned();
            }
        }
    }
}
