//! The walk from a tensor back to the inputs and constants that determine it.

mod known;
mod scene;
mod single;
mod step;

use super::probe::{Answer, Factor};
use super::{Aspect, How, Producer, Reason, SHOWN, Why};
use crate::analysis::Model;
use crate::diagnostic::WeightsRange;
use crate::infer::Facts;
use crate::ir::{Constant, Graph, Layer, OutputRef};
use crate::query::names::Tensor;
use crate::query::stops::Stops;
use crate::source::Lines;
use known::Known;
use scene::Point;
pub use single::{SingleStep, SingleSteps, Source};
use std::cell::{Cell, OnceCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use step::Step;

/// The budget of work per query: the number of inputs and elements passed to inference, plus 8 per inference of a layer.
pub(super) const WORK: usize = 1 << 25;

/// Maximum number of reasons per query.
const REASONS: usize = 1_000;

/// The prefix of a graph, an output in it, and an aspect.
type Key = (String, OutputRef, Aspect);

/// Explains tensors of one model.
pub(super) struct Follower<'a> {
    model: &'a Model,
    lines: OnceCell<Lines<'a>>,
    depth: usize,
    left: Cell<usize>,
    known: Known,
    reasons: usize,
    explained: BTreeSet<Key>,
    /// The reasons of aspects that agree with a single origin elsewhere; each lists the layers in between.
    single_origins: BTreeMap<Key, Reason>,
    is_cut: bool,
}

impl<'a> Follower<'a> {
    pub(super) fn new(model: &'a Model, depth: usize) -> Self {
        Self {
            model,
            lines: OnceCell::new(),
            depth,
            left: Cell::new(WORK),
            known: Known::default(),
            reasons: 0,
            explained: BTreeSet::new(),
            single_origins: BTreeMap::new(),
            is_cut: false,
        }
    }

    /// Explains every dimension and the type of a tensor, or the dimension `only`.
    pub(super) fn why(
        &mut self,
        graph: &'a Graph,
        facts: &'a Facts,
        tensor: &Tensor,
        only: Option<usize>,
    ) -> Option<Why> {
        let scene = self.scene(graph, facts, &tensor.path)?;
        let (graph, facts) = (scene.graph, scene.facts);
        let layer = graph.layer(tensor.output.layer)?;
        let fact = facts.output(tensor.output)?.clone();
        let mut aspects: Vec<Aspect> = match fact.rank() {
            Some(rank) => (0..rank).map(Aspect::Dim).collect(),
            None => vec![Aspect::Rank],
        };
        aspects.push(Aspect::Type);
        aspects.retain(|aspect| only.is_none_or(|axis| *aspect == Aspect::Dim(axis)));
        let point = |aspect| Point { scene: Rc::clone(&scene), output: tensor.output, aspect };
        let reasons = aspects.into_iter().filter_map(|aspect| self.reason(point(aspect), self.depth)).collect();
        let tensor = self.name(&scene, tensor.output);
        let is_complete = !self.is_cut && self.left.get() > 0;
        let layer = Producer { ty: graph.kind(layer).ty.clone(), line: self.line(layer.tag.start) };
        let (stops, symbols) = (Stops::default(), Vec::new());
        Some(Why { tensor, layer, fact, symbols, only, failure: None, stops, reasons, is_complete })
    }

    /// Explains a factor: an aspect of one input of a layer.
    pub(super) fn factor(&mut self, within: &Tensor, layer: &Layer, factor: Factor) -> Option<Reason> {
        let scene = self.scene(&self.model.net()?.graph, self.model.facts()?, &within.path)?;
        let output = scene.graph.inputs(layer).get(factor.input)?.source()?;
        self.reason(Point { scene, output, aspect: factor.aspect }, self.depth)
    }

