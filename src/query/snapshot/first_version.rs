//! The first version of the snapshot format, only to compare existing snapshots; it is never written.
//!
//! Its columns are aligned, and only a layer's own type with a number counts as a generated name.

use super::text::{outputs, show, shown};
use crate::analysis::Model;
use crate::infer::Facts;
use crate::ir::{Graph, LayerId, Role};
use crate::source::Source;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt::Write;

/// The first line of a snapshot of the first version.
pub(super) const HEADER: &str = "# ovlint shapes v1\n";

/// Returns the snapshot of a model in the first version.
pub(super) fn snapshot(model: &Model) -> String {
    let mut text = String::from(HEADER);
    let (Some(net), Some(facts)) = (model.net(), model.facts()) else { return text };
    let _ = writeln!(text, "model {}", shown(&net.name));
    graph(&net.graph, facts, model.source(), "", &mut text);
    text
}

fn graph(graph: &Graph, facts: &Facts, source: &Source, indent: &str, text: &mut String) {
    let order = canonical_order(graph, source);
    let mut rows: Vec<[String; 4]> = Vec::new();
    let mut inner_rows: Vec<(usize, LayerId)> = Vec::new();
    for (index, layer) in graph.entries() {
        if graph.kind(layer).role == Role::Parameter {
            rows.push(["in".into(), name(graph, source, index), String::new(), outputs(facts.outputs(index))]);
        }
    }
    for index in order.iter().copied() {
        let Some(layer) = graph.layer(index) else { continue };
        if matches!(graph.kind(layer).role, Role::Parameter | Role::Const | Role::Result) {
            continue;
        }
        let ty = shown(&graph.kind(layer).ty);
        rows.push([String::new(), name(graph, source, index), ty, outputs(facts.outputs(index))]);
        if layer.subgraph.is_some() {
            inner_rows.push((rows.len() - 1, index));
        }
    }
    for (index, layer) in graph.entries() {
        if graph.kind(layer).role == Role::Result {
            let fact = graph.inputs(layer).first().and_then(|port| facts.of_port(port));
            let shown = fact.map_or_else(|| "not connected".to_owned(), show);
            rows.push(["out".into(), name(graph, source, index), String::new(), shown]);
        }
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0).min(60);
    let (names, types) = (width(1), width(2));
    for (place, [role, name, ty, shapes]) in rows.iter().enumerate() {
        let line = format!("{indent}{role:<4} {name:<names$}  {ty:<types$}  {shapes}");
        let _ = writeln!(text, "{}", line.trim_end());
        let first = inner_rows.partition_point(|(row, _)| *row < place);
        for (_, index) in inner_rows.iter().skip(first).take_while(|(row, _)| *row == place) {
            let bodies = graph.layer(*index).and_then(|layer| layer.subgraph.as_ref());
            for body in bodies.into_iter().flat_map(|subgraph| &subgraph.bodies) {
                if let Some(inner) = facts.body(*index, body.kind) {
                    let _ = writeln!(text, "{indent}     {}:", body.kind.name());
                    self::graph(&body.graph, inner, source, &format!("{indent}       "), text);
                }
            }
        }
    }
}

/// Returns the name of a layer. A name that OpenVINO generated, the type with a number, loses the number, as every export
/// counts anew.
fn name(graph: &Graph, source: &Source, index: LayerId) -> String {
    let Some(layer) = graph.layer(index) else { return String::new() };
    let name = graph.name(source, layer);
    let number = name.strip_prefix(graph.kind(layer).ty.as_str()).and_then(|rest| rest.strip_prefix('_'));
    match number {
        Some(number) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("{}_*", shown(&graph.kind(layer).ty))
        }
        _ => shown(&name),
    }
}

/// Returns a topological order; among layers that are ready at once, by name and then by index.
fn canonical_order(graph: &Graph, source: &Source) -> Vec<LayerId> {
    let mut missing: Vec<usize> = graph
        .layers
        .iter()
        .map(|layer| graph.inputs(layer).iter().filter(|port| port.source().is_some()).count())
        .collect();
    let mut ready: BinaryHeap<Reverse<(String, LayerId)>> = BinaryHeap::new();
    for ((index, _), count) in graph.entries().zip(&missing) {
        if *count == 0 {
            ready.push(Reverse((name(graph, source, index), index)));
        }
    }
    let mut order = Vec::with_capacity(graph.layers.len());
    while let Some(Reverse((_, index))) = ready.pop() {
        order.push(index);
        for consumer in graph.dag.neighbors(index.node()) {
            let left = &mut missing[consumer.index()];
            *left = left.saturating_sub(1);
            if *left == 0 {
                let place = LayerId::from(consumer);
                ready.push(Reverse((name(graph, source, place), place)));
            }
        }
    }
    order
}
