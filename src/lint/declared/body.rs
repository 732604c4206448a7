//! The declarations of body Parameters, compared with the outer tensors bound to them.

use super::openvino::{NOTE, is_parameters, soften};
use crate::arrange::Fill;
use crate::diagnostic::{Applicability, Diagnostic, Direction, Edit, Fix};
use crate::infer::chain;
use crate::ir::{BodyKind, Graph, Layer, LayerId, PortMapEntry, Role, find_attribute, unescape};
use crate::lint::rules::BODY_SHAPE_MISMATCH;
use crate::lint::{Around, Checked};
use crate::ops::attribute::{AttrValue, read};
use crate::ops::{Kind, WithBodies};
use crate::source::Source;
use crate::types::{ElementType, Fact, bare_fact};
use std::collections::BTreeMap;

/// Calls `report` for every Parameter whose declaration contradicts what it gets.
pub(super) fn check(checked: &Checked, report: &mut dyn FnMut(LayerId, Diagnostic)) {
    let (Some(around), graph) = (checked.around, checked.scope.graph) else { return };
    let parameters = graph.entries().filter(|(_, layer)| graph.kind(layer).role == Role::Parameter);
    let parameters: BTreeMap<u64, (LayerId, &Layer)> =
        parameters.filter_map(|(index, layer)| Some((layer.id?.get(), (index, layer)))).into_map();
    let entries = around.layer.subgraph.iter().flat_map(|subgraph| &subgraph.port_map);
    for entry in entries.filter(|entry| entry.body == around.kind && entry.direction == Direction::Input) {
        let parameter = entry.internal_layer.and_then(|id| parameters.get(&id));
        let Some((index, layer)) = parameter else { continue };
        let fact = checked.facts.outputs(*index).first().filter(|fact| !fact.assumed);
        if let Some(finding) = fact.and_then(|fact| finding(checked, around, entry, (*index, layer), fact)) {
            report(*index, finding);
        }
    }
}

fn finding(
    checked: &Checked,
    around: &Around,
    entry: &PortMapEntry,
    (index, layer): (LayerId, &Layer),
    fact: &Fact,
) -> Option<Diagnostic> {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    let outer = around.checked.scope.graph;
    let input = entry.external_port?;
    let port = outer.inputs(around.layer).get(usize::try_from(input).ok()?)?;
    // Only a TensorIterator keeps the declared type. In a body that never runs, every fact is the declaration.
    let keeps_type = outer.kind(around.layer).with_bodies() == Some(WithBodies::TensorIterator);
    let outside = around.checked.facts.of_port(port);
    let given = outside.filter(|_| keeps_type).map_or(fact.ty, |given| given.ty);
    let declared = stated(source, graph, layer);
    // The fact holds for all iterations; the outer tensor, which the first iteration gets, may be narrower.
    let is_start =
        |outside: &&Fact| around.kind == BodyKind::Body && entry.slice.is_none() && fact.shape.contains(&outside.shape);
    let shape = outside.filter(is_start).map_or(&fact.shape, |outside| &outside.shape);
    let (attribute, wrong, right) = if declared.ty.merge(given).is_none() {
        ("element_type", declared.ty.to_string(), given.to_string())
    } else if declared.shape.merge(shape).is_none() {
        ("shape", declared.shape.to_string(), shape.to_string())
    } else {
        return None;
    };
    let span = find_attribute(source, layer.data, attribute)?.value;
    let (name, host) = (graph.name(source, layer), outer.name(source, around.layer));
    let message = format!("Parameter `{name}` of the body declares {wrong}, but `{host}` gives it {right}");
    let mut finding = checked
        .about(layer, Diagnostic::new(&BODY_SHAPE_MISMATCH, span, message))
        .primary(format!("declared {wrong}, gets {right}"))
        .label(layer.tag, "in this Parameter layer")
        .label(entry.tag, format!("gets input {input}"))
        .port(graph.port_ref(source, layer, Direction::Output, 0));
    if let Some(producer) = port.source() {
        let from = chain(&around.checked.scope, around.checked.facts, producer);
        finding = finding.note(format!("input {input} of `{host}` <- {from}"));
    }
    if attribute == "element_type" && keeps_type {
        finding = finding.note("TensorIterator neither converts nor compares element types");
    } else {
        finding = finding.fix(Fix {
            applicability: Applicability::Safe,
            message: format!("declare {right}").into(),
            edits: vec![Edit { span, text: right.trim_matches(['[', ']']).to_owned() }],
        });
    }
    finding.declared = Some(bare_fact(&declared));
    finding.inferred = Some(bare_fact(&Fact { ty: given, ..fact.clone() }));
    if attribute == "shape" && is_parameters(checked, index, &declared.shape) {
        soften(&mut finding, NOTE);
    }
    Some(finding)
}

/// The fact that a Parameter declares in its attributes; unknown where they are unreadable.
pub(super) fn stated(source: &Source, graph: &Graph, layer: &Layer) -> Fact {
    let mut declared = Fact::unknown();
    for attr in graph.attrs(layer) {
        let text = unescape(source.slice(attr.value));
        match source.slice(attr.name) {
            b"element_type" => declared.ty = ElementType::from_data_text(&text).unwrap_or(declared.ty),
            b"shape" => {
                if let Some(AttrValue::Shape(shape)) = read(Kind::Shape, &text).ok().and_then(|reading| reading.value) {
                    declared.shape = shape;
                }
            }
            _ => {}
        }
    }
    declared
}
