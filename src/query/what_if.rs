//! Input shapes other than the declared ones: the first layer that rejects them, and the constants that cause this.

use crate::analysis::{InputShapes, Model};
use crate::arrange::Fill;
use crate::diagnostic::{Diagnostic, Group, Runtime, Severity};
use crate::infer::Facts;
use crate::ir::{BodyKind, Graph, Layer, LayerId, OutputRef};
use crate::lint::rules::{GIT_LFS_POINTER, WEIGHTS_FILE_MISSING};
use crate::query::names::Tensor;
use crate::query::why::{How, Reason, pins};
use crate::source::Span;
use std::collections::BTreeSet;

/// The maximum number of constants that are named.
const NAMED: usize = 4;

/// The errors because of which a model does not accept the requested input shapes, as indices of its findings.
#[derive(Debug, Default)]
pub struct Obstacles {
    /// Errors with which OpenVINO fails for all input shapes.
    pub of_file: Vec<usize>,
    /// Errors that other shapes may avoid.
    pub of_shapes: Vec<usize>,
}

impl Obstacles {
    /// Collects the obstacles of a model. If the model has errors, checks the file again with its declared shapes.
    pub fn of(model: &Model) -> Self {
        if !model.has_errors() {
            return Self::default();
        }
        let as_it_is = model.reshaped(InputShapes::default());
        Self::beside(model, as_it_is.as_ref().map(Model::findings).unwrap_or_default())
    }

    /// Collects the obstacles of a model, given the findings of the file with its declared shapes.
    pub fn beside(model: &Model, as_it_is: &[Diagnostic]) -> Self {
        let mut obstacles = Self::default();
        let known: BTreeSet<(&str, Span)> = as_it_is.iter().map(key).into_set();
        let findings = model.findings().iter().enumerate();
        for (i, finding) in findings.filter(|(_, one)| one.severity == Severity::Error && !lacks_weights(one)) {
            let (is_known, runtime) = (known.contains(&key(finding)), finding.runtime);
            match finding.rule.group {
                Group::Shapes => obstacles.of_shapes.push(i),
                _ if is_known && runtime.fails() => obstacles.of_file.push(i),
                // OpenVINO ignores the types that ports declare, for any shapes.
                Group::Types if runtime == Runtime::Accepts => {}
                // A new error comes from the shapes. One that OpenVINO does not encounter, such as a limit of inference, leaves
                // the answer unknown.
                _ if !is_known || runtime == Runtime::None => obstacles.of_shapes.push(i),
                _ => {}
            }
        }
        obstacles
    }

    /// Whether the model works with these shapes.
    pub fn is_empty(&self) -> bool {
        self.of_file.is_empty() && self.of_shapes.is_empty()
    }
}

/// Whether a finding is only about weights that are elsewhere: with them, the file may be fine.
pub(crate) fn lacks_weights(finding: &Diagnostic) -> bool {
    [&WEIGHTS_FILE_MISSING, &GIT_LFS_POINTER].contains(&finding.rule)
}

/// Returns a key that identifies a finding across checks of one file.
fn key(finding: &Diagnostic) -> (&str, Span) {
    (finding.rule.name, finding.primary.span)
}

/// The first layer that rejects the input shapes.
#[derive(Debug, Clone)]
pub struct FirstBroken {
    /// The index of its finding.
    pub finding: usize,
    /// The first constants that make it reject the shapes.
    pub constants: Vec<Reason>,
    /// The number of further such constants.
    pub more: usize,
}

/// Finds the first layer in topological order that rejects the shapes, and the constants that cause this; `None` if none does.
pub fn first_broken(model: &Model, obstacles: &Obstacles) -> Option<FirstBroken> {
    let (net, facts) = (model.net()?, model.facts()?);
    let mut positions = vec![None; net.graph.layers.len()];
    for (position, index) in facts.order().iter().enumerate() {
        if let Some(slot) = positions.get_mut((*index).index()) {
            *slot = Some(position);
        }
    }
    let position = |i: &usize| {
        let (index, _) = layer_at(&net.graph, model.findings().get(*i)?.layer.as_ref()?.span)?;
        positions.get(index.index()).copied().flatten()
    };
    let ranked = obstacles.of_shapes.iter().filter_map(|i| Some((position(i)?, *i)));
    let (_, finding) = ranked.min()?;
    let span = model.findings().get(finding)?.layer.as_ref()?.span;
    let mut path = Vec::new();
    let (graph, facts, index) = descend(&net.graph, facts, span, &mut path)?;
    let layer = graph.layer(index)?;
    let tensor = Tensor { path, output: OutputRef { layer: index, output: 0 } };
    let mut reasons = pins(model, graph, facts, layer, &tensor);
    // Values computed from inputs vary with the shapes, constants do not. So name only constants, if there are any.
    if reasons.iter().any(is_constant) {
        reasons.retain(is_constant);
    }
    let mut constants = constants_of(&reasons);
    constants.dedup();
    let more = constants.len().saturating_sub(NAMED);
    let constants = constants.into_iter().take(NAMED).cloned().collect();
    Some(FirstBroken { finding, constants, more })
}

fn layer_at(graph: &Graph, span: Span) -> Option<(LayerId, &Layer)> {
    let at = graph.layer_around(span.start)?;
    Some((at, graph.layer(at)?))
}

/// Finds the layer at a span, also in bodies; returns its graph and index there, and extends `path` by the bodies.
fn descend<'a>(
    graph: &'a Graph,
    facts: &'a Facts,
    span: Span,
    path: &mut Vec<(LayerId, BodyKind)>,
) -> Option<(&'a Graph, &'a Facts, LayerId)> {
    let (index, layer) = layer_at(graph, span)?;
    if layer.tag == span {
        return Some((graph, facts, index));
    }
    let body = layer.bodies().find(|body| layer_at(&body.graph, span).is_some())?;
    path.push((index, body.kind));
    descend(&body.graph, facts.body(index, body.kind)?, span, path)
}

fn is_constant(reason: &Reason) -> bool {
    match reason.how {
        How::Constant | How::Fixed => true,
        How::Computed | How::Agreed => !reason.from.is_empty() && reason.from.iter().all(is_constant),
        _ => false,
    }
}

/// Returns the constants that reasons are derived from, those in the fewest steps first.
fn constants_of(reasons: &[Reason]) -> Vec<&Reason> {
    let (mut constants, mut level): (Vec<&Reason>, Vec<&Reason>) = (Vec::new(), reasons.iter().collect());
    while !level.is_empty() {
        constants.extend(level.iter().filter(|reason| reason.how == How::Constant));
        level = level.iter().flat_map(|reason| &reason.from).collect();
    }
    constants
}
