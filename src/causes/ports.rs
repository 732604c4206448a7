//! Consequences of a port that disagrees with inference: one wrong input shape gives one finding, not thousands.

use super::by_layer::ByLayer;
use crate::arrange::{Arrange, Fill};
use crate::diagnostic::{Amendment, Diagnostic, Direction, FindingId, Group, Severity, Sink, Text};
use crate::infer::{declared, declared_output, with_call};
use crate::ir::{LayerId, Port};
use crate::lint::declared::{Declared, Mismatch, Mismatches, Report, contradicts};
use crate::lint::{Checked, for_every_graph};
use crate::ops::apply::Call;
use crate::ops::rules::{STATE_INIT, WRONG_OUTPUT_COUNT};
use crate::types::Fact;
use petgraph::Direction::Incoming;
use petgraph::graph::NodeIndex;
use std::collections::{BTreeMap, BTreeSet};

/// Links mismatches to their causes and consequences, and reports pending mismatches that others follow from.
///
/// A mismatch follows from one of the same or a higher severity at a producer. Layers with known output values (`ShapeOf` and
/// computations on its result) pass the cause on to their consumers. Several operations may report the same fault because of
/// one mismatch; all but the first then follow from the first.
pub(super) fn find(checked: &Checked, declared: &Declared, sink: &mut Sink) {
    if declared.is_empty() {
        return;
    }
    let mismatches: BTreeSet<FindingId> = declared.findings().into_set();
    let faults = ByLayer::new(sink, |id, _| !mismatches.contains(&id));
    for_every_graph(checked, &mut |checked| {
        let Some(wrong) = declared.of(checked.scope.graph) else { return };
        follow_swapped(checked, wrong, &faults, sink);
        initial_values(checked, wrong, &faults, sink);
        let causes = causes(checked, wrong, &faults, sink);
        record(checked, wrong, &causes, sink);
    });
}

/// The cause of a mismatch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// Another mismatch, by its index.
    Mismatch(usize),
    /// A fault of a layer, tolerated by OpenVINO.
    Tolerated(FindingId),
}

/// Returns the cause of every mismatch of a graph, if it has one.
fn causes(checked: &Checked, wrong: &Mismatches, faults: &ByLayer, sink: &mut Sink) -> Vec<Option<Origin>> {
    let mut causes = vec![None; wrong.all.len()];
    for level in [Severity::Error, Severity::Warning, Severity::Info] {
        if !wrong.all.iter().any(|mismatch| mismatch.severity == level) {
            continue;
        }
        let roots = Roots::new(checked, wrong, level);
        for (i, mismatch) in wrong.all.iter().enumerate().filter(|(_, mismatch)| mismatch.severity == level) {
            let from = roots.of(checked, mismatch).filter(|from| *from != i);
            causes[i] = from.map(Origin::Mismatch);
        }
        if level == Severity::Error {
            repeated_faults(checked, &roots, faults, sink);
            output_counts(checked, wrong, &roots, faults, sink);
        }
    }
    follow_tolerated(checked, wrong, faults, sink, &mut causes);
    causes
}

/// Links mismatches at the outputs of a layer with a fault that OpenVINO tolerates, and what follows from them, to that
/// fault: OpenVINO infers something else for such a layer, and a fix of the ports would only hide the fault.
fn follow_tolerated(
    checked: &Checked,
    wrong: &Mismatches,
    faults: &ByLayer,
    sink: &Sink,
    causes: &mut [Option<Origin>],
) {
    let is_tolerated = |finding: &Diagnostic| {
        let is_of_operation =
            [Group::File, Group::Shapes, Group::Types, Group::Operations].contains(&finding.rule.group);
        finding.severity == Severity::Error && finding.runtime.reads() && is_of_operation
    };
    for (mismatch, cause) in wrong.all.iter().zip(&mut *causes) {
        if cause.is_none() && mismatch.direction == Direction::Output {
            let layer = checked.scope.graph.layer(mismatch.layer);
            let faults = layer.into_iter().flat_map(|layer| faults.of(layer));
            *cause = faults.filter(|id| sink.get(*id).is_some_and(is_tolerated)).last().map(Origin::Tolerated);
        }
    }
    for i in 0..causes.len() {
        if let Some(Origin::Mismatch(from)) = causes[i]
            && let Some(Some(Origin::Tolerated(fault))) = causes.get(from).copied()
        {
            causes[i] = Some(Origin::Tolerated(fault));
        }
    }
}

