//! One graph of a file, with everything that inference and findings need.

use crate::diagnostic::{BodyRef, Diagnostic};
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

impl Scope<'_> {
    /// Adds the layer and the bodies around it to a finding.
    pub(crate) fn about(&self, layer: &Layer, finding: Diagnostic) -> Diagnostic {
        let mut finding = finding.layer(self.graph.layer_ref(self.source, layer));
        finding.body = self.body.to_vec();
        finding
    }

    /// Does the same for a finding about a part of the layer, and shows the whole.
    pub(crate) fn about_part(&self, layer: &Layer, finding: Diagnostic) -> Diagnostic {
        self.about(layer, finding).label(layer.tag, format!("in this {} layer", self.graph.kind(layer).ty))
    }
}

/// Returns the path of a body of `layer`, outermost first, as findings show it.
pub(crate) fn body_path(scope: &Scope, layer: &Layer, kind: BodyKind) -> Vec<BodyRef> {
    let mut path = scope.body.to_vec();
    path.push(body_ref(scope.source, layer, kind));
    path
}
