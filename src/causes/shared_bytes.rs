//! The search for elements of a wrong constant that suit all its readers. OpenVINO stores equal constants once, so what suits
//! one layer may make another one fail.

use super::counterfactual::{Counterfactual, Evidence, Place, reported};
use crate::diagnostic::{FindingId, Sink};
use crate::infer::Supposed;
use crate::ir::{Constant, Graph, Layer, LayerId, Net};
use crate::lint::declared::Declared;
use crate::lint::{Checked, for_every_graph};
use crate::types::{Bounds, Fact, Value};
use petgraph::Direction::Outgoing;
use petgraph::visit::EdgeRef;
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of candidates that are tried for one constant.
const TRIED: usize = 16;

/// The means to try elements on every reader of a constant.
pub(super) struct SharedBytes<'a> {
    checked: &'a Checked<'a>,
    counterfactual: Counterfactual<'a>,
    evidence: BTreeMap<FindingId, Evidence>,
    /// The errors of the file as it is, once they are needed.
    base: Option<BTreeSet<Evidence>>,
}

impl<'a> SharedBytes<'a> {
    pub(super) fn new(checked: &'a Checked<'a>, net: &'a Net, declared: &Declared, sink: &Sink) -> Self {
        let counterfactual = Counterfactual::new(checked, net);
        Self { checked, counterfactual, evidence: reported(declared, sink), base: None }
    }

    /// Returns the candidate for the elements of a constant with which the file has the fewest errors, and the findings that
    /// vanish with it. `None` if with all of them the `finding` stays, a reader has an error, or a new error appears. A constant
    /// without a second reader gets the first candidate, and no findings.
    pub(super) fn best(
        &mut self,
        finding: FindingId,
        constant: &Constant,
        mut candidates: impl Iterator<Item = Vec<i64>>,
    ) -> Option<(Vec<i64>, Vec<FindingId>)> {
        let readers = readers(self.checked, constant);
        if readers.len() < 2 {
            return Some((candidates.next()?, Vec::new()));
        }
        let mut best: Option<(BTreeSet<Evidence>, Vec<i64>)> = None;
        for candidate in candidates.take(TRIED) {
            let supposed = suppose(self.checked, constant, &candidate);
            if self.base.is_none() {
                self.base = self.counterfactual.errors(&Supposed::default());
            }
            let base = self.base.as_ref()?;
            let Some(left) = self.counterfactual.errors(&supposed) else { break };
            let vanishes = self.evidence.get(&finding).is_some_and(|one| base.contains(one) && !left.contains(one));
            let is_refused =
                left.iter().any(|one| !base.contains(one) || readers.iter().any(|reader| one.is_at(*reader)));
            if vanishes && !is_refused && best.as_ref().is_none_or(|(fewest, _)| left.len() < fewest.len()) {
                let is_all = left.is_empty();
                best = Some((left, candidate));
                if is_all {
                    break;
                }
            }
        }
        let (left, elements) = best?;
        let base = self.base.as_ref()?;
        let gone = self.evidence.iter().filter(|(_, one)| base.contains(one) && !left.contains(one));
        Some((elements, gone.map(|(id, _)| *id).collect()))
    }
}

/// The layers that read a Const with the offset of a constant, each once for every edge.
fn readers(checked: &Checked, constant: &Constant) -> Vec<Place> {
    let mut readers = Vec::new();
    for_every_graph(checked, &mut |checked| {
        let graph = checked.scope.graph;
        let sharing = graph.entries().filter(|(_, layer)| shares(graph, layer, constant));
        let edges = sharing.flat_map(|(index, _)| graph.dag.edges_directed(index.node(), Outgoing));
        let targets = edges.map(|edge| LayerId::from(edge.target()));
        readers.extend(targets.filter_map(|reader| Some((graph.tag.start, reader, graph.layer(reader)?.tag.start))));
    });
    readers
}

/// The facts of all Consts with the offset of a constant if its bytes held other elements. The elements of a Const of another
/// type or size are unknown then.
fn suppose(checked: &Checked, constant: &Constant, elements: &[i64]) -> Supposed {
    let mut supposed = Supposed::default();
    for_every_graph(checked, &mut |checked| {
        let graph = checked.scope.graph;
        for layer in graph.layers.iter().filter(|layer| shares(graph, layer, constant)) {
            let Some(other) = graph.constant(layer) else { continue };
            let (shape, is_same) = (other.shape(), (other.ty, other.size) == (constant.ty, constant.size));
            let value = Value::integers(&shape, elements.iter().map(|one| Bounds::exact(*one))).filter(|_| is_same);
            supposed.set_outputs(layer, vec![Fact::new(other.ty, shape).with_value(value)]);
        }
    });
    supposed
}

/// Whether a layer is a Const with the offset of a constant.
fn shares(graph: &Graph, layer: &Layer, constant: &Constant) -> bool {
    graph.constant(layer).is_some_and(|other| other.offset == constant.offset)
}
