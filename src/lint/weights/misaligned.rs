//! Constants that do not start at a multiple of their element size.

use super::super::rules::weights_rule;
use super::super::{Checked, for_every_graph};
use super::about;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};

pub(crate) static WEIGHTS_MISALIGNED: Rule = weights_rule(
    "weights-misaligned",
    "a constant does not start at a multiple of its element size",
    "Constants that stand one after the other start anywhere, so an i64 after a single byte starts at an odd \
     address. Most processors read it all the same, others more slowly, and in code that casts the address to a \
     typed pointer the behaviour is undefined.\n\n\
     Reported once per file, with the first such constant.",
)
.accepted(Severity::Info)
.opt_in();

pub(super) fn check(checked: &Checked, sink: &mut Sink) {
    let (mut constants, mut misaligned) = (0_usize, 0_usize);
    let mut first: Option<Diagnostic> = None;
    for_every_graph(checked, &mut |checked| {
        let graph = checked.scope.graph;
        for layer in &graph.layers {
            let Some(constant) = graph.constant(layer) else { continue };
            let width = u64::from(constant.ty.bits() / 8).max(1);
            constants += 1;
            if constant.offset.is_multiple_of(width) {
                continue;
            }
            misaligned += 1;
            first.get_or_insert_with(|| {
                let name = graph.name(checked.scope.source, layer);
                let (ty, offset) = (constant.ty, constant.offset);
                let message = format!("Const `{name}` of {ty} starts at byte {offset}, no multiple of {width}");
                about(checked, layer, Diagnostic::new(&WEIGHTS_MISALIGNED, layer.data, message))
            });
        }
    });
    if let Some(finding) = first {
        sink.report(finding.note(format!("{misaligned} of {constants} constants start so")));
    }
}
