//! The differences of two models in constants: types, shapes and elements; and the comparison of whole weights files.

use super::matching::Matched;
use super::signature::weight_behind;
use super::values::{self, Outcome, ValueChange};
use crate::analysis::Model;
use crate::ir::{Constant, Graph, LayerId, Port, Weights};
use crate::query::missing_weights;
use crate::query::snapshot::of_file;
use serde::Serialize;
use std::collections::BTreeMap;

/// The constants of two models.
#[derive(Debug, Default, Serialize)]
pub struct WeightsChange {
    /// The size of the old weights file in bytes.
    pub old_size: u64,
    /// The size of the new one.
    pub new_size: u64,
    /// The SHA-256 of both files, if only Git LFS pointers show that they differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<[String; 2]>,
    /// Changes of element type: the old type, the new one, the number of constants.
    pub types: Vec<(String, String, usize)>,
    /// The names of constants whose shape differs.
    pub shapes: Vec<String>,
    /// The names of constants of the same type and shape whose bytes differ.
    pub values: Vec<String>,
    /// The numerical differences of those whose elements are numbers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub amounts: Vec<ValueChange>,
    /// The number of constants that could not be compared.
    pub unread: usize,
    /// The reason why they could not be compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unread_because: Option<String>,
}

impl WeightsChange {
    /// Whether no constant differs. Files that are longer between constants or behind them differ at [`Level::Bytes`] only.
    ///
    /// [`Level::Bytes`]: super::Level::Bytes
    pub(crate) fn is_same(&self) -> bool {
        self.files.is_none() && self.types.is_empty() && self.shapes.is_empty() && self.values.is_empty()
    }
}

/// Compares the constants of two models. `files` are the same models with their weights, which `old` and `new` may lack.
pub(super) fn changes(old: &Model, new: &Model, files: [&Model; 2], matched: &Matched) -> WeightsChange {
    let [was, is] = files.map(Model::weights);
    let (files, sizes) = Files::of(files);
    let mut change = WeightsChange { old_size: sizes[0], new_size: sizes[1], ..WeightsChange::default() };
    let mut types = BTreeMap::new();
    if let (Some(before), Some(now)) = (old.net(), new.net()) {
        pairs(&before.graph, &now.graph, matched, &mut |a, b, graph, index| {
            let name =
                || graph.layer(index).map(|layer| graph.name(new.source(), layer).into_owned()).unwrap_or_default();
            if a.ty != b.ty {
                *types.entry((a.ty.to_string(), b.ty.to_string())).or_default() += 1;
            } else if a.lengths != b.lengths {
                change.shapes.push(name());
            } else {
                let outcome = match &files {
                    Files::Readable if std::ptr::eq(was, is) && a.offset == b.offset => values::itself(a, was),
                    Files::Readable => values::compare(a, was, b, is, &name),
                    Files::Same if a.offset == b.offset || a.elements() == Some(0) => Outcome::Same,
                    Files::Differ(_) | Files::Same | Files::Unknown(_) => Outcome::Unread,
                };
                match outcome {
                    Outcome::Same => {}
                    Outcome::Unread => change.unread += 1,
                    Outcome::Differ(amount) => {
                        change.values.push(name());
                        change.amounts.extend(amount);
                    }
                }
            }
        });
    }
    match files {
        Files::Differ(oids) if change.unread > 0 => (change.files, change.unread) = (Some(oids), 0),
        Files::Unknown(reason) if change.unread > 0 => change.unread_because = Some(reason),
        Files::Same if change.unread > 0 => {
            change.unread_because =
                Some("they lie elsewhere in a file of which only a Git LFS pointer is there".into());
        }
        Files::Readable if change.unread > 0 => {
            change.unread_because = Some("a weights file is too short".into());
        }
        _ => {}
    }
    change.types = types.into_iter().map(|((from, to), count)| (from, to, count)).collect();
    change
}

