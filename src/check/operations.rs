//! Types and versions of layers: whether OpenVINO knows them, and whether they are modelled here.

use super::rules::{OP_NOT_IN_OPSET, UNKNOWN_OP, UNKNOWN_OPSET, UNMODELLED_OP};
use super::{Checked, for_every_graph};
use crate::diagnostic::{Diagnostic, Sink};
use crate::infer::not_built;
use crate::ir::find_attribute;
use crate::ops::{Meaning, nearest_name};
use std::collections::BTreeMap;

/// Reports every kind of layer that cannot be inferred, once per type and version with the first such layer.
pub(super) fn check(checked: &Checked, sink: &mut Sink) {
    let mut first: BTreeMap<(String, String), (Diagnostic, usize)> = BTreeMap::new();
    for_every_graph(checked, &mut |checked| {
        let (graph, source) = (checked.scope.graph, checked.scope.source);
        if graph.kinds.iter().all(|kind| matches!(kind.meaning, Meaning::Modelled(_))) {
            return;
        }
        for (index, layer) in (0_u32..).zip(&graph.layers) {
            let kind = graph.kind(layer);
            let (ty, version) = (&kind.ty, &kind.version);
            let (rule, attribute, message) = match kind.meaning {
                Meaning::Modelled(_) => continue,
                Meaning::Unmodelled if ty.eq_ignore_ascii_case("Constant") => (
                    &UNKNOWN_OP,
                    "type",
                    format!("`{ty}` is not loaded with its data; the type of constants is spelled `Const`"),
                ),
                Meaning::Unmodelled => (
                    &UNMODELLED_OP,
                    "type",
                    format!("{ty} ({version}) has no shape rule here; its declared outputs are assumed"),
                ),
                Meaning::UnknownOp => {
                    (&UNKNOWN_OP, "type", format!("`{ty}` is not an operation of {version}, nor of any other opset"))
                }
                Meaning::NotInOpset { first, .. }
                    if version.as_str() < format!("opset{first}").as_str() || first > 1 =>
                {
                    (&OP_NOT_IN_OPSET, "version", format!("{ty} appeared in opset{first}, the layer says {version}"))
                }
                Meaning::NotInOpset { last, .. } => {
                    (&OP_NOT_IN_OPSET, "version", format!("{ty} is in opsets up to opset{last}, not in {version}"))
                }
                Meaning::UnknownOpset => (
                    &UNKNOWN_OPSET,
                    "version",
                    format!("`{version}` is not an opset of OpenVINO; known are opset1 to opset17"),
                ),
            };
            let Some(written) = find_attribute(source, layer.tag, attribute) else { continue };
            let entry = first.entry((ty.clone(), version.clone())).or_insert_with(|| {
                let mut finding = Diagnostic::new(rule, written.value, message).layer(graph.layer_ref(source, layer));
                finding.body = checked.scope.body.to_vec();
                if let (Meaning::UnknownOp, Some(near)) = (kind.meaning, nearest_name(ty)) {
                    finding = finding.help(format!("did you mean `{near}`?"));
                }
                if rule != &UNMODELLED_OP && !checked.facts.is_reachable(index) {
                    finding = not_built(finding);
                }
                (finding, 0)
            });
            entry.1 += 1;
        }
    });
    for (finding, count) in first.into_values() {
        let finding = if count > 1 { finding.note(format!("{count} layers are of this kind")) } else { finding };
        sink.report(finding);
    }
}
