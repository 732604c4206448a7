//! The input shapes for which a model works.

mod answer;

pub use answer::{Answer, Nearest, answer, explaining};

use super::ends::{End, ends};
use super::states::states;
use super::what_if::lacks_weights;
use crate::analysis::Model;
use crate::arrange::Fill;
use crate::diagnostic::{Diagnostic, Direction, Severity};
use crate::domain::{Assumption, Constraint, Domain, Form, Names, symbols_of};
use crate::infer::{Demanded, Facts};
use crate::ir::{LayerId, Role};
use crate::types::symbol::substitution::Substitution;
use crate::types::symbol::{Atom, Length, Symbol};
use crate::types::{Fact, bare_fact};
use std::collections::{BTreeSet, HashMap};

/// The input shapes for which a model works: its dynamic input and state dimensions, and the constraints on them.
#[derive(Debug)]
pub struct Inputs<'a> {
    pub(crate) model: &'a Model,
    pub(crate) names: Names<'a>,
    pub(crate) domain: Domain,
    /// The substitution of each dimension by the first one that must be equal to it.
    merged: Substitution,
    /// The same, but dimensions that a constraint solves become its expression: `total` becomes `past + seq`.
    solved: Substitution,
    /// The dimensions that constraints or outputs depend on; the others stay unnamed.
    used: BTreeSet<Length>,
}

impl<'a> Inputs<'a> {
    /// Returns the inputs to list them for people, under `Assumption::Usual`; `None` if inference recorded no symbols.
    pub fn for_screen(model: &'a Model) -> Option<Self> {
        Self::new(model, Domain::of(model.facts()?, Assumption::Usual)?)
    }

    /// Returns the inputs to answer people about shapes and costs, under the assumption that dimensions are 1 or more.
    pub fn for_people(model: &'a Model) -> Option<Self> {
        Self::new(model, Domain::of(model.facts()?, Assumption::Present)?)
    }

    /// Returns the inputs for programs, without assumptions.
    pub fn for_programs(model: &'a Model) -> Option<Self> {
        Self::new(model, Domain::of(model.facts()?, Assumption::Nothing)?)
    }

    fn new(model: &'a Model, domain: Domain) -> Option<Self> {
        let names = model.names()?;
        let (mut firsts, mut known) = (HashMap::new(), HashMap::new());
        for constraint in &domain.constraints {
            match &constraint.form {
                Form::Equal(lengths) => firsts.extend(lengths.iter().filter_map(|one| Some((*one, *lengths.first()?)))),
                Form::Solved(length, symbol) => _ = known.insert(*length, *symbol),
                Form::In(..) | Form::Demand(_) => {}
            }
        }
        let first = |length: Length| domain.expressions.input(firsts.get(&length).copied().unwrap_or(length));
        let (mut merged, mut solved) = (HashMap::new(), HashMap::new());
        for (length, bounds) in domain.expressions.inputs() {
            let Some(first) = first(length) else { continue };
            merged.insert(Atom::Input(length, bounds), first);
            solved.insert(Atom::Input(length, bounds), known.get(&length).copied().unwrap_or(first));
        }
        let (merged, solved) = (Substitution::new(merged), Substitution::new(solved));
        let mut inputs = Self { model, names, domain, merged, solved, used: BTreeSet::new() };
        inputs.used = inputs.domain.constraints.iter().flat_map(|constraint| inputs.lengths(constraint)).into_set();
        for fact in inputs.ends(Direction::Output).iter().filter_map(|end| end.fact.as_ref()) {
            for dim in fact.shape.dims().unwrap_or_default() {
                let symbol = inputs.solved.apply(&mut inputs.domain.expressions, dim.symbol()).unwrap_or_default();
                inputs.used.extend(inputs.domain.expressions.lengths_of([symbol]));
            }
        }
        Some(inputs)
    }

    pub(crate) fn ends(&self, direction: Direction) -> Vec<End> {
        ends(self.model, direction)
    }

