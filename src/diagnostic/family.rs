//! A finding and what follows from it: reports show one of them, so that one says the worst that any of them says.

use super::rule::{LOADS, NOT_COMPILED};
use super::{Diagnostic, FindingId, Runtime, Severity};
use std::collections::BTreeMap;

/// Gives every root the severity and the runtime verdict of the strongest finding that follows from it, with its message.
/// The findings are in the order of their numbers; `causes` are the numbers of what follows and of what that follows from.
pub(super) fn raise(findings: &mut [Diagnostic], causes: &BTreeMap<FindingId, FindingId>) {
    let mut strongest: BTreeMap<FindingId, FindingId> = BTreeMap::new();
    for &member in causes.keys() {
        let root = std::iter::successors(Some(member), |id| causes.get(id).copied()).last().unwrap_or(member);
        let strength = |id: FindingId| findings.get(id.place()).map(strength);
        let best = strongest.entry(root).or_insert(root);
        if strength(member) > strength(*best) {
            *best = member;
        }
    }
    for (root, member) in strongest.into_iter().filter(|(root, member)| root != member) {
        let Some(member) = findings.get(member.place()) else { continue };
        let (severity, runtime, notes) = (member.severity, member.runtime, consequence(member));
        let Some(root) = findings.get_mut(root.place()) else { continue };
        root.severity = root.severity.max(severity);
        if runtime.fails() {
            root.runtime = runtime;
            root.notes.retain(|note| note != NOT_COMPILED);
            root.notes.extend(notes);
            root.shorten();
        }
    }
}

/// Takes back that OpenVINO reads a file which it rejects for another reason.
pub(super) fn withdraw_loads(findings: &mut [Diagnostic]) {
    // One that may be read may be rejected as well.
    if !findings.iter().any(|finding| strength(finding).0 > COMPILES_NOT) {
        return;
    }
    for note in findings.iter_mut().flat_map(|finding| &mut finding.notes) {
        if let Some((_, without)) = LOADS.iter().find(|(loads, _)| loads == note) {
            (*without).clone_into(note);
        }
    }
}

/// How much it says that OpenVINO reads a file and does not compile it.
const COMPILES_NOT: u8 = 1;

/// How much a finding says against a file.
pub(crate) fn strength(finding: &Diagnostic) -> (u8, Severity) {
    let runtime = match finding.runtime {
        Runtime::Rejects | Runtime::Misleads => 3,
        Runtime::Unknown => 2,
        Runtime::NotCompiled => COMPILES_NOT,
        Runtime::Accepts | Runtime::None => 0,
    };
    (if finding.severity == Severity::Error { runtime } else { 0 }, finding.severity)
}

/// What a root says about the finding for which the file fails.
fn consequence(member: &Diagnostic) -> Vec<String> {
    let Diagnostic { message, runtime, .. } = member;
    let at = member.layer.as_ref().map(|layer| format!(" at `{}`", layer.name)).unwrap_or_default();
    let verdict = member.notes.iter().find(|note| note.starts_with("OpenVINO rejects") || *note == NOT_COMPILED);
    let verdict = verdict.cloned().unwrap_or_else(|| match runtime {
        Runtime::NotCompiled => NOT_COMPILED.to_owned(),
        _ => "OpenVINO rejects this file".to_owned(),
    });
    vec![format!("this leads to an error{at}: {message}"), verdict]
}
