//! The layer table of a net or a body, and the petgraph over it.

use super::BodyKind;
use super::constant::Constant;
use super::edges::broken::BrokenEdgeEnds;
use super::layer::{Attribute, Kind, Layer, LayerId, Port};
use super::rt_info::RtAttribute;
use super::xml::attributes::{find_attribute, unescape};
use crate::diagnostic::{BodyRef, Direction, LayerRef, PortRef};
use crate::limits::NAME;
use crate::source::{Source, Span};
use crate::text::stable_name;
use petgraph::graph::DiGraph;
use std::borrow::Cow;

/// One resolved `<edge>`, the weight of a petgraph edge.
#[derive(Debug, Clone, Copy)]
pub struct Edge {
    /// The index of the output port.
    pub output: u32,
    /// The index of the input port.
    pub input: u32,
    /// The `<edge>` tag.
    pub tag: Span,
}

/// A net or the body of a layer.
#[derive(Debug, Default)]
pub struct Graph {
    /// The `<net>` or `<body>` start tag.
    pub tag: Span,
    /// The layers in file order.
    pub layers: Vec<Layer>,
    /// The interned types and versions of the layers.
    pub kinds: Vec<Kind>,
    pub(super) attrs: Vec<Attribute>,
    pub(super) ports: Vec<Port>,
    pub(super) dims: Vec<i64>,
    pub(super) constants: Vec<Constant>,
    /// The edges between layers; node `i` is layer `i`.
    pub dag: DiGraph<(), Edge>,
    /// The candidates for the ends of broken edges.
    pub loose: BrokenEdgeEnds,
    /// The `<rt_info>` attributes known to OpenVINO, except those that the fast reader accepted and skipped.
    pub rt_info: Vec<RtAttribute>,
}

impl Graph {
    /// Returns the layer with an id.
    pub fn layer(&self, id: LayerId) -> Option<&Layer> {
        self.layers.get(id.index())
    }

    /// Returns all layers with their ids, in file order.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (LayerId, &Layer)> + DoubleEndedIterator + Clone {
        self.layers.iter().enumerate().map(|(index, layer)| (LayerId::new(index), layer))
    }

    /// Counts the layers, those of bodies included.
    pub fn layer_count(&self) -> usize {
        let bodies = self.layers.iter().flat_map(Layer::bodies);
        self.layers.len() + bodies.map(|body| body.graph.layer_count()).sum::<usize>()
    }

    /// Returns the type and version of a layer.
    pub fn kind(&self, layer: &Layer) -> &Kind {
        &self.kinds[layer.kind as usize]
    }

    /// Returns the layer whose tag starts at a byte offset, by binary search: layers are in file order.
    pub(crate) fn layer_at(&self, start: u32) -> Option<LayerId> {
        self.layers.binary_search_by_key(&start, |layer| layer.tag.start).ok().map(LayerId::new)
    }

    /// Returns the layer that contains a byte offset.
    pub(crate) fn layer_around(&self, byte: u32) -> Option<LayerId> {
        let at = self.layers.partition_point(|layer| layer.tag.start <= byte).checked_sub(1)?;
        self.layers.get(at).filter(|layer| byte < layer.end).map(|_| LayerId::new(at))
    }

    /// Returns the attributes of a layer's `<data>`.
    pub fn attrs(&self, layer: &Layer) -> &[Attribute] {
        part(&self.attrs, layer.attrs)
    }

    /// Returns the input ports of a layer in file order, which determines their meaning.
    pub fn inputs(&self, layer: &Layer) -> &[Port] {
        part(&self.ports, layer.inputs)
    }

    /// Returns the output ports of a layer in file order, which determines their meaning.
    pub fn outputs(&self, layer: &Layer) -> &[Port] {
        part(&self.ports, layer.outputs)
    }

    /// Returns the ports on one side of a layer.
    pub fn ports(&self, layer: &Layer, direction: Direction) -> &[Port] {
        match direction {
            Direction::Input => self.inputs(layer),
            Direction::Output => self.outputs(layer),
        }
    }

    /// Returns the declared dimensions of a port; -1 is dynamic, `i64::MIN` unreadable.
    pub fn dims(&self, port: &Port) -> &[i64] {
        part(&self.dims, port.dims)
    }

    /// Returns the end of the last constant in the weights, those of bodies included.
    pub(crate) fn weights_end(&self) -> u64 {
        let bodies = self.layers.iter().flat_map(Layer::bodies);
        let ends = self.constants.iter().map(Constant::end);
        ends.chain(bodies.map(|body| body.graph.weights_end())).max().unwrap_or_default()
    }

    /// Returns the constant of a Const layer, if its attributes could be read.
    pub fn constant(&self, layer: &Layer) -> Option<&Constant> {
        self.constants.get(layer.constant as usize)
    }

    /// Adds a constant and returns its index.
    pub(super) fn add_constant(&mut self, constant: Constant) -> u32 {
        self.constants.push(constant);
        u32::try_from(self.constants.len() - 1).unwrap_or(u32::MAX)
    }

    /// Returns the name of a layer, unescaped and truncated.
    pub fn name<'s>(&self, source: &'s Source, layer: &Layer) -> Cow<'s, str> {
        layer_name(source, layer)
    }

    /// Returns the name of a layer, unescaped and truncated, without the numbers that exporters generate.
    pub(crate) fn stable_name<'s>(&self, source: &'s Source, layer: &Layer) -> Cow<'s, str> {
        let ty = &self.kind(layer).ty;
        match layer_name(source, layer) {
            Cow::Borrowed(name) => stable_name(name, ty),
            Cow::Owned(name) => Cow::Owned(stable_name(&name, ty).into_owned()),
        }
    }

    /// Returns the whole name of a layer, unescaped.
    pub fn full_name<'s>(&self, source: &'s Source, layer: &Layer) -> Cow<'s, str> {
        unescape(source.slice(layer.name))
    }

    /// Whether any layer has an input port.
    pub(super) fn has_inputs(&self) -> bool {
        self.layers.iter().any(|layer| layer.inputs.0 < layer.inputs.1)
    }

    /// Describes a layer for findings.
    pub fn layer_ref(&self, source: &Source, layer: &Layer) -> LayerRef {
        let kind = self.kind(layer);
        // A very long tag is not searched for every finding.
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

    /// Describes a port for findings.
    pub fn port_ref(&self, source: &Source, layer: &Layer, direction: Direction, index: usize) -> PortRef {
        let ports = if direction == Direction::Input { self.inputs(layer) } else { self.outputs(layer) };
        let id = ports.get(index).map(|port| written(source, port.tag, "id")).unwrap_or_default();
        PortRef { direction, id, index, dim: None }
    }
}

/// Describes a body for findings.
pub(crate) fn body_ref(source: &Source, layer: &Layer, kind: BodyKind) -> BodyRef {
    BodyRef { layer: layer_name(source, layer).into_owned(), tag: layer.tag, element: kind.name() }
}

/// Returns the name of a layer, unescaped and truncated.
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

/// Returns the text of an attribute; empty if it is missing.
fn written(source: &Source, tag: Span, name: &str) -> String {
    find_attribute(source, tag, name).map(|a| unescape(source.slice(a.value)).into_owned()).unwrap_or_default()
}
