//! One body of a layer and all its inferences: as declared, with the tensors of the layer's inputs, and with those that back
//! edges pass. Each finding is reported once.

use super::{BodyInput, BodyWiring};
use crate::arrange::Fill;
use crate::diagnostic::{BodyRef, Diagnostic, Reported, Severity};
use crate::infer::budget::Budget;
use crate::infer::facts::Facts;
use crate::infer::plan::BodyPlan;
use crate::infer::scope::{Scope, body_path};
use crate::infer::{Supposed, Terms, Work, apply, infer_graph};
use crate::ir::{BodyKind, Graph, Kind, Layer, LayerId, Role};
use crate::ops::Meaning;

use crate::source::Span;
use crate::stack::descend;
use crate::types::Fact;
use petgraph::Direction::Outgoing;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The facts bound to the Parameters of a body.
pub(in crate::infer) type Bindings = BTreeMap<LayerId, Binding>;

/// The fact bound to one Parameter.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::infer) struct Binding {
    pub fact: Fact,
    /// True if the Parameter keeps its declared element type.
    pub keeps_type: bool,
}

impl Binding {
    /// Returns the outputs of the bound Parameter; `declared` are the outputs that it declares.
    pub(in crate::infer) fn bind(&self, declared: &[Fact]) -> Vec<Fact> {
        let mut fact = self.fact.clone();
        let own = declared.first().map_or(fact.ty, |declared| declared.ty);
        if self.keeps_type && own != fact.ty {
            fact = Fact { ty: own, value: None, ..fact };
        }
        vec![fact]
    }

    /// Returns the outputs of a bound Parameter whose own attributes cannot be read.
    pub(in crate::infer) fn bind_unread(&self) -> Option<Vec<Fact>> {
        (!self.keeps_type).then(|| vec![self.fact.clone()])
    }
}

/// One inference of a body.
struct Run {
    bindings: Bindings,
    facts: Facts,
    /// The cost of the facts, returned to the budget when they are dropped.
    cells: usize,
}

/// All inferences of one body.
pub(super) struct Runs<'a> {
    scope: &'a Scope<'a>,
    graph: &'a Graph,
    body: &'a BodyPlan,
    path: Vec<BodyRef>,
    supposed: Option<&'a Supposed>,
    last: Option<Run>,
    found: Reported,
    /// The findings of earlier runs, by rule and span.
    reported: BTreeSet<(&'static str, Span)>,
}

impl<'a> Runs<'a> {
    pub(super) fn new(
        scope: &'a Scope<'a>,
        layer: &'a Layer,
        body: &'a BodyPlan,
        supposed: Option<&'a Supposed>,
    ) -> Option<Self> {
        let graph = layer.subgraph.as_ref()?.body(body.kind)?;
        let path = body_path(scope, layer, body.kind);
        Some(Self {
            scope,
            graph,
            body,
            path,
            supposed,
            last: None,
            found: Reported::default(),
            reported: BTreeSet::new(),
        })
    }

    pub(super) fn kind(&self) -> BodyKind {
        self.body.kind
    }

