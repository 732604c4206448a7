//! The constants of a model, counted by element type.

use super::Stored;
use crate::ir::{Constant, Graph, LayerId};
use crate::types::ElementType;
use std::collections::{BTreeMap, BTreeSet};

/// The constants of a model, including those of bodies.
#[derive(Default)]
pub(super) struct Constants {
    pub(super) by_type: BTreeMap<ElementType, Stored>,
    seen: BTreeSet<(u64, u64)>,
    pub(super) largest: Option<(LayerId, u64)>,
}

impl Constants {
    /// Adds the constants of a graph and its bodies; `owner` is the layer of the main graph that contains this body.
    pub(super) fn add(&mut self, graph: &Graph, owner: Option<LayerId>) {
        for (id, layer) in graph.entries() {
            if let Some(constant) = graph.constant(layer) {
                self.count(constant, owner.unwrap_or(id));
            }
            layer.bodies().for_each(|body| self.add(&body.graph, owner.or(Some(id))));
        }
    }

    fn count(&mut self, constant: &Constant, id: LayerId) {
        let none = Stored { ty: constant.ty, constants: 0, elements: 0, bytes: 0 };
        let stored = self.by_type.entry(constant.ty).or_insert(none);
        stored.constants += 1;
        if !self.seen.insert((constant.offset, constant.size)) {
            return;
        }
        stored.elements = stored.elements.saturating_add(constant.elements().unwrap_or_default());
        stored.bytes = stored.bytes.saturating_add(constant.size);
        if self.largest.is_none_or(|(_, most)| constant.size > most) {
            self.largest = Some((id, constant.size));
        }
    }
}