/// Records the causes of mismatches. A pending mismatch is reported if others follow from it or if it has no cause; the rest
/// is only counted.
fn record(checked: &Checked, wrong: &Mismatches, causes: &[Option<Origin>], sink: &mut Sink) {
    let mut consequences = vec![0_usize; causes.len()];
    for cause in causes {
        if let Some(Origin::Mismatch(from)) = cause {
            consequences[*from] += 1;
        }
    }
    let mut findings = Vec::with_capacity(causes.len());
    for (i, mismatch) in wrong.all.iter().enumerate() {
        let is_counted = causes[i].is_some() && consequences[i] == 0;
        findings.push(match mismatch.report {
            Report::Made(id) => Some(id),
            Report::LeftOut => None,
            Report::Pending => {
                let finding = if is_counted { None } else { wrong.finding(checked, mismatch) };
                match finding {
                    Some(finding) => sink.push_cause(finding),
                    None => {
                        sink.leave_out(1);
                        None
                    }
                }
            }
        });
    }
    for (finding, cause) in findings.iter().zip(causes) {
        let cause = match cause {
            Some(Origin::Mismatch(from)) => findings.get(*from).copied().flatten(),
            Some(Origin::Tolerated(fault)) => Some(*fault),
            None => None,
        };
        match (finding, cause) {
            (Some(finding), Some(cause)) => sink.follow(*finding, cause),
            (None, Some(cause)) => sink.count_consequences(cause, 1),
            (_, None) => {}
        }
    }
    for (finding, cause) in findings.iter().zip(causes) {
        if let (Some(finding), Some(Origin::Tolerated(_))) = (finding, cause) {
            sink.amend(*finding, Amendment::NoFix);
        }
    }
}

/// Maximum number of mismatches for which the layer is inferred with its declared inputs. The others are assumed to follow
/// from a mismatch at the inputs of their layer, if it has one.
const TRIED: usize = 1_024;

/// Whether a layer's output ports declare what inference gives for its declared inputs.
fn fits_inputs(checked: &Checked, index: LayerId) -> bool {
    let graph = checked.scope.graph;
    let Some((outputs, ports)) = with_declared_inputs(checked, index) else { return true };
    outputs.iter().zip(ports).all(|(fact, port)| !contradicts(graph, port, fact))
}

/// The outputs that inference gives for a layer's declared inputs, and its output ports.
fn with_declared_inputs<'a>(checked: &Checked<'a>, index: LayerId) -> Option<(Vec<Fact>, &'a [Port])> {
    let (graph, facts) = (checked.scope.graph, checked.facts);
    let layer = graph.layer(index).filter(|layer| layer.subgraph.is_none())?;
    let spec = graph.kind(layer).spec()?;
    let outputs = with_call(checked.scope.source, graph, facts, layer, spec, |call| {
        let given = graph.inputs(layer).iter().zip(call.inputs);
        let inputs: Vec<Fact> = given
            .map(|(port, fact)| if contradicts(graph, port, fact) { declared(graph, port) } else { (*fact).clone() })
            .collect();
        let inputs: Vec<&Fact> = inputs.iter().collect();
        Call { inputs: &inputs, ..*call }.apply(checked.scope.limits).outputs
    });
    Some((outputs?, graph.outputs(layer)))
}

/// The root mismatches, from which others follow. All vectors are indexed by layer.
struct Roots {
    /// The first mismatch at an output of the layer.
    here: Vec<Option<usize>>,
    /// The mismatch that the outputs of the layer follow from.
    explains_outputs: Vec<Option<usize>>,
    /// The first mismatch at an input of the layer.
    entering: Vec<Option<usize>>,
    /// The first mismatch that the inputs of the layer follow from.
    explains_inputs: Vec<Option<usize>>,
    /// The position of the layer in the order of inference.
    positions: Vec<usize>,
}

impl Roots {
    /// Collects the mismatches of at least the severity `level`.
    fn new(checked: &Checked, wrong: &Mismatches, level: Severity) -> Self {
        let graph = checked.scope.graph;
        let (mut here, mut entering) = (vec![None; graph.layers.len()], vec![None; graph.layers.len()]);
        for (i, mismatch) in wrong.all.iter().enumerate().filter(|(_, mismatch)| mismatch.severity >= level) {
            let first = if mismatch.direction == Direction::Output { &mut here } else { &mut entering };
            first[mismatch.layer.index()].get_or_insert(i);
        }
        let mut explains_outputs: Vec<Option<usize>> = vec![None; graph.layers.len()];
        let mut explains_inputs: Vec<Option<usize>> = vec![None; graph.layers.len()];
        let mut positions = vec![usize::MAX; graph.layers.len()];
        for (position, &layer) in checked.facts.order().iter().enumerate() {
            let index = layer.index();
            let producers = graph.dag.neighbors_directed(NodeIndex::new(index), Incoming);
            let from_producers = producers.filter_map(|producer| explains_outputs[producer.index()]).min();
            explains_inputs[index] = from_producers;
            positions[index] = position;
            let carries = || checked.facts.outputs(layer).iter().any(|fact| fact.value.is_some());
            explains_outputs[index] = match here[index] {
                // A mismatch at the inputs explains one at the outputs if the declared inputs give the declared outputs.
                Some(i) => {
                    let from = from_producers.or(entering[index]);
                    Some(from.filter(|_| i >= TRIED || fits_inputs(checked, layer)).unwrap_or(i))
                }
                None if from_producers.is_some() && carries() => from_producers,
                None => None,
            };
        }
        Self { here, explains_outputs, entering, explains_inputs, positions }
    }

