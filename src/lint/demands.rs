//! Constraints that layers impose together: dimensions with only one possible value, and constraints that contradict each
//! other.
//!
//! Example: one Add needs `n` to equal 3, another needs it to equal 5. Each layer works on its own; the model does not.

use super::Checked;
use super::shapes::shape_span;
use crate::diagnostic::{Diagnostic, Group, Note, Rule, Runtime, Severity, Sink};
use crate::domain::{Assumption, Constraint, Domain, Form, Names, symbols_of};
use crate::infer::{Demanded, Symbols, chain};
use crate::ir::{Layer, LayerId, OutputRef, Port, Role};
use crate::text::escape::line as clean;
use crate::types::symbol::Length;
use std::collections::BTreeSet;

pub(crate) static CONTRADICTORY_DIMENSIONS: Rule = Rule::error(
    Group::Shapes,
    "contradictory-dimensions",
    "no input shape works for all layers",
    "Each layer works for some sizes of an input dimension, but no size suits all layers, so inference fails for every \
     input shape.\n\n\
     The layers that the finding names contradict each other: correct one of them. `ovlint why` shows where their numbers come from, \
     and `ovlint inputs` shows the other constraints of the model.",
)
.runtime(Runtime::Accepts)
.whole();

pub(crate) static PINNED_DIMENSION: Rule = Rule::error(
    Group::Portability,
    "pinned-dimension",
    "a dimension is declared as dynamic but works with only one size",
    "The input declares a dimension as `?` or as a range, but a layer accepts a single length, and inference fails \
     for all others. Usually the model was traced with this length: a Reshape to a constant shape fixes the batch, a \
     MatMul or a Convolution the number of features.\n\n\
     If the dimension was meant to vary, export the model again without the constant. Otherwise declare the length: \
     callers then see what the model takes. `ovlint why` shows where the number comes from, and `ovlint inputs` shows \
     all constraints, including those on a dimension that can have another size only if a tensor is empty.",
)
.accepted(Severity::Info);

/// The maximum number of layers that a contradiction names.
const NAMED: usize = 4;

/// The maximum number of characters of a name or a constraint.
const SHOWN: usize = 100;

/// Reports the consequences of all constraints together, unless one layer already fails on its own.
pub(crate) fn check(checked: &Checked, symbols: &Symbols, sink: &mut Sink) {
    let fails = |finding: &Diagnostic| finding.severity == Severity::Error && finding.rule.group != Group::Declared;
    if is_met_by_nothing(symbols) || sink.findings().iter().any(fails) {
        return;
    }
    let domain = Domain::new(symbols, &symbols.demanded, Assumption::Nothing);
    let names = Names::of(checked.scope.graph, checked.scope.source, checked.facts, &symbols.expressions);
    let demands = Demands { checked, symbols, names };
    if domain.contradiction.is_some() {
        demands.contradiction(sink);
    } else {
        demands.report_pinned(&domain, sink);
    }
}

/// Whether all input dimensions may be 0, and 0 satisfies all constraints. Then there is no contradiction, and no dimension is
/// forced to another value.
fn is_met_by_nothing(symbols: &Symbols) -> bool {
    let expressions = &symbols.expressions;
    let mut all = symbols.demanded.iter().flat_map(|one| &one.demands.all);
    expressions.inputs().all(|(_, (lower, _))| lower == 0)
        && all.all(|demand| expressions.holds(demand, &|_| Some(0)) == Some(true))
}

/// A minimal set of layers whose constraints contradict each other, the last one first; cut off after `NAMED` layers.
fn contradictory(symbols: &Symbols) -> Vec<&Demanded> {
    let mut left: Vec<&Demanded> = symbols.demanded.iter().collect();
    let mut found: Vec<&Demanded> = Vec::new();
    let is_contradictory = |found: &[&Demanded], more: &[&Demanded]| {
        let all = found.iter().chain(more).copied();
        Domain::new(symbols, all, Assumption::Nothing).contradiction.is_some()
    };
    while found.len() < NAMED && !is_contradictory(&found, &[]) {
        // Binary search for the shortest prefix of the remaining layers that still contradicts. Its last layer is part of
        // the contradiction.
        let (mut few, mut many) = (0, left.len());
        while few < many {
            let half = few.midpoint(many);
            if is_contradictory(&found, left.get(..=half).unwrap_or_default()) {
                many = half;
            } else {
                few = half + 1;
            }
        }
        let Some(last) = left.get(few).copied() else { break };
        found.push(last);
        left.truncate(few);
    }
    found
}

/// The constraints of layers, as findings show them.
struct Demands<'a> {
    checked: &'a Checked<'a>,
    symbols: &'a Symbols,
    names: Names<'a>,
}

