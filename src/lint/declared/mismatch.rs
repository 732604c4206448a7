//! The record of all ports of a file that disagree with inference, as evidence for `causes`.
//!
//! One wrong input can make every port downstream of it wrong. Beyond a limit, ports are only recorded here: `causes` decides
//! which to count and which to report after all.

use super::inputs;
use super::openvino::weigh;
use super::outputs::{self, Output};
use crate::diagnostic::{Diagnostic, Direction, FindingId, Group, Severity, Sink};
use crate::ir::{Graph, LayerId};
use crate::lint::Checked;
use std::collections::BTreeMap;

/// The mismatches of all graphs of a file.
#[derive(Debug, Default)]
pub(crate) struct Declared(BTreeMap<u32, Mismatches>);

impl Declared {
    pub(super) fn add(&mut self, graph: &Graph, mismatches: Mismatches) {
        if !mismatches.all.is_empty() {
            self.0.insert(graph.tag.start, mismatches);
        }
    }

    /// The mismatches of one graph, if there are any.
    pub(crate) fn of(&self, graph: &Graph) -> Option<&Mismatches> {
        self.0.get(&graph.tag.start)
    }

    /// Whether all ports declare what is inferred.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The mismatches of all graphs, each with the start of its graph.
    pub(crate) fn all(&self) -> impl Iterator<Item = (u32, &Mismatch)> {
        self.0.iter().flat_map(|(graph, mismatches)| mismatches.all.iter().map(|mismatch| (*graph, mismatch)))
    }

    /// The reported findings about ports.
    pub(crate) fn findings(&self) -> impl Iterator<Item = FindingId> {
        self.0.values().flat_map(|mismatches| &mismatches.all).filter_map(|mismatch| match mismatch.report {
            Report::Made(finding) => Some(finding),
            Report::LeftOut | Report::Pending => None,
        })
    }
}

/// The mismatches of a graph.
#[derive(Debug)]
pub(crate) struct Mismatches {
    /// The mismatches in the order of the layers, outputs first.
    pub all: Vec<Mismatch>,
    /// Layers with two swapped edges, in order.
    pub swapped: Vec<LayerId>,
    /// Bytes left for findings that are reported at once.
    left: usize,
}

/// A port that disagrees with inference.
#[derive(Debug)]
pub(crate) struct Mismatch {
    pub layer: LayerId,
    pub direction: Direction,
    /// The index of the port.
    pub port: usize,
    /// The severity, whether or not OpenVINO builds the layer.
    pub severity: Severity,
    pub report: Report,
}

/// The state of the report about a mismatch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Report {
    /// Reported.
    Made(FindingId),
    /// Dropped for lack of space.
    LeftOut,
    /// Not reported yet.
    Pending,
}

impl Mismatches {
    pub(super) fn new(sink: &Sink) -> Self {
        Self { all: Vec::new(), swapped: Vec::new(), left: sink.room_for_consequences() }
    }

    /// Whether more findings may be reported at once.
    pub(super) fn has_room(&self) -> bool {
        self.left > 0
    }

    /// Reports a mismatch of a layer. With other input shapes than the declared ones, declared shapes are neither faults nor
    /// evidence.
    pub(super) fn report(&mut self, checked: &Checked, layer: LayerId, mut finding: Diagnostic, sink: &mut Sink) {
        if checked.options.is_reshaped && finding.rule.group == Group::Declared {
            return;
        }
        self.left = self.left.saturating_sub(finding.size());
        self.weigh(checked, layer, &mut finding);
        let port = finding.port.as_ref();
        let (direction, port) = port.map_or((Direction::Output, 0), |port| (port.direction, port.index));
        let severity = finding.severity;
        let report = sink.push(in_place(checked, finding)).map_or(Report::LeftOut, Report::Made);
        self.all.push(Mismatch { layer, direction, port, severity, report });
    }

    /// Records a mismatch without reporting it.
    pub(super) fn count(&mut self, layer: LayerId, direction: Direction, port: usize, severity: Severity) {
        self.all.push(Mismatch { layer, direction, port, severity, report: Report::Pending });
    }

    /// The finding about a mismatch that was only recorded.
    pub(crate) fn finding(&self, checked: &Checked, mismatch: &Mismatch) -> Option<Diagnostic> {
        let (graph, index, i) = (checked.scope.graph, mismatch.layer, mismatch.port);
        let layer = graph.layer(index)?;
        let port = graph.ports(layer, mismatch.direction).get(i)?;
        let mut finding = match mismatch.direction {
            Direction::Input => inputs::findings(checked, index, layer, &[i], None).pop(),
            Direction::Output => {
                let fact = checked.facts.outputs(index).get(i)?;
                let output = Output { index, layer, i, port, fact };
                Some(outputs::finding(checked, &output, outputs::rule(checked, &output)?))
            }
        }?;
        self.weigh(checked, index, &mut finding);
        Some(in_place(checked, finding))
    }

    /// Adjusts a finding to what OpenVINO infers, unless the layer has swapped edges, which mislead OpenVINO as well.
    fn weigh(&self, checked: &Checked, layer: LayerId, finding: &mut Diagnostic) {
        // The list is sorted because layers are checked in order.
        if self.swapped.binary_search(&layer).is_err() {
            weigh(checked, layer, finding);
        }
    }
}

/// The finding with its severity at this layer.
fn in_place(checked: &Checked, mut finding: Diagnostic) -> Diagnostic {
    // The Parameters of a body may get other shapes from the outer layer than they declare.
    if finding.assumed && finding.severity == Severity::Error && !checked.scope.body.is_empty() {
        finding.severity = Severity::Warning;
    }
    finding
}
