//! One step of provenance: from an aspect of an output to the sources in the layer's inputs or bodies.

use super::Follower;
use super::scene::Point;
use crate::ir::{Graph, Layer, OutputRef, Port, Role};
use crate::ops::{Meaning, Outputs, WithBodies};
use crate::query::why::basis::{Basis, Found};
use crate::query::why::probe::{Factor, Probe};
use crate::query::why::{Aspect, How};
use crate::types::{Fact, from_front};
use std::rc::Rc;

/// A step from an aspect of an output.
pub(super) enum Step<'a> {
    /// The layer passes this source on unchanged.
    Passes(Point<'a>),
    /// The layer determines the aspect, from these sources.
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
        let id = point.output.layer;
        let Some(layer) = graph.layer(id) else { return Step::end(How::Assumed) };
        let kind = graph.kind(layer);
        let spec = match (kind.role, kind.meaning) {
            (Role::Const, _) => return Step::end(How::Constant),
            (Role::Parameter, _) if point.scene.around.is_some() => return Self::outer_binding(point),
            (Role::Parameter, _) => return Step::end(How::Parameter),
            (_, Meaning::Modelled(spec)) if !facts.is_assumed(id) => spec,
            _ if !facts.is_assumed(id) => return self.stated(point, layer),
            _ => return Step::end(How::Assumed),
        };
        if let Outputs::FromBodies(what) = spec.outputs {
            return self.bodies(point, layer, what);
        }
        let probe = Probe::new((self.model.source(), graph, facts), layer, spec, self.model.limits(), &self.left);
        let Some(found) = self.known.basis(probe, point.output.output as usize, point.aspect) else {
            return Step::end(if self.left.get() > 0 { How::Assumed } else { How::Deeper });
        };
        let Found { basis, attributes, arithmetic } = &*found;
        let source = |factor: &Factor| {
            let output = graph.inputs(layer).get(factor.input).and_then(Port::source)?;
            Some(Point { scene: Rc::clone(&point.scene), output, aspect: factor.aspect })
        };
        let sources = |factors: &[Factor]| factors.iter().filter_map(source).collect::<Vec<Point>>();
        let ends = |how, from| {
            let (attributes, arithmetic) = (attributes.clone(), arithmetic.clone());
            Step::Ends { how, attributes, arithmetic, from }
        };
        match basis {
            Basis::Passed(factor) => source(factor).map_or(Step::end(How::Assumed), Step::Passes),
            // All types agree, so one of them explains the result.
            Basis::Agreed(factors) if point.aspect == Aspect::Type => {
                factors.iter().find_map(source).map_or(Step::end(How::Assumed), Step::Passes)
            }
            Basis::Agreed(factors) => ends(How::Agreed, sources(factors)),
            Basis::Computed(factors) => ends(How::Computed, sources(factors)),
            Basis::Fixed => ends(How::Fixed, Vec::new()),
            Basis::Data => ends(How::Data, Vec::new()),
        }
    }

    /// Returns the step that the configuration states for an operation without a model.
    fn stated(&self, point: &Point<'a>, layer: &Layer) -> Step<'a> {
        let (graph, facts) = (point.scene.graph, point.scene.facts);
        let output = point.output.output as usize;
        let stated = self.model.stated(graph.kind(layer)).and_then(|(stated, _)| stated.outputs.get(output));
        let Some(rule) = stated else { return Step::end(How::Assumed) };
        let rank = |input| facts.output(graph_input(graph, layer, input)?)?.rank();
        let sources: Vec<(usize, Aspect)> = match point.aspect {
            Aspect::Type => rule.type_from().map(|input| (input, Aspect::Type)).into_iter().collect(),
            Aspect::Rank => rule.rank_from().map(|input| (input, Aspect::Rank)).collect(),
            Aspect::Dim(axis) => {
                let sources = rule.dim_from(axis, rank).into_iter();
                sources.map(|source| (source.input, source.axis.map_or(Aspect::Rank, Aspect::Dim))).collect()
            }
            Aspect::Element(_) => Vec::new(),
        };
        let from = sources.into_iter().filter_map(|(input, aspect)| {
            let output = graph_input(graph, layer, input)?;
            Some(Point { scene: Rc::clone(&point.scene), output, aspect })
        });
        let attributes = vec![(format!("outputs[{output}]"), rule.to_string())];
        Step::of(How::Stated, attributes, from.collect())
    }

    /// Steps from a Parameter of a body to the outer tensor bound to it.
    fn outer_binding(point: &Point<'a>) -> Step<'a> {
        let Some((outer, owner, kind)) = &point.scene.around else { return Step::end(How::Parameter) };
        let bodies = outer.facts.plan().bodies_of(*owner);
        let body = bodies.iter().find(|body| body.kind == *kind);
        let inputs = body.map(|body| body.wiring.inputs.as_slice()).unwrap_or_default();
        let Some(inlet) = inputs.iter().find(|inlet| inlet.parameter == point.output.layer) else {
            return Step::end(How::Fixed); // It counts the iterations.
        };
        let rank = point.scene.facts.output(point.output).and_then(Fact::rank);
        if let Some(slice) = inlet.slice.filter(|slice| is_sliced(slice.axis, rank, point.aspect)) {
            let attributes = vec![("part_size".to_owned(), slice.part_size.to_string())];
            return Step::of(How::Computed, attributes, Vec::new());
        }
        let port = outer.graph.layer(*owner).and_then(|layer| outer.graph.inputs(layer).get(inlet.external));
        match port.and_then(Port::source) {
            Some(output) => Step::Passes(Point { scene: Rc::clone(outer), output, aspect: point.aspect }),
            None => Step::end(How::Assumed),
        }
    }

    /// Steps from an output of a layer into its bodies. A sliced dimension also depends on the number of iterations.
    fn bodies(&self, point: &Point<'a>, layer: &Layer, what: WithBodies) -> Step<'a> {
        let (scene, id) = (&point.scene, point.output.layer);
        let mut from = Vec::new();
        for body in scene.facts.plan().bodies_of(id) {
            let Some(outlet) = body.wiring.outputs.get(point.output.output as usize) else { continue };
            let Some(inner) = self.inside(scene, id, body.kind) else { continue };
            let source = inner.graph.layer(outlet.result).and_then(|layer| inner.graph.inputs(layer).first()?.source());
            let Some(output) = source else { continue };
            from.push(Point { scene: inner, output, aspect: point.aspect });
            let rank = scene.facts.output(point.output).and_then(Fact::rank);
            if !outlet.slice.is_some_and(|slice| is_sliced(slice.axis, rank, point.aspect)) {
                continue;
            }
            // The dimension grows by a part per iteration, and each iteration takes one slice of the sliced inputs.
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

fn is_sliced(axis: i64, rank: Option<usize>, aspect: Aspect) -> bool {
    matches!(aspect, Aspect::Dim(dim) if rank.and_then(|rank| from_front(axis, rank)) == Some(dim))
}
