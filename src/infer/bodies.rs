//! Layers with bodies: what their outputs are follows from their bodies, inferred with what comes from outside.
//!
//! - Spec: `condition/if-8`, `infrastructure/loop-5`, `infrastructure/tensor-iterator-1`
//! - OpenVINO builds a body with the shapes that its Parameters declare, overwrites them by what the layer gets, and infers
//!   the body again. Both times an error counts; the second time says what the shapes are.

mod back;
mod branch;
mod ends;
mod iterate;
mod repeat;
pub(crate) mod rules;
mod runs;
mod settle;
mod unroll;
mod wire;
mod wiring;

pub(super) use runs::{Binding, Bindings};
pub(super) use wire::Wirer;
pub(crate) use wiring::{BodyInput, BodyWiring};

use super::explain::Scope;
use super::facts::Facts;
use super::plan::Bodies;
use super::{Work, explain};
use crate::diagnostic::{Diagnostic, Rule};
use crate::ir::{BodyKind, Layer, LayerId, OutputRef, Port, Role};
use crate::ops::rules::INPUT_VALUE;
use crate::ops::{At, Fault, OpSpec, WithBodies};
use crate::types::{ElementType, Elements, Fact, Value};
use runs::Runs;

/// The bodies that an operation needs.
pub(crate) fn kinds(op: WithBodies) -> &'static [BodyKind] {
    match op {
        WithBodies::If => &[BodyKind::Then, BodyKind::Else],
        WithBodies::Loop | WithBodies::TensorIterator => &[BodyKind::Body],
    }
}

/// How many layers are followed back from a condition.
const FOLLOWED: usize = 64;

/// Something was reported that keeps the outputs of a layer from being known.
struct Failed;

/// One layer with bodies while it is inferred.
struct Host<'a, 's> {
    scope: &'a Scope<'a>,
    layer: &'a Layer,
    op: WithBodies,
    spec: &'static OpSpec,
    /// What is known around the layer.
    outer: &'a Facts,
    /// The facts of its inputs.
    inputs: Vec<Fact>,
    /// Whether the elements of its outputs decide a shape.
    wants_values: bool,
    work: &'a mut Work<'s>,
}

/// Infers the bodies of a layer, and its outputs from them; `None` where something keeps them from being known.
///
/// With `spec` missing the bodies are only examined on their own.
pub(super) fn infer(
    scope: &Scope,
    facts: &mut Facts,
    index: LayerId,
    bodies: &Bodies,
    spec: Option<&'static OpSpec>,
    wants_values: bool,
    work: &mut Work,
) -> Option<Vec<Fact>> {
    let layer = scope.graph.layer(index)?;
    let unknown = Fact { assumed: true, ..Fact::unknown() };
    let supposed = |i| work.terms.supposed.and_then(|supposed| supposed.input(layer, i));
    let inputs = scope.graph.inputs(layer).iter().enumerate();
    let inputs =
        inputs.map(|(i, port)| supposed(i).or_else(|| facts.of_port(port)).unwrap_or(&unknown).clone()).collect();
    let mut runs: Vec<Runs> =
        bodies.all.iter().filter_map(|body| Runs::new(scope, layer, body, work.terms.supposed)).collect();
    let mut outputs = None;
    if let (Some(op), Some(spec), true) = (bodies.op, spec, bodies.is_wired) {
        let mut host = Host { scope, layer, op, spec, outer: facts, inputs, wants_values, work };
        outputs = match (op, runs.as_mut_slice()) {
            (WithBodies::If, [a, b]) => {
                let (then, other) = if a.kind() == BodyKind::Then { (a, b) } else { (b, a) };
                branch::infer(&mut host, then, other)
            }
            (WithBodies::Loop, [body, ..]) => repeat::infer(&mut host, body),
            (WithBodies::TensorIterator, [body, ..]) => iterate::infer(&mut host, body),
            _ => Err(Failed),
        }
        .ok();
    }
    for mut run in runs {
        if !run.has_run() {
            run.run(Bindings::new(), work);
        }
        let (kind, inner, found) = run.finish();
        work.sink.leave_out(found.left_out);
        for finding in found.findings {
            work.sink.report(finding);
        }
        // What did not settle is not known.
        if let Some(inner) = inner.filter(|_| !work.budget.is_spent()) {
            facts.add_body(index, kind, inner);
        }
    }
    outputs.filter(|_| !work.budget.is_spent())
}

