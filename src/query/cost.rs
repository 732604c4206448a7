//! What a model costs: the memory of its weights, states and tensors, and the multiplications of one run; as functions of
//! the lengths of its inputs where those are open.

mod activations;
mod polynomial;
#[cfg(test)]
mod tests;

pub(crate) use activations::Activations;
pub(crate) use polynomial::{Largest, Polynomial};

use super::inputs::Inputs;
use crate::analysis::Model;
use crate::infer::{Facts, with_call};
use crate::ir::{Constant, Graph, Layer, LayerId};
use crate::ops::Macs;
use crate::types::symbol::substitution::Substitution;
use crate::types::symbol::{Atom, Symbol};
use crate::types::{Dim, ElementType, Fact};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What a model costs.
#[derive(Debug)]
pub struct Cost<'a> {
    pub(crate) inputs: Inputs<'a>,
    /// The kinds of lengths that are taken to be the same for all inputs and states.
    pub(crate) alike: Vec<String>,
    /// Constants by type, most bytes first; bytes that several constants share count once.
    pub(crate) weights: Vec<(ElementType, Stored)>,
    /// The constant with the most bytes, with their number.
    pub(crate) largest_weight: Option<(LayerId, u64)>,
    /// What one run of the main graph multiplies, by type of layer.
    pub(crate) macs: Multiplied,
    /// What one run of each body multiplies: `loop_1/body`.
    pub(crate) bodies: Vec<(String, Multiplied)>,
    /// Tensors of the main graph.
    pub(crate) activations: Activations,
    /// Variables, with their bytes if their size is known.
    pub(crate) states: Vec<(String, Option<Polynomial>)>,
}

/// How much is stored.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Stored {
    pub(crate) constants: usize,
    pub(crate) elements: u64,
    pub(crate) bytes: u64,
}

/// Multiplications that are added up: MACs.
#[derive(Debug, Default)]
pub(crate) struct Multiplied {
    /// By type of layer, with the number of layers.
    pub(crate) by_type: BTreeMap<String, (usize, Polynomial)>,
    /// Types of layers that multiply as well, but how often is unknown, with the number of layers.
    pub(crate) uncounted: BTreeMap<String, usize>,
}

impl Multiplied {
    /// All of it.
    pub(crate) fn total(&self) -> Polynomial {
        let mut total = Polynomial::default();
        self.by_type.values().for_each(|(_, macs)| total.add(macs));
        total
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.by_type.is_empty() && self.uncounted.is_empty()
    }
}

impl<'a> Cost<'a> {
    /// The cost for a person, who takes lengths to be 1 or more, and those of one kind to be the same for all inputs and
    /// states; `None` if no symbols were asked for.
    pub fn for_people(model: &'a Model) -> Option<Self> {
        let inputs = Inputs::for_people(model)?;
        let (mut firsts, mut by, mut alike) = (BTreeMap::new(), HashMap::new(), BTreeSet::new());
        for (length, bounds) in inputs.domain.expressions.inputs() {
            let Some(symbol) = inputs.domain.expressions.input(length) else { continue };
            let Some(kind) = inputs.names.kind(length).filter(|kind| ALIKE.contains(kind)) else { continue };
            let first = *firsts.entry(kind).or_insert(symbol);
            if first != symbol {
                by.insert(Atom::Input(length, bounds), first);
                alike.insert(kind.to_owned());
            }
        }
        Self::new(model, inputs, Substitution::new(by), alike.into_iter().collect())
    }

    /// The cost for a program.
    pub fn for_programs(model: &'a Model) -> Option<Self> {
        Self::new(model, Inputs::for_programs(model)?, Substitution::default(), Vec::new())
    }

    fn new(model: &'a Model, mut inputs: Inputs<'a>, same: Substitution, alike: Vec<String>) -> Option<Self> {
        let (net, facts) = (model.net()?, model.facts()?);
        let mut constants = Constants::default();
        constants.add(&net.graph, None);
        let mut weights: Vec<_> = constants.by_type.into_iter().collect();
        weights.sort_by_key(|(ty, stored)| (std::cmp::Reverse(stored.bytes), *ty));
        let mut work = Work { model, inputs: &mut inputs, same };
        let macs = work.multiplied(&net.graph, facts);
        let mut bodies = Vec::new();
        work.bodies(&net.graph, facts, "", &mut bodies);
        let activations = activations::activations(&net.graph, facts, &mut work);
        let states: Vec<_> = work.inputs.states();
        let states = states.into_iter().map(|end| (end.layer, end.fact.and_then(|fact| work.bytes(&fact)))).collect();
        Some(Self { inputs, alike, weights, largest_weight: constants.largest, macs, bodies, activations, states })
    }
}

/// Kinds of lengths that are the same for all inputs and states in practice, though few models demand it.
const ALIKE: [&str; 3] = ["batch", "past", "seq"];

/// What lengths are taken to be where one of several sums is to be shown.
const TYPICAL: i64 = 1_000;

impl Cost<'_> {
    /// The multiplications of one run of the main graph, if they do not depend on open lengths.
    pub(crate) fn macs(&self) -> Option<u128> {
        self.macs.total().known()
    }

    /// What a length is where those of the inputs are [`TYPICAL`].
    pub(crate) fn typical(&self, length: Symbol) -> Option<u128> {
        u128::try_from(self.inputs.domain.expressions.evaluate(length, &|_| Some(TYPICAL))?).ok()
    }
}

