//! The layers that a part of a model keeps, and the plan by which they make a model: the Parameters, constants and Results
//! that they need, and the edges that are cut.

use super::original::Original;
use crate::ir::{LayerId, OutputRef, Role};
use petgraph::Direction;
use std::collections::{BTreeMap, BTreeSet};

/// A body: the layer that owns it, and its index among the bodies of that layer.
pub(crate) type BodyRef = (LayerId, usize);

/// A point of the search space: the layers that the search keeps. [`Plan`] adds the Parameters, constants and Results that
/// they need.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Choice {
    /// A flag per layer: kept or not.
    pub layers: Vec<bool>,
    /// A flag per other part of the text, such as a comment or `<rt_info>`.
    pub extras: Vec<bool>,
    /// Maximum size, in bytes, of constants to keep for their consumers; larger ones are kept only if `layers` says so.
    pub largest: u64,
    /// Set if every output without a kept consumer gets a Result. Otherwise only layers that lead to no Result get one.
    pub every_output: bool,
    /// The weights file of the candidate.
    pub weights: Treatment,
    /// Set if names are replaced.
    pub is_anonymous: bool,
    /// A flag per layer of each body that is not kept whole.
    pub bodies: BTreeMap<BodyRef, Vec<bool>>,
    /// Outputs that become inputs for all layers that consume them, even if their own layer is kept.
    pub cut: BTreeSet<OutputRef>,
    /// Outputs that get a Result.
    pub results: BTreeSet<OutputRef>,
    /// Set if new inputs have the tensor names of the outputs that they replace.
    pub keeps_names: bool,
}

/// The ways to build the weights file of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Treatment {
    /// The original bytes.
    Whole,
    /// The original bytes, followed by the values of computed tensors that become constants.
    Extended,
    /// Only the bytes that kept and new constants need, at new offsets.
    Packed,
}

impl Choice {
    /// Returns the choice that keeps the whole model.
    pub(crate) fn all(original: &Original) -> Self {
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
            cut: BTreeSet::new(),
            results: BTreeSet::new(),
            keeps_names: false,
        }
    }

    /// Returns the choice for a body. Its Parameters and Results stay, as the port maps of the layer around refer to them.
    pub(crate) fn of_body(&self, body: &Original, chosen: &[bool]) -> Self {
        let mut layers = chosen.to_vec();
        for end in body.layer_ids().filter(|at| matches!(body.role(*at), Role::Parameter | Role::Result)) {
            set(&mut layers, end);
        }
        Self { layers, extras: vec![false; body.document.extras], bodies: BTreeMap::new(), ..self.clone() }
    }

    pub(crate) fn with(&self, original: &Original, chosen: impl IntoIterator<Item = LayerId>) -> Self {
        let mut layers = vec![false; original.graph.layers.len()];
        chosen.into_iter().for_each(|layer| set(&mut layers, layer));
        Self { layers, ..self.clone() }
    }
}

/// A choice, completed so that it is a model.
#[derive(Debug)]
pub(crate) struct Plan {
    /// A flag per layer: kept or not.
    pub stays: Vec<bool>,
    /// The outputs of removed layers, with the inputs of kept layers that consume them.
    pub cuts: BTreeMap<OutputRef, Vec<(LayerId, u32)>>,
    /// The outputs that need a new Result.
    pub results: Vec<OutputRef>,
    /// The starts of the edges from cut outputs of layers that stay.
    pub dropped: BTreeSet<u32>,
}

impl Plan {
    pub(crate) fn of(original: &Original, choice: &Choice) -> Self {
        let graph = original.graph;
        let (cuts, dropped) = (BTreeMap::new(), BTreeSet::new());
        let mut plan = Self { stays: choice.layers.clone(), cuts, results: Vec::new(), dropped };
        for layers in &original.variables {
            if layers.iter().any(|layer| plan.has(*layer)) {
                for layer in layers {
                    set(&mut plan.stays, *layer);
                }
            }
        }
        let inner: Vec<LayerId> = original.layer_ids().filter(|layer| plan.has(*layer)).collect();
        for layer in &inner {
            plan.keep_producers(original, choice, *layer);
        }
        plan.add_results(original, choice);
        plan.drop_edges(original, choice);
        let is_end = |role: Role| matches!(role, Role::Result | Role::Assign);
        let has_end = |plan: &Self| original.layer_ids().any(|layer| plan.has(layer) && is_end(original.role(layer)));
        if plan.results.is_empty() && !has_end(&plan) {
            // OpenVINO requires an output.
            let first = original.layer_ids().find(|layer| {
                original.role(*layer) == Role::Result && graph.dag.neighbors_undirected(layer.node()).next().is_some()
            });
            if let Some(first) = first {
                set(&mut plan.stays, first);
                plan.keep_producers(original, choice, first);
            }
        }
        plan
    }

