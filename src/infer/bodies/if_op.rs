//! `If`: one branch if the condition is known, else both.
//!
//! - Shape: the hull of both branches, dimension by dimension; unknown if their ranks differ. A scalar and a one-dimensional
//!   tensor give a one-dimensional tensor, as in OpenVINO, whose CPU plugin returns the scalar as a tensor of shape `[1]`.
//! - Errors: `input-type`, though OpenVINO takes any condition but a constant string; `input-value`, `type-conflict`, `bad-port-map`.
//! - Differs from OpenVINO: dynamic dimensions keep their bounds, and a value is known if both branches know it.

use super::rules::BAD_PORT_MAP;
use super::runs::{Binding, Runs};
use super::wiring::may_skip_a_branch;
use super::{Bindings, BodyOp, Failed, truth};
use crate::arrange::Fill;
use crate::diagnostic::{Diagnostic, Runtime, Severity};
use crate::ops::rules::{INPUT_TYPE, TYPE_CONFLICT};
use crate::ops::{At, Fault};
use crate::types::{ElementType, Fact, PartialShape, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

pub(super) fn infer<'a>(host: &mut BodyOp, then: &mut Runs<'a>, other: &mut Runs<'a>) -> Result<Vec<Fact>, Failed> {
    if let Err(fault) = host.single(0) {
        host.report(&fault);
        return Err(Failed);
    }
    let condition = host.input(0);
    let ty = condition.ty;
    // OpenVINO reads the value of a constant.
    let is_read = condition.value.as_deref().is_some_and(Value::is_stored);
    if ![ElementType::Boolean, ElementType::Dynamic].contains(&ty) && !ty.is_integer() {
        let message = format!("the condition of If must be boolean, but is {ty}");
        let runtime = if is_read && ty == ElementType::String { Runtime::Rejects } else { Runtime::Accepts };
        host.report(&Fault::at(At::Input(0), &INPUT_TYPE, message).runtime(runtime).primary(ty.to_string()));
    }
    match truth(condition.value.as_deref()) {
        Some(holds) => {
            let declared = then.wiring().outputs.len();
            let chosen = if holds { then } else { other };
            chosen.infer(bindings(host, chosen), host.work);
            let mut outputs: Vec<Fact> = chosen.wiring().outputs.iter().map(|out| chosen.result(out.result)).collect();
            if outputs.len() < declared {
                outputs.resize(declared, Fact::unknown());
            } else if outputs.len() > declared && !is_read {
                // OpenVINO may not know the condition. It then makes the outputs of the <then_body>.
                host.report_at(miscounted(host, declared, outputs.len()).runtime(Runtime::Unknown));
            }
            for output in &mut outputs {
                output.assumed |= condition.assumed;
            }
            Ok(outputs)
        }
        None => {
            then.infer(bindings(host, then), host.work);
            other.infer(bindings(host, other), host.work);
            let is_open = condition.assumed || host.is_unread(0);
            if is_open {
                then.downgrade_errors();
                other.downgrade_errors();
            }
            let outputs = merge(host, then, other, is_open);
            if is_open {
                // If the condition is constant, OpenVINO leaves the branch that it does not choose as declared.
                [then, other]
                    .into_iter()
                    .filter(|body| body.contradicts())
                    .for_each(|body| body.mark_unexecuted(host.work));
            }
            outputs
        }
    }
}

fn bindings(host: &BodyOp, body: &Runs) -> Bindings {
    let inputs = body.wiring().inputs.iter();
    inputs.map(|inlet| (inlet.parameter, Binding { fact: host.input(inlet.external), keeps_type: false })).into_map()
}

/// Joins the outputs of both branches; `is_open` is true if the condition may be a constant that cannot be read.
fn merge(host: &mut BodyOp, then: &Runs, other: &Runs, is_open: bool) -> Result<Vec<Fact>, Failed> {
    let (ours, theirs) = (&then.wiring().outputs, &other.wiring().outputs);
    let assumed = host.input(0).assumed;
    if let Some(finding) = unmatched(host, then, other) {
        host.report_at(if is_open { finding.severity(Severity::Warning) } else { finding });
        return Err(Failed);
    }
    let mut outputs = Vec::new();
    for (i, (a, b)) in ours.iter().zip(theirs).enumerate() {
        let (then, other) = (then.result(a.result), other.result(b.result));
        let assumed = assumed || then.assumed || other.assumed;
        let Some(ty) = then.ty.merge(other.ty) else {
            let message = format!("<then_body> gives {}, <else_body> gives {}", then.ty, other.ty);
            let fault = Fault::at(At::Output(i), &TYPE_CONFLICT, message).primary(format!("output {i}"));
            host.report(&if is_open || assumed { fault.severity(Severity::Warning) } else { fault });
            return Err(Failed);
        };
        let shape = either(&then.shape, &other.shape);
        let value = then.value.as_ref().zip(other.value.as_ref());
        let value = value.and_then(|(a, b)| a.hull(b)).map(Arc::new);
        outputs.push(Fact { ty, shape, value, assumed });
    }
    Ok(outputs)
}

/// Returns the finding that the outputs of the branches do not correspond.
fn unmatched(host: &BodyOp, then: &Runs, other: &Runs) -> Option<Diagnostic> {
    let (ours, theirs) = (then.wiring().outputs.len(), other.wiring().outputs.len());
    if theirs < ours {
        return Some(miscounted(host, ours, theirs));
    }
    [then, other].into_iter().find_map(|body| {
        let mut seen = BTreeSet::new();
        let again = body.wiring().outputs.iter().find(|outlet| !seen.insert(outlet.result))?;
        let message = format!("a Result of the <{}> is mapped to two outputs", body.kind().name());
        let may_skip = may_skip_a_branch(host.scope.graph, host.layer);
        let runtime = if may_skip { Runtime::Unknown } else { BAD_PORT_MAP.runtime };
        Some(Diagnostic::new(&BAD_PORT_MAP, again.tag, message).runtime(runtime))
    })
}

/// The finding that the branches have different numbers of outputs.
fn miscounted(host: &BodyOp, ours: usize, theirs: usize) -> Diagnostic {
    let name = host.scope.graph.name(host.scope.source, host.layer);
    let message = format!("the bodies of `{name}` give {ours} and {theirs} outputs");
    Diagnostic::new(&BAD_PORT_MAP, host.layer.tag, message)
}

/// Returns the hull of two shapes; a scalar and a one-dimensional shape give a one-dimensional shape.
fn either(a: &PartialShape, b: &PartialShape) -> PartialShape {
    match (a.rank(), b.rank()) {
        (Some(0), Some(1)) | (Some(1), Some(0)) => PartialShape::of([a.elements().hull(b.elements())]),
        _ => a.hull(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_shape_or_the_other() {
        let either = |a: &str, b: &str| either(&a.parse().unwrap(), &b.parse().unwrap()).to_string();
        assert_eq!(either("[2,3]", "[2,5]"), "[2,3..5]");
        assert_eq!(either("[2..5]", "[4..9]"), "[2..9]");
        assert_eq!(either("[2,3]", "[2,3,4]"), "[...]");
        assert_eq!(either("[]", "[4]"), "[1..4]");
        assert_eq!(either("[?]", "[]"), "[?]");
        assert_eq!(either("[1]", "[]"), "[1]");
        assert_eq!(either("[]", "[]"), "[]");
        assert_eq!(either("[...]", "[2]"), "[...]");
    }
}
