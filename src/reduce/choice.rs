//! What stays of a model, and where that cuts it off from the rest.

use super::original::Original;
use crate::ir::{LayerId, OutputRef, Role};
use std::collections::BTreeMap;

/// What is to stay of a model. Inputs, constants and Results follow from that.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Choice {
    /// The layers, by their places.
    pub layers: Vec<bool>,
    /// The other parts of the text, by their numbers.
    pub extras: Vec<bool>,
    /// Constants of more bytes than this that are not chosen become inputs.
    pub largest: u64,
    /// Whether outputs that nothing takes any more have a Result each, or only layers none of whose outputs is taken.
    pub every_output: bool,
    /// What becomes of the weights.
    pub weights: Treatment,
}

/// What becomes of the weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Treatment {
    /// They stay as they are.
    Whole,
    /// What is known of elements comes behind them.
    Extended,
    /// Only what is needed stays.
    Packed,
}

impl Choice {
    /// The whole model as it is.
    pub(super) fn all(original: &Original) -> Self {
        let extras = vec![true; original.document.extras];
        let layers = vec![true; original.graph.layers.len()];
        Self { layers, extras, largest: u64::MAX, every_output: true, weights: Treatment::Whole }
    }

    /// The same with other layers.
    pub(super) fn with(&self, original: &Original, chosen: impl IntoIterator<Item = LayerId>) -> Self {
        let mut layers = vec![false; original.graph.layers.len()];
        chosen.into_iter().for_each(|layer| set(&mut layers, layer));
        Self { layers, ..self.clone() }
    }
}

/// What the reduced model consists of.
#[derive(Debug)]
pub(super) struct Plan {
    /// The layers that stay, by their places.
    pub stays: Vec<bool>,
    /// The outputs of layers that do not stay, with the inputs that take them.
    pub cuts: BTreeMap<OutputRef, Vec<(LayerId, u32)>>,
    /// The outputs that need a Result.
    pub results: Vec<OutputRef>,
}

impl Plan {
    pub(super) fn of(original: &Original, choice: &Choice) -> Self {
        let graph = original.graph;
        let mut plan = Self { stays: choice.layers.clone(), cuts: BTreeMap::new(), results: Vec::new() };
        for state in &original.states {
            if state.iter().any(|layer| plan.has(*layer)) {
                for layer in state {
                    set(&mut plan.stays, *layer);
                }
            }
        }
        let inner: Vec<LayerId> = original.places().filter(|layer| plan.has(*layer)).collect();
        for layer in &inner {
            plan.feed(original, choice, *layer);
        }
        for layer in inner {
            plan.end(original, choice, layer);
        }
        let is_end = |role: Role| matches!(role, Role::Result | Role::Assign);
        let has_end = |plan: &Self| original.places().any(|layer| plan.has(layer) && is_end(original.role(layer)));
        if plan.results.is_empty() && !has_end(&plan) {
            // OpenVINO wants an output.
            let first = original.places().find(|layer| {
                original.role(*layer) == Role::Result && graph.dag.neighbors_undirected(layer.node()).next().is_some()
            });
            if let Some(first) = first {
                set(&mut plan.stays, first);
                plan.feed(original, choice, first);
            }
        }
        plan
    }

    pub(super) fn has(&self, layer: LayerId) -> bool {
        self.stays.get(layer.index()).copied().unwrap_or_default()
    }

    /// Keeps the inputs and constants that a layer takes, and notes what else it takes.
    fn feed(&mut self, original: &Original, choice: &Choice, layer: LayerId) {
        for (input, from) in original.inputs(layer) {
            if self.has(from.layer) {
                continue;
            }
            let stays = match original.role(from.layer) {
                Role::Parameter => true,
                Role::Const => original.constant_size(from.layer).is_none_or(|size| size <= choice.largest),
                _ => false,
            };
            if stays {
                set(&mut self.stays, from.layer);
            } else {
                self.cuts.entry(from).or_default().push((layer, input));
            }
        }
    }

    /// Gives a layer the Results that it needs.
    fn end(&mut self, original: &Original, choice: &Choice, layer: LayerId) {
        let takers = original.takers(layer);
        if takers.is_empty() || !original.facts.is_reachable(layer) {
            return;
        }
        let is_taken = |plan: &Self, output| takers.iter().any(|(of, to)| *of == output && plan.has(*to));
        let mut outputs: Vec<u32> = takers.iter().map(|(output, _)| *output).collect();
        outputs.sort_unstable();
        outputs.dedup();
        if !choice.every_output {
            if outputs.iter().any(|output| is_taken(self, *output)) {
                return;
            }
            outputs.truncate(1);
        }
        for output in outputs {
            if is_taken(self, output) {
                continue;
            }
            let result = takers.iter().find(|(of, to)| *of == output && original.role(*to) == Role::Result);
            match result {
                Some((_, result)) => set(&mut self.stays, *result),
                None => self.results.push(OutputRef { layer, output }),
            }
        }
    }
}

pub(super) fn set(layers: &mut [bool], layer: LayerId) {
    if let Some(place) = layers.get_mut(layer.index()) {
        *place = true;
    }
}
