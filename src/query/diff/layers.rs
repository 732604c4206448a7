//! The differences of two models in layers, those of bodies included: added, removed, or changed in type, attributes, inputs
//! or shapes.

use super::Level;
use super::bodies;
use super::matching::Matched;
use super::signature::weight_behind;
use crate::arrange::Fill;
use crate::domain::Names;
use crate::infer::Facts;
use crate::ir::{Graph, Layer, LayerId, OutputRef, Port, Role, unescape};
use crate::ops::Meaning;
use crate::query::metadata::Marks;
use crate::query::named_fact;
use crate::source::Source;
use crate::text::counted;
use crate::types::Fact;
use serde::Serialize;
use std::collections::BTreeMap;

/// The layers of two models, without constants.
#[derive(Debug, Default, Serialize)]
pub struct Layers {
    /// The number of layers matched by name.
    pub matched_by_name: usize,
    /// The number of layers matched by structure although their names differ.
    pub matched_by_structure: usize,
    /// The number of matched layers whose names differ, generated numbers apart.
    pub renamed: usize,
    /// The layers that only the new model has.
    pub added: Vec<LayerChange>,
    /// The layers that only the old model has.
    pub removed: Vec<LayerChange>,
    /// The matched layers that differ.
    pub changed: Vec<LayerChange>,
}

impl Layers {
    pub(crate) fn is_same(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }
}

/// A layer that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LayerChange {
    /// Its name, prefixed by the layers and bodies around it.
    pub name: String,
    /// Its type; `old -> new` if it differs.
    #[serde(rename = "type")]
    pub ty: String,
    /// The differences of attributes, input values and producers, each as `old -> new`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
    /// The old types and shapes of its outputs; empty if they are the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub old: Vec<String>,
    /// The new types and shapes of its outputs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub new: Vec<String>,
    /// Set if its inputs differ, and it has no difference of its own apart from its outputs.
    pub follows: bool,
}

/// A graph with its facts.
#[derive(Clone, Copy)]
struct Side<'a> {
    graph: &'a Graph,
    facts: &'a Facts,
    source: &'a Source,
    names: Option<&'a Names<'a>>,
    marks: &'a Marks<'a>,
}

pub(super) fn changes(old: &super::Side, new: &super::Side, matched: &Matched, level: Level) -> Layers {
    let mut layers =
        Layers { matched_by_name: matched.by_name, matched_by_structure: matched.by_structure, ..Layers::default() };
    let [old, new] = [old, new].map(|side| {
        let (graph, facts) = (&side.model.net()?.graph, side.model.facts()?);
        let names = side.names.as_ref();
        Some(Side { graph, facts, source: side.model.source(), names, marks: &side.marks })
    });
    if let Some((old, new)) = old.zip(new) {
        compare(old, new, matched, level, "", &mut layers);
    }
    layers
}

fn compare(old: Side, new: Side, matched: &Matched, level: Level, prefix: &str, layers: &mut Layers) {
    let inner = |side: Side, layer: LayerId| weight_behind(side.graph, OutputRef { layer, output: 0 }).is_none();
    if level >= Level::Graph {
        let come = new.graph.entries().zip(&matched.old_of);
        let come = come.filter(|((index, _), was)| was.is_none() && inner(new, *index));
        layers.added.extend(come.filter_map(|((index, _), _)| unmatched(new, index, prefix)));
    }
    for (index, layer) in old.graph.entries() {
        let now = matched.in_new(index).and_then(|id| new.graph.layer(id));
        let is_renamed = |now: &Layer| {
            old.graph.kind(layer).role != Role::Const
                && old.graph.stable_name(old.source, layer) != new.graph.stable_name(new.source, now)
        };
        layers.renamed += usize::from(now.is_some_and(is_renamed));
        if !inner(old, index) {
            layers.changed.extend(convert_changed(old, new, (index, layer), matched, level, prefix));
            continue;
        }
        let Some(counterpart) = matched.in_new(index) else {
            layers.removed.extend((level >= Level::Graph).then(|| unmatched(old, index, prefix)).flatten());
            continue;
        };
        let Some(now) = new.graph.layer(counterpart) else { continue };
        layers.changed.extend(changed(old, new, (index, layer), (counterpart, now), matched, level, prefix));
        for body in layer.bodies() {
            let facts = (old.facts.body(index, body.kind), new.facts.body(counterpart, body.kind));
            let graph = now.subgraph.as_ref().and_then(|subgraph| subgraph.body(body.kind));
            if let ((Some(before), Some(after)), Some(graph), Some(inner)) =
                (facts, graph, matched.bodies.get(&(index, body.kind)))
            {
                let prefix = format!("{prefix}{}/{}/", new.graph.name(new.source, now), body.kind.name());
                let old = Side { graph: &body.graph, facts: before, ..old };
                compare(old, Side { graph, facts: after, ..new }, inner, level, &prefix, layers);
            }
        }
    }
}

