//! The search for values of attributes and constants with which inference gives what the ports of a layer declare.
//!
//! Example: a Concat of two `[1,3]` declares `[1,6]`, and its `axis` is 0. The axes 1 and -1 fit; 1 is tried first because
//! it keeps the sign.

use super::candidates::{ELEMENTS, LIST, differ_in_signs, first, numbers_of, texts, texts_differ_in_signs, variants};
use crate::diagnostic::FindingId;
use crate::infer::with_call;
use crate::ir::{Graph, Layer, Port, Role};
use crate::lint::Checked;
use crate::lint::declared::{contradicts, fits};
use crate::ops::apply::Call;
use crate::ops::{Attr, Fault, Kind};
use crate::types::{Bounds, Fact, TypeSet, Value};

/// A free variable of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    /// An attribute.
    Attr(&'static str),
    /// The elements of an input.
    Input(usize),
}

/// A value with which inference gives what the ports of a layer declare.
pub(super) struct Solution<'a> {
    pub change: Change,
    /// The constant to change, if the change is one of an input.
    pub leaf: Option<Leaf<'a>>,
    /// Whether no other value that was tried gives the same.
    pub is_only: bool,
    /// Further findings that vanish with the change.
    pub explains: Vec<FindingId>,
}

/// The value found and the one that fits.
#[derive(Debug, Clone)]
pub(super) enum Change {
    /// The name of an attribute, its text in the file and the text that fits.
    Attr(&'static str, String, String),
    /// The index of an input, its inferred elements and the elements that fit.
    Input(usize, Vec<i64>, Vec<i64>),
}

impl Change {
    /// Whether the change is large: a number changes by more than [`NEAR`], or a word changes and is not `true` or `false`.
    fn is_far(&self) -> bool {
        match self {
            Self::Attr(_, found, wanted) => match (numbers_of(found), numbers_of(wanted)) {
                (Some(found), Some(wanted)) => are_far(&found, &wanted),
                _ => !["true", "false"].contains(&wanted.as_str()),
            },
            Self::Input(_, found, wanted) => are_far(found, wanted),
        }
    }

    pub(super) fn slot(&self) -> Slot {
        match self {
            Self::Attr(name, ..) => Slot::Attr(name),
            Self::Input(i, ..) => Slot::Input(*i),
        }
    }

    /// Returns the value found and the one that fits, as texts.
    pub(super) fn texts(&self) -> (String, String) {
        match self {
            Self::Attr(_, found, wanted) => (found.clone(), wanted.clone()),
            Self::Input(_, found, wanted) => (list_text(found), list_text(wanted)),
        }
    }
}

/// A constant whose elements may be wrong: the elements found and those that fit.
pub(super) struct Leaf<'a> {
    pub layer: &'a Layer,
    pub found: Vec<i64>,
    pub wanted: Vec<i64>,
}

/// Maximum number of computed inputs to trace back to constants.
const STEPS: usize = 8;

/// Maximum number of outputs of a layer to examine.
const OUTPUTS: usize = 1024;

/// Maximum number of declared dimensions that serve as candidates.
const LENGTHS: usize = 128;

/// The number of outputs and input elements that cost one more trial when a layer is inferred.
const LOAD: usize = 64;

/// Numbers from `-NEAR` to `NEAR` are candidates even if no port declares them.
pub(super) const NEAR: i64 = 6;

