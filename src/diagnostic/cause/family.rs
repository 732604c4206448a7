//! Families: a root finding and all findings that follow from it, directly or not. Reports show the root, so the root gets the
//! worst verdict of its family.

use super::FindingId;
use crate::arrange::Fill;
use crate::diagnostic::rule::Doubt;
use crate::diagnostic::{Applicability, Diagnostic, Note, Refusal, Runtime, Severity};
use std::collections::{BTreeMap, BTreeSet};

/// Gives every root the severity of its strongest consequence if that is higher and, if OpenVINO fails because of that
/// consequence, its verdict, and its message as a note. The findings are in the order of their numbers; `causes` maps each
/// consequence to its cause.
pub(super) fn raise(findings: &mut [Diagnostic], causes: &BTreeMap<FindingId, FindingId>) {
    let mut strongest: BTreeMap<FindingId, FindingId> = BTreeMap::new();
    for &member in causes.keys() {
        let root = root_of(member, causes);
        let strength = |id: FindingId| findings.get(id.index()).map(strength);
        let best = strongest.entry(root).or_insert(root);
        if strength(member) > strength(*best) {
            *best = member;
        }
    }
    refuse_fixes(findings, causes, &strongest);
    for (root, member) in strongest.into_iter().filter(|(root, member)| root != member) {
        let Some(member) = findings.get(member.index()) else { continue };
        let (severity, runtime, since, note) = (member.severity, member.runtime, member.since, consequence(member));
        let refusal = member.refusal.clone();
        let Some(root) = findings.get_mut(root.index()) else { continue };
        root.severity = root.severity.max(severity);
        if runtime.fails() {
            (root.runtime, root.since, root.refusal) = (runtime, since, refusal);
            root.notes.push(note);
            root.shorten();
        }
    }
}

/// Quotes OpenVINO's message where exactly one finding, of whatever severity, says that OpenVINO rejects the file: OpenVINO
/// stops at the first problem that it meets.
///
/// Other findings may put the message in doubt, so it is quoted only if all of them are of one family. A check of numbers that
/// OpenVINO computes may depend on any oddity of the file, and OpenVINO may read numbers in its own way. Of an operation that
/// does not exist, it may reject an attribute first.
pub(super) fn quote(findings: &mut [Diagnostic], causes: &BTreeMap<FindingId, FindingId>) {
    let casts =
        |doubt: Doubt| move |finding: &Diagnostic| finding.rule.doubt == doubt && finding.runtime != Runtime::Rejects;
    if findings.iter().any(casts(Doubt::Everything)) {
        return;
    }
    let is_refused = |finding: &Diagnostic| strength(finding).0 > 0 || finding.runtime == Runtime::Rejects;
    let mut refused = findings.iter().enumerate().filter(|(_, finding)| is_refused(finding)).map(|(i, _)| i);
    let (Some(sole), None) = (refused.next(), refused.next()) else { return };
    let root = |index: usize| FindingId::of(index).map(|id| root_of(id, causes));
    let is_marked = |finding: &Diagnostic| finding.severity != Severity::Info && finding.rule.doubt != Doubt::Indices;
    let marked = || findings.iter().enumerate().filter(|(_, finding)| is_marked(finding)).map(|(i, _)| i);
    let reads_odd_values = findings.iter().any(casts(Doubt::Indices)) || findings.iter().any(casts(Doubt::Numbers));
    let is_checked_first = |refusal: &Refusal| {
        (!refusal.is_of_operation() || !reads_odd_values)
            && marked().all(|i| root(i) == root(sole))
            && (!refusal.is_met_late() || marked().count() == 1)
    };
    let Some(finding) = findings.get(sole).filter(|sole| sole.runtime == Runtime::Rejects) else { return };
    let quoted =
        finding.refusal.as_ref().filter(|refusal| is_checked_first(refusal)).and_then(|one| one.quoted(finding));
    if let Some((quoted, finding)) = quoted.zip(findings.get_mut(sole)) {
        finding.refusal = Some(Box::new(quoted));
    }
}

/// Removes the fixes of declarations from families because of which OpenVINO fails: ports that agree with the fault would hide
/// it, and OpenVINO would fail as before.
fn refuse_fixes(
    findings: &mut [Diagnostic],
    causes: &BTreeMap<FindingId, FindingId>,
    strongest: &BTreeMap<FindingId, FindingId>,
) {
    let fails = |id: &FindingId| findings.get(id.index()).is_some_and(|finding| strength(finding).0 > 0);
    let failing: BTreeSet<FindingId> =
        strongest.iter().filter(|(_, strongest)| fails(strongest)).map(|(root, _)| *root).into_set();
    let members = causes.keys().filter(|id| failing.contains(&root_of(**id, causes))).chain(&failing);
    for id in members.copied().into_set() {
        let finding = findings.get_mut(id.index()).filter(|finding| finding.rule.fix == Some(Applicability::Safe));
        if let Some(finding) = finding
            && let Some(level) = finding.fix.as_ref().map(|fix| fix.applicability)
        {
            finding.refuse_fix(level, NOT_FIXED);
        }
    }
}

/// The reason not to fix a port.
const NOT_FIXED: &str =
    "`--fix` does not change this port: OpenVINO fails for the same cause, so what it declares may be right";

/// Returns the root of a finding, which may be the finding itself.
fn root_of(finding: FindingId, causes: &BTreeMap<FindingId, FindingId>) -> FindingId {
    std::iter::successors(Some(finding), |id| causes.get(id).copied()).last().unwrap_or(finding)
}

/// Whether OpenVINO reads a file with these findings: none of them, of any severity, is one for which it may reject the file.
pub(crate) fn are_read(findings: &[Diagnostic]) -> bool {
    let may_fail = |finding: &Diagnostic| matches!(finding.runtime, Runtime::Rejects | Runtime::Unknown);
    !findings.iter().any(|finding| may_fail(finding) || finding.is_unclear())
}

/// Withdraws the statement of notes that OpenVINO reads the file, which it may reject for another reason.
pub(crate) fn withdraw_loads(findings: &mut [Diagnostic]) {
    for note in findings.iter_mut().flat_map(|finding| &mut finding.notes) {
        if let Note::Ignored { loads, .. } = note {
            *loads = false;
        }
    }
}

/// The strength of a finding with which OpenVINO reads a file but does not compile it.
const COMPILES_NOT: u8 = 1;

/// Returns the strength of a finding as evidence against a file: first how certainly OpenVINO fails, then the severity.
pub(crate) fn strength(finding: &Diagnostic) -> (u8, Severity) {
    let runtime = match finding.runtime {
        Runtime::Rejects => 3,
        Runtime::Unknown => 2,
        Runtime::NotCompiled | Runtime::MayNotCompile => COMPILES_NOT,
        Runtime::Accepts | Runtime::None => 0,
    };
    (if finding.severity == Severity::Error { runtime } else { 0 }, finding.severity)
}

/// Returns the note for a root about the consequence because of which OpenVINO fails.
fn consequence(member: &Diagnostic) -> Note {
    let layer = member.layer.as_ref().map(|layer| layer.name.clone());
    Note::LeadsTo { layer, message: member.message.clone() }
}
