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
    /// Whether names are replaced.
    pub is_anonymous: bool,
    /// The layers that stay of bodies that do not stay whole, by the layer around and the number of its body.
    pub bodies: BTreeMap<(LayerId, usize), Vec<bool>>,
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
        Self {
            layers,
            extras,
            largest: u64::MAX,
            every_output: true,
            weights: Treatment::Whole,
            is_anonymous: false,
            bodies: BTreeMap::new(),
        }
    }

    /// The choice for a body. Its ends stay, as the layer around is wired to them.
    pub(super) fn of_body(&self, body: &Original, chosen: &[bool]) -> Self {
        let mut layers = chosen.to_vec();
        for end in body.places().filter(|at| matches!(body.role(*at), Role::Parameter | Role::Result)) {
            set(&mut layers, end);
        }
        Self { layers, extras: vec![false; body.document.extras], bodies: BTreeMap::new(), ..self.clone() }
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
        plan.end(original, choice);
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

    /// Adds Results, so that every layer leads to one that did in the original.
    fn end(&mut self, original: &Original, choice: &Choice) {
        let order = || original.facts.order().iter().rev().copied();
        if choice.every_output {
            for layer in order().filter(|layer| choice.layers.get(layer.index()) == Some(&true)) {
                for (output, takers) in original.takers(layer) {
                    if !takers.iter().any(|to| self.has(*to)) {
                        self.add_result(original, OutputRef { layer, output }, &takers);
                    }
                }
            }
        }
        let mut leads = vec![false; self.stays.len()];
        for layer in order().filter(|layer| matches!(original.role(*layer), Role::Result | Role::Assign)) {
            self.lead(original, &mut leads, layer);
        }
        for output in self.results.clone() {
            self.lead(original, &mut leads, output.layer);
        }
        // An input of a body may be left without a use.
        let is_needed = |layer: &LayerId| !(original.is_body && original.role(*layer) == Role::Parameter);
        // Those at the end come first, so that most of the others lead to them.
        for layer in order().filter(is_needed) {
            if self.has(layer)
                && original.facts.is_reachable(layer)
                && !leads.get(layer.index()).is_none_or(|leads| *leads)
            {
                if let Some((output, takers)) = original.takers(layer).pop_first() {
                    self.add_result(original, OutputRef { layer, output }, &takers);
                }
                self.lead(original, &mut leads, layer);
            }
        }
    }

    /// Gives an output its own Result, or a new one.
    fn add_result(&mut self, original: &Original, output: OutputRef, takers: &[LayerId]) {
        match takers.iter().find(|to| original.role(**to) == Role::Result) {
            Some(result) => set(&mut self.stays, *result),
            None => self.results.push(output),
        }
    }

    /// Notes that a layer leads to a Result, and so does what it takes.
    fn lead(&self, original: &Original, leads: &mut [bool], layer: LayerId) {
        let mut open = vec![layer];
        while let Some(layer) = open.pop().filter(|layer| self.has(*layer)) {
            if !leads.get_mut(layer.index()).is_none_or(|leads| std::mem::replace(leads, true)) {
                open.extend(original.inputs(layer).map(|(_, from)| from.layer).filter(|from| self.has(*from)));
            }
        }
    }
}

pub(super) fn set(layers: &mut [bool], layer: LayerId) {
    if let Some(place) = layers.get_mut(layer.index()) {
        *place = true;
    }
}
