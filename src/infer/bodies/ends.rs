//! Lookup of the Parameters and Results of a body by the ids in port maps and back edges.

use crate::arrange::Fill;
use crate::diagnostic::Diagnostic;
use crate::ir::{Body, Id, LayerId, Role};
use std::collections::BTreeMap;

/// The layers of a body by id.
pub(super) struct Ends<'a> {
    pub(super) body: &'a Body,
    by_id: BTreeMap<u64, LayerId>,
    /// The ids of the Parameters, and below those of the Results, as messages list them.
    parameters: String,
    results: String,
}

/// The maximum number of ids in a message.
const SHOWN: usize = 8;

impl<'a> Ends<'a> {
    pub(super) fn of(body: &'a Body) -> Self {
        let layers = body.graph.entries();
        let by_id = layers.filter_map(|(index, layer)| Some((layer.id?.get(), index))).into_map();
        let mut ends = Self { body, by_id, parameters: String::new(), results: String::new() };
        (ends.parameters, ends.results) = (ends.listed(Role::Parameter), ends.listed(Role::Result));
        ends
    }

    /// Finds the layer with an id, if it has that role.
    pub(super) fn find(&self, id: u64, role: Role) -> Option<LayerId> {
        self.by_id.get(&id).copied().filter(|index| self.has_role(*index, role))
    }

    /// Iterates over all layers of a role.
    pub(super) fn of_role(&self, role: Role) -> impl Iterator<Item = LayerId> {
        self.by_id.values().copied().filter(move |index| self.has_role(*index, role))
    }

    fn has_role(&self, index: LayerId, role: Role) -> bool {
        self.body.graph.layer(index).is_some_and(|layer| self.body.graph.kind(layer).role == role)
    }

    fn listed(&self, role: Role) -> String {
        let mut ids = self.of_role(role).filter_map(|index| self.body.graph.layer(index)?.id).map(Id::get);
        let shown: Vec<String> = ids.by_ref().take(SHOWN).map(|id| id.to_string()).collect();
        let more = if ids.next().is_some() { ", ..." } else { "" };
        match shown.len() {
            0 => format!("the body has no {role:?}"),
            _ => format!("{role:?} layers of the body: {}{more}", shown.join(", ")),
        }
    }

    /// Adds to a finding the layer that has the id but not the role, and the ids that would be correct.
    pub(super) fn explain(&self, finding: Diagnostic, id: u64, role: Role) -> Diagnostic {
        let finding = match self.by_id.get(&id).and_then(|index| self.body.graph.layer(*index)) {
            Some(layer) => {
                finding.label(layer.tag, format!("layer {id} is of type {}", self.body.graph.kind(layer).ty))
            }
            None => finding.primary(format!("the body has no layer {id}")),
        };
        finding.help(if role == Role::Parameter { self.parameters.as_str() } else { self.results.as_str() })
    }
}
