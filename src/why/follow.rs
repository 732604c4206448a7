//! From a tensor back to the inputs and constants that its aspects come from.

use super::basis::{Basis, Found, basis};
use super::probe::{Answer, Probe, Thing};
use super::{Aspect, How, Reason, Tensor, Why};
use crate::diagnostic::WeightsRange;
use crate::infer::{Doors, Facts, Scope, doors};
use crate::ir::{BodyKind, Constant, Graph, Layer, OutputRef, Port, Role};
use crate::model::Model;
use crate::ops::Meaning;
use crate::ops::spec::Outputs;
use crate::types::Fact;
use std::cell::{Cell, OnceCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Inputs and elements that are looked at.
pub(super) const WORK: usize = 1 << 25;

/// Tensors that are explained.
const REASONS: usize = 1_000;

/// What one answer is said to rest on, at the most.
const SHOWN: usize = 16;

/// The graph by its prefix, the output, and what is asked of it.
type Key = (String, OutputRef, Aspect);

/// One graph and what is around it.
struct Scene<'a> {
    graph: &'a Graph,
    facts: &'a Facts,
    /// `loop/body/` for a body.
    prefix: String,
    /// The layer whose body it is.
    around: Option<(Rc<Scene<'a>>, u32, BodyKind)>,
    doors: OnceCell<Vec<(u32, Vec<Doors>)>>,
}

/// An aspect of a tensor of some graph.
#[derive(Clone)]
struct Point<'a> {
    scene: Rc<Scene<'a>>,
    output: OutputRef,
    aspect: Aspect,
}

/// What a layer has to say about one of its outputs.
enum Step<'a> {
    /// It is what this is.
    Passes(Point<'a>),
    /// It comes about so.
    Ends { how: How, attributes: Vec<(String, String)>, from: Vec<Point<'a>> },
}

impl Step<'_> {
    fn end(how: How) -> Self {
        Self::Ends { how, attributes: Vec::new(), from: Vec::new() }
    }
}

/// Explains tensors of one model.
pub(super) struct Follower<'a> {
    model: &'a Model,
    depth: usize,
    left: Cell<usize>,
    reasons: usize,
    explained: BTreeSet<Key>,
    /// What comes from one other place only, with the layers between.
    same: BTreeMap<Key, Reason>,
    is_cut: bool,
}

impl<'a> Follower<'a> {
    pub(super) fn new(model: &'a Model, depth: usize) -> Self {
        Self {
            model,
            depth,
            left: Cell::new(WORK),
            reasons: 0,
            explained: BTreeSet::new(),
            same: BTreeMap::new(),
            is_cut: false,
        }
    }

    /// Explains every dimension and the type of a tensor.
    pub(super) fn why(&mut self, graph: &'a Graph, facts: &'a Facts, tensor: &Tensor) -> Option<Why> {
        let scene = self.scene(graph, facts, &tensor.path)?;
        let (graph, facts) = (scene.graph, scene.facts);
        let layer = graph.layer(tensor.output.layer)?;
        let fact = facts.output(tensor.output)?.clone();
        let mut aspects: Vec<Aspect> = match fact.rank() {
            Some(rank) => (0..rank).map(Aspect::Dim).collect(),
            None => vec![Aspect::Rank],
        };
        aspects.push(Aspect::Type);
        let point = |aspect| Point { scene: Rc::clone(&scene), output: tensor.output, aspect };
        let reasons = aspects.into_iter().filter_map(|aspect| self.reason(point(aspect), self.depth)).collect();
        let tensor = self.name(&scene, tensor.output);
        let is_cut = self.is_cut || self.left.get() == 0;
        Some(Why { tensor, ty: graph.kind(layer).ty.clone(), line: self.line(layer), fact, reasons, is_cut })
    }

    /// Explains something that a layer gets.
    pub(super) fn thing(&mut self, place: &Tensor, layer: &Layer, thing: Thing) -> Option<Reason> {
        let scene = self.scene(&self.model.net()?.graph, self.model.facts()?, &place.path)?;
        let output = scene.graph.inputs(layer).get(thing.input())?.source()?;
        self.reason(Point { scene, output, aspect: thing.aspect() }, self.depth)
    }

