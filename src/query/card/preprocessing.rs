//! The preprocessing of pictures by the first layers of a model, such as a resize.

use crate::analysis::Model;
use crate::infer::Facts;
use crate::ir::{Graph, Layer, LayerId, Port, Role, find_attribute, tags, unescape};
use crate::ops::Action;
use crate::source::{Source, Span};
use crate::types::ElementType;
use serde::Serialize;

/// An input with preprocessing.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Preprocessed {
    /// The name of the input.
    pub input: String,
    /// The element type of the input.
    #[serde(rename = "type")]
    pub ty: ElementType,
    /// The layout of the input, as the file states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layout: Option<String>,
    /// The steps in the order in which they run.
    pub steps: Vec<Step>,
}

/// A step of preprocessing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// The elements are converted to another type.
    Convert,
    /// The channels are reversed.
    Reverse,
    /// The picture is resized.
    Resize,
    /// A mean is subtracted.
    Mean,
    /// The elements are scaled.
    Scale,
    /// The axes are permuted.
    Transpose,
}

/// The maximum number of steps.
const MOST: usize = 12;

/// Returns the inputs of rank 4 with preprocessing other than a conversion or a permutation.
pub(super) fn preprocessing(model: &Model) -> Vec<Preprocessed> {
    let (Some(net), Some(facts)) = (model.net(), model.facts()) else { return Vec::new() };
    let graph = &net.graph;
    let of = |(id, layer): (LayerId, &Layer)| {
        let fact = facts.outputs(id).first().filter(|fact| fact.shape.rank() == Some(4))?;
        let steps = steps(graph, facts, id);
        let counts = steps.iter().any(|step| !matches!(step, Step::Convert | Step::Transpose));
        counts.then(|| Preprocessed {
            input: graph.name(model.source(), layer).into_owned(),
            ty: fact.ty,
            layout: layout(model.source(), layer),
            steps,
        })
    };
    graph.entries().filter(|(_, layer)| graph.kind(layer).role == Role::Parameter).filter_map(of).collect()
}

/// Returns the steps behind an input: layers with one data input, each the only consumer of the one before.
fn steps(graph: &Graph, facts: &Facts, mut at: LayerId) -> Vec<Step> {
    let mut steps = Vec::new();
    while steps.len() < MOST {
        let mut all = graph.dag.neighbors(at.node());
        let (Some(next), None) = (all.next().map(LayerId::from), all.next()) else { break };
        let Some(layer) = graph.layer(next) else { break };
        let sources = || graph.inputs(layer).iter().map(Port::source);
        let is_first = sources().next().flatten().is_some_and(|from| from.layer == at);
        // Its other inputs are constants.
        let constant = |from: LayerId| graph.layer(from).and_then(|layer| graph.constant(layer)).is_some();
        let is_plain = is_first && sources().skip(1).all(|from| from.is_none_or(|from| constant(from.layer)));
        let step = match graph.kind(layer).action() {
            Action::Converts => Step::Convert,
            Action::Permutes => Step::Transpose,
            Action::Subtracts => Step::Mean,
            Action::Multiplies | Action::Divides => Step::Scale,
            Action::Resizes => Step::Resize,
            Action::Gathers if reverses(graph, facts, layer) => Step::Reverse,
            _ => break,
        };
        // OpenVINO computes the size of a resize from the shape of the picture.
        if !(is_plain || is_first && step == Step::Resize) {
            break;
        }
        // The same step twice is no preprocessing that is known.
        if steps.contains(&step) && !matches!(step, Step::Convert | Step::Transpose) {
            break;
        }
        steps.push(step);
        at = next;
    }
    steps
}

/// Whether a layer gathers three channels in reverse.
fn reverses(graph: &Graph, facts: &Facts, layer: &Layer) -> bool {
    let indices = graph.inputs(layer).get(1).and_then(|port| facts.of_port(port));
    let indices = indices.and_then(|fact| fact.value.as_ref()?.exact_integers());
    indices.is_some_and(|indices| indices[..] == [2, 1, 0])
}

/// Returns the layout in the `<rt_info>` of a layer or its ports.
fn layout(source: &Source, layer: &Layer) -> Option<String> {
    let part = Span { start: layer.tag.start, end: layer.end };
    let mut all = tags(source, part).filter(|(name, _)| *name == b"attribute");
    let value = all.find_map(|(_, tag)| find_attribute(source, tag, "layout"))?;
    Some(unescape(source.slice(value.value)).into_owned())
}
