//! The inferred shapes beside the declared ones, for people.

use crate::Model;
use crate::infer::Facts;
use crate::ir::{Graph, Layer, Port, Role};
use crate::ops::Meaning;
use crate::report::escape::line as clean;
use crate::source::Source;
use crate::types::{Dim, Fact};
use std::fmt::Write;

/// What the table shows.
#[derive(Debug, Clone, Default)]
pub struct TableOptions {
    /// Only outputs that differ from what the file declares.
    pub only_mismatch: bool,
    /// Only outputs that are not static.
    pub only_dynamic: bool,
    /// Only layers of these types; empty for all.
    pub types: Vec<String>,
    /// Constants as well.
    pub consts: bool,
}

struct Row {
    line: u32,
    layer: String,
    ty: String,
    output: String,
    inferred: String,
    declared: String,
    from: String,
}

/// The table for a model.
pub fn table(model: &Model, options: &TableOptions) -> String {
    let mut text = String::new();
    let (Some(net), Some(facts)) = (model.net(), model.facts()) else { return text };
    let layers = net.graph.layers.len();
    let name = if net.name.is_empty() { "(no name)".to_owned() } else { shown(&net.name) };
    let _ = writeln!(
        text,
        "{name}  (IR v{})  {layers} layers, {} edges, weights {} B",
        net.version,
        net.graph.dag.edge_count(),
        model.weights().size()
    );
    let mut count = Count::default();
    let mut rows = Vec::new();
    collect(&net.graph, facts, model.source(), "", options, &mut Lines::new(model.source()), &mut rows, &mut count);
    write_rows(&rows, &mut text);
    let _ = writeln!(text, "{} of {} outputs differ from what the file declares", count.different, count.outputs);
    if count.assumed > 0 {
        let _ = writeln!(text, "{} of them are assumed: taken from the file, or resting on such", count.assumed);
    }
    text
}

#[derive(Default)]
struct Count {
    outputs: usize,
    different: usize,
    assumed: usize,
}

#[allow(clippy::too_many_arguments, reason = "a graph, how it is shown and what is gathered")]
fn collect(
    graph: &Graph,
    facts: &Facts,
    source: &Source,
    prefix: &str,
    options: &TableOptions,
    lines: &mut Lines,
    rows: &mut Vec<Row>,
    count: &mut Count,
) {
    for (index, layer) in (0_u32..).zip(&graph.layers) {
        let kind = graph.kind(layer);
        let skipped = kind.role == Role::Result || (kind.role == Role::Const && !options.consts);
        let named = options.types.is_empty() || options.types.iter().any(|ty| ty.eq_ignore_ascii_case(&kind.ty));
        let mut first = true;
        for (i, fact) in facts.outputs(index).iter().enumerate() {
            if skipped {
                break;
            }
            let port = graph.outputs(layer).get(i);
            let different = port.is_some_and(|port| differs(graph, port, fact));
            count.outputs += 1;
            count.different += usize::from(different);
            count.assumed += usize::from(fact.assumed);
            let listed =
                named && (!options.only_mismatch || different) && (!options.only_dynamic || !fact.shape.is_static());
            if !listed {
                continue;
            }
            rows.push(Row {
                line: lines.line(layer.tag.start),
                layer: if first { format!("{prefix}{}", shown(&graph.name(source, layer))) } else { String::new() },
                ty: if first { shown(&kind.ty) } else { String::new() },
                output: port.and_then(|port| port.id).map_or_else(|| format!("({i})"), |id| id.to_string()),
                inferred: format!("{}{}{}", fact.ty, fact.shape, if fact.assumed { " (assumed)" } else { "" }),
                declared: match port {
                    None => "-".to_owned(),
                    Some(port) if different => {
                        format!("{} !", crate::report::bare_fact(&crate::infer::declared(graph, port)))
                    }
                    Some(_) => "=".to_owned(),
                },
                from: if first { origin(graph, facts, source, layer) } else { String::new() },
            });
            first = false;
        }
        for body in layer.subgraph.iter().flat_map(|subgraph| &subgraph.bodies) {
            if let Some(inner) = facts.body(index, body.kind) {
                let prefix = format!("{prefix}{}/{}/", shown(&graph.name(source, layer)), body.kind.name());
                collect(&body.graph, inner, source, &prefix, options, lines, rows, count);
            }
        }
    }
}

