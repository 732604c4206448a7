//! The Parameters and Results of a body, found by the ids that port maps and back edges name.

use crate::diagnostic::Diagnostic;
use crate::ir::{Body, Id, LayerId, Role};
use std::collections::BTreeMap;

/// The layers of a body by id.
pub(super) struct Ends<'a> {
    pub(super) body: &'a Body,
    places: BTreeMap<u64, LayerId>,
    /// The ids that messages list.
    parameters: String,
    results: String,
}

/// How many ids a message lists.
const SHOWN: usize = 8;

impl<'a> Ends<'a> {
    pub(super) fn of(body: &'a Body) -> Self {
        let layers = body.graph.entries();
        let places = layers.filter_map(|(place, layer)| Some((layer.id?.get(), place))).collect();
        let mut ends = Self { body, places, parameters: String::new(), results: String::new() };
        (ends.parameters, ends.results) = (ends.listed(Role::Parameter), ends.listed(Role::Result));
        ends
    }

    /// The place of the layer with an id, if it has that role.
    pub(super) fn find(&self, id: u64, role: Role) -> Option<LayerId> {
        self.places.get(&id).copied().filter(|place| self.has_role(*place, role))
    }

    /// The places of all layers of a role.
    pub(super) fn of_role(&self, role: Role) -> impl Iterator<Item = LayerId> {
        self.places.values().copied().filter(move |place| self.has_role(*place, role))
    }

    fn has_role(&self, place: LayerId, role: Role) -> bool {
        self.body.graph.layer(place).is_some_and(|layer| self.body.graph.kind(layer).role == role)
    }

    fn listed(&self, role: Role) -> String {
        let mut ids = self.of_role(role).filter_map(|place| self.body.graph.layer(place)?.id).map(Id::get);
        let shown: Vec<String> = ids.by_ref().take(SHOWN).map(|id| id.to_string()).collect();
        let more = if ids.next().is_some() { ", ..." } else { "" };
        match shown.len() {
            0 => format!("the body has no {role:?}"),
            _ => format!("{role:?} layers of the body: {}{more}", shown.join(", ")),
        }
    }

    /// The finding with what the id stands for instead, and the ids that would do.
    pub(super) fn explain(&self, finding: Diagnostic, id: u64, role: Role) -> Diagnostic {
        let finding = match self.places.get(&id).and_then(|place| self.body.graph.layer(*place)) {
            Some(layer) => {
                finding.label(layer.tag, format!("layer {id} is of type {}", self.body.graph.kind(layer).ty))
            }
            None => finding.primary(format!("the body has no layer {id}")),
        };
        finding.help(if role == Role::Parameter { self.parameters.as_str() } else { self.results.as_str() })
    }
}
