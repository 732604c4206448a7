//! `Loop`: runs a body repeatedly.
//!
//! - Shape: in a concatenated output, the dimension along the axis is multiplied by the iteration count. That is the trip
//!   count if the condition of the body always holds, and 1 if it never does. Shapes passed from iteration to iteration are
//!   inferred to a fixpoint.
//! - Errors: `axis-range`; `input-type`; `input-value` for counts and conditions that are not a single number; `bad-port-map`
//!   for conditions and counters of several dimensions, and, as a warning, for more iterations than an input has slices.
//! - If a shape depends on an output value of the last iteration, and every condition is known, the iterations are inferred
//!   one by one. A Loop of constants is then refused if it never runs or never ends.
//! - As in OpenVINO, concatenated outputs are `[0]` if the execution condition never holds, and known dimensions stay
//!   as they are if the body may not run at all.
//! - Differs from OpenVINO: OpenVINO infers nothing from a back edge whose Result is not an output; ovlint follows this edge
//!   too, unless its shape certainly does not fit. If the body may not run at all, the last value of a passed tensor may be
//!   the initial one, and unknown dimensions may be 0. Growing dimensions keep their lower bounds. Dimensions that overflow
//!   64 bits are unknown; OpenVINO lets them wrap.

use super::fixpoint::infer_fixpoint;
use super::rules::BAD_PORT_MAP;
use super::runs::{Binding, Runs};
use super::slices::sliced_length;
use super::tensor_iterator::{concat_axis, report_length, report_no_stride, slice_shape};
use super::wiring::BodyOutput;
use super::{Bindings, BodyOp, Failed, back_edges, truth, unroll};
use crate::diagnostic::{Diagnostic, Runtime, Severity};
use crate::ir::{LayerId, Slice};
use crate::ops::rules::{AXIS_RANGE, INPUT_TYPE, INPUT_VALUE};
use crate::ops::{At, Fault};
use crate::types::{Dim, ElementType, Fact, PartialShape, Value, from_front};
use std::sync::Arc;

pub(super) fn infer(host: &mut BodyOp, body: &mut Runs) -> Result<Vec<Fact>, Failed> {
    let trips = check_inputs(host)?;
    let starts = truth(host.input(1).value.as_deref());
    let mut bindings = Bindings::new();
    for inlet in &body.wiring().inputs {
        let mut fact = host.input(inlet.external);
        if let Some(slice) = inlet.slice {
            fact.shape = slice_shape(host, inlet.tag, &slice, &fact.shape)?;
        }
        if !inlet.is_invariant() {
            fact.value = None;
        }
        bindings.insert(inlet.parameter, Binding { fact, keeps_type: false });
    }
    body.infer(bindings, host.work);
    check_conditions(host, body)?;
    let mut goes_on = truth(condition(host, body).as_deref());
    // With a single iteration, back edges pass nothing on.
    let is_last = starts == Some(false) || goes_on == Some(false) || trips.upper().is_some_and(|most| most < 2);
    let misfits = back_edges::check(host, body, !is_last);
    if !is_last {
        infer_fixpoint(host, body, &misfits);
        goes_on = truth(condition(host, body).as_deref());
    }
    report_refused(host, starts, goes_on);
    let begins = match starts {
        Some(false) => Begins::Never,
        Some(true) if !trips.admits(0) => Begins::Always,
        _ => Begins::Perhaps,
    };
    let iterations = iterations(trips, begins, goes_on);
    if begins == Begins::Always && !host.is_assumed() {
        check_slices(host, body, iterations);
    }
    let taken = body.wiring().inputs.iter().map(|inlet| (inlet.tag, inlet.slice));
    let given = body.wiring().outputs.iter().map(|outlet| (outlet.tag, outlet.slice));
    for (tag, slice) in taken.chain(given).filter_map(|(tag, slice)| Some((tag, slice?))) {
        report_no_stride(host, tag, &slice);
    }
    let mut outputs = Vec::new();
    // OpenVINO infers the outputs of an iteration, even if there may be none.
    let inferred = if host.is_openvino() && begins == Begins::Perhaps { Begins::Always } else { begins };
    for outlet in &body.wiring().outputs {
        let output = match outlet.slice {
            Some(_) if begins == Begins::Never => never_run(body, outlet),
            Some(slice) => {
                let all = concatenated(host, body, outlet, &slice, iterations)?;
                let axis = all.rank().and_then(|rank| from_front(slice.axis, rank));
                // This dimension is a product with the iteration count. Its expression also holds without iterations: it is 0.
                match axis.filter(|_| starts == Some(true) && goes_on == Some(true)) {
                    Some(axis) => {
                        let (symbol, fact) = (all.shape.dim(axis).symbol(), inferred.or_skipped(all));
                        Fact { shape: fact.shape.with(axis, fact.shape.dim(axis).with_symbol(symbol)), ..fact }
                    }
                    None => inferred.or_skipped(all),
                }
            }
            None => last_value(host, body, outlet, inferred)?,
        };
        outputs.push(output);
    }
    if begins == Begins::Always {
        fill_in_last_values(host, body, trips, &mut outputs);
    }
    if host.is_assumed() {
        for output in &mut outputs {
            output.assumed = true;
        }
    }
    check_types(host, body, &outputs);
    Ok(outputs)
}

