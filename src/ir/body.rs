//! Bodies of `TensorIterator`, `Loop` and `If`, and their connections to the layer around them as written.

use crate::diagnostic::Direction;
use crate::ir::Graph;
use crate::source::Span;

/// The role of a body in its layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BodyKind {
    /// The body of a loop.
    Body,
    /// The body of an If that runs if the condition is true.
    Then,
    /// The body of an If that runs if the condition is false.
    Else,
}

impl BodyKind {
    /// Returns the element name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Body => "body",
            Self::Then => "then_body",
            Self::Else => "else_body",
        }
    }
}

/// One body.
#[derive(Debug)]
pub struct Body {
    /// Its role in the layer.
    pub kind: BodyKind,
    /// Its layers.
    pub graph: Graph,
}

/// The slicing of an input or output along an axis, one slice per iteration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slice {
    /// The axis.
    pub axis: i64,
    /// The start of the first slice; negative counts from the end.
    pub start: i64,
    /// The end of the last slice; negative counts from the end.
    pub end: i64,
    /// The step between slices.
    pub stride: i64,
    /// The size of a slice.
    pub part_size: i64,
}

/// One `<input>` or `<output>` of a port map.
#[derive(Debug, Clone)]
pub struct PortMapEntry {
    /// The tag.
    pub tag: Span,
    /// The body it belongs to.
    pub body: BodyKind,
    /// The direction: into the body or out of it.
    pub direction: Direction,
    /// The port of the outer layer; negative if there is none.
    pub external_port: Option<i64>,
    /// The id of the Parameter or Result in the body.
    pub internal_layer: Option<u64>,
    /// The slicing, if `axis` is written.
    pub slice: Option<Slice>,
    /// `current_iteration` or `execution_condition`.
    pub purpose: Span,
}

/// The content of a layer with bodies.
#[derive(Debug, Default)]
pub struct Subgraph {
    /// The bodies in file order.
    pub bodies: Vec<Body>,
    /// The entries of all port maps in file order.
    pub port_map: Vec<PortMapEntry>,
    /// The id of a body Result, the id of the body Parameter that it feeds, and the tag.
    pub back_edges: Vec<(u64, u64, Span)>,
}

impl Subgraph {
    /// Returns the first body of a kind; OpenVINO ignores further ones.
    pub fn body(&self, kind: BodyKind) -> Option<&Graph> {
        self.bodies.iter().find(|body| body.kind == kind).map(|body| &body.graph)
    }
}
