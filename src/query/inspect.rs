//! One layer with everything that the file and inference know about it.

use crate::analysis::Model;
use crate::infer::declared;
use crate::ir::{Constant, Id, Port, Role, name_list, unescape};
use crate::ops::Meaning;
use crate::query::names::Place;
use crate::query::stops::{Stops, stop_at};
use crate::types::{Basis, Fact, Value, bare_fact};
use serde::Serialize;

/// A layer.
#[derive(Debug, Clone, Serialize)]
pub struct Inspection {
    /// Its name, prefixed by the layers and bodies around it.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: String,
    /// Its version.
    pub version: String,
    /// Its id, if it is a number.
    pub id: Option<u64>,
    /// Its first line, counted from 1.
    pub first_line: u32,
    /// Its last line.
    pub last_line: u32,
    /// The attributes that the file writes, and OpenVINO's defaults of the others.
    pub attributes: Vec<Attribute>,
    /// The inputs in the order of the file.
    pub inputs: Vec<Input>,
    /// The outputs in the order of the file.
    pub outputs: Vec<Output>,
    /// The layers at which inference of its outputs stops, or its own error.
    #[serde(skip_serializing_if = "Stops::is_empty")]
    pub stops: Stops,
    /// The bodies.
    pub bodies: Vec<Body>,
    /// The bytes of a Const.
    pub constant: Option<Bytes>,
}

/// A body and its number of layers.
#[derive(Debug, Clone, Serialize)]
#[allow(missing_docs, reason = "the fields are called what they are")]
pub struct Body {
    pub body: &'static str,
    pub layers: usize,
}

/// A tensor and the type of its layer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the fields are called what they are")]
pub struct Origin {
    pub tensor: String,
    #[serde(rename = "type")]
    pub ty: String,
}

/// A layer that uses a tensor, and the position of the tensor among its inputs.
#[derive(Debug, Clone, Serialize)]
#[allow(missing_docs, reason = "the fields are called what they are")]
pub struct Consumer {
    pub layer: String,
    pub input: usize,
}

/// An attribute.
#[derive(Debug, Clone, Serialize)]
#[allow(missing_docs, reason = "the fields are called what they are")]
pub struct Attribute {
    pub name: String,
    pub value: String,
    /// Set if the file does not write it.
    pub is_default: bool,
}

/// An input of a layer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Input {
    /// The id of the port.
    pub port: Option<u64>,
    /// The name in the operation's specification.
    pub role: Option<&'static str>,
    /// The producer; `None` if no edge leads to it.
    pub from: Option<Origin>,
    /// The inferred type and shape.
    pub inferred: Option<String>,
    /// The declared type and shape.
    pub declared: String,
    /// The first elements, if inference has values for them.
    pub value: Option<String>,
}

/// An output of a layer.
#[derive(Debug, Clone, Serialize)]
pub struct Output {
    /// The id of the port; `None` if the file has none.
    pub port: Option<u64>,
    /// The names of the tensor.
    pub names: Vec<String>,
    /// The inferred type and shape.
    pub inferred: Option<String>,
    /// The source of `inferred`.
    pub basis: Basis,
    /// The declared type and shape.
    pub declared: Option<String>,
    /// The first elements, if inference has values for them.
    pub value: Option<String>,
    /// The consumers.
    pub to: Vec<Consumer>,
}

/// The bytes of a Const.
#[derive(Debug, Clone, Serialize)]
pub struct Bytes {
    /// The first byte in the weights file.
    pub offset: u64,
    /// The number of bytes.
    pub size: u64,
    /// The number of elements.
    pub elements: Option<u64>,
    /// The first elements; `None` if they cannot be read.
    pub values: Option<String>,
}

/// Inspects a layer; values show at most `most` elements.
pub fn inspect(model: &Model, place: &Place, most: usize) -> Inspection {
    let (graph, layer, source) = (place.graph, place.layer, model.source());
    let kind = graph.kind(layer);
    let line = |at: u32| source.position(at).line;
    let is_assumed = place.facts.outputs(place.index).iter().any(|fact| fact.assumed);
    Inspection {
        name: format!("{}{}", place.prefix, graph.name(source, layer)),
        ty: kind.ty.clone(),
        version: kind.version.clone(),
        id: layer.id.map(Id::get),
        first_line: line(layer.tag.start),
        last_line: line(layer.end.saturating_sub(1).max(layer.tag.start)),
        attributes: attributes(model, place),
        inputs: inputs(model, place, most),
        outputs: outputs(model, place, most),
        stops: match stop_at(model, place) {
            Some(stop) => Stops { layers: vec![stop], constants: None },
            None if is_assumed => Stops::of(model).behind(place),
            None => Stops::default(),
        },
        bodies: layer.bodies().map(|body| Body { body: body.kind.name(), layers: body.graph.layers.len() }).collect(),
        constant: graph.constant(layer).map(|constant| bytes(model, constant, most)),
    }
}