/// Whether no tensor can be both; a port without dimensions says nothing.
fn differs(graph: &Graph, port: &Port, fact: &Fact) -> bool {
    let declared = crate::infer::declared(graph, port);
    let types = declared.ty.merge(fact.ty).is_none();
    let shapes = match (declared.shape.dims(), fact.shape.dims()) {
        (Some(a), Some(b)) => a.len() != b.len() || a.iter().zip(b).any(|(a, b)| a != b && *a != Dim::ANY),
        (Some(_), None) => true,
        (None, _) => false,
    };
    types || shapes
}

/// The attributes and the constant inputs that decide the outputs: `axis=1 num_splits=3`.
fn origin(graph: &Graph, facts: &Facts, source: &Source, layer: &Layer) -> String {
    let mut parts = Vec::new();
    if let Meaning::Modelled(spec) = graph.kind(layer).meaning {
        for (i, port) in graph.inputs(layer).iter().enumerate() {
            let value = facts.of_port(port).and_then(|fact| fact.value.as_ref());
            if let (Some(input), Some(value)) = (spec.input(i).filter(|input| input.reads_value), value)
                && value.len() <= 8
            {
                let text = value.to_string();
                let text = if value.lengths().is_empty() { text } else { format!("[{text}]") };
                parts.push(format!("{}={text}", input.name));
            }
        }
    }
    if graph.kind(layer).role != Role::Const {
        for attr in graph.attrs(layer).iter().take(4) {
            let text = |span| shown(&source.text(span));
            let value = text(attr.value);
            let plain = value.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_'));
            let quote = if plain && !value.is_empty() { "" } else { "\"" };
            parts.push(format!("{}={quote}{value}{quote}", text(attr.name)));
        }
    }
    parts.join(" ")
}

fn write_rows(rows: &[Row], text: &mut String) {
    let width = |title: &str, cell: fn(&Row) -> &str, most: usize| {
        rows.iter().map(|row| cell(row).chars().count()).chain([title.len()]).max().unwrap_or(0).min(most)
    };
    let layer = width("layer", |row| &row.layer, 48);
    let ty = width("op", |row| &row.ty, 24);
    let output = width("output", |row| &row.output, 8);
    let inferred = width("inferred", |row| &row.inferred, 40);
    let declared = width("declared", |row| &row.declared, 40);
    let mut line = |cells: [&str; 7]| {
        let [number, name, op, port, found, written, from] = cells;
        let row = format!(
            "{number:>6}  {name:<layer$}  {op:<ty$}  {port:<output$}  {found:<inferred$}  {written:<declared$}  {from}"
        );
        let _ = writeln!(text, "{}", row.trim_end());
    };
    line(["line", "layer", "op", "output", "inferred", "declared", "from"]);
    for row in rows {
        let number = if row.layer.is_empty() { String::new() } else { row.line.to_string() };
        line([&number, &row.layer, &row.ty, &row.output, &row.inferred, &row.declared, &row.from]);
    }
}

/// Line numbers of places asked for in ascending order.
struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u32,
}

impl<'a> Lines<'a> {
    fn new(source: &'a Source) -> Self {
        Self { bytes: source.bytes(), at: 0, line: 1 }
    }

    fn line(&mut self, place: u32) -> u32 {
        let place = (place as usize).min(self.bytes.len());
        if place < self.at {
            (self.at, self.line) = (0, 1);
        }
        let passed = memchr::memchr_iter(b'\n', self.bytes.get(self.at..place).unwrap_or_default()).count();
        self.at = place;
        self.line = self.line.saturating_add(u32::try_from(passed).unwrap_or(u32::MAX));
        self.line
    }
}

/// Text of the model, safe to print.
fn shown(text: &str) -> String {
    clean(text, 200)
}