    pub(super) fn wiring(&self) -> &'a BodyWiring {
        &self.body.wiring
    }

    pub(super) fn graph(&self) -> &'a Graph {
        self.graph
    }

    /// Returns the path of the body, outermost first, as findings show it.
    pub(super) fn path(&self) -> &[BodyRef] {
        &self.path
    }

    pub(super) fn has_run(&self) -> bool {
        self.last.is_some()
    }

    fn inner(&self) -> Scope<'_> {
        Scope { graph: self.graph, body: &self.path, ..*self.scope }
    }

    /// Infers the body with the bound facts, and then with the declared ones, with which OpenVINO infers it first.
    ///
    /// OpenVINO propagates no values into bodies: if they cause errors, the body is inferred again without them.
    pub(super) fn infer(&mut self, bindings: Bindings, work: &mut Work) {
        let without = |binding: &Binding| Binding { fact: Fact { value: None, ..binding.fact.clone() }, ..*binding };
        let bare: Bindings = bindings.iter().map(|(index, binding)| (*index, without(binding))).into_map();
        let has_values = bare != bindings;
        if self.run(bindings, work) && has_values && !work.budget.is_spent() {
            self.found = Reported::default();
            self.reported.clear();
            self.run(bare.clone(), work);
        }
        // Wider facts never add an error, so the second run is skipped if the declared facts contain the bound ones.
        if !self.declares_as_much(&bare) {
            let (last, known) = (self.last.take(), self.found.findings.len());
            self.run(Bindings::new(), work);
            self.found.findings.iter_mut().skip(known).for_each(|finding| finding.of_parameters = true);
            if let Some(last) = last {
                self.keep(last, work);
            }
        }
    }

    /// Infers the body unless the last run had the same bindings. Returns whether this run found errors.
    pub(super) fn run(&mut self, bindings: Bindings, work: &mut Work) -> bool {
        if self.last.as_ref().is_some_and(|last| last.bindings == bindings) {
            return false;
        }
        let was_spent = work.budget.is_spent();
        if !work.budget.charge_body(self.graph) {
            self.found.findings.extend((!was_spent).then(|| Budget::unsettled(self.graph)));
            return false;
        }
        let before = work.budget.remaining();
        let (facts, mut found) = self.infer_once(&bindings, work);
        self.keep(Run { bindings, facts, cells: before.saturating_sub(work.budget.remaining()) }, work);
        let fails = found.has_errors();
        let key = |finding: &Diagnostic| (finding.rule.name, finding.primary.span);
        found.findings.retain(|finding| !self.reported.contains(&key(finding)));
        self.reported.extend(found.findings.iter().map(key));
        self.found.append(found);
        fails
    }

    /// Infers the body on a stack that is large enough; returns its facts and findings.
    fn infer_once(&self, bindings: &Bindings, work: &mut Work) -> (Facts, Reported) {
        let infer = |work: &mut Work| infer_graph(&self.inner(), &self.body.plan, bindings, work);
        descend(self.path.len(), || work.with_own_sink(infer))
    }

    /// Infers the body with other bindings, without reporting or keeping anything. `None` if there are errors, or if too
    /// little of the budget is left.
    pub(super) fn infer_without_reporting(&self, bindings: &Bindings, work: &mut Work) -> Option<Facts> {
        if !work.budget.affords(self.graph) || !work.budget.charge_body(self.graph) {
            return None;
        }
        let before = work.budget.remaining();
        let (facts, found) = self.infer_once(bindings, work);
        work.budget.refund(before.saturating_sub(work.budget.remaining()));
        (!found.has_errors() && !work.budget.is_spent()).then_some(facts)
    }

    /// Returns the fact at a Result's input in the facts of one run.
    pub(super) fn result_fact(&self, facts: &Facts, result: LayerId) -> Fact {
        let layer = self.graph.layer(result);
        let supposed = layer.zip(self.supposed).and_then(|(layer, supposed)| supposed.input(layer, 0));
        let given = || facts.of_port(self.graph.inputs(layer?).first()?);
        supposed.or_else(given).cloned().unwrap_or(Fact { assumed: true, ..Fact::unknown() })
    }

    /// Replaces the last run.
    fn keep(&mut self, run: Run, work: &mut Work) {
        if let Some(last) = self.last.replace(run) {
            work.budget.refund(last.cells);
        }
    }

    /// Whether the declared facts of the Parameters contain the bound ones.
    fn declares_as_much(&self, bindings: &Bindings) -> bool {
        bindings.iter().all(|(index, binding)| {
            let declared = self.graph.layer(*index).and_then(|layer| self.declared(layer));
            declared.is_some_and(|declared| {
                declared.shape.contains(&binding.fact.shape) && (binding.keeps_type || declared.ty == binding.fact.ty)
            })
        })
    }

    /// Whether the declared and the bound fact of a Parameter contradict each other.
    pub(super) fn contradicts(&self) -> bool {
        self.last.iter().flat_map(|last| &last.bindings).any(|(index, Binding { fact, keeps_type })| {
            let declared = self.graph.layer(*index).and_then(|layer| self.declared(layer));
            declared.is_some_and(|declared| {
                declared.shape.merge(&fact.shape).is_none() || !keeps_type && declared.ty.merge(fact.ty).is_none()
            })
        })
    }

    /// Treats the body as one that never runs: only findings of the run with declared facts are kept.
    pub(super) fn mark_unexecuted(&mut self, work: &mut Work) {
        self.found = Reported::default();
        self.reported.clear();
        self.run(Bindings::new(), work);
    }

    fn declared(&self, layer: &Layer) -> Option<Fact> {
        let kind = self.graph.kind(layer);
        let Meaning::Modelled(spec) = kind.meaning else { return None };
        let empty = Facts::new(&Graph::default(), &Arc::default());
        (kind.role == Role::Parameter)
            .then(|| apply(&self.inner(), &empty, layer, spec, false, &Terms::default()).outputs)??
            .pop()
    }

    /// Turns errors into warnings, because the body may never run.
    pub(super) fn downgrade_errors(&mut self) {
        for finding in self.found.findings.iter_mut().filter(|finding| finding.severity == Severity::Error) {
            finding.severity = Severity::Warning;
            finding.notes.push("the condition could not be read, so this body may not be the one that runs".into());
        }
    }

    /// Returns the last run's fact at the input of a Result.
    pub(super) fn result(&self, result: LayerId) -> Fact {
        let unknown = || Fact { assumed: true, ..Fact::unknown() };
        self.last.as_ref().map_or_else(unknown, |last| self.result_fact(&last.facts, result))
    }

    /// Returns the last run's fact of a Parameter.
    pub(super) fn parameter(&self, parameter: LayerId) -> Fact {
        let fact = self.last.as_ref().and_then(|last| last.facts.outputs(parameter).first());
        fact.cloned().unwrap_or(Fact { assumed: true, ..Fact::unknown() })
    }

    /// Whether a Parameter has a consumer.
    pub(super) fn is_used(&self, parameter: LayerId) -> bool {
        self.graph.dag.neighbors_directed(parameter.node(), Outgoing).next().is_some()
    }

    /// Whether the last run found all lengths in the body.
    pub(super) fn is_static(&self) -> bool {
        let is_static = |facts: &Facts, index| facts.outputs(index).iter().all(|fact| fact.shape.is_static());
        self.last.as_ref().is_some_and(|run| self.graph.entries().all(|(index, _)| is_static(&run.facts, index)))
    }

    /// Whether the body holds a recurrent cell or sequence.
    pub(super) fn holds_cell(&self) -> bool {
        let mut specs = self.graph.kinds.iter().filter_map(Kind::spec);
        specs.any(|spec| spec.attrs.iter().any(|attr| attr.name == "hidden_size"))
    }

    /// Returns the bindings of the last run.
    pub(super) fn bindings(&self) -> Bindings {
        self.last.as_ref().map(|last| last.bindings.clone()).unwrap_or_default()
    }

    pub(super) fn finish(self) -> (BodyKind, Option<Facts>, Reported) {
        (self.body.kind, self.last.map(|last| last.facts), self.found)
    }
}

impl BodyInput {
    /// Whether the Parameter gets the same tensor in every iteration.
    pub(super) fn is_invariant(&self) -> bool {
        self.slice.is_none() && self.back.is_none()
    }
}
