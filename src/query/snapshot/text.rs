//! The snapshot text of a model. It depends on shapes, but not on ids, line numbers or offsets.

mod order;

use crate::analysis::Model;
use crate::infer::Facts;
use crate::ir::{BodyKind, Graph, Layer, Role};
use crate::source::Source;
use crate::text::escape::line as clean;
use crate::text::stable_name;
use crate::types::{Fact, bare_fact};

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
    lines(model).into_iter().map(|line| line.text).collect()
}

/// A line of a snapshot, with its line break.
pub(super) struct Line {
    pub(super) text: String,
    /// Set if its shapes depend on declared ports.
    pub(super) is_declared: bool,
    /// Set if it is in a branch of which only a condition that cannot be read says whether it runs. Inference leaves out a
    /// branch that never runs.
    pub(super) may_be_left_out: bool,
}

impl Line {
    fn new<'f>(text: &str, facts: impl IntoIterator<Item = &'f Fact>) -> Self {
        let is_declared = facts.into_iter().any(|fact| fact.assumed);
        Self { text: format!("{}\n", text.trim_end()), is_declared, may_be_left_out: false }
    }
}

/// Returns the snapshot text of a model by lines.
pub(super) fn lines(model: &Model) -> Vec<Line> {
    let mut lines = vec![Line::new(HEADER, [])];
    if let (Some(net), Some(facts)) = (model.net(), model.facts()) {
        lines.push(Line::new(&format!("model {}", shown(&net.name)), []));
        graph(&net.graph, facts, model.source(), "", &mut lines);
    }
    lines
}

fn graph(graph: &Graph, facts: &Facts, source: &Source, indent: &str, lines: &mut Vec<Line>) {
    let name = |layer: &Layer| name(graph, source, layer);
    let of_role = |role: Role| graph.entries().filter(move |(_, layer)| graph.kind(layer).role == role);
    for (index, layer) in of_role(Role::Parameter) {
        let facts = facts.outputs(index);
        lines.push(Line::new(&format!("{indent}in   {}  {}", name(layer), outputs(facts)), facts));
    }
    for index in order::of(graph, facts, source) {
        let Some(layer) = graph.layer(index) else { continue };
        let (ty, found) = (shown(&graph.kind(layer).ty), facts.outputs(index));
        lines.push(Line::new(&format!("{indent}     {}  {ty}  {}", name(layer), outputs(found)), found));
        for (body, inner) in facts.bodies(index, layer) {
            lines.push(Line::new(&format!("{indent}     {}:", body.kind.name()), []));
            let start = lines.len();
            self::graph(&body.graph, inner, source, &format!("{indent}       "), lines);
            let condition = graph.inputs(layer).first().and_then(|port| facts.of_port(port));
            if matches!(body.kind, BodyKind::Then | BodyKind::Else) && condition.is_some_and(|fact| fact.assumed) {
                lines.iter_mut().skip(start).for_each(|line| line.may_be_left_out = true);
            }
        }
    }
    for (_, layer) in of_role(Role::Result) {
        let fact = graph.inputs(layer).first().and_then(|port| facts.of_port(port));
        let taken = fact.map_or_else(|| "not connected".to_owned(), bare_fact);
        lines.push(Line::new(&format!("{indent}out  {}  {taken}", name(layer)), fact));
    }
}

/// Returns the name of a layer, without generated numbers. Names of inputs stay unless they start with `Parameter`, because
/// they are part of the interface.
pub(super) fn name(graph: &Graph, source: &Source, layer: &Layer) -> String {
    let (name, kind) = (graph.name(source, layer), graph.kind(layer));
    let is_interface = kind.role == Role::Parameter && !name.starts_with(&kind.ty);
    if is_interface { shown(&name) } else { shown(&stable_name(&name, &kind.ty)) }
}

pub(super) fn outputs(facts: &[Fact]) -> String {
    match facts {
        [only] => bare_fact(only),
        _ => {
            facts.iter().enumerate().map(|(i, fact)| format!(":{i} {}", bare_fact(fact))).collect::<Vec<_>>().join("  ")
        }
    }
}

/// Escapes text from the model, so that it is safe to print.
pub(super) fn shown(text: &str) -> String {
    clean(text, 200)
}