/// Warns of inputs that have fewer slices than there are iterations.
fn check_slices(host: &mut BodyOp, body: &Runs, iterations: Dim) {
    for inlet in &body.wiring().inputs {
        // OpenVINO's CPU plugin ignores `start`, `end` and `part_size` here.
        let Some(slice) = inlet.slice else { continue };
        let slices = |length: Dim| {
            let parts = |all: i64| all.checked_div(slice.stride.checked_abs()?);
            Dim::between(parts(length.lower())?, parts(length.upper()?)?)
        };
        let length = sliced_length(&slice, &host.input(inlet.external).shape);
        if let Some(slices) = length.and_then(slices).filter(|slices| slices.upper() < Some(iterations.lower())) {
            let message = format!("axis {} of this input has {slices} slices for {iterations} iterations", slice.axis);
            let finding = Diagnostic::new(&BAD_PORT_MAP, inlet.tag, message).severity(Severity::Warning);
            host.report_at(finding.runtime(Runtime::Accepts));
        }
    }
}

/// Fills in the values of the last iteration if a shape depends on them.
fn fill_in_last_values(host: &mut BodyOp, body: &Runs, trips: Dim, outputs: &mut [Fact]) {
    let is_endless = matches!(host.single(0), Ok(Some(-1)));
    if !host.wants_values || !is_endless && trips.length().is_none() {
        return;
    }
    let Some(last) = unroll::last(host, body, trips.length()) else { return };
    for ((output, last), outlet) in outputs.iter_mut().zip(last).zip(&body.wiring().outputs) {
        let is_known = last.value.is_some() && output.ty == last.ty && output.shape.contains(&last.shape);
        if is_known && outlet.slice.is_none() {
            *output = Fact { assumed: output.assumed || last.assumed, ..last };
        }
    }
}

/// Whether there is a first iteration.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Begins {
    Always,
    Perhaps,
    Never,
}

impl Begins {
    /// Widens an output for the case without iterations: OpenVINO's CPU plugin then sets every unknown dimension to 0.
    fn or_skipped(self, given: Fact) -> Fact {
        let Some(dims) = given.shape.dims().filter(|_| self != Self::Always) else { return given };
        let perhaps = |dim: &Dim| if dim.is_exact() { *dim } else { dim.hull(Dim::exact(0)) };
        Fact { shape: PartialShape::of(dims.iter().map(perhaps)), ..given }
    }
}

/// Returns the iteration count: the trip count, unless the condition ends the loop earlier.
fn iterations(trips: Dim, begins: Begins, goes_on: Option<bool>) -> Dim {
    let least = i64::from(begins == Begins::Always);
    match (goes_on, trips.upper()) {
        (Some(true), _) => trips,
        // OpenVINO infers one iteration even for a trip count of 0; in fact there is none.
        (Some(false), Some(0)) => Dim::at_most(1),
        (Some(false), _) => Dim::exact(1),
        (None, Some(most)) => Dim::between(least, most).unwrap_or(Dim::ANY),
        (None, None) => Dim::at_least(least),
    }
}

/// The types of trip counts that OpenVINO's CPU plugin compiles: those that it reads as i32.
const COUNTS: [ElementType; 6] = {
    use ElementType::{I16, I32, I64, U16, U32, U64};
    [I16, U16, I32, U32, I64, U64]
};

/// The types of conditions that OpenVINO's CPU plugin compiles: those that it reads as u8.
const CONDITIONS: [ElementType; 3] = [ElementType::Boolean, ElementType::U8, ElementType::U4];

