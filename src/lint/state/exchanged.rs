//! Writers of states that are exchanged: each writes what comes of the other's variable.

use super::{State, about};
use crate::diagnostic::{Diagnostic, Runtime, Severity};
use crate::ir::{Graph, LayerId, Port};
use crate::lint::Checked;
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of producers of a writer in which its reader is searched.
const NEAR: usize = 64;

/// The least number of other variables that are written from themselves: in such a model, two that are not are a mistake.
const OTHERS: usize = 2;

/// Returns the finding for the only pair of exchanged writers, at the first one.
pub(super) fn exchanged(checked: &Checked, state: &State) -> Option<Diagnostic> {
    let graph = checked.scope.graph;
    let readers: BTreeMap<LayerId, &str> = state.reads.iter().map(|read| (read.index, read.id.as_str())).collect();
    let from: Option<BTreeMap<&str, (&str, LayerId)>> = state
        .writes
        .iter()
        .map(|write| Some((write.id.as_str(), (nearest(graph, write.index, &readers)?, write.index))))
        .collect();
    let from = from.filter(|from| from.len() == state.writes.len() && from.len() >= 2 + OTHERS)?;
    let mut crossed = from.iter().filter(|(id, (source, _))| *id != source);
    let ((id, (source, write)), (other_id, (back, other)), None) = (crossed.next()?, crossed.next()?, crossed.next())
    else {
        return None;
    };
    if (back, source) != (id, other_id) {
        return None;
    }
    let [layer, other] = [graph.layer(*write)?, graph.layer(*other)?];
    let message = format!("variable `{id}` is written from `{source}`, and `{source}` from `{id}`");
    let finding = about(checked, layer, message).severity(Severity::Warning).runtime(Runtime::Accepts);
    let finding = finding.label(other.tag, format!("this one writes `{source}`"));
    Some(finding.note("every other variable is written from itself").help("are the two exchanged?"))
}

/// Returns the variable whose reader is nearest to a writer; `None` if there are several, or none near.
fn nearest<'a>(graph: &Graph, writer: LayerId, readers: &BTreeMap<LayerId, &'a str>) -> Option<&'a str> {
    let (mut seen, mut level) = (BTreeSet::from([writer]), vec![writer]);
    while !level.is_empty() && seen.len() <= NEAR {
        let found: BTreeSet<&str> = level.iter().filter_map(|index| readers.get(index).copied()).collect();
        if !found.is_empty() {
            return found.first().copied().filter(|_| found.len() == 1);
        }
        let layers = level.iter().filter_map(|index| graph.layer(*index));
        let sources = layers.flat_map(|layer| graph.inputs(layer)).filter_map(Port::source).map(|from| from.layer);
        level = sources.filter(|source| seen.insert(*source)).collect();
    }
    None
}
