//! The application of the policy to one model: adds the findings of contracts, recipes and the pipeline, and removes those
//! that are off, ignored or in the baseline.

use super::baseline::Expected;
use super::comments::Comments;
use super::fold::{Verdict, sift};
use super::{Hidden, Ignore, Selection, Settings, Suppressed, Suppressor, absolute};
use crate::analysis::Model;
use crate::diagnostic;
use crate::diagnostic::{Diagnostic, Severity, Sink};
use crate::pipeline::{InPipeline, Loader};
use crate::recipe;
use std::borrow::Cow;
use std::path::Path;

/// The report about one model.
#[derive(Debug)]
pub struct Judged<'a> {
    /// The findings, sorted by position.
    pub findings: Cow<'a, [Diagnostic]>,
    /// The indices of the [`Settings::ignores`] that matched a finding.
    pub used_ignores: Vec<usize>,
    /// The findings that are not reported.
    pub hidden: Hidden,
}

impl Settings {
    /// Applies the policy to the model at a path.
    pub fn judge<'a>(&self, path: &Path, model: &'a Model) -> Judged<'a> {
        self.judge_in(path, model, None)
    }

    /// Applies the policy to the model at a path, which may be the member of a pipeline.
    pub fn judge_in<'a>(&self, path: &Path, model: &'a Model, pipeline: Option<&InPipeline>) -> Judged<'a> {
        let comments = model.net().map_or(&[][..], |net| &net.comments);
        let nothing_known = comments.is_empty() && self.ignores.is_empty() && self.baseline.is_none();
        let is_plain = pipeline.is_none()
            && self.asks_nothing()
            && self.per_file.is_empty()
            && self.selection.keeps(model.findings());
        if is_plain && (nothing_known || self.no_suppressions) {
            let findings = Cow::Borrowed(model.findings());
            return Judged { findings, used_ignores: Vec::new(), hidden: Hidden::default() };
        }
        let selection = self.selection_for(path);
        let mut sink = Sink::new(model.limits().findings);
        let full_path = absolute(path);
        for contract in self.contracts.iter().filter(|contract| contract.files.admit(&full_path)) {
            contract.check(model, &mut sink);
        }
        let mut recipes = self.recipes_for(path, model);
        if pipeline.is_some_and(|pipeline| pipeline.follows_role) {
            recipes.retain(|chosen| Loader::of(chosen).is_none());
        }
        recipe::check(&recipes, model, &mut sink);
        let mut settled = recipe::settled(&recipes, &sink);
        settled.extend(pipeline.iter().flat_map(|pipeline| &pipeline.settles));
        let findings = model.findings().iter().filter(|finding| !settled.contains(&finding.rule)).cloned();
        let mut findings: Vec<Diagnostic> = findings.collect();
        findings.extend(sink.into_sorted());
        findings.extend(pipeline.iter().flat_map(|pipeline| &pipeline.findings).cloned());
        findings.retain(|finding| !pipeline.is_some_and(|pipeline| pipeline.explains(finding)));
        let per_file = self.per_file_of(path);
        let mut allowed = 0;
        let (mut findings, off) = selection.split(findings, |finding| {
            let is_allowed = per_file.iter().any(|part| part.allows(finding));
            allowed += usize::from(is_allowed);
            is_allowed
        });
        let turns_off = self.is_narrowed || selection.configured.iter().any(|(_, level)| *level == Severity::Off);
        let mut hidden = Hidden {
            turned_off: off.iter().filter(|one| one.consequence_of.is_none() && !one.rule.is_opt_in).count(),
            by_configuration: turns_off || allowed > 0,
            ..Hidden::default()
        };
        let mut used_ignores = Vec::new();
        if !(self.no_suppressions || nothing_known) {
            let comments = Comments::new(model.source(), comments);
            findings = self.suppress(&full_path, model, &selection, comments, findings, &mut used_ignores, &mut hidden);
        }
        hidden.by_configuration |= !used_ignores.is_empty();
        diagnostic::sort(&mut findings);
        Judged { findings: Cow::Owned(findings), used_ignores, hidden }
    }

    /// Returns the findings about a file that is no model which are reported, the indices of the ignores that match others, and
    /// those in the baseline.
    pub fn judge_aside(&self, path: &Path, findings: Vec<Diagnostic>) -> (Vec<Diagnostic>, Vec<usize>, Hidden) {
        let (mut used, path) = (Vec::new(), absolute(path));
        let mut findings = self.selection_for(&path).apply(findings);
        let ignores =
            self.ignores.iter().enumerate().filter(|(_, ignore)| !self.no_suppressions && ignore.is_for(&path));
        for (index, ignore) in ignores {
            let before = findings.len();
            findings.retain(|finding| !ignore.covers(finding));
            used.extend((findings.len() < before).then_some(index));
        }
        let baseline = self.baseline.as_ref().filter(|_| !self.no_suppressions);
        let Some(mut expected) = baseline.map(|baseline| baseline.of(&path)) else {
            return (findings, used, Hidden::default());
        };
        let (known, findings) = findings.into_iter().partition(|finding| expected.mark_found(finding));
        let accepted = |finding| Suppressed { finding, by: Suppressor::Baseline, reason: String::new() };
        let known: Vec<Diagnostic> = known;
        (findings, used, Hidden { suppressed: known.into_iter().map(accepted).collect(), ..Hidden::default() })
    }

    /// Removes accepted findings, and reports comments and baseline entries that match nothing.
    #[allow(clippy::too_many_arguments, reason = "one caller, which has all of them at hand")]
    fn suppress(
        &self,
        path: &Path,
        model: &Model,
        selection: &Selection,
        mut comments: Comments,
        findings: Vec<Diagnostic>,
        used: &mut Vec<usize>,
        hidden: &mut Hidden,
    ) -> Vec<Diagnostic> {
        let ignores: Vec<(usize, &Ignore)> =
            self.ignores.iter().enumerate().filter(|(_, ignore)| ignore.is_for(path)).collect();
        let mut expected = self.baseline.as_ref().map(|baseline| baseline.of(path));
        let mut reasons = Vec::with_capacity(findings.len());
        let outcome = sift(findings, |finding| {
            let covers = ignores.iter().filter(|(_, ignore)| ignore.covers(finding));
            let covers: Vec<&(usize, &Ignore)> = covers.collect();
            used.extend(covers.iter().map(|(index, _)| *index));
            let reason = if comments.cover(finding) {
                Some((Suppressor::Comment, ""))
            } else if let Some((_, ignore)) = covers.first() {
                Some((Suppressor::Configuration, ignore.reason.as_str()))
            } else {
                let is_known = expected.as_mut().is_some_and(|expected| expected.mark_found(finding));
                is_known.then_some((Suppressor::Baseline, ""))
            };
            reasons.push(reason);
            if reason.is_some() { Verdict::Suppress } else { Verdict::Keep }
        });
        expected.iter_mut().for_each(Expected::mark_consequences_found);
        let mut findings = outcome.kept;
        let roots = outcome.removed.into_iter().filter(|(_, finding)| finding.consequence_of.is_none());
        hidden.suppressed.extend(roots.filter_map(|(index, finding)| {
            let (by, reason) = (*reasons.get(index)?)?;
            Some(Suppressed { finding, by, reason: reason.to_owned() })
        }));
        used.sort_unstable();
        used.dedup();
        if !model.is_checked_in_full() {
            return findings; // An unmatched comment or entry may be about shapes or weights, which were not checked.
        }
        let mut sink = Sink::new(model.limits().findings);
        comments.unused(model.source(), |selector| selection.reports(selector), &mut sink);
        if let (Some(baseline), Some(expected)) = (&self.baseline, &expected) {
            let is_on = |rule: &str| rule.parse().is_ok_and(|selector| selection.reports(selector));
            let recipes = self.recipes_for(path, model);
            let reports = |rule: &str| is_on(rule) && model.looks_for(rule) && recipe::looks_for(&recipes, rule);
            if self.prunes_baseline {
                hidden.stale = expected.gone(reports);
            } else {
                baseline.unused(expected, reports).into_iter().for_each(|finding| sink.report(finding));
            }
        }
        findings.extend(selection.apply(sink.into_sorted()));
        findings
    }
}
