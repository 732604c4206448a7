//! Names of tensors, where OpenVINO needs them to be unique.

use super::Checked;
use super::rules::DUPLICATE_TENSOR_NAME;
use crate::diagnostic::{Diagnostic, Runtime, Severity, Sink};
use crate::ir::{Layer, OutputRef, Role, name_list};
use std::collections::BTreeMap;

/// Checks the inputs and outputs of a net of IR version 10: OpenVINO names their tensors by layers as well, and rejects a
/// file where such a name is that of another input or output.
pub(super) fn check_version_10(checked: &Checked, sink: &mut Sink) {
    if checked.version != 10 {
        return;
    }
    let graph = checked.scope.graph;
    let ends: Vec<(&Layer, OutputRef)> = ends(checked, Role::Parameter).chain(ends(checked, Role::Result)).collect();
    let mut taken: BTreeMap<String, (OutputRef, &Layer)> = BTreeMap::new();
    for (layer, output) in &ends {
        let port = graph.layer(output.layer).and_then(|producer| graph.outputs(producer).get(output.output as usize));
        for name in port.into_iter().flat_map(|port| name_list(checked.scope.source, port.tag, "names")) {
            taken.entry(name).or_insert((*output, layer));
        }
    }
    for (layer, output) in ends {
        let Some(producer) = graph.layer(output.layer) else { continue };
        let name = graph.name(checked.scope.source, producer);
        let outputs = checked.facts.outputs(output.layer).len().max(graph.outputs(producer).len());
        let name = if outputs > 1 { format!("{name}.{}", output.output) } else { name.into_owned() };
        if name.is_empty() {
            continue;
        }
        let message = format!("`{name}` names two inputs or outputs of the model");
        let (tensor, other) = *taken.entry(name).or_insert((output, layer));
        if tensor != output {
            sink.report(
                Diagnostic::new(&DUPLICATE_TENSOR_NAME, producer.tag, message)
                    .severity(Severity::Error)
                    .runtime(Runtime::Rejects)
                    .label(other.tag, "the other one belongs to this layer")
                    .layer(graph.layer_ref(checked.scope.source, producer))
                    .note("in IR version 10 the names of layers name the inputs and outputs as well"),
            );
        }
    }
}

/// The Parameters with their outputs, or the Results with what feeds them.
fn ends<'a>(checked: &Checked<'a>, role: Role) -> impl Iterator<Item = (&'a Layer, OutputRef)> {
    let graph = checked.scope.graph;
    let layers = (0_u32..).zip(&graph.layers).filter(move |(_, layer)| graph.kind(layer).role == role);
    layers.filter_map(move |(index, layer)| {
        let output = match role {
            Role::Result => graph.inputs(layer).first()?.source()?,
            _ => OutputRef { layer: index, output: 0 },
        };
        Some((layer, output))
    })
}
