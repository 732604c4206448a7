//! The finding about an input port with several edges.

use super::{EdgeReporter, SHOWN_EDGES};
use crate::arrange::Fill;
use crate::diagnostic::{Diagnostic, Direction, Refusal};
use crate::ir::rules::INPUT_CONNECTED_TWICE;
use crate::ir::{Id, LayerId, Role};
use crate::source::Span;
use petgraph::graph::NodeIndex;
use petgraph::visit::{Dfs, Reversed, VisitMap, Visitable};
use std::collections::{BTreeMap, BTreeSet};

impl EdgeReporter<'_, '_> {
    /// Reports each input port with several edges once.
    pub(super) fn connected_again(&mut self) {
        let further = std::mem::take(&mut self.further);
        if further.is_empty() {
            return;
        }
        let is_sole = further.len() == 1;
        let mut first: BTreeMap<(LayerId, u32), (LayerId, Span)> = BTreeMap::new();
        for edge in self.graph.dag.raw_edges() {
            let key = (LayerId::from(edge.target()), edge.weight.input);
            if further.contains_key(&key) {
                first.insert(key, (LayerId::from(edge.source()), edge.weight.tag));
            }
        }
        for ((at, input), edges) in further {
            let (Some(layer), Some(((from, second), others))) = (self.graph.layer(at), edges.split_first()) else {
                continue;
            };
            let giver = |from: &LayerId| {
                let giver = self.graph.layer(*from);
                giver.map(|giver| format!("from `{}`", self.graph.name(self.source, giver))).unwrap_or_default()
            };
            let port = self.graph.port_ref(self.source, layer, Direction::Input, input as usize);
            let (name, ty) = (self.graph.name(self.source, layer), &self.graph.kind(layer).ty);
            let count = if others.is_empty() { "two".to_owned() } else { (edges.len() + 1).to_string() };
            let message = format!("input port {} of `{name}` ({ty}) has {count} incoming edges", port.id);
            let mut finding = Diagnostic::new(&INPUT_CONNECTED_TWICE, *second, message).primary(giver(from));
            for (from, tag) in first.get(&(at, input)).into_iter().chain(others).take(SHOWN_EDGES) {
                finding = finding.label(*tag, giver(from));
            }
            let ids: BTreeSet<Option<Id>> = self.graph.inputs(layer).iter().map(|port| port.id).into_set();
            if is_sole && ids.len() == self.graph.inputs(layer).len() && self.are_built_before(at, &edges) {
                finding = finding.refused(Refusal::InputTaken(ids.len()));
            }
            self.sink.report(finding.layer(self.graph.layer_ref(self.source, layer)).port(port));
        }
    }

    /// Whether OpenVINO builds the sources of these edges before the layer in any case. Otherwise it may stop earlier: at a
    /// cycle, or at a fault in a layer that only these edges make it build.
    fn are_built_before(&self, at: LayerId, edges: &[(LayerId, Span)]) -> bool {
        let graph = &*self.graph;
        let of_role = |role: Role| {
            graph.entries().filter(move |(_, layer)| graph.kind(layer).role == role).map(|(id, _)| id.node())
        };
        let mut behind = Dfs::new(&graph.dag, at.node());
        while behind.next(&graph.dag).is_some() {}
        let inputs: BTreeSet<NodeIndex> = of_role(Role::Parameter).into_set();
        let mut built = Dfs::from_parts(of_role(Role::Result).collect(), graph.dag.visit_map());
        while built.next(Reversed(&graph.dag)).is_some() {}
        edges.iter().map(|(from, _)| from.node()).all(|from| {
            !behind.discovered.is_visited(&from) && (built.discovered.is_visited(&from) || inputs.contains(&from))
        })
    }
}
