//! One body, inferred as often as need be; what is wrong with it is reported once.

use super::{BodyInput, BodyWiring};
use crate::diagnostic::{BodyRef, Diagnostic, Reported, Severity};
use crate::infer::budget::Budget;
use crate::infer::explain::Scope;
use crate::infer::facts::Facts;
use crate::infer::plan::{BodyPlan, body_path};
use crate::infer::{Supposed, Terms, Work, apply, infer_graph};
use crate::ir::{BodyKind, Graph, Layer, LayerId, Role};
use crate::ops::Meaning;

use crate::source::Span;
use crate::stack::descend;
use crate::types::Fact;
use petgraph::Direction::Outgoing;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What the Parameters of a body are bound to, by place.
pub(in crate::infer) type Bindings = BTreeMap<LayerId, Binding>;

/// What one Parameter is bound to.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::infer) struct Binding {
    /// The tensor.
    pub fact: Fact,
    /// Whether the Parameter keeps the element type that it declares.
    pub keeps_type: bool,
}

impl Binding {
    /// The outputs of a Parameter bound to this; `declared` are those that it declares.
    pub(in crate::infer) fn bind(&self, declared: &[Fact]) -> Vec<Fact> {
        let mut fact = self.fact.clone();
        let own = declared.first().map_or(fact.ty, |declared| declared.ty);
        if self.keeps_type && own != fact.ty {
            fact = Fact { ty: own, value: None, ..fact };
        }
        vec![fact]
    }

    /// The outputs of a Parameter bound to this that cannot be read itself.
    pub(in crate::infer) fn bind_unread(&self) -> Option<Vec<Fact>> {
        (!self.keeps_type).then(|| vec![self.fact.clone()])
    }
}

/// One inference of a body.
struct Run {
    bindings: Bindings,
    facts: Facts,
    /// What the facts take of the budget.
    cells: usize,
}

