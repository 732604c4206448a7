//! Patterns of subgraphs as data, matched against a tensor and its producers, as OpenVINO's transformations of language
//! models match them.
//!
//! Example: `Layer("Add", &[1], &[Keep, Any])` matches the output of an Add of opset1 and keeps its first input.

use super::view::View;
use crate::ir::{OutputRef, Port};

/// A pattern for the subgraph that produces a tensor.
pub(super) enum Pattern {
    /// Any tensor.
    Any,
    /// Any tensor; the match returns it.
    Keep,
    /// A layer of a type from one of these opset numbers (empty: any), whose inputs match exactly these patterns.
    Layer(&'static str, &'static [u8], &'static [Self]),
    /// Such a layer with two inputs, in either order.
    Either(&'static str, &'static [u8], &'static [Self; 2]),
    /// The first alternative that matches.
    Or(&'static [Self]),
}

impl Pattern {
    /// Whether the pattern matches a tensor; appends the kept tensors to `kept`.
    pub(super) fn matches(&self, view: &View, from: Option<OutputRef>, kept: &mut Vec<OutputRef>) -> bool {
        let Some(from) = from else { return false };
        let ports = |ty: &str, revisions: &[u8]| {
            let layer = view.graph().layer(from.layer).filter(|layer| view.is(layer, ty, revisions))?;
            Some(view.graph().inputs(layer))
        };
        match self {
            Self::Any => true,
            Self::Keep => {
                kept.push(from);
                true
            }
            Self::Layer(ty, revisions, inputs) => {
                ports(ty, revisions).is_some_and(|ports| all(inputs, view, ports.iter(), kept))
            }
            Self::Either(ty, revisions, inputs) => ports(ty, revisions).is_some_and(|ports| {
                all(&inputs[..], view, ports.iter(), kept) || all(&inputs[..], view, ports.iter().rev(), kept)
            }),
            Self::Or(any) => any.iter().any(|one| one.matches(view, Some(from), kept)),
        }
    }
}

/// Whether each port matches its pattern. Appends kept tensors only if all do.
fn all<'a>(
    inputs: &[Pattern],
    view: &View,
    ports: impl ExactSizeIterator<Item = &'a Port>,
    kept: &mut Vec<OutputRef>,
) -> bool {
    let before = kept.len();
    let fits = ports.len() == inputs.len()
        && ports.zip(inputs).all(|(port, wanted)| wanted.matches(view, port.source(), kept));
    if !fits {
        kept.truncate(before);
    }
    fits
}
