//! A finding and what follows from it: reports show one of them, so that one says the worst that any of them says.

use super::rule::{LOADS, NOT_COMPILED};
use super::{Applicability, Diagnostic, FindingId, Group, Runtime, Severity};
use std::collections::{BTreeMap, BTreeSet};

/// Gives every root the severity and the runtime verdict of the strongest finding that follows from it, with its message.
/// The findings are in the order of their numbers; `causes` are the numbers of what follows and of what that follows from.
pub(super) fn raise(findings: &mut [Diagnostic], causes: &BTreeMap<FindingId, FindingId>) {
    let mut strongest: BTreeMap<FindingId, FindingId> = BTreeMap::new();
    for &member in causes.keys() {
        let root = root_of(member, causes);
        let strength = |id: FindingId| findings.get(id.place()).map(strength);
        let best = strongest.entry(root).or_insert(root);
        if strength(member) > strength(*best) {
            *best = member;
        }
    }
    refuse_fixes(findings, causes, &strongest);
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

/// Takes back the fixes of ports in families for which a file fails: ports that agree with what is wrong would hide it.
fn refuse_fixes(
    findings: &mut [Diagnostic],
    causes: &BTreeMap<FindingId, FindingId>,
    strongest: &BTreeMap<FindingId, FindingId>,
) {
    let fails = |id: &FindingId| findings.get(id.place()).is_some_and(|finding| strength(finding).0 > 0);
    let failing: BTreeSet<FindingId> =
        strongest.iter().filter(|(_, strongest)| fails(strongest)).map(|(root, _)| *root).collect();
    let members = causes.keys().filter(|id| failing.contains(&root_of(**id, causes))).chain(&failing);
    for id in members.copied().collect::<BTreeSet<_>>() {
        if let Some(finding) = findings.get_mut(id.place()) {
            finding.refuse_fix(Applicability::Safe, NOT_FIXED);
        }
    }
}

/// Why a port is not fixed.
const NOT_FIXED: &str =
    "`--fix` does not change this port: OpenVINO fails for the same cause, so what it declares may be right";

/// What a finding follows from in the end.
fn root_of(finding: FindingId, causes: &BTreeMap<FindingId, FindingId>) -> FindingId {
    std::iter::successors(Some(finding), |id| causes.get(id).copied()).last().unwrap_or(finding)
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

impl Diagnostic {
    /// Notes what OpenVINO does with a file that it refuses, where nothing says it.
    pub(super) fn say_verdict(&mut self) {
        let is_of_file = self.rule.group == Group::File && self.layer.is_none();
        if strength(self).0 == 0 || is_of_file || self.rule.group == Group::Portability {
            return; // What is no model, or is too new for a release or a device, is refused as a matter of course.
        }
        let says = |text: &String| text.contains("OpenVINO ") || text.contains("compile_model");
        if !says(&self.message) && !self.notes.iter().any(says) {
            self.notes.push(match self.runtime {
                Runtime::NotCompiled => NOT_COMPILED.to_owned(),
                Runtime::Misleads => format!("{REJECTS} with a message that points elsewhere"),
                _ => REJECTS.to_owned(),
            });
        }
    }
}

/// The note about a file that OpenVINO rejects.
const REJECTS: &str = "OpenVINO rejects this file";

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
        _ => REJECTS.to_owned(),
    });
    vec![format!("this leads to an error{at}: {message}"), verdict]
}
