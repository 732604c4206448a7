//! The snapshot text of a model: its interface, its states, its constraints, its metadata and its shapes. It does not depend
//! on ids, line numbers or offsets.

mod interface;

use crate::analysis::Model;
use crate::diagnostic::Fnv;
use crate::domain::Names;
use crate::infer::Facts;
use crate::ir::{BodyKind, Graph, Layer, Role};
use crate::query::metadata::{self, Marks};
use crate::query::{named_fact, push_named_fact};
use crate::source::Source;
use crate::text::escape::{line as clean, push_line};
use crate::types::Fact;

/// The start of every snapshot.
pub(super) const NAME: &str = "# ovlint shapes ";

/// The first line of a snapshot.
pub(super) const HEADER: &str = "# ovlint shapes v3\n";

/// The start of a line with a constraint on the inputs.
pub(super) const NEEDS: &str = "needs ";

/// The start of a line with an error for which OpenVINO rejects the file.
pub(super) const FAILS: &str = "fails ";

/// The start of a line with an entry of the metadata.
pub(super) const META: &str = "meta  ";

/// The maximum number of bytes of a line. A longer one is truncated and ends with a digest of the whole.
const LONGEST: usize = 200;

/// The same of a line with metadata: lists of labels and settings are read in full.
const LONGEST_META: usize = 4096;

/// The maximum number of characters of a name or a type.
const SHOWN: usize = 200;

/// Returns the snapshot text of a model.
///
/// It has the metadata of the net, the inputs in their order, the states, the constraints on the dimensions of both, the errors
/// for which OpenVINO rejects the file, one line per layer except constants in topological order, and the outputs in their order. Bodies are indented below their layer.
/// Dimensions are named as `ovlint shapes --symbolic` names them. A new name of a layer changes one line. The numbers in names
/// that exporters generate are replaced by `*`; tensor names stay as they are, as programs ask for them.
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
    fn new<'f>(text: String, facts: impl IntoIterator<Item = &'f Fact>) -> Self {
        let longest = if text.starts_with(META) { LONGEST_META } else { LONGEST };
        let mut text = if text.len() > longest { shortened(&text, longest) } else { text };
        text.truncate(text.trim_end().len());
        text.push('\n');
        let is_declared = facts.into_iter().any(|fact| fact.assumed);
        Self { text, is_declared, may_be_left_out: false }
    }

    /// A line of a snapshot that nothing is known about.
    pub(super) fn of_text(text: &str) -> Self {
        Self { text: text.to_owned(), is_declared: false, may_be_left_out: false }
    }
}

/// The text between a truncated line and its digest.
pub(super) const CUT: &str = " .. #";

/// Truncates a long line behind a dimension, or else in front of all shapes; metadata anywhere.
fn shortened(text: &str, longest: usize) -> String {
    let mut digest = Fnv::default();
    digest.field(0xff, text);
    let room = (0..=longest - CUT.len() - 16).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
    let kept = text.get(..room).unwrap_or_default();
    let is_behind_dim = |end: &usize| {
        let count = |bracket| kept.get(..*end).unwrap_or_default().matches(bracket).count();
        count('(') == count(')') && count('[') > count(']')
    };
    let indent = kept.len() - kept.trim_start().len();
    let dims = || kept.rmatch_indices(", ").map(|(end, _)| end).find(is_behind_dim);
    let end = || dims().or(kept.trim_start().rfind("  ").map(|end| end + indent));
    let end = if text.starts_with(META) { None } else { end() };
    let kept = end.and_then(|end| kept.get(..end)).unwrap_or(kept);
    format!("{kept}{CUT}{:016x}", digest.0)
}

pub(super) fn lines(model: &Model) -> Vec<Line> {
    let again = model.stable();
    let model = again.as_ref().unwrap_or(model);
    let mut lines = vec![Line::of_text(HEADER)];
    if let (Some(net), Some(facts)) = (model.net(), model.facts()) {
        // OpenVINO numbers the models without a name that a process makes.
        let is_numbered = net.name.strip_prefix("Model").is_some_and(|number| number.parse::<u64>().is_ok());
        lines.push(Line::new(format!("model {}", if is_numbered { "Model*".into() } else { shown(&net.name) }), []));
        let names = model.names();
        let writer = Writer { names: names.as_ref(), source: model.source(), marks: Marks::of(model) };
        interface::inputs(model, &writer, &mut lines);
        writer.layers(&net.graph, facts, "", &mut lines);
        interface::outputs(model, &writer, &mut lines);
    }
    lines
}

