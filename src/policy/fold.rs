//! Removes findings without losing what follows from them.

use crate::diagnostic::{Cause, Diagnostic, FindingId, strength};
use std::collections::{BTreeMap, BTreeSet};

/// What becomes of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It stays.
    Keep,
    /// It does not count; what follows from it stays.
    Off,
    /// It is known, and so is what follows from it, unless OpenVINO fails for that.
    Suppress,
}

/// What became of findings.
pub(super) struct Sifted {
    pub(super) kept: Vec<Diagnostic>,
    /// The others, each with its place among all.
    pub(super) removed: Vec<(usize, Diagnostic)>,
}

/// The findings that stay, and the others. One that follows from another is shown on its own if that other does not count, or matters
/// less.
pub(super) fn sift(mut findings: Vec<Diagnostic>, mut judge: impl FnMut(&mut Diagnostic) -> Verdict) -> Sifted {
    let mut verdicts: Vec<Verdict> = findings.iter_mut().map(&mut judge).collect();
    let is_gone = |(finding, verdict): (&Diagnostic, &Verdict)| finding.id.filter(|_| *verdict != Verdict::Keep);
    let gone: BTreeSet<FindingId> = findings.iter().zip(&verdicts).filter_map(is_gone).collect();
    for (root, members) in families(&findings) {
        match root {
            Root::At(root) => match verdicts[root] {
                Verdict::Suppress => {
                    let (failing, rest): (Vec<usize>, Vec<usize>) =
                        members.iter().partition(|member| strength(&findings[**member]).0 > 0);
                    for member in rest {
                        verdicts[member] = Verdict::Suppress;
                    }
                    settle(None, &failing, &mut findings, &verdicts);
                }
                Verdict::Keep => {
                    settle(Some(root), &members, &mut findings, &verdicts);
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
                    settle(None, &members, &mut findings, &verdicts);
                    // There may be more than were reported one by one.
                    let is_root = |member: &&usize| {
                        verdicts[**member] == Verdict::Keep && findings[**member].consequence_of.is_none()
                    };
                    if let Some(first) = members.iter().find(is_root) {
                        findings[*first].consequences += unreported;
                    }
                }
            },
            Root::Gone(_) => settle(None, &members, &mut findings, &verdicts),
        }
    }
    let mut sifted = Sifted { kept: Vec::with_capacity(findings.len()), removed: Vec::new() };
    for (place, (finding, verdict)) in findings.into_iter().zip(verdicts).enumerate() {
        match verdict {
            Verdict::Keep => sifted.kept.push(finding),
            Verdict::Off | Verdict::Suppress => sifted.removed.push((place, finding)),
        }
    }
    sifted
}

/// What findings follow from in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Root {
    /// A finding that is no longer there.
    Gone(FindingId),
    /// The finding at this place.
    At(usize),
}

/// The places of findings that follow from others, by what they follow from in the end.
fn families(findings: &[Diagnostic]) -> BTreeMap<Root, Vec<usize>> {
    let mut families: BTreeMap<Root, Vec<usize>> = BTreeMap::new();
    if findings.iter().all(|finding| finding.consequence_of.is_none()) {
        return families;
    }
    let places: BTreeMap<FindingId, usize> =
        findings.iter().enumerate().filter_map(|(place, finding)| Some((finding.id?, place))).collect();
    for (member, finding) in findings.iter().enumerate() {
        let Some(cause) = &finding.consequence_of else { continue };
        let further = |cause: &&Cause| findings[*places.get(&cause.finding)?].consequence_of.as_ref();
        let last = std::iter::successors(Some(cause), further).take(findings.len()).last().unwrap_or(cause);
        let root = places.get(&last.finding).map_or(Root::Gone(last.finding), |place| Root::At(*place));
        families.entry(root).or_default().push(member);
    }
    families
}

/// Makes those that are left follow from the first of the strongest where their root is gone or matters less.
fn settle(root: Option<usize>, members: &[usize], findings: &mut [Diagnostic], verdicts: &[Verdict]) {
    let counts_less = |root: usize, member: usize| findings[root].severity < findings[member].severity;
    let left = members.iter().copied().filter(|member| verdicts[*member] == Verdict::Keep);
    let (orphans, rest): (Vec<usize>, Vec<usize>) =
        left.partition(|member| root.is_none_or(|root| counts_less(root, *member)));
    if let Some(root) = root {
        let gone = members.len() - rest.len();
        findings[root].consequences = findings[root].consequences.saturating_sub(gone);
    }
    let Some(first) = orphans.iter().copied().rev().max_by_key(|place| strength(&findings[*place])) else { return };
    let cause = Cause::of(&findings[first]);
    findings[first].consequence_of = None;
    findings[first].consequences = orphans.len() - 1;
    for other in orphans.into_iter().filter(|place| *place != first) {
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

    /// A finding about a layer; its number, and that of the finding that it follows from, if others have to do with it.
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

    /// A wrong input of `a`, the wrong outputs of `a` and `b` that follow from it, and one of `c` by itself.
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
