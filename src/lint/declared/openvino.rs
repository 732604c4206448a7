//! The severity of ports that disagree with inference: OpenVINO infers less about some shapes and writes what it infers, so a
//! port that declares that is no error.

use super::relation::{Relation, compare, other_type};
use crate::diagnostic::{Declared, Diagnostic, Direction, Note, Severity};
use crate::infer::is_decompression;
use crate::ir::{Layer, LayerId, OutputRef, Port, Role};
use crate::lint::Checked;
use crate::lint::rules::{DECLARED_SHAPE, DECLARED_STATIC, INPUT_PORT_MISMATCH};
use crate::ops::{Action, WithBodies, leftovers};
use crate::types::{Fact, PartialShape, bare_fact};

/// The note about what OpenVINO may infer for another reason.
pub(super) const NOTE: &str = "this may be what OpenVINO infers";

/// The note about what OpenVINO may infer because of values.
const OF_VALUES: &str =
    "this may be what OpenVINO infers: it computes fewer values than ovlint, and some of them differently";

/// The note about the state of a Loop after its last iteration.
const OF_LOOP: &str = "this is what OpenVINO infers: it does not consider that the Loop may run 0 times";

/// The note about types of older writers.
const LEFTOVER: &str = "older tools wrote this type here, and nothing depends on it";

/// Compares a port with OpenVINO's fact. A mismatch of shapes is an info if OpenVINO may have inferred the declared shape,
/// and an error otherwise, even if the declared shape is possible.
pub(super) fn weigh(checked: &Checked, index: LayerId, finding: &mut Diagnostic) {
    let Some((port, output)) = port_and_output(checked, index, finding) else { return };
    if is_leftover(checked, port, output) {
        finding.severity = Severity::Info;
        finding.notes.push(LEFTOVER.into());
        return;
    }
    if ![&DECLARED_SHAPE, &DECLARED_STATIC, &INPUT_PORT_MISMATCH].contains(&finding.rule) {
        return;
    }
    // OpenVINO's fact is only compared where it differs.
    let Some(known) = checked.known_to_openvino(output) else { return };
    if port.precision.is_some_and(|ty| ty.merge(known.ty).is_none()) {
        return;
    }
    let (relation, differing) = compare(checked.scope.graph.dims(port), known);
    match relation {
        // OpenVINO knows no length that ovlint does not know, unless it knows another one.
        Relation::Narrow if is_known_alike(checked, output, known, &differing) => {}
        Relation::Agrees if is_of_iteration(checked, output, known) => soften(finding, OF_LOOP),
        Relation::Agrees | Relation::Loose | Relation::Narrow if is_of_values(checked, output) => {
            soften(finding, OF_VALUES);
        }
        Relation::Agrees | Relation::Loose | Relation::Narrow => soften(finding, NOTE),
        Relation::Contradicts if finding.severity == Severity::Warning => {
            finding.severity = Severity::Error;
            finding.notes.push(format!("OpenVINO infers {}", bare_fact(known)).into());
        }
        Relation::Contradicts => {}
    }
}

/// The port of a finding, and the output behind it.
fn port_and_output<'a>(checked: &'a Checked, index: LayerId, finding: &Diagnostic) -> Option<(&'a Port, OutputRef)> {
    let graph = checked.scope.graph;
    let (layer, reported) = (graph.layer(index)?, finding.port.as_ref()?);
    Some(match reported.direction {
        Direction::Input => {
            let port = graph.inputs(layer).get(reported.index)?;
            (port, port.source()?)
        }
        Direction::Output => {
            let output = OutputRef { layer: index, output: u32::try_from(reported.index).ok()? };
            (graph.outputs(layer).get(reported.index)?, output)
        }
    })
}