    /// Follows an aspect back through layers that pass it on, to the layer that determines it, and explains it there.
    fn reason(&mut self, mut point: Point<'a>, depth: usize) -> Option<Reason> {
        let (mut through, mut passed) = (Vec::new(), BTreeSet::new());
        self.reasons += 1;
        let (mut how, attributes, arithmetic, mut from) = loop {
            match self.step(&point) {
                Step::Passes(next) if passed.insert((point.scene.prefix.clone(), point.output, point.aspect)) => {
                    through.push(self.layer_name(&point));
                    point = next;
                }
                // A cycle: some port on it declares the aspect.
                Step::Passes(_) => break (How::Assumed, Vec::new(), None, Vec::new()),
                Step::Ends { how, attributes, arithmetic, from } => break (how, attributes, arithmetic, from),
            }
        };
        if how == How::Assumed && !is_declared(&point) {
            how = How::Unknown;
        }
        let key = (point.scene.prefix.clone(), point.output, point.aspect);
        if !from.is_empty() {
            if let Some(reason) = self.single_origins.get(&key) {
                through.extend(reason.through.iter().cloned());
                return Some(Reason { through, ..reason.clone() });
            }
            if self.explained.contains(&key) {
                (how, from) = (How::Above, Vec::new());
            } else if depth == 0 || self.reasons >= REASONS {
                (how, from) = (How::Deeper, Vec::new());
            } else {
                self.explained.insert(key.clone());
            }
        }
        self.is_cut |= how == How::Deeper || from.len() > SHOWN;
        let from = from.into_iter().take(SHOWN).filter_map(|next| self.reason(next, depth - 1));
        let mut from: Vec<Reason> = from.collect();
        if matches!(how, How::Agreed | How::Body) {
            distinct(&mut from);
            // A single origin replaces the reason, unless the value differs, as after the iterations of a loop.
            let own = value(&point);
            if let [reason] = from.as_mut_slice()
                && reason.value == own
            {
                reason.through.insert(0, self.layer_name(&point));
                if reason.from.is_empty() {
                    self.single_origins.insert(key, reason.clone());
                }
                through.append(&mut reason.through);
                return from.pop().map(|reason| Reason { through, ..reason });
            }
        }
        let value = value(&point);
        let Point { scene, output, aspect } = point;
        let layer = scene.graph.layer(output.layer)?;
        let position = match how {
            How::Parameter | How::Constant if !layer.data.is_empty() => layer.data.start,
            _ => layer.tag.start,
        };
        let weights = match (aspect, how, scene.graph.constant(layer)) {
            (Aspect::Element(index), How::Constant, Some(constant)) => Some(bytes_of(constant, index)),
            _ => None,
        };
        Some(Reason {
            tensor: self.name(&scene, output),
            aspect,
            value,
            symbolic: None,
            layer: Producer { ty: scene.graph.kind(layer).ty.clone(), line: self.line(position) },
            through,
            stated: match how {
                How::Stated => self.model.stated(scene.graph.kind(layer)).map(|(_, position)| position),
                _ => None,
            },
            how,
            attributes: if how == How::Above { Vec::new() } else { attributes },
            arithmetic: arithmetic.filter(|_| how == How::Computed),
            weights,
            from,
        })
    }
}

/// Whether the output port at a point declares the known value of the aspect.
fn is_declared(point: &Point) -> bool {
    let Point { scene, output, aspect } = point;
    let port = scene.graph.layer(output.layer).and_then(|layer| scene.graph.outputs(layer).get(output.output as usize));
    let declared = port.map(|port| crate::infer::declared(scene.graph, port));
    let known = scene.facts.output(*output);
    declared.zip(known).is_some_and(|(declared, known)| Answer::of(&declared, *aspect) == Answer::of(known, *aspect))
}

fn distinct(reasons: &mut Vec<Reason>) {
    let mut seen = BTreeSet::new();
    reasons.retain(|reason| seen.insert((reason.tensor.clone(), reason.aspect)));
}

/// Returns the bytes of an element; those of the whole constant if elements may cross byte boundaries or have no fixed size.
fn bytes_of(constant: &Constant, index: usize) -> WeightsRange {
    let whole = WeightsRange { offset: constant.offset, size: constant.size };
    let bits = u64::from(constant.ty.bits());
    let index = index as u64;
    match (bits, bits.checked_mul(index)) {
        (1..8 | 8.., Some(first)) if bits % 8 == 0 || 8 % bits == 0 => {
            WeightsRange { offset: constant.offset.saturating_add(first / 8), size: bits.div_ceil(8) }
        }
        _ => whole,
    }
}

fn value(point: &Point) -> String {
    let fact = point.scene.facts.output(point.output);
    fact.map_or_else(|| "?".to_owned(), |fact| text(Answer::of(fact, point.aspect)))
}

/// Formats an answer in the notation of facts.
fn text(answer: Answer) -> String {
    match answer {
        Answer::Dim(dim) => dim.to_string(),
        Answer::Integer(bounds) => crate::types::integer_text(bounds),
        Answer::Float(lower, upper) if lower == upper => crate::types::number_text(f64::from_bits(lower)),
        Answer::Rank(Some(rank)) => rank.to_string(),
        Answer::Type(ty) => ty.to_string(),
        Answer::Float(..) | Answer::Rank(None) | Answer::Unknown => "?".to_owned(),
    }
}
