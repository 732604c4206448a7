//! The matching of layers between two models: by unique names, by unique signatures (structural hashes), and along edges from
//! matched layers.
//!
//! Example: an exporter renames `Relu_5` to `act`. Its producer `conv1` is matched by name. Then `Relu_5` and `act` match as
//! consumers of the same output, with the same type and the same signature.

use super::interface;
use super::signature::{IDENTIFYING, Signature, signatures};
use crate::analysis::Model;
use crate::arrange::Fill;
use crate::diagnostic::Direction;
use crate::infer::Plan;
use crate::ir::{Body, BodyKind, Graph, Layer, LayerId, OutputRef, Port, Role, Weights};
use crate::source::Source;
use crate::text::stable_name;
use petgraph::Direction::Outgoing;
use petgraph::visit::EdgeRef;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, VecDeque};

/// The maximum number of consumers of a layer, or of layers with one name, that are compared pairwise.
const FAN_OUT: usize = 500;

/// An output, the input that consumes it, and the layer of that input.
type Consumer = (u32, u32, LayerId);

/// The matched layers of two graphs, and those of their bodies.
#[derive(Debug, Default)]
pub(super) struct Matched {
    /// The new counterpart of every old layer.
    pub new_of: Vec<Option<LayerId>>,
    /// The old counterpart of every new layer.
    pub old_of: Vec<Option<LayerId>>,
    /// The number of layers matched by name, without constants.
    pub by_name: usize,
    /// The number of layers matched by structure, without constants.
    pub by_structure: usize,
    /// The matches in the bodies of matched layers, by the old layer.
    pub bodies: BTreeMap<(LayerId, BodyKind), Matched>,
}

impl Matched {
    /// Matches a graph with itself.
    pub(super) fn same(graph: &Graph) -> Self {
        let all: Vec<Option<LayerId>> = graph.entries().map(|(index, _)| Some(index)).collect();
        let of_body = |(index, body): (LayerId, &Body)| ((index, body.kind), Self::same(&body.graph));
        let bodies = graph.entries().flat_map(|(index, layer)| layer.bodies().map(move |body| (index, body)));
        let bodies: BTreeMap<_, Self> = bodies.map(of_body).into_map();
        let inner = graph.layers.iter().filter(|layer| graph.kind(layer).role != Role::Const).count();
        let by_name = inner + bodies.values().map(|body| body.by_name).sum::<usize>();
        Self { new_of: all.clone(), old_of: all, by_name, by_structure: 0, bodies }
    }

    fn pair(&mut self, old: LayerId, new: LayerId) -> bool {
        let (Some(there @ None), Some(back @ None)) =
            (self.new_of.get_mut(old.index()), self.old_of.get_mut(new.index()))
        else {
            return false;
        };
        (*there, *back) = (Some(new), Some(old));
        true
    }

    /// Returns the new counterpart of an old layer.
    pub(super) fn in_new(&self, old: LayerId) -> Option<LayerId> {
        self.new_of.get(old.index()).copied().flatten()
    }

    fn in_old(&self, new: LayerId) -> Option<LayerId> {
        self.old_of.get(new.index()).copied().flatten()
    }
}

pub(super) fn matched(old: &Model, new: &Model) -> Matched {
    match (Side::of(old), Side::of(new)) {
        (Some(was), Some(_)) if old.source().bytes() == new.source().bytes() => Matched::same(was.graph),
        (Some(was), Some(is)) => {
            let ends =
                [Direction::Input, Direction::Output].map(|direction| interface::matched_ends(old, new, direction));
            match_graphs(&was, &is, Some(&ends))
        }
        _ => Matched::default(),
    }
}

/// A graph of the old or of the new model.
struct Side<'a> {
    graph: &'a Graph,
    plan: &'a Plan,
    source: &'a Source,
    weights: &'a Weights,
    /// The signatures of all layers, computed on first use because names often suffice.
    signatures: OnceCell<Vec<Signature>>,
}

impl<'a> Side<'a> {
    fn of(model: &'a Model) -> Option<Self> {
        Some(Self::new(&model.net()?.graph, model.facts()?.plan(), model.source(), model.weights()))
    }

    fn new(graph: &'a Graph, plan: &'a Plan, source: &'a Source, weights: &'a Weights) -> Self {
        Self { graph, plan, source, weights, signatures: OnceCell::new() }
    }

    fn body(&self, layer: LayerId, kind: BodyKind) -> Option<Self> {
        let graph = self.graph.layer(layer)?.subgraph.as_ref()?.body(kind)?;
        Some(Self::new(graph, self.plan.body(layer, kind)?, self.source, self.weights))
    }

