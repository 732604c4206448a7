//! The results of a SARIF report: one per root finding, with its fix. Consequences are counted, and the first of them are
//! related locations. Suppressed findings are marked as such.

use super::location::{Artifact, Locator, Logical, Physical, Region};
use super::tool::level;
use crate::arrange::Fill;
use crate::diagnostic::{Applicability, Diagnostic, FindingId, Fix, fingerprint};
use crate::policy::Suppressor;
use crate::policy::catalogue::RULES;
use crate::report::findings::entry::{about, full_message};
use crate::report::findings::risk;
use crate::report::words;
use crate::report::{ModelReport, has_place, label_text, weights_name};
use crate::types::Basis;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifResult<'a> {
    rule_id: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_index: Option<usize>,
    level: &'static str,
    message: Text,
    locations: [Location<'a>; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Related>,
    partial_fingerprints: Fingerprint,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<SarifFix>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suppressions: Vec<Suppression<'a>>,
    properties: Properties<'a>,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    physical_location: Physical,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<Logical<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Related {
    id: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text>,
    physical_location: Physical,
}

#[derive(Serialize)]
struct Fingerprint {
    #[serde(rename = "ovlint/v1")]
    v1: String,
}

#[derive(Serialize)]
struct Suppression<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    justification: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifFix {
    description: Text,
    artifact_changes: [Change; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Change {
    artifact_location: Artifact,
    replacements: Vec<Replacement>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    deleted_region: Region,
    inserted_content: Text,
}

/// Properties of ovlint, named as in the JSON report.
#[derive(Serialize)]
struct Properties<'a> {
    runtime: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    declared: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inferred: Option<&'a str>,
    basis: Basis,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    chain: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    notes: Vec<Cow<'a, str>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    help: Vec<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
    consequences: usize,
}

/// Returns the results of a model; counts the lines of its source once.
pub(super) fn results<'a>(model: &ModelReport<'a>) -> impl Iterator<Item = SarifResult<'a>> {
    let (locator, weights) = (Locator::new(model), weights_name(model));
    let (shown, all) = (Family::all(model), model.suppressed);
    let shown = shown.into_iter().map(|family| (family, None));
    let suppressed = all.iter().map(|one| (Family::of(&one.finding), Some(one)));
    shown.chain(suppressed).map(move |(family, by)| {
        let suppressions = by.map(|by| Suppression {
            kind: if by.by == Suppressor::Comment { "inSource" } else { "external" },
            justification: &by.reason,
        });
        SarifResult { suppressions: suppressions.into_iter().collect(), ..result(&family, &locator, &weights) }
    })
}

/// A root finding with its consequences.
struct Family<'a> {
    root: &'a Diagnostic,
    consequences: Vec<&'a Diagnostic>,
}

impl<'a> Family<'a> {
    fn of(root: &'a Diagnostic) -> Self {
        Self { root, consequences: Vec::new() }
    }

    /// Groups the findings of a model by root finding.
    fn all(model: &ModelReport<'a>) -> Vec<Self> {
        let mut families: Vec<Self> = Vec::new();
        let mut indices: BTreeMap<FindingId, usize> = BTreeMap::new();
        for root in model.roots() {
            indices.extend(root.id.map(|id| (id, families.len())));
            families.push(Self::of(root));
        }
        let causes: BTreeMap<FindingId, FindingId> = model
            .active()
            .filter_map(|finding| Some((finding.id?, finding.consequence_of.as_ref()?.finding)))
            .into_map();
        for finding in model.active() {
            let Some(cause) = &finding.consequence_of else { continue };
            let mut chain = std::iter::successors(Some(cause.finding), |cause| causes.get(cause).copied());
            // The walk ends, because causes form no cycle.
            match chain.find_map(|cause| indices.get(&cause)).and_then(|index| families.get_mut(*index)) {
                Some(family) if family.consequences.len() < SHOWN => family.consequences.push(finding),
                Some(_) => {}
                None => families.push(Self::of(finding)),
            }
        }
        families
    }
}

/// The maximum number of consequences with locations; the others are only counted.
const SHOWN: usize = 20;

fn result<'a>(family: &Family<'a>, locator: &Locator, weights: &str) -> SarifResult<'a> {
    let finding = family.root;
    let labels = finding.labels.iter().map(|label| (label_text(label, weights), label.span));
    let consequences = family.consequences.iter().filter(|finding| has_place(finding));
    let relation = if finding.kind.is_some() { "of the same kind" } else { "follows from this" };
    let consequences = consequences
        .map(|finding| (format!("{relation}: {}{}", about(finding), finding.message.shown()), finding.primary.span));
    let here = labels.chain(consequences).map(|(text, span)| (text, locator.physical(Some(span))));
    let elsewhere =
        finding.elsewhere.iter().map(|other| (other.message.shown().to_owned(), Physical::elsewhere(other)));
    let related = (1..).zip(here.chain(elsewhere)).map(|(id, (text, physical_location))| Related {
        id,
        message: Some(text).filter(|text| !text.is_empty()).map(|text| Text { text }),
        physical_location,
    });
    let print = fingerprint(finding);
    SarifResult {
        rule_id: finding.rule.name,
        rule_index: RULES.iter().position(|rule| *rule == finding.rule),
        level: level(finding.severity),
        message: Text { text: full_message(finding) },
        locations: [Location {
            physical_location: locator.physical(Some(finding.primary.span).filter(|_| has_place(finding))),
            logical_locations: locator.logical(finding).into_iter().collect(),
        }],
        related_locations: related.collect(),
        partial_fingerprints: Fingerprint {
            v1: print.rsplit_once('/').map_or(print.as_str(), |(_, hash)| hash).to_owned(),
        },
        suppressions: Vec::new(),
        fixes: finding.fix.as_ref().and_then(|fix| sarif_fix(finding, fix, locator)).into_iter().collect(),
        properties: Properties {
            runtime: finding.runtime.name(),
            declared: finding.declared.as_deref(),
            inferred: finding.inferred.as_deref(),
            basis: finding.basis(),
            chain: &finding.chain,
            notes: words::notes(finding).collect(),
            help: words::help(finding).collect(),
            label: Some(finding.primary.message.shown()).filter(|label| !label.is_empty()),
            consequences: finding.consequences,
        },
    }
}

/// Converts a fix; `None` if its positions in the file are unknown.
fn sarif_fix(finding: &Diagnostic, fix: &Fix, locator: &Locator) -> Option<SarifFix> {
    let replacements: Option<Vec<Replacement>> = fix
        .edits
        .iter()
        .map(|edit| {
            let inserted_content = Text { text: edit.text.clone() };
            Some(Replacement { deleted_region: locator.region(edit.span)?, inserted_content })
        })
        .collect();
    let replacements = replacements.filter(|all| !all.is_empty())?;
    let unsafe_note = if fix.applicability == Applicability::Unsafe { risk(finding) } else { "" };
    Some(SarifFix {
        description: Text { text: format!("{}{unsafe_note}", fix.message.shown()) },
        artifact_changes: [Change { artifact_location: locator.artifact(), replacements }],
    })
}