/// The writer of lines.
pub(super) struct Writer<'a> {
    /// The names of dimensions; `None` without symbolic inference.
    names: Option<&'a Names<'a>>,
    source: &'a Source,
    marks: Marks<'a>,
}

impl Writer<'_> {
    /// Appends the lines of the layers of a graph that are neither constants nor its ends.
    fn layers(&self, graph: &Graph, facts: &Facts, indent: &str, lines: &mut Vec<Line>) {
        for index in facts.plan().inferred().iter().copied() {
            let Some(layer) = graph.layer(index) else { continue };
            let kind = graph.kind(layer);
            if matches!(kind.role, Role::Parameter | Role::Result | Role::Const) {
                continue;
            }
            let found = facts.outputs(index);
            let mut text = String::with_capacity(LONGEST);
            text.extend([indent, "      "]);
            push_line(&mut text, &graph.stable_name(self.source, layer), SHOWN);
            text.push_str("  ");
            push_line(&mut text, &kind.ty, SHOWN);
            text.push_str("  ");
            self.push_outputs(&mut text, found);
            self.push_marks(&mut text, layer);
            lines.push(Line::new(text, found));
            for (body, inner) in facts.bodies(index, layer) {
                lines.push(Line::new(format!("{indent}      {}:", body.kind.name()), []));
                let start = lines.len();
                self.body(&body.graph, inner, &format!("{indent}        "), lines);
                let condition = graph.inputs(layer).first().and_then(|port| facts.of_port(port));
                if matches!(body.kind, BodyKind::Then | BodyKind::Else) && condition.is_some_and(|fact| fact.assumed) {
                    lines.iter_mut().skip(start).for_each(|line| line.may_be_left_out = true);
                }
            }
        }
    }

    /// Appends the lines of a body. Its ends have no tensor names: the layer around it connects them.
    fn body(&self, graph: &Graph, facts: &Facts, indent: &str, lines: &mut Vec<Line>) {
        let name = |layer: &Layer| name(graph, self.source, layer);
        let of_role = |role: Role| graph.entries().filter(move |(_, layer)| graph.kind(layer).role == role);
        for (index, layer) in of_role(Role::Parameter) {
            let facts = facts.outputs(index);
            let mut text = format!("{indent}in    {}  ", name(layer));
            self.push_outputs(&mut text, facts);
            lines.push(Line::new(text, facts));
        }
        self.layers(graph, facts, indent, lines);
        for (_, layer) in of_role(Role::Result) {
            let fact = graph.inputs(layer).first().and_then(|port| facts.of_port(port));
            lines.push(Line::new(format!("{indent}out   {}  {}", name(layer), self.fact(fact)), fact));
        }
    }

    /// Appends the facts of all outputs of a layer; neighbors with the same text share it, as in `:0..2 f32[2]`.
    fn push_outputs(&self, out: &mut String, facts: &[Fact]) {
        if let [only] = facts {
            return push_named_fact(out, self.names, Some(only));
        }
        let texts: Vec<String> = facts.iter().map(|fact| self.fact(Some(fact))).collect();
        let (mut at, mut parts) = (0, Vec::new());
        for run in texts.chunk_by(|a, b| a == b) {
            let (last, text) = (at + run.len() - 1, run.first().map(String::as_str).unwrap_or_default());
            parts.push(if at == last { format!(":{at} {text}") } else { format!(":{at}..{last} {text}") });
            at = last + 1;
        }
        out.push_str(&parts.join("  "));
    }

    fn fact(&self, fact: Option<&Fact>) -> String {
        named_fact(self.names, fact)
    }

    /// Appends what the `<rt_info>` of a layer and of its ports changes about how it runs.
    fn push_marks(&self, out: &mut String, layer: &Layer) {
        for (key, value) in self.marks.of_layer(layer) {
            out.extend(["  ", &metadata::text(&key, &value)]);
        }
    }
}

/// Returns the name of a layer, without generated numbers. Names of inputs stay unless they start with `Parameter`, because
/// they are part of the interface.
pub(super) fn name(graph: &Graph, source: &Source, layer: &Layer) -> String {
    let (name, kind) = (graph.name(source, layer), graph.kind(layer));
    let is_interface = kind.role == Role::Parameter && !name.starts_with(&kind.ty);
    if is_interface { shown(&name) } else { shown(&graph.stable_name(source, layer)) }
}

/// Escapes text from the model, so that it is safe to print.
pub(super) fn shown(text: &str) -> String {
    clean(text, SHOWN)
}
