//! The values that make a layer reject its inputs.

use super::bisect::bisect;
use super::follow::Follower;
use super::probe::{Factor, Probe, forget};
use super::{Aspect, Reason};
use crate::analysis::Model;
use crate::infer::Facts;
use crate::ir::{Graph, Layer};
use crate::ops::Meaning;
use crate::query::names::Tensor;
use std::cell::Cell;

/// Maximum number of elements per input to test.
const ELEMENTS: usize = 64;

/// Maximum depth to which the origin of a value is followed.
const DEPTH: usize = 4;

/// Finds the dimensions and elements each of which is necessary for the fault: if it is unknown, the layer accepts its inputs.
/// Returns them with their origins.
pub(crate) fn pins(model: &Model, graph: &Graph, facts: &Facts, layer: &Layer, path: &Tensor) -> Vec<Reason> {
    let Meaning::Modelled(spec) = graph.kind(layer).meaning else { return Vec::new() };
    let left = Cell::new(super::follow::WORK);
    let probe = Probe::new((model.source(), graph, facts), layer, spec, model.limits(), &left);
    let factors = probe.factors(Aspect::Dim(0), ELEMENTS);
    let exact: Vec<Factor> = factors.into_iter().filter(|factor| probe.known(*factor).is_exact()).collect();
    let free = |factors: &[Factor]| probe.accepts(|inputs| factors.iter().for_each(|factor| forget(inputs, *factor)));
    let mut follower = Follower::new(model, DEPTH);
    bisect(&exact, usize::MAX, &free).into_iter().filter_map(|factor| follower.factor(path, layer, factor)).collect()
}
