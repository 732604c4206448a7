//! The ports that disagree with inference.
//!
//! One wrong input can make every port after it wrong. Beyond a limit, ports are only noted here: `causes` decides which of
//! them are counted, and which have to be reported after all.

use super::inputs;
use super::openvino::weigh;
use super::outputs::{self, Output};
use crate::diagnostic::{Diagnostic, Direction, FindingId, Severity, Sink};
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

    /// The mismatches of all graphs, each with where its graph starts.
    pub(crate) fn all(&self) -> impl Iterator<Item = (u32, &Mismatch)> {
        self.0.iter().flat_map(|(graph, mismatches)| mismatches.all.iter().map(|mismatch| (*graph, mismatch)))
    }

    /// The findings that were reported about ports.
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
    /// In the order of the layers, outputs first.
    pub all: Vec<Mismatch>,
    /// The layers two of whose edges are swapped, in order.
    pub swapped: Vec<LayerId>,
    /// Bytes of findings that may still be reported at once.
    left: usize,
}

/// A port that disagrees with inference.
#[derive(Debug)]
pub(crate) struct Mismatch {
    /// The place of the layer.
    pub layer: LayerId,
    /// Its side.
    pub direction: Direction,
    /// Its position.
    pub port: usize,
    /// How much it matters, whether or not the layer is built.
    pub severity: Severity,
    /// What was reported of it.
    pub report: Report,
}

/// What was reported of a mismatch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Report {
    /// This finding.
    Made(FindingId),
    /// A finding that did not fit.
    LeftOut,
    /// Nothing yet.
    Pending,
}

impl Mismatches {
    pub(super) fn new(sink: &Sink) -> Self {
        Self { all: Vec::new(), swapped: Vec::new(), left: sink.room_for_consequences() }
    }

    /// Whether there is room to report more at once.
    pub(super) fn has_room(&self) -> bool {
        self.left > 0
    }

    /// Reports a mismatch of a layer.
    pub(super) fn report(&mut self, checked: &Checked, layer: LayerId, mut finding: Diagnostic, sink: &mut Sink) {
        self.left = self.left.saturating_sub(finding.size());
        self.weigh(checked, layer, &mut finding);
        let port = finding.port.as_ref();
        let (direction, port) = port.map_or((Direction::Output, 0), |port| (port.direction, port.index));
        let severity = finding.severity;
        let report = sink.push(in_place(checked, finding)).map_or(Report::LeftOut, Report::Made);
        self.all.push(Mismatch { layer, direction, port, severity, report });
    }

    /// Notes a mismatch that may only be counted.
    pub(super) fn count(&mut self, layer: LayerId, direction: Direction, port: usize, severity: Severity) {
        self.all.push(Mismatch { layer, direction, port, severity, report: Report::Pending });
    }

    /// The finding about a mismatch that was only noted.
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

    /// Adjusts a finding to what OpenVINO knows; not where swapped edges affect OpenVINO as well.
    fn weigh(&self, checked: &Checked, layer: LayerId, finding: &mut Diagnostic) {
        // Layers are checked in order, so they are sorted.
        if self.swapped.binary_search(&layer).is_err() {
            weigh(checked, layer, finding);
        }
    }
}

/// The finding with the severity that it has at this layer.
fn in_place(checked: &Checked, mut finding: Diagnostic) -> Diagnostic {
    // Parameters of bodies have other shapes from outside, so what follows from their declarations may not hold.
    if finding.assumed && finding.severity == Severity::Error && !checked.scope.body.is_empty() {
        finding.severity = Severity::Warning;
    }
    finding
}
