//! The oldest OpenVINO release that can read a model, and the features that require it.

use crate::analysis::Model;
use crate::infer::Facts;
use crate::ir::walk::graphs;
use crate::ir::{Graph, Role};
use crate::types::{Release, release};
use serde::Serialize;
use std::collections::BTreeSet;

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

impl Oldest {
    /// Finds the oldest release that supports all features of a model except extensions; `None` if the model was not read.
    ///
    /// Layers that lead to no Result are ignored: OpenVINO does not read them.
    pub fn of(model: &Model) -> Option<Self> {
        let (net, facts) = (model.net()?, model.facts()?);
        let mut needs = Needs { release: IR_10, because: BTreeSet::new() };
        if net.version > 10 {
            needs.take(Release::IR_11, || "IR version 11".to_owned());
        }
        for (index, layer) in net.graph.entries() {
            let [fact] = facts.outputs(index) else { continue };
            if net.graph.kind(layer).role == Role::Parameter && fact.shape.is_static() && fact.shape.is_empty() {
                let input = || format!("input `{}` without elements", net.graph.name(model.source(), layer));
                needs.take(Release::EMPTY_INPUTS, input);
            }
        }
        for place in graphs(&net.graph, facts) {
            needs.graph(place.graph, place.beside);
        }
        let because = if needs.release == IR_10 { BTreeSet::new() } else { needs.because };
        Some(Self { release: needs.release, because: because.into_iter().collect() })
    }

    /// Formats the first reasons and the number of further ones.
    pub fn reason(&self) -> String {
        let more = self.because.len().saturating_sub(SHOWN);
        let first = self.because.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
        if more > 0 { format!("{first} and {more} more") } else { first }
    }
}

/// The newest release required so far, and the features that require it.
struct Needs {
    release: Release,
    because: BTreeSet<String>,
}

impl Needs {
    fn take(&mut self, first: Release, what: impl FnOnce() -> String) {
        if first > self.release {
            self.release = first;
            self.because.clear();
        }
        if first == self.release {
            self.because.insert(what());
        }
    }

    fn graph(&mut self, graph: &Graph, facts: &Facts) {
        let mut used = vec![false; graph.kinds.len()];
        for (index, layer) in graph.entries().filter(|(index, _)| facts.is_reachable(*index)) {
            if let Some(used) = used.get_mut(layer.kind as usize) {
                *used = true;
            }
            let types = facts.outputs(index).iter().map(|fact| fact.ty);
            for ty in types.chain(graph.constant(layer).map(|constant| constant.ty)) {
                if let Some(first) = Release::of_type(ty) {
                    self.take(first, || format!("element type {ty}"));
                }
            }
        }
        for (kind, _) in graph.kinds.iter().zip(used).filter(|(_, used)| *used) {
            if let Some(first) = kind.first_release() {
                self.take(first, || format!("{} of {}", kind.ty, kind.version));
            }
        }
    }
}
