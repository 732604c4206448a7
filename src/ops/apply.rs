//! Checks one layer against its `OpSpec`, then infers it.

mod attributes;
mod counts;
mod extent;
mod inputs;
mod values;

pub(crate) use attributes::{meant, missing};
pub use extent::Extent;
pub(crate) use extent::{is_between, is_finite};
pub(crate) use inputs::{misreading, unknown_type};

use super::context::{BoundsDependent, InferCtx};
use super::fault::{At, Fault};
use super::rules::MISSING_ATTRIBUTE;
use super::spec::OpSpec;
use crate::diagnostic::{LIMIT_EXCEEDED, Runtime};
use crate::limits::Limits;
use crate::types::Fact;
use smallvec::SmallVec;
use std::borrow::Cow;

/// The attributes of a layer as written: names and texts.
pub type Texts<'a> = SmallVec<[(Cow<'a, str>, Cow<'a, str>); 8]>;

/// What came of applying an operation to its inputs.
pub struct Application {
    /// The outputs, as OpenVINO infers them behind errors that it does not mind; `None` if an error keeps them from being
    /// known.
    pub outputs: Option<Vec<Fact>>,
    /// The findings, errors and warnings.
    pub faults: Vec<Fault>,
    /// Errors only if OpenVINO evaluates some of the inputs, too. The outputs hold either way.
    pub bounds_dependent: Vec<BoundsDependent>,
}

/// One layer as an operation sees it.
pub struct Call<'a> {
    /// The operation.
    pub spec: &'static OpSpec,
    /// The facts of the inputs, in order.
    pub inputs: &'a [&'a Fact],
    /// The attributes as written.
    pub attrs: &'a [(Cow<'a, str>, Cow<'a, str>)],
    /// The number of declared output ports, where there is a file.
    pub declared_outputs: Option<usize>,
    /// Whether a consumer needs the elements of the outputs.
    pub wants_values: bool,
    /// How much inference concludes from what is known.
    pub extent: Extent,
}

impl Call<'_> {
    /// Checks and infers the layer.
    pub fn apply(&self, limits: &Limits) -> Application {
        let mut faults = Vec::new();
        let (values, written) = self.read_attrs(&mut faults);
        self.check_inputs(&mut faults);
        // OpenVINO goes on without an attribute that it can do without, if only until it compiles the model.
        let goes_on = |fault: &Fault| match fault.verdict() {
            Runtime::NotCompiled => true,
            verdict => verdict.reads() && fault.rule == &MISSING_ATTRIBUTE,
        };
        if faults.iter().any(|fault| fault.is_error() && !goes_on(fault)) {
            if self.long_list(limits).is_none() {
                self.replace_huge(&values, &written, limits, &mut faults);
            }
            return Application { outputs: None, faults, bounds_dependent: Vec::new() };
        }
        let cx = InferCtx::new(self.spec, self.inputs, &values, &written, self.declared_outputs, limits)
            .wanting_values(self.wants_values)
            .with_extent(self.extent);
        if let Some(fault) = self.too_many_outputs(&cx, limits).or_else(|| self.long_list(limits)) {
            // An error that OpenVINO raises for any number of outputs says more than a limit.
            let refused = || (self.spec.infer)(&cx).err().filter(|fault| !fault.verdict().reads());
            let is_of_outputs = fault.rule == &LIMIT_EXCEEDED && matches!(fault.at, At::Attr(_));
            let refused = if is_of_outputs { refused() } else { None };
            faults.push(refused.unwrap_or(fault));
            return Application { outputs: None, faults, bounds_dependent: Vec::new() };
        }
        let inferred = (self.spec.infer)(&cx).and_then(|outputs| match counts::high_rank(&outputs, limits) {
            Some(fault) => Err(fault),
            None => Ok(outputs),
        });
        let mut outputs = match inferred {
            Ok(mut outputs) => {
                let limit = self.wants_values.then(|| values::evaluate(&cx, &mut outputs, limits)).flatten();
                let gave_up = limit.is_some();
                if self.extent == Extent::OpenVino {
                    extent::forget(&cx, &mut outputs);
                }
                faults.extend(limit);
                if gave_up || self.inputs.iter().any(|input| input.assumed) {
                    for output in &mut outputs {
                        output.assumed = true;
                    }
                }
                Some(outputs)
            }
            Err(fault) => {
                faults.push(fault);
                None
            }
        };
        for i in 0..self.inputs.len() {
            if self.spec.input(i).is_some_and(|input| input.is_length && self.is_read(input)) {
                cx.check_length_bounds(i);
            }
        }
        let bounds_dependent = cx.take_bounds_dependent();
        let warnings = cx.into_warnings();
        outputs = outputs.filter(|_| !warnings.iter().any(|fault| fault.is_error() && !fault.verdict().reads()));
        faults.extend(warnings);
        // The warning about misread bytes is redundant beside the error that they cause.
        let errors: Vec<_> =
            faults.iter().filter(|fault| fault.is_error()).map(|fault| (fault.at, fault.rule)).collect();
        if !errors.is_empty() {
            faults.retain(|fault| fault.is_error() || !errors.contains(&(fault.at, fault.rule)));
        }
        Application { outputs, faults, bounds_dependent }
    }

    /// What is wrong whatever arrives: attributes, and the number of inputs and of outputs. Nothing is inferred.
    pub(crate) fn check(&self, limits: &Limits) -> Vec<Fault> {
        let mut faults = Vec::new();
        let (values, written) = self.read_attrs(&mut faults);
        self.check_inputs(&mut faults);
        if !faults.iter().any(Fault::is_error) {
            let cx = InferCtx::new(self.spec, self.inputs, &values, &written, self.declared_outputs, limits);
            faults.extend(self.too_many_outputs(&cx, limits));
        }
        faults
    }

    /// Calls `visit` with the context in which the operation infers and evaluates; what is wrong is not reported.
    pub(crate) fn context<R>(&self, limits: &Limits, visit: impl FnOnce(&InferCtx) -> R) -> R {
        let (values, written) = self.read_attrs(&mut Vec::new());
        visit(&InferCtx::new(self.spec, self.inputs, &values, &written, self.declared_outputs, limits))
    }
}
