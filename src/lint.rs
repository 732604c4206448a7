//! Checks: contradictions between a file and inference, its weights, or what OpenVINO accepts.

pub(crate) mod advisories;
mod built;
pub(crate) mod compression;
pub(crate) mod declared;
pub(crate) mod demands;
pub(crate) mod device_operations;
pub(crate) mod dynamic_type;
pub(crate) mod expressed;
mod first_of_kind;
mod folded;
pub(crate) mod forms;
mod graph;
pub(crate) mod heads;
pub(crate) mod hygiene;
pub(crate) mod iterations;
pub(crate) mod legacy;
mod llm;
mod missing_edge;
pub(crate) mod model_info;
pub(crate) mod names;
mod openvino;
mod operations;
mod options;
mod ports;
pub(crate) mod pre_process;
pub(crate) mod requirements;
pub(crate) mod rt_info;
pub(crate) mod rules;
pub(crate) mod runtime_options;
mod settings;
pub(crate) mod shapes;
pub(crate) mod sized;
pub(crate) mod state;
pub(crate) mod static_sizes;
mod suggest;
pub(crate) mod target;
pub(crate) mod weights;

use crate::diagnostic::{Diagnostic, Sink};
use crate::infer::{Facts, Scope, body_path};
use crate::ir::{BodyKind, Layer, LayerId, Net};
use crate::stack::descend;
use declared::Declared;
use missing_edge::Gap;
pub(crate) use openvino::OpenVino;
pub(crate) use operations::needs_library;
pub(crate) use options::Options;

/// The input of every check.
#[derive(Clone, Copy)]
pub(crate) struct Checked<'a> {
    pub scope: Scope<'a>,
    pub facts: &'a Facts,
    pub options: Options<'a>,
    /// The IR version.
    pub version: u8,
    /// The ends of an edge that seems to be missing.
    pub gap: Option<Gap>,
    /// The layer around a body.
    pub around: Option<&'a Around<'a>>,
    /// The facts that OpenVINO itself infers for the file.
    pub openvino: &'a OpenVino<'a>,
}

impl<'a> Checked<'a> {
    /// Creates the input for a net with its inferred facts.
    pub(crate) fn new(
        scope: Scope<'a>,
        net: &Net,
        facts: &'a Facts,
        options: Options<'a>,
        openvino: &'a OpenVino<'a>,
    ) -> Self {
        let (version, gap) = (net.version, missing_edge::of(&net.graph));
        Self { scope, facts, options, version, gap, around: None, openvino }
    }
}

impl Checked<'_> {
    /// Adds the layer and the bodies around it to a finding.
    pub(crate) fn about(&self, layer: &Layer, finding: Diagnostic) -> Diagnostic {
        self.scope.about(layer, finding)
    }

    /// The type and shape that the user states for an output of a layer, if inference used them.
    fn stated(&self, layer: &Layer, output: usize) -> Option<String> {
        let all = self.options.extension_ops?;
        let stated = self.scope.graph.kind(layer).stated(all)?;
        let place = all.location(stated);
        Some(match stated.outputs.get(output) {
            Some(rule) => format!("output {output} is stated as `{rule}` in {place}"),
            None => format!("{place} states {} outputs", stated.outputs.len()),
        })
    }
}

/// A layer with bodies, seen from one of them.
pub(crate) struct Around<'a> {
    pub checked: &'a Checked<'a>,
    pub layer: &'a Layer,
    pub index: LayerId,
    pub kind: BodyKind,
}

/// Checks a net and its bodies; returns the wrong ports as evidence for causes.
pub(crate) fn check(checked: &Checked, net: &Net, sink: &mut Sink) -> Declared {
    let mut declared = Declared::default();
    graph::check_net(checked, sink);
    names::check(checked, sink);
    operations::check(checked, sink);
    rt_info::check(checked, sink);
    runtime_options::check(checked, net, sink);
    compression::check(checked, net, sink);
    model_info::check(checked, net, sink);
    pre_process::check(checked, net.pre_process.as_ref(), sink);
    weights::check(checked, net.pre_process.as_ref(), sink);
    state::check(checked, sink);
    check_graph(checked, &mut declared, sink);
    legacy::check(checked, sink);
    hygiene::check(checked, sink);
    dynamic_type::check(checked, sink);
    folded::check(checked, sink);
    iterations::check(checked, sink);
    target::check(checked, net, sink);
    device_operations::check(checked, sink);
    advisories::check(checked, sink);
    if !checked.options.no_infer {
        openvino::refusals(checked, sink);
        openvino::verdicts(checked, sink);
    }
    built::settle(checked.scope.graph, checked.facts, sink);
    if checked.options.no_infer {
        return declared; // The remaining checks need shapes.
    }
    shapes::device(checked, sink);
    declared::repair_invalid(checked, sink);
    suggest::suggest(checked, sink);
    declared
}

fn check_graph(checked: &Checked, declared: &mut Declared, sink: &mut Sink) {
    graph::check(checked, sink);
    ports::check(checked, sink);
    if !checked.options.no_infer {
        declared::check(checked, declared, sink);
    }
    for_bodies(checked, &mut |inner| check_graph(inner, declared, sink));
}

/// Calls `visit` for every body directly inside the graph.
fn for_bodies(checked: &Checked, visit: &mut (dyn FnMut(&Checked) + Send)) {
    let graph = checked.scope.graph;
    if !checked.facts.has_bodies() {
        return;
    }
    for (index, layer) in graph.entries() {
        for (inner, facts) in checked.facts.bodies(index, layer) {
            let path = body_path(&checked.scope, layer, inner.kind);
            let scope = Scope { graph: &inner.graph, body: &path, ..checked.scope };
            let around = Around { checked, layer, index, kind: inner.kind };
            let inner =
                Checked { scope, facts, gap: missing_edge::of(&inner.graph), around: Some(&around), ..*checked };
            descend(path.len(), || visit(&inner));
        }
    }
}

/// Calls `visit` for the graph and every body at any depth.
pub(crate) fn for_every_graph(checked: &Checked, visit: &mut (dyn FnMut(&Checked) + Send)) {
    visit(checked);
    for_bodies(checked, &mut |inner| for_every_graph(inner, visit));
}
