//! The releases of OpenVINO that read a file.

use super::oldest::features;
use crate::analysis::Model;
use crate::diagnostic::{Diagnostic, Runtime, Severity, Verdict};
use crate::lint::requirements::{Feature, Requirement};
use crate::lint::target;
use crate::text::words;
use crate::types::Release;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

words! {
    /// The reaction of a release to a file, when it reads it.
    pub enum Read {
        /// Reads it.
        Reads = "reads",
        /// Rejects it.
        Rejects = "rejects",
        /// Reads or rejects it: that depends on facts that ovlint does not know.
        Undecided = "undecided",
    }
}

/// Consecutive releases that react in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Span {
    /// The first of them.
    pub from: Release,
    /// The last of them.
    pub to: Release,
    /// Their reaction.
    pub read: Read,
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.from == self.to { write!(f, "{}", self.from) } else { write!(f, "{} to {}", self.from, self.to) }
    }
}

/// The releases of OpenVINO that read a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReadBy {
    /// The oldest target that rejects the file, else the newest target; without targets the newest release.
    pub release: Release,
    /// The reaction of this release.
    pub read: Read,
    /// The reasons: features that the release lacks, and rules that the file breaks.
    pub because: Vec<String>,
    /// The reactions of all releases, oldest first.
    pub releases: Vec<Span>,
}

impl ReadBy {
    /// Settles the reactions to a model; `None` if it was not read.
    pub fn of(model: &Model) -> Option<Self> {
        Some(Self::with(model, &features(model)?))
    }

    /// The releases that read the file.
    pub fn reading(&self) -> impl Iterator<Item = &Span> {
        self.releases.iter().filter(|span| span.read == Read::Reads)
    }

    /// Settles the reactions to a model that has these features.
    pub(super) fn with(model: &Model, features: &BTreeMap<Feature, Requirement>) -> Self {
        // What a target lacks is among the features.
        let is_of_file = |one: &Diagnostic| !one.verdict.is_some_and(Verdict::is_of_shapes);
        let counts =
            |one: &&Diagnostic| one.severity != Severity::Info && !target::RULES.contains(&one.rule) && is_of_file(one);
        let findings: Vec<&Diagnostic> = model.findings().iter().filter(counts).collect();
        let of = |release: Release| {
            let any = |runtime| findings.iter().any(|finding| finding.runtime_of(release) == runtime);
            if features.values().any(|feature| feature.first > release) || any(Runtime::Rejects) {
                Read::Rejects
            } else if any(Runtime::Unknown)
                || findings.iter().any(|finding| finding.is_unclear())
                || features.keys().any(|feature| feature.is_unclear(release))
            {
                Read::Undecided
            } else {
                Read::Reads
            }
        };
        let all: Vec<(Release, Read)> = Release::all().map(|release| (release, of(release))).collect();
        let releases = all.chunk_by(|a, b| a.1 == b.1).filter_map(|run| {
            let ((from, read), (to, _)) = run.first().copied().zip(run.last().copied())?;
            Some(Span { from, to, read })
        });
        let rejects = |one: &Release| all.contains(&(*one, Read::Rejects));
        let release = model.targets().map(|all| all.iter().find(rejects).unwrap_or_else(|| all.newest()));
        let release = release.unwrap_or(Release::NEWEST);
        let is_lacking =
            |(what, feature): &(&Feature, &Requirement)| feature.first > release || what.is_unclear(release);
        let lacks = features.iter().filter(is_lacking);
        let mut because: Vec<String> = lacks.map(|(what, _)| what.to_string()).collect();
        let fails = |one: &&&Diagnostic| {
            let is_reason = matches!(one.runtime_of(release), Runtime::Rejects | Runtime::Unknown) || one.is_unclear();
            one.consequence_of.is_none() && is_reason
        };
        because.extend(findings.iter().filter(fails).map(|finding| finding.rule.name.to_owned()));
        because.dedup();
        Self { release, read: of(release), because, releases: releases.collect() }
    }
}
