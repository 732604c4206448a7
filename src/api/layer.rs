//! Layers and their outputs, in the public API.

use crate::analysis::Model;
use crate::diagnostic;
use crate::ir::walk::Visit;
use crate::source::{Position, Source};
use crate::types::{Dim, ElementType, Fact, bare_fact};
use std::borrow::Cow;
use std::fmt;

/// A layer, as identified in the file.
#[derive(Clone, Debug)]
pub struct LayerRef<'a> {
    source: &'a Source,
    layer: Cow<'a, diagnostic::LayerRef>,
}

impl<'a> LayerRef<'a> {
    pub(super) fn new(source: &'a Source, layer: &'a diagnostic::LayerRef) -> Self {
        Self { source, layer: Cow::Borrowed(layer) }
    }

    /// Returns the id as written.
    pub fn id(&self) -> &str {
        &self.layer.id
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.layer.name
    }

    /// Returns the type, such as `Convolution`.
    pub fn type_name(&self) -> &str {
        &self.layer.ty
    }

    /// Returns the version as written, such as `opset1`.
    pub fn version(&self) -> &str {
        &self.layer.version
    }

    /// Returns the position of the start tag. This reads the file up to there.
    pub fn position(&self) -> Position {
        self.source.position(self.layer.span.start)
    }
}

/// One output of a layer with the inferred type and shape. Its text is both: `f32[1,?,3..8]`.
///
/// ```
/// use ovlint::{Analysis, ElementType, Options};
///
/// let analysis = Analysis::open("ir-samples/models/split.xml", &Options::new())?;
/// let part = analysis.outputs().find(|output| output.layer().name() == "split_3").ok_or("no split_3")?;
/// assert_eq!(part.to_string(), "f32[6,4,10,24]");
/// assert_eq!((part.index(), part.element_type(), part.rank()), (0, ElementType::F32, Some(4)));
/// assert_eq!(part.dims().ok_or("no rank")?[1].length(), Some(4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Output<'a> {
    layer: LayerRef<'a>,
    body: String,
    index: usize,
    fact: &'a Fact,
}

impl<'a> Output<'a> {
    /// Returns the layer.
    pub fn layer(&self) -> &LayerRef<'a> {
        &self.layer
    }

    /// Returns the body that the layer is in, such as `loop_1/body`; empty outside of bodies.
    pub fn body(&self) -> &str {
        &self.body
    }

    /// Returns the index among the outputs of the layer.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Returns the element type.
    pub fn element_type(&self) -> ElementType {
        self.fact.ty
    }

    /// Returns the number of dimensions; `None` if it is unknown.
    pub fn rank(&self) -> Option<usize> {
        self.fact.rank()
    }

    /// Returns the dimensions, each with its possible values at run time; `None` if the rank is unknown.
    pub fn dims(&self) -> Option<&'a [Dim]> {
        self.fact.shape.dims()
    }

    /// Whether this is what the file declares, or derived from that, because inference stopped at this layer or one before it.
    pub fn is_assumed(&self) -> bool {
        self.fact.assumed
    }
}

impl fmt::Display for Output<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&bare_fact(self.fact))
    }
}

/// Returns the outputs of a model in the order of its layers; those of a body follow the layer that contains it.
pub(super) fn outputs(model: &Model) -> Vec<Output<'_>> {
    let source = model.source();
    let mut found = Vec::new();
    for Visit { place, id, layer } in model.layers() {
        let all = place.beside.outputs(id);
        let body = || place.prefix(|graph, layer| graph.layer_ref(source, layer).name);
        let named = (!all.is_empty()).then(|| (place.graph.layer_ref(source, layer), body()));
        for (index, fact) in all.iter().enumerate() {
            let Some((layer, body)) = &named else { continue };
            let layer = LayerRef { source, layer: Cow::Owned(layer.clone()) };
            found.push(Output { layer, body: body.trim_end_matches('/').to_owned(), index, fact });
        }
    }
    found
}
