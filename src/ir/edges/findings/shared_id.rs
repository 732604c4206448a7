//! The finding about layers that share an id: OpenVINO keeps the last one.

use super::EdgeReporter;
use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix, Runtime};
use crate::ir::edges::resolve::Ids;
use crate::ir::rules::DUPLICATE_LAYER_ID;
use crate::ir::xml::attributes::find_attribute;
use crate::ir::{Graph, Id, LayerId, Role};

/// Returns the layers whose id a later layer has too, each with that layer.
pub(super) fn lost_layers(graph: &Graph, ids: &Ids) -> Vec<(LayerId, LayerId)> {
    let with_ids = graph.entries().filter_map(|(i, layer)| Some((i, ids.find(layer.id?.get())?)));
    with_ids.filter(|(i, last)| i != last).collect()
}

impl EdgeReporter<'_, '_> {
    /// Reports a layer whose id a later layer, `kept`, has too.
    pub(super) fn shared_id(&mut self, lost: LayerId, kept: LayerId) {
        let (Some(first), Some(keeper)) = (self.graph.layer(lost), self.graph.layer(kept)) else { return };
        let name = |layer| self.graph.name(self.source, layer);
        let id = keeper.id.map(Id::get).unwrap_or_default();
        let message = format!("layer id {id} is used by `{}` and `{}`", name(first), name(keeper));
        let mut finding = Diagnostic::new(&DUPLICATE_LAYER_ID, keeper.tag, message)
            .layer(self.graph.layer_ref(self.source, keeper))
            .label(first.tag, "this layer is dropped")
            .note("OpenVINO keeps the later layer, so edges meant for the earlier one connect to it");
        if !self.missing_layers.is_empty() {
            let ids: Vec<String> = self.missing_layers.iter().take(8).map(u64::to_string).collect();
            let note = format!(
                "edges refer to layer {}, which does not exist; is one of these two layers meant?",
                ids.join(", ")
            );
            finding = finding.note(note);
        }
        if let (Some(missing), 1) = (self.missing_layers.first(), self.missing_layers.len()) {
            let meant = if *missing < id { first } else { keeper };
            finding.fix = find_attribute(self.source, meant.tag, "id").map(|id| Fix {
                applicability: Applicability::Unsafe,
                message: format!("change the id of `{}` to {missing}", name(meant)).into(),
                edits: vec![Edit { span: id.value, text: missing.to_string() }],
            });
        }
        // OpenVINO ignores edges from known layers to unknown ones.
        let is_open = self.graph.inputs(keeper).iter().any(|port| port.source().is_none());
        let is_own = is_open || self.misdirected.contains(&kept);
        let is_built = is_own.then_some(keeper.tag);
        finding.builds = self.lacks_source.iter().copied().chain(is_built).collect();
        // The operation of the later layer may not fit where the earlier one stood. A Result takes anything.
        let (lost, kept) = (self.graph.kind(first), self.graph.kind(keeper));
        let is_alike = lost.ty == kept.ty || kept.role == Role::Result;
        if !finding.builds.is_empty() {
            finding = finding.runtime(Runtime::Rejects);
        } else if !is_alike {
            finding = finding.runtime(Runtime::Unknown);
        }
        self.sink.report(finding);
    }
}
