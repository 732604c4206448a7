//! One graph of a file, with everything that inference and findings need.

use crate::diagnostic::BodyRef;
use crate::ir::{BodyKind, Graph, Layer, Weights, body_ref};
use crate::limits::Limits;
use crate::source::Source;

/// One graph of a file, with everything that inference and findings need.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub source: &'a Source,
    pub graph: &'a Graph,
    pub weights: &'a Weights,
    pub limits: &'a Limits,
    /// The path of bodies that the graph is in, outermost first.
    pub body: &'a [BodyRef],
}

/// Returns the path of a body of `layer`, outermost first, as findings show it.
pub(crate) fn body_path(scope: &Scope, layer: &Layer, kind: BodyKind) -> Vec<BodyRef> {
    let mut path = scope.body.to_vec();
    path.push(body_ref(scope.source, layer, kind));
    path
}
