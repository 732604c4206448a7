//! The check for scales of 0 of compressed weights.

use super::{Found, Values, constant_at, producer};
use crate::diagnostic::{Rule, Severity};
use crate::ir::{Graph, Layer};
use crate::lint::Checked;
use crate::lint::rules::weights_rule;
use crate::ops::Action;
use crate::text::plural;

pub(crate) static ZERO_SCALE: Rule = weights_rule(
    "zero-scale",
    "a scale of compressed weights is 0",
    "Checked with `--deep` only, which reads all weights. To decompress weights, their low-bit values are converted \
     and multiplied by a scale for every channel or group. If the scale is 0, so are all its weights. A scale becomes \
     0 if it is too small for f16, or if all the weights were 0 when they were compressed.\n\n\
     Constants whose scales are all 0 are not reported: models are shared without their weights.",
)
.accepted(Severity::Warning)
.opt_in();

pub(super) fn finding<'a>(checked: &'a Checked, layer: &Layer, values: &Values) -> Found<'a> {
    let graph = checked.scope.graph;
    if graph.kind(layer).action() != Action::Multiplies {
        return None;
    }
    let input = (0..2).find(|input| is_converted_from_few_bits(graph, layer, *input))?;
    let (stored, constant) = constant_at(graph, layer, 1 - input)?;
    let census = values.of(constant).filter(|census| (1..census.elements).contains(&census.zeros))?;
    let (zeros, all) = (census.zeros, census.elements);
    let what = format!("has {zeros} zero scale{s} among {all}", s = plural(zeros));
    Some((&ZERO_SCALE, stored, what))
}

/// Whether an input is a converted constant of at most 8 bits, possibly minus a zero point.
fn is_converted_from_few_bits(graph: &Graph, layer: &Layer, input: usize) -> bool {
    let few = |layer: &Layer, input: usize| {
        let converted = producer(graph, layer, input).filter(|one| graph.kind(one).action() == Action::Converts);
        let stored = converted.and_then(|convert| constant_at(graph, convert, 0));
        stored.is_some_and(|(_, constant)| (1..=8).contains(&constant.ty.bits()))
    };
    let is_less = |one: &&Layer| graph.kind(one).action() == Action::Subtracts;
    few(layer, input) || producer(graph, layer, input).filter(is_less).is_some_and(|less| few(less, 0))
}
