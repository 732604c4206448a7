//! Layers and ports of a graph.
//!
//! The spans of attributes and dimensions are not stored, because only findings need them: they are found again from the tag.

use super::body::{Body, Subgraph};
use super::xml::attributes::unescape;
use crate::ops::extension::{ExtensionOps, Stated};
use crate::ops::{Action, Meaning, OpSpec, Role, WithBodies};
use crate::source::{Source, Span};
use crate::types::{ElementType, Release};
use petgraph::graph::NodeIndex;
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

impl Attribute {
    /// The bytes from the name to the closing quote.
    pub(crate) fn whole(self) -> Span {
        Span { end: self.value.end.saturating_add(1), ..self.name.to(self.value) }
    }
}

/// The marker for a dimension whose text is not a number.
pub(crate) const UNREADABLE_DIM: i64 = i64::MIN;

/// A pair of type and version, interned.
#[derive(Debug)]
pub struct Kind {
    /// The type as written.
    pub ty: String,
    /// The version as written.
    pub version: String,
    /// The operation that type and version stand for.
    pub meaning: Meaning,
    /// The role of such layers in the graph.
    pub role: Role,
}

impl Kind {
    /// Returns the operation, if it has a model.
    pub(crate) fn spec(&self) -> Option<&'static OpSpec> {
        match self.meaning {
            Meaning::Modelled(spec) => Some(spec),
            _ => None,
        }
    }

    /// Whether OpenVINO builds such layers even if nothing reads them. A Parameter in other letters it builds only for a reader.
    pub(crate) fn is_root(&self) -> bool {
        match self.role {
            Role::Result | Role::Assign => true,
            Role::Parameter => self.ty == Role::Parameter.type_name(),
            Role::Const | Role::Inner => false,
        }
    }

    /// Returns the kind of work that the operation does.
    pub fn action(&self) -> Action {
        self.spec().map_or(Action::Other, |spec| spec.action)
    }

    /// Returns the operation if it has bodies.
    pub(crate) fn with_bodies(&self) -> Option<WithBodies> {
        self.spec()?.with_bodies()
    }

    /// Whether such layers may have a child element of this name. Only bodies and their wiring depend on the operation; an
    /// operation without a model may have all of them.
    pub(crate) fn may_have(&self, element: &[u8]) -> bool {
        let takes = |bodies: &[WithBodies]| {
            self.spec().is_none_or(|spec| spec.with_bodies().is_some_and(|own| bodies.contains(&own)))
        };
        match element {
            b"body" | b"port_map" | b"back_edges" => takes(&[WithBodies::Loop, WithBodies::TensorIterator]),
            b"then_body" | b"else_body" | b"then_port_map" | b"else_port_map" => takes(&[WithBodies::If]),
            _ => true,
        }
    }

    /// Returns the first release of OpenVINO that reads such layers; `None` if unknown.
    pub(crate) fn first_release(&self) -> Option<Release> {
        let wrong = || Release::of_wrong_label(&self.ty, &self.version).map(|[first, _]| first);
        Release::of_meaning(&self.meaning, &self.version).or_else(wrong)
    }

    /// Returns the shapes that a user states for such layers. Operations with a model need none.
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
    /// Creates the id of a number. Ids in files are below 2^63, so that `number + 1` fits.
    pub(super) fn new(number: u64) -> Option<Self> {
        NonZeroU64::new(number.wrapping_add(1)).map(Self)
    }

    /// Returns the number.
    pub fn get(self) -> u64 {
        self.0.get() - 1
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.get(), f)
    }
}

/// The index of a layer in the table of its graph, and of its node in the petgraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LayerId(u32);

impl LayerId {
    /// The id that stands for no layer; a table never has so many layers.
    pub(crate) const NONE: Self = Self(u32::MAX);

    /// Creates the id of the layer at a table index.
    pub fn new(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// Returns the table index.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the petgraph node.
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
    /// The id; `None` if it is missing or not a number.
    pub id: Option<Id>,
    /// The value of `name`.
    pub name: Span,
    /// The index of its type and version in `Graph::kinds`.
    pub kind: u32,
    /// The `<data>` tag; empty if there is none.
    pub data: Span,
    /// The start of an earlier `<data>` with equal bytes, or of this one: layers with equal attributes share it.
    pub(crate) data_like: u32,
    pub(super) attrs: (u32, u32),
    pub(super) inputs: (u32, u32),
    pub(super) outputs: (u32, u32),
    /// Bodies and port maps.
    pub subgraph: Option<Box<Subgraph>>,
    pub(super) constant: u32,
}

impl Layer {
    /// Returns the bodies in file order.
    pub fn bodies(&self) -> impl Iterator<Item = &Body> {
        self.subgraph.iter().flat_map(|subgraph| &subgraph.bodies)
    }

    /// Whether this is the name of the layer, unescaped.
    pub(super) fn is_called(&self, source: &Source, name: &str) -> bool {
        let raw = source.slice(self.name);
        // Most names differ in the first bytes, and nothing before a reference needs to be resolved.
        let is_plain = |b: u8| b.is_ascii() && b != b'&';
        let same = raw.iter().zip(name.as_bytes()).take_while(|(a, b)| a == b && is_plain(**a)).count();
        match raw.get(same) {
            Some(b) if is_plain(*b) => false,
            Some(_) => unescape(raw) == name,
            None => same == name.len(),
        }
    }

    /// Returns the unescaped text of a part of the `<data>`. Reads it from the earlier equal `<data>`, which is likelier to
    /// be in the cache.
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
    /// The id; `None` if it is missing or not a number.
    pub id: Option<Id>,
    /// The declared element type; `None` if it is missing or unknown.
    pub precision: Option<ElementType>,
    pub(crate) dims: (u32, u32),
    /// For connected input ports the source layer and output; else the layer is `LayerId::NONE`.
    pub(super) source: (LayerId, u32),
}

impl Port {
    /// Returns the output that feeds an input port.
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
    /// The index of the output port.
    pub output: u32,
}
