//! Which findings follow from another one: one wrong input shape is one finding, not thousands.

use super::mismatch::Mismatch;
use crate::diagnostic::{Diagnostic, Direction, Group, Severity, Sink};
use crate::ir::Port;
use crate::lint::Checked;
use crate::lint::rules::INPUT_PORT_MISMATCH;
use petgraph::Direction::Incoming;
use petgraph::algo::toposort;
use petgraph::graph::NodeIndex;
use std::collections::{BTreeMap, HashMap};

/// Marks the findings that follow from an earlier one, and counts them there.
///
/// A layer's mismatch follows from that of a producer that matters as much; values (`ShapeOf` and what is computed from
/// it) carry it on. Faults of operations that say the same and rest on the same mismatch follow from the first of them.
pub(super) fn fold(checked: &Checked, swapped: &[u32], wrong: &mut [Mismatch], sink: &mut Sink) {
    fold_swaps(checked, swapped, wrong, sink);
    let Ok(order) = toposort(&checked.scope.graph.dag, None) else { return };
    for level in [Severity::Error, Severity::Warning, Severity::Info] {
        if !wrong.iter().any(|mismatch| mismatch.severity == level) {
            continue;
        }
        let roots = Roots::new(checked, wrong, level, &order);
        fold_mismatches(checked, wrong, level, &roots);
        if level == Severity::Error {
            fold_faults(checked, &roots, sink);
        }
    }
    fold_passed(checked, wrong, sink);
}

/// Behind a fault that OpenVINO does not mind, what is declared disagrees with what OpenVINO infers from it: that follows
/// from the fault, and to declare it would only hide it.
fn fold_passed(checked: &Checked, wrong: &mut [Mismatch], sink: &mut Sink) {
    let is_passed = |finding: &Diagnostic| {
        let is_of_operation =
            [Group::File, Group::Shapes, Group::Types, Group::Operations].contains(&finding.rule.group);
        finding.severity == Severity::Error && finding.runtime.reads() && is_of_operation
    };
    let passed = sink.findings().iter().enumerate().filter(|(_, finding)| is_passed(finding));
    let here = passed.filter(|(_, finding)| finding.body == checked.scope.body);
    let roots: BTreeMap<u32, usize> =
        here.filter_map(|(place, finding)| Some((finding.layer.as_ref()?.span.start, place))).collect();
    if roots.is_empty() {
        return;
    }
    for mismatch in wrong.iter_mut().filter(|one| one.cause.is_none() && one.direction == Direction::Output) {
        let layer = checked.scope.graph.layer(mismatch.layer);
        mismatch.passed = layer.and_then(|layer| roots.get(&layer.tag.start).copied());
    }
    let behind = |one: &Mismatch| one.passed.or_else(|| wrong.get(one.cause?)?.passed);
    let behind: Vec<Option<usize>> = wrong.iter().map(behind).collect();
    for (mismatch, root) in wrong.iter_mut().zip(behind) {
        let Some(root) = root else { continue };
        (mismatch.passed, mismatch.consequences) = (Some(root), 0);
        sink.count_consequence(root);
    }
}

/// The mismatches that others rest on.
struct Roots {
    /// The layers with mismatches of their own at an output.
    own: BTreeMap<u32, usize>,
    /// For every layer: the finding that what it gives rests on.
    given: Vec<Option<usize>>,
    /// And the first of those that what it takes rests on.
    taken: Vec<Option<usize>>,
}

impl Roots {
    /// The mismatches of at least this severity.
    fn new(checked: &Checked, wrong: &[Mismatch], level: Severity, order: &[NodeIndex]) -> Self {
        let graph = checked.scope.graph;
        let (mut own, mut entering): (BTreeMap<u32, usize>, BTreeMap<u32, usize>) = Default::default();
        for (place, mismatch) in wrong.iter().enumerate().filter(|(_, mismatch)| mismatch.severity >= level) {
            let places = if mismatch.direction == Direction::Output { &mut own } else { &mut entering };
            places.entry(mismatch.layer).or_insert(place);
        }
        let mut given: Vec<Option<usize>> = vec![None; graph.layers.len()];
        let mut taken: Vec<Option<usize>> = vec![None; graph.layers.len()];
        for node in order {
            let index = node.index();
            let from_producers =
                graph.dag.neighbors_directed(*node, Incoming).filter_map(|producer| given[producer.index()]).min();
            taken[index] = from_producers;
            let key = u32::try_from(index).unwrap_or(u32::MAX);
            let carries = || checked.facts.outputs(key).iter().any(|fact| fact.value.is_some());
            given[index] = match own.get(&key) {
                // What enters a layer wrongly explains what leaves it.
                Some(place) => Some(from_producers.or(entering.get(&key).copied()).unwrap_or(*place)),
                None if from_producers.is_some() && carries() => from_producers,
                None => None,
            };
        }
        Self { own, given, taken }
    }
}

