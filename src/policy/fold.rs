//! The removal of findings that are off or accepted, and the fate of their consequences.

use crate::arrange::Fill;
use crate::diagnostic::{Cause, Diagnostic, FindingId, strength};
use std::collections::{BTreeMap, BTreeSet};

/// The decision about a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The finding stays.
    Keep,
    /// The finding is removed; its consequences stay.
    Off,
    /// The finding is removed as accepted, with its consequences except those because of which OpenVINO fails.
    Suppress,
}

/// The findings after policy.
pub(super) struct Outcome {
    pub(super) kept: Vec<Diagnostic>,
    /// The removed findings, each with its former index.
    pub(super) removed: Vec<(usize, Diagnostic)>,
}

/// Applies a decision to every finding. A consequence becomes a root cause if its cause is removed or has a lower severity.
pub(super) fn sift(mut findings: Vec<Diagnostic>, mut judge: impl FnMut(&mut Diagnostic) -> Verdict) -> Outcome {
    let mut verdicts: Vec<Verdict> = findings.iter_mut().map(&mut judge).collect();
    let is_gone = |(finding, verdict): (&Diagnostic, &Verdict)| finding.id.filter(|_| *verdict != Verdict::Keep);
    let gone: BTreeSet<FindingId> = findings.iter().zip(&verdicts).filter_map(is_gone).into_set();
    for (root, members) in families(&findings) {
        match root {
            Root::At(root) => match verdicts[root] {
                Verdict::Suppress => {
                    let (failing, rest): (Vec<usize>, Vec<usize>) =
                        members.iter().partition(|member| strength(&findings[**member]).0 > 0);
                    for member in rest {
                        verdicts[member] = Verdict::Suppress;
                    }
                    reroot(None, &failing, &mut findings, &verdicts);
                }
                Verdict::Keep => {
                    reroot(Some(root), &members, &mut findings, &verdicts);
                    let cause = Cause::of(&findings[root]);
                    for member in members {
                        let between = findings[member].consequence_of.as_ref().map(|cause| cause.finding);
                        if between.is_some_and(|between| gone.contains(&between)) {
                            findings[member].consequence_of.clone_from(&cause);
                        }
                    }
                }
                Verdict::Off => {
                    let unreported = findings[root].consequences.saturating_sub(members.len());
                    reroot(None, &members, &mut findings, &verdicts);
                    // Unreported consequences are counted as well.
                    let is_root = |member: &&usize| {
                        verdicts[**member] == Verdict::Keep && findings[**member].consequence_of.is_none()
                    };
                    if let Some(first) = members.iter().find(is_root) {
                        findings[*first].consequences += unreported;
                    }
                }
            },
            Root::Gone(_) => reroot(None, &members, &mut findings, &verdicts),
        }
    }
    let mut outcome = Outcome { kept: Vec::with_capacity(findings.len()), removed: Vec::new() };
    for (index, (finding, verdict)) in findings.into_iter().zip(verdicts).enumerate() {
        match verdict {
            Verdict::Keep => outcome.kept.push(finding),
            Verdict::Off | Verdict::Suppress => outcome.removed.push((index, finding)),
        }
    }
    outcome
}

/// The root cause of a family of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Root {
    /// A finding that is not in the list.
    Gone(FindingId),
    /// The finding at this index.
    At(usize),
}

/// The indices of consequences by the root cause of their family.
fn families(findings: &[Diagnostic]) -> BTreeMap<Root, Vec<usize>> {
    let mut families: BTreeMap<Root, Vec<usize>> = BTreeMap::new();
    if findings.iter().all(|finding| finding.consequence_of.is_none()) {
        return families;
    }
    let indices: BTreeMap<FindingId, usize> =
        findings.iter().enumerate().filter_map(|(index, finding)| Some((finding.id?, index))).into_map();
    for (member, finding) in findings.iter().enumerate() {
        let Some(cause) = &finding.consequence_of else { continue };
        let further = |cause: &&Cause| findings[*indices.get(&cause.finding)?].consequence_of.as_ref();
        let last = std::iter::successors(Some(cause), further).take(findings.len()).last().unwrap_or(cause);
        let root = indices.get(&last.finding).map_or(Root::Gone(last.finding), |index| Root::At(*index));
        families.entry(root).or_default().push(member);
    }
    families
}