/// Constants, bodies included.
#[derive(Default)]
struct Constants {
    by_type: BTreeMap<ElementType, Stored>,
    seen: BTreeSet<(u64, u64)>,
    largest: Option<(LayerId, u64)>,
}

impl Constants {
    /// Counts those of a graph; `owner` is the layer of the main graph that it is a body of.
    fn add(&mut self, graph: &Graph, owner: Option<LayerId>) {
        for (place, layer) in graph.entries() {
            if let Some(constant) = graph.constant(layer) {
                self.count(constant, owner.unwrap_or(place));
            }
            layer.bodies().for_each(|body| self.add(&body.graph, owner.or(Some(place))));
        }
    }

    fn count(&mut self, constant: &Constant, place: LayerId) {
        let stored = self.by_type.entry(constant.ty).or_default();
        stored.constants += 1;
        if !self.seen.insert((constant.offset, constant.size)) {
            return;
        }
        stored.elements = stored.elements.saturating_add(constant.elements().unwrap_or_default());
        stored.bytes = stored.bytes.saturating_add(constant.size);
        if self.largest.is_none_or(|(_, most)| constant.size > most) {
            self.largest = Some((place, constant.size));
        }
    }
}

struct Work<'w, 'a> {
    model: &'a Model,
    inputs: &'w mut Inputs<'a>,
    /// Lengths by others that they are taken to equal.
    same: Substitution,
}

impl Work<'_, '_> {
    /// The product of a number and of lengths; `None` if one of them is unknown.
    fn product(&mut self, number: u64, dims: &[Dim]) -> Option<Polynomial> {
        let (mut number, mut open) = (u128::from(number), Vec::new());
        for dim in dims {
            let known = |length: i64| u128::try_from(length).ok();
            match dim.length() {
                Some(length) => number = number.checked_mul(known(length)?)?,
                None => {
                    let symbol = self.simplest(dim.symbol());
                    match self.inputs.domain.expressions.known(symbol) {
                        Some(length) => number = number.checked_mul(known(length)?)?,
                        None if symbol == Symbol::NONE => return None,
                        None => open.push(symbol),
                    }
                }
            }
        }
        Some(Polynomial::product(number, open))
    }

    /// The bytes of a tensor; `None` if they are unknown.
    fn bytes(&mut self, fact: &Fact) -> Option<Polynomial> {
        if let Some(count) = fact.shape.count() {
            let bytes = fact.ty.storage(u64::try_from(count).ok()?)?;
            return Some(Polynomial::product(u128::from(bytes), Vec::new()));
        }
        // Of types that share bytes, the number of bytes is no product.
        let bytes = fact.ty.storage(1).filter(|_| !fact.ty.is_packed())?;
        self.product(bytes, fact.shape.dims()?)
    }

    fn simplest(&mut self, symbol: Symbol) -> Symbol {
        let symbol = self.inputs.simplest(symbol);
        self.same.apply(&mut self.inputs.domain.expressions, symbol).unwrap_or(symbol)
    }

    /// Whether a length is 1 or more.
    fn is_positive(&self, length: Symbol) -> bool {
        self.inputs.domain.expressions.bounds(length).0 > 0
    }

    /// What the layers of a graph multiply, those that OpenVINO builds.
    fn multiplied(&mut self, graph: &Graph, facts: &Facts) -> Multiplied {
        let mut all = Multiplied::default();
        for (place, layer) in graph.entries().filter(|(place, _)| facts.is_reachable(*place)) {
            let kind = graph.kind(layer);
            let Some(spec) = kind.spec() else { continue };
            let macs = match spec.macs {
                Macs::None => continue,
                Macs::Uncounted => None,
                Macs::Of(_) => self.macs_of(graph, facts, place, layer),
            };
            match macs {
                Some(macs) => {
                    let (layers, sum) = all.by_type.entry(spec.name.to_owned()).or_default();
                    *layers += 1;
                    sum.add(&macs);
                }
                None => *all.uncounted.entry(spec.name.to_owned()).or_default() += 1,
            }
        }
        all
    }

    fn macs_of(&mut self, graph: &Graph, facts: &Facts, place: LayerId, layer: &Layer) -> Option<Polynomial> {
        let spec = graph.kind(layer).spec()?;
        let Macs::Of(count) = spec.macs else { return None };
        let products = with_call(self.model.source(), graph, facts, layer, spec, |call| {
            call.context(self.model.limits(), |cx| count(cx, facts.outputs(place)))
        })?;
        let mut sum = Polynomial::default();
        for product in products {
            sum.add(&self.product(1, &product)?);
        }
        Some(sum)
    }

    fn bodies(&mut self, graph: &Graph, facts: &Facts, path: &str, found: &mut Vec<(String, Multiplied)>) {
        for (place, layer) in graph.entries() {
            for (body, inner) in facts.bodies(place, layer) {
                let name = graph.full_name(self.model.source(), layer);
                let separator = if path.is_empty() { "" } else { "/" };
                let path = format!("{path}{separator}{name}/{}", body.kind.name());
                let macs = self.multiplied(&body.graph, inner);
                if !macs.is_empty() {
                    found.push((path.clone(), macs));
                }
                self.bodies(&body.graph, inner, &path, found);
            }
        }
    }
}
