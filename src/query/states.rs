//! The variables that a model reads.

use super::End;
use crate::analysis::Model;
use crate::ir::{find_attribute, unescape};
use crate::ops::Action;
use std::collections::BTreeSet;

/// Returns the variables that any `ReadValue` of the main graph reads, each once, in the order of the file.
pub(crate) fn states(model: &Model) -> Vec<End> {
    let (Some(net), Some(facts)) = (model.net(), model.facts()) else { return Vec::new() };
    let (graph, source) = (&net.graph, model.source());
    let mut states: Vec<End> = Vec::new();
    let mut seen = BTreeSet::new();
    for (index, layer) in graph.entries() {
        if graph.kind(layer).spec().is_none_or(|spec| spec.action != Action::Reads) {
            continue;
        }
        let variable = find_attribute(source, layer.data, "variable_id");
        let name = variable.map(|id| unescape(source.slice(id.value)).into_owned()).unwrap_or_default();
        if seen.insert(name.clone()) {
            let fact = facts.outputs(index).first().cloned();
            states.push(End { layer: name, tensors: Vec::new(), fact, symbolic: None });
        }
    }
    states
}
