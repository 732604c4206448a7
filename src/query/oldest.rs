//! The oldest OpenVINO release that can read a model, and the features that require it.

use crate::analysis::Model;
use crate::arrange::Arrange;
use crate::lint::requirements::{Feature, Requirement, requirements};
use crate::types::{Release, release};
use serde::Serialize;
use std::collections::BTreeMap;

/// The maximum number of reasons that are listed.
const SHOWN: usize = 3;

/// The first release that reads IR version 10.
const IR_10: Release = release(2020, 1);

/// The release that a model requires.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Oldest {
    /// The oldest release that can read the model.
    #[serde(rename = "openvino")]
    pub release: Release,
    /// The features that older releases lack: operations with their version, element types, the IR version.
    pub because: Vec<String>,
}

/// Returns the features of a model that need a release; `None` if the model was not read.
pub(super) fn features(model: &Model) -> Option<BTreeMap<Feature, Requirement>> {
    Some(requirements(model.net()?, model.facts()?, model.source()))
}

impl Oldest {
    /// Finds the oldest release that supports all features of a model except extensions; `None` if the model was not read.
    pub fn of(model: &Model) -> Option<Self> {
        Some(Self::among(&features(model)?))
    }

    /// Finds it among the features of a model.
    pub(super) fn among(all: &BTreeMap<Feature, Requirement>) -> Self {
        let release = all.values().map(|one| one.first).max().unwrap_or(IR_10);
        let because = all.iter().filter(|(_, one)| one.first == release && release > IR_10);
        let mut because: Vec<String> = because.map(|(feature, _)| feature.to_string()).collect();
        because.arrange();
        Self { release, because }
    }

    /// Formats the first reasons and the number of further ones.
    pub fn reason(&self) -> String {
        let more = self.because.len().saturating_sub(SHOWN);
        let first = self.because.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
        if more > 0 { format!("{first} and {more} more") } else { first }
    }
}
