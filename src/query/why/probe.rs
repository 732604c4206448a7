//! Experiments with one layer: inference with some inputs or attributes changed.

use super::Aspect;
use crate::infer::{Facts, with_call};
use crate::ir::{Graph, Layer, unescape};
use crate::limits::Limits;
use crate::ops::apply::{Call, Extent, Texts};
use crate::ops::{Eval, OpSpec};
use crate::source::Source;
use crate::types::{Bounds, Dim, ElementType, Elements, Fact, PartialShape, Value};
use std::cell::Cell;
use std::sync::Arc;

/// An aspect of an input that an output may depend on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Factor {
    pub(super) input: usize,
    /// The aspect of the input's tensor.
    pub(super) aspect: Aspect,
}

/// The known value of an aspect, in a form that can be compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Answer {
    Dim(Dim),
    Integer(Bounds<i64>),
    /// The bits of the bounds, so that a NaN equals itself.
    Float(u64, u64),
    Rank(Option<usize>),
    Type(ElementType),
    Unknown,
}

impl Answer {
    pub(super) fn of(fact: &Fact, aspect: Aspect) -> Self {
        match aspect {
            Aspect::Dim(axis) => {
                fact.shape.dims().and_then(|dims| dims.get(axis)).map_or(Self::Unknown, |d| Self::Dim(*d))
            }
            Aspect::Element(index) => match fact.value.as_deref().map(Value::elements) {
                Some(Elements::Integers(all)) => all.get(index).map_or(Self::Unknown, |one| Self::Integer(*one)),
                Some(Elements::Floats(all)) => {
                    all.get(index).map_or(Self::Unknown, |one| Self::Float(one.lower.to_bits(), one.upper.to_bits()))
                }
                _ => Self::Unknown,
            },
            Aspect::Rank => Self::Rank(fact.rank()),
            Aspect::Type => Self::Type(fact.ty),
        }
    }

    /// Whether the value is exactly known.
    pub(super) fn is_exact(self) -> bool {
        match self {
            Self::Dim(dim) => dim.is_exact(),
            Self::Integer(bounds) => bounds.value().is_some(),
            Self::Float(lower, upper) => lower == upper,
            Self::Rank(rank) => rank.is_some(),
            Self::Type(ty) => ty != ElementType::Dynamic,
            Self::Unknown => false,
        }
    }

    /// Returns the value of an exact integer, dimension or rank.
    pub(super) fn number(self) -> Option<i64> {
        match self {
            Self::Dim(dim) => dim.length(),
            Self::Integer(bounds) => bounds.value(),
            Self::Rank(rank) => i64::try_from(rank?).ok(),
            _ => None,
        }
    }
}

/// A layer with its inputs and attributes, ready for experiments.
pub(super) struct Probe<'a> {
    pub(super) spec: &'static OpSpec,
    pub(super) inputs: Vec<Fact>,
    pub(super) attrs: Texts<'a>,
    limits: &'a Limits,
    /// The remaining budget of work, shared by all probes of a query.
    left: &'a Cell<usize>,
}

impl<'a> Probe<'a> {
    pub(super) fn new(
        (source, graph, facts): (&'a Source, &'a Graph, &Facts),
        layer: &Layer,
        spec: &'static OpSpec,
        limits: &'a Limits,
        left: &'a Cell<usize>,
    ) -> Self {
        let inputs = with_call(source, graph, facts, layer, spec, |call| {
            // The flag `assumed` keeps operations from reporting faults that only partly unknown inputs cause.
            call.inputs.iter().map(|fact| Fact { assumed: true, ..(*fact).clone() }).collect()
        });
        let attrs = graph.attrs(layer).iter();
        let attrs = attrs.map(|a| (unescape(source.slice(a.name)), unescape(source.slice(a.value)))).collect();
        Self { spec, inputs, attrs, limits, left }
    }

    pub(super) fn has_budget(&self) -> bool {
        self.left.get() > 0
    }

    /// Calls `visit` with changed inputs.
    fn call<R>(&self, change: impl FnOnce(&mut [Fact]), wants_values: bool, visit: impl FnOnce(&Call) -> R) -> R {
        let mut inputs = self.inputs.clone();
        change(&mut inputs);
        let inputs: Vec<&Fact> = inputs.iter().collect();
        let (spec, attrs, extent) = (self.spec, &self.attrs, Extent::Full);
        visit(&Call { spec, inputs: &inputs, attrs, declared_outputs: None, wants_values, extent })
    }

    /// Infers an aspect of an output; `None` if the operation rejects the inputs or the budget is used up.
    fn answer(&self, call: &Call, output: usize, aspect: Aspect) -> Option<Answer> {
        let elements: usize = call.inputs.iter().filter_map(|fact| fact.value.as_deref()).map(Value::len).sum();
        let cost = 8 + call.inputs.len() + elements;
        if !self.has_budget() {
            return None;
        }
        self.left.set(self.left.get().saturating_sub(cost));
        Some(Answer::of(call.apply(self.limits).outputs?.get(output)?, aspect))
    }

