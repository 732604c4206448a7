//! The declarations that follow from other input shapes: the dimensions of ports, and the shapes of Parameters in bodies.

use super::edited::{Change, Part};
use crate::analysis::Model;
use crate::arrange::Arrange;
use crate::diagnostic::{Direction, Edit};
use crate::infer::Facts;
use crate::ir::{Graph, Layer, LayerId, Port, Role, find_attribute};
use crate::lint::declared::{contradicts, redeclare};
use crate::source::Source;
use crate::stack::descend;
use crate::types::{Dim, ElementType, Fact, PartialShape};
use std::collections::BTreeMap;

/// The edits of the declarations of a model, with their reasons.
#[derive(Debug, Default)]
pub(crate) struct Declarations {
    pub edits: Vec<Edit>,
    pub changes: Vec<Change>,
}

/// A graph with its facts, what OpenVINO knows of them, and the facts before the change.
struct Place<'a> {
    source: &'a Source,
    graph: &'a Graph,
    facts: &'a Facts,
    known: &'a Facts,
    before: Option<&'a Facts>,
    /// The layers and bodies around it.
    prefix: String,
    level: usize,
}

impl Declarations {
    /// Collects the edits of ports, and of Parameters in bodies, after which they declare what OpenVINO infers, where the
    /// facts are not those `before`. `None` if there is no graph.
    pub(crate) fn of_model(model: &Model, before: Option<&Facts>) -> Option<Self> {
        let (source, graph, facts, known) =
            (model.source(), &model.net()?.graph, model.facts()?, &model.openvino_facts()?);
        let mut all = Self::default();
        all.collect(&Place { source, graph, facts, known, before, prefix: String::new(), level: 0 });
        Some(all)
    }

    /// Declares the shapes of layers in an attribute of each.
    pub(super) fn declare_all(
        &mut self,
        source: &Source,
        graph: &Graph,
        attribute: &'static str,
        shapes: &BTreeMap<LayerId, PartialShape>,
    ) {
        for (layer, shape) in shapes.iter().filter_map(|(id, shape)| Some((graph.layer(*id)?, shape))) {
            self.declare(source, graph, layer, attribute, shape, "");
        }
    }

    /// Adds other edits of the same text.
    pub(super) fn append(&mut self, mut other: Self) {
        self.edits.append(&mut other.edits);
        self.changes.append(&mut other.changes);
        self.edits.arrange_by_key(|edit| edit.span);
    }

    fn collect(&mut self, place: &Place) {
        let Place { source, graph, facts, known, before, .. } = *place;
        for (id, layer) in graph.entries() {
            let output = |of: &'_ Facts, i: usize| of.outputs(id).get(i).map(|fact| fact.shape.clone());
            let outputs = |i| (output(facts, i), output(known, i), before.and_then(|before| output(before, i)));
            if let (is, Some(shape), was) = outputs(0)
                && place.level > 0
                && graph.kind(layer).role == Role::Parameter
                && is != was
            {
                self.declare(source, graph, layer, "shape", &shape, &place.prefix);
            }
            for (i, port) in graph.inputs(layer).iter().enumerate() {
                let of_port = |of: &'_ Facts| of.of_port(port).map(|fact| fact.shape.clone());
                let shapes = (of_port(facts), of_port(known), before.and_then(of_port));
                self.port(place, layer, (Direction::Input, i), port, shapes);
            }
            for (body, inner) in facts.bodies(id, layer) {
                let Some(known) = known.body(id, body.kind) else { continue };
                let prefix = format!("{}{}/{}/", place.prefix, graph.full_name(source, layer), body.kind.name());
                let (before, level) = (before.and_then(|before| before.body(id, body.kind)), place.level + 1);
                let inner = Place { source, graph: &body.graph, facts: inner, known, before, prefix, level };
                descend(level, || self.collect(&inner));
            }
            for (i, port) in graph.outputs(layer).iter().enumerate() {
                self.port(place, layer, (Direction::Output, i), port, outputs(i));
            }
        }
    }

    /// Declares what OpenVINO knows of a port, unless its shape is the one before and the port fits it. A port that never
    /// declared its known dimensions does not begin to.
    fn port(
        &mut self,
        place: &Place,
        layer: &Layer,
        (direction, index): (Direction, usize),
        port: &Port,
        (is, known, was): (Option<PartialShape>, Option<PartialShape>, Option<PartialShape>),
    ) {
        let (graph, source, declared) = (place.graph, place.source, place.graph.dims(port));
        let (Some(is), Some(known)) = (is, known) else { return };
        let fits = || !contradicts(graph, port, &Fact::new(ElementType::Dynamic, is.clone()));
        let is_bare = declared.is_empty() && was.as_ref().and_then(PartialShape::rank).is_some_and(|rank| rank > 0);
        if was.as_ref() == Some(&is) && fits() || is_bare {
            return;
        }
        let edits = redeclare(source, graph, layer, port, &known);
        if edits.is_empty() {
            return;
        }
        let dims = declared.iter().map(|dim| u64::try_from(*dim).map_or("?".to_owned(), |dim| dim.to_string()));
        let before = format!("[{}]", dims.collect::<Vec<_>>().join(","));
        let layer = format!("{}{}", place.prefix, graph.full_name(source, layer));
        self.changes.push(Change { layer, part: Part::Port(direction, index), before, after: known.to_string() });
        self.edits.extend(edits);
    }

    /// Declares a shape in an attribute of a layer, if it is another one. The dimensions that stay keep their spelling.
    fn declare(
        &mut self,
        source: &Source,
        graph: &Graph,
        layer: &Layer,
        attribute: &'static str,
        shape: &PartialShape,
        prefix: &str,
    ) {
        let Some(found) = find_attribute(source, layer.data, attribute) else { return };
        let old = source.text(found.value);
        let new = shape.to_string();
        let new = new.trim_start_matches('[').trim_end_matches(']');
        let parts: Vec<&str> = if old.trim().is_empty() { Vec::new() } else { old.split(',').collect() };
        let text = match shape.dims() {
            Some(dims) if dims.len() == parts.len() && old.trim() != "..." => {
                let spelled = parts.iter().zip(dims).map(|(part, dim)| match read(part) {
                    Some(known) if known == dim.bare() => (*part).to_owned(),
                    _ => dim.to_string(),
                });
                spelled.collect::<Vec<_>>().join(",")
            }
            _ => new.to_owned(),
        };
        if text == old {
            return;
        }
        let layer = format!("{prefix}{}", graph.full_name(source, layer));
        let (before, after) = (format!("[{old}]"), format!("[{text}]"));
        self.changes.push(Change { layer, part: Part::Attribute(attribute), before, after });
        self.edits.push(Edit { span: found.value, text });
    }
}

fn read(part: &str) -> Option<Dim> {
    let part = part.trim();
    if part == "-1" { Some(Dim::ANY) } else { part.parse().ok() }
}
