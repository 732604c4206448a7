//! One result per finding, those that follow from another included.

use super::location::{Artifact, Logical, Physical, Places, Region};
use super::tool::level;
use crate::diagnostic::fingerprint;
use crate::diagnostic::{Applicability, Diagnostic, Fix};
use crate::policy::catalogue::RULES;
use crate::report::findings::entry::about;
use crate::report::{ModelReport, has_place, label_text, weights_name};
use serde::Serialize;

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
    notes: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    help: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    consequence_of: Option<&'a str>,
}

/// The results of a model; the lines of its source are counted once.
pub(super) fn results<'a>(model: &ModelReport<'a>) -> impl Iterator<Item = SarifResult<'a>> {
    let (places, weights) = (Places::new(model), weights_name(model));
    model.active().map(move |finding| result(finding, &places, &weights))
}

fn result<'a>(finding: &'a Diagnostic, places: &Places, weights: &str) -> SarifResult<'a> {
    let related = (1..).zip(&finding.labels).map(|(id, label)| Related {
        id,
        message: Some(label_text(label, weights)).filter(|text| !text.is_empty()).map(|text| Text { text }),
        physical_location: places.physical(Some(label.span)),
    });
    let print = fingerprint(finding);
    SarifResult {
        rule_id: finding.rule.name,
        rule_index: RULES.iter().position(|rule| *rule == finding.rule),
        level: level(finding.severity),
        message: Text { text: format!("{}{}", about(finding), finding.message) },
        locations: [Location {
            physical_location: places.physical(Some(finding.primary.span).filter(|_| has_place(finding))),
            logical_locations: places.logical(finding).into_iter().collect(),
        }],
        related_locations: related.collect(),
        partial_fingerprints: Fingerprint {
            v1: print.rsplit_once('/').map_or(print.as_str(), |(_, hash)| hash).to_owned(),
        },
        fixes: finding.fix.as_ref().and_then(|fix| sarif_fix(fix, places)).into_iter().collect(),
        properties: Properties {
            runtime: finding.runtime.name(),
            declared: finding.declared.as_deref(),
            inferred: finding.inferred.as_deref(),
            assumed: finding.assumed,
            chain: &finding.chain,
            notes: &finding.notes,
            help: &finding.help,
            consequence_of: finding.consequence_of.as_ref().map(|cause| &*cause.layer),
        },
    }
}

/// The fix, unless its places are unknown.
fn sarif_fix(fix: &Fix, places: &Places) -> Option<SarifFix> {
    let replacements: Option<Vec<Replacement>> = fix
        .edits
        .iter()
        .map(|edit| {
            let inserted_content = Text { text: edit.text.clone() };
            Some(Replacement { deleted_region: places.region(edit.span)?, inserted_content })
        })
        .collect();
    let replacements = replacements.filter(|all| !all.is_empty())?;
    let unsafe_note =
        if fix.applicability == Applicability::Unsafe { " (unsafe: it may change what runs)" } else { "" };
    Some(SarifFix {
        description: Text { text: format!("{}{unsafe_note}", fix.message) },
        artifact_changes: [Change { artifact_location: places.artifact(), replacements }],
    })
}