    /// Returns the answer for the real inputs and attributes.
    pub(super) fn base(&self, output: usize, aspect: Aspect) -> Option<Answer> {
        self.changed(|_| {}, output, aspect)
    }

    pub(super) fn changed(&self, change: impl FnOnce(&mut [Fact]), output: usize, aspect: Aspect) -> Option<Answer> {
        let wants_values = matches!(aspect, Aspect::Element(_));
        self.call(change, wants_values, |call| self.answer(call, output, aspect))
    }

    pub(super) fn with_attribute(
        &self,
        name: &'static str,
        text: &str,
        change: &dyn Fn(&mut [Fact]),
        output: usize,
        aspect: Aspect,
    ) -> Option<Answer> {
        let wants_values = matches!(aspect, Aspect::Element(_));
        self.call(change, wants_values, |call| {
            call.with_attribute(name, text, |call| self.answer(call, output, aspect))
        })
    }

    pub(super) fn accepts(&self, change: impl FnOnce(&mut [Fact])) -> bool {
        let applied = self.call(change, false, |call| call.apply(self.limits));
        applied.outputs.is_some() && applied.faults.is_empty()
    }

    pub(super) fn known(&self, factor: Factor) -> Answer {
        self.inputs.get(factor.input).map_or(Answer::Unknown, |fact| Answer::of(fact, factor.aspect))
    }

    /// Returns the factors that an aspect of an output may depend on, with at most `most` elements per input.
    pub(super) fn factors(&self, aspect: Aspect, most: usize) -> Vec<Factor> {
        let of_elements = matches!(aspect, Aspect::Element(_));
        let of_lengths = matches!(self.spec.eval, Eval::Shape(_));
        let mut factors = Vec::new();
        for (input, fact) in self.inputs.iter().enumerate() {
            let factor = |aspect| Factor { input, aspect };
            if matches!(aspect, Aspect::Rank | Aspect::Type) {
                factors.push(factor(aspect));
            }
            if aspect == Aspect::Type {
                continue;
            }
            let value = fact.value.as_deref().filter(|_| !(of_elements && of_lengths));
            // If the elements of an input are known, elements of an output are computed from them and not from dimensions.
            if !(of_elements && value.is_some()) {
                factors.extend((0..fact.rank().unwrap_or(0)).map(Aspect::Dim).map(factor));
            }
            factors.extend((0..value.map_or(0, Value::len).min(most)).map(Aspect::Element).map(factor));
        }
        factors
    }
}

pub(super) fn forget(inputs: &mut [Fact], factor: Factor) {
    let Some(fact) = inputs.get_mut(factor.input) else { return };
    match factor.aspect {
        Aspect::Dim(axis) => fact.shape = fact.shape.with(axis, Dim::ANY),
        Aspect::Element(index) => set_element(fact, index, None),
        Aspect::Rank => (fact.shape, fact.value) = (PartialShape::UNKNOWN, None),
        Aspect::Type => fact.ty = ElementType::Dynamic,
    }
}

/// Gives a factor an exact value.
pub(super) fn set(inputs: &mut [Fact], factor: Factor, number: i64) {
    let Some(fact) = inputs.get_mut(factor.input) else { return };
    match factor.aspect {
        Aspect::Dim(axis) => {
            fact.shape = fact.shape.with(axis, Dim::exact(number));
            fact.value = None; // The number of elements differs.
        }
        Aspect::Element(index) => set_element(fact, index, Some(number)),
        Aspect::Rank => {
            fact.shape = usize::try_from(number).map_or(PartialShape::UNKNOWN, PartialShape::of_rank);
            fact.value = None;
        }
        Aspect::Type => {}
    }
}

#[allow(clippy::cast_precision_loss, reason = "any number will do")]
fn set_element(fact: &mut Fact, index: usize, number: Option<i64>) {
    let any = Bounds::<i64>::of(fact.ty).unwrap_or(Bounds::<i64>::ANY);
    let Some(value) = fact.value.as_mut() else { return };
    let changed = match value.elements().clone() {
        Elements::Integers(mut all) => {
            if let Some(one) = all.get_mut(index) {
                *one = number.map_or(any, Bounds::exact);
            }
            Elements::Integers(all)
        }
        Elements::Floats(mut all) => {
            if let Some(one) = all.get_mut(index) {
                *one = number.map_or(Bounds::<f64>::ANY, |number| Bounds::exact(number as f64));
            }
            Elements::Floats(all)
        }
        opaque @ Elements::Opaque(..) => opaque,
    };
    if let Some(changed) = Value::new(value.lengths(), changed) {
        *value = Arc::new(changed);
    }
}