/// Reports the types of counts and conditions that OpenVINO's CPU plugin does not compile.
fn check_types(host: &mut BodyOp, body: &Runs, outputs: &[Fact]) {
    let runtime = host.not_compiled(body, outputs);
    let ty = host.input(0).ty;
    if ty != ElementType::Dynamic && !COUNTS.contains(&ty) {
        let fault = Fault::at(At::Input(0), &INPUT_TYPE, format!("`trip_count` of Loop is {ty}, wanted i32 or i64"));
        host.report(&fault.runtime(runtime));
    }
    let ty = host.input(1).ty;
    if !matches!(ty, ElementType::Boolean | ElementType::Dynamic) {
        let message = format!("`execution_condition` of Loop is {ty}, wanted boolean");
        let fault = Fault::at(At::Input(1), &INPUT_TYPE, message).runtime(runtime);
        let is_read = CONDITIONS.contains(&ty);
        host.report(&if is_read { fault.severity(Severity::Warning).runtime(Runtime::Accepts) } else { fault });
    }
    let Some(index) = body.wiring().condition else { return };
    let ty = body.result(index).ty;
    if ty != ElementType::Dynamic && !CONDITIONS.contains(&ty) {
        let message = format!("the condition of the body is {ty}, wanted boolean");
        host.report_inside(body, index, &INPUT_TYPE, runtime, message);
    }
}

/// Checks trip count and condition; returns the range of the trip count.
fn check_inputs(host: &mut BodyOp) -> Result<Dim, Failed> {
    let (trips, condition) = (host.single(0), host.single(1));
    for fault in [trips.as_ref().err(), condition.as_ref().err()].into_iter().flatten() {
        host.report(fault);
    }
    let (Ok(trips), Ok(_)) = (trips, condition) else { return Err(Failed) };
    if let Some(count) = trips.filter(|count| *count < -1) {
        let message = format!("a trip count of {count}, wanted at least 0, or -1 for no limit");
        let fault = Fault::at(At::Input(0), &INPUT_VALUE, message).severity(Severity::Warning);
        host.report(&fault.runtime(Runtime::Accepts));
    }
    Ok(match trips {
        // -1 means no limit.
        Some(-1) => Dim::at_least(1),
        Some(count) => Dim::exact(count),
        None => trip_range(&host.input(0)).unwrap_or(Dim::ANY),
    })
}

/// Reports a Loop with constant inputs that never runs or never ends, if a shape depends on its output values.
fn report_refused(host: &mut BodyOp, starts: Option<bool>, goes_on: Option<bool>) {
    let is_known = |input: &Fact| input.value.as_ref().is_some_and(|value| value.is_exact());
    if !host.wants_values || !host.inputs.iter().all(is_known) {
        return;
    }
    let Ok(Some(trips)) = host.single(0) else { return };
    let (input, what) = match (trips, starts) {
        (0, _) => (0, "a trip count of 0"),
        (_, Some(false)) => (1, "an execution condition that is false"),
        (..0, _) if goes_on == Some(true) => (0, "no end"),
        _ => return,
    };
    let fault = Fault::at(At::Input(input), &INPUT_VALUE, format!("{what} of a Loop whose values decide a shape"));
    host.report(&fault);
}

/// Returns the range of a trip count from its bounds; `None` if it may be negative, because -1 means no limit.
fn trip_range(count: &Fact) -> Option<Dim> {
    match count.value.as_ref().filter(|_| count.ty != ElementType::Nf4)?.integer_bounds()[..] {
        [one] if one.lower >= 0 => one.to_dim(),
        _ => None,
    }
}

/// Reports a counter or condition of the body of several dimensions, a counter of floats and a condition of several values.
fn check_conditions(host: &mut BodyOp, body: &Runs) -> Result<(), Failed> {
    let wiring = body.wiring();
    if let Some(index) = wiring.iteration {
        let counter = body.parameter(index);
        wanted_single(host, body, index, &counter, "counts the iterations")?;
        if counter.ty.is_float() {
            let message = format!("a Parameter that counts the iterations is {}, wanted an integer type", counter.ty);
            host.report_inside(body, index, &BAD_PORT_MAP, Runtime::Unknown, message);
        }
    }
    let Some(index) = wiring.condition else { return Err(Failed) };
    wanted_single(host, body, index, &body.result(index), "is the condition")?;
    let value = condition(host, body);
    if let Some(value) = value.filter(|value| value.len() != 1 && value.is_exact()) {
        let message = format!("the condition of the body holds {} values, wanted one", value.len());
        // OpenVINO counts the values of constants only.
        let runtime = if value.is_stored() { INPUT_VALUE.runtime } else { Runtime::Unknown };
        host.report_inside(body, index, &INPUT_VALUE, runtime, message);
        return Err(Failed);
    }
    Ok(())
}

