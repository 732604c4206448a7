//! The cost of a model: the memory of its weights, states and tensors, and the multiply-accumulate operations (MACs) of one
//! run. With dynamic input dimensions, costs are polynomials: a KV cache may take `4096 * batch * past` bytes.

mod activations;
mod amount;
mod constants;
mod polynomial;
#[cfg(test)]
mod tests;

pub(crate) use amount::{Amount, Most, factor};
pub(crate) use polynomial::Polynomial;

use super::ends::End;
use super::inputs::Inputs;
use super::records::{LayerRecord, LayerRecords};
use super::sizes::Sizes;
use crate::analysis::Model;
use crate::arrange::{Arrange, Fill};
use crate::infer::{Facts, with_call};
use crate::ir::{Graph, Layer, LayerId};
use crate::ops::Macs;
use crate::query::states::states;
use crate::types::symbol::substitution::Substitution;
use crate::types::symbol::{Atom, Reader, Symbol};
use crate::types::{Dim, ElementType, Fact};
use constants::Constants;
use serde::{Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The cost of a model.
#[derive(Debug, Serialize)]
pub struct Cost<'a> {
    #[serde(rename = "symbols", serialize_with = "symbols")]
    pub(crate) inputs: Inputs<'a>,
    /// The kinds of dimensions, such as `batch`, that are assumed to be equal across all inputs and states.
    #[serde(skip)]
    pub(crate) alike: Vec<String>,
    /// Set if a dimension has no number.
    #[serde(skip)]
    pub(crate) is_open: bool,
    /// The constants per element type, most bytes first. Bytes that several constants share are counted once.
    pub(crate) weights: Vec<Stored>,
    /// The largest constant.
    pub(crate) largest_weight: Option<LargestWeight>,
    /// The MACs of one run of the main graph.
    pub(crate) macs: Multiplied,
    /// The MACs of one run of each body.
    pub(crate) bodies: Vec<Body>,
    /// The tensors of the main graph.
    pub(crate) tensors: Tensors,
    /// The variables.
    pub(crate) states: Vec<State>,
}

fn symbols<S: Serializer>(inputs: &Inputs, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(inputs.names.inputs())
}

/// The storage of all constants of an element type.
#[derive(Debug, Serialize)]
pub(crate) struct Stored {
    #[serde(rename = "type")]
    pub(crate) ty: ElementType,
    pub(crate) constants: usize,
    pub(crate) elements: u64,
    pub(crate) bytes: u64,
}

/// The largest constant: its size, and its layer, or the layer of the main graph whose body contains it.
#[derive(Debug, Serialize)]
pub(crate) struct LargestWeight {
    pub(crate) bytes: u64,
    pub(crate) layer: Option<LayerRecord>,
}

/// The MACs of a graph.
#[derive(Debug, Serialize)]
pub(crate) struct Multiplied {
    /// The sum over all operation types.
    pub(crate) total: Amount,
    pub(crate) by_type: Vec<ByType>,
    /// The MACs of each layer that has some.
    #[serde(skip)]
    pub(crate) by_layer: Vec<(LayerId, Polynomial)>,
    /// Operation types whose MACs ovlint cannot count.
    pub(crate) uncounted: Vec<Uncounted>,
}

/// The MACs of all layers of an operation type.
#[derive(Debug, Serialize)]
pub(crate) struct ByType {
    #[serde(rename = "type")]
    pub(crate) ty: &'static str,
    pub(crate) layers: usize,
    pub(crate) macs: Amount,
}

#[derive(Debug, Serialize)]
pub(crate) struct Uncounted {
    #[serde(rename = "type")]
    pub(crate) ty: &'static str,
    pub(crate) layers: usize,
}

/// The MACs of a body, which is named as `loop_1/body`.
#[derive(Debug, Serialize)]
pub(crate) struct Body {
    pub(crate) body: String,
    pub(crate) macs: Multiplied,
}

/// The memory in bytes of tensors that depend on inputs or states.
#[derive(Debug, Serialize)]
pub(crate) struct Tensors {
    /// The peak memory of live tensors if layers run in the order of inference, and the layer that runs at the peak.
    pub(crate) peak: Most,
    /// The largest tensor, and its producer.
    pub(crate) largest: Most,
    /// The layers with an output of unknown size, which is not counted.
    pub(crate) unknown: Vec<LayerRecord>,
}

/// A variable, with its bytes if its size is known.
#[derive(Debug, Serialize)]
pub(crate) struct State {
    pub(crate) name: String,
    pub(crate) bytes: Option<Amount>,
}

impl Multiplied {
    pub(crate) fn is_empty(&self) -> bool {
        self.by_type.is_empty() && self.uncounted.is_empty()
    }
}

