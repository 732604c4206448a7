//! Checks that read the elements of all constants, for values that no training, conversion or compression should leave
//! behind.

mod census;
mod finite;
mod misread;
mod quantize_range;
mod scale;
mod subnormal;
mod uniform;

pub(crate) use finite::NON_FINITE_WEIGHTS;
pub(crate) use misread::MISREAD_WEIGHTS;
pub(crate) use quantize_range::INVERTED_RANGE;
pub(crate) use scale::ZERO_SCALE;
pub(crate) use subnormal::SUBNORMAL_WEIGHTS;
pub(crate) use uniform::UNIFORM_WEIGHTS;

use super::super::{Checked, for_every_graph};
use super::about;
use crate::diagnostic::{Diagnostic, Rule, Sink};
use crate::ir::{Constant, Graph, Layer, Port};
use crate::ops::Action;
use crate::types::ElementType;
use census::{Census, censuses};
use std::collections::{BTreeMap, BTreeSet};

/// The rules that `--deep` adds.
pub static DEEP: [&Rule; 6] =
    [&NON_FINITE_WEIGHTS, &SUBNORMAL_WEIGHTS, &MISREAD_WEIGHTS, &UNIFORM_WEIGHTS, &ZERO_SCALE, &INVERTED_RANGE];

/// The census of every float constant.
struct Values(BTreeMap<(u64, u64, ElementType), Census>);

impl Values {
    fn of(&self, constant: &Constant) -> Option<&Census> {
        self.0.get(&key(constant))
    }
}

fn key(constant: &Constant) -> (u64, u64, ElementType) {
    (constant.offset, constant.size, constant.ty)
}

/// The fault of a constant that a layer reads: the rule, the Const, and the text after its name.
type Found<'a> = Option<(&'static Rule, &'a Layer, String)>;

pub(super) fn check(checked: &Checked, sink: &mut Sink) {
    if !DEEP.iter().any(|rule| checked.options.enables(rule)) {
        return;
    }
    let mut constants = BTreeMap::new();
    for_every_graph(checked, &mut |checked| {
        let graph = checked.scope.graph;
        let all = graph.layers.iter().filter_map(|layer| graph.constant(layer));
        constants.extend(all.filter(|constant| census::is_counted(constant.ty)).map(|one| (key(one), one.clone())));
    });
    let (keys, constants): (Vec<_>, Vec<_>) = constants.into_iter().unzip();
    let counted = censuses(checked.scope.weights, &constants);
    let counted = keys.into_iter().zip(counted).filter_map(|(key, census)| Some((key, census?))).collect();
    let values = Values(counted);
    let mut seen = BTreeSet::new();
    for_every_graph(checked, &mut |checked| {
        let graph = checked.scope.graph;
        for layer in &graph.layers {
            if let Some(constant) = graph.constant(layer) {
                if let Some(census) = values.of(constant).filter(|_| seen.insert(key(constant))) {
                    let found = [finite::finding, subnormal::finding, misread::finding];
                    let found = found.into_iter().filter_map(|finding| finding(constant, census));
                    found.for_each(|(rule, what)| report(checked, layer, rule, &what, sink));
                }
                continue;
            }
            for finding in [uniform::finding, scale::finding, quantize_range::finding] {
                if let Some((rule, constant, what)) = finding(checked, layer, &values) {
                    report(checked, constant, rule, &what, sink);
                }
            }
        }
    });
}

/// Reports a finding about a constant.
fn report(checked: &Checked, constant: &Layer, rule: &'static Rule, what: &str, sink: &mut Sink) {
    if checked.options.enables(rule) {
        let name = checked.scope.graph.name(checked.scope.source, constant);
        let message = format!("Const `{name}` {what}");
        sink.report(about(checked, constant, Diagnostic::new(rule, constant.data, message)));
    }
}

/// The constant at an input, possibly behind a Convert.
fn constant_at<'a>(graph: &'a Graph, layer: &Layer, input: usize) -> Option<(&'a Layer, &'a Constant)> {
    let producer = producer(graph, layer, input)?;
    let stored =
        if graph.kind(producer).action() == Action::Converts { self::producer(graph, producer, 0)? } else { producer };
    Some((stored, graph.constant(stored)?))
}

/// The producer of an input.
fn producer<'a>(graph: &'a Graph, layer: &Layer, input: usize) -> Option<&'a Layer> {
    graph.layer(graph.inputs(layer).get(input).and_then(Port::source)?.layer)
}
