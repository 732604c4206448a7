//! What one layer has to say about an aspect of one of its outputs.

use super::Follower;
use super::scene::Point;
use crate::ir::{Graph, Layer, OutputRef, Port, Role};
use crate::ops::{Meaning, Outputs, WithBodies};
use crate::query::why::basis::{Basis, Found, basis};
use crate::query::why::probe::{Factor, Probe};
use crate::query::why::{Aspect, How};
use crate::types::{Fact, from_front};
use std::rc::Rc;

/// What a layer has to say about one of its outputs.
pub(super) enum Step<'a> {
    /// It is what this is.
    Passes(Point<'a>),
    /// It comes about so; computed numbers with their calculation.
    Ends { how: How, attributes: Vec<(String, String)>, arithmetic: Option<String>, from: Vec<Point<'a>> },
}

impl<'a> Step<'a> {
    fn of(how: How, attributes: Vec<(String, String)>, from: Vec<Point<'a>>) -> Self {
        Self::Ends { how, attributes, arithmetic: None, from }
    }

    fn end(how: How) -> Self {
        Self::of(how, Vec::new(), Vec::new())
    }
}

impl<'a> Follower<'a> {
    pub(super) fn step(&self, point: &Point<'a>) -> Step<'a> {
        let (graph, facts) = (point.scene.graph, point.scene.facts);
        let place = point.output.layer;
        let Some(layer) = graph.layer(place) else { return Step::end(How::Assumed) };
        let kind = graph.kind(layer);
        let spec = match (kind.role, kind.meaning) {
            (Role::Const, _) => return Step::end(How::Constant),
            (Role::Parameter, _) if point.scene.around.is_some() => return Self::entrance(point),
            (Role::Parameter, _) => return Step::end(How::Parameter),
            (_, Meaning::Modelled(spec)) if !facts.is_assumed(place) => spec,
            _ if !facts.is_assumed(place) => return self.stated(point, layer),
            _ => return Step::end(How::Assumed),
        };
        if let Outputs::FromBodies(what) = spec.outputs {
            return self.bodies(point, layer, what);
        }
        let probe = Probe::new((self.model.source(), graph, facts), layer, spec, self.model.limits(), &self.left);
        let Some(found) = basis(&probe, point.output.output as usize, point.aspect) else {
            return Step::end(if probe.has_budget() { How::Assumed } else { How::Deeper });
        };
        let Found { basis, attributes, arithmetic } = found;
        let source = |factor: &Factor| {
            let output = graph.inputs(layer).get(factor.input()).and_then(Port::source)?;
            Some(Point { scene: Rc::clone(&point.scene), output, aspect: factor.aspect() })
        };
        let sources = |factors: &[Factor]| factors.iter().filter_map(source).collect::<Vec<Point>>();
        let ends = |how, from| Step::Ends { how, attributes, arithmetic, from };
        match basis {
            Basis::Passed(factor) => source(&factor).map_or(Step::end(How::Assumed), Step::Passes),
            // Of types that agree, one says as much as all.
            Basis::Agreed(factors) if point.aspect == Aspect::Type => {
                factors.iter().find_map(source).map_or(Step::end(How::Assumed), Step::Passes)
            }
            Basis::Agreed(factors) => ends(How::Agreed, sources(&factors)),
            Basis::Computed(factors) => ends(How::Computed, sources(&factors)),
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
        Step::of(How::Stated, attributes, from.collect())
    }

    /// What is behind a Parameter of a body.
    fn entrance(point: &Point<'a>) -> Step<'a> {
        let Some((outer, place, kind)) = &point.scene.around else { return Step::end(How::Parameter) };
        let bodies = outer.facts.plan().bodies_of(*place);
        let body = bodies.iter().find(|body| body.kind == *kind);
        let inputs = body.map(|body| body.wiring.inputs.as_slice()).unwrap_or_default();
        let Some(inlet) = inputs.iter().find(|inlet| inlet.parameter == point.output.layer) else {
            return Step::end(How::Fixed); // It counts the iterations.
        };
        let rank = point.scene.facts.output(point.output).and_then(Fact::rank);
        if let Some(slice) = inlet.slice.filter(|slice| is_cut(slice.axis, rank, point.aspect)) {
            let attributes = vec![("part_size".to_owned(), slice.part_size.to_string())];
            return Step::of(How::Computed, attributes, Vec::new());
        }
        let port = outer.graph.layer(*place).and_then(|layer| outer.graph.inputs(layer).get(inlet.external));
        match port.and_then(Port::source) {
            Some(output) => Step::Passes(Point { scene: Rc::clone(outer), output, aspect: point.aspect }),
            None => Step::end(How::Assumed),
        }
    }

    /// What is behind an output of a layer with bodies.
    fn bodies(&self, point: &Point<'a>, layer: &Layer, what: WithBodies) -> Step<'a> {
        let (scene, place) = (&point.scene, point.output.layer);
        let mut from = Vec::new();
        for body in scene.facts.plan().bodies_of(place) {
            let Some(outlet) = body.wiring.outputs.get(point.output.output as usize) else { continue };
            let Some(inner) = self.inside(scene, place, body.kind) else { continue };
            let source = inner.graph.layer(outlet.result).and_then(|layer| inner.graph.inputs(layer).first()?.source());
            let Some(output) = source else { continue };
            from.push(Point { scene: inner, output, aspect: point.aspect });
            let rank = scene.facts.output(point.output).and_then(Fact::rank);
            if !outlet.slice.is_some_and(|slice| is_cut(slice.axis, rank, point.aspect)) {
                continue;
            }
            // As long as there are iterations, and they are as many as there are slices to take.
            let input = |at: usize| graph_input(scene.graph, layer, at);
            let sliced = body.wiring.inputs.iter().filter_map(|inlet| {
                let axis = inlet.slice?.axis;
                let output = input(inlet.external)?;
                let rank = scene.facts.output(output).and_then(Fact::rank);
                Some((output, Aspect::Dim(from_front(axis, rank?)?)))
            });
            let trips = (what == WithBodies::Loop).then(|| Some((input(0)?, Aspect::Element(0)))).flatten();
            let points = sliced.chain(trips).map(|(output, aspect)| Point { scene: Rc::clone(scene), output, aspect });
            from.extend(points);
        }
        if from.is_empty() {
            return Step::end(How::Assumed);
        }
        Step::of(How::Body, Vec::new(), from)
    }
}

fn graph_input(graph: &Graph, layer: &Layer, at: usize) -> Option<OutputRef> {
    graph.inputs(layer).get(at)?.source()
}

/// Whether an aspect is the length along the axis.
fn is_cut(axis: i64, rank: Option<usize>, aspect: Aspect) -> bool {
    matches!(aspect, Aspect::Dim(dim) if rank.and_then(|rank| from_front(axis, rank)) == Some(dim))
}