fn name(side: Side, layer: &Layer, prefix: &str) -> String {
    format!("{prefix}{}", side.graph.name(side.source, layer))
}

fn show(side: Side, facts: &[Fact]) -> Vec<String> {
    facts.iter().map(|fact| named_fact(side.names, Some(fact))).collect()
}

/// Describes a layer that only one of the models has.
fn unmatched(side: Side, index: LayerId, prefix: &str) -> Option<LayerChange> {
    let layer = side.graph.layer(index)?;
    let ty = side.graph.kind(layer).ty.clone();
    Some(LayerChange {
        name: name(side, layer, prefix),
        ty,
        details: Vec::new(),
        old: Vec::new(),
        new: show(side, side.facts.outputs(index)),
        follows: false,
    })
}

fn changed(
    old: Side,
    new: Side,
    (was, layer): (LayerId, &Layer),
    (is, now): (LayerId, &Layer),
    matched: &Matched,
    level: Level,
    prefix: &str,
) -> Option<LayerChange> {
    let (a, b) = (old.graph.kind(layer), new.graph.kind(now));
    let mut details = Vec::new();
    let mut ty = b.ty.clone();
    if level >= Level::Graph {
        if a.ty != b.ty {
            ty = format!("{} -> {}", a.ty, b.ty);
        }
        if a.version != b.version {
            details.push(format!("{} -> {}", a.version, b.version));
        }
        if !is_written_alike(old, layer, new, now) {
            details.extend(attributes(attributes_of(old, layer), attributes_of(new, now)));
        }
        details.extend(inputs(old, new, layer, now, matched));
        details.extend(bodies::changes((layer, old.source), (now, new.source), was, matched));
    }
    let (before, after) = outputs((old, was), (new, is));
    let same = details.is_empty() && before == after && (level < Level::Graph || a.ty == b.ty);
    let follows = details.is_empty() && a.ty == b.ty && inputs_differ(old, new, (layer, now));
    (!same).then(|| LayerChange { name: name(new, now, prefix), ty, details, old: before, new: after, follows })
}

/// Compares the `<rt_info>` and the types of two Converts of constants; all else about them and about constants is a matter of
/// the weights.
fn convert_changed(
    old: Side,
    new: Side,
    (was, layer): (LayerId, &Layer),
    matched: &Matched,
    level: Level,
    prefix: &str,
) -> Option<LayerChange> {
    let is = matched.in_new(was).filter(|_| level >= Level::Graph)?;
    let now = new.graph.layer(is)?;
    let kind = new.graph.kind(now);
    if kind.role == Role::Const {
        return None;
    }
    let marks = |side: Side, layer: &Layer| side.marks.of_layer(layer).into_iter().collect();
    let details = attributes(marks(old, layer), marks(new, now));
    let (before, after) = outputs((old, was), (new, is));
    let is_same = details.is_empty() && before == after;
    let change = LayerChange {
        name: name(new, now, prefix),
        ty: kind.ty.clone(),
        details,
        old: before,
        new: after,
        follows: false,
    };
    (!is_same).then_some(change)
}

/// Formats the outputs of two layers; nothing if they are the same.
fn outputs((old, was): (Side, LayerId), (new, is): (Side, LayerId)) -> (Vec<String>, Vec<String>) {
    let (before, now) = (old.facts.outputs(was), new.facts.outputs(is));
    let is_equal = |(a, b): (&Fact, &Fact)| a.ty == b.ty && a.shape.is_static() && a.shape == b.shape;
    if before.len() == now.len() && before.iter().zip(now).all(is_equal) {
        return Default::default();
    }
    let texts = (show(old, before), show(new, now));
    if texts.0 == texts.1 { Default::default() } else { texts }
}

