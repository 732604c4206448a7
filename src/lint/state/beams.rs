//! Variables of language models in beam search: an input `beam_idx` selects the past of each beam from them.

use crate::diagnostic::{Diagnostic, Group, Rule, Severity};
use crate::infer::Facts;
use crate::ir::{Graph, Layer, LayerId, OutputRef, Port, Role, Step, find_attribute, name_list, unescape};
use crate::lint::Checked;
use crate::ops::Action;
use crate::source::Source;
use crate::text::counted;
use std::borrow::Cow;
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

/// A layer that reads a variable.
pub(crate) struct Reader {
    pub layer: LayerId,
    /// Whether `beam_idx` selects from the variable.
    pub is_selected: bool,
    /// Whether it is neither selected, nor constant, nor the same for all beams.
    pub is_left: bool,
}

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

/// Returns the readers of variables in a model with `beam_idx`; `None` without such an input.
pub(crate) fn readers(graph: &Graph, facts: &Facts, source: &Source) -> Option<Vec<Reader>> {
    let search = Search { graph, facts, source };
    let (beam, _) = graph.entries().find(|(_, layer)| search.is_beam(layer))?;
    let (mut selected, mut written, mut kept) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut reads = Vec::new();
    for (id, layer) in graph.entries() {
        let input = |at: usize| graph.inputs(layer).get(at)?.source();
        match graph.kind(layer).action() {
            _ if !facts.is_reachable(id) => {}
            Action::Reads => reads.push((id, layer)),
            Action::Gathers if search.origin(input(1)) == Some(beam) => selected.extend(search.origin(input(0))),
            Action::Writes => {
                written.insert(search.variable(layer));
                kept.extend(search.origin(input(0)));
            }
            _ => {}
        }
    }
    let reader = |(id, layer)| {
        let is_selected = selected.contains(&id);
        let changes = written.contains(&search.variable(layer)) && !kept.contains(&id);
        Reader { layer: id, is_selected, is_left: !is_selected && changes && search.has_batch(id, layer) }
    };
    Some(reads.into_iter().map(reader).collect())
}

impl<'a> Search<'a> {
    fn is_beam(&self, layer: &Layer) -> bool {
        let is_input = self.graph.kind(layer).role == Role::Parameter;
        let port = self.graph.outputs(layer).first().filter(|_| is_input);
        port.is_some_and(|port| name_list(self.source, port.tag, "names").iter().any(|name| name == BEAM))
    }

    fn variable(&self, layer: &Layer) -> Option<Cow<'a, str>> {
        Some(unescape(self.source.slice(find_attribute(self.source, layer.data, "variable_id")?.value)))
    }

    /// Returns the layer behind a tensor, past layers that move or convert elements.
    fn origin(&self, from: Option<OutputRef>) -> Option<LayerId> {
        let mut id = from?.layer;
        for _ in 0..NEAR {
            let layer = self.graph.layer(id)?;
            match self.graph.kind(layer).action() {
                Action::Converts | Action::Reshapes | Action::Permutes => {
                    id = self.graph.inputs(layer).first()?.source()?.layer;
                }
                _ => break,
            }
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

/// Returns the finding about the variables from which `beam_idx` does not select, at the first of them.
pub(super) fn left(checked: &Checked) -> Option<Diagnostic> {
    let graph = checked.scope.graph;
    let readers = readers(graph, checked.facts, checked.scope.source)?;
    let left: Vec<&Layer> = readers.iter().filter(|one| one.is_left).filter_map(|one| graph.layer(one.layer)).collect();
    let (first, rest) = left.split_first()?;
    let id = find_attribute(checked.scope.source, first.data, "variable_id")?;
    let name = unescape(checked.scope.source.slice(id.value));
    let message =
        format!("`{BEAM}` does not select from variable `{name}`: beam search continues with the state of other beams");
    let finding = Diagnostic::new(&STATE_WITHOUT_BEAMS, id.whole(), message);
    let finding = checked.scope.about_part(first, finding).help("export it again with optimum-intel 2.0 or newer");
    Some(if rest.is_empty() {
        finding
    } else {
        finding.note(format!("so it is with {}", counted(rest.len(), "other variable")))
    })
}
