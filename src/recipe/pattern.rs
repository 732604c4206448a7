//! Patterns of layers, as data: what must stand before an input.

use super::view::View;
use crate::ir::OutputRef;

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
        let before = kept.len();
        let found = match self {
            Self::Any => true,
            Self::Keep => {
                kept.push(from);
                true
            }
            Self::Layer(ty, revisions, inputs) => Self::layer(view, from, ty, revisions, inputs, false, kept),
            Self::Either(ty, revisions, inputs) => {
                Self::layer(view, from, ty, revisions, &inputs[..], false, kept)
                    || Self::layer(view, from, ty, revisions, &inputs[..], true, kept)
            }
            Self::Or(all) => all.iter().any(|one| one.matches(view, Some(from), kept)),
        };
        if !found {
            kept.truncate(before);
        }
        found
    }

    fn layer(
        view: &View,
        from: OutputRef,
        ty: &str,
        revisions: &[u8],
        inputs: &[Self],
        is_swapped: bool,
        kept: &mut Vec<OutputRef>,
    ) -> bool {
        let before = kept.len();
        let Some(layer) = view.graph().layer(from.layer).filter(|layer| view.is(layer, ty, revisions)) else {
            return false;
        };
        let ports = view.graph().inputs(layer);
        let place = |at: usize| if is_swapped { ports.len() - 1 - at } else { at };
        let all = ports.len() == inputs.len()
            && inputs.iter().enumerate().all(|(at, wanted)| wanted.matches(view, ports[place(at)].source(), kept));
        if !all {
            kept.truncate(before);
        }
        all
    }
}
