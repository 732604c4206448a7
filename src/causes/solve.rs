//! The value that an attribute or a constant should have, where what all ports declare leaves no other.

use crate::infer::with_call;
use crate::ir::{Graph, Layer, Port};
use crate::lint::Checked;
use crate::lint::declared::{contradicts, fits};
use crate::ops::apply::{Call, Texts};
use crate::ops::{Attr, Fault, Kind};
use crate::types::{Bounds, Fact, Value};

/// What may have another value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    /// An attribute.
    Attr(&'static str),
    /// The elements of an input.
    Input(usize),
}

/// A value with which a layer gives what its ports declare.
#[derive(Debug, Clone)]
pub(super) struct Solution {
    pub slot: Slot,
    /// The value that it has now, and the one that fits.
    pub found: String,
    pub wanted: String,
}

/// Layers that are followed back.
const STEPS: usize = 8;

/// Elements of a list, or inputs, that are tried.
const ELEMENTS: usize = 8;

/// How far from 0 numbers are tried that no port declares.
const NEAR: i64 = 6;

/// For everything that can be changed on its own so that the layer gives what its ports declare, how; `tries` is how often
/// more it may be applied.
pub(super) fn solve(checked: &Checked, layer: &Layer, tries: &mut usize) -> Vec<Solution> {
    let graph = checked.scope.graph;
    let ports = graph.outputs(layer);
    let Some(spec) = graph.kind(layer).spec().filter(|_| layer.subgraph.is_none() && !ports.is_empty()) else {
        return Vec::new();
    };
    let mut apply = |call: &Call| -> bool {
        let Some(left) = tries.checked_sub(1) else { return false };
        *tries = left;
        let result = call.apply(checked.scope.limits);
        let outputs = result.outputs.unwrap_or_default();
        !result.faults.iter().any(Fault::is_error)
            && outputs.len() == ports.len()
            && outputs.iter().zip(ports).all(|(fact, port)| fits(graph, port, fact))
    };
    let mut numbers: Vec<i64> = (-NEAR..=NEAR).chain(ports.iter().flat_map(|port| graph.dims(port)).copied()).collect();
    numbers.extend(i64::try_from(ports.len()));
    numbers.sort_unstable();
    numbers.dedup();
    let mut solutions = Vec::new();
    with_call(checked.scope.source, graph, checked.facts, layer, spec, |call| {
        if apply(call) {
            return;
        }
        for attr in spec.attrs {
            let Some(found) = call.attrs.iter().find(|(name, _)| name == attr.name).map(|(_, text)| text) else {
                continue;
            };
            let fitting = texts(attr, found, &numbers, graph, ports).into_iter().find(|text| {
                let others = call.attrs.iter().filter(|(name, _)| name != attr.name).cloned();
                let attrs: Texts = others.chain([(attr.name.into(), text.clone().into())]).collect();
                apply(&Call { attrs: &attrs, ..*call })
            });
            let found = found.to_string();
            solutions.extend(fitting.map(|wanted| Solution { slot: Slot::Attr(attr.name), found, wanted }));
        }
        for (i, given) in call.inputs.iter().enumerate() {
            let reads = spec.input(i).is_some_and(|input| input.reads_value);
            let Some(values) = given.value.as_deref().filter(|_| reads).and_then(Value::exact_integers) else {
                continue;
            };
            let fitting = lists(&values, &numbers).into_iter().find(|list| {
                let value = Value::integers(&given.shape, list.iter().map(|one| Bounds::exact(*one)));
                let changed = Fact { value: None, ..(*given).clone() }.with_value(value);
                let mut inputs = call.inputs.to_vec();
                inputs[i] = &changed;
                apply(&Call { inputs: &inputs, ..*call })
            });
            let (slot, found) = (Slot::Input(i), list_text(&values));
            solutions.extend(fitting.map(|list| Solution { slot, found, wanted: list_text(&list) }));
        }
    });
    solutions
}

