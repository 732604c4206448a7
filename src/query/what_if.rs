//! What if the inputs had other shapes: which layer breaks first, and which constants keep it from taking them.

use crate::analysis::{InputShapes, Model};
use crate::diagnostic::{Diagnostic, Group, Runtime, Severity};
use crate::infer::Facts;
use crate::ir::{BodyKind, Graph, Layer, LayerId, OutputRef};
use crate::query::names::Tensor;
use crate::query::why::{How, Reason, pins};
use crate::source::Span;
use std::collections::BTreeSet;

/// Constants that are named.
const NAMED: usize = 4;

/// The errors that keep a model from working with the input shapes asked for, by their places among its findings.
#[derive(Debug, Default)]
pub struct Obstacles {
    /// Those for which OpenVINO refuses the file whatever the shapes.
    pub of_file: Vec<usize>,
    /// Those that other shapes may avoid.
    pub of_shapes: Vec<usize>,
}

impl Obstacles {
    /// The obstacles in a model; if it has errors, the file is checked again with the shapes that it declares.
    pub fn of(model: &Model) -> Self {
        if !model.has_errors() {
            return Self::default();
        }
        let as_it_is = model.reshaped(InputShapes::default());
        Self::beside(model, as_it_is.as_ref().map(Model::findings).unwrap_or_default())
    }

    /// The same with the findings of the file as it is.
    pub fn beside(model: &Model, as_it_is: &[Diagnostic]) -> Self {
        let mut obstacles = Self::default();
        let known: BTreeSet<(&str, Span)> = as_it_is.iter().map(place).collect();
        let findings = model.findings().iter().enumerate();
        for (i, finding) in findings.filter(|(_, finding)| finding.severity == Severity::Error) {
            let (is_known, runtime) = (known.contains(&place(finding)), finding.runtime);
            match finding.rule.group {
                Group::Shapes => obstacles.of_shapes.push(i),
                _ if is_known && runtime.fails() => obstacles.of_file.push(i),
                // OpenVINO ignores types that ports declare, whatever the shapes.
                Group::Types if runtime == Runtime::Accepts => {}
                // Inference that reached a limit leaves the answer unknown.
                _ if !is_known || runtime == Runtime::None => obstacles.of_shapes.push(i),
                _ => {}
            }
        }
        obstacles
    }

    /// Whether the model works.
    pub fn is_empty(&self) -> bool {
        self.of_file.is_empty() && self.of_shapes.is_empty()
    }
}

/// Identifies a finding in two checks of one file.
fn place(finding: &Diagnostic) -> (&str, Span) {
    (finding.rule.name, finding.primary.span)
}

/// The layer that breaks first with other input shapes.
#[derive(Debug, Clone)]
pub struct FirstBroken {
    /// The place of its finding among those of the model.
    pub finding: usize,
    /// The constants that keep it from taking the shapes, the first of them.
    pub constants: Vec<Reason>,
    /// How many more such constants there are.
    pub more: usize,
}

/// The layer that breaks first, and what pins it; `None` if no layer does.
pub fn first_broken(model: &Model, obstacles: &Obstacles) -> Option<FirstBroken> {
    let (net, facts) = (model.net()?, model.facts()?);
    let mut places = vec![None; net.graph.layers.len()];
    for (place, index) in facts.order().iter().enumerate() {
        if let Some(slot) = places.get_mut((*index).index()) {
            *slot = Some(place);
        }
    }
    let place = |i: &usize| {
        let (index, _) = around(&net.graph, model.findings().get(*i)?.layer.as_ref()?.span)?;
        places.get(index.index()).copied().flatten()
    };
    let ranked = obstacles.of_shapes.iter().filter_map(|i| Some((place(i)?, *i)));
    let (_, finding) = ranked.min()?;
    let span = model.findings().get(finding)?.layer.as_ref()?.span;
    let mut path = Vec::new();
    let (graph, facts, index) = descend(&net.graph, facts, span, &mut path)?;
    let layer = graph.layer(index)?;
    let tensor = Tensor { path, output: OutputRef { layer: index, output: 0 } };
    let mut reasons = pins(model, graph, facts, layer, &tensor);
    // What follows from the inputs gives way; what only constants decide does not.
    if reasons.iter().any(is_constant) {
        reasons.retain(is_constant);
    }
    let mut constants = Vec::new();
    for reason in &reasons {
        leaves(reason, &mut constants);
    }
    constants.dedup();
    let more = constants.len().saturating_sub(NAMED);
    let constants = constants.into_iter().take(NAMED).cloned().collect();
    Some(FirstBroken { finding, constants, more })
}

/// The layer of a graph whose text holds a span.
fn around(graph: &Graph, span: Span) -> Option<(LayerId, &Layer)> {
    let at = graph.layer_around(span.start)?;
    Some((at, graph.layer(at)?))
}

/// The graph and the place of the layer at a span, in bodies as well.
fn descend<'a>(
    graph: &'a Graph,
    facts: &'a Facts,
    span: Span,
    path: &mut Vec<(LayerId, BodyKind)>,
) -> Option<(&'a Graph, &'a Facts, LayerId)> {
    let (index, layer) = around(graph, span)?;
    if layer.tag == span {
        return Some((graph, facts, index));
    }
    let body = layer.bodies().find(|body| around(&body.graph, span).is_some())?;
    path.push((index, body.kind));
    descend(&body.graph, facts.body(index, body.kind)?, span, path)
}

/// Whether only constants decide something.
fn is_constant(reason: &Reason) -> bool {
    match reason.how {
        How::Constant | How::Fixed => true,
        How::Computed | How::Agreed => !reason.from.is_empty() && reason.from.iter().all(is_constant),
        _ => false,
    }
}

/// The constants that a reason goes back to.
fn leaves<'a>(reason: &'a Reason, constants: &mut Vec<&'a Reason>) {
    if reason.how == How::Constant {
        constants.push(reason);
    }
    for next in &reason.from {
        leaves(next, constants);
    }
}