fn fold_mismatches(checked: &Checked, wrong: &mut [Mismatch], level: Severity, roots: &Roots) {
    let graph = checked.scope.graph;
    let mut follows: Vec<(usize, usize)> = Vec::new();
    for (place, mismatch) in wrong.iter().enumerate().filter(|(_, mismatch)| mismatch.severity == level) {
        let from = match mismatch.direction {
            Direction::Input => graph
                .layer(mismatch.layer)
                .and_then(|layer| graph.inputs(layer).get(mismatch.port))
                .and_then(Port::source)
                .and_then(|source| roots.given[source.layer as usize]),
            Direction::Output if roots.own.contains_key(&mismatch.layer) => roots.given[mismatch.layer as usize],
            Direction::Output => roots.taken[mismatch.layer as usize],
        };
        if let Some(from) = from.filter(|from| *from != place) {
            follows.push((place, from));
        }
    }
    for (place, from) in follows {
        wrong[place].cause = Some(from);
        wrong[from].consequences += 1;
    }
}

/// Where two edges are swapped, all that an operation finds wrong with its inputs follows from that.
fn fold_swaps(checked: &Checked, swapped: &[u32], wrong: &mut [Mismatch], sink: &mut Sink) {
    let is_root = |index: &u32, finding: &Diagnostic| {
        // Layers are checked in order, so they are sorted.
        swapped.binary_search(index).is_ok() && finding.rule == &INPUT_PORT_MISMATCH && finding.consequence_of.is_none()
    };
    let found = wrong.iter_mut().filter_map(|mismatch| Some((mismatch.layer, mismatch.finding.as_deref_mut()?)));
    let roots = found.filter(|(index, finding)| is_root(index, finding));
    let mut roots: BTreeMap<u32, &mut Diagnostic> =
        roots.filter_map(|(_, root)| Some((root.layer.as_ref()?.span.start, root))).collect();
    if roots.is_empty() {
        return;
    }
    sink.follow_all(|finding| {
        let is_about_inputs = [Group::Shapes, Group::Types].contains(&finding.rule.group);
        let here = finding.layer.as_ref().filter(|_| is_about_inputs && finding.body == checked.scope.body)?;
        let root = roots.get_mut(&here.span.start)?;
        root.consequences += 1;
        Some(here.name.clone())
    });
}

/// A wrong shape runs into the same fault in every block of a network.
fn fold_faults(checked: &Checked, roots: &Roots, sink: &mut Sink) {
    let layers = &checked.scope.graph.layers;
    let taken: HashMap<u32, usize> =
        layers.iter().zip(&roots.taken).filter_map(|(layer, root)| Some((layer.tag.start, (*root)?))).collect();
    let mut first: BTreeMap<(usize, &str, String), usize> = BTreeMap::new();
    let mut follows: Vec<(usize, usize)> = Vec::new();
    let mut findings: Vec<(usize, &Diagnostic)> = sink.findings().iter().enumerate().collect();
    findings.sort_by_key(|(_, finding)| finding.primary.span);
    for (place, finding) in findings {
        let is_open = finding.severity == Severity::Error && finding.consequence_of.is_none();
        let here = finding.layer.as_ref().filter(|_| is_open && finding.body == checked.scope.body);
        let Some(root) = here.and_then(|layer| taken.get(&layer.span.start)) else { continue };
        let place_of_first = *first.entry((*root, finding.rule.name, finding.message.clone())).or_insert(place);
        if place_of_first != place {
            follows.push((place, place_of_first));
        }
    }
    for (place, from) in follows {
        sink.follow(place, from);
    }
}