    /// Returns the number of inputs and the number of states that have any of these dimensions.
    pub(crate) fn owners(&self, lengths: &[Length]) -> (usize, usize) {
        let layers: BTreeSet<u32> = lengths.iter().map(|length| length.layer).into_set();
        let is_input = |layer: &&u32| {
            let graph = &self.model.net()?.graph;
            let layer = graph.layer(LayerId::new(usize::try_from(**layer).ok()?))?;
            Some(graph.kind(layer).role == Role::Parameter)
        };
        let inputs = layers.iter().filter(|layer| is_input(layer) == Some(true)).count();
        (inputs, layers.len() - inputs)
    }

    /// Whether the file fixes the shapes of all inputs and states.
    pub(crate) fn are_fixed(&self) -> bool {
        let is_fixed = |end: &End| end.fact.as_ref().is_some_and(|fact| fact.shape.is_static());
        self.ends(Direction::Input).iter().all(is_fixed) && states(self.model).iter().all(is_fixed)
    }

    pub(crate) fn contradiction(&self) -> Option<&Constraint> {
        self.domain.constraints.get(self.domain.contradiction?)
    }

    /// Whether the constraints are complete: shapes that meet them pass every shape check.
    pub fn is_complete(&self) -> bool {
        self.domain.is_complete()
    }

    /// Whether OpenVINO rejects the file as it is.
    pub(crate) fn are_refused(&self) -> bool {
        let is_refusal = |one: &&Diagnostic| one.severity == Severity::Error && one.runtime.fails();
        self.model.findings().iter().filter(is_refusal).any(|finding| !lacks_weights(finding))
    }

    /// Whether no shapes work.
    pub fn are_impossible(&self) -> bool {
        self.are_refused() || self.contradiction().is_some()
    }

    /// Returns the names of the dimensions that nothing depends on.
    pub(crate) fn unnamed(&self) -> Vec<String> {
        let lengths = self.names.lengths().filter(|length| !self.used.contains(length));
        lengths.map(|length| self.names.name(length)).collect()
    }

    /// Formats a fact with one name for equal dimensions: `f32[batch, total]`. If it `follows` from the inputs, as an output
    /// does, solved dimensions become their expressions: `f32[batch, past + seq]`. Dimensions that nothing depends on stay
    /// unnamed.
    pub(crate) fn fact(&mut self, fact: &Fact, follows: bool) -> String {
        let Some(dims) = fact.shape.dims().filter(|_| !fact.shape.is_static()) else { return bare_fact(fact) };
        let by = if follows { &mut self.solved } else { &mut self.merged };
        let mut texts = Vec::with_capacity(dims.len());
        for dim in dims {
            let symbol = by.apply(&mut self.domain.expressions, dim.symbol()).unwrap_or(dim.symbol());
            let expressions = &self.domain.expressions;
            let mut is_named = !dim.is_exact() && !symbol.is_none() && !expressions.is_unknown(symbol);
            expressions.leaves(symbol, &mut |atom| is_named &= atom.input().is_none_or(|one| self.used.contains(&one)));
            texts.push(if is_named {
                expressions.text(symbol, self.domain.reader(), &|length| self.names.name(length))
            } else {
                dim.to_string()
            });
        }
        format!("{}[{}]", fact.ty, texts.join(", "))
    }

    /// Returns the layers that squeeze a dimension that is never 1.
    pub(crate) fn vain(&self) -> Vec<LayerId> {
        let all = self.model.facts().and_then(Facts::symbols).map_or(&[][..], |symbols| &symbols.demanded);
        let never = |one: &&Demanded| one.demands.usual.iter().any(|demand| demand.0.is_empty());
        all.iter().filter(never).map(|one| one.layer).collect()
    }

    /// Rewrites an expression in terms of as few dimensions as the constraints allow.
    pub(crate) fn simplest(&mut self, symbol: Symbol) -> Symbol {
        self.solved.apply(&mut self.domain.expressions, symbol).unwrap_or(symbol)
    }

    /// Returns the dimensions of a constraint, in the order of the file.
    pub(crate) fn lengths(&self, constraint: &Constraint) -> BTreeSet<Length> {
        let expressions = &self.domain.expressions;
        match &constraint.form {
            Form::Equal(lengths) => lengths.iter().copied().into_set(),
            Form::In(length, _) => BTreeSet::from([*length]),
            Form::Solved(length, symbol) => &expressions.lengths_of([*symbol]) | &BTreeSet::from([*length]),
            Form::Demand(demand) => expressions.lengths_of(symbols_of(demand)),
        }
    }
}