/// Makes the remaining members consequences of the first of the strongest, if their root cause is gone or has a lower
/// severity.
fn reroot(root: Option<usize>, members: &[usize], findings: &mut [Diagnostic], verdicts: &[Verdict]) {
    let counts_less = |root: usize, member: usize| findings[root].severity < findings[member].severity;
    let left = members.iter().copied().filter(|member| verdicts[*member] == Verdict::Keep);
    let (orphans, rest): (Vec<usize>, Vec<usize>) =
        left.partition(|member| root.is_none_or(|root| counts_less(root, *member)));
    if let Some(root) = root {
        let gone = members.len() - rest.len();
        findings[root].consequences = findings[root].consequences.saturating_sub(gone);
    }
    let Some(first) = orphans.iter().copied().rev().max_by_key(|index| strength(&findings[*index])) else { return };
    let cause = Cause::of(&findings[first]);
    findings[first].consequence_of = None;
    findings[first].consequences = orphans.len() - 1;
    for other in orphans.into_iter().filter(|index| *index != first) {
        findings[other].consequence_of.clone_from(&cause);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixtures::body_of;

    fn kept(findings: Vec<Diagnostic>, judge: impl FnMut(&mut Diagnostic) -> Verdict) -> Vec<Diagnostic> {
        sift(findings, judge).kept
    }
    use crate::diagnostic::{LayerRef, Rule, Severity};
    use crate::policy::catalogue::find;
    use crate::source::Span;

    fn rule(name: &str) -> &'static Rule {
        find(name).unwrap()
    }

    /// A finding about a layer; `id` and `of`: its number and that of its cause, if it belongs to a family.
    fn finding(layer: &str, name: &str, id: u32, of: Option<u32>) -> Diagnostic {
        let reference = LayerRef {
            id: String::new(),
            name: layer.into(),
            ty: String::new(),
            version: String::new(),
            span: Span::default(),
        };
        let mut finding = Diagnostic::new(rule(name), Span::default(), layer).layer(reference);
        finding.id = Some(FindingId::nth(id));
        finding.consequence_of = of.map(|of| Cause { finding: FindingId::nth(of), layer: "a".into() });
        finding
    }

    /// A wrong input of `a`, its consequences at the outputs of `a` and `b`, and an independent one of `c`.
    fn family() -> Vec<Diagnostic> {
        let mut all = vec![
            finding("a", "input-port-mismatch", 0, None),
            finding("a", "declared-shape", 1, Some(0)),
            finding("b", "declared-shape", 2, Some(0)),
            finding("c", "declared-shape", 3, None),
        ];
        all[0].consequences = 2;
        all
    }

    fn shown(findings: &[Diagnostic]) -> Vec<(&str, &str, usize)> {
        let roots = findings.iter().filter(|finding| finding.consequence_of.is_none());
        roots.map(|finding| (finding.message.shown(), finding.rule.name, finding.consequences)).collect()
    }

    #[test]
    fn what_follows_from_a_known_finding_is_known() {
        let known = |finding: &mut Diagnostic| match finding.rule.name {
            "input-port-mismatch" => Verdict::Suppress,
            _ => Verdict::Keep,
        };
        assert_eq!(shown(&kept(family(), known)), [("c", "declared-shape", 0)]);
    }

    #[test]
    fn what_openvino_rejects_is_not_known_with_its_cause() {
        let mut all = family();
        all.push(finding("d", "axis-range", 4, Some(2)));
        let known = |finding: &mut Diagnostic| match finding.rule.name {
            "input-port-mismatch" => Verdict::Suppress,
            _ => Verdict::Keep,
        };
        assert_eq!(shown(&sift(all, known).kept), [("c", "declared-shape", 0), ("d", "axis-range", 0)]);
    }

    #[test]
    fn the_strongest_takes_the_place_of_a_finding_that_is_off() {
        let mut all = family();
        all.push(finding("d", "axis-range", 4, Some(2)));
        let off = |finding: &mut Diagnostic| match finding.rule.name {
            "input-port-mismatch" => Verdict::Off,
            _ => Verdict::Keep,
        };
        assert_eq!(shown(&sift(all, off).kept), [("c", "declared-shape", 0), ("d", "axis-range", 2)]);
    }

    #[test]
    fn a_cause_may_be_a_consequence_or_elsewhere() {
        let mut all = family();
        all.push(finding("d", "input-port-mismatch", 4, Some(2)));
        all.push(Diagnostic { body: vec![body_of("loop")], ..finding("e", "declared-shape", 5, Some(0)) });
        let known = |finding: &mut Diagnostic| match finding.consequences {
            0 => Verdict::Keep,
            _ => Verdict::Suppress,
        };
        let left = kept(all, known);
        assert_eq!(shown(&left), [("c", "declared-shape", 0)]);
        assert_eq!(left.len(), 1);
    }

    #[test]
    fn families_of_layers_of_one_name_are_apart() {
        let mut all = vec![
            finding("a", "input-port-mismatch", 0, None),
            finding("a", "input-port-mismatch", 1, None),
            finding("b", "declared-shape", 2, Some(0)),
            finding("c", "declared-shape", 3, Some(1)),
            finding("d", "declared-shape", 4, Some(1)),
        ];
        (all[0].consequences, all[1].consequences) = (1, 2);
        let mut first = true;
        let second_is_known = |finding: &mut Diagnostic| match finding.rule.name {
            "input-port-mismatch" if !std::mem::take(&mut first) => Verdict::Suppress,
            _ => Verdict::Keep,
        };
        let left = kept(all, second_is_known);
        let layers: Vec<&str> = left.iter().map(|finding| finding.message.shown()).collect();
        assert_eq!(layers, ["a", "b"]);
        assert_eq!(shown(&left), [("a", "input-port-mismatch", 1)]);
    }

    #[test]
    fn families_whose_roots_are_gone_stay_apart() {
        let all = vec![
            finding("a", "declared-shape", 2, Some(0)),
            finding("b", "declared-shape", 3, Some(1)),
            finding("c", "declared-shape", 4, Some(1)),
        ];
        let left = kept(all, |_| Verdict::Keep);
        assert_eq!(shown(&left), [("a", "declared-shape", 0), ("b", "declared-shape", 1)]);
    }

    #[test]
    fn what_follows_from_a_finding_that_is_off_is_shown() {
        let off = |finding: &mut Diagnostic| match finding.rule.name {
            "input-port-mismatch" => Verdict::Off,
            _ => Verdict::Keep,
        };
        let left = kept(family(), off);
        assert_eq!(shown(&left), [("a", "declared-shape", 1), ("c", "declared-shape", 0)]);
        assert_eq!(left.len(), 3);
    }

    #[test]
    fn what_matters_more_than_its_cause_is_shown() {
        let lower = |finding: &mut Diagnostic| {
            if finding.rule.name == "input-port-mismatch" {
                finding.severity = Severity::Info;
            }
            Verdict::Keep
        };
        let all = [("a", "input-port-mismatch", 0), ("a", "declared-shape", 1), ("c", "declared-shape", 0)];
        assert_eq!(shown(&kept(family(), lower)), all);
    }

    #[test]
    fn what_is_gone_is_not_counted() {
        let drop_b =
            |finding: &mut Diagnostic| if finding.message == "b".into() { Verdict::Off } else { Verdict::Keep };
        assert_eq!(shown(&kept(family(), drop_b)), [("a", "input-port-mismatch", 1), ("c", "declared-shape", 0)]);
    }
}