/// Whether the attributes of two layers have the same text, and no `<rt_info>` changes how either runs.
fn is_written_alike(old: Side, was: &Layer, new: Side, is: &Layer) -> bool {
    old.source.slice(was.data) == new.source.slice(is.data)
        && [old.marks.of_layer(was), new.marks.of_layer(is)].iter().all(Vec::is_empty)
}

fn inputs_differ(old: Side, new: Side, (was, is): (&Layer, &Layer)) -> bool {
    let fact = |side: Side, port: &Port| side.facts.of_port(port).map(|fact| named_fact(side.names, Some(fact)));
    let mut inputs = old.graph.inputs(was).iter().zip(new.graph.inputs(is));
    inputs.any(|(a, b)| fact(old, a) != fact(new, b))
}

fn attributes_of(side: Side, layer: &Layer) -> BTreeMap<String, String> {
    let text = |span| unescape(side.source.slice(span)).into_owned();
    let attributes = side.graph.attrs(layer).iter().map(|attr| (text(attr.name), text(attr.value)));
    attributes.chain(side.marks.of_layer(layer)).into_map()
}

fn attributes(old: BTreeMap<String, String>, new: BTreeMap<String, String>) -> Vec<String> {
    let mut details = Vec::new();
    let mut new = new;
    for (name, was) in old {
        match new.remove(&name) {
            Some(is) if is == was => {}
            // Spaces in lists do not matter.
            Some(is) if without_spaces(&is) == without_spaces(&was) => {}
            Some(is) => details.push(format!("{name} {was} -> {is}")),
            None => details.push(format!("{name} {was} gone")),
        }
    }
    details.extend(new.into_iter().map(|(name, is)| format!("{name} {is} new")));
    details
}

fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Reports inputs with another value or another producer.
fn inputs(old: Side, new: Side, before: &Layer, now: &Layer, matched: &Matched) -> Vec<String> {
    let (was, is) = (old.graph.inputs(before), new.graph.inputs(now));
    let mut details = Vec::new();
    let role = |i: usize| match new.graph.kind(now).meaning {
        Meaning::Modelled(spec) => spec.input(i).map_or_else(|| format!("input {i}"), |input| input.name.to_owned()),
        _ => format!("input {i}"),
    };
    for (i, (a, b)) in was.iter().zip(is).enumerate() {
        let (Some(from), Some(to)) = (a.source(), b.source()) else {
            let open = |port: &Port| if port.source().is_some() { "connected" } else { "not connected" };
            details.extend((open(a) != open(b)).then(|| format!("{} {} -> {}", role(i), open(a), open(b))));
            continue;
        };
        if let (Some(x), Some(y)) = (value(old, from), value(new, to)) {
            details.extend((x != y).then(|| format!("{} [{x}] -> [{y}]", role(i))));
            continue;
        }
        let weights = weight_behind(old.graph, from).is_some() && weight_behind(new.graph, to).is_some();
        let same = matched.in_new(from.layer) == Some(to.layer) && from.output == to.output || weights;
        if !same {
            let shown = |side: Side, output: OutputRef| {
                let name = side.graph.layer(output.layer).map(|layer| side.graph.name(side.source, layer).into_owned());
                format!("{}:{}", name.unwrap_or_default(), output.output)
            };
            details.push(format!("{} {} -> {}", role(i), shown(old, from), shown(new, to)));
        }
    }
    if was.len() != is.len() {
        details.push(format!("{} -> {}", was.len(), counted(is.len(), "input")));
    }
    details
}

/// Formats the value of a small constant, such as a target shape.
fn value(side: Side, output: OutputRef) -> Option<String> {
    let kind = side.graph.kind(side.graph.layer(output.layer)?);
    let value = side.facts.output(output).filter(|_| kind.role == Role::Const)?.value.as_ref()?;
    (value.len() <= 16).then(|| value.to_string())
}
