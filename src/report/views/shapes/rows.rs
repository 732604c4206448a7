//! The outputs of a model with inferred and declared shapes, as rows for any table format.

use crate::analysis::Model;
use crate::infer::Facts;
use crate::ir::walk::{Place, Visit};
use crate::ir::{Graph, Layer, Port, Role, unescape};
use crate::ops::Meaning;
use crate::source::Lines;
use crate::text::escape::line as clean;
use crate::text::{counted, did_you_mean, nearest};
use crate::types::{Basis, Dim, Fact};

/// The selection of outputs, and the width of the table.
#[derive(Debug, Clone)]
pub struct TableOptions {
    /// Shows only outputs that differ from their declarations.
    pub only_mismatch: bool,
    /// Shows only outputs that are not static.
    pub only_dynamic: bool,
    /// The types of layers to show; empty for all.
    pub types: Vec<String>,
    /// Shows constants as well.
    pub consts: bool,
    /// The width of a table for people.
    pub width: usize,
}

impl Default for TableOptions {
    fn default() -> Self {
        Self { only_mismatch: false, only_dynamic: false, types: Vec::new(), consts: false, width: usize::MAX }
    }
}

/// One output; its texts are safe to print.
pub(super) struct Row {
    pub(super) line: u32,
    pub(super) layer: String,
    pub(super) ty: String,
    /// The id of the port, or its index in brackets.
    pub(super) output: String,
    pub(super) inferred: String,
    pub(super) basis: Basis,
    /// The declaration; `None` if the file has no such port.
    pub(super) declared: Option<String>,
    /// Set if no tensor fits both the inferred and the declared type and shape.
    pub(super) differs: bool,
    /// The attributes and constants that determine the outputs of the layer.
    pub(super) from: String,
    /// Set for the first row of a layer.
    pub(super) is_first: bool,
}

/// Returns a sentence for each of these types that no layer has.
pub fn absent_types(model: &Model, types: &[String]) -> Vec<String> {
    let known = || model.layers().map(|visit| visit.place.graph.kind(visit.layer).ty.as_ref());
    let is_absent = |ty: &&String| !known().any(|known: &str| known.eq_ignore_ascii_case(ty));
    let sentence = |ty: &String| format!("no layer is a {ty}{}", did_you_mean(nearest(ty, known())));
    types.iter().filter(is_absent).map(sentence).collect()
}

/// Collects the rows of a model.
pub(super) fn rows(model: &Model, options: &TableOptions) -> (Vec<Row>, Count) {
    let (mut rows, mut count) = (Vec::new(), Count::default());
    let (source, lines, names) = (model.source(), Lines::new(model.source()), model.names());
    let path = |place: &Place<&Facts>| place.prefix(|graph, layer| shown(&graph.name(source, layer)));
    for Visit { place, id, layer } in model.layers() {
        let (graph, facts) = (place.graph, place.beside);
        let kind = graph.kind(layer);
        let asked = options.types.iter().any(|ty| ty.eq_ignore_ascii_case(&kind.ty));
        let skipped = kind.role == Role::Result || (kind.role == Role::Const && !options.consts && !asked);
        let named = options.types.is_empty() || asked;
        let (mut first, mut from, mut prefix) = (true, None, None);
        for (i, fact) in facts.outputs(id).iter().enumerate() {
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
                line: lines.position(layer.tag.start).line,
                layer: prefix.get_or_insert_with(|| path(&place)).clone() + &shown(&graph.name(source, layer)),
                ty: shown(&kind.ty),
                output: port.and_then(|port| port.id).map_or_else(|| format!("({i})"), |id| id.to_string()),
                inferred: names
                    .as_ref()
                    .map_or_else(|| crate::types::bare_fact(fact), |names| shown(&names.fact(fact))),
                basis: fact.basis(),
                declared: port.map(|port| crate::types::bare_fact(&crate::infer::declared(graph, port))),
                differs: different,
                from: from.get_or_insert_with(|| origin(graph, facts, model, layer)).clone(),
                is_first: first,
            });
            first = false;
        }
    }
    (rows, count)
}

/// The number of outputs of all layers, shown or not.
#[derive(Default)]
pub(super) struct Count {
    pub(super) outputs: usize,
    pub(super) different: usize,
    pub(super) assumed: usize,
}

impl Count {
    /// Formats the number of outputs that differ from their declarations.
    pub(super) fn differing(&self) -> String {
        let verb = if self.different == 1 { "differs" } else { "differ" };
        format!("{} of {} {verb} from what the file declares", self.different, counted(self.outputs, "output"))
    }
}

/// Whether no tensor fits both the fact and the declaration of the port. A port without dimensions declares no shape.
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

/// Formats the attributes and constant inputs that determine the outputs, as in `axis=1 num_splits=3`, or the file in which
/// the user states the outputs.
fn origin(graph: &Graph, facts: &Facts, model: &Model, layer: &Layer) -> String {
    let source = model.source();
    let mut parts = Vec::new();
    if let Some((_, file)) = model.stated(graph.kind(layer)) {
        parts.push(format!("by {}", shown(&file)));
    }
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
            let text = |span| shown(&unescape(source.slice(span)));
            let value = text(attr.value);
            let plain = value.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_'));
            let quote = if plain && !value.is_empty() { "" } else { "\"" };
            parts.push(format!("{}={quote}{value}{quote}", text(attr.name)));
        }
    }
    parts.join(" ")
}

/// Escapes text from the model, so that it is safe to print.
pub(super) fn shown(text: &str) -> String {
    clean(text, 200)
}
