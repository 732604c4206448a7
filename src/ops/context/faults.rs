//! The faults that an operation reports in addition to the one that it returns.

use super::InferCtx;
use crate::diagnostic::{Refusal, Runtime};
use crate::ops::rules::INPUT_VALUE;
use crate::ops::{At, Fault};
use crate::types::symbol::demand;
use crate::types::{Bounds, Interval, Value};
use std::ops::Range;

/// A fault that OpenVINO raises only if it evaluates the bounds of some inputs.
#[derive(Debug, Clone)]
pub struct BoundsDependent {
    /// The inputs, by position.
    pub inputs: Range<usize>,
    /// The further condition under which OpenVINO raises it.
    pub needs: Needs,
    /// The fault.
    pub fault: Fault,
}

/// A condition on what OpenVINO evaluates, beside the bounds of some inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// None.
    Bounds,
    /// It has read all constants on which the elements of the inputs depend.
    Elements,
    /// A shape depends on the elements of the outputs.
    Outputs,
}

impl InferCtx<'_> {
    /// Downgrades the fault of a negative length in input `i` if the value is a constant: OpenVINO reads it `so` there and
    /// rejects it only in computed values.
    pub(crate) fn below_0(&self, i: usize, so: &str, fault: Fault) -> Fault {
        if !self.value(i).is_some_and(Value::is_stored) {
            return fault;
        }
        fault.runtime(Runtime::Accepts).note(format!("OpenVINO reads {so} in a constant"))
    }

    /// The fault that the layer has the wrong number of inputs. OpenVINO does not count an unconnected input, so if one of
    /// `inputs` may be unconnected, it may accept the layer.
    pub(crate) fn unless_unconnected(&self, inputs: Range<usize>, fault: Fault) -> Fault {
        let inputs = self.inputs().get(inputs).unwrap_or_default();
        let may_be_unconnected = inputs.iter().any(|input| input.rank().is_none());
        fault.decided_if(!may_be_unconnected)
    }

    /// Reports a fault that does not stop inference. Drops duplicates, as operations may infer again to evaluate elements.
    pub fn warn(&self, fault: Fault) {
        let mut warnings = self.warnings.borrow_mut();
        let is_same =
            |other: &Fault| (other.at, other.rule.name, &other.message) == (fault.at, fault.rule.name, &fault.message);
        if !warnings.iter().any(is_same) {
            warnings.push(fault);
        }
    }

    /// Reports a fault that OpenVINO accepts, so that inference continues as in OpenVINO; returns any other as an error.
    pub(crate) fn pass(&self, fault: Fault) -> Result<(), Fault> {
        if !fault.verdict().reads() {
            return Err(fault);
        }
        self.warn(fault);
        Ok(())
    }

    /// The faults reported with `warn`.
    pub(crate) fn into_warnings(self) -> Vec<Fault> {
        self.warnings.into_inner()
    }

    /// Reports a fault that OpenVINO raises only if it evaluates the bounds of these inputs.
    pub(crate) fn report_if_bounded(&self, inputs: Range<usize>, fault: Fault) {
        self.bounds_dependent.borrow_mut().push(BoundsDependent { inputs, needs: Needs::Bounds, fault });
    }

    /// Reports a fault that OpenVINO raises only if it evaluates the elements of the outputs.
    pub(crate) fn report_if_evaluated(&self, fault: Fault) {
        let inputs = 0..self.inputs.len();
        self.bounds_dependent.borrow_mut().push(BoundsDependent { inputs, needs: Needs::Outputs, fault });
    }

    /// Demands that the lengths in input `i` are 0 or more. Reports those that may be negative, which OpenVINO rejects if it
    /// evaluates their bounds.
    pub(crate) fn check_length_bounds(&self, i: usize) {
        // The least number is an open bound, unless it is the value.
        let below = |one: &Bounds<i64>| {
            (i64::MIN + 1..0).contains(&one.lower) && one.upper < i64::MAX || one.value() == Some(i64::MIN)
        };
        // OpenVINO reads constants in another way.
        if self.value(i).is_some_and(|value| value.is_stored() && value.is_exact()) {
            return;
        }
        let Some(bounds) = self.bounds(i) else {
            demand::leave_open();
            return;
        };
        for one in bounds.iter().filter(|one| one.lower < 0 && one.upper >= 0) {
            Interval::from(*one).demand_at_least_0();
        }
        let Some((at, length)) = bounds.iter().enumerate().find(|(_, one)| below(one)) else { return };
        let (found, verb) = match length.value() {
            Some(exact) => (exact.to_string(), "is"),
            None => (format!("{}..{}", length.lower, length.upper), "may be"),
        };
        let message =
            format!("element {at} of `{}` {verb} {found}, and OpenVINO refuses lengths below 0", self.input_name(i));
        let fault = Fault::at(At::Input(i), &INPUT_VALUE, message).primary(found).runtime(Runtime::Rejects);
        let fault = fault.refused(Refusal::SizeBelowZero);
        // An exact number comes from no dimension that could be narrowed.
        let fault = match length.value() {
            Some(_) => fault,
            None => fault.help("keep it from 0 on: put a Maximum in front, or narrow the dimension that it comes from"),
        };
        let found = BoundsDependent { inputs: i..i + 1, needs: Needs::Elements, fault };
        self.bounds_dependent.borrow_mut().push(found);
    }

    /// Drains the faults that depend on what OpenVINO evaluates.
    pub(crate) fn take_bounds_dependent(&self) -> Vec<BoundsDependent> {
        self.bounds_dependent.take()
    }
}