impl Demands<'_> {
    fn contradiction(&self, sink: &mut Sink) {
        let layers = contradictory(self.symbols);
        let needs = |one: &&Demanded| {
            let domain = Domain::new(self.symbols, [*one], Assumption::Nothing);
            let all: Vec<String> = domain.constraints.iter().map(|one| self.text(&domain, one)).collect();
            let fails_alone = domain.contradiction.is_some();
            let needs =
                if fails_alone { "fails for all lengths".into() } else { format!("needs {}", all.join(" and ")) };
            Some((self.layer(one.layer)?, needs))
        };
        let found: Vec<(&Layer, String)> = layers.iter().filter_map(needs).collect();
        let Some(((first, wanted), others)) = found.split_first() else { return };
        let one = |(layer, needs): &(&Layer, String)| format!("{} {needs}", self.name(layer));
        let message = match others {
            [] => format!("{} accepts none", self.name(first)),
            _ => found.iter().map(one).collect::<Vec<_>>().join(", "),
        };
        let message = format!("no input shape works: {message}");
        let mut finding = Diagnostic::new(&CONTRADICTORY_DIMENSIONS, first.tag, message).primary(wanted.as_str());
        for (layer, needs) in others {
            finding = finding.label(layer.tag, needs.as_str());
        }
        let mut lengths = BTreeSet::new();
        for symbol in layers.iter().flat_map(|one| &one.demands.all).flat_map(symbols_of) {
            self.symbols.expressions.leaves(symbol, &mut |atom| lengths.extend(atom.input()));
        }
        if others.is_empty() {
            finding.notes.extend(self.inputs(first));
        }
        for length in lengths {
            finding = finding.note(format!("`{}`: {}", self.names.name(length), self.place(length)));
        }
        sink.report(self.checked.about(first, finding));
    }

    /// Reports dimensions with only one possible value, each with those that must equal it.
    fn report_pinned(&self, domain: &Domain, sink: &mut Sink) {
        for constraint in &domain.constraints {
            let pinned = match &constraint.form {
                Form::Solved(length, symbol) => domain.expressions.known(*symbol).map(|only| (*length, only)),
                Form::In(length, lengths) => lengths.only().map(|only| (*length, only)),
                Form::Equal(_) | Form::Demand(_) => None,
            };
            let Some((length, only)) = pinned else { continue };
            let Some(input) = usize::try_from(length.layer).ok().and_then(|layer| self.layer(LayerId::new(layer)))
            else {
                continue;
            };
            let place = self.place(length);
            let message = format!("{place}, but the model works with {only} only");
            let mut finding = Diagnostic::new(&PINNED_DIMENSION, shape_span(self.checked, input), message);
            finding = finding.primary(format!("dimension {} must be {only}", length.axis));
            let mut layers = constraint.layers.clone();
            self.symbols.add_equal(&mut layers);
            if let Some((first, more)) = layers.split_first()
                && let Some(layer) = self.layer(*first)
            {
                let more = match more.len() {
                    0 => "",
                    1 => ", as another layer does",
                    _ => ", as other layers do",
                };
                finding = finding.label(layer.tag, format!("needs {only}{more}"));
            }
            for other in equal_to(domain, length) {
                finding = finding.note(format!("{}, and must equal it", self.place(*other)));
            }
            sink.report(self.checked.about(input, finding));
        }
    }

    /// The producers of the inputs of a layer that are no constants.
    fn inputs(&self, layer: &Layer) -> impl Iterator<Item = Note> {
        let Checked { scope, facts, .. } = self.checked;
        let is_constant = |output: &OutputRef| {
            scope.graph.layer(output.layer).is_some_and(|layer| scope.graph.kind(layer).role == Role::Const)
        };
        let input = move |(i, port): (usize, &Port)| {
            let output = port.source().filter(|output| !is_constant(output))?;
            Some(format!("input {i} <- {}", chain(scope, facts, output)).into())
        };
        scope.graph.inputs(layer).iter().enumerate().filter_map(input).take(NAMED)
    }

    fn layer(&self, index: LayerId) -> Option<&Layer> {
        self.checked.scope.graph.layer(index)
    }

    /// `` `conv` (Convolution) ``
    fn name(&self, layer: &Layer) -> String {
        let graph = self.checked.scope.graph;
        format!("`{}` ({})", graph.name(self.checked.scope.source, layer), graph.kind(layer).ty)
    }

    /// `` `batch == 3` ``
    fn text(&self, domain: &Domain, constraint: &Constraint) -> String {
        let all = domain.expressions_of(constraint, &self.names).join(" and ");
        format!("`{}`", clean(&all, SHOWN))
    }

    /// `` dimension 0 of input `x` is declared `?` ``
    fn place(&self, length: Length) -> String {
        let Some(input) = self.names.input(length) else { return String::new() };
        let index = usize::try_from(length.layer).ok().map(LayerId::new);
        let graph = self.checked.scope.graph;
        let is_input =
            index.and_then(|index| self.layer(index)).is_some_and(|layer| graph.kind(layer).role == Role::Parameter);
        let what = if is_input { "input" } else { "state" };
        let name = clean(&input.input, SHOWN);
        format!("dimension {} of {what} `{name}` is declared `{}`", length.axis, input.range)
    }
}

/// The dimensions that must equal `length`, if it is the first of its class.
fn equal_to(domain: &Domain, length: Length) -> &[Length] {
    let others = domain.constraints.iter().find_map(|constraint| match &constraint.form {
        Form::Equal(lengths) => lengths.split_first().filter(|(first, _)| **first == length).map(|(_, others)| others),
        _ => None,
    });
    others.unwrap_or_default()
}
