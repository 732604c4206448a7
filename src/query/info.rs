//! The facts about a model that `ovlint info` shows: its interface, its operations, its sizes, its card, and the releases
//! that read it.

use crate::analysis::Model;
use crate::arrange::Arrange;
use crate::diagnostic::{Direction, Severity};
use crate::ir::{Graph, Net, Role, find_attribute, tags, unescape};
use crate::ops::Meaning;
use crate::ops::releases::opset;
use crate::query::card::{Card, card};
use crate::query::older::older;
use crate::query::oldest::features;
use crate::query::stops::Stops;
use crate::query::{End, Oldest, ReadBy, ends};
use crate::source::Source;
use crate::types::ElementType;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The summary of a file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Info {
    /// The name of the network.
    pub name: String,
    /// The IR version.
    pub ir_version: u8,
    /// The OpenVINO version that wrote the file, as the file states.
    pub runtime_version: Option<String>,
    /// The framework that the file was converted from, as the file states.
    pub framework: Option<String>,
    /// The inputs in the order of the file.
    pub inputs: Vec<End>,
    /// The outputs in the order of the file.
    pub outputs: Vec<End>,
    /// The number of layers, including those of bodies.
    pub layers: usize,
    /// The layers per type, most first, including those of bodies; without constants, Parameters and Results.
    pub types: Vec<Counted>,
    /// The layers per version, in the order of the opsets.
    pub versions: Vec<Counted>,
    /// The obstacles to inference.
    #[serde(skip_serializing_if = "Stops::is_empty")]
    pub stops: Stops,
    /// The oldest OpenVINO that can read it, apart from extension operations; `None` for IR versions below 10.
    pub needs: Option<Oldest>,
    /// The releases of OpenVINO that read it; `None` for IR versions below 10.
    pub openvino: Option<ReadBy>,
    /// The operations that need an extension library.
    pub extensions: Vec<Extension>,
    /// The size of the XML in bytes.
    pub xml_size: u64,
    /// The size of the weights file in bytes; `None` if there is none.
    pub weights_size: Option<u64>,
    /// The constants per element type, most bytes first. Bytes that several constants share are counted once.
    pub constants: Vec<Constants>,
    /// The tools that made it, and the forms of its weights and activations.
    #[serde(flatten)]
    pub card: Card,
    /// The digest of the XML; `None` unless the caller adds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub xml_sha256: Option<String>,
    /// The digest of the weights file; `None` unless the caller adds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights_sha256: Option<String>,
    /// The number of errors, without consequences of other findings.
    pub errors: usize,
    /// The number of warnings.
    pub warnings: usize,
}

/// The number of layers of a type or a version.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the fields are called what they are")]
pub struct Counted {
    pub name: String,
    pub layers: usize,
}

/// An operation that needs an extension library.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the fields are called what they are")]
pub struct Extension {
    #[serde(rename = "type")]
    pub ty: String,
    pub version: String,
    pub library: Option<&'static str>,
    pub layers: usize,
}

/// The constants of an element type.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the fields are called what they are")]
pub struct Constants {
    #[serde(rename = "type")]
    pub ty: ElementType,
    pub layers: usize,
    pub bytes: u64,
}

/// Summarizes a model; `None` if it was not read. Of IR versions below 10, it says what layers and ports declare.
pub fn info(model: &Model) -> Option<Info> {
    let older = older(model);
    let (net, source) = match &older {
        Some(older) => (&older.net, &older.source),
        None => (model.net()?, model.source()),
    };
    let graph = &net.graph;
    let mut count = Count::default();
    count.graph(graph);
    let counted = |(name, layers)| Counted { name, layers };
    let mut types: Vec<Counted> = count.types.into_iter().map(counted).collect();
    types.arrange_by_key(|one| Reverse(one.layers));
    let mut versions: Vec<Counted> = count.versions.into_iter().map(counted).collect();
    // Versions that are not opsets come last.
    versions.arrange_by_key(|one| opset(&one.name).map_or(u32::MAX, u32::from));
    let extensions = count.extensions.into_iter().map(|((ty, version), (library, layers))| Extension {
        ty,
        version,
        library,
        layers,
    });
    let constants = count.constants.into_iter().map(|(ty, (layers, bytes))| Constants { ty, layers, bytes });
    let mut constants: Vec<Constants> = constants.collect();
    constants.arrange_by_key(|one| Reverse(one.bytes));
    let roots = || model.findings().iter().filter(|finding| finding.consequence_of.is_none());
    let severity = |severity| roots().filter(|finding| finding.severity == severity).count();
    let ends = || (ends(model, Direction::Input), ends(model, Direction::Output));
    let features = features(model);
    let (inputs, outputs) = older.as_ref().map_or_else(ends, |older| older.ends.clone());
    Some(Info {
        name: net.name.clone(),
        ir_version: net.version,
        runtime_version: metadata(source, net, "Runtime_version"),
        framework: metadata(source, net, "framework"),
        inputs,
        outputs,
        layers: graph.layer_count(),
        types,
        versions,
        stops: Stops::of(model),
        needs: features.as_ref().map(Oldest::among),
        openvino: features.as_ref().map(|features| ReadBy::with(model, features)),
        extensions: extensions.collect(),
        xml_size: model.source().bytes().len() as u64,
        weights_size: model.weights().is_available().then(|| model.weights().size()),
        constants,
        card: card(model),
        xml_sha256: None,
        weights_sha256: None,
        errors: severity(Severity::Error),
        warnings: severity(Severity::Warning),
    })
}

#[derive(Default)]
struct Count {
    types: BTreeMap<String, usize>,
    versions: BTreeMap<String, usize>,
    extensions: BTreeMap<(String, String), (Option<&'static str>, usize)>,
    constants: BTreeMap<ElementType, (usize, u64)>,
    /// The bytes of constants that are counted.
    seen: BTreeSet<(u64, u64)>,
}

impl Count {
    fn graph(&mut self, graph: &Graph) {
        let mut uses = vec![0_usize; graph.kinds.len()];
        for layer in &graph.layers {
            if let Some(uses) = uses.get_mut(layer.kind as usize) {
                *uses += 1;
            }
            if let Some(constant) = graph.constant(layer) {
                let entry = self.constants.entry(constant.ty).or_default();
                let is_new = self.seen.insert((constant.offset, constant.size));
                *entry = (entry.0 + 1, entry.1.saturating_add(if is_new { constant.size } else { 0 }));
            }
            layer.bodies().for_each(|body| self.graph(&body.graph));
        }
        for (kind, uses) in graph.kinds.iter().zip(uses).filter(|(_, uses)| *uses > 0) {
            if kind.role == Role::Inner || kind.role == Role::Assign {
                *self.types.entry(kind.ty.clone()).or_default() += uses;
            }
            // Layers of IR versions below 10 have no version.
            if !kind.version.is_empty() {
                *self.versions.entry(kind.version.clone()).or_default() += uses;
            }
            if let Meaning::Extension { library } = kind.meaning {
                self.extensions.entry((kind.ty.clone(), kind.version.clone())).or_insert((library, 0)).1 += uses;
            }
        }
    }
}

/// Returns the `value` of the first element of this name in the net's `<rt_info>` and `<meta_data>`.
fn metadata(source: &Source, net: &Net, name: &str) -> Option<String> {
    let mut tags = net.notes.iter().flat_map(|note| tags(source, *note)).filter(|(own, _)| *own == name.as_bytes());
    let value = tags.find_map(|(_, tag)| find_attribute(source, tag, "value"))?;
    Some(unescape(source.slice(value.value)).into_owned())
}
