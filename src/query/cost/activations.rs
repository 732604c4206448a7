//! The memory of tensors while a model runs, layer by layer: the peak, and the largest tensor.

use super::Work;
use super::polynomial::{Largest, Polynomial, Varying};
use crate::infer::Facts;
use crate::ir::{Graph, LayerId, OutputRef, Port, Role};
use crate::ops::{Action, Eval};
use std::collections::HashMap;
use std::ops::Range;

/// The memory of the tensors, as in [`Tensors`](super::Tensors).
#[derive(Default)]
pub(super) struct Activations {
    pub(super) peak: Largest<LayerId>,
    pub(super) largest: Largest<LayerId>,
    pub(super) unknown: Vec<LayerId>,
}

/// A tensor with memory of its own.
struct Buffer {
    bytes: Polynomial,
    /// The index of the last step that reads it.
    last: usize,
}

/// Computes the memory of the tensors of a graph from their live ranges. Step `i` runs the `i`-th layer in execution order.
pub(super) fn activations(graph: &Graph, facts: &Facts, work: &mut Work) -> Activations {
    let mut found = Activations::default();
    let order: Vec<LayerId> = facts.order().iter().copied().filter(|layer| facts.is_reachable(*layer)).collect();
    let mut buffers: Vec<Buffer> = Vec::new();
    // The index of each output's buffer; `None` if its size is unknown. Outputs that depend on constants alone are absent.
    let mut buffer_of: HashMap<OutputRef, Option<usize>> = HashMap::new();
    let mut made: Vec<Range<usize>> = Vec::with_capacity(order.len());
    for (step, id) in order.iter().enumerate() {
        let start = buffers.len();
        made.push(start..start);
        let Some(layer) = graph.layer(*id) else { continue };
        let kind = graph.kind(layer);
        let inputs: Vec<Option<usize>> = graph
            .inputs(layer)
            .iter()
            .filter_map(Port::source)
            .filter_map(|from| buffer_of.get(&from).copied())
            .collect();
        for input in inputs.iter().flatten() {
            if let Some(buffer) = buffers.get_mut(*input) {
                // A model output lives to the end, because the caller reads it after the last step.
                buffer.last = if kind.role == Role::Result { order.len() } else { buffer.last.max(step) };
            }
        }
        let is_state = kind.action() == Action::Reads;
        let is_constant = kind.role != Role::Parameter && !is_state && inputs.is_empty();
        if is_constant || kind.role == Role::Result {
            continue;
        }
        let is_copy = kind.spec().is_some_and(|spec| matches!(spec.eval, Eval::Copy(_)));
        for (index, fact) in facts.outputs(*id).iter().enumerate() {
            let Ok(output) = u32::try_from(index) else { break };
            let output = OutputRef { layer: *id, output };
            // A state has its own memory, counted elsewhere, so it gets no new buffer here. A copy such as a Reshape shares the
            // buffer of its input.
            if is_state || is_copy {
                buffer_of.insert(output, inputs.first().copied().flatten());
            } else if let Some(bytes) = work.bytes(fact) {
                found.largest.consider(&bytes, *id, &|length| work.is_positive(length));
                buffer_of.insert(output, Some(buffers.len()));
                buffers.push(Buffer { bytes, last: step });
            } else {
                buffer_of.insert(output, None);
                found.unknown.push(*id);
            }
        }
        if let Some(made) = made.last_mut() {
            *made = start..buffers.len();
        }
    }
    found.unknown.dedup(); // Several outputs may be unknown.
    found.peak = peak(graph, &order, &buffers, &made, work);
    found
}

/// Finds the peak: the largest sum of live buffers over all steps. Model inputs are live from the start.
fn peak(graph: &Graph, order: &[LayerId], buffers: &[Buffer], made: &[Range<usize>], work: &Work) -> Largest<LayerId> {
    let is_input = |id: &LayerId| graph.layer(*id).is_some_and(|layer| graph.kind(layer).role == Role::Parameter);
    let of = |step: usize| buffers.get(made.get(step)?.clone());
    let mut used = Varying::default();
    let mut free: Vec<Vec<&Buffer>> = vec![Vec::new(); order.len()];
    for (step, id) in order.iter().enumerate() {
        for buffer in of(step).unwrap_or_default() {
            if is_input(id) {
                used.add(&buffer.bytes);
            }
            if let Some(free) = free.get_mut(buffer.last) {
                free.push(buffer);
            }
        }
    }
    for ((step, id), free) in order.iter().enumerate().zip(free) {
        let made = of(step).unwrap_or_default();
        for buffer in made.iter().filter(|_| !is_input(id)) {
            used.add(&buffer.bytes);
        }
        // Without a new buffer, the sum is at most that of the step before.
        if step == 0 || !made.is_empty() {
            used.consider(*id, &|length| work.is_positive(length));
        }
        for buffer in free {
            used.remove(&buffer.bytes);
        }
    }
    used.into_largest()
}
