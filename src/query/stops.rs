//! The layers at which inference stops, so that declared shapes are used instead of inferred ones.

use super::missing_weights;
use super::names::Place;
use crate::analysis::Model;
use crate::diagnostic::{Diagnostic, Group, Severity, Text};
use crate::ir::walk::Visit;
use crate::ir::{Graph, Layer, Port, Role};
use crate::lint::needs_library;
use crate::ops::Meaning;
use crate::source::{Lines, Span};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A layer that cannot be inferred or has an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stop {
    /// Its name, prefixed by the layers and bodies around it.
    pub layer: String,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: String,
    /// Its line, counted from 1.
    pub line: u32,
    /// The reason, in the words of `ovlint check`.
    pub reason: Text,
    /// The rule of the finding that gives the reason, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'static str>,
    /// Set if its outputs are those that the file declares; otherwise they are inferred despite the error.
    #[serde(skip)]
    pub is_assumed: bool,
    #[serde(skip)]
    tag: Span,
}

/// All obstacles to the inference of a model's shapes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Stops {
    /// The layers, in the order of the file.
    pub layers: Vec<Stop>,
    /// The number of unreadable constants that shapes depend on, and the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constants: Option<(usize, String)>,
}

impl Stops {
    /// Collects the stops of a model.
    pub fn of(model: &Model) -> Self {
        let mut stops = Self::default();
        if model.is_inferred() {
            let (reasons, mut constants) = (Reasons::of(model), 0);
            for Visit { place, id, layer } in model.layers() {
                let (graph, facts) = (place.graph, place.beside);
                if facts.is_assumed(id) {
                    let prefix = place.prefix(|graph, layer| graph.name(model.source(), layer));
                    stops.layers.push(reasons.stop(graph, layer, &prefix));
                } else if graph.kind(layer).role == Role::Const {
                    constants += usize::from(facts.outputs(id).iter().any(|fact| fact.assumed));
                }
            }
            stops.constants = reasons.missing.filter(|_| constants > 0).map(|reason| (constants, reason));
        }
        stops
    }

    /// Keeps only the stops that the outputs of a layer depend on.
    #[must_use]
    pub fn behind(mut self, place: &Place) -> Self {
        let mut seen = BTreeSet::from([place.index]);
        let mut open = vec![place.index];
        while let Some(index) = open.pop() {
            let layer = place.graph.layer(index).filter(|_| !place.facts.is_assumed(index));
            let inputs = layer.map(|layer| place.graph.inputs(layer)).unwrap_or_default();
            let from = inputs.iter().filter(|port| place.facts.of_port(port).is_some_and(|fact| fact.assumed));
            open.extend(from.filter_map(Port::source).map(|from| from.layer).filter(|from| seen.insert(*from)));
        }
        let is_seen = |stop: &Stop| {
            let mut layers = seen.iter().filter_map(|index| place.graph.layer(*index));
            layers.any(|layer| layer.tag.start <= stop.tag.start && stop.tag.start < layer.end)
        };
        // The search does not leave a body through its inputs. If no stop was found inside, keep all stops.
        if place.path.is_empty() || self.layers.iter().any(is_seen) {
            self.layers.retain(is_seen);
        }
        self.constants = self.constants.filter(|_| self.layers.is_empty());
        self
    }

    /// Whether there are no stops.
    pub fn is_empty(&self) -> bool {
        self.layers.is_empty() && self.constants.is_none()
    }
}

/// Returns the stop at a layer, if it cannot be inferred or has an error.
pub fn stop_at(model: &Model, place: &Place) -> Option<Stop> {
    let reasons = Reasons::of(model);
    let finding = reasons.findings.get(&place.layer.tag.start);
    let is_assumed = place.facts.is_assumed(place.index);
    let is_wrong = is_assumed || finding.is_some_and(|finding| finding.severity == Severity::Error);
    let stop = || Stop { is_assumed, ..reasons.stop(place.graph, place.layer, &place.prefix) };
    (model.is_inferred() && is_wrong).then(stop)
}

/// The possible reasons why a layer cannot be inferred.
struct Reasons<'a> {
    model: &'a Model,
    lines: Lines<'a>,
    /// The worst finding of each layer, by the start of its tag.
    findings: BTreeMap<u32, &'a Diagnostic>,
    /// The reason why the weights cannot be read.
    missing: Option<String>,
}

impl<'a> Reasons<'a> {
    fn of(model: &'a Model) -> Self {
        let mut findings: BTreeMap<u32, &Diagnostic> = BTreeMap::new();
        for finding in model.findings().iter().filter(|finding| finding.rule.group != Group::Declared) {
            let Some(layer) = &finding.layer else { continue };
            let known = findings.entry(layer.span.start).or_insert(finding);
            if rank(finding) < rank(known) {
                *known = finding;
            }
        }
        Self { model, lines: Lines::new(model.source()), findings, missing: missing_weights(model) }
    }

    fn stop(&self, graph: &Graph, layer: &Layer, prefix: &str) -> Stop {
        let kind = graph.kind(layer);
        let finding = self.findings.get(&layer.tag.start);
        let reason = match (finding, kind.meaning, &self.missing) {
            (Some(finding), ..) => finding.message.clone(),
            (None, Meaning::Modelled(_), Some(missing)) => {
                format!("its shape depends on a constant, and {missing}").into()
            }
            (None, Meaning::Modelled(spec), None) if spec.with_bodies().is_some() => {
                "what it takes or what its bodies give is not known well enough".into()
            }
            (None, Meaning::Modelled(_), None) => "what it takes is not known well enough".into(),
            (None, Meaning::Extension { library }, _) => needs_library(kind, library).into(),
            (None, ..) => format!("ovlint does not know the operation {} of {}", kind.ty, kind.version).into(),
        };
        Stop {
            layer: format!("{prefix}{}", graph.name(self.model.source(), layer)),
            ty: kind.ty.clone(),
            line: self.lines.position(layer.tag.start).line,
            reason,
            rule: finding.map(|finding| finding.rule.name),
            is_assumed: true,
            tag: layer.tag,
        }
    }
}

/// Returns the rank of a finding by severity; the most severe has rank 0.
fn rank(finding: &Diagnostic) -> u8 {
    match finding.severity {
        Severity::Error => 0,
        Severity::Warning => 1,
        Severity::Info | Severity::Off => 2,
    }
}
