//! `ovlint run`: the execution of a model as far as its layers only move data.
//!
//! Shapes always come from inference; elements come from constants, from the given inputs, and from layers in between.

mod evaluate;
mod made;

use super::generate::Generator;
use super::tensor::Tensor;
use crate::analysis::Model;
use crate::arrange::Fill;
use crate::infer::Facts;
use crate::ir::lookup::{self, NO_MODEL};
use crate::ir::{Graph, Layer, LayerId, OutputRef, Role};
use crate::ops::{Action, Eval, Meaning};
use crate::query::names::Tensor as Named;
use evaluate::is_integer_convert;
use made::room;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// The data for an input of the model.
#[derive(Clone, Debug)]
pub enum Feed {
    /// These elements; type and shape must be those of the input.
    Tensor(Tensor),
    /// Generated elements of the input's type and shape.
    Generated(Generator),
}

/// The result of running one layer.
#[derive(Clone, Debug)]
pub struct Step {
    /// The layer.
    pub layer: LayerId,
    /// The outputs, or the reason why there are none.
    pub outputs: Result<Vec<Tensor>, String>,
    /// Set if the layer is a target of the run: the layer of `until`, or else a split or the producer of a Result.
    pub is_target: bool,
}

/// Runs the layers of a model that only move data, up to the layer of `until`, or else up to all splits and Results.
///
/// The steps are in order of execution. A layer that cannot be evaluated is a step with the reason instead of outputs.
pub fn run(model: &Model, feeds: &[(String, Feed)], until: Option<OutputRef>) -> Result<Vec<Step>, String> {
    let (Some(net), Some(facts)) = (model.net(), model.facts()) else { return Err(NO_MODEL.to_owned()) };
    let left = Cell::new(model.limits().tensors);
    let mut runner = Runner { model, graph: &net.graph, facts, done: BTreeMap::new(), failed: BTreeMap::new(), left };
    let inputs = runner.inputs(feeds)?;
    let targets = runner.targets(until);
    let needed = runner.needed(&targets);
    let mut steps = Vec::new();
    for &index in facts.order() {
        if !needed.get(index.index()).copied().unwrap_or(false) {
            continue;
        }
        let Some(layer) = net.graph.layer(index) else { continue };
        let outputs = match inputs.get(&index) {
            Some(tensor) => Ok(vec![tensor.clone()]),
            None => runner.evaluate(index, layer),
        };
        match &outputs {
            Ok(tensors) => {
                for (output, tensor) in (0_u32..).zip(tensors) {
                    runner.done.insert(OutputRef { layer: index, output }, tensor.clone());
                }
            }
            Err(_) => {
                let root = runner.root(index, layer);
                runner.failed.insert(index, root);
            }
        }
        steps.push(Step { layer: index, outputs, is_target: targets.contains(&index) });
    }
    Ok(steps)
}

/// Finds the output with a name. An output in a body is an error, because bodies cannot be run.
pub fn find_output(model: &Model, name: &str) -> Result<OutputRef, String> {
    let tensor = Named::find(model, name)?;
    if tensor.path.is_empty() { Ok(tensor.output) } else { Err(format!("`{name}` is in a body; bodies are not run")) }
}

struct Runner<'a> {
    model: &'a Model,
    graph: &'a Graph,
    facts: &'a Facts,
    done: BTreeMap<OutputRef, Tensor>,
    /// The layers that could not be evaluated, each with the layer that is the root cause.
    failed: BTreeMap<LayerId, LayerId>,
    /// The memory left for further tensors, in bytes.
    left: Cell<u64>,
}

impl Runner<'_> {
    /// Returns the tensor of every Parameter that has data.
    fn inputs(&self, feeds: &[(String, Feed)]) -> Result<BTreeMap<LayerId, Tensor>, String> {
        let mut tensors = BTreeMap::new();
        for (name, feed) in feeds {
            let index = lookup::input(self.graph, self.model.source(), name)?;
            let Some(fact) = self.facts.outputs(index).first() else { continue };
            let wanted = format!("{}{}", fact.ty, fact.shape);
            let mismatch = |found: &Tensor| format!("input `{name}` is {wanted}, but the data is {found}");
            let dynamic = || format!("input `{name}` is {wanted}, which is dynamic; set its shape with --shape");
            let lengths = fact.shape.sizes().ok_or_else(dynamic)?;
            let tensor = match feed {
                Feed::Tensor(tensor) if tensor.ty() == fact.ty && tensor.lengths() == &*lengths => tensor.clone(),
                Feed::Tensor(tensor) => return Err(mismatch(tensor)),
                Feed::Generated(generator) => self
                    .reserve(room(fact.ty, &lengths))
                    .and_then(|()| generator.tensor(fact.ty, &lengths))
                    .map_err(|cause| format!("input `{name}`: {cause}"))?,
            };
            if tensors.insert(index, tensor).is_some() {
                return Err(format!("--input gives `{name}` twice"));
            }
        }
        Ok(tensors)
    }

    /// Returns the layer of `until`, or else all splits and producers of Results.
    fn targets(&self, until: Option<OutputRef>) -> BTreeSet<LayerId> {
        if let Some(output) = until {
            return BTreeSet::from([output.layer]);
        }
        let target = |(index, layer): (LayerId, &Layer)| match self.graph.kind(layer) {
            kind if kind.role == Role::Result => Some(self.graph.inputs(layer).first()?.source()?.layer),
            kind => (kind.action() == Action::Splits).then_some(index),
        };
        self.graph.entries().filter_map(target).into_set()
    }

    /// Returns, for each layer, whether the targets need it.
    fn needed(&self, targets: &BTreeSet<LayerId>) -> Vec<bool> {
        let mut needed = vec![false; self.graph.layers.len()];
        let mut feeding = needed.clone();
        for &index in self.facts.order().iter().rev() {
            let Some(layer) = self.graph.layer(index) else { continue };
            let kind = self.graph.kind(layer);
            let slot = index.index();
            needed[slot] = targets.contains(&index) || feeding[slot];
            if !needed[slot] || self.known_outputs(index).is_some() {
                continue;
            }
            if let Meaning::Modelled(spec) = kind.meaning {
                match spec.eval {
                    Eval::Copy(_) => self.feed(layer, &mut feeding, |i| i == 0),
                    Eval::Move(..) => {
                        self.feed(layer, &mut feeding, |i| spec.input(i).is_some_and(|input| !input.reads_value));
                    }
                    _ if is_integer_convert(spec, self.facts.outputs(index)) => {
                        self.feed(layer, &mut feeding, |_| true);
                    }
                    _ => {}
                }
            }
        }
        needed
    }

    fn feed(&self, layer: &Layer, feeding: &mut [bool], wanted: impl Fn(usize) -> bool) {
        for (i, port) in self.graph.inputs(layer).iter().enumerate() {
            if let Some(source) = port.source().filter(|_| wanted(i)) {
                feeding[source.layer.index()] = true;
            }
        }
    }
}
