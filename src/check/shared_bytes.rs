//! Bytes that more than one layer refuses: OpenVINO stores equal constants once, so one wrong number in the weights runs
//! into faults all over a model. They are told once.

use super::suspicious::is_about_shapes;
use super::{Checked, for_every_graph};
use crate::diagnostic::{Diagnostic, Direction, Group, Severity, Sink};
use crate::ir::{Port, Role};
use petgraph::algo::toposort;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What is known of bytes that layers refuse, by where they begin.
struct Refused {
    /// The finding that stands for all.
    root: usize,
    /// The layers that refuse them.
    layers: BTreeSet<(Vec<String>, u32)>,
    /// The constants that they are.
    constants: usize,
}

pub(super) fn fold(checked: &Checked, sink: &mut Sink) {
    let mut all = refused(sink.findings());
    if all.is_empty() {
        return;
    }
    let mut follows: BTreeMap<usize, u64> = BTreeMap::new();
    for_every_graph(checked, &mut |checked| {
        for (place, offset) in rests_on(checked, &mut all, sink.findings()) {
            follows.insert(place, offset);
        }
    });
    let mut found = sink.take_back(0);
    // One that stands for others is told, even if it rests on other such bytes.
    let roots: BTreeSet<usize> = all.values().map(|refused| refused.root).collect();
    for (place, offset) in follows.into_iter().filter(|(place, _)| !roots.contains(place)) {
        let root = all[&offset].root;
        let name = found[root].layer.as_ref().map(|layer| layer.name.clone());
        found[root].consequences += 1;
        found[place].consequence_of = name;
        found[place].fix = None; // It would make the file agree with the wrong bytes.
    }
    for Refused { root, layers, constants } in all.values() {
        let count = layers.len();
        found[*root].notes.push(match constants {
            0 | 1 => format!("{count} layers refuse these bytes"),
            _ => format!("{constants} constants share these bytes, and {count} layers refuse them"),
        });
    }
    for finding in found {
        sink.report(finding);
    }
}

/// The bytes that several layers refuse.
fn refused(findings: &[Diagnostic]) -> BTreeMap<u64, Refused> {
    let mut all: BTreeMap<u64, Refused> = BTreeMap::new();
    for (place, finding) in findings.iter().enumerate().filter(|(_, finding)| is_root(finding)) {
        let (Some(bytes), Some(layer)) = (&finding.primary.weights, &finding.layer) else { continue };
        if finding.severity != Severity::Error || finding.rule.group != Group::Shapes {
            continue;
        }
        let refused =
            all.entry(bytes.offset).or_insert_with(|| Refused { root: place, layers: BTreeSet::new(), constants: 0 });
        refused.layers.insert((finding.body.clone(), layer.span.start));
        let order = |place: usize| (findings[place].body.len(), findings[place].primary.span);
        if order(place) < order(refused.root) {
            refused.root = place;
        }
    }
    all.retain(|_, refused| refused.layers.len() > 1);
    all
}

/// The findings of one graph that rest on such bytes: what refuses them or is worked out of their numbers, and what has
/// another shape because of that.
fn rests_on(checked: &Checked, all: &mut BTreeMap<u64, Refused>, findings: &[Diagnostic]) -> Vec<(usize, u64)> {
    let (graph, facts) = (checked.scope.graph, checked.facts);
    let mut here: HashMap<u32, Vec<usize>> = HashMap::new();
    for (place, finding) in findings.iter().enumerate().filter(|(_, finding)| is_root(finding)) {
        if let Some(layer) = finding.layer.as_ref().filter(|_| finding.body == checked.scope.body) {
            here.entry(layer.span.start).or_default().push(place);
        }
    }
    let mut follows = Vec::new();
    let Ok(order) = toposort(&graph.dag, None) else { return follows };
    // The bytes that the numbers, or the shapes, of what a layer gives rest on.
    let mut numbers: Vec<Option<u64>> = vec![None; graph.layers.len()];
    let mut shapes = numbers.clone();
    for node in order {
        let index = node.index();
        let layer = &graph.layers[index];
        if graph.kind(layer).role == Role::Const {
            let offset = graph.constant(layer).map(|constant| constant.offset);
            if let Some((offset, refused)) = offset.and_then(|offset| Some((offset, all.get_mut(&offset)?))) {
                refused.constants += 1;
                numbers[index] = Some(offset);
            }
            continue;
        }
        let sources = || graph.inputs(layer).iter().filter_map(Port::source);
        let of_shape = sources().find_map(|source| shapes[source.layer as usize]);
        let of_number = sources().find_map(|source| {
            numbers[source.layer as usize].filter(|_| facts.output(source).is_some_and(|fact| fact.value.is_some()))
        });
        let Some(offset) = of_number.or(of_shape) else { continue };
        let places = here.get(&layer.tag.start).map(Vec::as_slice).unwrap_or_default();
        follows.extend(places.iter().map(|place| (*place, offset)));
        let is_output =
            |place: &usize| findings[*place].port.as_ref().is_some_and(|port| port.direction == Direction::Output);
        numbers[index] = of_number;
        shapes[index] = of_shape.or_else(|| of_number.filter(|_| places.iter().any(is_output)));
    }
    follows
}

/// Whether a finding about shapes follows from no other.
fn is_root(finding: &Diagnostic) -> bool {
    finding.consequence_of.is_none() && is_about_shapes(finding)
}
