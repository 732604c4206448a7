//! A harness for tests of operations: inputs and outputs are facts in text, such as `f32[2,3]`, without any XML.

#[cfg(test)]
mod demands;
#[cfg(test)]
pub(crate) mod draws;
#[cfg(test)]
mod fuzz;
mod random;
#[cfg(test)]
mod u64;

use super::apply::{Application, Call, Extent, Texts};
use super::context::BoundsDependent;
use super::fault::Fault;
use super::spec::OpSpec;
use crate::diagnostic::Runtime;
use crate::limits::Limits;
use crate::types::{Dim, ElementType, Fact, PartialShape};
use std::sync::Arc;

/// One layer under test.
pub(crate) struct OpTest {
    spec: &'static OpSpec,
    inputs: Vec<Fact>,
    attrs: Texts<'static>,
    declared: Option<usize>,
    extent: Extent,
    limits: Limits,
}

/// A test of operation `name` of opset `opset` on these inputs: `op("Split", 1, ["f32[6]", "i64[] = 0"])`.
pub(crate) fn op<const N: usize>(name: &str, opset: u8, inputs: [&str; N]) -> OpTest {
    let spec = super::find(name, opset).unwrap_or_else(|| panic!("{name} is not modelled in opset{opset}"));
    let inputs = inputs.iter().map(|text| text.parse().unwrap_or_else(|e| panic!("{e}"))).collect();
    OpTest { spec, inputs, attrs: Texts::new(), declared: None, extent: Extent::Full, limits: Limits::default() }
}

impl OpTest {
    /// Adds an attribute.
    #[expect(clippy::needless_pass_by_value, reason = "tests write numbers and texts as they come")]
    pub(crate) fn attr(mut self, name: &'static str, text: impl ToString) -> Self {
        self.attrs.push((name.into(), text.to_string().into()));
        self
    }

    /// Adds an input that is stored as a constant.
    pub(crate) fn stored(mut self, input: &str) -> Self {
        let fact: Fact = input.parse().unwrap_or_else(|e| panic!("{e}"));
        let value = fact.value.map(|value| Arc::new(value.as_ref().clone().stored()));
        self.inputs.push(Fact { value, ..fact });
        self
    }

    /// Sets the number of declared outputs.
    pub(crate) fn declared(mut self, outputs: usize) -> Self {
        self.declared = Some(outputs);
        self
    }

    /// Sets the limit of the rank.
    pub(crate) fn max_rank(mut self, rank: usize) -> Self {
        self.limits.rank = rank;
        self
    }

    /// Asserts the outputs, that there is no error, and monotonicity: knowing less about an input never adds an error and
    /// never narrows an output.
    pub(crate) fn gives<const N: usize>(self, outputs: [&str; N]) -> Self {
        let found = self.outputs(outputs);
        self.assert_monotone(&found);
        self
    }

    /// Asserts the outputs without monotonicity, for operations that are not monotone by specification.
    pub(crate) fn yields<const N: usize>(self, outputs: [&str; N]) -> Self {
        self.outputs(outputs);
        self
    }

    /// Asserts the outputs inferred despite an error that OpenVINO may accept.
    pub(crate) fn passes<const N: usize>(self, outputs: [&str; N]) -> Self {
        let result = self.apply(&self.inputs);
        let is_passed = |fault: &Fault| fault.is_error() && fault.verdict() != Runtime::Rejects;
        assert!(result.faults.iter().any(is_passed), "nothing is passed, but {}", faults(&result.faults));
        let found = result.outputs.iter().flatten().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(found, outputs, "{} of {:?}, {}", self.spec.name, self.texts(), faults(&result.faults));
        self
    }

    /// Asserts the outputs of inference limited to what OpenVINO infers.
    pub(crate) fn gives_openvino<const N: usize>(self, outputs: [&str; N]) -> Self {
        let test = Self { extent: Extent::OpenVino, ..self };
        test.outputs(outputs);
        Self { extent: Extent::Full, ..test }
    }

    fn outputs<const N: usize>(&self, outputs: [&str; N]) -> Vec<Fact> {
        let result = self.apply(&self.inputs);
        let Some(found) = result.outputs.filter(|_| !result.faults.iter().any(Fault::is_error)) else {
            panic!("expected {outputs:?}, found {}", faults(&result.faults))
        };
        let texts: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(texts, outputs, "{} of {:?}", self.spec.name, self.texts());
        found
    }