impl<'a> Cost<'a> {
    /// Returns the cost for people, under the assumptions that dimensions are 1 or more, and that those of one kind
    /// (such as `batch`) are equal across all inputs and states.
    pub fn for_people(model: &'a Model, sizes: &Sizes) -> Result<Self, String> {
        Self::of(model, Inputs::for_people(model), Reader::Person, sizes)
    }

    /// Returns the cost for programs, without assumptions.
    pub fn for_programs(model: &'a Model, sizes: &Sizes) -> Result<Self, String> {
        Self::of(model, Inputs::for_programs(model), Reader::Program, sizes)
    }

    fn of(model: &'a Model, inputs: Option<Inputs<'a>>, reader: Reader, sizes: &Sizes) -> Result<Self, String> {
        let unread = || "the model has no shapes that can be read".to_owned();
        let mut inputs = inputs.ok_or_else(unread)?;
        let numbers = sizes.numbers(&inputs)?;
        let expressions = &mut inputs.domain.expressions;
        let alike = |length| inputs.names.kind(length).filter(|kind| reader == Reader::Person && ALIKE.contains(kind));
        let mut known = BTreeMap::new();
        for (length, number) in &numbers {
            known.extend(expressions.number(*number).map(|symbol| (*length, symbol)));
        }
        let given = known.iter().rev().filter_map(|(length, symbol)| Some((alike(*length)?, *symbol)));
        let (mut firsts, mut by, mut same) = (given.into_map(), HashMap::new(), BTreeSet::new());
        let mut is_open = false;
        for (length, bounds) in expressions.inputs() {
            let Some(own) = known.get(&length).copied().or_else(|| expressions.input(length)) else { continue };
            let kind = alike(length).filter(|_| !known.contains_key(&length));
            let first = kind.map_or(own, |kind| *firsts.entry(kind).or_insert(own));
            same.extend(kind.filter(|_| first != own).map(str::to_owned));
            by.extend((Some(first) != expressions.input(length)).then_some((Atom::Input(length, bounds), first)));
            is_open |= expressions.known(first).is_none();
        }
        let alike = same.into_iter().collect();
        Self::new(model, inputs, reader, Substitution::new(by), alike, is_open).ok_or_else(unread)
    }

    fn new(
        model: &'a Model,
        mut inputs: Inputs<'a>,
        reader: Reader,
        same: Substitution,
        alike: Vec<String>,
        is_open: bool,
    ) -> Option<Self> {
        let (net, facts) = (model.net()?, model.facts()?);
        let mut constants = Constants::default();
        constants.add(&net.graph, None);
        let mut weights: Vec<_> = constants.by_type.into_values().collect();
        weights.arrange_by_key(|stored| (std::cmp::Reverse(stored.bytes), stored.ty));
        let mut work = Work { model, inputs: &mut inputs, reader, same };
        let macs = work.multiplied(&net.graph, facts);
        let mut bodies = Vec::new();
        work.bodies(&net.graph, facts, "", &mut bodies);
        let found = activations::activations(&net.graph, facts, &mut work);
        let states = states(work.inputs.model);
        let states = states.into_iter().map(|end| work.state(end)).collect();
        let records = LayerRecords::of(model)?;
        let tensors = Tensors {
            peak: Most::of(&inputs, &records, found.peak),
            largest: Most::of(&inputs, &records, found.largest),
            unknown: found.unknown.iter().filter_map(|id| records.layer(*id)).collect(),
        };
        let largest = constants.largest.map(|(id, bytes)| LargestWeight { bytes, layer: records.layer(id) });
        Some(Self { inputs, alike, is_open, weights, largest_weight: largest, macs, bodies, tensors, states })
    }
}

/// The kinds of dimensions that are usually equal across inputs and states, although few models require it.
const ALIKE: [&str; 3] = ["batch", "past", "seq"];

/// The value of every dimension in the comparison that selects one of several possible maxima for display.
const TYPICAL: i64 = 1_000;

impl Cost<'_> {
    /// Returns the MACs of one run of the main graph, if they do not depend on dynamic dimensions.
    pub(crate) fn macs(&self) -> Option<u128> {
        self.macs.total.sum.known()
    }

    /// Evaluates a dimension with every input dimension set to [`TYPICAL`].
    pub(crate) fn typical(&self, length: Symbol) -> Option<u128> {
        u128::try_from(self.inputs.domain.expressions.evaluate(length, &|_| Some(TYPICAL))?).ok()
    }
}

struct Work<'w, 'a> {
    model: &'a Model,
    inputs: &'w mut Inputs<'a>,
    reader: Reader,
    /// The substitution of dimensions that are assumed to be equal by the first of them.
    same: Substitution,
}

