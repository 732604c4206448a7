//! What back edges hand on against the Parameters that take it.

use super::rules::BAD_BACK_EDGE;
use super::runs::Runs;
use super::{Host, Op};
use crate::diagnostic::{Diagnostic, Runtime, Severity};
use crate::types::ElementType;

/// Compares both ends of every back edge, as OpenVINO does not.
pub(super) fn check(host: &mut Host, body: &Runs) {
    for inlet in &body.wiring().inputs {
        let Some((result, tag)) = inlet.back else { continue };
        let (from, to) = (body.result(result), body.parameter(inlet.parameter));
        if from.assumed || to.assumed {
            continue;
        }
        let name = |place: u32| {
            let layer = body.graph().layer(place);
            layer.map(|layer| body.graph().name(host.scope.source, layer)).unwrap_or_default()
        };
        let (result_name, parameter_name) = (name(result), name(inlet.parameter));
        let types = [from.ty, to.ty];
        let (severity, found) = if !types.contains(&ElementType::Dynamic) && from.ty != to.ty {
            (Severity::Error, format!("`{parameter_name}` is {}, `{result_name}` hands it {}", to.ty, from.ty))
        } else if from.shape.merge(&to.shape).is_none() {
            let text = format!("`{parameter_name}` is {}, `{result_name}` hands it {}", to.shape, from.shape);
            (Severity::Warning, text)
        } else {
            continue;
        };
        let mut finding = Diagnostic::new(&BAD_BACK_EDGE, tag, found)
            .severity(severity)
            .runtime(Runtime::Accepts)
            .primary("from the second iteration on")
            .label(inlet.tag, "what the first iteration gets");
        if severity == Severity::Error {
            finding = finding.help("put a Convert in front of the Result");
        } else {
            let what = if host.op == Op::Loop { "a Loop whose last value is no output" } else { "a TensorIterator" };
            finding = finding.note(format!("OpenVINO infers the body of {what} for the first iteration only"));
        }
        host.report_at(finding);
    }
}
