//! The table that `--statistics` prints: the findings of each rule, errors first.

use super::ModelReport;
use crate::arrange::Arrange;
use crate::diagnostic::Severity;
use crate::policy::catalogue::find;
use crate::text::grouped;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The counts of the findings of each rule, without consequences of other findings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics(BTreeMap<&'static str, Counts>);

/// The counts of the findings of one rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Counts {
    /// The highest severity among the findings.
    severity: Severity,
    findings: usize,
    /// The models with such findings.
    models: usize,
}

impl Statistics {
    /// Adds the findings of a model.
    pub(super) fn add(&mut self, model: &ModelReport) {
        let mut own = Self::default();
        for finding in model.roots() {
            let counts = Counts { severity: finding.severity, findings: 1, models: 0 };
            own.add_counts(finding.rule.name, counts);
        }
        own.0.values_mut().for_each(|counts| counts.models = 1);
        self.merge(own);
    }

    pub(super) fn merge(&mut self, other: Self) {
        other.0.into_iter().for_each(|(rule, counts)| self.add_counts(rule, counts));
    }

    fn add_counts(&mut self, rule: &'static str, more: Counts) {
        let all = self.0.entry(rule).or_insert(Counts { severity: Severity::Off, findings: 0, models: 0 });
        all.severity = all.severity.max(more.severity);
        all.findings += more.findings;
        all.models += more.models;
    }

    /// Returns the rule if all findings are of one.
    pub(super) fn only_rule(&self) -> Option<&'static str> {
        self.0.first_key_value().filter(|_| self.0.len() == 1).map(|(rule, _)| *rule)
    }

    /// Formats the table: by severity, then by number of findings. It is empty without findings.
    pub fn text(&self) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        let mut rules: Vec<_> = self.0.iter().collect();
        rules.arrange_by_key(|(rule, counts)| (Reverse((counts.severity, counts.findings)), **rule));
        let names = rules.iter().map(|(rule, _)| rule.len()).max().unwrap_or_default();
        let mut out = format!("severity  findings  models  {:<names$}  summary\n", "rule");
        for (rule, Counts { severity, findings, models }) in rules {
            let (findings, models) = (grouped(*findings), grouped(*models));
            let summary = find(rule).map_or("", |rule| rule.summary);
            let _ = writeln!(out, "{:<8}  {findings:>8}  {models:>6}  {rule:<names$}  {summary}", severity.name());
        }
        out
    }
}
