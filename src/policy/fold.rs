//! Takes findings away without losing what follows from them.

use crate::diagnostic::{Diagnostic, Group};
use crate::lint::rules::DECLARED_PRECISION;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// What becomes of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It stays.
    Keep,
    /// It does not count; what follows from it stays.
    Off,
    /// It is known, and so is what follows from it.
    Suppress,
}

/// How far causes are followed that are consequences themselves.
const STEPS: usize = 4;

/// The findings that are to stay. One that follows from another is told on its own if that other does not count, or counts
/// less.
pub(super) fn sift(
    mut findings: Vec<Diagnostic>,
    mut judge: impl FnMut(&mut Diagnostic) -> Verdict,
) -> Vec<Diagnostic> {
    let mut verdicts: Vec<Verdict> = findings.iter_mut().map(&mut judge).collect();
    for (root, members) in families(&findings) {
        match root.map(|root| (root, verdicts[root])) {
            Some((_, Verdict::Suppress)) => members.iter().for_each(|member| verdicts[*member] = Verdict::Suppress),
            Some((root, Verdict::Keep)) => settle(Some(root), &members, &mut findings, &verdicts),
            Some((root, Verdict::Off)) => {
                let untold = findings[root].consequences.saturating_sub(members.len());
                settle(None, &members, &mut findings, &verdicts);
                // There may be more than is worth telling one by one.
                if let Some(first) = members.iter().find(|member| verdicts[**member] == Verdict::Keep) {
                    findings[*first].consequences += untold;
                }
            }
            None => settle(None, &members, &mut findings, &verdicts),
        }
    }
    let kept = findings.into_iter().zip(verdicts).filter(|(_, verdict)| *verdict == Verdict::Keep);
    kept.map(|(finding, _)| finding).collect()
}

/// The places of findings that follow from others, by the places of those.
fn families(findings: &[Diagnostic]) -> BTreeMap<Option<usize>, Vec<usize>> {
    let mut families: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
    if findings.iter().all(|finding| finding.consequence_of.is_none()) {
        return families;
    }
    let causes = Causes::new(findings);
    for (place, finding) in findings.iter().enumerate().filter(|(_, finding)| finding.consequence_of.is_some()) {
        families.entry(causes.root_of(findings, finding)).or_default().push(place);
    }
    families
}

/// The first root of each class: whether others follow from it, and whether it is about what a port declares.
type Firsts = [Option<usize>; 4];

/// The same of one body, and the layer that a finding there follows from in its turn.
type Inside<'a> = (Firsts, Option<&'a str>);

/// What findings may follow from. One that follows names only the layer of its cause, and many layers may be called so.
struct Causes<'a> {
    anywhere: BTreeMap<&'a str, Firsts>,
    inside: BTreeMap<(&'a str, &'a [String]), Inside<'a>>,
}

impl<'a> Causes<'a> {
    fn new(findings: &'a [Diagnostic]) -> Self {
        let mut causes = Self { anywhere: BTreeMap::new(), inside: BTreeMap::new() };
        for (place, finding) in findings.iter().enumerate() {
            let name = finding.layer.as_ref().map_or("", |layer| layer.name.as_str());
            let (here, further) = causes.inside.entry((name, finding.body.as_slice())).or_default();
            match finding.consequence_of.as_deref() {
                None => {
                    let class = usize::from(finding.consequences > 0) * 2 + usize::from(is_mismatch(finding));
                    here[class].get_or_insert(place);
                    causes.anywhere.entry(name).or_default()[class].get_or_insert(place);
                }
                Some(cause) if cause != name => {
                    further.get_or_insert(cause);
                }
                Some(_) => {}
            }
        }
        causes
    }

    /// What a finding follows from in the end.
    fn root_of(&self, findings: &[Diagnostic], finding: &'a Diagnostic) -> Option<usize> {
        let mut cause = finding.consequence_of.as_deref()?;
        let likely = |other: &Diagnostic| {
            (other.consequences > 0, other.body == finding.body, is_mismatch(other) == is_mismatch(finding))
        };
        for _ in 0..STEPS {
            let (here, further) = self.inside.get(&(cause, finding.body.as_slice())).copied().unwrap_or_default();
            let roots = self.anywhere.get(cause).into_iter().flatten().chain(&here).flatten().copied();
            if let Some(root) = roots.max_by_key(|place| (likely(&findings[*place]), Reverse(*place))) {
                return Some(root);
            }
            cause = further?;
        }
        None
    }
}

/// Whether a finding is about what a port declares, not about what an operation refuses.
fn is_mismatch(finding: &Diagnostic) -> bool {
    finding.rule.group == Group::Declared || finding.rule == &DECLARED_PRECISION
}