/// Returns, for each free variable, the likeliest value with which inference gives what the ports declare; none for a
/// variable without such a value. `tries` is the remaining budget of trials.
pub(super) fn solve<'a>(checked: &Checked<'a>, layer: &Layer, tries: &mut usize) -> Vec<Solution<'a>> {
    let graph = checked.scope.graph;
    let ports = graph.outputs(layer);
    let is_examined = layer.subgraph.is_none() && (1..=OUTPUTS).contains(&ports.len());
    let Some(spec) = graph.kind(layer).spec().filter(|_| is_examined) else {
        return Vec::new();
    };
    let mut outputs_of = |call: &Call| outputs(checked, call, ports.len(), tries);
    let fit = |facts: &[Fact]| {
        facts.len() == ports.len() && facts.iter().zip(ports).all(|(fact, port)| fits(graph, port, fact))
    };
    let lengths = ports.iter().flat_map(|port| graph.dims(port)).take(LENGTHS);
    let mut numbers: Vec<i64> = (-NEAR..=NEAR).chain(lengths.copied()).collect();
    numbers.extend(i64::try_from(ports.len()));
    numbers.sort_unstable();
    numbers.dedup();
    let mut solutions = Vec::new();
    with_call(checked.scope.source, graph, checked.facts, layer, spec, |call| {
        let given = outputs_of(call);
        if fit(&given) || !decides_with_integers(call) || are_permuted(graph, ports, &given) {
            return;
        }
        for attr in spec.attrs {
            let Some(found) = call.attrs.iter().find(|(name, _)| name == attr.name).map(|(_, text)| text) else {
                continue;
            };
            let texts = texts(attr, found, &numbers, graph, ports);
            let is_same = |one: &String, other: &String| texts_differ_in_signs(one, other);
            let fitting =
                first(texts, is_same, |text| call.with_attribute(attr.name, text, |call| fit(&outputs_of(call))));
            solutions.extend(fitting.map(|(wanted, is_only)| Solution {
                change: Change::Attr(attr.name, found.to_string(), wanted),
                leaf: None,
                is_only,
                explains: Vec::new(),
            }));
        }
        for i in 0..call.inputs.len() {
            let reads = spec.input(i).is_some_and(|input| input.reads_value);
            let Some(found) = integers(call, i).filter(|_| reads) else { continue };
            let wanted = fitting(call, i, &found, &numbers, |call| fit(&outputs_of(call)));
            solutions.extend(wanted.map(|(wanted, is_only)| Solution {
                change: Change::Input(i, found, wanted),
                leaf: None,
                is_only,
                explains: Vec::new(),
            }));
        }
    });
    let are_all_tried = *tries > 0;
    for solution in &mut solutions {
        solution.is_only &= are_all_tried;
    }
    // A small change is likelier than a large one.
    if !solutions.iter().all(|solution| solution.change.is_far()) {
        solutions.retain(|solution| !solution.change.is_far());
    }
    for solution in &mut solutions {
        if let Change::Input(i, _, wanted) = &solution.change {
            solution.leaf = leaf(checked, layer, *i, wanted.clone(), tries);
        }
    }
    solutions
}

fn are_far(found: &[i64], wanted: &[i64]) -> bool {
    let near = NEAR.unsigned_abs();
    found.len() != wanted.len() || found.iter().zip(wanted).any(|(a, b)| a.abs_diff(*b) > near)
}

/// The outputs of a layer; empty if the layer is rejected or the budget is used up.
fn outputs(checked: &Checked, call: &Call, outputs: usize, tries: &mut usize) -> Vec<Fact> {
    let elements = call.inputs.iter().filter_map(|fact| fact.value.as_deref()).map(Value::len);
    *tries = tries.saturating_sub(1 + elements.fold(outputs, usize::saturating_add) / LOAD);
    if *tries == 0 {
        return Vec::new();
    }
    let result = call.apply(checked.scope.limits);
    let is_refused = result.faults.iter().any(Fault::is_error);
    result.outputs.filter(|_| !is_refused).unwrap_or_default()
}

/// Whether only integers decide the outputs. The search varies neither lists of floats nor float inputs.
fn decides_with_integers(call: &Call) -> bool {
    let is_list =
        |attr: &Attr| matches!(attr.kind, Kind::Floats) && call.attrs.iter().any(|(name, _)| name == attr.name);
    let is_fraction = |(i, fact): (usize, &&Fact)| {
        let reads = call.spec.input(i).is_some_and(|input| input.reads_value);
        reads && fact.ty.is_float() && fact.value.is_some()
    };
    !call.spec.attrs.iter().any(is_list) && !call.inputs.iter().enumerate().any(is_fraction)
}

/// Whether the ports may be a permutation of the outputs: then a wrong order is as likely as a wrong value.
fn are_permuted(graph: &Graph, ports: &[Port], given: &[Fact]) -> bool {
    given.len() == ports.len()
        && ports.iter().all(|port| given.iter().any(|fact| fits(graph, port, fact)))
        && given.iter().all(|fact| ports.iter().any(|port| fits(graph, port, fact)))
}

/// Returns the elements of an integer input, if all are known and there are few.
fn integers(call: &Call, i: usize) -> Option<Vec<i64>> {
    let fact = call.inputs.get(i).filter(|fact| TypeSet::INTEGER.has(fact.ty))?;
    Some(fact.value.as_deref().filter(|value| value.len() <= LIST)?.exact_integers()?.to_vec())
}