    fn layers(&self) -> impl Iterator<Item = (LayerId, &'a Layer)> + use<'a> {
        self.graph.entries()
    }

    fn ty(&self, index: LayerId) -> Option<&'a str> {
        self.graph.layer(index).map(|layer| self.graph.kind(layer).ty.as_str())
    }

    fn is_constant(&self, index: LayerId) -> bool {
        self.graph.layer(index).is_some_and(|layer| self.graph.kind(layer).role == Role::Const)
    }

    fn producer(&self, index: LayerId, input: usize) -> Option<OutputRef> {
        self.graph.inputs(self.graph.layer(index)?).get(input).and_then(Port::source)
    }

    /// Returns the consumers of a layer, sorted.
    fn consumers(&self, index: LayerId) -> impl Iterator<Item = Consumer> + use<'a> {
        let graph = self.graph;
        let mut all: Vec<Consumer> = graph
            .dag
            .edges_directed(index.node(), Outgoing)
            .map(|edge| (edge.weight().output, edge.weight().input, edge.target().into()))
            .collect();
        all.sort_unstable();
        all.into_iter()
    }

    fn of_role(&self, role: Role) -> Vec<LayerId> {
        self.layers().filter(|(_, layer)| self.graph.kind(layer).role == role).map(|(index, _)| index).collect()
    }

    /// Returns the layers by name, without generated names; the value is `None` for a name that several layers have.
    fn names(&self) -> BTreeMap<String, Option<LayerId>> {
        let mut names = BTreeMap::new();
        for (index, layer) in self.layers() {
            let name = self.graph.full_name(self.source, layer);
            if stable_name(&name, &self.graph.kind(layer).ty) == name {
                names.entry(name.into_owned()).and_modify(|only| *only = None).or_insert(Some(index));
            }
        }
        names
    }

    /// Returns the hash at index `rank` of a layer's [`Signature`]; `None` past the end, which makes all layers equal.
    fn signature(&self, index: LayerId, rank: usize) -> Option<u64> {
        let all = || signatures(self.graph, self.plan, self.source, self.weights);
        self.signatures.get_or_init(all).get(index.index())?.get(rank).copied()
    }
}

/// Matches two graphs. `ends` has the index pairs of matched inputs and of matched outputs; `None` pairs them in order.
fn match_graphs(old: &Side, new: &Side, ends: Option<&[Vec<(usize, usize)>; 2]>) -> Matched {
    let mut matched = Matched {
        new_of: vec![None; old.graph.layers.len()],
        old_of: vec![None; new.graph.layers.len()],
        ..Matched::default()
    };
    let names = new.names();
    for (name, index) in old.names() {
        if let (Some(was), Some(Some(is))) = (index, names.get(&name))
            && old.is_constant(was) == new.is_constant(*is)
            && matched.pair(was, *is)
        {
            matched.by_name += usize::from(!old.is_constant(was));
        }
    }
    for (role, place) in [(Role::Parameter, 0), (Role::Result, 1)] {
        let (was, is) = (old.of_role(role), new.of_role(role));
        let in_order = || (0..was.len()).map(|place| (place, place)).collect();
        for (i, j) in ends.map_or_else(in_order, |ends| ends[place].clone()) {
            if let (Some(old), Some(new)) = (was.get(i), is.get(j)) {
                matched.by_structure += usize::from(matched.pair(*old, *new));
            }
        }
    }
    let ranks = Signature::default().len();
    for rank in 0..=ranks {
        if old.layers().all(|(index, _)| matched.in_new(index).is_some()) {
            break;
        }
        match rank {
            _ if rank < IDENTIFYING => match_unique(old, new, rank, &mut matched),
            _ if rank == ranks => match_same_names(old, new, &mut matched),
            _ => {}
        }
        propagate(old, new, rank, &mut matched);
    }
    match_bodies(old, new, &mut matched);
    matched
}

/// Matches remaining layers of equal names, even generated or duplicate ones; duplicates match in order.
fn match_same_names(old: &Side, new: &Side, matched: &mut Matched) {
    let mut open: BTreeMap<Cow<str>, VecDeque<LayerId>> = BTreeMap::new();
    for (is, layer) in new.layers().filter(|(is, _)| matched.in_old(*is).is_none()) {
        open.entry(new.graph.full_name(new.source, layer)).or_default().push_back(is);
    }
    for (was, layer) in old.layers() {
        if matched.in_new(was).is_some() {
            continue;
        }
        let Some(namesakes) = open.get_mut(&old.graph.full_name(old.source, layer)) else { continue };
        let alike = |is: &LayerId| old.ty(was) == new.ty(*is) && agree_on_producers(old, new, was, *is, matched);
        if let Some(place) = namesakes.iter().take(FAN_OUT).position(alike)
            && namesakes.remove(place).is_some_and(|is| matched.pair(was, is))
        {
            matched.by_name += usize::from(!old.is_constant(was));
        }
    }
}

