//! The layer table of a net or a body, and the petgraph over it.
//!
//! Places that only findings need are not stored: the span of an attribute or a dimension is found again from the tag.

use super::body::Subgraph;
use super::constant::Constant;
use super::edges::broken::LooseEnds;
use super::rt_info::RtAttribute;
use super::xml::attributes::{find_attribute, unescape};
use crate::diagnostic::{Direction, LayerRef, PortRef};
use crate::limits::NAME;
pub use crate::ops::Role;
use crate::ops::extension::{ExtensionOps, Stated};
use crate::ops::releases::Release;
use crate::ops::{Action, Meaning, OpSpec, WithBodies};
use crate::source::{Source, Span};
use crate::types::ElementType;
use petgraph::graph::{DiGraph, NodeIndex};
use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroU64;

/// The name and the value of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attribute {
    /// The name.
    pub name: Span,
    /// The value without its quotes.
    pub value: Span,
}

/// Marks a dimension whose text is not a number.
pub(crate) const UNREADABLE_DIM: i64 = i64::MIN;

/// A pair of type and version, interned.
#[derive(Debug)]
pub struct Kind {
    /// The type as written.
    pub ty: String,
    /// The version as written.
    pub version: String,
    /// What they mean.
    pub meaning: Meaning,
    /// What such layers are to the graph.
    pub role: Role,
}

impl Kind {
    /// The operation that they mean, if it has a model here.
    pub(crate) fn spec(&self) -> Option<&'static OpSpec> {
        match self.meaning {
            Meaning::Modelled(spec) => Some(spec),
            _ => None,
        }
    }

    /// What their operation does.
    pub fn action(&self) -> Action {
        self.spec().map_or(Action::Other, |spec| spec.action)
    }

    /// What their operation does with bodies, if it has some.
    pub(crate) fn with_bodies(&self) -> Option<WithBodies> {
        self.spec()?.with_bodies()
    }

    /// The first release of OpenVINO that reads such layers; `None` where that is not known.
    pub(crate) fn first_release(&self) -> Option<Release> {
        Release::of_meaning(&self.meaning, &self.version)
    }

    /// What a user states of such layers; operations of OpenVINO need no rule.
    pub(crate) fn stated<'e>(&self, all: &'e ExtensionOps) -> Option<&'e Stated> {
        match self.meaning {
            Meaning::Modelled(_) => None,
            _ => all.find(&self.ty, &self.version),
        }
    }
}

/// The id of a layer or a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(NonZeroU64);

impl Id {
    /// The id of a number; ids in files are below 2^63.
    pub(super) fn new(number: u64) -> Option<Self> {
        NonZeroU64::new(number.wrapping_add(1)).map(Self)
    }

    /// The number.
    pub fn get(self) -> u64 {
        self.0.get() - 1
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.get(), f)
    }
}

/// The place of a layer in the table of its graph, and of its node in the petgraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LayerId(u32);

impl LayerId {
    /// No layer; a table never has as many.
    pub(crate) const NONE: Self = Self(u32::MAX);

    /// The layer at an index of the table.
    pub fn new(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// Its index in the table.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Its node in the petgraph.
    pub fn node(self) -> NodeIndex {
        NodeIndex::new(self.index())
    }
}

impl fmt::Display for LayerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl From<NodeIndex> for LayerId {
    fn from(node: NodeIndex) -> Self {
        Self::new(node.index())
    }
}

/// One `<layer>`.
#[derive(Debug)]
pub struct Layer {
    /// The start tag.
    pub tag: Span,
    /// The byte after the end tag.
    pub end: u32,
    /// The id; `None` where it is missing or no number.
    pub id: Option<Id>,
    /// The value of `name`.
    pub name: Span,
    /// The place of its type and version in `Graph::kinds`.
    pub kind: u32,
    /// The `<data>` tag; empty where there is none.
    pub data: Span,
    /// Where an earlier `<data>` starts that is known to be the same, or where this one does.
    pub(crate) data_like: u32,
    pub(super) attrs: (u32, u32),
    pub(super) inputs: (u32, u32),
    pub(super) outputs: (u32, u32),
    /// Bodies and port maps.
    pub subgraph: Option<Box<Subgraph>>,
    pub(super) constant: u32,
}

impl Layer {
    /// The text of a part of the `<data>`, references resolved. It is read where it stands first, as that is likely to be in
    /// the cache.
    pub(crate) fn data_text<'s>(&self, source: &'s Source, part: Span) -> Cow<'s, str> {
        let back = self.data.start.saturating_sub(self.data_like);
        unescape(source.slice(Span { start: part.start.saturating_sub(back), end: part.end.saturating_sub(back) }))
    }
}