/// Finds the elements nearest to `found` for which `fits` holds when input `i` has them.
fn fitting(
    call: &Call,
    i: usize,
    found: &[i64],
    numbers: &[i64],
    mut fits: impl FnMut(&Call) -> bool,
) -> Option<(Vec<i64>, bool)> {
    let given = *call.inputs.get(i)?;
    let is_same = |one: &Vec<i64>, other: &Vec<i64>| differ_in_signs(one, other);
    first(variants(found, numbers), is_same, |list| {
        let value = Value::integers(&given.shape, list.iter().map(|one| Bounds::exact(*one)));
        let changed = Fact { value: None, ..given.clone() }.with_value(value);
        call.with_input(i, &changed, &mut fits)
    })
}

/// Formats elements as messages quote them.
pub(super) fn list_text(values: &[i64]) -> String {
    match values {
        [only] => only.to_string(),
        all => format!("[{}]", all.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// Finds the constant whose change would give an input the elements `wanted`, if there is only one; `tries` as for [`solve`].
fn leaf<'a>(
    checked: &Checked<'a>,
    layer: &Layer,
    input: usize,
    wanted: Vec<i64>,
    tries: &mut usize,
) -> Option<Leaf<'a>> {
    let mut open = Vec::new();
    let mut leaves = vec![producers(checked, layer, input, wanted, tries, &mut open)];
    for _ in 0..STEPS {
        let Some((layer, input, wanted)) = open.pop() else { break };
        leaves.push(producers(checked, layer, input, wanted, tries, &mut open));
    }
    let mut leaves = leaves.into_iter().flatten();
    let only = leaves.next().filter(|_| open.is_empty())?;
    leaves.next().is_none().then_some(only)
}

/// Returns the constant at an input. For a computed input, instead pushes to `open` the inputs of its producer that could give
/// `wanted`.
fn producers<'a>(
    checked: &Checked<'a>,
    layer: &Layer,
    input: usize,
    wanted: Vec<i64>,
    tries: &mut usize,
    open: &mut Vec<(&'a Layer, usize, Vec<i64>)>,
) -> Option<Leaf<'a>> {
    let (graph, facts) = (checked.scope.graph, checked.facts);
    let port = graph.inputs(layer).get(input)?;
    let source = port.source()?;
    let producer = graph.layer(source.layer)?;
    if graph.kind(producer).role == Role::Const {
        let found = facts.of_port(port)?.value.as_deref()?.exact_integers()?.to_vec();
        return Some(Leaf { layer: producer, found, wanted });
    }
    let spec = graph.kind(producer).spec().filter(|_| producer.subgraph.is_none())?;
    let numbers: Vec<i64> = (-NEAR..=NEAR).chain(wanted.iter().copied().take(LENGTHS)).collect();
    with_call(checked.scope.source, graph, facts, producer, spec, |call| {
        let call = Call { wants_values: true, ..*call };
        for i in 0..call.inputs.len().min(ELEMENTS) {
            let Some(found) = integers(&call, i) else { continue };
            let gives_wanted = |call: &Call| {
                let given = outputs(checked, call, graph.outputs(producer).len(), tries);
                let value = given.get(source.output as usize).and_then(|fact| fact.value.as_deref());
                value.and_then(Value::exact_integers).is_some_and(|value| *value == *wanted)
            };
            open.extend(fitting(&call, i, &found, &numbers, gives_wanted).map(|(list, _)| (producer, i, list)));
        }
    });
    None
}

/// Returns the inputs that may be wrong: with unknown elements there, inference no longer contradicts the ports.
pub(super) fn open_inputs(checked: &Checked, layer: &Layer) -> Vec<usize> {
    let graph = checked.scope.graph;
    let ports = graph.outputs(layer);
    let Some(spec) = graph.kind(layer).spec().filter(|_| layer.subgraph.is_none()) else { return Vec::new() };
    with_call(checked.scope.source, graph, checked.facts, layer, spec, |call| {
        let explains = |i: &usize| {
            let Some(given) = call.inputs.get(*i).filter(|given| given.value.is_some()) else { return false };
            let unknown = Fact { value: None, ..(*given).clone() };
            let outputs = call.with_input(*i, &unknown, |call| call.apply(checked.scope.limits).outputs);
            let outputs = outputs.unwrap_or_default();
            outputs.len() == ports.len()
                && outputs.iter().zip(ports).all(|(fact, port)| !contradicts(graph, port, fact))
        };
        (0..call.inputs.len().min(ELEMENTS)).filter(explains).collect()
    })
}
