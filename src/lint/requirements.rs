//! The features of a file that earlier releases of OpenVINO cannot read.

use super::built::Built;
use super::names::ends;
use crate::diagnostic::{BodyRef, LayerRef};
use crate::infer::Facts;
use crate::ir::walk::{Beside, Place, graphs};
use crate::ir::{Graph, HEADER, Kind, Layer, LayerId, Net, OutputRef, Role, children, find_attribute, name_list};
use crate::ops::{Dated, Meaning};
use crate::source::{Source, Span};
use crate::types::{ElementType, Fact, Release};
use foldhash::fast::FixedState;
use std::collections::{BTreeMap, HashSet};
use std::fmt;

/// A feature that some release was the first to read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Feature {
    /// The version of the IR.
    IrVersion(u8),
    /// An input of the model without elements, by name.
    EmptyInput(String),
    /// An output of the model without elements, by name.
    EmptyOutput(String),
    /// The type and version of a layer.
    Operation(String, String),
    /// An element type.
    Type(ElementType),
    /// An element type that is written as this text at a port and left to inference.
    OpenPort(String),
    /// An element type of a layer that is left to inference.
    OpenType(String),
    /// Names that layers of a graph share.
    SharedNames,
    /// A tensor name that two inputs or outputs share in IR version 10.
    SharedTensorName(String),
    /// An empty name among tensor names.
    EmptyName,
    /// An entry of `<rt_info>` without a name or a version.
    IncompleteRtInfo,
    /// The whole document, in the bytes by which earlier releases recognize an IR.
    ShortFile,
    /// The version of the IR, behind these bytes.
    LateVersion,
    /// The encoding UTF-16.
    Utf16,
    /// A use of an operation, and the operation.
    Use(&'static str, String),
    /// A value of an attribute, and the operation.
    Value(&'static str, &'static str, String),
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IrVersion(version) => write!(f, "IR version {version}"),
            Self::EmptyInput(name) => write!(f, "an empty input `{name}`"),
            Self::EmptyOutput(name) => write!(f, "an empty output `{name}`"),
            Self::Operation(ty, version) => write!(f, "{ty} of {version}"),
            Self::Type(ty) => write!(f, "element type {ty}"),
            Self::OpenPort(text) => write!(f, "precision `{text}`"),
            Self::OpenType(ty) => write!(f, "{ty} without an element type"),
            Self::SharedNames => write!(f, "a name that two layers share"),
            Self::SharedTensorName(name) => write!(f, "two tensors called `{name}` in IR version 10"),
            Self::EmptyName => f.write_str("an empty tensor name before others"),
            Self::IncompleteRtInfo => f.write_str("an entry of <rt_info> without a name or a version"),
            Self::ShortFile => write!(f, "a document of at most {HEADER} bytes"),
            Self::LateVersion => write!(f, "a version of `<net>` behind the first {HEADER} bytes"),
            Self::Utf16 => f.write_str("the encoding UTF-16"),
            Self::Use(what, ty) => write!(f, "{what} in {ty}"),
            Self::Value(attribute, value, ty) => write!(f, "{attribute} `{value}` of {ty}"),
        }
    }
}

impl Feature {
    /// Whether a release that knows the feature rejects some of its uses.
    pub(crate) fn is_unclear(&self, release: Release) -> bool {
        // An element type left open is a type of its own in 2025.0, where Add and the like want equal ones.
        matches!(self, Self::OpenType(_)) && release < Release::OPEN_TYPES
    }
}

/// The need of a file for a release.
#[derive(Clone, Debug)]
pub(crate) struct Requirement {
    /// The first release that reads the feature.
    pub(crate) first: Release,
    /// The bytes of its first occurrence.
    pub(crate) span: Span,
    /// The layer of its first occurrence, and the bodies around it.
    pub(crate) layer: Option<(LayerRef, Vec<BodyRef>)>,
    /// The number of layers that have it.
    pub(crate) layers: usize,
}

/// Returns the features of a file that need a release later than 2020.1, with their requirements. Layers that OpenVINO does
/// not build are left out where it does not read them.
pub(crate) fn requirements(net: &Net, facts: &Facts, source: &Source) -> BTreeMap<Feature, Requirement> {
    let mut found = Found { source, all: BTreeMap::new() };
    found.header(net);
    found.empty_ends(&net.graph, facts);
    if net.version == 10 {
        found.tensor_names(&net.graph, facts);
    }
    let built = Built::of(&net.graph, true, 0);
    for place in graphs(&net.graph, (facts, &built)) {
        found.graph(&place, net.version);
    }
    found.all
}

struct Found<'a> {
    source: &'a Source,
    all: BTreeMap<Feature, Requirement>,
}

