//! Fixes of unreadable dimensions and precisions, which the reader reports before inference.

use super::repair::length;
use crate::diagnostic::{Amendment, Applicability, Direction, Edit, FindingId, Fix, Sink};
use crate::ir::rules::{INVALID_DIM, UNKNOWN_PRECISION};
use crate::ir::{Port, UNREADABLE_DIM, dim_places, find_attribute};
use crate::lint::{Checked, for_every_graph};
use crate::types::{Dim, ElementType, Fact};
use std::collections::BTreeMap;

/// Adds fixes to findings about unreadable dimensions and precisions: the inferred type, or the inferred dimension, -1
/// unless it is one number that no declaration decides.
pub(in crate::lint) fn repair_invalid(checked: &Checked, sink: &mut Sink) {
    if !sink.has(&INVALID_DIM) && !sink.has(&UNKNOWN_PRECISION) {
        return;
    }
    let mut edits: BTreeMap<u32, Edit> = BTreeMap::new();
    for_every_graph(checked, &mut |checked| {
        let graph = checked.scope.graph;
        for (index, layer) in graph.entries() {
            for direction in [Direction::Input, Direction::Output] {
                for (i, port) in graph.ports(layer, direction).iter().enumerate() {
                    let fact = match direction {
                        Direction::Input => checked.facts.of_port(port),
                        Direction::Output => checked.facts.outputs(index).get(i),
                    };
                    collect(checked, port, fact, &mut edits);
                    edits.extend(precision(checked, port, fact).map(|edit| (edit.span.start, edit)));
                }
            }
        }
    });
    let mut fixes: Vec<(FindingId, Fix)> = Vec::new();
    for (id, finding) in sink.numbered() {
        let is_dim = finding.rule == &INVALID_DIM;
        if !is_dim && finding.rule != &UNKNOWN_PRECISION {
            continue;
        }
        let Some(edit) = edits.get(&finding.primary.span.start) else { continue };
        let (applicability, message) = if is_dim {
            (Applicability::Safe, "write a number".into())
        } else {
            (Applicability::Unsafe, format!("declare {}", edit.text).into())
        };
        fixes.push((id, Fix { applicability, message, edits: vec![edit.clone()] }));
    }
    for (id, fix) in fixes {
        sink.amend(id, Amendment::Fix(fix));
    }
}

/// The edit of an unreadable precision.
fn precision(checked: &Checked, port: &Port, fact: Option<&Fact>) -> Option<Edit> {
    let fact = fact.filter(|fact| port.precision.is_none() && !fact.assumed && fact.ty != ElementType::Dynamic)?;
    let span = find_attribute(checked.scope.source, port.tag, "precision")?.value;
    Some(Edit { span, text: fact.ty.port_name().to_owned() })
}

/// Collects the edits of the unreadable dimensions of one port, by the start of the text they replace.
fn collect(checked: &Checked, port: &Port, fact: Option<&Fact>, edits: &mut BTreeMap<u32, Edit>) {
    let (source, dims) = (checked.scope.source, checked.scope.graph.dims(port));
    if !dims.contains(&UNREADABLE_DIM) {
        return;
    }
    let places = dim_places(source, port);
    if places.len() != dims.len() {
        return;
    }
    for (i, place) in places.into_iter().enumerate().filter(|(i, _)| dims[*i] == UNREADABLE_DIM) {
        let inferred = fact.filter(|fact| !fact.assumed && fact.rank() == Some(dims.len()));
        let dim = inferred.map_or(Dim::ANY, |fact| fact.shape.dim(i));
        edits.insert(place.text.start, length(source, place, dim));
    }
}
