//! Writers of states that are exchanged: each writes what comes of the other's variable.

use super::{Access, State, about};
use crate::diagnostic::{Diagnostic, Runtime, Severity};
use crate::ir::{Graph, LayerId, Port};
use crate::lint::Checked;
use smallvec::{SmallVec, smallvec};

/// The maximum number of producers of a writer in which its reader is searched.
const NEAR: usize = 64;

/// The least number of other variables that are written from themselves: in such a model, two that are not are a mistake.
const OTHERS: usize = 2;

/// Returns the finding for the only pair of exchanged writers, at the first one.
pub(super) fn exchanged(checked: &Checked, state: &State) -> Option<Diagnostic> {
    if state.writes.len() < 2 + OTHERS {
        return None;
    }
    let graph = checked.scope.graph;
    let mut crossed = Vec::new();
    for write in &state.writes {
        if first(graph, write.index, &state.reads) == Some(&write.id) {
            continue;
        }
        let source = nearest(graph, write.index, &state.reads)?;
        if source != write.id {
            crossed.push((write, source));
        }
        if crossed.len() > 2 {
            return None;
        }
    }
    let [(first, source), (other, back)] = crossed.as_slice() else { return None };
    if *source != other.id || *back != first.id {
        return None;
    }
    let (layer, other) = (graph.layer(first.index)?, graph.layer(other.index)?);
    let message = format!("variable `{back}` is written from `{source}`, and `{source}` from `{back}`");
    let finding = about(checked, layer, message).severity(Severity::Warning).runtime(Runtime::Accepts);
    let finding = finding.label(other.tag, format!("this one writes `{source}`"));
    Some(finding.note("every other variable is written from itself").help("are the two exchanged?"))
}

/// Returns the variable whose reader is met first along first inputs, which a past usually is.
fn first<'a>(graph: &Graph, writer: LayerId, readers: &'a [Access]) -> Option<&'a str> {
    let mut index = writer;
    for _ in 0..STEPS {
        index = graph.inputs(graph.layer(index)?).first()?.source()?.layer;
        if let Some(variable) = reader(readers, index) {
            return Some(variable);
        }
    }
    None
}

/// The maximum number of layers between a writer and its reader along first inputs.
const STEPS: usize = 4;

/// Returns the variable whose reader is nearest to a writer; `None` if there are several, or none near.
fn nearest<'a>(graph: &Graph, writer: LayerId, readers: &'a [Access]) -> Option<&'a str> {
    let mut seen: SmallVec<[LayerId; NEAR]> = smallvec![writer];
    let mut start = 0;
    while start < seen.len() && seen.len() <= NEAR {
        let level = seen.get(start..)?;
        let mut found = level.iter().filter_map(|index| reader(readers, *index));
        if let Some(first) = found.next() {
            return found.all(|other| other == first).then_some(first);
        }
        let next = seen.len();
        for at in start..next {
            let Some(layer) = graph.layer(*seen.get(at)?) else { continue };
            for source in graph.inputs(layer).iter().filter_map(Port::source) {
                if !seen.contains(&source.layer) {
                    seen.push(source.layer);
                }
            }
        }
        start = next;
    }
    None
}

/// Returns the variable that a layer reads; readers are in the order of the file.
fn reader(readers: &[Access], index: LayerId) -> Option<&str> {
    let place = readers.binary_search_by_key(&index, |read| read.index).ok()?;
    Some(&readers.get(place)?.id)
}