impl Host<'_, '_> {
    /// Reports what is wrong with an input or output of the layer.
    fn report(&mut self, fault: &Fault) {
        let finding = explain::finding(self.scope, self.outer, self.layer, self.spec, fault);
        self.push(finding);
    }

    /// Reports what is wrong with a tag of the port map or of the bodies.
    fn report_at(&mut self, finding: Diagnostic) {
        let (graph, source) = (self.scope.graph, self.scope.source);
        let mut finding = finding
            .layer(graph.layer_ref(source, self.layer))
            .label(self.layer.tag, format!("in this {} layer", graph.kind(self.layer).ty));
        finding.body = self.scope.body.to_vec();
        self.push(finding);
    }

    /// Reports what is wrong with a layer of a body.
    fn report_inside(&mut self, body: &Runs, place: LayerId, rule: &'static Rule, message: String) {
        let (graph, source) = (self.scope.graph, self.scope.source);
        let Some(layer) = body.graph().layer(place) else { return };
        let mut finding = Diagnostic::new(rule, layer.tag, message)
            .layer(body.graph().layer_ref(source, layer))
            .label(self.layer.tag, format!("in the body of this {} layer", graph.kind(self.layer).ty));
        finding.body = body.path().to_vec();
        self.push(finding);
    }

    fn push(&mut self, finding: Diagnostic) {
        self.work.sink.report(finding);
    }

    /// Input `i`; nothing is known of one that is not there.
    fn input(&self, i: usize) -> Fact {
        self.inputs.get(i).cloned().unwrap_or(Fact { assumed: true, ..Fact::unknown() })
    }

    /// Whether input `i` is computed from a constant that cannot be read.
    fn is_unread(&self, i: usize) -> bool {
        let source = |layer: &Layer, i: usize| self.scope.graph.inputs(layer).get(i).and_then(Port::source);
        let mut todo: Vec<OutputRef> = source(self.layer, i).into_iter().collect();
        for _ in 0..FOLLOWED {
            let Some(output) = todo.pop() else { break };
            let is_known = self.outer.output(output).is_some_and(|fact| fact.value.is_some());
            let Some(layer) = self.scope.graph.layer(output.layer).filter(|_| !is_known) else { continue };
            if self.scope.graph.kind(layer).role == Role::Const {
                return true;
            }
            todo.extend((0..self.scope.graph.inputs(layer).len()).filter_map(|i| source(layer, i)));
        }
        false
    }

    /// Whether what the layer gets depends on declared ports.
    fn is_assumed(&self) -> bool {
        self.inputs.iter().any(|input| input.assumed)
    }

    /// The one constant that an input must be if it is a constant; the fault of being several.
    fn single(&self, i: usize) -> Result<Option<i64>, Fault> {
        let input = self.input(i);
        // OpenVINO takes the bits of an nf4 for a whole number.
        let value = input.value.as_ref().filter(|_| input.ty != ElementType::Nf4);
        let Some(values) = value.and_then(|value| value.exact_integers()) else { return Ok(None) };
        match values[..] {
            [value] => Ok(Some(value)),
            _ => {
                let name = self.spec.input(i).map_or("input", |input| input.name);
                let message = format!("`{name}` holds {} values, wanted one", values.len());
                Err(Fault::at(At::Input(i), &INPUT_VALUE, message))
            }
        }
    }
}

/// Whether a condition holds, if that is known.
fn truth(value: Option<&Value>) -> Option<bool> {
    let value = value.filter(|value| value.len() == 1)?;
    match value.elements() {
        Elements::Integers(all) => all.first().and_then(|one| match one.value() {
            Some(value) => Some(value != 0),
            None => (!one.admits(0)).then_some(true),
        }),
        Elements::Floats(all) => all.first()?.value().map(|value| value != 0.0),
        Elements::Opaque(..) => None,
    }
}
