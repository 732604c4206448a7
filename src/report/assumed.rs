//! The layers whose outputs are taken from what the file declares.

use super::{Summary, bare_fact, escape, path_text, plural};
use crate::check::rules::EXTENSION_REQUIRED;
use crate::infer::Facts;
use crate::ir::{Graph, Kind, Layer};
use crate::model::Model;
use crate::ops::Meaning;
use crate::source::Lines;
use std::fmt::Write;
use std::path::Path;

const NAME: usize = 60;

/// One line per such layer: line of the file, name, type and version, outputs. Empty if every output is inferred.
pub fn render(path: &Path, model: &Model) -> String {
    let lines = Lines::new(model.source());
    let mut rows = String::new();
    let mut count = 0;
    visit(model, &mut |_| true, &mut |graph, facts, index, layer| {
        if !facts.is_assumed(index) {
            return;
        }
        count += 1;
        let kind = graph.kind(layer);
        let name = escape::line(&graph.name(model.source(), layer), NAME);
        let ty = escape::line(&format!("{} ({})", kind.ty, kind.version), NAME);
        let outputs: Vec<String> = facts.outputs(index).iter().take(8).map(bare_fact).collect();
        let line = lines.position(layer.tag.start).line;
        let _ = writeln!(rows, "{line:>6}  {name}  {ty}  {}", outputs.join(" "));
    });
    if count == 0 {
        return rows;
    }
    let path = escape::line(&path_text(path), usize::MAX);
    format!("{path}: outputs of {count} layer{} taken from the file\n{rows}\n", plural(count))
}

/// Counts the layers of operations that need an extension library.
pub fn count(model: &Model, summary: &mut Summary) {
    if !model.findings().iter().any(|finding| finding.rule == &EXTENSION_REQUIRED) {
        return; // Every such operation has a finding, and most files have none.
    }
    visit(model, &mut |graph| graph.kinds.iter().any(|kind| library(kind).is_some()), &mut |graph, _, _, layer| {
        if let Some(library) = library(graph.kind(layer)) {
            summary.assumed_layers += 1;
            if !summary.assumed_opsets.contains(library) {
                summary.assumed_opsets.insert(library.to_owned());
            }
        }
    });
}

/// The extension library that an operation needs, or the label of its version where the library is not known.
fn library(kind: &Kind) -> Option<&str> {
    match kind.meaning {
        Meaning::Extension { library } => Some(library.unwrap_or(&kind.version)),
        _ => None,
    }
}

/// Calls `take` for every layer of the graphs that `wants` picks, bodies included.
fn visit(model: &Model, wants: &mut dyn FnMut(&Graph) -> bool, take: &mut dyn FnMut(&Graph, &Facts, u32, &Layer)) {
    if let (Some(net), Some(facts)) = (model.net(), model.facts()) {
        visit_graph(&net.graph, facts, wants, take);
    }
}

fn visit_graph(
    graph: &Graph,
    facts: &Facts,
    wants: &mut dyn FnMut(&Graph) -> bool,
    take: &mut dyn FnMut(&Graph, &Facts, u32, &Layer),
) {
    let wanted = wants(graph);
    for (index, layer) in (0_u32..).zip(&graph.layers) {
        if wanted {
            take(graph, facts, index, layer);
        }
        for body in layer.subgraph.iter().flat_map(|subgraph| &subgraph.bodies) {
            if let Some(facts) = facts.body(index, body.kind) {
                visit_graph(&body.graph, facts, wants, take);
            }
        }
    }
}