fn attributes(model: &Model, place: &Place) -> Vec<Attribute> {
    let source = model.source();
    // The graph stores the attributes of a Const as a `Constant`.
    if let Some(constant) = place.graph.constant(place.layer) {
        let shape: Vec<String> = constant.lengths.iter().map(i64::to_string).collect();
        let written = |name: &str, value: String| Attribute { name: name.to_owned(), value, is_default: false };
        return vec![written("element_type", constant.ty.to_string()), written("shape", shape.join(","))];
    }
    let text = |span| unescape(source.slice(span)).into_owned();
    let written = place.graph.attrs(place.layer).iter();
    let mut all: Vec<Attribute> =
        written.map(|attr| Attribute { name: text(attr.name), value: text(attr.value), is_default: false }).collect();
    if let Meaning::Modelled(spec) = place.graph.kind(place.layer).meaning {
        let missing = spec.attrs.iter().filter(|attr| all.iter().all(|one| one.name != attr.name));
        let defaults: Vec<Attribute> = missing
            .filter_map(|attr| {
                Some(Attribute { name: attr.name.into(), value: attr.missing.text()?.into(), is_default: true })
            })
            .collect();
        all.extend(defaults);
    }
    all
}

/// Returns the attributes in the file that the operation of a layer reads.
pub(crate) fn read_attributes(model: &Model, place: &Place) -> Vec<(String, String)> {
    let Meaning::Modelled(spec) = place.graph.kind(place.layer).meaning else { return Vec::new() };
    let is_read = |one: &Attribute| !one.is_default && spec.attrs.iter().any(|attr| attr.name == one.name);
    attributes(model, place).into_iter().filter(is_read).map(|one| (one.name, one.value)).collect()
}

/// Inspects the inputs of a layer; values show at most `most` elements.
pub fn inputs(model: &Model, place: &Place, most: usize) -> Vec<Input> {
    let (graph, facts) = (place.graph, place.facts);
    let spec = match graph.kind(place.layer).meaning {
        Meaning::Modelled(spec) => Some(spec),
        _ => None,
    };
    let from = |port: &Port| {
        let output = port.source()?;
        let producer = graph.layer(output.layer)?;
        let name = graph.name(model.source(), producer);
        let several = graph.outputs(producer).len() > 1;
        let name = if several { format!("{name}:{}", output.output) } else { name.into_owned() };
        Some(Origin { tensor: name, ty: graph.kind(producer).ty.clone() })
    };
    let input = |(i, port): (usize, &Port)| Input {
        port: port.id.map(Id::get),
        role: spec.and_then(|spec| spec.input(i)).map(|input| input.name),
        from: from(port),
        inferred: facts.of_port(port).map(bare_fact),
        declared: bare_fact(&declared(graph, port)),
        value: facts.of_port(port).and_then(|fact| value(fact, most)),
    };
    graph.inputs(place.layer).iter().enumerate().map(input).collect()
}

fn outputs(model: &Model, place: &Place, most: usize) -> Vec<Output> {
    let (graph, source) = (place.graph, model.source());
    let ports = graph.outputs(place.layer);
    let facts = if graph.kind(place.layer).role == Role::Result { &[] } else { place.facts.outputs(place.index) };
    let mut to: Vec<Vec<Consumer>> = vec![Vec::new(); ports.len().max(facts.len())];
    for consumer in &graph.layers {
        for (i, port) in graph.inputs(consumer).iter().enumerate() {
            let Some(output) = port.source().filter(|output| output.layer == place.index) else { continue };
            if let Some(all) = to.get_mut(output.output as usize) {
                all.push(Consumer { layer: graph.name(source, consumer).into_owned(), input: i });
            }
        }
    }
    let names = |port: &Port| name_list(source, port.tag, "names");
    let output = |(i, to): (usize, Vec<Consumer>)| Output {
        port: ports.get(i).and_then(|port| port.id).map(Id::get),
        names: ports.get(i).map(names).unwrap_or_default(),
        inferred: facts.get(i).map(bare_fact),
        basis: facts.get(i).map_or(Basis::Unknown, Fact::basis),
        declared: ports.get(i).map(|port| bare_fact(&declared(graph, port))),
        // A Const shows its value in `constant`.
        value: facts.get(i).filter(|_| graph.kind(place.layer).role != Role::Const).and_then(|fact| value(fact, most)),
        to,
    };
    to.into_iter().enumerate().map(output).collect()
}

/// Formats the first elements of a value, in brackets unless it is a scalar.
fn value(fact: &Fact, most: usize) -> Option<String> {
    let value = fact.value.as_deref()?;
    Some(listed(value, value.len(), most))
}

fn listed(value: &Value, count: usize, most: usize) -> String {
    let text = value.first(most).to_string();
    let more = if count > most { ",..." } else { "" };
    if value.lengths().is_empty() { text } else { format!("[{text}{more}]") }
}

fn bytes(model: &Model, constant: &Constant, most: usize) -> Bytes {
    let elements = constant.elements();
    let count = usize::try_from(elements.unwrap_or(u64::MAX)).unwrap_or(usize::MAX);
    // Read only the first bytes of a large constant.
    let first = if count > most {
        Constant { lengths: [i64::try_from(most).unwrap_or(i64::MAX)].into_iter().collect(), ..constant.clone() }
    } else {
        constant.clone()
    };
    let values = model.weights().value(&first).map(|value| listed(&value, count, most));
    Bytes { offset: constant.offset, size: constant.size, elements, values }
}