/// Whether a port only repeats a type that older writers declared.
fn is_leftover(checked: &Checked, port: &Port, output: OutputRef) -> bool {
    let graph = checked.scope.graph;
    let (Some(layer), Some(fact)) = (graph.layer(output.layer), checked.facts.output(output)) else { return false };
    let (Some(declared), Some(spec)) = (other_type(port, fact), graph.kind(layer).spec()) else { return false };
    let is_read = || graph.dag.edges(output.layer.node()).any(|edge| edge.weight().output == output.output);
    compare(graph.dims(port), fact).0 != Relation::Contradicts
        && leftovers::is_type(spec.name, output.output, declared, fact.ty, is_read)
}

/// Whether a port declares the compressed type of a Const although it is the output of the Convert that restores the original
/// type: `save_model` writes this where a Result reads the Convert.
pub(super) fn is_compressed(checked: &Checked, port: &Port, output: OutputRef) -> bool {
    let graph = checked.scope.graph;
    let is_marked =
        |layer: &Layer| graph.kind(layer).action() == Action::Converts && is_decompression(&checked.scope, layer);
    let is_read_by_result = || {
        let mut readers = graph.dag.neighbors(output.layer.node());
        readers.any(|reader| graph.layer(reader.into()).is_some_and(|layer| graph.kind(layer).role == Role::Result))
    };
    let Some(layer) = graph.layer(output.layer).filter(|layer| is_marked(layer)) else { return false };
    let compressed = graph.inputs(layer).first().and_then(|input| checked.facts.of_port(input));
    compressed.is_some_and(|compressed| port.precision == Some(compressed.ty)) && is_read_by_result()
}

/// Whether OpenVINO gives an output of a Loop the shape that its body gives, and ovlint more: the initial value, which
/// remains if there is no iteration.
fn is_of_iteration(checked: &Checked, output: OutputRef, known: &Fact) -> bool {
    let (graph, facts) = (checked.scope.graph, checked.facts);
    let Some(layer) = graph.layer(output.layer) else { return false };
    let of_body = || {
        let [plan] = facts.plan().bodies_of(output.layer) else { return None };
        let outlet = plan.wiring.outputs.get(output.output as usize).filter(|outlet| outlet.slice.is_none())?;
        let (body, inner) = facts.bodies(output.layer, layer).find(|(body, _)| body.kind == plan.kind)?;
        inner.of_port(body.graph.inputs(body.graph.layer(outlet.result)?).first()?)
    };
    graph.kind(layer).with_bodies() == Some(WithBodies::Loop) && of_body().is_some_and(|fact| fact.shape == known.shape)
}

/// Whether OpenVINO knows as much about some dimensions of an output as ovlint.
fn is_known_alike(checked: &Checked, output: OutputRef, known: &Fact, dims: &[usize]) -> bool {
    let truth = checked.facts.output(output);
    !dims.is_empty() && truth.is_some_and(|truth| dims.iter().all(|dim| truth.shape.dim(*dim) == known.shape.dim(*dim)))
}

/// Whether OpenVINO infers the shapes of all inputs of a layer without bodies as ovlint does: then the values differ.
fn is_of_values(checked: &Checked, output: OutputRef) -> bool {
    let graph = checked.scope.graph;
    let Some(layer) = graph.layer(output.layer).filter(|layer| layer.subgraph.is_none()) else { return false };
    let mut sources = graph.inputs(layer).iter().filter_map(Port::source);
    graph.kind(layer).role != Role::Parameter && sources.all(|source| checked.known_to_openvino(source).is_none())
}

/// Whether OpenVINO's fact of a body Parameter is compatible with the declared shape.
pub(super) fn is_parameters(checked: &Checked, index: LayerId, declared: &PartialShape) -> bool {
    let known = checked.known_to_openvino(OutputRef { layer: index, output: 0 });
    known.is_some_and(|known| known.shape.merge(declared).is_some())
}

/// Turns a finding into an info without a fix.
pub(super) fn soften(finding: &mut Diagnostic, note: &'static str) {
    finding.severity = Severity::Info;
    finding.fix = None;
    finding.notes.retain(|note| !matches!(note, Note::Ignored { declared: Declared::Shape, .. }));
    finding.notes.push(note.into());
}