    /// Asserts that there is one error, by rule and message.
    pub(crate) fn fails(self, rule: &str, message: &str) -> Self {
        let result = self.apply(&self.inputs);
        let errors: Vec<_> = result.faults.iter().filter(|fault| fault.is_error()).collect();
        match errors[..] {
            [error] => assert_eq!((error.rule.name, error.message.shown()), (rule, message)),
            _ => panic!("expected one error {rule}, found {}; outputs {:?}", faults(&result.faults), result.outputs),
        }
        self
    }

    /// Asserts one error, by rule and message, that OpenVINO raises only if it evaluates bounds.
    pub(crate) fn fails_if_bounded(self, rule: &str, message: &str) -> Self {
        let result = self.apply(&self.inputs);
        let found: Vec<_> = result
            .bounds_dependent
            .iter()
            .map(|BoundsDependent { fault, .. }| (fault.rule.name, fault.message.shown()))
            .collect();
        assert_eq!(found, [(rule, message)]);
        self
    }

    /// Asserts a warning by rule and message, whatever else is reported.
    pub(crate) fn warns(self, rule: &str, message: &str) -> Self {
        let result = self.apply(&self.inputs);
        let found = result.faults.iter().any(|f| !f.is_error() && f.rule.name == rule && f.message == message.into());
        assert!(found, "no warning {rule} `{message}`, but {}", faults(&result.faults));
        self
    }

    /// Asserts that there are no faults.
    pub(crate) fn says_nothing(self) {
        let result = self.apply(&self.inputs);
        assert!(result.faults.is_empty(), "{}", faults(&result.faults));
    }

    fn apply(&self, inputs: &[Fact]) -> Application {
        let inputs: Vec<&Fact> = inputs.iter().collect();
        let call = Call {
            spec: self.spec,
            inputs: &inputs,
            attrs: &self.attrs,
            declared_outputs: self.declared,
            wants_values: true,
            extent: self.extent,
        };
        call.apply(&self.limits)
    }

    fn texts(&self) -> Vec<String> {
        self.inputs.iter().map(ToString::to_string).collect()
    }

    fn assert_monotone(&self, sharp: &[Fact]) {
        for (i, input) in self.inputs.iter().enumerate() {
            for blunt in less_precise(input) {
                let mut inputs = self.inputs.clone();
                if let Some(place) = inputs.get_mut(i) {
                    *place = blunt.clone();
                }
                let result = self.apply(&inputs);
                let demand = |rule: &str| matches!(rule, "needs-constant" | "needs-type" | "state-init");
                if result.faults.iter().any(|fault| fault.is_error() && demand(fault.rule.name)) {
                    continue;
                }
                let Some(found) = result.outputs.filter(|_| !result.faults.iter().any(Fault::is_error)) else {
                    panic!(
                        "{} with less known of input {i} ({blunt}) fails: {}",
                        self.spec.name,
                        faults(&result.faults)
                    )
                };
                for (n, (wide, narrow)) in found.iter().zip(sharp).enumerate() {
                    assert!(
                        wide.contains(narrow),
                        "{}: with input {i} as {blunt}, output {n} is {wide}, which leaves out {narrow}",
                        self.spec.name
                    );
                }
            }
        }
    }
}

/// Variants of the fact with a little less information.
fn less_precise(fact: &Fact) -> Vec<Fact> {
    let plain = Fact { value: None, ..fact.clone() };
    let mut all = Vec::new();
    if fact.value.is_some() {
        all.push(plain.clone());
    }
    for axis in 0..fact.rank().unwrap_or(0) {
        if fact.shape.dim(axis) != Dim::ANY {
            all.push(Fact { shape: fact.shape.with(axis, Dim::ANY), ..plain.clone() });
        }
    }
    if fact.rank().is_some() {
        all.push(Fact { shape: PartialShape::UNKNOWN, ..plain.clone() });
    }
    if fact.ty != ElementType::Dynamic {
        all.push(Fact { ty: ElementType::Dynamic, ..plain });
    }
    all
}

fn faults(faults: &[Fault]) -> String {
    let all: Vec<String> =
        faults.iter().map(|fault| format!("{}: {}", fault.rule.name, fault.message.shown())).collect();
    format!("{all:?}")
}