impl Found<'_> {
    /// Counts layers that have a feature.
    fn take<B: Beside>(&mut self, feature: Feature, first: Release, span: Span, at: (&Place<B>, &Layer), count: usize) {
        let source = self.source;
        let new = || Requirement {
            first,
            span,
            layer: Some((at.0.graph.layer_ref(source, at.1), at.0.refs(source))),
            layers: 0,
        };
        self.all.entry(feature).or_insert_with(new).layers += count;
    }

    /// Finds the version of the IR, and a start that earlier releases do not recognize.
    fn header(&mut self, net: &Net) {
        let (tag, text) = (net.graph.tag, self.source.bytes());
        let span = find_attribute(self.source, tag, "version").map_or(tag, |attribute| attribute.value);
        let end = text.iter().rposition(|byte| *byte == b'>').map_or(text.len(), |last| last + 1);
        let all = [
            (net.version > 10, Feature::IrVersion(net.version), Release::IR_11),
            (end <= HEADER, Feature::ShortFile, Release::ANY_HEADER),
            (span.start as usize + 1 >= HEADER, Feature::LateVersion, Release::ANY_HEADER),
            (self.source.encoding() == Some("UTF-16"), Feature::Utf16, Release::ANY_HEADER),
        ];
        for (_, feature, first) in all.into_iter().filter(|(is_found, ..)| *is_found) {
            self.all.insert(feature, Requirement { first, span, layer: None, layers: 0 });
        }
    }

    fn span(&self, layer: &Layer, tag: Span, attributes: &[&str]) -> Span {
        let written = |name: &&str| find_attribute(self.source, tag, name).map(|attribute| attribute.value);
        attributes.iter().find_map(written).unwrap_or(layer.tag)
    }

    /// Finds the inputs of the model without elements, or if there are none the outputs.
    fn empty_ends(&mut self, graph: &Graph, facts: &Facts) {
        let is_0 = |output: OutputRef| {
            let mut dims = facts.output(output).and_then(|fact| fact.shape.dims()).into_iter().flatten();
            dims.any(|dim| dim.length() == Some(0))
        };
        let empty: Vec<&Layer> = ends(graph).filter(|(_, output)| is_0(*output)).map(|(layer, _)| layer).collect();
        let role = empty.first().map(|layer| graph.kind(layer).role);
        for layer in empty.into_iter().filter(|layer| Some(graph.kind(layer).role) == role) {
            let of = if role == Some(Role::Result) { Feature::EmptyOutput } else { Feature::EmptyInput };
            let feature = of(graph.name(self.source, layer).into_owned());
            let span = self.span(layer, layer.data, &["shape"]);
            self.take(feature, Release::EMPTY_ENDS, span, (&Place::of(graph, facts), layer), 1);
        }
    }

    /// Finds the tensor names that two inputs or outputs share.
    fn tensor_names(&mut self, graph: &Graph, facts: &Facts) {
        let mut taken: BTreeMap<String, OutputRef> = BTreeMap::new();
        for (_, output) in ends(graph) {
            let Some(producer) = graph.layer(output.layer) else { continue };
            let Some(port) = graph.outputs(producer).get(output.output as usize) else { continue };
            for name in name_list(self.source, port.tag, "names") {
                if *taken.entry(name.clone()).or_insert(output) != output {
                    let at = (&Place::of(graph, facts), producer);
                    self.take(Feature::SharedTensorName(name), Release::SHARED_TENSOR_NAMES, port.tag, at, 1);
                }
            }
        }
    }

    /// Finds names and ports of which earlier releases are strict, also in layers that lead to no Result.
    fn written<B: Beside>(&mut self, place: &Place<B>) {
        let graph = place.graph;
        let mut taken: HashSet<&[u8], FixedState> = HashSet::default();
        for layer in &graph.layers {
            let name = self.source.slice(layer.name);
            if !taken.insert(name) && graph.kind(layer).role != Role::Result {
                self.take(Feature::SharedNames, Release::SHARED_NAMES, layer.name, (place, layer), 1);
            }
            for port in graph.outputs(layer) {
                let names = find_attribute(self.source, port.tag, "names").map(|names| self.source.text(names.value));
                let is_blank = |name: &str| name.trim().is_empty();
                if names.is_some_and(|names| names.rsplit(',').skip(1).any(is_blank)) {
                    self.take(Feature::EmptyName, Release::EMPTY_NAMES, port.tag, (place, layer), 1);
                }
                let Some(ty) = port.precision else { continue };
                let first = Release::of_type(ty);
                if ty != ElementType::Dynamic && first.is_none() {
                    continue;
                }
                let span = self.span(layer, port.tag, &["precision"]);
                match first {
                    // Those of constants and outputs are known already, by bytes that say more.
                    Some(_) if self.all.contains_key(&Feature::Type(ty)) => {}
                    Some(first) => self.take(Feature::Type(ty), first, span, (place, layer), 1),
                    None if self.source.slice(span) == b"undefined" => {}
                    None => {
                        let text = String::from_utf8_lossy(self.source.slice(span)).into_owned();
                        self.take(Feature::OpenPort(text), Release::OPEN_PORTS, span, (place, layer), 1);
                    }
                }
            }
        }
    }

    /// The first entry in the `<rt_info>` of a layer without bodies, or of its ports, that is text or lacks an attribute.
    fn incomplete_entry(&self, layer: &Layer) -> Option<Span> {
        let part = Span { end: layer.end, ..layer.tag };
        memchr::memmem::find(self.source.slice(part), b"<rt_info").filter(|_| layer.subgraph.is_none())?;
        let has = |tag: Span, name: &str| find_attribute(self.source, tag, name).is_some();
        children(self.source, part, b"rt_info").find(|entry| !["name", "version"].iter().all(|name| has(*entry, name)))
    }

    /// Finds the operations, types and values of attributes in a graph of a file of this version.
    fn graph(&mut self, place: &Place<(&Facts, &Built)>, version: u8) {
        let (graph, (facts, built)) = (place.graph, place.beside);
        let dated: Vec<_> = graph.kinds.iter().map(dated).collect();
        let mut layers_of: Vec<(Option<&Layer>, usize)> = vec![(None, 0); graph.kinds.len()];
        for (index, layer) in graph.entries().filter(|(index, _)| built.has(*index)) {
            let kind = graph.kind(layer);
            if let Some((one, count)) = layers_of.get_mut(layer.kind as usize) {
                one.get_or_insert(layer);
                *count += 1;
            }
            if let Some((name, text, first)) = dated.get(layer.kind as usize).copied().flatten() {
                let written = find_attribute(self.source, layer.data, name).map(|attribute| attribute.value);
                let is = |span: Span, text: &str| self.source.slice(span).eq_ignore_ascii_case(text.as_bytes());
                let text_is = |text: &str| written.is_some_and(|span| is(span, text));
                let is_read = || graph.dag.neighbors(index.node()).any(|reader| built.has(LayerId::from(reader)));
                let feature = match text {
                    Dated::Value(value) => text_is(value).then(|| Feature::Value(name, value, kind.ty.clone())),
                    Dated::OpenType => ((written.is_none() || text_is("undefined")) && is_read())
                        .then(|| Feature::OpenType(kind.ty.clone())),
                };
                if let Some(feature) = feature {
                    self.take(feature, first, written.unwrap_or(layer.tag), (place, layer), 1);
                }
            }
            for recent in kind.spec().map_or(&[][..], |spec| spec.recent) {
                let inputs: Vec<Option<&Fact>> = graph.inputs(layer).iter().map(|port| facts.of_port(port)).collect();
                let text =
                    find_attribute(self.source, layer.data, recent.attr).map(|attr| self.source.text(attr.value));
                if (recent.is_used)(&inputs, text.as_deref()) {
                    self.take(Feature::Use(recent.what, kind.ty.clone()), recent.first, layer.tag, (place, layer), 1);
                }
            }
            if let Some(entry) = self.incomplete_entry(layer).filter(|_| version > 10) {
                self.take(Feature::IncompleteRtInfo, Release::INCOMPLETE_RT_INFO, entry, (place, layer), 1);
            }
            // In a body, the fact of a Parameter comes from the layer around it, and only the text has its own type.
            let written = (kind.role == Role::Parameter && !place.path().is_empty())
                .then(|| find_attribute(self.source, layer.data, "element_type"))
                .flatten()
                .and_then(|attribute| ElementType::from_data_text(&self.source.text(attribute.value)));
            let types = facts.outputs(index).iter().map(|fact| fact.ty).chain(written);
            for ty in types.chain(graph.constant(layer).map(|constant| constant.ty)) {
                if let Some(first) = Release::of_type(ty) {
                    let span = self.span(layer, layer.data, &["element_type", "destination_type"]);
                    self.take(Feature::Type(ty), first, span, (place, layer), 1);
                    break;
                }
            }
        }
        self.written(place);
        for (kind, (layer, count)) in graph.kinds.iter().zip(layers_of) {
            if let Some((layer, first)) = layer.zip(kind.first_release()) {
                let span = self.span(layer, layer.tag, &["version"]);
                self.take(
                    Feature::Operation(kind.ty.clone(), kind.version.clone()),
                    first,
                    span,
                    (place, layer),
                    count,
                );
            }
        }
    }
}

/// Returns the attribute of an operation that has a text which a release was the first to read.
fn dated(kind: &Kind) -> Option<(&'static str, Dated, Release)> {
    let Meaning::Modelled(spec) = kind.meaning else { return None };
    spec.attrs.iter().find_map(|attr| attr.dated.map(|(text, first)| (attr.name, text, first)))
}
