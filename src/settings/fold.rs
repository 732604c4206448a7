//! Takes findings away without losing what follows from them.

use crate::diagnostic::Diagnostic;
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

/// The findings of one body that follow from one layer, by their places.
#[derive(Default)]
struct Family {
    root: Option<usize>,
    is_known: bool,
    members: Vec<usize>,
}

/// The findings that are to stay. One that follows from another is told on its own if that other does not count, or counts
/// less.
pub(super) fn sift(
    mut findings: Vec<Diagnostic>,
    mut judge: impl FnMut(&mut Diagnostic) -> Verdict,
) -> Vec<Diagnostic> {
    let mut verdicts: Vec<Verdict> = findings.iter_mut().map(&mut judge).collect();
    let mut families: BTreeMap<(Vec<String>, String), Family> = BTreeMap::new();
    for (place, finding) in findings.iter().enumerate() {
        if let Some(root) = &finding.consequence_of {
            families.entry((finding.body.clone(), root.clone())).or_default().members.push(place);
        }
    }
    if !families.is_empty() {
        for (place, (finding, verdict)) in findings.iter().zip(&verdicts).enumerate() {
            let (None, Some(layer)) = (&finding.consequence_of, &finding.layer) else { continue };
            let Some(family) = families.get_mut(&(finding.body.clone(), layer.name.clone())) else { continue };
            match verdict {
                Verdict::Keep if family.root.is_none() || finding.consequences > 0 => family.root = Some(place),
                Verdict::Suppress => family.is_known = true,
                Verdict::Keep | Verdict::Off => {}
            }
        }
        for family in families.values() {
            family.settle(&mut findings, &mut verdicts);
        }
    }
    let kept = findings.into_iter().zip(verdicts).filter(|(_, verdict)| *verdict == Verdict::Keep);
    kept.map(|(finding, _)| finding).collect()
}

impl Family {
    /// Has those that are left rest on the first one that matters as much as they do.
    fn settle(&self, findings: &mut [Diagnostic], verdicts: &mut [Verdict]) {
        if self.root.is_none() && self.is_known {
            self.members.iter().for_each(|member| verdicts[*member] = Verdict::Suppress);
            return;
        }
        let counts_less = |root: usize, member: usize| findings[root].severity < findings[member].severity;
        let left = self.members.iter().copied().filter(|member| verdicts[*member] == Verdict::Keep);
        let (orphans, rest): (Vec<usize>, Vec<usize>) =
            left.partition(|member| self.root.is_none_or(|root| counts_less(root, *member)));
        if let Some(root) = self.root {
            let gone = self.members.len() - rest.len();
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{LayerRef, Rule, Severity};
    use crate::rules::find;
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