/// Other texts of an attribute, the likeliest first.
fn texts(attr: &Attr, found: &str, numbers: &[i64], graph: &Graph, ports: &[Port]) -> Vec<String> {
    match attr.kind {
        Kind::Int(..) => {
            let Ok(number) = found.trim().parse() else { return Vec::new() };
            lists(&[number], numbers).into_iter().filter_map(|list| Some(list.first()?.to_string())).collect()
        }
        Kind::Ints(..) | Kind::Unsigned => {
            let Ok(values) = found.split(',').map(|item| item.trim().parse()).collect::<Result<Vec<i64>, _>>() else {
                return Vec::new();
            };
            lists(&values, numbers)
                .into_iter()
                .map(|list| list.iter().map(i64::to_string).collect::<Vec<_>>().join(","))
                .collect()
        }
        Kind::Flag => ["true", "false"].map(str::to_owned).into(),
        Kind::Choice(words) | Kind::Word(words) => {
            words.iter().filter(|word| **word != found).map(|word| (*word).to_owned()).collect()
        }
        Kind::Type => ports.iter().take(ELEMENTS).filter_map(|port| port.precision).map(|ty| ty.to_string()).collect(),
        Kind::Shape => {
            let shape = |port: &Port| -> Option<String> {
                let dims: Vec<String> = graph
                    .dims(port)
                    .iter()
                    .map(|dim| if *dim < 0 { "?".to_owned() } else { dim.to_string() })
                    .collect();
                (!dims.is_empty()).then(|| dims.join(","))
            };
            ports.iter().take(1).filter_map(shape).collect()
        }
        Kind::Float | Kind::Floats | Kind::Text | Kind::Texts => Vec::new(),
    }
}

/// The same numbers with one of them changed; first what keeps its sign and is near.
fn lists(values: &[i64], numbers: &[i64]) -> Vec<Vec<i64>> {
    let mut lists: Vec<(bool, u64, Vec<i64>)> = Vec::new();
    for (place, found) in values.iter().enumerate().take(ELEMENTS) {
        let near = [found.saturating_sub(1), found.saturating_add(1)];
        for number in numbers.iter().chain(&near).filter(|number| *number != found) {
            let mut list = values.to_vec();
            list[place] = *number;
            lists.push(((*number < 0) != (*found < 0), number.abs_diff(*found), list));
        }
    }
    lists.sort();
    lists.dedup();
    lists.into_iter().map(|(.., list)| list).collect()
}

fn list_text(values: &[i64]) -> String {
    match values {
        [only] => only.to_string(),
        all => format!("[{}]", all.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// The layer that an input has its elements from, past layers that only hand them on.
pub(super) fn origin_of<'a>(checked: &Checked<'a>, layer: &Layer, input: usize) -> Option<&'a Layer> {
    let (graph, facts) = (checked.scope.graph, checked.facts);
    let value = |port: &Port| facts.of_port(port)?.value.as_deref();
    let mut port = graph.inputs(layer).get(input)?;
    let wanted = value(port)?.exact_integers();
    for _ in 0..STEPS {
        let producer = graph.layer(port.source()?.layer)?;
        let hands_on = |first: &&Port| wanted.is_some() && value(first).and_then(Value::exact_integers) == wanted;
        match graph.inputs(producer).first().filter(hands_on) {
            Some(first) => port = first,
            None => return Some(producer),
        }
    }
    None
}

/// The inputs any elements of which would do, were they not known.
pub(super) fn open_inputs(checked: &Checked, layer: &Layer) -> Vec<usize> {
    let graph = checked.scope.graph;
    let ports = graph.outputs(layer);
    let Some(spec) = graph.kind(layer).spec().filter(|_| layer.subgraph.is_none()) else { return Vec::new() };
    with_call(checked.scope.source, graph, checked.facts, layer, spec, |call| {
        let explains = |i: &usize| {
            let Some(given) = call.inputs.get(*i).filter(|given| given.value.is_some()) else { return false };
            let unknown = Fact { value: None, ..(*given).clone() };
            let mut inputs = call.inputs.to_vec();
            inputs[*i] = &unknown;
            let outputs = Call { inputs: &inputs, ..*call }.apply(checked.scope.limits).outputs.unwrap_or_default();
            outputs.len() == ports.len()
                && outputs.iter().zip(ports).all(|(fact, port)| !contradicts(graph, port, fact))
        };
        (0..call.inputs.len().min(ELEMENTS)).filter(explains).collect()
    })
}
