//! Patterns of layers, as data: what must stand before an input.

use super::view::View;
use crate::ir::{OutputRef, Port};

/// What a tensor comes from.
pub(super) enum Pattern {
    /// Anything.
    Any,
    /// Anything; it is kept.
    Keep,
    /// A layer of a type, in one of these revisions (none means any), with these inputs and no others.
    Layer(&'static str, &'static [u8], &'static [Self]),
    /// The same, where the two inputs may be in either order.
    Either(&'static str, &'static [u8], &'static [Self; 2]),
    /// The first of these that matches.
    Or(&'static [Self]),
}

impl Pattern {
    /// Whether a tensor comes from this; what is kept is added to `kept`.
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

/// Whether each port takes what its pattern says; nothing is kept unless all do.
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
