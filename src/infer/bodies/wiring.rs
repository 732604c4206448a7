//! Resolved connections of bodies to the layers around them.

use crate::infer::scope::Scope;
use crate::ir::{Attribute, Graph, Layer, LayerId, Port, Role, Slice, find_attribute};
use crate::source::Span;

/// The connections of a body to the layer around it.
#[derive(Debug, Default)]
pub(crate) struct BodyWiring {
    /// The inputs of the body, in OpenVINO's order.
    pub inputs: Vec<BodyInput>,
    /// The outputs of the body, one for each output of the layer.
    pub outputs: Vec<BodyOutput>,
    /// The Result that decides whether a Loop continues.
    pub condition: Option<LayerId>,
    /// The Parameter that counts the iterations of a Loop.
    pub iteration: Option<LayerId>,
}

/// An input of the layer and the body Parameter that it feeds.
#[derive(Debug)]
pub(crate) struct BodyInput {
    /// The `<input>` of the port map.
    pub tag: Span,
    /// The index of the layer's input.
    pub external: usize,
    pub parameter: LayerId,
    /// The slice per iteration; `None` if every iteration gets the whole input.
    pub slice: Option<Slice>,
    /// The Result that feeds the Parameter from the second iteration on, and the back edge.
    pub back: Option<(LayerId, Span)>,
}

/// A Result of the body that is an output of the layer.
#[derive(Debug)]
pub(crate) struct BodyOutput {
    /// The `<output>` of the port map.
    pub tag: Span,
    pub result: LayerId,
    /// The axis and the slices by which the iterations are concatenated; `None` if the last iteration gives the output.
    pub slice: Option<Slice>,
}

/// Returns the span of an attribute with its value, or of the tag if the attribute is not written.
pub(super) fn written(scope: &Scope, tag: Span, attribute: &str) -> Span {
    find_attribute(scope.source, tag, attribute).map_or(tag, Attribute::whole)
}

/// Whether the condition of an If may be constant when OpenVINO reads the file: then it reads only one branch.
pub(super) fn may_skip_a_branch(graph: &Graph, layer: &Layer) -> bool {
    let source = graph.inputs(layer).first().and_then(Port::source);
    let condition = source.and_then(|source| graph.layer(source.layer));
    condition.is_none_or(|layer| graph.kind(layer).role != Role::Parameter)
}
