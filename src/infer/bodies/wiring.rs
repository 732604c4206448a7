//! How bodies are connected to the layers around them, by place.

use crate::infer::explain::Scope;
use crate::ir::{LayerId, Slice, find_attribute};
use crate::source::Span;

/// How a body is connected to the layer around it.
#[derive(Debug, Default)]
pub(crate) struct BodyWiring {
    /// What leads into the body, in the order in which OpenVINO takes it.
    pub inputs: Vec<BodyInput>,
    /// What leads out of it, one for each output of the layer.
    pub outputs: Vec<BodyOutput>,
    /// The Result that says whether a Loop goes on.
    pub condition: Option<LayerId>,
    /// The Parameter that counts the iterations of a Loop.
    pub iteration: Option<LayerId>,
}

/// An input of the layer and the Parameter of the body that takes it.
#[derive(Debug)]
pub(crate) struct BodyInput {
    /// The `<input>` of the port map.
    pub tag: Span,
    /// The position of the input.
    pub external: usize,
    /// The place of the Parameter.
    pub parameter: LayerId,
    /// How the input is cut.
    pub slice: Option<Slice>,
    /// The Result that feeds the Parameter from the second iteration on, and the back edge.
    pub back: Option<(LayerId, Span)>,
}

/// A Result of the body that is an output of the layer.
#[derive(Debug)]
pub(crate) struct BodyOutput {
    /// The `<output>` of the port map.
    pub tag: Span,
    /// The place of the Result.
    pub result: LayerId,
    /// How the iterations are put together; the last one counts where they are not.
    pub slice: Option<Slice>,
}

/// The name and value of an attribute of a tag, or the tag where it is not written.
pub(super) fn written(scope: &Scope, tag: Span, attribute: &str) -> Span {
    find_attribute(scope.source, tag, attribute)
        .map_or(tag, |a| Span { end: a.value.end.saturating_add(1), ..a.name.to(a.value) })
}
