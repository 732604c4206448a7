//! Counterfactual inference: the errors that a file would have if some tensors had other facts. Errors that vanish show that a
//! suspicion is right.

use crate::arrange::Fill;
use crate::diagnostic::{Diagnostic, Direction, FindingId, Severity, Sink};
use crate::domain::{Assumption, Domain, Names};
use crate::infer::{Facts, Supposed, Symbolic, Terms, infer};
use crate::ir::{LayerId, Net};
use crate::limits::{SUPPOSED_LAYERS, SUPPOSITIONS};
use crate::lint::Checked;
use crate::lint::declared::{Declared, Report, mismatches};
use crate::ops::rules::NEEDS_CONSTANT;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum size, in bytes, of the findings of one inference; beyond it, the result is unknown.
const FINDINGS: usize = 1 << 21;

/// A contradiction that inference or a port shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Evidence {
    /// A finding of inference: its rule, the start of its layer and the start of its primary span.
    Fault(&'static str, u32, u32),
    /// A port that disagrees with inference: the start of its graph's tag, its layer, its side and its index.
    Port(u32, LayerId, Direction, usize),
}

/// A layer: the start of its graph's tag, its index in the graph, and the start of its own tag.
pub(super) type Place = (u32, LayerId, u32);

impl Evidence {
    /// Whether the contradiction is at a layer.
    pub(super) fn is_at(self, (graph, index, start): Place) -> bool {
        match self {
            Self::Fault(_, layer, _) => layer == start,
            Self::Port(of, layer, ..) => (of, layer) == (graph, index),
        }
    }

    fn of_fault(finding: &Diagnostic) -> Self {
        let layer = finding.layer.as_ref().map_or(u32::MAX, |layer| layer.span.start);
        Self::Fault(finding.rule.name, layer, finding.primary.span.start)
    }
}

/// The evidence behind each reported finding.
pub(super) fn reported(declared: &Declared, sink: &Sink) -> BTreeMap<FindingId, Evidence> {
    let mut all: BTreeMap<FindingId, Evidence> =
        sink.numbered().map(|(id, finding)| (id, Evidence::of_fault(finding))).into_map();
    for (graph, mismatch) in declared.all() {
        if let Report::Made(id) = mismatch.report {
            all.insert(id, Evidence::Port(graph, mismatch.layer, mismatch.direction, mismatch.port));
        }
    }
    all
}

/// The constraints on the inputs, and the layers that they come from.
#[derive(Debug, Default)]
pub(super) struct Constraints {
    /// The constraints as text.
    pub texts: Vec<String>,
    /// Layers that impose a constraint.
    pub layers: BTreeSet<LayerId>,
    /// Layers that also have constraints that no expression states.
    pub open: BTreeSet<LayerId>,
}

impl Constraints {
    /// Returns the constraints that `other` does not have.
    pub(super) fn narrows<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a String> {
        let known: BTreeSet<&String> = other.texts.iter().into_set();
        self.texts.iter().filter(move |one| !known.contains(one))
    }
}

/// The means to infer a file again, as often as the limits allow.
pub(super) struct Counterfactual<'a> {
    checked: &'a Checked<'a>,
    net: &'a Net,
    /// The number of layers that may still be inferred.
    layers: usize,
    times: usize,
}

impl<'a> Counterfactual<'a> {
    pub(super) fn new(checked: &'a Checked<'a>, net: &'a Net) -> Self {
        Self { checked, net, layers: SUPPOSED_LAYERS, times: SUPPOSITIONS }
    }

    /// The remaining errors; `None` if the limits are reached.
    pub(super) fn errors(&mut self, supposed: &Supposed) -> Option<BTreeSet<Evidence>> {
        let (facts, sink) = self.infer_again(supposed, Symbolic::Never)?;
        self.evidence(&facts, sink)
    }

    /// The remaining errors and the constraints on the inputs.
    pub(super) fn constraints(&mut self, supposed: &Supposed) -> Option<(BTreeSet<Evidence>, Constraints)> {
        let (facts, sink) = self.infer_again(supposed, Symbolic::Always)?;
        let mut constraints = Constraints::default();
        if let Some((domain, symbols)) = Domain::of(&facts, Assumption::Present).zip(facts.symbols()) {
            let names = Names::of(&self.net.graph, self.checked.scope.source, &facts, &symbols.expressions);
            let text = |constraint| domain.expressions_of(constraint, &names).join(" and ");
            constraints.texts.extend(domain.constraints.iter().map(text));
            constraints.layers.extend(symbols.demanded.iter().map(|one| one.layer));
            constraints.open.extend(domain.open);
        }
        Some((self.evidence(&facts, sink)?, constraints))
    }

    fn infer_again(&mut self, supposed: &Supposed, symbolic: Symbolic) -> Option<(Facts, Sink)> {
        self.layers = self.layers.checked_sub(self.net.graph.layer_count())?;
        self.times = self.times.checked_sub(1)?;
        let scope = self.checked.scope;
        let mut sink = Sink::new(FINDINGS);
        let terms = Terms {
            extension_ops: self.checked.options.extension_ops,
            plan: Some(self.checked.facts.plan()),
            supposed: Some(supposed),
            symbolic,
            ..Terms::default()
        };
        let facts = infer(self.net, scope.source, scope.weights, scope.limits, &terms, &mut sink);
        Some((facts, sink))
    }

    fn evidence(&self, facts: &Facts, sink: Sink) -> Option<BTreeSet<Evidence>> {
        let declared = mismatches(&Checked { facts, ..*self.checked });
        let found = sink.into_reported();
        if found.left_out > 0 {
            return None;
        }
        // Supposed facts may lack the values of elements, so a missing constant is no evidence.
        let is_fault = |finding: &&Diagnostic| finding.severity == Severity::Error && finding.rule != &NEEDS_CONSTANT;
        let faults = found.findings.iter().filter(is_fault);
        let ports = declared.all().filter(|(_, mismatch)| mismatch.severity == Severity::Error);
        let ports = ports.map(|(graph, port)| Evidence::Port(graph, port.layer, port.direction, port.port));
        Some(faults.map(Evidence::of_fault).chain(ports).into_set())
    }
}