/// Matches layers whose hash at index `rank` of the signature is unique in both graphs.
fn match_unique(old: &Side, new: &Side, rank: usize, matched: &mut Matched) {
    let mut places: BTreeMap<u64, [Vec<LayerId>; 2]> = BTreeMap::new();
    for (side, all) in [old, new].into_iter().enumerate() {
        for (index, _) in all.layers() {
            let is_open = if side == 0 { matched.in_new(index) } else { matched.in_old(index) }.is_none();
            if let Some(signature) = all.signature(index, rank).filter(|_| is_open && !all.is_constant(index)) {
                places.entry(signature).or_default()[side].push(index);
            }
        }
    }
    for alike in places.values() {
        if let [[was], [is]] = alike.each_ref().map(Vec::as_slice)
            && old.ty(*was) == new.ty(*is)
            && matched.pair(*was, *is)
        {
            matched.by_structure += 1;
        }
    }
}

/// Propagates matches along edges to layers of the same type with the same hash at index `rank`; past the last index, to any
/// layers of the same type.
fn propagate(old: &Side, new: &Side, rank: usize, matched: &mut Matched) {
    for index in old.plan.order.iter().copied() {
        match_consumers(old, new, index, rank, matched);
    }
    for index in old.plan.order.iter().rev().copied() {
        match_producers(old, new, index, rank, matched);
    }
}

/// Matches the consumers of a matched layer if they have the same type and hash, and consume the same output at the same
/// input.
fn match_consumers(old: &Side, new: &Side, index: LayerId, rank: usize, matched: &mut Matched) {
    let Some(counterpart) = matched.in_new(index) else { return };
    let open: Vec<_> = old.consumers(index).filter(|(.., to)| matched.in_new(*to).is_none()).take(FAN_OUT).collect();
    if open.is_empty() {
        return;
    }
    let theirs: Vec<_> =
        new.consumers(counterpart).filter(|(.., to)| matched.in_old(*to).is_none()).take(FAN_OUT).collect();
    for (output, input, to) in open {
        let alike = |other: &&Consumer| {
            (other.0, other.1) == (output, input)
                && old.ty(to) == new.ty(other.2)
                && old.signature(to, rank) == new.signature(other.2, rank)
                && matched.in_old(other.2).is_none()
                && agree_on_producers(old, new, to, other.2, matched)
        };
        if let Some((.., other)) = theirs.iter().find(alike).copied()
            && matched.pair(to, other)
        {
            matched.by_structure += 1;
        }
    }
}

/// Whether every producer of the old layer that is already matched is matched with the producer at the same input of the new
/// layer, and the same output is consumed.
fn agree_on_producers(old: &Side, new: &Side, was: LayerId, is: LayerId, matched: &Matched) -> bool {
    let inputs = |side: &Side, index| side.graph.layer(index).map_or(0, |layer| side.graph.inputs(layer).len());
    (0..inputs(old, was).min(inputs(new, is))).all(|input| {
        let (Some(a), Some(b)) = (old.producer(was, input), new.producer(is, input)) else { return true };
        matched.in_new(a.layer).is_none_or(|counterpart| counterpart == b.layer && a.output == b.output)
    })
}

/// Matches the producers of a matched layer if they have the same type and hash, and feed the same input.
fn match_producers(old: &Side, new: &Side, index: LayerId, rank: usize, matched: &mut Matched) {
    let (Some(counterpart), Some(layer)) = (matched.in_new(index), old.graph.layer(index)) else { return };
    for input in 0..old.graph.inputs(layer).len() {
        let (Some(a), Some(b)) = (old.producer(index, input), new.producer(counterpart, input)) else { continue };
        let alike = a.output == b.output
            && old.ty(a.layer) == new.ty(b.layer)
            && old.signature(a.layer, rank) == new.signature(b.layer, rank);
        if alike && matched.pair(a.layer, b.layer) {
            matched.by_structure += usize::from(!old.is_constant(a.layer));
        }
    }
}

fn match_bodies(old: &Side, new: &Side, matched: &mut Matched) {
    for (index, layer) in old.layers() {
        let Some(counterpart) = matched.in_new(index) else { continue };
        for body in layer.bodies() {
            if let (Some(was), Some(is)) = (old.body(index, body.kind), new.body(counterpart, body.kind)) {
                let inner = match_graphs(&was, &is, None);
                matched.by_name += inner.by_name;
                matched.by_structure += inner.by_structure;
                matched.bodies.insert((index, body.kind), inner);
            }
        }
    }
}