impl Work<'_, '_> {
    /// Returns the product of a number and dimensions; `None` if one of them is unknown.
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
                        None if symbol == Symbol::NONE || self.is_hidden(symbol) => return None,
                        None => open.push(symbol),
                    }
                }
            }
        }
        Some(Polynomial::product(number, open))
    }

    /// Whether data decides a dimension, for which only programs have a name.
    fn is_hidden(&self, length: Symbol) -> bool {
        self.reader == Reader::Person && self.inputs.domain.expressions.is_unknown(length)
    }

    fn state(&mut self, end: End) -> State {
        let bytes = end.fact.and_then(|fact| self.bytes(&fact));
        State { name: end.layer, bytes: bytes.map(|bytes| Amount::of(self.inputs, bytes)) }
    }

    /// Returns the bytes of a tensor; `None` if they are unknown.
    fn bytes(&mut self, fact: &Fact) -> Option<Polynomial> {
        if let Some(count) = fact.shape.count() {
            let bytes = fact.ty.storage(u64::try_from(count).ok()?)?;
            return Some(Polynomial::product(u128::from(bytes), Vec::new()));
        }
        // The size of packed elements is rounded up to whole bytes, so it is not a product of dimensions.
        let bytes = fact.ty.storage(1).filter(|_| !fact.ty.is_packed())?;
        self.product(bytes, fact.shape.dims()?)
    }

    fn simplest(&mut self, symbol: Symbol) -> Symbol {
        let symbol = self.inputs.simplest(symbol);
        self.same.apply(&mut self.inputs.domain.expressions, symbol).unwrap_or(symbol)
    }

    /// Whether a dimension is 1 or more.
    fn is_positive(&self, length: Symbol) -> bool {
        self.inputs.domain.expressions.bounds(length).0 > 0
    }

    /// Counts the MACs of a graph, without those of layers that lead to no Result: OpenVINO does not build these.
    fn multiplied(&mut self, graph: &Graph, facts: &Facts) -> Multiplied {
        let mut counted: BTreeMap<&'static str, (usize, Polynomial)> = BTreeMap::new();
        let mut uncounted: BTreeMap<&'static str, usize> = BTreeMap::new();
        let mut by_layer = Vec::new();
        for (id, layer) in graph.entries().filter(|(id, _)| facts.is_reachable(*id)) {
            let kind = graph.kind(layer);
            let Some(spec) = kind.spec() else { continue };
            let macs = match spec.macs {
                Macs::None => continue,
                Macs::Uncounted => None,
                Macs::Of(_) => self.macs_of(graph, facts, id, layer),
            };
            match macs {
                Some(macs) => {
                    let (layers, sum) = counted.entry(spec.name).or_default();
                    *layers += 1;
                    sum.add(&macs);
                    by_layer.push((id, macs));
                }
                None => *uncounted.entry(spec.name).or_default() += 1,
            }
        }
        let mut total = Polynomial::default();
        for (_, macs) in counted.values() {
            total.add(macs);
        }
        let amount = |sum| Amount::of(self.inputs, sum);
        let by_type = counted.into_iter().map(|(ty, (layers, sum))| ByType { ty, layers, macs: amount(sum) });
        let uncounted = uncounted.into_iter().map(|(ty, layers)| Uncounted { ty, layers });
        Multiplied { total: amount(total), by_type: by_type.collect(), by_layer, uncounted: uncounted.collect() }
    }

    fn macs_of(&mut self, graph: &Graph, facts: &Facts, id: LayerId, layer: &Layer) -> Option<Polynomial> {
        let spec = graph.kind(layer).spec()?;
        let Macs::Of(count) = spec.macs else { return None };
        let products = with_call(self.model.source(), graph, facts, layer, spec, |call| {
            call.context(self.model.limits(), |cx| count(cx, facts.outputs(id)))
        })?;
        let mut sum = Polynomial::default();
        for product in products {
            sum.add(&self.product(1, &product)?);
        }
        Some(sum)
    }

    fn bodies(&mut self, graph: &Graph, facts: &Facts, path: &str, found: &mut Vec<Body>) {
        for (id, layer) in graph.entries() {
            for (body, inner) in facts.bodies(id, layer) {
                let name = graph.full_name(self.model.source(), layer);
                let separator = if path.is_empty() { "" } else { "/" };
                let path = format!("{path}{separator}{name}/{}", body.kind.name());
                let macs = self.multiplied(&body.graph, inner);
                if !macs.is_empty() {
                    found.push(Body { body: path.clone(), macs });
                }
                self.bodies(&body.graph, inner, &path, found);
            }
        }
    }
}
