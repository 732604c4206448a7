//! The snapshot text of a model. It depends on shapes, but not on ids, line numbers or offsets.

mod order;

use crate::analysis::Model;
use crate::infer::Facts;
use crate::ir::{Graph, Layer, Role};
use crate::source::Source;
use crate::text::escape::line as clean;
use crate::text::stable_name;
use crate::types::Fact;
use std::fmt::Write;

/// The start of every snapshot.
pub(super) const NAME: &str = "# ovlint shapes ";

/// The first line of a snapshot.
pub(super) const HEADER: &str = "# ovlint shapes v2\n";

/// Returns the snapshot text of a model.
///
/// It has one line per layer except constants: inputs in their order, then other layers in topological order, then outputs in
/// their order. Bodies are indented below their layer. Lines do not refer to each other, so a new name changes one line. The
/// numbers in names that exporters generate are replaced by `*`.
pub fn snapshot(model: &Model) -> String {
    let mut text = String::from(HEADER);
    let (Some(net), Some(facts)) = (model.net(), model.facts()) else { return text };
    let _ = writeln!(text, "model {}", shown(&net.name));
    graph(&net.graph, facts, model.source(), "", &mut text);
    text
}

fn graph(graph: &Graph, facts: &Facts, source: &Source, indent: &str, text: &mut String) {
    let name = |layer: &Layer| name(graph, source, layer);
    let of_role = |role: Role| graph.entries().filter(move |(_, layer)| graph.kind(layer).role == role);
    for (index, layer) in of_role(Role::Parameter) {
        let _ = writeln!(text, "{indent}in   {}  {}", name(layer), outputs(facts.outputs(index)));
    }
    for index in order::of(graph, facts, source) {
        let Some(layer) = graph.layer(index) else { continue };
        let line = format!(
            "{indent}     {}  {}  {}",
            name(layer),
            shown(&graph.kind(layer).ty),
            outputs(facts.outputs(index))
        );
        let _ = writeln!(text, "{}", line.trim_end());
        for (body, inner) in facts.bodies(index, layer) {
            let _ = writeln!(text, "{indent}     {}:", body.kind.name());
            self::graph(&body.graph, inner, source, &format!("{indent}       "), text);
        }
    }
    for (_, layer) in of_role(Role::Result) {
        let fact = graph.inputs(layer).first().and_then(|port| facts.of_port(port));
        let taken = fact.map_or_else(|| "not connected".to_owned(), show);
        let _ = writeln!(text, "{indent}out  {}  {taken}", name(layer));
    }
}

/// Returns the name of a layer, without generated numbers. Names of inputs stay unless they start with `Parameter`, because
/// they are part of the interface.
pub(super) fn name(graph: &Graph, source: &Source, layer: &Layer) -> String {
    let (name, kind) = (graph.name(source, layer), graph.kind(layer));
    let is_interface = kind.role == Role::Parameter && !name.starts_with(&kind.ty);
    if is_interface { shown(&name) } else { shown(&stable_name(&name, &kind.ty)) }
}

pub(super) fn show(fact: &Fact) -> String {
    format!("{}{}{}", fact.ty, fact.shape, if fact.assumed { " (assumed)" } else { "" })
}

pub(super) fn outputs(facts: &[Fact]) -> String {
    match facts {
        [only] => show(only),
        _ => facts.iter().enumerate().map(|(i, fact)| format!(":{i} {}", show(fact))).collect::<Vec<_>>().join("  "),
    }
}

/// Escapes text from the model, so that it is safe to print.
pub(super) fn shown(text: &str) -> String {
    clean(text, 200)
}
