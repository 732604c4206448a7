//! The memory of tensors while a model runs.

use super::Work;
use super::polynomial::{Largest, Polynomial, Varying};
use crate::infer::Facts;
use crate::ir::{Graph, LayerId, OutputRef, Port, Role};
use crate::ops::{Action, Eval};
use std::collections::HashMap;
use std::ops::Range;

/// The memory of tensors that are neither constant nor follow from constants alone, in bytes.
#[derive(Debug, Default)]
pub(crate) struct Activations {
    /// The most that is in use at once when layers run in the order of the file, and the layer that runs then.
    pub(crate) peak: Largest<LayerId>,
    /// The largest tensor, and the layer that makes it.
    pub(crate) largest: Largest<LayerId>,
    /// Layers with an output whose size is unknown; it is not counted.
    pub(crate) unknown: Vec<LayerId>,
}

/// A tensor that takes memory.
struct Buffer {
    bytes: Polynomial,
    /// The last step at which it is in use.
    last: usize,
}

/// The memory of the tensors of a graph.
pub(super) fn activations(graph: &Graph, facts: &Facts, work: &mut Work) -> Activations {
    let mut found = Activations::default();
    let order: Vec<LayerId> = facts.order().iter().copied().filter(|layer| facts.is_reachable(*layer)).collect();
    let mut buffers: Vec<Buffer> = Vec::new();
    // The buffer that an output is in, if its size is known; constants are left out.
    let mut places: HashMap<OutputRef, Option<usize>> = HashMap::new();
    let mut made: Vec<Range<usize>> = Vec::with_capacity(order.len());
    for (step, place) in order.iter().enumerate() {
        let start = buffers.len();
        made.push(start..start);
        let Some(layer) = graph.layer(*place) else { continue };
        let kind = graph.kind(layer);
        let inputs: Vec<Option<usize>> =
            graph.inputs(layer).iter().filter_map(Port::source).filter_map(|from| places.get(&from).copied()).collect();
        for input in inputs.iter().flatten() {
            if let Some(buffer) = buffers.get_mut(*input) {
                // Callers read results once everything has run.
                buffer.last = if kind.role == Role::Result { order.len() } else { buffer.last.max(step) };
            }
        }
        let is_state = kind.action() == Action::Reads;
        let is_constant = kind.role != Role::Parameter && !is_state && inputs.is_empty();
        if is_constant || kind.role == Role::Result {
            continue;
        }
        let is_copy = kind.spec().is_some_and(|spec| matches!(spec.eval, Eval::Copy(_)));
        for (index, fact) in facts.outputs(*place).iter().enumerate() {
            let Ok(output) = u32::try_from(index) else { break };
            let output = OutputRef { layer: *place, output };
            // A state has memory of its own, and another shape needs none.
            if is_state || is_copy {
                places.insert(output, inputs.first().copied().flatten());
            } else if let Some(bytes) = work.bytes(fact) {
                found.largest.consider(&bytes, *place, &|length| work.is_positive(length));
                places.insert(output, Some(buffers.len()));
                buffers.push(Buffer { bytes, last: step });
            } else {
                places.insert(output, None);
                found.unknown.push(*place);
            }
        }
        if let Some(made) = made.last_mut() {
            *made = start..buffers.len();
        }
    }
    found.peak = peak(graph, &order, &buffers, &made, work);
    found
}

/// The most that is in use at once. Inputs are there from the start.
fn peak(graph: &Graph, order: &[LayerId], buffers: &[Buffer], made: &[Range<usize>], work: &Work) -> Largest<LayerId> {
    let is_input = |place: &LayerId| graph.layer(*place).is_some_and(|layer| graph.kind(layer).role == Role::Parameter);
    let of = |step: usize| buffers.get(made.get(step)?.clone());
    let mut used = Varying::default();
    let mut free: Vec<Vec<&Buffer>> = vec![Vec::new(); order.len()];
    for (step, place) in order.iter().enumerate() {
        for buffer in of(step).unwrap_or_default() {
            if is_input(place) {
                used.add(&buffer.bytes);
            }
            if let Some(free) = free.get_mut(buffer.last) {
                free.push(buffer);
            }
        }
    }
    for ((step, place), free) in order.iter().enumerate().zip(free) {
        for buffer in of(step).unwrap_or_default().iter().filter(|_| !is_input(place)) {
            used.add(&buffer.bytes);
        }
        used.consider(*place, &|length| work.is_positive(length));
        for buffer in free {
            used.remove(&buffer.bytes);
        }
    }
    used.into_largest()
}
