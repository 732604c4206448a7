//! The answer of `ovlint shapes --format json`: every inferred output of a model, bodies nested.

use super::records::Record;
use super::stops::Stops;
use crate::analysis::Model;
use crate::domain::{Assumption, Domain, Input, Names};
use crate::infer::Facts;
use crate::ir::{Graph, LayerId, Port, Role, find_attribute, unescape};
use crate::source::Source;
use crate::types::symbol::Reader;
use crate::types::{Basis, ElementType};
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
    basis: Basis,
    /// The first constant of those whose bytes are missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<String>,
}

impl<'a> Shapes<'a> {
    /// Collects the outputs of a model; `names` are those of its symbols.
    pub(crate) fn of(model: &'a Model, names: Option<&'a Names>) -> Self {
        let scope = match (model.net(), model.facts()) {
            (Some(net), Some(facts)) => scope(&net.graph, facts, model.source(), names, None),
            _ => Scope::default(),
        };
        let symbols = names.map(|names| names.inputs().collect());
        let domain = model.facts().and_then(|facts| Domain::of(facts, Assumption::Nothing));
        let domain = domain.zip(names).and_then(|(domain, names)| Record::of(model, &domain, names));
        Self { symbols, domain, scope, stops: Stops::of(model) }
    }
}

/// Collects a graph; `outer` is the unread constant that the inputs of a body depend on.
fn scope<'a>(
    graph: &'a Graph,
    facts: &Facts,
    source: &Source,
    names: Option<&Names>,
    outer: Option<&str>,
) -> Scope<'a> {
    let unread = unread(graph, facts, source);
    let missing = |index: LayerId| unread.get(index.index())?.as_deref().or(outer).map(str::to_owned);
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
                basis: fact.basis(),
                missing: if fact.assumed { missing(index) } else { None },
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
                scope: scope(&body.graph, inner, source, names, missing(index).as_deref()),
            });
        }
    }
    all
}

/// Returns per layer the first constant with unread bytes that its outputs depend on, those of bodies included.
fn unread(graph: &Graph, facts: &Facts, source: &Source) -> Vec<Option<String>> {
    let mut unread: Vec<Option<String>> = vec![None; graph.layers.len()];
    for index in facts.order() {
        let Some(layer) = graph.layer(*index) else { continue };
        if !facts.outputs(*index).iter().any(|fact| fact.assumed) {
            continue;
        }
        let mut producers = graph.inputs(layer).iter().filter_map(Port::source);
        let mut of_input = || producers.find_map(|from| unread.get(from.layer.index())?.clone());
        let mut bodies = facts.bodies(*index, layer);
        let of_body =
            || bodies.find_map(|(body, inner)| self::unread(&body.graph, inner, source).into_iter().flatten().next());
        unread[index.index()] = match graph.kind(layer).role {
            Role::Const => Some(graph.name(source, layer).into_owned()),
            _ => of_input().or_else(of_body),
        };
    }
    unread
}
