//! A summary of a file: its interface, its operations and its sizes.

use crate::analysis::Model;
use crate::diagnostic::Direction;
use crate::ir::{Graph, Net, Role, find_attribute, tags, unescape};
use crate::ops::Meaning;
use crate::ops::releases::opset;
use crate::query::stops::Stops;
use crate::query::{End, Oldest, ends};
use crate::source::Source;
use crate::types::ElementType;
use std::collections::BTreeMap;

/// The summary of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Info {
    /// The name of the network.
    pub name: String,
    /// The IR version.
    pub version: u8,
    /// The OpenVINO version that wrote the file, as the file states.
    pub runtime: Option<String>,
    /// The framework that the file was converted from, as the file states.
    pub framework: Option<String>,
    /// The inputs in the order of the file.
    pub inputs: Vec<End>,
    /// The outputs in the order of the file.
    pub outputs: Vec<End>,
    /// The number of layers, including those of bodies.
    pub layers: usize,
    /// The number of layers per type, most first, including those of bodies; without constants, Parameters and Results.
    pub types: Vec<(String, usize)>,
    /// The number of layers per version, in the order of the opsets.
    pub versions: Vec<(String, usize)>,
    /// The oldest OpenVINO that can read it, not counting extensions.
    pub oldest: Oldest,
    /// The operations that need an extension library, as type and version, with the number of layers.
    pub extensions: Vec<((String, String), usize)>,
    /// The size of the XML in bytes.
    pub xml_size: u64,
    /// The size of the weights file in bytes; `None` if there is none.
    pub weights_size: Option<u64>,
    /// The constants per element type, with their number and their bytes; most bytes first.
    pub constants: Vec<(ElementType, usize, u64)>,
    /// The obstacles to inference.
    pub stops: Stops,
    /// The numbers of errors and warnings, without consequences of other findings.
    pub findings: (usize, usize),
}

/// Summarizes a model; `None` if it was not read.
pub fn info(model: &Model) -> Option<Info> {
    let net = model.net()?;
    let (graph, source) = (&net.graph, model.source());
    let mut count = Count::default();
    count.graph(graph);
    let mut types: Vec<(String, usize)> = count.types.into_iter().collect();
    types.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let mut versions: Vec<(String, usize)> = count.versions.into_iter().collect();
    // Versions that are no opset come last.
    versions.sort_by_key(|(version, _)| (opset(version).map_or(u32::MAX, u32::from), version.clone()));
    let mut constants: Vec<_> = count.constants.into_iter().map(|(ty, (n, bytes))| (ty, n, bytes)).collect();
    constants.sort_by_key(|(ty, _, bytes)| (std::cmp::Reverse(*bytes), *ty));
    let roots = || model.findings().iter().filter(|finding| finding.consequence_of.is_none());
    let severity = |severity| roots().filter(|finding| finding.severity == severity).count();
    Some(Info {
        name: net.name.clone(),
        version: net.version,
        runtime: metadata(source, net, "Runtime_version"),
        framework: metadata(source, net, "framework"),
        inputs: ends(model, Direction::Input),
        outputs: ends(model, Direction::Output),
        layers: graph.layer_count(),
        types,
        versions,
        oldest: Oldest::of(model)?,
        extensions: count.extensions.into_iter().collect(),
        xml_size: source.bytes().len() as u64,
        weights_size: model.weights().is_available().then(|| model.weights().size()),
        constants,
        stops: Stops::of(model),
        findings: (severity(crate::diagnostic::Severity::Error), severity(crate::diagnostic::Severity::Warning)),
    })
}

#[derive(Default)]
struct Count {
    types: BTreeMap<String, usize>,
    versions: BTreeMap<String, usize>,
    extensions: BTreeMap<(String, String), usize>,
    constants: BTreeMap<ElementType, (usize, u64)>,
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
                *entry = (entry.0 + 1, entry.1.saturating_add(constant.size));
            }
            layer.bodies().for_each(|body| self.graph(&body.graph));
        }
        for (kind, uses) in graph.kinds.iter().zip(uses).filter(|(_, uses)| *uses > 0) {
            if kind.role == Role::Inner || kind.role == Role::Assign {
                *self.types.entry(kind.ty.clone()).or_default() += uses;
            }
            *self.versions.entry(kind.version.clone()).or_default() += uses;
            if matches!(kind.meaning, Meaning::Extension { .. }) {
                *self.extensions.entry((kind.ty.clone(), kind.version.clone())).or_default() += uses;
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
