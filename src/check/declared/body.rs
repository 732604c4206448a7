//! What the Parameters of a body declare against what they get from the layer around it.

use super::bare;
use crate::check::rules::BODY_SHAPE_MISMATCH;
use crate::check::{Around, Checked};
use crate::diagnostic::{Applicability, Diagnostic, Direction, Edit, Fix};
use crate::infer::chain;
use crate::ir::{Attribute, Graph, Layer, PortMapEntry, Role, find_attribute};
use crate::ops::Meaning;
use crate::ops::attribute::{AttrValue, read};
use crate::ops::spec::Kind;
use crate::source::Source;
use crate::types::{ElementType, Fact};
use std::collections::BTreeMap;

/// Calls `report` for every Parameter, by place, that declares what it never is.
pub(super) fn check(checked: &Checked, report: &mut dyn FnMut(u32, Diagnostic)) {
    let (Some(around), graph) = (checked.around, checked.scope.graph) else { return };
    let parameters = (0_u32..).zip(&graph.layers).filter(|(_, layer)| graph.kind(layer).role == Role::Parameter);
    let parameters: BTreeMap<u64, (u32, &Layer)> =
        parameters.filter_map(|(place, layer)| Some((layer.id?.get(), (place, layer)))).collect();
    let entries = around.layer.subgraph.iter().flat_map(|subgraph| &subgraph.port_map);
    for entry in entries.filter(|entry| entry.body == around.kind && entry.direction == Direction::Input) {
        let parameter = entry.internal_layer.and_then(|id| parameters.get(&id));
        let Some((place, layer)) = parameter else { continue };
        let fact = checked.facts.outputs(*place).first().filter(|fact| !fact.assumed);
        if let Some(finding) = fact.and_then(|fact| finding(checked, around, entry, layer, fact)) {
            report(*place, finding);
        }
    }
}

fn finding(checked: &Checked, around: &Around, entry: &PortMapEntry, layer: &Layer, fact: &Fact) -> Option<Diagnostic> {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    let outer = around.checked.scope.graph;
    let port = outer.inputs(around.layer).get(usize::try_from(entry.external_port?).ok()?)?;
    // Only a TensorIterator keeps the declared type; a body that is not taken keeps all that it declares.
    let keeps_type =
        matches!(outer.kind(around.layer).meaning, Meaning::Modelled(spec) if spec.name == "TensorIterator");
    let given = around.checked.facts.of_port(port).filter(|_| keeps_type);
    let (attribute, declared, gets, text) = contradiction(source, graph, layer, fact, given)?;
    let (name, host) = (graph.name(source, layer), outer.name(source, around.layer));
    let span = find_attribute(source, layer.data, attribute).map_or(layer.tag, |attribute| attribute.value);
    let message = format!("Parameter `{name}` of the body declares {declared}, `{host}` gives it {gets}");
    let mut finding = Diagnostic::new(&BODY_SHAPE_MISMATCH, span, message)
        .primary(format!("declared {declared}, gets {gets}"))
        .label(layer.tag, "in this Parameter layer")
        .label(entry.tag, format!("gets input {}", entry.external_port?))
        .layer(graph.layer_ref(source, layer))
        .port(graph.port_ref(source, layer, Direction::Output, 0));
    if let Some(producer) = port.source() {
        finding = finding.note(format!("gets {}", chain(&around.checked.scope, around.checked.facts, producer)));
    }
    if let Some(text) = text.filter(|_| span != layer.tag) {
        finding = finding.fix(Fix {
            applicability: Applicability::Safe,
            message: format!("declare {gets}"),
            edits: vec![Edit { span, text }],
        });
    } else {
        finding = finding.note("TensorIterator neither converts nor compares element types");
    }
    finding.body = checked.scope.body.to_vec();
    finding.declared = Some(declared);
    finding.inferred = Some(bare(fact));
    Some(finding)
}

/// The attribute of a Parameter that contradicts what it gets, both sides, and the text that would agree.
fn contradiction(
    source: &Source,
    graph: &Graph,
    layer: &Layer,
    fact: &Fact,
    given: Option<&Fact>,
) -> Option<(&'static str, String, String, Option<String>)> {
    let text = |attribute: &Attribute| source.text(attribute.value).into_owned();
    let written = |name: &str| graph.attrs(layer).iter().find(|a| source.slice(a.name) == name.as_bytes()).map(text);
    let differ = |a: ElementType, b: ElementType| a.merge(b).is_none();
    let ty = written("element_type").and_then(|text| ElementType::from_data_text(&text));
    if let Some(ty) = ty.filter(|ty| differ(*ty, fact.ty)) {
        return Some(("element_type", ty.to_string(), fact.ty.to_string(), Some(fact.ty.to_string())));
    }
    if let Some((ty, given)) = ty.zip(given).filter(|(ty, given)| differ(*ty, given.ty)) {
        return Some(("element_type", ty.to_string(), given.ty.to_string(), None));
    }
    let shape = written("shape").and_then(|text| read(Kind::Shape, &text).ok()?.value);
    let Some(AttrValue::Shape(shape)) = shape else { return None };
    if shape.merge(&fact.shape).is_some() {
        return None;
    }
    let right = fact.shape.to_string();
    let right = right.trim_start_matches('[').trim_end_matches(']').to_owned();
    Some(("shape", shape.to_string(), fact.shape.to_string(), Some(right)))
}
