//! Verdicts: the effect of findings on a file in OpenVINO, settled once all findings of the file are known.

use super::{Diagnostic, Group, LIMIT_EXCEEDED, Runtime, Severity};
use super::{are_read, strength};
use crate::types::{Release, Targets};

/// The verdict of OpenVINO that a finding leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The effect.
    pub effect: Effect,
    /// Set if OpenVINO loads the file as it is, and fails only with other input shapes.
    pub loads: bool,
    /// The release: the first target with this verdict; without targets the newest one.
    pub release: Release,
    /// The first release with this verdict, if earlier ones do not make the check and no targets are given.
    pub since: Option<Release>,
}

/// The effect of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// OpenVINO rejects the file.
    Rejects,
    /// OpenVINO rejects the file, at the latest when it runs it.
    RejectsLate,
    /// OpenVINO may reject the file.
    MayReject,
    /// OpenVINO reads the file, although it rejects most files with a finding of the rule.
    Reads,
    /// OpenVINO reads the file and does not compile it.
    NotCompiled,
    /// OpenVINO reads the file and may not compile it.
    MayNotCompile,
    /// OpenVINO would not compile the file, but already rejects it because of another finding.
    NotEvenRead,
    /// OpenVINO cannot reshape the model to other input shapes.
    NotReshaped,
    /// OpenVINO fails with other input shapes, at the latest when it runs the model.
    ReshapedLate,
}

impl Verdict {
    /// Whether OpenVINO fails only with other input shapes than those of the file.
    pub(crate) fn is_of_shapes(self) -> bool {
        matches!(self.effect, Effect::NotReshaped | Effect::ReshapedLate)
    }
}

impl Diagnostic {
    /// Whether a limit leaves a part of the file unread, for which OpenVINO may reject it.
    pub(crate) fn is_unclear(&self) -> bool {
        self.severity == Severity::Error && self.rule == &LIMIT_EXCEEDED
    }

    /// Whether OpenVINO reads a file with this finding, although it rejects most files with one of its rule.
    fn is_pardoned(&self) -> bool {
        self.severity >= Severity::Warning
            && self.runtime == Runtime::Accepts
            && matches!(self.rule.runtime, Runtime::Rejects | Runtime::Unknown)
    }
}

/// Marks the findings whose rule usually means that OpenVINO rejects the file, if it reads this one.
pub(crate) fn pardon(findings: &mut [Diagnostic], targets: Option<Targets>) {
    if are_read(findings) {
        let release = targets.map_or(Release::NEWEST, Targets::newest);
        for finding in findings.iter_mut().filter(|finding| finding.is_pardoned()) {
            finding.verdict = Some(Verdict { effect: Effect::Reads, loads: false, release, since: None });
        }
    }
}

/// Settles the verdicts of the findings with which OpenVINO fails, or may, for the targets or else for the newest release;
/// `new` says whether a finding appears only with other input shapes.
pub(crate) fn settle(findings: &mut [Diagnostic], targets: Option<Targets>, new: impl Fn(&Diagnostic) -> bool) {
    if let Some(targets) = targets {
        for finding in findings.iter_mut() {
            finding.meet(targets);
        }
    }
    let fails = |finding: &&Diagnostic| strength(finding).0 > 0 || finding.runtime.fails() && finding.runtime.reads();
    if !findings.iter().any(|finding| fails(&finding)) {
        return;
    }
    let is_read = findings.iter().filter(fails).all(|finding| finding.runtime.reads());
    let loads = findings.iter().filter(fails).all(&new);
    for finding in findings.iter_mut().filter(|finding| fails(&&**finding)) {
        // No verdict is needed for a file that is no model, or too new for a release or a device.
        let is_of_file = finding.rule.group == Group::File && finding.layer.is_none();
        let is_usual = finding.refusal.is_none() && finding.runtime == finding.rule.runtime;
        if is_of_file && is_usual || finding.rule.group == Group::Portability {
            continue;
        }
        let is_new = new(finding);
        let is_of_operation = finding.refusal.as_ref().is_some_and(|refusal| refusal.is_of_operation());
        let effect = match (finding.runtime, is_of_operation) {
            (Runtime::NotCompiled, _) if is_read => Effect::NotCompiled,
            (Runtime::NotCompiled, _) => Effect::NotEvenRead,
            (Runtime::MayNotCompile, _) if is_read => Effect::MayNotCompile,
            (Runtime::MayNotCompile, _) => continue,
            (Runtime::Unknown, true) if is_new => Effect::ReshapedLate,
            (Runtime::Unknown, true) => Effect::RejectsLate,
            (Runtime::Unknown, false) => Effect::MayReject,
            _ if is_new => Effect::NotReshaped,
            _ => Effect::Rejects,
        };
        let first = finding.since.map(|since| since.release);
        let is_checked = |target: &Release| first.is_none_or(|first| first <= *target);
        let release = targets.and_then(|targets| targets.iter().find(is_checked)).unwrap_or(Release::NEWEST);
        let since = first.filter(|_| targets.is_none());
        finding.verdict = Some(Verdict { effect, loads: is_new && loads, release, since });
    }
}