    /// The graph at the end of a path.
    fn scene(&self, graph: &'a Graph, facts: &'a Facts, path: &[(u32, BodyKind)]) -> Option<Rc<Scene<'a>>> {
        let (prefix, around, doors) = (String::new(), None, OnceCell::new());
        let mut scene = Rc::new(Scene { graph, facts, prefix, around, doors });
        for (layer, kind) in path {
            scene = self.inside(&scene, *layer, *kind)?;
        }
        Some(scene)
    }

    /// A body of a layer.
    fn inside(&self, scene: &Rc<Scene<'a>>, place: u32, kind: BodyKind) -> Option<Rc<Scene<'a>>> {
        let (outer, layer) = (scene.graph, scene.graph.layer(place)?);
        let graph = layer.subgraph.as_ref()?.body(kind)?;
        let prefix = format!("{}{}/{}/", scene.prefix, outer.name(self.model.source(), layer), kind.name());
        let facts = scene.facts.body(place, kind)?;
        let around = Some((Rc::clone(scene), place, kind));
        Some(Rc::new(Scene { graph, facts, prefix, around, doors: OnceCell::new() }))
    }

    /// The tensor as people call it.
    fn name(&self, scene: &Scene, output: OutputRef) -> String {
        let Some(layer) = scene.graph.layer(output.layer) else { return String::new() };
        let name = scene.graph.name(self.model.source(), layer);
        let several = scene.facts.outputs(output.layer).len().max(scene.graph.outputs(layer).len()) > 1;
        let port = if several { format!(":{}", output.output) } else { String::new() };
        format!("{}{name}{port}", scene.prefix)
    }

    fn line(&self, layer: &Layer) -> u32 {
        self.model.source().position(layer.tag.start).line
    }

    /// Follows an answer to where it comes about, and explains that.
    fn reason(&mut self, mut point: Point<'a>, depth: usize) -> Option<Reason> {
        let (mut through, mut passed) = (Vec::new(), BTreeSet::new());
        self.reasons += 1;
        let (mut how, attributes, mut from) = loop {
            match self.step(&point) {
                Step::Passes(next) if passed.insert((point.scene.prefix.clone(), point.output, point.aspect)) => {
                    through.push(self.layer_name(&point));
                    point = next;
                }
                // Round in a cycle, of which the file declares some shape.
                Step::Passes(_) => break (How::Assumed, Vec::new(), Vec::new()),
                Step::Ends { how, attributes, from } => break (how, attributes, from),
            }
        };
        let key = (point.scene.prefix.clone(), point.output, point.aspect);
        if !from.is_empty() {
            if let Some(reason) = self.same.get(&key) {
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
            // What all come from is what it is.
            if let [reason] = from.as_mut_slice() {
                reason.through.insert(0, self.layer_name(&point));
                if reason.from.is_empty() {
                    self.same.insert(key, reason.clone());
                }
                through.append(&mut reason.through);
                return from.pop().map(|reason| Reason { through, ..reason });
            }
        }
        let Point { scene, output, aspect } = point;
        let layer = scene.graph.layer(output.layer)?;
        let fact = scene.facts.output(output);
        let place = match how {
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
            value: fact.map_or_else(|| "?".to_owned(), |fact| text(Answer::of(fact, aspect))),
            ty: scene.graph.kind(layer).ty.clone(),
            line: self.model.source().position(place).line,
            through,
            stated: match how {
                How::Stated => self.model.stated(scene.graph.kind(layer)).map(|(_, place)| place),
                _ => None,
            },
            how,
            attributes: if how == How::Above { Vec::new() } else { attributes },
            weights,
            from,
        })
    }

    fn layer_name(&self, point: &Point) -> String {
        let layer = point.scene.graph.layer(point.output.layer);
        let name = layer.map(|layer| point.scene.graph.name(self.model.source(), layer)).unwrap_or_default();
        format!("{}{name}", point.scene.prefix)
    }

    fn step(&self, point: &Point<'a>) -> Step<'a> {
        let (graph, facts) = (point.scene.graph, point.scene.facts);
        let place = point.output.layer;
        let Some(layer) = graph.layer(place) else { return Step::end(How::Assumed) };
        let kind = graph.kind(layer);
        let spec = match (kind.role, kind.meaning) {
            (Role::Const, _) => return Step::end(How::Constant),
            (Role::Parameter, _) if point.scene.around.is_some() => return self.entrance(point),
            (Role::Parameter, _) => return Step::end(How::Parameter),
            (_, Meaning::Modelled(spec)) if !facts.is_assumed(place) => spec,
            _ if !facts.is_assumed(place) => return self.stated(point, layer),
            _ => return Step::end(How::Assumed),
        };
        if spec.outputs == Outputs::FromBodies {
            return self.bodies(point, layer);
        }
        let probe = Probe::new((self.model.source(), graph, facts), layer, spec, self.model.limits(), &self.left);
        let Some(found) = basis(&probe, point.output.output as usize, point.aspect) else {
            return Step::end(if probe.has_budget() { How::Assumed } else { How::Deeper });
        };
        let Found { basis, attributes } = found;
        let source = |thing: &Thing| {
            let output = graph.inputs(layer).get(thing.input()).and_then(Port::source)?;
            Some(Point { scene: Rc::clone(&point.scene), output, aspect: thing.aspect() })
        };
        let sources = |things: &[Thing]| things.iter().filter_map(source).collect::<Vec<Point>>();
        let ends = |how, from| Step::Ends { how, attributes, from };
        match basis {
            Basis::Passed(thing) => source(&thing).map_or(Step::end(How::Assumed), Step::Passes),
            // Of types that agree, one tells as much as all.
            Basis::Agreed(things) if point.aspect == Aspect::Type => {
                things.iter().find_map(source).map_or(Step::end(How::Assumed), Step::Passes)
            }
            Basis::Agreed(things) => ends(How::Agreed, sources(&things)),
            Basis::Computed(things) => ends(How::Computed, sources(&things)),
            Basis::Fixed => ends(How::Fixed, Vec::new()),
            Basis::Data => ends(How::Data, Vec::new()),
        }
    }

    /// What a user states of an operation that has no model.
    fn stated(&self, point: &Point<'a>, layer: &Layer) -> Step<'a> {
        let (graph, facts) = (point.scene.graph, point.scene.facts);
        let output = point.output.output as usize;
        let stated = self.model.stated(graph.kind(layer)).and_then(|(stated, _)| stated.outputs.get(output));
        let Some(rule) = stated else { return Step::end(How::Assumed) };
        let rank = |input| facts.output(graph_input(graph, layer, input)?)?.rank();
        let taken: Vec<(usize, Aspect)> = match point.aspect {
            Aspect::Type => rule.type_from().map(|input| (input, Aspect::Type)).into_iter().collect(),
            Aspect::Rank => rule.rank_from().map(|input| (input, Aspect::Rank)).collect(),
            Aspect::Dim(axis) => {
                let taken = rule.dim_from(axis, rank).into_iter();
                taken.map(|taken| (taken.input, taken.axis.map_or(Aspect::Rank, Aspect::Dim))).collect()
            }
            Aspect::Element(_) => Vec::new(),
        };
        let from = taken.into_iter().filter_map(|(input, aspect)| {
            let output = graph_input(graph, layer, input)?;
            Some(Point { scene: Rc::clone(&point.scene), output, aspect })
        });
        let attributes = vec![(format!("outputs[{output}]"), rule.to_string())];
        Step::Ends { how: How::Stated, attributes, from: from.collect() }
    }

    /// What is behind a Parameter of a body.
    fn entrance(&self, point: &Point<'a>) -> Step<'a> {
        let Some((outer, place, kind)) = &point.scene.around else { return Step::end(How::Parameter) };
        let body = self.doors(outer, *place).iter().find(|body| body.kind == *kind);
        let inlets = body.map(|body| body.inputs.as_slice()).unwrap_or_default();
        let Some(inlet) = inlets.iter().find(|inlet| inlet.parameter == point.output.layer) else {
            return Step::end(How::Fixed); // It counts the iterations.
        };
        let rank = point.scene.facts.output(point.output).and_then(Fact::rank);
        if let Some(slice) = inlet.slice.filter(|slice| is_cut(slice.axis, rank, point.aspect)) {
            let attributes = vec![("part_size".to_owned(), slice.part_size.to_string())];
            return Step::Ends { how: How::Computed, attributes, from: Vec::new() };
        }
        let port = outer.graph.layer(*place).and_then(|layer| outer.graph.inputs(layer).get(inlet.external));
        match port.and_then(Port::source) {
            Some(output) => Step::Passes(Point { scene: Rc::clone(outer), output, aspect: point.aspect }),
            None => Step::end(How::Assumed),
        }
    }

    /// What is behind an output of a layer with bodies.
    fn bodies(&self, point: &Point<'a>, layer: &Layer) -> Step<'a> {
        let (scene, place) = (&point.scene, point.output.layer);
        let mut from = Vec::new();
        for body in self.doors(scene, place) {
            let Some((result, slice)) = body.outputs.get(point.output.output as usize) else { continue };
            let Some(inner) = self.inside(scene, place, body.kind) else { continue };
            let source = inner.graph.layer(*result).and_then(|layer| inner.graph.inputs(layer).first()?.source());
            let Some(output) = source else { continue };
            from.push(Point { scene: inner, output, aspect: point.aspect });
            let rank = scene.facts.output(point.output).and_then(Fact::rank);
            if !slice.is_some_and(|slice| is_cut(slice.axis, rank, point.aspect)) {
                continue;
            }
            // As long as there are iterations, and they are as many as there are slices to take.
            let input = |at: usize| graph_input(scene.graph, layer, at);
            let sliced = body.inputs.iter().filter_map(|inlet| {
                let axis = inlet.slice?.axis;
                let output = input(inlet.external)?;
                let rank = scene.facts.output(output).and_then(Fact::rank);
                Some((output, Aspect::Dim(from_front(axis, rank)?)))
            });
            let is_loop = scene.graph.kind(layer).ty == "Loop";
            let trips = is_loop.then(|| Some((input(0)?, Aspect::Element(0)))).flatten();
            let points = sliced.chain(trips).map(|(output, aspect)| Point { scene: Rc::clone(scene), output, aspect });
            from.extend(points);
        }
        if from.is_empty() {
            return Step::end(How::Assumed);
        }
        Step::Ends { how: How::Body, attributes: Vec::new(), from }
    }

    fn doors<'s>(&self, scene: &'s Scene<'a>, place: u32) -> &'s [Doors] {
        let all = scene.doors.get_or_init(|| {
            let (source, weights, limits) = (self.model.source(), self.model.weights(), self.model.limits());
            doors(&Scope { source, graph: scene.graph, weights, limits, body: &[] })
        });
        all.iter().find(|(layer, _)| *layer == place).map(|(_, doors)| doors.as_slice()).unwrap_or_default()
    }
}

/// Tells everything once.
fn distinct(reasons: &mut Vec<Reason>) {
    let mut seen = BTreeSet::new();
    reasons.retain(|reason| seen.insert((reason.tensor.clone(), reason.aspect)));
}

fn graph_input(graph: &Graph, layer: &Layer, at: usize) -> Option<OutputRef> {
    graph.inputs(layer).get(at)?.source()
}

/// An axis counted from the front.
fn from_front(axis: i64, rank: Option<usize>) -> Option<usize> {
    let rank = i64::try_from(rank?).ok()?;
    usize::try_from(if axis < 0 { axis.saturating_add(rank) } else { axis }).ok()
}

/// Whether an aspect is the length along the axis.
fn is_cut(axis: i64, rank: Option<usize>, aspect: Aspect) -> bool {
    matches!(aspect, Aspect::Dim(dim) if from_front(axis, rank) == Some(dim))
}

/// The bytes that hold an element.
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

/// An answer in the notation of facts.
fn text(answer: Answer) -> String {
    match answer {
        Answer::Dim(dim) => dim.to_string(),
        Answer::Integer(bounds) => crate::types::integer_text(bounds),
        Answer::Float(lower, upper) if lower == upper => f64::from_bits(lower).to_string(),
        Answer::Rank(Some(rank)) => rank.to_string(),
        Answer::Type(ty) => ty.to_string(),
        Answer::Float(..) | Answer::Rank(None) | Answer::Unknown => "?".to_owned(),
    }
}
