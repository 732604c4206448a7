//! Every inferred output of a model, bodies nested.

use super::records::Record;
use super::stops::Stops;
use crate::analysis::Model;
use crate::domain::{Assumption, Domain, Input, Names};
use crate::infer::Facts;
use crate::ir::{Graph, Role, find_attribute, unescape};
use crate::source::Source;
use crate::types::ElementType;
use crate::types::symbol::Reader;
use serde::Serialize;

/// All outputs, with the symbols in their shapes and the inputs for which they hold.
#[derive(Serialize)]
pub(crate) struct Shapes<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    symbols: Option<Vec<&'a Input>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    domain: Option<Record>,
    #[serde(flatten)]
    scope: Scope<'a>,
    #[serde(skip_serializing_if = "Stops::is_empty")]
    stops: Stops,
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
    ty: ElementType,
    verified: bool,
}

impl<'a> Shapes<'a> {
    /// Collects the outputs of a model; `names` are those of its symbols.
    pub(crate) fn of(model: &'a Model, names: Option<&'a Names>) -> Self {
        let scope = match (model.net(), model.facts()) {
            (Some(net), Some(facts)) => scope(&net.graph, facts, model.source(), names),
            _ => Scope::default(),
        };
        let symbols = names.map(|names| names.inputs().collect());
        let domain = model.facts().and_then(|facts| Domain::of(facts, Assumption::Nothing));
        let domain = domain.zip(names).and_then(|(domain, names)| Record::of(model, &domain, names));
        Self { symbols, domain, scope, stops: Stops::of(model) }
    }
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
                ty: fact.ty,
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
