//! `Loop`: a body again and again.
//!
//! - Shape: the trip count is the number of iterations if the condition of the body always holds, and 1 if it never does;
//!   concatenated outputs are that many times as long along their axis. What a Loop hands on from iteration to iteration
//!   and gives out in the end is followed until it settles: a dimension that leaves its bounds becomes dynamic.
//! - Errors: `axis-range`, `input-value` of counts and conditions that are no single number, `bad-port-map` of conditions
//!   and counters of more than one dimension.
//! - As in OpenVINO, an execution condition that never holds makes concatenated outputs `[0]` and sets the first dimension
//!   of the others to 0 where they are static; what no output gives out is taken to keep its shape.
//! - Differs from OpenVINO: lengths that do not fit 64 bits are unknown; OpenVINO lets them wrap.

use super::iterate::{concat_axis, cut};
use super::rules::BAD_PORT_MAP;
use super::runs::{Gift, Runs};
use super::wiring::Outlet;
use super::{Given, Host, Trips, back, truth};
use crate::diagnostic::{Diagnostic, Runtime, Severity};
use crate::ir::Role;
use crate::limits::ROUNDS;
use crate::ops::fault::{At, Fault};
use crate::ops::rules::{AXIS_RANGE, FLOAT_INDEX, INPUT_TYPE, INPUT_VALUE};
use crate::types::{Dim, ElementType, Fact, PartialShape};
use std::collections::BTreeMap;

pub(super) fn infer(host: &mut Host, body: &mut Runs) -> Option<Vec<Fact>> {
    let Trips(trips) = inputs(host)?;
    let never = truth(host.input(1).value.as_deref()) == Some(false);
    let mut given = Given::new();
    for inlet in &body.wiring().inputs {
        let mut fact = host.input(inlet.external);
        if let Some(slice) = inlet.slice {
            fact.shape = cut(host, inlet.tag, &slice, &fact.shape)?;
        }
        if !inlet.is_invariant() {
            fact.value = None;
        }
        given.insert(inlet.parameter, Gift { fact, keeps_type: false });
    }
    body.infer_with(given, host.work);
    let Trips(iterations) = iterations(host, body, trips)?;
    settle(host, body, iterations);
    back::check(host, body);
    let mut outputs = Vec::new();
    for outlet in &body.wiring().outputs {
        outputs.push(output(host, body, outlet, iterations, never)?);
    }
    if host.is_assumed() {
        for output in &mut outputs {
            output.assumed = true;
        }
    }
    Some(outputs)
}

/// Checks trip count and condition; gives the trip count where it is known.
fn inputs(host: &mut Host) -> Option<Trips> {
    let (trips, condition) = (host.single(0), host.single(1));
    let failed = [trips.as_ref().err().cloned(), condition.err()];
    failed.iter().flatten().for_each(|fault| host.report(fault));
    let trips = trips.ok().filter(|_| failed[1].is_none())?;
    if let Some(count) = trips.filter(|count| *count < -1) {
        let message = format!("a trip count of {count}, wanted at least 0, or -1 for no limit");
        let fault = Fault::at(At::Input(0), &INPUT_VALUE, message).severity(Severity::Warning);
        let note = "OpenVINO infers tensors without elements, and may die when it compiles the model (SIGFPE)";
        host.report(&fault.runtime(Runtime::Accepts).note(note));
    }
    let ty = host.input(0).ty;
    if ty.is_float() {
        host.report(&Fault::at(At::Input(0), &FLOAT_INDEX, format!("`trip_count` of Loop is {ty}")));
    }
    let ty = host.input(1).ty;
    if !matches!(ty, ElementType::Boolean | ElementType::Dynamic) {
        let fault =
            Fault::at(At::Input(1), &INPUT_TYPE, format!("`execution_condition` of Loop is {ty}, wanted boolean"));
        host.report(&fault.severity(Severity::Warning).runtime(Runtime::Accepts));
    }
    Some(Trips(trips.filter(|count| *count != -1)))
}

/// How often the body runs.
fn iterations(host: &mut Host, body: &Runs, trips: Option<i64>) -> Option<Trips> {
    let wiring = body.wiring();
    let counter = wiring.iteration.map(|parameter| body.parameter(parameter));
    if let (Some(fact), Some(place)) = (counter, wiring.iteration) {
        wanted_single(host, body, place, &fact, "counts the iterations")?;
    }
    let place = wiring.condition?;
    let condition = body.result(place);
    wanted_single(host, body, place, &condition, "is the condition")?;
    // What the body hands on unchanged from outside is as constant as that.
    let source = body.graph().layer(place).and_then(|result| body.graph().inputs(result).first()?.source());
    let parameter = source.map(|source| source.layer).filter(|place| {
        body.graph().layer(*place).is_some_and(|layer| body.graph().kind(layer).role == Role::Parameter)
    });
    let inlet = wiring.inputs.iter().rev().find(|inlet| Some(inlet.parameter) == parameter);
    let outer = inlet.map(|inlet| host.input(inlet.external));
    let value = condition.value.or(outer.and_then(|outer| outer.value));
    if let Some(count) = value.as_ref().filter(|value| value.len() != 1 && value.is_exact()).map(|value| value.len()) {
        let message = format!("the condition of the body holds {count} values, wanted one");
        host.report_at(Diagnostic::new(&INPUT_VALUE, tag_of(body, place), message));
        return None;
    }
    Some(Trips(match truth(value.as_deref()) {
        Some(true) => trips,
        Some(false) => Some(1),
        None => None,
    }))
}

