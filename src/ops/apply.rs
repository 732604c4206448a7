//! The application of an `OpSpec` to one layer: checks, then inference.

mod attributes;
mod counts;
mod extent;
mod inputs;
mod values;

pub(crate) use attributes::{meant, missing, owner, read_before_2026_2};
pub use extent::Extent;
pub(crate) use extent::{evaluates, is_between, is_finite};
pub(crate) use inputs::{misreading, unknown_type};

use super::attribute::AttrValue;
use super::context::{BoundsDependent, InferCtx};
use super::fault::{At, Fault};
use super::rules::{ATTRIBUTE_VALUE, INDEX_TYPE, MISSING_ATTRIBUTE};
use super::spec::OpSpec;
use crate::diagnostic::{LIMIT_EXCEEDED, Runtime};
use crate::limits::Limits;
use crate::types::Fact;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::cell::RefCell;

/// The attributes of a layer as written: name and text.
pub type Texts<'a> = SmallVec<[(Cow<'a, str>, Cow<'a, str>); 8]>;

/// The result of applying an operation to its inputs.
pub struct Application {
    /// The outputs; `None` after an error. Behind an error that OpenVINO accepts, the outputs that OpenVINO infers.
    pub outputs: Option<Vec<Fact>>,
    /// The errors and warnings.
    pub faults: Vec<Fault>,
    /// Errors that depend on whether OpenVINO evaluates some of the inputs. The outputs hold either way.
    pub bounds_dependent: Vec<BoundsDependent>,
}

/// A call of an operation: the parts of a layer that it depends on.
pub struct Call<'a> {
    /// The operation.
    pub spec: &'static OpSpec,
    /// The facts of the inputs, in order.
    pub inputs: &'a [&'a Fact],
    /// The attributes as written.
    pub attrs: &'a [(Cow<'a, str>, Cow<'a, str>)],
    /// The number of declared output ports, if there is a file.
    pub declared_outputs: Option<usize>,
    /// Whether a consumer needs the elements of the outputs.
    pub wants_values: bool,
    /// The extent of inference.
    pub extent: Extent,
}

impl Call<'_> {
    /// Checks and infers the layer.
    pub fn apply(&self, limits: &Limits) -> Application {
        let mut faults = Vec::new();
        let (values, written) = self.read_attrs(&mut faults);
        self.check_inputs(&mut faults);
        // OpenVINO continues without some missing attributes, at least until it compiles the model, with numbers that it
        // misreads, and earlier releases with texts that they read.
        let continues = |fault: &Fault| match fault.verdict() {
            Runtime::NotCompiled => true,
            Runtime::Unknown if fault.rule == &INDEX_TYPE => true,
            verdict => {
                verdict.reads() && fault.rule == &MISSING_ATTRIBUTE
                    || fault.rule == &ATTRIBUTE_VALUE && fault.since.is_some()
            }
        };
        if faults.iter().any(|fault| fault.is_error() && !continues(fault)) {
            if self.long_list(limits).is_none() {
                self.prefer_length_fault(&values, &written, limits, &mut faults);
            }
            return Application { outputs: None, faults, bounds_dependent: Vec::new() };
        }
        let cx = self.with_attrs(&values, &written, limits, self.extent);
        if let Some(fault) = self.too_many_outputs(&cx, limits).or_else(|| self.long_list(limits)) {
            // An error that OpenVINO raises for any number of outputs is more helpful than a limit.
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
        outputs = outputs.filter(|_| {
            !warnings.iter().any(|fault| fault.is_error() && !continues(fault) && !fault.verdict().reads())
        });
        faults.extend(warnings);
        if faults.len() > 1 {
            // What is certain says it all, such as the error that misread numbers cause.
            let strength = |fault: &Fault| (fault.is_error(), fault.verdict() == Runtime::Rejects);
            let all: Vec<_> = faults.iter().map(|fault| (fault.at, fault.rule, strength(fault))).collect();
            let is_weaker = |one: &Fault| {
                all.iter().any(|(at, rule, other)| (*at, *rule) == (one.at, one.rule) && *other > strength(one))
            };
            faults.retain(|fault| !is_weaker(fault));
        }
        Application { outputs, faults, bounds_dependent }
    }

    /// Calls `visit` with this call in which input `i` has another fact.
    pub(crate) fn with_input<R>(&self, i: usize, fact: &Fact, visit: impl FnOnce(&Call) -> R) -> R {
        let given = self.inputs.iter().enumerate();
        let inputs: SmallVec<[&Fact; 8]> = given.map(|(at, given)| if at == i { fact } else { given }).collect();
        visit(&Call { inputs: &inputs, ..*self })
    }

    /// Calls `visit` with this call in which an attribute has another text.
    pub(crate) fn with_attribute<R>(&self, name: &'static str, text: &str, visit: impl FnOnce(&Call) -> R) -> R {
        let others = self.attrs.iter().filter(|(known, _)| known != name).cloned();
        let attrs: Texts = others.chain([(name.into(), text.into())]).collect();
        visit(&Call { attrs: &attrs, ..*self })
    }

    /// Returns the faults that hold for any inputs: attributes and the numbers of inputs and outputs. Infers nothing.
    pub(crate) fn check(&self, limits: &Limits) -> Vec<Fault> {
        let mut faults = Vec::new();
        let (values, written) = self.read_attrs(&mut faults);
        self.check_inputs(&mut faults);
        if !faults.iter().any(Fault::is_error) {
            faults.extend(self.too_many_outputs(&self.with_attrs(&values, &written, limits, Extent::Full), limits));
        }
        faults
    }

    /// Calls `visit` with the context in which the operation infers and evaluates; reports no faults.
    pub(crate) fn context<R>(&self, limits: &Limits, visit: impl FnOnce(&InferCtx) -> R) -> R {
        let (values, written) = self.read_attrs(&mut Vec::new());
        visit(&self.with_attrs(&values, &written, limits, Extent::Full))
    }

    fn with_attrs<'c>(
        &'c self,
        attrs: &'c [Option<AttrValue>],
        written: &'c [bool],
        limits: &'c Limits,
        extent: Extent,
    ) -> InferCtx<'c> {
        let Call { spec, inputs, declared_outputs, .. } = *self;
        let (warnings, bounds_dependent) = (RefCell::default(), RefCell::default());
        InferCtx { spec, inputs, attrs, written, declared_outputs, limits, extent, warnings, bounds_dependent }
    }
}