/// One `<port>`.
#[derive(Debug, Clone)]
pub struct Port {
    /// The start tag.
    pub tag: Span,
    /// The byte after the end tag.
    pub end: u32,
    /// The id; `None` where it is missing or no number.
    pub id: Option<Id>,
    /// The declared element type; `None` where it is missing or unknown.
    pub precision: Option<ElementType>,
    pub(crate) dims: (u32, u32),
    /// Layer and output; the layer is `LayerId::NONE` where there is none.
    pub(super) source: (LayerId, u32),
}

impl Port {
    /// For input ports: where the edge comes from.
    pub fn source(&self) -> Option<OutputRef> {
        let (layer, output) = self.source;
        (layer != LayerId::NONE).then_some(OutputRef { layer, output })
    }
}

/// An output of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OutputRef {
    /// The layer.
    pub layer: LayerId,
    /// The position of the port.
    pub output: u32,
}

/// One resolved `<edge>`, the weight of an edge of the petgraph.
#[derive(Debug, Clone, Copy)]
pub struct Edge {
    /// The position of the output port.
    pub output: u32,
    /// The position of the input port.
    pub input: u32,
    /// The `<edge>` tag.
    pub tag: Span,
}

/// A net or the body of a layer.
#[derive(Debug, Default)]
pub struct Graph {
    /// The `<net>` or `<body>` start tag.
    pub tag: Span,
    /// The layers in the order of the file.
    pub layers: Vec<Layer>,
    /// The types and versions of the layers.
    pub kinds: Vec<Kind>,
    pub(super) attrs: Vec<Attribute>,
    pub(super) ports: Vec<Port>,
    pub(super) dims: Vec<i64>,
    pub(super) constants: Vec<Constant>,
    /// The edges between layers; node `i` is layer `i`.
    pub dag: DiGraph<(), Edge>,
    /// The ends of edges that are broken.
    pub loose: LooseEnds,
    /// The attributes of `<rt_info>` that OpenVINO knows, except those that are written plainly and correct.
    pub rt_info: Vec<RtAttribute>,
}

impl Graph {
    /// The layer with an id.
    pub fn layer(&self, id: LayerId) -> Option<&Layer> {
        self.layers.get(id.index())
    }

