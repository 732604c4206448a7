//! Every inferred output as JSON, bodies nested.

use crate::analysis::Model;
use crate::infer::Facts;
use crate::ir::{Graph, LayerId, Role, find_attribute, unescape};
use crate::query::domain::Domain;
use crate::query::stops::Stops;
use crate::query::symbols::{Input, Names};
use crate::source::{Lines, Source};
use crate::types::symbol::Reader;
use serde::Serialize;
use std::path::Path;

#[derive(Serialize)]
struct Document<'a> {
    schema_version: &'static str,
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    symbols: Option<Vec<Symbol>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    domain: Option<DomainRecord>,
    #[serde(flatten)]
    scope: Scope<'a>,
    #[serde(skip_serializing_if = "Stops::is_empty")]
    stops: Stops,
}

/// A dimension that the user of a model chooses.
#[derive(Serialize)]
struct Symbol {
    name: String,
    /// The id of its layer, a `Parameter` or a `ReadValue`.
    layer: String,
    dim: u32,
    input: String,
    range: String,
}

impl Symbol {
    fn of(input: &Input) -> Self {
        let Input { name, layer, axis, input, range } = input;
        Self { name: name.clone(), layer: layer.clone(), dim: *axis, input: input.clone(), range: range.to_string() }
    }
}

/// Which lengths the model works for.
#[derive(Serialize)]
struct DomainRecord {
    constraints: Vec<ConstraintRecord>,
    complete: bool,
    open: Vec<LayerRecord>,
}

#[derive(Serialize)]
struct ConstraintRecord {
    expr: String,
    strength: &'static str,
    layer: LayerRecord,
    more_layers: usize,
    rule: &'static str,
}

#[derive(Serialize)]
struct LayerRecord {
    id: String,
    name: String,
    #[serde(rename = "type")]
    ty: String,
    line: u32,
}

fn domain(model: &Model, names: &Names) -> Option<DomainRecord> {
    let domain = Domain::of(model)?;
    let net = model.net()?;
    let lines = Lines::new(model.source());
    let layer_of = |index: LayerId| {
        let layer = net.graph.layer(index)?;
        let id = find_attribute(model.source(), layer.tag, "id");
        Some(LayerRecord {
            id: id.map(|id| unescape(model.source().slice(id.value)).into_owned()).unwrap_or_default(),
            name: net.graph.full_name(model.source(), layer).into_owned(),
            ty: net.graph.kind(layer).ty.clone(),
            line: lines.position(layer.tag.start).line,
        })
    };
    let rule_of = |index: LayerId| {
        let spec = net.graph.kind(net.graph.layer(index)?).spec()?;
        Some(spec.demands?.name)
    };
    let mut constraints = Vec::new();
    for constraint in &domain.constraints {
        let Some((layer, rule)) =
            constraint.layers.first().and_then(|index| Some((layer_of(*index)?, rule_of(*index)?)))
        else {
            continue;
        };
        let more_layers = constraint.layers.len() - 1;
        for expr in domain.expressions_of(constraint, names) {
            let layer =
                LayerRecord { id: layer.id.clone(), name: layer.name.clone(), ty: layer.ty.clone(), line: layer.line };
            constraints.push(ConstraintRecord { expr, strength: "required", layer, more_layers, rule });
        }
    }
    let open = domain.open.iter().filter_map(|index| layer_of(*index)).collect();
    Some(DomainRecord { constraints, complete: domain.is_complete(), open })
}

#[derive(Serialize, Default)]
struct Scope<'a> {
    layers: Vec<Layer<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bodies: Vec<Body<'a>>,
}

#[derive(Serialize)]
struct Body<'a> {
    layer: String,
    body: &'static str,
    #[serde(flatten)]
    scope: Scope<'a>,
}

#[derive(Serialize)]
struct Layer<'a> {
    id: String,
    name: String,
    #[serde(rename = "type")]
    ty: &'a str,
    version: &'a str,
    outputs: Vec<Output>,
}

#[derive(Serialize)]
struct Output {
    port: Option<String>,
    shape: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    symbolic: Option<Vec<Option<String>>>,
    #[serde(rename = "type")]
    ty: &'static str,
    verified: bool,
}

/// The document for a model; `path` is shown as given.
pub fn json(model: &Model, path: &Path) -> serde_json::Result<String> {
    let names = Names::of(model);
    let scope = match (model.net(), model.facts()) {
        (Some(net), Some(facts)) => scope(&net.graph, facts, model.source(), names.as_ref()),
        _ => Scope::default(),
    };
    let symbols = names.as_ref().map(|names| names.inputs().map(Symbol::of).collect());
    let domain = names.as_ref().and_then(|names| domain(model, names));
    let (path, stops) = (path.display().to_string(), Stops::of(model));
    crate::report::findings::json::text(&Document { schema_version: "1", path, symbols, domain, scope, stops })
}

fn scope<'a>(graph: &'a Graph, facts: &Facts, source: &Source, names: Option<&Names>) -> Scope<'a> {
    let id_of = |tag| {
        find_attribute(source, tag, "id").map(|id| unescape(source.slice(id.value)).into_owned()).unwrap_or_default()
    };
    let mut all = Scope::default();
    for (index, layer) in graph.entries() {
        let kind = graph.kind(layer);
        let ports = graph.outputs(layer);
        let found = if kind.role == Role::Result { &[] } else { facts.outputs(index) };
        let outputs = found
            .iter()
            .enumerate()
            .map(|(i, fact)| Output {
                port: ports.get(i).map(|port| id_of(port.tag)),
                shape: fact.shape.to_string(),
                symbolic: names.and_then(|names| names.shape(&fact.shape, Reader::Program)),
                ty: fact.ty.name(),
                verified: !fact.assumed,
            })
            .collect();
        all.layers.push(Layer {
            id: id_of(layer.tag),
            name: graph.full_name(source, layer).into_owned(),
            ty: &kind.ty,
            version: &kind.version,
            outputs,
        });
        for (body, inner) in facts.bodies(index, layer) {
            all.bodies.push(Body {
                layer: id_of(layer.tag),
                body: body.kind.name(),
                scope: scope(&body.graph, inner, source, names),
            });
        }
    }
    all
}