/// The state of two weights files, known before any constant is read.
enum Files {
    /// Both can be read.
    Readable,
    /// Git LFS pointers show that both have the same bytes.
    Same,
    /// Git LFS pointers show that they differ; with the SHA-256 of both.
    Differ([String; 2]),
    /// One is missing or contains no weights; with the reason.
    Unknown(String),
}

impl Files {
    /// Returns the state and the sizes of both files.
    fn of(models: [&Model; 2]) -> (Self, [u64; 2]) {
        let objects = models.map(|model| model.weights().lfs_object());
        let sizes =
            [0, 1].map(|i| objects[i].as_ref().map_or_else(|| models[i].weights().size(), |object| object.size));
        let reasons = models.map(missing_weights);
        if reasons.iter().all(Option::is_none) {
            return (Self::Readable, sizes);
        }
        let is_known = |i: usize| objects[i].is_some() || reasons[i].is_none();
        let oid =
            |i: usize| objects[i].as_ref().map(|object| object.oid.clone()).or_else(|| of_file(models[i].weights()));
        let oids = if is_known(0) && is_known(1) { oid(0).zip(oid(1)) } else { None };
        let files = match oids {
            Some((was, is)) if was == is => Self::Same,
            Some((was, is)) => Self::Differ([was, is]),
            None => Self::Unknown(reasons.into_iter().flatten().collect::<Vec<_>>().join(", ")),
        };
        (files, sizes)
    }
}

/// Calls `visit` for every pair of matched constants, and of constants at the same input of matched layers. Passes the graph
/// and the index of the new constant too.
fn pairs(old: &Graph, new: &Graph, matched: &Matched, visit: &mut dyn FnMut(&Constant, &Constant, &Graph, LayerId)) {
    let mut seen = std::collections::BTreeSet::new();
    for (index, layer) in old.entries() {
        let Some(counterpart) = matched.in_new(index) else { continue };
        let Some(now) = new.layer(counterpart) else { continue };
        if let (Some(a), Some(b)) = (old.constant(layer), new.constant(now))
            && seen.insert(counterpart)
        {
            visit(a, b, new, counterpart);
        }
        for (a, b) in old.inputs(layer).iter().zip(new.inputs(now)) {
            let weight = |graph: &Graph, port: &Port| weight_behind(graph, port.source()?);
            let (Some(a), Some(b)) = (weight(old, a), weight(new, b)) else { continue };
            if matched.in_new(a).is_some() {
                continue; // The loop visits matched constants.
            }
            let constant =
                |graph: &Graph, index: LayerId| graph.layer(index).and_then(|layer| graph.constant(layer)).cloned();
            if let (Some(was), Some(is), true) = (constant(old, a), constant(new, b), seen.insert(b)) {
                visit(&was, &is, new, b);
            }
        }
        for body in layer.bodies() {
            let graph = now.subgraph.as_ref().and_then(|subgraph| subgraph.body(body.kind));
            if let (Some(graph), Some(inner)) = (graph, matched.bodies.get(&(index, body.kind))) {
                pairs(&body.graph, graph, inner, visit);
            }
        }
    }
}

/// The number of bytes compared at once.
const CHUNK: u64 = 1 << 20;

pub(super) fn same_files(a: &Weights, b: &Weights) -> bool {
    a.size() == b.size() && same_bytes(a.size(), |at, size| Some((a.read(at, size)?, b.read(at, size)?)))
}

/// Whether two files of a size have the same bytes; `read` reads a part of both.
pub(super) fn same_bytes(size: u64, read: impl Fn(u64, usize) -> Option<(Vec<u8>, Vec<u8>)>) -> bool {
    let mut at = 0;
    while at < size {
        let count = (size - at).min(CHUNK);
        let both = usize::try_from(count).ok().and_then(|count| read(at, count));
        if both.is_none_or(|(one, other)| one != other) {
            return false;
        }
        at += count;
    }
    true
}