fn tag_of(body: &Runs, place: u32) -> crate::source::Span {
    body.graph().layer(place).map(|layer| layer.tag).unwrap_or_default()
}

/// Reports a Parameter or Result that must be a scalar or a list, and is neither.
fn wanted_single(host: &mut Host, body: &Runs, place: u32, fact: &Fact, role: &str) -> Option<()> {
    if fact.rank().is_none_or(|rank| rank < 2) {
        return Some(());
    }
    let name = body.graph().layer(place).map(|layer| body.graph().name(host.scope.source, layer)).unwrap_or_default();
    let message = format!("`{name}` {role} and is {}, wanted a scalar or a list", fact.shape);
    host.report_at(Diagnostic::new(&BAD_PORT_MAP, tag_of(body, place), message));
    None
}

/// Infers the body until what it hands on fits what it takes.
fn settle(host: &mut Host, body: &mut Runs, iterations: Option<i64>) {
    let wiring = body.wiring();
    let inlets = wiring.inputs.iter().filter_map(|inlet| Some((inlet.back?.0, inlet.parameter)));
    let back_edges: BTreeMap<u32, u32> = inlets.collect();
    let given_out = |result: &u32| wiring.outputs.iter().any(|out| out.slice.is_none() && out.result == *result);
    let handed_on: Vec<(u32, u32)> = back_edges.into_iter().filter(|(result, _)| given_out(result)).collect();
    let most = iterations.and_then(|count| usize::try_from(count).ok()).unwrap_or(usize::MAX);
    for round in 0..most {
        let mut given = body.given();
        let mut changed = false;
        for (result, parameter) in &handed_on {
            let Some(gift) = given.get_mut(parameter) else { continue };
            let Some(shape) = relaxed(&gift.fact.shape, &body.result(*result).shape) else { continue };
            changed = true;
            gift.fact.shape = shape;
        }
        if !changed || host.work.budget.is_spent() {
            return;
        }
        if round >= ROUNDS {
            for (_, parameter) in &handed_on {
                given.entry(*parameter).and_modify(|gift| gift.fact.shape = PartialShape::UNKNOWN);
            }
        }
        body.run(given, host.work);
    }
}

/// The shape of a Parameter that must also take what it is handed; `None` if it does already.
fn relaxed(taken: &PartialShape, handed: &PartialShape) -> Option<PartialShape> {
    if taken.contains(handed) {
        return None;
    }
    match (taken.dims(), handed.dims()) {
        (Some(old), Some(new)) if old.len() == new.len() => {
            let dims = old.iter().zip(new);
            Some(PartialShape::of(dims.map(|(old, new)| if old.contains(*new) { *old } else { Dim::ANY })))
        }
        _ => Some(PartialShape::UNKNOWN),
    }
}

fn output(host: &mut Host, body: &Runs, outlet: &Outlet, iterations: Option<i64>, never: bool) -> Option<Fact> {
    let fact = Fact { value: None, ..body.result(outlet.result) };
    let zero = Dim::exact(0);
    let Some(slice) = outlet.slice else {
        if !never || !fact.shape.is_static() {
            return Some(fact);
        }
        if fact.rank() == Some(0) {
            let message = "the execution condition never holds, and a scalar has no dimension to become 0";
            let finding = Diagnostic::new(&AXIS_RANGE, outlet.tag, message);
            host.report_at(finding.note("OpenVINO says \"Accessing out-of-range dimension\""));
            return None;
        }
        return Some(Fact { shape: fact.shape.with(0, zero), ..fact });
    };
    if never {
        return Some(Fact { shape: PartialShape::of([zero]), ..fact });
    }
    if fact.rank().is_none() {
        return Some(fact);
    }
    let axis = concat_axis(host, outlet, slice.axis, &fact.shape)?;
    let each = if fact.rank() == Some(0) { Dim::exact(1) } else { fact.shape.dim(axis) };
    let whole = match (each.length(), iterations) {
        (Some(each), Some(count)) => {
            let whole = each.checked_mul(count.max(0));
            if whole.is_none() {
                let message = format!("{count} iterations of {each} elements do not fit 64 bits");
                let fault = Fault::at(At::Input(0), &INPUT_VALUE, message).severity(Severity::Warning);
                host.report(&fault.runtime(Runtime::Accepts));
            }
            whole.map_or(Dim::ANY, Dim::exact)
        }
        _ => Dim::ANY,
    };
    let shape = if fact.rank() == Some(0) { PartialShape::of([whole]) } else { fact.shape.with(axis, whole) };
    Some(Fact { shape, ..fact })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_that_change_become_dynamic() {
        let relaxed = |taken: &str, handed: &str| {
            relaxed(&taken.parse().unwrap(), &handed.parse().unwrap()).map(|shape| shape.to_string())
        };
        assert_eq!(relaxed("[2,3]", "[4,3]").as_deref(), Some("[?,3]"));
        assert_eq!(relaxed("[2,3..5]", "[4,3..4]").as_deref(), Some("[?,3..5]"));
        assert_eq!(relaxed("[2,3]", "[2,1..5]").as_deref(), Some("[2,?]"));
        assert_eq!(relaxed("[2,3]", "[2,3,1]").as_deref(), Some("[...]"));
        assert_eq!(relaxed("[2,3]", "[...]").as_deref(), Some("[...]"));
        assert_eq!(relaxed("[2,?]", "[2,3]"), None);
        assert_eq!(relaxed("[...]", "[2]"), None);
    }
}