/// Has those that are left rest on the first one that matters as much as they do.
fn settle(root: Option<usize>, members: &[usize], findings: &mut [Diagnostic], verdicts: &[Verdict]) {
    let counts_less = |root: usize, member: usize| findings[root].severity < findings[member].severity;
    let left = members.iter().copied().filter(|member| verdicts[*member] == Verdict::Keep);
    let (orphans, rest): (Vec<usize>, Vec<usize>) =
        left.partition(|member| root.is_none_or(|root| counts_less(root, *member)));
    if let Some(root) = root {
        let gone = members.len() - rest.len();
        findings[root].consequences = findings[root].consequences.saturating_sub(gone);
    }
    let Some((first, others)) = orphans.split_first() else { return };
    let name = findings[*first].layer.as_ref().map(|layer| layer.name.clone());
    findings[*first].consequence_of = None;
    findings[*first].consequences = others.len();
    for other in others {
        findings[*other].consequence_of.clone_from(&name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{LayerRef, Rule, Severity};
    use crate::policy::catalogue::find;
    use crate::source::Span;

    fn rule(name: &str) -> &'static Rule {
        find(name).unwrap()
    }

    fn finding(layer: &str, name: &str, of: Option<&str>) -> Diagnostic {
        let reference = LayerRef {
            id: String::new(),
            name: layer.into(),
            ty: String::new(),
            version: String::new(),
            span: Span::default(),
        };
        let mut finding = Diagnostic::new(rule(name), Span::default(), layer).layer(reference);
        finding.consequence_of = of.map(str::to_owned);
        finding
    }

    /// A wrong input of `a`, the wrong outputs of `a` and `b` that follow from it, and one of `c` by itself.
    fn family() -> Vec<Diagnostic> {
        let mut all = vec![
            finding("a", "input-port-mismatch", None),
            finding("a", "declared-shape", Some("a")),
            finding("b", "declared-shape", Some("a")),
            finding("c", "declared-shape", None),
        ];
        all[0].consequences = 2;
        all
    }

    fn told(findings: &[Diagnostic]) -> Vec<(&str, &str, usize)> {
        let roots = findings.iter().filter(|finding| finding.consequence_of.is_none());
        roots.map(|finding| (finding.message.as_str(), finding.rule.name, finding.consequences)).collect()
    }

    #[test]
    fn what_follows_from_a_known_finding_is_known() {
        let known = |finding: &mut Diagnostic| match finding.rule.name {
            "input-port-mismatch" => Verdict::Suppress,
            _ => Verdict::Keep,
        };
        assert_eq!(told(&sift(family(), known)), [("c", "declared-shape", 0)]);
    }

    #[test]
    fn a_cause_may_be_a_consequence_or_elsewhere() {
        let mut all = family();
        all.push(finding("d", "input-port-mismatch", Some("b")));
        all.push(Diagnostic { body: vec!["loop/body".into()], ..finding("e", "axis-range", Some("a")) });
        let known = |finding: &mut Diagnostic| match finding.consequences {
            0 => Verdict::Keep,
            _ => Verdict::Suppress,
        };
        let left = sift(all, known);
        assert_eq!(told(&left), [("c", "declared-shape", 0)]);
        assert_eq!(left.len(), 1);
    }

    #[test]
    fn what_follows_from_a_finding_that_is_off_is_told() {
        let off = |finding: &mut Diagnostic| match finding.rule.name {
            "input-port-mismatch" => Verdict::Off,
            _ => Verdict::Keep,
        };
        let left = sift(family(), off);
        assert_eq!(told(&left), [("a", "declared-shape", 1), ("c", "declared-shape", 0)]);
        assert_eq!(left.len(), 3);
    }

    #[test]
    fn what_matters_more_than_its_cause_is_told() {
        let lower = |finding: &mut Diagnostic| {
            if finding.rule.name == "input-port-mismatch" {
                finding.severity = Severity::Info;
            }
            Verdict::Keep
        };
        let all = [("a", "input-port-mismatch", 0), ("a", "declared-shape", 1), ("c", "declared-shape", 0)];
        assert_eq!(told(&sift(family(), lower)), all);
    }

    #[test]
    fn what_is_gone_is_not_counted() {
        let drop_b = |finding: &mut Diagnostic| if finding.message == "b" { Verdict::Off } else { Verdict::Keep };
        assert_eq!(told(&sift(family(), drop_b)), [("a", "input-port-mismatch", 1), ("c", "declared-shape", 0)]);
    }
}
