//! Bodies of `TensorIterator`, `Loop` and `If`, and how they are wired to the layer around them.

use crate::diagnostic::Direction;
use crate::ir::Graph;
use crate::source::Span;

/// Which body of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BodyKind {
    /// The body of a loop.
    Body,
    /// The body of an If whose condition holds.
    Then,
    /// The body of an If whose condition does not hold.
    Else,
}

impl BodyKind {
    /// The element's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Body => "body",
            Self::Then => "then_body",
            Self::Else => "else_body",
        }
    }
}

/// One body and the entries of its port map.
#[derive(Debug)]
pub struct Body {
    /// Which one.
    pub kind: BodyKind,
    /// Its layers.
    pub graph: Graph,
}

/// How an input or output is cut along an axis, iteration by iteration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slice {
    /// The axis.
    pub axis: i64,
    /// Where the first slice starts; negative from the end.
    pub start: i64,
    /// Where the last slice ends; negative from the end.
    pub end: i64,
    /// The step between slices.
    pub stride: i64,
    /// The length of a slice.
    pub part_size: i64,
}

/// One `<input>` or `<output>` of a port map.
#[derive(Debug, Clone)]
pub struct PortMapEntry {
    /// The tag.
    pub tag: Span,
    /// The body it belongs to.
    pub body: BodyKind,
    /// Whether it leads into the body or out of it.
    pub direction: Direction,
    /// The port outside; negative for none.
    pub external_port: Option<i64>,
    /// The id of the Parameter or Result inside.
    pub internal_layer: Option<u64>,
    /// The slicing, where `axis` is written.
    pub slice: Option<Slice>,
    /// `current_iteration` or `execution_condition`.
    pub purpose: Span,
}

/// The content of a layer with bodies.
#[derive(Debug, Default)]
pub struct Subgraph {
    /// The bodies in the order of the file.
    pub bodies: Vec<Body>,
    /// The entries of all port maps in the order of the file.
    pub port_map: Vec<PortMapEntry>,
    /// From the id of a body Result to the id of a body Parameter, with the tag.
    pub back_edges: Vec<(u64, u64, Span)>,
}

impl Subgraph {
    /// The first body of a kind; further ones are ignored, as OpenVINO ignores them.
    pub fn body(&self, kind: BodyKind) -> Option<&Graph> {
        self.bodies.iter().find(|body| body.kind == kind).map(|body| &body.graph)
    }
}