/// Returns the value of the body's condition.
fn condition(host: &BodyOp, body: &Runs) -> Option<Arc<Value>> {
    let (graph, index) = (body.graph(), body.wiring().condition?);
    if let Some(value) = body.result(index).value {
        return Some(value);
    }
    // A condition that comes from outside unchanged, or is passed on unchanged, has the outer value.
    let parameter = graph.inputs(graph.layer(index)?).first()?.source()?.layer;
    let inlet = body.wiring().inputs.iter().rev().find(|inlet| inlet.parameter == parameter)?;
    let is_handed_on = inlet.slice.is_none() && inlet.back.is_none_or(|(result, _)| result == index);
    if is_handed_on { host.input(inlet.external).value } else { None }
}

/// Reports a Parameter or Result that must have at most one dimension and has more.
fn wanted_single(host: &mut BodyOp, body: &Runs, index: LayerId, fact: &Fact, role: &str) -> Result<(), Failed> {
    if fact.rank().is_none_or(|rank| rank < 2) {
        return Ok(());
    }
    let name = body.graph().layer(index).map(|layer| body.graph().name(host.scope.source, layer)).unwrap_or_default();
    let message = format!("`{name}` {role} and is {}, wanted a scalar or a list", fact.shape);
    host.report_inside(body, index, &BAD_PORT_MAP, BAD_PORT_MAP.runtime, message);
    Err(Failed)
}

/// Returns the output of the last iteration, or the initial value if there is no iteration.
fn last_value(host: &mut BodyOp, body: &Runs, outlet: &BodyOutput, begins: Begins) -> Result<Fact, Failed> {
    let mut fact = Fact { value: None, ..body.result(outlet.result) };
    let fed = body.wiring().inputs.iter().find(|inlet| inlet.back.is_some_and(|(result, _)| result == outlet.result));
    let start = fed.map(|inlet| host.input(inlet.external).shape).filter(|_| !host.is_openvino());
    if begins == Begins::Never && fact.shape.is_static() {
        if fact.rank() == Some(0) {
            let message = "the execution condition never holds, and a scalar has no dimension to become 0";
            let finding = Diagnostic::new(&AXIS_RANGE, outlet.tag, message);
            host.report_at(finding);
            return Err(Failed);
        }
        fact.shape = fact.shape.with(0, Dim::exact(0));
    }
    Ok(match start {
        // Without an iteration, the output has no elements if OpenVINO knows that, and else is the initial value.
        Some(start) if begins == Begins::Never => {
            let shape = fact.shape.hull(&start);
            Fact { shape: shape.with(0, shape.dim(0).bare()), ..fact }
        }
        Some(start) if begins != Begins::Always => Fact { shape: fact.shape.hull(&start), ..fact },
        Some(_) => fact,
        None => begins.or_skipped(fact),
    })
}

/// Returns the `[0]` that OpenVINO infers for concatenated outputs of a Loop that never runs.
fn never_run(body: &Runs, outlet: &BodyOutput) -> Fact {
    Fact { value: None, shape: PartialShape::of([Dim::exact(0)]), ..body.result(outlet.result) }
}

/// Returns the concatenated outputs of all iterations.
fn concatenated(
    host: &mut BodyOp,
    body: &Runs,
    outlet: &BodyOutput,
    slice: &Slice,
    iterations: Dim,
) -> Result<Fact, Failed> {
    let fact = Fact { value: None, ..body.result(outlet.result) };
    if fact.rank().is_none() {
        return Ok(fact);
    }
    let axis = concat_axis(host, outlet, slice.axis, &fact.shape)?;
    if let Some(step) = slice.stride.checked_abs().filter(|step| *step > 0) {
        report_length(host, outlet, slice, "stride", step, &fact.shape);
    }
    let is_scalar = fact.rank() == Some(0);
    let each = if is_scalar { Dim::exact(1) } else { fact.shape.dim(axis) };
    let overflow = each.length().zip(iterations.length()).filter(|(each, count)| each.checked_mul(*count).is_none());
    if let Some((each, count)) = overflow {
        let message = format!("{count} iterations of {each} elements do not fit 64 bits");
        let fault = Fault::at(At::Input(0), &INPUT_VALUE, message).severity(Severity::Warning);
        host.report(&fault.runtime(Runtime::Accepts));
    }
    let whole = if overflow.is_some() { Dim::ANY } else { each.times(iterations) };
    let shape = if is_scalar { PartialShape::of([whole]) } else { fact.shape.with(axis, whole) };
    Ok(Fact { shape, ..fact })
}
