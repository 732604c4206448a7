//! Layers with bodies: their outputs are inferred from their bodies, which are inferred with the facts of the layer's inputs.
//!
//! - Spec: `condition/if-8`, `infrastructure/loop-5`, `infrastructure/tensor-iterator-1`
//! - OpenVINO builds a body with the shapes that its Parameters declare, overwrites them with the input shapes of the layer,
//!   and infers the body again. An error in either pass counts; the shapes come from the second pass.

mod back_edges;
mod ends;
mod fixpoint;
mod if_op;
mod loop_op;
pub(crate) mod rules;
mod runs;
mod slices;
mod tensor_iterator;
mod unroll;
mod wire;
mod wiring;

pub(super) use runs::{Binding, Bindings};
pub(super) use wire::Wirer;
pub(crate) use wiring::{BodyInput, BodyWiring};

use super::facts::Facts;
use super::openvino_bounds::may_be_left_out;
use super::plan::Bodies;
use super::scope::Scope;
use super::{Work, explain};
use crate::diagnostic::{Diagnostic, Rule, Runtime};
use crate::ir::{BodyKind, Layer, LayerId, OutputRef, Port, Role};
use crate::ops::apply::Extent;
use crate::ops::rules::INPUT_VALUE;
use crate::ops::{Action, At, Eval, Fault, OpSpec, WithBodies};
use crate::types::{ElementType, Elements, Fact, Value};
use runs::Runs;

/// Returns the bodies that an operation needs.
pub(crate) fn kinds(op: WithBodies) -> &'static [BodyKind] {
    match op {
        WithBodies::If => &[BodyKind::Then, BodyKind::Else],
        WithBodies::Loop | WithBodies::TensorIterator => &[BodyKind::Body],
    }
}

/// The maximum number of layers visited on the walk upstream from a condition.
const FOLLOWED: usize = 64;

/// The error for a layer whose outputs cannot be inferred. The reason has already been reported.
struct Failed;

/// The state of the inference of one layer with bodies.
struct BodyOp<'a, 's> {
    scope: &'a Scope<'a>,
    layer: &'a Layer,
    op: WithBodies,
    spec: &'static OpSpec,
    /// The facts of the graph around the layer.
    outer: &'a Facts,
    /// The facts of its inputs.
    inputs: Vec<Fact>,
    /// True if a shape depends on the output values of the layer.
    wants_values: bool,
    work: &'a mut Work<'s>,
}

/// Infers the bodies of a layer, and its outputs from them; `None` if the outputs cannot be inferred.
///
/// Without `spec` each body is only checked on its own.
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
        let mut host = BodyOp { scope, layer, op, spec, outer: facts, inputs, wants_values, work };
        outputs = match (op, runs.as_mut_slice()) {
            (WithBodies::If, [a, b]) => {
                let (then, other) = if a.kind() == BodyKind::Then { (a, b) } else { (b, a) };
                if_op::infer(&mut host, then, other)
            }
            (WithBodies::Loop, [body, ..]) => loop_op::infer(&mut host, body),
            (WithBodies::TensorIterator, [body, ..]) => tensor_iterator::infer(&mut host, body),
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
        // Without budget the fixpoint may not be reached, and facts from before it may be wrong.
        if let Some(inner) = inner.filter(|_| !work.budget.is_spent()) {
            facts.add_body(index, kind, inner);
        }
    }
    outputs.filter(|_| !work.budget.is_spent())
}

impl BodyOp<'_, '_> {
    /// Reports a fault in an input or output of the layer.
    fn report(&mut self, fault: &Fault) {
        let finding = explain::finding(self.scope, self.outer, self.layer, self.spec, fault);
        self.push(finding);
    }

    /// Reports a fault in a tag of the port map or of the bodies.
    fn report_at(&mut self, finding: Diagnostic) {
        self.push(self.scope.about_part(self.layer, finding));
    }

    /// Reports a fault in a layer of a body.
    fn report_inside(&mut self, body: &Runs, index: LayerId, rule: &'static Rule, runtime: Runtime, message: String) {
        let (graph, source) = (self.scope.graph, self.scope.source);
        let Some(layer) = body.graph().layer(index) else { return };
        let mut finding = Diagnostic::new(rule, layer.tag, message)
            .runtime(runtime)
            .layer(body.graph().layer_ref(source, layer))
            .label(self.layer.tag, format!("in the body of this {} layer", graph.kind(self.layer).ty));
        finding.body = body.path().to_vec();
        self.push(finding);
    }

    fn push(&mut self, finding: Diagnostic) {
        self.work.sink.report(finding);
    }

    /// Returns the fact of input `i`; that of a missing input is unknown.
    fn input(&self, i: usize) -> Fact {
        self.inputs.get(i).cloned().unwrap_or(Fact { assumed: true, ..Fact::unknown() })
    }

    /// Whether input `i` is computed from constants alone, one of which cannot be read.
    fn is_unread(&self, i: usize) -> bool {
        let graph = self.scope.graph;
        let source = |layer: &Layer, i: usize| graph.inputs(layer).get(i).and_then(Port::source);
        let mut todo: Vec<OutputRef> = source(self.layer, i).into_iter().collect();
        let mut is_unread = false;
        for _ in 0..FOLLOWED {
            let Some(output) = todo.pop() else { break };
            let is_known = self.outer.output(output).is_some_and(|fact| fact.value.is_some());
            let Some(layer) = graph.layer(output.layer).filter(|_| !is_known) else { continue };
            let kind = graph.kind(layer);
            match kind.role {
                Role::Const => is_unread = true,
                Role::Parameter => return false,
                // A variable, or lengths that only an input decides.
                _ if kind
                    .spec()
                    .is_some_and(|spec| spec.action == Action::Reads || matches!(spec.eval, Eval::Shape(_))) =>
                {
                    return false;
                }
                _ => todo.extend((0..graph.inputs(layer).len()).filter_map(|i| source(layer, i))),
            }
        }
        is_unread
    }

    /// Returns the verdict on what OpenVINO's CPU plugin refuses when it compiles a layer with these outputs. It looks only when it
    /// runs a layer that is not static, and it may drop or fold the layer, or a body around it.
    fn not_compiled(&self, body: &Runs, outputs: &[Fact]) -> Runtime {
        let graph = self.scope.graph;
        let index = graph.layer_at(self.layer.tag.start).filter(|_| self.scope.body.is_empty());
        let is_compiled = index.is_some_and(|index| !may_be_left_out(graph, index, self.layer))
            && self.inputs.iter().any(|input| input.value.is_none())
            && self.inputs.iter().chain(outputs).all(|fact| fact.shape.is_static())
            && body.is_static();
        if is_compiled { Runtime::NotCompiled } else { Runtime::MayNotCompile }
    }

    /// Whether inference is limited to what OpenVINO infers.
    fn is_openvino(&self) -> bool {
        self.work.terms.extent == Extent::OpenVino
    }

    /// Whether any input depends on declared ports.
    fn is_assumed(&self) -> bool {
        self.inputs.iter().any(|input| input.assumed)
    }

    /// Returns the value of an input that must be a single number: `None` if it is unknown, a fault unless it has one element.
    fn single(&self, i: usize) -> Result<Option<i64>, Fault> {
        let input = self.input(i);
        // OpenVINO reads the bits of an nf4 as an integer.
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

/// Returns the truth value of a condition, if it is known.
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
