//! What OpenVINO itself would declare: it knows less about some shapes, and writes what it knows.

use super::port::bare;
use super::relation::{Relation, compare};
use crate::diagnostic::{Diagnostic, Direction, SHAPES_ARE_IGNORED, Severity};
use crate::ir::{LayerId, OutputRef, Port};
use crate::lint::Checked;
use crate::lint::rules::{DECLARED_SHAPE, DECLARED_STATIC, INPUT_PORT_MISMATCH};
use crate::types::{Fact, PartialShape};

/// The note about what OpenVINO would write.
const NOTE: &str =
    "this may be what OpenVINO infers: it computes fewer values than ovlint, and some of them differently";

/// Compares what a port declares with what OpenVINO knows: a mismatch of shapes is an info if OpenVINO may have inferred
/// what is declared, and an error if it has not, even where the declared shape is possible.
pub(super) fn weigh(checked: &Checked, index: LayerId, finding: &mut Diagnostic) {
    if ![&DECLARED_SHAPE, &DECLARED_STATIC, &INPUT_PORT_MISMATCH].contains(&finding.rule) {
        return;
    }
    let Some((port, known)) = known(checked, index, finding) else { return };
    if port.precision.is_some_and(|ty| ty.merge(known.ty).is_none()) {
        return;
    }
    match compare(checked.scope.graph.dims(port), known).0 {
        Relation::Agrees | Relation::Loose | Relation::Narrow => soften(finding),
        Relation::Contradicts if finding.severity == Severity::Warning => {
            finding.severity = Severity::Error;
            finding.notes.push(format!("OpenVINO infers {}", bare(known)));
        }
        Relation::Contradicts => {}
    }
}

/// The port of a finding, and what OpenVINO knows about its output, if that differs from the truth.
fn known<'a>(checked: &'a Checked, index: LayerId, finding: &Diagnostic) -> Option<(&'a Port, &'a Fact)> {
    let graph = checked.scope.graph;
    let (layer, place) = (graph.layer(index)?, finding.port.as_ref()?);
    let (port, output) = match place.direction {
        Direction::Input => {
            let port = graph.inputs(layer).get(place.index)?;
            (port, port.source()?)
        }
        Direction::Output => {
            let output = OutputRef { layer: index, output: u32::try_from(place.index).ok()? };
            (graph.outputs(layer).get(place.index)?, output)
        }
    };
    Some((port, checked.known_to_openvino(output)?))
}

/// Whether the Parameter of a body at a place declares a shape that fits what OpenVINO knows about it.
pub(super) fn is_parameters(checked: &Checked, index: LayerId, declared: &PartialShape) -> bool {
    let known = checked.known_to_openvino(OutputRef { layer: index, output: 0 });
    known.is_some_and(|known| known.shape.merge(declared).is_some())
}

/// Turns a finding into an info without a fix.
pub(super) fn soften(finding: &mut Diagnostic) {
    finding.severity = Severity::Info;
    finding.fix = None;
    finding.notes.retain(|note| note != SHAPES_ARE_IGNORED);
    finding.notes.push(NOTE.to_owned());
}
