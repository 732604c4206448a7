//! Operations that the device given by `Options::device` does not run.

use super::first_of_kind::FirstOfKind;
use super::{Checked, for_every_graph};
use crate::diagnostic::{Diagnostic, Group, Rule, Runtime, Severity, Sink};
use crate::ir::{Layer, LayerId, Port, Role, find_attribute};
use crate::ops::devices::Lack;
use crate::types::{ElementType, Targets};

pub(crate) static DEVICE_OPERATION: Rule = Rule::error(
    Group::Portability,
    "device-operation",
    "the device does not run an operation or an element type",
    "Checked with `--device gpu|npu` only; with `--target RELEASE`, the rule checks that release and all later ones. An \
     operation is not reported if everything that it needs is constant. For the NPU, the rule also checks the element types of \
     inputs, outputs and constants: the compiler imports none of u1, u3, u6, strings, f4e2m1 and f8e8m0. A constant that is \
     folded is not reported, unless it is f4e2m1 or f8e8m0: these are compressed weights, which stay as they are.\n\n\
     Compile the model for `HETERO:GPU,CPU`, which runs the operation on the CPU, or move the operation to a separate model \
     for the CPU, as tokenizers do.\n\n\
     GPU: measured with the plugins of eight releases, 2022.2 to 2026.4. NPU: taken from `IE.cpp` of npu_compiler e6abb230, \
     not measured. Both on 2026-11-23. Shapes that a device does not support, and types for the GPU, are not checked.",
)
.severity(Severity::Warning)
.runtime(Runtime::NotCompiled);

/// Reports each kind of layer that the device lacks once, at the first such layer.
pub(super) fn check(checked: &Checked, sink: &mut Sink) {
    let Some(device) = checked.options.device else { return };
    let mut found = FirstOfKind::new();
    for_every_graph(checked, &mut |checked| {
        let graph = checked.scope.graph;
        for (index, layer) in graph.entries().filter(|(index, _)| checked.facts.is_reachable(*index)) {
            let kind = graph.kind(layer);
            let ty = checked.facts.outputs(index).first().map(|fact| fact.ty);
            if let Some(ty) = element(checked, index, layer).filter(|ty| device.lacks_type(*ty)) {
                found.add((ty.to_string(), String::new()), || {
                    let message = format!("the compiler for the {device} does not import elements of type {ty}");
                    let attribute = find_attribute(checked.scope.source, layer.data, "element_type");
                    let span = attribute.map_or(layer.tag, |attribute| attribute.value);
                    let finding = checked.about(layer, Diagnostic::new(&DEVICE_OPERATION, span, message));
                    // A plugin may convert weights before.
                    if kind.role == Role::Const { finding.runtime(Runtime::Unknown) } else { finding }
                });
            }
            let Some(lack) = device.lacks(&kind.meaning, checked.options.target.map(Targets::oldest), ty) else {
                continue;
            };
            found.add((kind.ty.clone(), kind.version.clone()), || {
                let message = match lack {
                    Lack::Measured(release) => {
                        format!("the {device} plugin of {release} does not implement {}", kind.ty)
                    }
                    Lack::NotImported => format!("the compiler for the {device} does not import {}", kind.ty),
                    Lack::Library(library) => format!("{} of {library} runs on the CPU only", kind.ty),
                };
                let finding = checked.about(layer, Diagnostic::new(&DEVICE_OPERATION, layer.tag, message));
                finding.help(format!("`HETERO:{device},CPU` runs the operation on the CPU"))
            });
        }
    });
    found.into_findings("are like this").for_each(|finding| sink.report(finding));
}

/// The element type of an input, output or constant of the model; `None` for a constant that is folded.
fn element(checked: &Checked, index: LayerId, layer: &Layer) -> Option<ElementType> {
    /// Types of compressed weights, which are left as they are.
    const WEIGHTS: [ElementType; 2] = [ElementType::F4e2m1, ElementType::F8e8m0];
    let (graph, facts) = (checked.scope.graph, checked.facts);
    if graph.kind(layer).role == Role::Result {
        return graph.inputs(layer).first().and_then(|port| facts.of_port(port)).map(|fact| fact.ty);
    }
    if graph.kind(layer).role == Role::Parameter {
        return facts.outputs(index).first().map(|fact| fact.ty);
    }
    let ty = graph.constant(layer)?.ty;
    let is_constant = |port: &Port| {
        let from = port.source().and_then(|source| graph.layer(source.layer));
        from.is_some_and(|from| graph.constant(from).is_some())
    };
    let is_folded =
        |reader: &Layer| graph.inputs(reader).iter().all(is_constant) && graph.kind(reader).role != Role::Result;
    let mut readers = graph.dag.neighbors(index.node()).filter_map(|reader| graph.layer(LayerId::from(reader)));
    (WEIGHTS.contains(&ty) || readers.any(|reader| !is_folded(reader))).then_some(ty)
}
