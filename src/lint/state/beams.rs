//! Variables of language models in beam search: an input `beam_idx` selects the past of each beam from them.

use super::{Access, State};
use crate::arrange::Fill;
use crate::diagnostic::{Diagnostic, Group, Rule, Severity};
use crate::infer::Facts;
use crate::ir::{Graph, Layer, LayerId, OutputRef, Port, Role, Step, find_attribute, name_list};
use crate::lint::Checked;
use crate::ops::Action;
use crate::source::Source;
use crate::text::counted;
use std::collections::BTreeSet;

pub(crate) static STATE_WITHOUT_BEAMS: Rule = Rule::error(
    Group::Graph,
    "state-without-beams",
    "beam search does not reorder a variable of a language model",
    "In beam search, the input `beam_idx` names the beam that each text continues, and a Gather selects the past of that \
     beam from each variable. Here, a variable has a batch axis and changes with each token, but no Gather selects from \
     it by `beam_idx`: texts continue with the state of other beams. Greedy search is not affected. Exports of Mamba, \
     LFM2 and Qwen3-Next by optimum-intel before 2.0 are like this.\n\n\
     Export the model again with optimum-intel 2.0 or newer, or use greedy search.",
)
.accepted(Severity::Warning);

/// The input that selects beams.
const BEAM: &str = "beam_idx";

/// The least rank of a variable that has features for each beam.
const RANK: usize = 3;

/// The maximum number of layers between a variable and a layer that selects from it or writes it.
const NEAR: usize = 8;

/// The model with the input that selects beams.
struct Search<'a> {
    graph: &'a Graph,
    facts: &'a Facts,
    source: &'a Source,
}

/// Returns the layers from which a Gather selects by `beam_idx`; `None` without such an input.
pub(crate) fn selected(graph: &Graph, facts: &Facts, source: &Source) -> Option<BTreeSet<LayerId>> {
    let search = Search { graph, facts, source };
    let (beam, _) = graph.entries().find(|(_, layer)| search.is_beam(layer))?;
    Some(search.selected(beam))
}

fn input(graph: &Graph, layer: &Layer, at: usize) -> Option<OutputRef> {
    graph.inputs(layer).get(at)?.source()
}

impl Search<'_> {
    fn is_beam(&self, layer: &Layer) -> bool {
        let is_input = self.graph.kind(layer).role == Role::Parameter;
        let port = self.graph.outputs(layer).first().filter(|_| is_input);
        port.is_some_and(|port| name_list(self.source, port.tag, "names").iter().any(|name| name == BEAM))
    }

    /// Returns the layers from which a Gather selects by `beam`.
    fn selected(&self, beam: LayerId) -> BTreeSet<LayerId> {
        let (mut found, mut open, mut seen) = (BTreeSet::new(), vec![beam], BTreeSet::new());
        while let Some(id) = open.pop() {
            for next in self.graph.dag.neighbors(id.node()).map(LayerId::from) {
                let Some(layer) = self.graph.layer(next).filter(|_| self.facts.is_reachable(next)) else { continue };
                let indices = input(self.graph, layer, 1);
                match self.graph.kind(layer).action() {
                    Action::Gathers if self.origin(indices) == Some(beam) => {
                        found.extend(self.origin(input(self.graph, layer, 0)));
                    }
                    action if is_passed(action) && seen.insert(next) => open.push(next),
                    _ => {}
                }
            }
        }
        found
    }

    /// Returns the layer behind a tensor, past layers that move or convert elements.
    fn origin(&self, from: Option<OutputRef>) -> Option<LayerId> {
        let mut id = from?.layer;
        for _ in 0..NEAR {
            let layer = self.graph.layer(id)?;
            if !is_passed(self.graph.kind(layer).action()) {
                break;
            }
            id = input(self.graph, layer, 0)?.layer;
        }
        Some(id)
    }

    /// Whether the first axis of a variable is open, and its initial value takes its shape from an input.
    fn has_batch(&self, id: LayerId, layer: &Layer) -> bool {
        let dims = self.facts.outputs(id).first().and_then(|fact| fact.shape.dims());
        let is_open =
            dims.is_some_and(|dims| dims.len() >= RANK && dims.first().is_some_and(|dim| dim.length().is_none()));
        let Some(start) = self.graph.inputs(layer).first().and_then(Port::source).filter(|_| is_open) else {
            return false;
        };
        let mut inputs = 0_usize;
        let step = |layer: &Layer| {
            let is_input = self.graph.kind(layer).role == Role::Parameter;
            inputs += usize::from(is_input);
            Some(if is_input { Step::Stop } else { Step::Follow })
        };
        self.graph.walk_upstream(start, step).is_some() && inputs > 0
    }
}

/// Whether a layer moves or converts elements, so that the search goes past it.
fn is_passed(action: Action) -> bool {
    matches!(action, Action::Converts | Action::Reshapes | Action::Permutes)
}

/// Returns the finding about the variables from which `beam_idx` does not select, at the first of them. A variable that nothing
/// changes, or that is the same for all beams, needs no selection.
pub(super) fn left(checked: &Checked, state: &State) -> Option<Diagnostic> {
    let (graph, facts, source) = (checked.scope.graph, checked.facts, checked.scope.source);
    let selected = selected(graph, facts, source)?;
    let others: Vec<&Access> = state.reads.iter().filter(|read| !selected.contains(&read.index)).collect();
    if others.is_empty() {
        return None;
    }
    let search = Search { graph, facts, source };
    let written: BTreeSet<&str> = state.writes.iter().map(|write| write.id.as_str()).into_set();
    let origin = |write: &Access| search.origin(input(graph, graph.layer(write.index)?, 0));
    let kept: BTreeSet<LayerId> = state.writes.iter().filter_map(origin).into_set();
    let is_left = |read: &&Access| {
        let changes = written.contains(read.id.as_str()) && !kept.contains(&read.index);
        changes && graph.layer(read.index).is_some_and(|layer| search.has_batch(read.index, layer))
    };
    let left: Vec<&Access> = others.into_iter().filter(is_left).collect();
    let (first, rest) = left.split_first()?;
    let (layer, name) = (graph.layer(first.index)?, &first.id);
    let id = find_attribute(source, layer.data, "variable_id")?;
    let message =
        format!("`{BEAM}` does not select from variable `{name}`: beam search continues with the state of other beams");
    let finding = Diagnostic::new(&STATE_WITHOUT_BEAMS, id.whole(), message);
    let finding = checked.scope.about_part(layer, finding).help("export it again with optimum-intel 2.0 or newer");
    Some(if rest.is_empty() {
        finding
    } else {
        finding.note(format!("so it is with {}", counted(rest.len(), "other variable")))
    })
}
