//! Operations that the device given by `Options::device` does not run.

use super::first_of_kind::FirstOfKind;
use super::{Checked, for_every_graph};
use crate::diagnostic::{Diagnostic, Group, Rule, Runtime, Severity, Sink};
use crate::ops::devices::Lack;
use crate::types::Targets;

pub(crate) static DEVICE_OPERATION: Rule = Rule::error(
    Group::Portability,
    "device-operation",
    "the device does not run an operation",
    "Checked with `--device gpu|npu` only; with `--target RELEASE`, the rule checks that release and all later ones. An \
     operation is not reported if everything that it needs is constant.\n\n\
     Compile the model for `HETERO:GPU,CPU`, which runs the operation on the CPU, or move the operation to a separate model \
     for the CPU, as tokenizers do.\n\n\
     Measured for GPU in the plugins of eight releases from 2022.2 to 2026.4; read for NPU in `IE.cpp` of \
     npu_compiler e6abb230; both on 2026-11-23. Types and shapes that a device does not support are not checked.",
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
