//! One result per finding; those that follow from it are counted and, the first of them, among its related locations.

use super::location::{Artifact, Logical, Physical, Places, Region};
use super::tool::level;
use crate::diagnostic::{Applicability, Diagnostic, FindingId, Fix, fingerprint};
use crate::policy::Suppressor;
use crate::policy::catalogue::RULES;
use crate::report::findings::entry::{about, full_message};
use crate::report::findings::risk;
use crate::report::words;
use crate::report::{ModelReport, has_place, label_text, weights_name};
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

/// Fields of ovlint's own, named as in the JSON report.
#[derive(Serialize)]
struct Properties<'a> {
    runtime: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    declared: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inferred: Option<&'a str>,
    assumed: bool,
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

/// The results of a model; the lines of its source are counted once.
pub(super) fn results<'a>(model: &ModelReport<'a>) -> impl Iterator<Item = SarifResult<'a>> {
    let (places, weights) = (Places::new(model), weights_name(model));
    let (shown, all) = (Family::all(model), model.suppressed);
    let shown = shown.into_iter().map(|family| (family, None));
    let suppressed = all.iter().map(|one| (Family::of(&one.finding), Some(one)));
    shown.chain(suppressed).map(move |(family, by)| {
        let suppressions = by.map(|by| Suppression {
            kind: if by.by == Suppressor::Comment { "inSource" } else { "external" },
            justification: &by.reason,
        });
        SarifResult { suppressions: suppressions.into_iter().collect(), ..result(&family, &places, &weights) }
    })
}

/// A finding with those that follow from it.
struct Family<'a> {
    root: &'a Diagnostic,
    consequences: Vec<&'a Diagnostic>,
}

impl<'a> Family<'a> {
    fn of(root: &'a Diagnostic) -> Self {
        Self { root, consequences: Vec::new() }
    }

    /// The findings of a model; what follows from another one goes with what it follows from in the end.
    fn all(model: &ModelReport<'a>) -> Vec<Self> {
        let mut families: Vec<Self> = Vec::new();
        let mut places: BTreeMap<FindingId, usize> = BTreeMap::new();
        for root in model.roots() {
            places.extend(root.id.map(|id| (id, families.len())));
            families.push(Self::of(root));
        }
        let causes: BTreeMap<FindingId, FindingId> = model
            .active()
            .filter_map(|finding| Some((finding.id?, finding.consequence_of.as_ref()?.finding)))
            .collect();
        for finding in model.active() {
            let Some(cause) = &finding.consequence_of else { continue };
            let mut chain = std::iter::successors(Some(cause.finding), |cause| causes.get(cause).copied());
            // Causes make no cycle.
            match chain.find_map(|cause| places.get(&cause)).and_then(|place| families.get_mut(*place)) {
                Some(family) if family.consequences.len() < SHOWN => family.consequences.push(finding),
                Some(_) => {}
                None => families.push(Self::of(finding)),
            }
        }
        families
    }
}

/// Findings that follow from another one of which the places are given; the rest is counted.
const SHOWN: usize = 20;

fn result<'a>(family: &Family<'a>, places: &Places, weights: &str) -> SarifResult<'a> {
    let finding = family.root;
    let labels = finding.labels.iter().map(|label| (label_text(label, weights), label.span));
    let consequences = family.consequences.iter().filter(|finding| has_place(finding));
    let relation = if finding.kind.is_some() { "of the same kind" } else { "follows from this" };
    let consequences = consequences
        .map(|finding| (format!("{relation}: {}{}", about(finding), finding.message.shown()), finding.primary.span));
    let related = (1..).zip(labels.chain(consequences)).map(|(id, (text, span))| Related {
        id,
        message: Some(text).filter(|text| !text.is_empty()).map(|text| Text { text }),
        physical_location: places.physical(Some(span)),
    });
    let print = fingerprint(finding);
    SarifResult {
        rule_id: finding.rule.name,
        rule_index: RULES.iter().position(|rule| *rule == finding.rule),
        level: level(finding.severity),
        message: Text { text: full_message(finding) },
        locations: [Location {
            physical_location: places.physical(Some(finding.primary.span).filter(|_| has_place(finding))),
            logical_locations: places.logical(finding).into_iter().collect(),
        }],
        related_locations: related.collect(),
        partial_fingerprints: Fingerprint {
            v1: print.rsplit_once('/').map_or(print.as_str(), |(_, hash)| hash).to_owned(),
        },
        suppressions: Vec::new(),
        fixes: finding.fix.as_ref().and_then(|fix| sarif_fix(finding, fix, places)).into_iter().collect(),
        properties: Properties {
            runtime: finding.runtime.name(),
            declared: finding.declared.as_deref(),
            inferred: finding.inferred.as_deref(),
            assumed: finding.assumed,
            chain: &finding.chain,
            notes: words::notes(finding).collect(),
            help: words::help(finding).collect(),
            label: Some(finding.primary.message.shown()).filter(|label| !label.is_empty()),
            consequences: finding.consequences,
        },
    }
}

/// The fix, unless its places are unknown.
fn sarif_fix(finding: &Diagnostic, fix: &Fix, places: &Places) -> Option<SarifFix> {
    let replacements: Option<Vec<Replacement>> = fix
        .edits
        .iter()
        .map(|edit| {
            let inserted_content = Text { text: edit.text.clone() };
            Some(Replacement { deleted_region: places.region(edit.span)?, inserted_content })
        })
        .collect();
    let replacements = replacements.filter(|all| !all.is_empty())?;
    let unsafe_note = if fix.applicability == Applicability::Unsafe { risk(finding) } else { "" };
    Some(SarifFix {
        description: Text { text: format!("{}{unsafe_note}", fix.message.shown()) },
        artifact_changes: [Change { artifact_location: places.artifact(), replacements }],
    })
}