/// The inferences of one body.
pub(super) struct Runs<'a> {
    scope: &'a Scope<'a>,
    graph: &'a Graph,
    body: &'a BodyPlan,
    path: Vec<BodyRef>,
    supposed: Option<&'a Supposed>,
    last: Option<Run>,
    found: Reported,
    /// What was found by earlier runs.
    known: BTreeSet<(&'static str, Span)>,
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
            known: BTreeSet::new(),
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

    /// The layers around the body, outermost first, as findings name them.
    pub(super) fn path(&self) -> &[BodyRef] {
        &self.path
    }

    pub(super) fn has_run(&self) -> bool {
        self.last.is_some()
    }

    fn inner(&self) -> Scope<'_> {
        Scope { graph: self.graph, body: &self.path, ..*self.scope }
    }

    /// Infers the body with what its Parameters get, and also with what they declare, as OpenVINO does first.
    ///
    /// Elements that come from outside OpenVINO does not see, so what only they would make wrong does not count.
    pub(super) fn infer(&mut self, bindings: Bindings, work: &mut Work) {
        let without = |binding: &Binding| Binding { fact: Fact { value: None, ..binding.fact.clone() }, ..*binding };
        let bare: Bindings = bindings.iter().map(|(place, binding)| (*place, without(binding))).collect();
        let has_values = bare != bindings;
        if self.run(bindings, work) && has_values && !work.budget.is_spent() {
            self.found = Reported::default();
            self.known.clear();
            self.run(bare.clone(), work);
        }
        // Knowing less never adds an error, so declarations that allow all that is given need no run of their own.
        if !self.declares_as_much(&bare) {
            let last = self.last.take();
            self.run(Bindings::new(), work);
            if let Some(last) = last {
                self.keep(last, work);
            }
        }
    }

    /// Infers the body unless the last time was the same; whether errors were found.
    pub(super) fn run(&mut self, bindings: Bindings, work: &mut Work) -> bool {
        if self.last.as_ref().is_some_and(|last| last.bindings == bindings) {
            return false;
        }
        let was_spent = work.budget.is_spent();
        if !work.budget.enter(self.graph) {
            self.found.findings.extend((!was_spent).then(|| Budget::unsettled(self.graph)));
            return false;
        }
        let room = work.budget.room();
        let (facts, mut found) = self.inferred(&bindings, work);
        self.keep(Run { bindings, facts, cells: room.saturating_sub(work.budget.room()) }, work);
        let fails = found.has_errors();
        let key = |finding: &Diagnostic| (finding.rule.name, finding.primary.span);
        found.findings.retain(|finding| !self.known.contains(&key(finding)));
        self.known.extend(found.findings.iter().map(key));
        self.found.append(found);
        fails
    }

    /// The facts and findings of the body, inferred on a stack that suffices.
    fn inferred(&self, bindings: &Bindings, work: &mut Work) -> (Facts, Reported) {
        let infer = |work: &mut Work| infer_graph(&self.inner(), &self.body.plan, bindings, work);
        descend(self.path.len(), || work.apart(infer))
    }

    /// What the body makes of `bindings` beside what it was inferred with so far; `None` where something is wrong, or there is
    /// little left of the budget. Nothing is reported and nothing kept.
    pub(super) fn attempt(&self, bindings: &Bindings, work: &mut Work) -> Option<Facts> {
        if !work.budget.affords(self.graph) || !work.budget.enter(self.graph) {
            return None;
        }
        let room = work.budget.room();
        let (facts, found) = self.inferred(bindings, work);
        work.budget.give_back(room.saturating_sub(work.budget.room()));
        (!found.has_errors() && !work.budget.is_spent()).then_some(facts)
    }

    /// What a Result gets in such an attempt.
    pub(super) fn handed(&self, facts: &Facts, result: LayerId) -> Fact {
        let layer = self.graph.layer(result);
        let supposed = layer.zip(self.supposed).and_then(|(layer, supposed)| supposed.input(layer, 0));
        let given = || facts.of_port(self.graph.inputs(layer?).first()?);
        supposed.or_else(given).cloned().unwrap_or(Fact { assumed: true, ..Fact::unknown() })
    }

    /// Keeps a run instead of the last one.
    fn keep(&mut self, run: Run, work: &mut Work) {
        if let Some(last) = self.last.replace(run) {
            work.budget.give_back(last.cells);
        }
    }

    /// Whether the Parameters declare at least what they are bound to.
    fn declares_as_much(&self, bindings: &Bindings) -> bool {
        bindings.iter().all(|(place, binding)| {
            let declared = self.graph.layer(*place).and_then(|layer| self.declared(layer));
            declared.is_some_and(|declared| {
                declared.shape.contains(&binding.fact.shape) && (binding.keeps_type || declared.ty == binding.fact.ty)
            })
        })
    }

    /// Whether a Parameter declares what it cannot be bound to.
    pub(super) fn contradicts(&self) -> bool {
        self.last.iter().flat_map(|last| &last.bindings).any(|(place, Binding { fact, keeps_type })| {
            let declared = self.graph.layer(*place).and_then(|layer| self.declared(layer));
            declared.is_some_and(|declared| {
                declared.shape.merge(&fact.shape).is_none() || !keeps_type && declared.ty.merge(fact.ty).is_none()
            })
        })
    }

    /// Takes the body for one that does not run: all there is to say about it is what it declares.
    pub(super) fn set_aside(&mut self, work: &mut Work) {
        self.found = Reported::default();
        self.known.clear();
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

    /// Turns errors into warnings, as it is not known whether this body runs.
    pub(super) fn downgrade_errors(&mut self) {
        for finding in self.found.findings.iter_mut().filter(|finding| finding.severity == Severity::Error) {
            finding.severity = Severity::Warning;
            finding
                .notes
                .push("the condition could not be read, so this body may not be the one that runs".to_owned().into());
        }
    }

    /// What the last run found of the tensor that a Result gets.
    pub(super) fn result(&self, result: LayerId) -> Fact {
        let unknown = || Fact { assumed: true, ..Fact::unknown() };
        self.last.as_ref().map_or_else(unknown, |last| self.handed(&last.facts, result))
    }

    /// What the last run had for a Parameter.
    pub(super) fn parameter(&self, parameter: LayerId) -> Fact {
        let fact = self.last.as_ref().and_then(|last| last.facts.outputs(parameter).first());
        fact.cloned().unwrap_or(Fact { assumed: true, ..Fact::unknown() })
    }

    /// Whether any layer takes what a Parameter gives.
    pub(super) fn is_used(&self, parameter: LayerId) -> bool {
        self.graph.dag.neighbors_directed(parameter.node(), Outgoing).next().is_some()
    }

    /// The bindings of the last run.
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
