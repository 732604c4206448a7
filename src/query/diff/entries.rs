//! Differences in what callers see besides inputs and outputs: states, metadata, and constraints on the inputs.

use super::Side;
use crate::analysis::Model;
use crate::arrange::Arrange;
use crate::query::needs::needs;
use crate::query::states::states;
use crate::query::{End, metadata, named_fact};
use serde::Serialize;
use std::collections::BTreeMap;

/// A state or an entry of the metadata that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EntryChange {
    /// The name of the variable, or the key.
    pub name: String,
    /// Type and shape, or the value, before; `None` if it is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// Type and shape, or the value, now; `None` if it is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
}

/// The constraints on the dimensions of inputs and states that only one of the models has, as `ovlint inputs` writes them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Needs {
    /// Those of the new model alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<String>,
    /// Those of the old model alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<String>,
}

impl Needs {
    pub(super) fn of(old: &Side, new: &Side) -> Self {
        let [old, new] = [old, new].map(|side| needs(side.model, side.names.as_ref()));
        let only = |of: &[String], other: &[String]| of.iter().filter(|one| !other.contains(one)).cloned().collect();
        Self { added: only(&new, &old), removed: only(&old, &new) }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty()
    }
}

pub(super) fn states_changed(old: &Side, new: &Side) -> Vec<EntryChange> {
    let entries = |side: &Side| {
        let state = |state: End| (state.layer, vec![named_fact(side.names.as_ref(), state.fact.as_ref())]);
        states(side.model).into_iter().map(state).collect()
    };
    changes(entries(old), entries(new))
}

pub(super) fn metadata_changed(old: &Model, new: &Model) -> Vec<EntryChange> {
    let entries = |model: &Model| {
        let mut entries: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (key, value) in metadata::of_net(model) {
            entries.entry(key).or_default().push(value);
        }
        entries
    };
    changes(entries(old), entries(new))
}

/// Returns the entries whose values differ.
fn changes(old: BTreeMap<String, Vec<String>>, mut new: BTreeMap<String, Vec<String>>) -> Vec<EntryChange> {
    let text = |values: Vec<String>| values.join(", ");
    let mut changes = Vec::new();
    for (name, was) in old {
        let is = new.remove(&name);
        if is.as_ref() != Some(&was) {
            changes.push(EntryChange { name, old: Some(text(was)), new: is.map(text) });
        }
    }
    changes.extend(new.into_iter().map(|(name, is)| EntryChange { name, old: None, new: Some(text(is)) }));
    changes.arrange_by(|a, b| a.name.cmp(&b.name));
    changes
}