    pub(crate) fn has(&self, layer: LayerId) -> bool {
        self.stays.get(layer.index()).copied().unwrap_or_default()
    }

    /// Keeps the Parameters and constants that a layer consumes, and records its other removed producers in `cuts`.
    fn keep_producers(&mut self, original: &Original, choice: &Choice, layer: LayerId) {
        for (input, from) in original.inputs(layer) {
            let is_cut = choice.cut.contains(&from);
            if self.has(from.layer) && !is_cut {
                continue;
            }
            let stays = match original.role(from.layer) {
                _ if is_cut => false,
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

    /// Adds Results, so that every layer that led to one in the original still does.
    fn add_results(&mut self, original: &Original, choice: &Choice) {
        let order = || original.facts.order().iter().rev().copied();
        for output in &choice.results {
            let consumers = original.consumers(output.layer).remove(&output.output).unwrap_or_default();
            self.add_result(original, *output, &consumers);
        }
        if choice.every_output {
            for layer in order().filter(|layer| choice.layers.get(layer.index()) == Some(&true)) {
                for (output, consumers) in original.consumers(layer) {
                    if !consumers.iter().any(|to| self.has(*to)) {
                        self.add_result(original, OutputRef { layer, output }, &consumers);
                    }
                }
            }
        }
        let mut leads = vec![false; self.stays.len()];
        for layer in order().filter(|layer| matches!(original.role(*layer), Role::Result | Role::Assign)) {
            self.mark_leading(original, &mut leads, layer);
        }
        for output in self.results.clone() {
            self.mark_leading(original, &mut leads, output.layer);
        }
        // A Parameter of a body may stay unused.
        let is_needed = |layer: &LayerId| !(original.is_body && original.role(*layer) == Role::Parameter);
        // Reverse topological order needs the fewest Results: most layers lead to a later one that has one already.
        for layer in order().filter(is_needed) {
            if self.has(layer)
                && original.facts.is_reachable(layer)
                && !leads.get(layer.index()).is_none_or(|leads| *leads)
            {
                if let Some((output, consumers)) = original.consumers(layer).pop_first() {
                    self.add_result(original, OutputRef { layer, output }, &consumers);
                }
                self.mark_leading(original, &mut leads, layer);
            }
        }
    }

    /// Records the edges from cut outputs of layers that stay.
    fn drop_edges(&mut self, original: &Original, choice: &Choice) {
        for output in choice.cut.iter().filter(|output| self.stays.get(output.layer.index()) == Some(&true)) {
            let edges = original.graph.dag.edges_directed(output.layer.node(), Direction::Outgoing);
            let cut = edges.filter(|edge| edge.weight().output == output.output).map(|edge| edge.weight().tag.start);
            self.dropped.extend(cut);
        }
    }

    /// Keeps the Result that consumes an output in the original, or plans a new one.
    fn add_result(&mut self, original: &Original, output: OutputRef, consumers: &[LayerId]) {
        match consumers.iter().find(|to| original.role(**to) == Role::Result) {
            Some(result) => set(&mut self.stays, *result),
            None => self.results.push(output),
        }
    }

    /// Marks a layer and its transitive producers as leading to a Result.
    fn mark_leading(&self, original: &Original, leads: &mut [bool], layer: LayerId) {
        let mut open = vec![layer];
        while let Some(layer) = open.pop().filter(|layer| self.has(*layer)) {
            if !leads.get_mut(layer.index()).is_none_or(|leads| std::mem::replace(leads, true)) {
                open.extend(original.inputs(layer).map(|(_, from)| from.layer).filter(|from| self.has(*from)));
            }
        }
    }
}

pub(crate) fn set(layers: &mut [bool], layer: LayerId) {
    if let Some(flag) = layers.get_mut(layer.index()) {
        *flag = true;
    }
}