    /// Returns the root mismatch from which `mismatch` follows; possibly itself.
    fn of(&self, checked: &Checked, mismatch: &Mismatch) -> Option<usize> {
        let (graph, index) = (checked.scope.graph, mismatch.layer.index());
        match mismatch.direction {
            Direction::Input => {
                let port = graph.inputs(graph.layer(mismatch.layer)?).get(mismatch.port)?;
                let output = port.source()?;
                let declared = declared_output(graph, graph.layer(output.layer)?, output.output as usize);
                let source = output.layer.index();
                // The cause must precede its consequence in the order of inference, also in a cycle. The producer's port
                // must agree with this one.
                let is_before = self.positions[source] < self.positions[index];
                self.explains_outputs[source].filter(|_| is_before && !contradicts(graph, port, &declared))
            }
            Direction::Output if self.here[index].is_some() => self.explains_outputs[index],
            Direction::Output => self.explains_inputs[index],
        }
    }
}

/// Links all findings about the inputs of an operation with two swapped edges to the first finding about one of them.
fn follow_swapped(checked: &Checked, wrong: &Mismatches, faults: &ByLayer, sink: &mut Sink) {
    for index in &wrong.swapped {
        let from = wrong.all.partition_point(|mismatch| mismatch.layer < *index);
        let here = wrong.all.iter().skip(from).take_while(|mismatch| mismatch.layer == *index);
        let mut inputs = here.filter_map(|mismatch| match (mismatch.direction, mismatch.report) {
            (Direction::Input, Report::Made(id)) => Some(id),
            _ => None,
        });
        let (Some(root), Some(layer)) = (inputs.next(), checked.scope.graph.layer(*index)) else { continue };
        inputs.for_each(|other| sink.follow(other, root));
        let is_about_inputs = |finding: &Diagnostic| [Group::Shapes, Group::Types].contains(&finding.rule.group);
        for fault in faults.of(layer) {
            if sink.cause(fault).is_none() && sink.get(fault).is_some_and(is_about_inputs) {
                sink.follow(fault, root);
            }
        }
    }
}

/// Links a wrong initial value of a variable to the mismatch at the input that provides the value.
fn initial_values(checked: &Checked, wrong: &Mismatches, faults: &ByLayer, sink: &mut Sink) {
    for mismatch in wrong.all.iter().filter(|mismatch| mismatch.direction == Direction::Input) {
        let (Report::Made(root), Some(layer)) = (mismatch.report, checked.scope.graph.layer(mismatch.layer)) else {
            continue;
        };
        for fault in faults.of(layer) {
            if sink.get(fault).is_some_and(|finding| finding.rule == &STATE_INIT) {
                sink.follow(fault, root);
            }
        }
    }
}

/// Links the equal faults that one wrong shape causes, for example in every block of a network, to the first of them.
fn repeated_faults(checked: &Checked, roots: &Roots, faults: &ByLayer, sink: &mut Sink) {
    let mut after: Vec<(usize, FindingId)> = Vec::new();
    for (layer, root) in checked.scope.graph.layers.iter().zip(&roots.explains_inputs) {
        after.extend(root.iter().flat_map(|root| faults.of(layer).map(move |id| (*root, id))));
    }
    let mut follows: Vec<(FindingId, FindingId)> = Vec::new();
    {
        let is_open = |id: FindingId, finding: &Diagnostic| {
            let is_of_file = finding.rule.group != Group::Portability;
            is_of_file && finding.severity == Severity::Error && sink.cause(id).is_none()
        };
        let mut open: Vec<(usize, FindingId, &Diagnostic)> =
            after.iter().filter_map(|(root, id)| Some((*root, *id, sink.get(*id)?))).collect();
        open.retain(|(_, id, finding)| is_open(*id, finding));
        open.arrange_by_key(|(_, id, finding)| (finding.primary.span, *id));
        let mut first: BTreeMap<(usize, &str, &Text), FindingId> = BTreeMap::new();
        for (root, id, finding) in open {
            let first = *first.entry((root, finding.rule.name, &finding.message)).or_insert(id);
            follows.extend((first != id).then_some((id, first)));
        }
    }
    for (finding, cause) in follows {
        sink.follow(finding, cause);
    }
}

/// Links a wrong number of outputs to the mismatch at the inputs of its layer if the declared inputs give that number.
///
/// Example: a list of two lengths whose ports declare three, before a `VariadicSplit` with three outputs.
fn output_counts(checked: &Checked, wrong: &Mismatches, roots: &Roots, faults: &ByLayer, sink: &mut Sink) {
    for (index, layer) in checked.scope.graph.entries() {
        let (above, here) = (roots.explains_inputs[index.index()], roots.entering[index.index()]);
        let Some(from) = above.or(here) else { continue };
        let is_count = |id: &FindingId| sink.get(*id).is_some_and(|finding| finding.rule == &WRONG_OUTPUT_COUNT);
        let count = faults.of(layer).find(is_count);
        if let (Some(count), Report::Made(root)) = (count, wrong.all[from].report)
            && with_declared_inputs(checked, index).is_some_and(|(given, ports)| given.len() == ports.len())
        {
            sink.follow(count, root);
        }
    }
}
