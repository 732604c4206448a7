//! The fixes of dimensions whose text is no number: the reader finds them before anything is inferred.

use super::repair::length;
use crate::check::{Checked, for_every_graph};
use crate::diagnostic::{Applicability, Diagnostic, Direction, Edit, Fix, Sink};
use crate::ir::rules::INVALID_DIM;
use crate::ir::{Port, UNREADABLE_DIM, dim_places};
use crate::types::{Dim, Fact};
use std::collections::BTreeMap;

/// Gives every finding about such a dimension its fix: the inferred length, or -1 where that is not known.
pub(in crate::check) fn repair_invalid(checked: &Checked, sink: &mut Sink) {
    if !sink.has(&INVALID_DIM) {
        return;
    }
    let mut edits: BTreeMap<u32, Edit> = BTreeMap::new();
    for_every_graph(checked, &mut |checked| {
        let graph = checked.scope.graph;
        for (index, layer) in (0_u32..).zip(&graph.layers) {
            for direction in [Direction::Input, Direction::Output] {
                for (i, port) in graph.ports(layer, direction).iter().enumerate() {
                    let fact = match direction {
                        Direction::Input => checked.facts.of_port(port),
                        Direction::Output => checked.facts.outputs(index).get(i),
                    };
                    collect(checked, port, fact, &mut edits);
                }
            }
        }
    });
    let fix = |edit: &Edit| Fix {
        applicability: Applicability::Safe,
        message: "write a number".to_owned(),
        edits: vec![edit.clone()],
    };
    sink.amend(&INVALID_DIM, |finding: &mut Diagnostic| {
        finding.fix = edits.get(&finding.primary.span.start).map(fix);
    });
}

/// The edits of one port, by where the text starts.
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