    /// All layers with their ids, in the order of the file.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (LayerId, &Layer)> + DoubleEndedIterator + Clone {
        self.layers.iter().enumerate().map(|(index, layer)| (LayerId::new(index), layer))
    }

    /// The number of layers, those of bodies included.
    pub fn layer_count(&self) -> usize {
        let bodies = self.layers.iter().filter_map(|layer| layer.subgraph.as_ref()).flat_map(|inner| &inner.bodies);
        self.layers.len() + bodies.map(|body| body.graph.layer_count()).sum::<usize>()
    }

    /// The type and version of a layer.
    pub fn kind(&self, layer: &Layer) -> &Kind {
        &self.kinds[layer.kind as usize]
    }

    /// The attributes of a layer's `<data>`.
    pub fn attrs(&self, layer: &Layer) -> &[Attribute] {
        part(&self.attrs, layer.attrs)
    }

    /// The input ports of a layer, in the order that counts.
    pub fn inputs(&self, layer: &Layer) -> &[Port] {
        part(&self.ports, layer.inputs)
    }

    /// The output ports of a layer, in the order that counts.
    pub fn outputs(&self, layer: &Layer) -> &[Port] {
        part(&self.ports, layer.outputs)
    }

    /// The ports of one side of a layer.
    pub fn ports(&self, layer: &Layer, direction: Direction) -> &[Port] {
        match direction {
            Direction::Input => self.inputs(layer),
            Direction::Output => self.outputs(layer),
        }
    }

    /// The declared dimensions of a port; -1 means dynamic, `i64::MIN` unreadable.
    pub fn dims(&self, port: &Port) -> &[i64] {
        part(&self.dims, port.dims)
    }

    /// The end of the last constant in the weights, those of bodies included.
    pub(crate) fn weights_end(&self) -> u64 {
        let bodies = self.layers.iter().filter_map(|layer| layer.subgraph.as_ref()).flat_map(|inner| &inner.bodies);
        let ends = self.constants.iter().map(Constant::end);
        ends.chain(bodies.map(|body| body.graph.weights_end())).max().unwrap_or_default()
    }

    /// What a Const layer holds, where its attributes could be read.
    pub fn constant(&self, layer: &Layer) -> Option<&Constant> {
        self.constants.get(layer.constant as usize)
    }

    /// Takes in what a Const layer holds; its place.
    pub(super) fn add_constant(&mut self, constant: Constant) -> u32 {
        self.constants.push(constant);
        u32::try_from(self.constants.len() - 1).unwrap_or(u32::MAX)
    }

    /// The name of a layer, references resolved, cut off where it is endless.
    pub fn name<'s>(&self, source: &'s Source, layer: &Layer) -> Cow<'s, str> {
        layer_name(source, layer)
    }

    /// The whole name of a layer, references resolved.
    pub fn full_name<'s>(&self, source: &'s Source, layer: &Layer) -> Cow<'s, str> {
        unescape(source.slice(layer.name))
    }

    /// Whether a layer has an input port.
    pub(super) fn has_inputs(&self) -> bool {
        self.layers.iter().any(|layer| layer.inputs.0 < layer.inputs.1)
    }

    /// A layer as findings name it.
    pub fn layer_ref(&self, source: &Source, layer: &Layer) -> LayerRef {
        let kind = self.kind(layer);
        // An endless tag is not searched for every finding.
        let id = match layer.id {
            Some(id) if layer.tag.len() > 4 * NAME => id.to_string(),
            _ => written(source, layer.tag, "id"),
        };
        LayerRef {
            id,
            name: self.name(source, layer).into_owned(),
            ty: kind.ty.clone(),
            version: kind.version.clone(),
            span: layer.tag,
        }
    }

    /// A port as findings name it.
    pub fn port_ref(&self, source: &Source, layer: &Layer, direction: Direction, index: usize) -> PortRef {
        let ports = if direction == Direction::Input { self.inputs(layer) } else { self.outputs(layer) };
        let id = ports.get(index).map(|port| written(source, port.tag, "id")).unwrap_or_default();
        PortRef { direction, id, index, dim: None }
    }
}

/// The name of a layer, references resolved, cut off where it is endless.
pub(super) fn layer_name<'s>(source: &'s Source, layer: &Layer) -> Cow<'s, str> {
    let raw = source.slice(layer.name);
    if raw.len() <= NAME {
        return unescape(raw);
    }
    let start = unescape(raw.get(..NAME).unwrap_or_default());
    Cow::Owned(format!("{}...", start.trim_end_matches(char::REPLACEMENT_CHARACTER)))
}

fn part<T>(all: &[T], range: (u32, u32)) -> &[T] {
    all.get(range.0 as usize..range.1 as usize).unwrap_or_default()
}

/// The text of an attribute of a tag; empty where it is missing.
fn written(source: &Source, tag: Span, name: &str) -> String {
    find_attribute(source, tag, name).map(|a| unescape(source.slice(a.value)).into_owned()).unwrap_or_default()
}
