//! What became of the constants.

use super::layers::weight_behind;
use super::matching::Matched;
use crate::analysis::Model;
use crate::ir::{Constant, Graph, LayerId, Port, Weights};
use serde::Serialize;
use std::collections::BTreeMap;

/// The constants of two models.
#[derive(Debug, Default, Serialize)]
pub struct WeightsChange {
    /// Bytes of the old weights file.
    pub old_size: u64,
    /// Bytes of the new one.
    pub new_size: u64,
    /// Constants of another type: from, to, how many.
    pub types: Vec<(String, String, usize)>,
    /// Names of constants of another shape.
    pub shapes: Vec<String>,
    /// Names of constants of the same type and shape that hold something else.
    pub values: Vec<String>,
    /// Constants that could not be compared, as a file does not hold them.
    pub unread: usize,
}

impl WeightsChange {
    pub(crate) fn is_same(&self) -> bool {
        self.types.is_empty() && self.shapes.is_empty() && self.values.is_empty() && self.old_size == self.new_size
    }
}

/// Bytes that are compared at once.
const CHUNK: u64 = 1 << 20;

pub(super) fn changes(old: &Model, new: &Model, matched: &Matched) -> WeightsChange {
    let (was, is) = (old.weights(), new.weights());
    let mut change = WeightsChange { old_size: was.size(), new_size: is.size(), ..WeightsChange::default() };
    let mut types = BTreeMap::new();
    if let (Some(before), Some(now)) = (old.net(), new.net()) {
        let name = |graph: &Graph, index: LayerId| {
            graph.layer(index).map(|layer| graph.name(new.source(), layer).into_owned()).unwrap_or_default()
        };
        pairs(&before.graph, &now.graph, matched, &mut |a, b, graph, index| {
            if a.ty != b.ty {
                *types.entry((a.ty.to_string(), b.ty.to_string())).or_default() += 1;
            } else if a.lengths != b.lengths {
                change.shapes.push(name(graph, index));
            } else {
                match same_bytes(a, was, b, is) {
                    Some(true) => {}
                    Some(false) => change.values.push(name(graph, index)),
                    None => change.unread += 1,
                }
            }
        });
    }
    change.types = types.into_iter().map(|((from, to), count)| (from, to, count)).collect();
    change
}

/// Calls `visit` for every pair of constants, with the graph and the place of the new one: those matched, and those that
/// feed the same input of layers that are.
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
            let giver = |graph: &Graph, port: &Port| weight_behind(graph, port.source()?);
            let (Some(a), Some(b)) = (giver(old, a), giver(new, b)) else { continue };
            if matched.in_new(a).is_some() {
                continue; // Its turn comes.
            }
            let constant =
                |graph: &Graph, index: LayerId| graph.layer(index).and_then(|layer| graph.constant(layer)).cloned();
            if let (Some(was), Some(is), true) = (constant(old, a), constant(new, b), seen.insert(b)) {
                visit(&was, &is, new, b);
            }
        }
        for body in layer.subgraph.iter().flat_map(|subgraph| &subgraph.bodies) {
            let graph = now.subgraph.as_ref().and_then(|subgraph| subgraph.body(body.kind));
            if let (Some(graph), Some(inner)) = (graph, matched.bodies.get(&(index, body.kind))) {
                pairs(&body.graph, graph, inner, visit);
            }
        }
    }
}

/// Whether two constants of the same type and shape hold the same; `None` where one cannot be read.
fn same_bytes(a: &Constant, was: &Weights, b: &Constant, is: &Weights) -> Option<bool> {
    let length = a.bytes_needed().unwrap_or(a.size.max(b.size));
    let mut at = 0;
    while at < length {
        let size = usize::try_from((length - at).min(CHUNK)).ok()?;
        if was.read(a.offset.checked_add(at)?, size)? != is.read(b.offset.checked_add(at)?, size)? {
            return Some(false);
        }
        at += size as u64;
    }
    Some(true)
}

/// Whether two files hold the same bytes.
pub(super) fn same_files(a: &Weights, b: &Weights) -> bool {
    let mut at = 0;
    while a.size() == b.size() && at < a.size() {
        let size = usize::try_from((a.size() - at).min(CHUNK)).unwrap_or(0);
        let (one, other) = (a.read(at, size), b.read(at, size));
        if size == 0 || one.is_none() || one != other {
            return false;
        }
        at += size as u64;
    }
    a.size() == b.size()
}
