//! Layers of unknown operations whose output shapes the user states.

use super::{Facts, Scope, Work};
use crate::diagnostic::{Diagnostic, Direction, LIMIT_EXCEEDED, Note, Runtime};
use crate::ir::Layer;
use crate::ops::extension::Misfit;
use crate::ops::rules::{INPUT_RANK, WRONG_INPUT_COUNT};
use crate::text::plural;
use crate::types::{Fact, bare_fact};
use smallvec::SmallVec;

/// Returns the stated outputs; `None` if there are none, or if they do not fit the layer, which is reported.
pub(super) fn outputs(scope: &Scope, facts: &Facts, layer: &Layer, work: &mut Work) -> Option<Vec<Fact>> {
    let (graph, all) = (scope.graph, work.terms.extension_ops?);
    let kind = graph.kind(layer);
    let stated = kind.stated(all)?;
    let unknown = Fact { assumed: true, ..Fact::unknown() };
    let inputs: SmallVec<[&Fact; 8]> =
        graph.inputs(layer).iter().map(|port| facts.of_port(port).unwrap_or(&unknown)).collect();
    let misfit = match stated.apply(&inputs, scope.limits.rank) {
        Ok(outputs) => return Some(outputs),
        Err(misfit) => misfit,
    };
    let (Misfit::NoInput { output, .. } | Misfit::NoDim { output, .. } | Misfit::HighRank { output }) = misfit;
    let rule = stated
        .outputs
        .get(output)
        .map(|rule| format!("output {output} is stated as `{rule}` in {}", all.location(stated)));
    let finding = match misfit {
        Misfit::NoInput { input, .. } => {
            let name = graph.name(scope.source, layer);
            let count = inputs.len();
            let ending = plural(count);
            let message = format!(
                "the shape of `{name}` ({}) is taken from in{input}, the layer has {count} input{ending}",
                kind.ty
            );
            Diagnostic::new(&WRONG_INPUT_COUNT, layer.tag, message)
        }
        Misfit::NoDim { input, axis, .. } => {
            let fact = inputs.get(input).map(|fact| bare_fact(fact)).unwrap_or_default();
            let message =
                format!("the shape of {} is taken from in{input}.dims[{axis}], input {input} is {fact}", kind.ty);
            let port = graph.inputs(layer).get(input).map_or(layer.tag, |port| port.tag);
            Diagnostic::new(&INPUT_RANK, port, message)
                .label(layer.tag, format!("in this {} layer", kind.ty))
                .port(graph.port_ref(scope.source, layer, Direction::Input, input))
        }
        Misfit::HighRank { .. } => {
            let message = format!("output {output} has more than {} dimensions", scope.limits.rank);
            Diagnostic::new(&LIMIT_EXCEEDED, layer.tag, message).help("raise the limit with --max-rank")
        }
    };
    // The behaviour of the extension library is unknown.
    let mut finding = scope.about(layer, finding.runtime(Runtime::None));
    finding.notes.extend(rule.map(Note::from));
    work.sink.report(finding);
    None
}
