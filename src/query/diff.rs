//! The differences of two models in interface, operations, layers, shapes and weights. Layer ids, offsets and line numbers are
//! ignored.

mod bodies;
mod copies;
mod entries;
mod interface;
mod layers;
mod matching;
mod portability;
mod signature;
mod values;
mod weights;

pub use copies::are_copies;
pub use entries::{EntryChange, Needs};
pub use interface::PortChange;
pub use layers::{LayerChange, Layers};
pub use portability::Portability;
pub use signature::structure;
pub use values::ValueChange;
pub use weights::WeightsChange;

use crate::analysis::Model;
use crate::arrange::Fill;
use crate::domain::Names;
use crate::ir::walk::layers as all_layers;
use crate::ir::{Graph, Role};
use crate::query::metadata::Marks;
use crate::query::missing_weights;
use serde::Serialize;
use std::collections::BTreeMap;

/// The depth of a comparison; each level includes those before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// What callers see: the names, types, shapes and order of inputs and outputs, states, constraints and metadata.
    Interface,
    /// The shapes and types of all layers that both have.
    Shapes,
    /// Layers, attributes and wiring.
    Graph,
    /// The bytes of constants.
    Weights,
    /// The bytes of both files.
    Bytes,
}

/// The differences of two models; parts beyond the level are empty.
#[derive(Debug, Default, Serialize)]
pub struct Diff {
    /// Inputs and outputs.
    pub interface: Vec<PortChange>,
    /// States.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<EntryChange>,
    /// Constraints on the dimensions of inputs and states.
    #[serde(skip_serializing_if = "Needs::is_empty")]
    pub needs: Needs,
    /// Entries in the `<rt_info>` of the net, without those that differ between two exports of the same model.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub metadata: Vec<EntryChange>,
    /// The properties that decide which OpenVINO can read the model.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub portability: Vec<Portability>,
    /// Operations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operations: Option<Operations>,
    /// Layers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layers: Option<Layers>,
    /// Constants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights: Option<WeightsChange>,
    /// Files whose bytes differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bytes: Vec<&'static str>,
}

/// The numbers of operations, without constants.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Operations {
    /// In the old model.
    pub old: usize,
    /// In the new one.
    pub new: usize,
    /// The increase per operation type, negative for a decrease; types without a change are omitted.
    pub by_type: BTreeMap<String, i64>,
}

impl Diff {
    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.interface.is_empty()
            && self.states.is_empty()
            && self.needs.is_empty()
            && self.metadata.is_empty()
            && self.portability.is_empty()
            && self.operations.as_ref().is_none_or(|all| all.by_type.is_empty())
            && self.layers.as_ref().is_none_or(Layers::is_same)
            && self.weights.as_ref().is_none_or(WeightsChange::is_same)
            && self.bytes.is_empty()
    }

    /// Returns the number of constants that could not be compared, and the reason.
    pub fn unread(&self) -> Option<(usize, &str)> {
        let weights = self.weights.as_ref().filter(|weights| weights.unread > 0)?;
        Some((weights.unread, weights.unread_because.as_deref().unwrap_or_default()))
    }
}

/// A model, the names of its dimensions, and the entries of its `<rt_info>` that matter.
struct Side<'a> {
    model: &'a Model,
    names: Option<Names<'a>>,
    marks: Marks<'a>,
}

impl<'a> Side<'a> {
    fn of(model: &'a Model) -> Self {
        Self { model, names: model.names(), marks: Marks::of(model) }
    }
}

/// Compares two models; `None` if one of them could not be read.
///
/// If only one model has its weights, shapes are compared without the weights of either: otherwise, shapes that only one
/// of them can infer would count as differences.
pub fn diff(old: &Model, new: &Model, level: Level) -> Option<Diff> {
    let has_same_text = || old.source().bytes() == new.source().bytes();
    let is_same = std::ptr::eq(old, new) || has_same_text() && weights::same_files(old.weights(), new.weights());
    if is_same && missing_weights(old).is_none() {
        return same(old, level);
    }
    let (old_stable, new_stable) = (old.stable(), new.stable());
    let (old, new) = (old_stable.as_ref().unwrap_or(old), new_stable.as_ref().unwrap_or(new));
    let without_weights = |model: &Model, other: &Model| {
        let is_alone = missing_weights(model).is_none() && missing_weights(other).is_some();
        if is_alone { model.without_weights().ok() } else { None }
    };
    let (old_without, new_without) = (without_weights(old, new), without_weights(new, old));
    let files = [old, new];
    let (old, new) = (old_without.as_ref().unwrap_or(old), new_without.as_ref().unwrap_or(new));
    let ((old_net, new_net), _) = (old.net().zip(new.net())?, old.facts().zip(new.facts())?);
    let [was, is] = [old, new].map(Side::of);
    let mut diff = Diff {
        interface: interface::changes(&was, &is),
        states: entries::states_changed(&was, &is),
        needs: Needs::of(&was, &is),
        metadata: entries::metadata_changed(old, new),
        ..Diff::default()
    };
    if level >= Level::Shapes {
        let matched = matching::matched(old, new);
        diff.layers = Some(layers::changes(&was, &is, &matched, level));
        if level >= Level::Graph {
            diff.portability = portability::changes(old, new);
            diff.operations = Some(operations(&old_net.graph, &new_net.graph));
        }
        if level >= Level::Weights {
            diff.weights = Some(weights::changes(old, new, files, &matched));
        }
    }
    if level >= Level::Bytes {
        let xml = old.source().bytes() != new.source().bytes();
        let bin = !weights::same_files(files[0].weights(), files[1].weights());
        diff.bytes =
            [(xml, "xml"), (bin, "bin")].iter().filter(|(differs, _)| *differs).map(|(_, name)| *name).collect();
    }
    Some(diff)
}

/// Compares a model with one of the same bytes.
fn same(model: &Model, level: Level) -> Option<Diff> {
    let (net, _) = model.net().zip(model.facts())?;
    let matched = matching::Matched::same(&net.graph);
    let layers = || Layers { matched_by_name: matched.by_name, ..Layers::default() };
    Some(Diff {
        layers: (level >= Level::Shapes).then(layers),
        operations: (level >= Level::Graph).then(|| operations(&net.graph, &net.graph)),
        weights: (level >= Level::Weights).then(|| weights::changes(model, model, [model, model], &matched)),
        ..Diff::default()
    })
}

fn operations(old: &Graph, new: &Graph) -> Operations {
    let (mut all, mut by_type) = (Operations::default(), BTreeMap::<&str, i64>::new());
    for (graph, total, sign) in [(old, &mut all.old, -1), (new, &mut all.new, 1)] {
        for kind in all_layers(graph, ()).map(|visit| visit.kind()).filter(|kind| kind.role != Role::Const) {
            *total += 1;
            *by_type.entry(&kind.ty).or_default() += sign;
        }
    }
    all.by_type = by_type.into_iter().filter(|(_, more)| *more != 0).map(|(ty, more)| (ty.to_owned(), more)).into_map();
    all
}
