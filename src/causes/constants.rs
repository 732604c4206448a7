//! Bytes that more than one layer disagrees with: OpenVINO stores equal constants once, so one wrong number in the weights
//! runs into faults all over a model. They are told once.

use super::wrong_weights::is_about_shapes;
use crate::diagnostic::{Diagnostic, Direction, Group, Severity, Sink};
use crate::ir::{Port, Role};
use crate::lint::{Checked, for_every_graph};
use petgraph::algo::toposort;
use petgraph::graph::NodeIndex;
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Constants, by where their bytes begin.
type Offsets = SmallVec<[u64; 4]>;

/// The most constants that what a layer takes is traced back to.
const TRACED: usize = 16;

/// Bytes that may be wrong as well, as many as are told.
const SHOWN: usize = 3;

/// What is known of the bytes of a constant.
#[derive(Default)]
struct Bytes {
    /// The constants that share them.
    constants: usize,
    /// The layers that make something else than numbers of them.
    readers: usize,
    /// Those of them with errors.
    faulty: usize,
    /// The errors there, those that point at the bytes first.
    errors: BTreeSet<(bool, usize, u32, usize)>,
    /// The layers that refuse them.
    refusals: usize,
    /// Other bytes that just the same layers read.
    twins: Vec<u64>,
}

impl Bytes {
    /// Whether they rather than something else are wrong: layers refuse them, or most that read them are at fault.
    fn are_wrong(&self) -> bool {
        self.refusals > 1 || self.faulty > 1 && self.faulty * 2 >= self.readers
    }

    /// The finding that stands for all.
    fn root(&self) -> Option<usize> {
        self.errors.first().map(|(.., place)| *place)
    }

    /// What is said of them beside that finding.
    fn note(&self, offset: u64) -> String {
        let Self { constants, faulty, refusals, twins, .. } = self;
        match (refusals, constants, &twins[..]) {
            (0 | 1, _, [_, ..]) => {
                let mut all: Vec<u64> = twins.iter().take(SHOWN).copied().chain([offset]).collect();
                all.sort_unstable();
                let last = all.pop().unwrap_or(offset);
                let others: Vec<String> = all.iter().map(u64::to_string).collect();
                format!("{faulty} layers that read the bytes at {} or {last} are at fault", others.join(", "))
            }
            (0 | 1, 0 | 1, _) => format!("{faulty} layers that read the bytes at {offset} are at fault"),
            (0 | 1, _, _) => {
                format!(
                    "{constants} constants share the bytes at {offset}, and {faulty} layers that read them are at fault"
                )
            }
            (_, 0 | 1, _) => format!("{refusals} layers refuse these bytes"),
            _ => format!("{constants} constants share these bytes, and {refusals} layers refuse them"),
        }
    }
}

pub(crate) fn fold(checked: &Checked, sink: &mut Sink) {
    let is_error = |finding: &&Diagnostic| is_error(finding);
    if sink.findings().iter().filter(is_error).nth(1).is_none() {
        return;
    }
    let mut all: BTreeMap<u64, Bytes> = BTreeMap::new();
    for_every_graph(checked, &mut |checked| look(checked, sink.findings(), &mut all));
    let wrong = wrong(all);
    if wrong.is_empty() {
        return;
    }
    let mut follows: BTreeMap<usize, u64> = BTreeMap::new();
    for_every_graph(checked, &mut |checked| follows.extend(rests_on(checked, &wrong, sink.findings())));
    let mut found = sink.take_back(0);
    // One that stands for others is told, even if it rests on other such bytes.
    let roots: BTreeSet<usize> = wrong.values().filter_map(Bytes::root).collect();
    for (place, offset) in follows.into_iter().filter(|(place, _)| !roots.contains(place)) {
        let Some((bytes, root)) = wrong.get(&offset).and_then(|bytes| Some((bytes, bytes.root()?))) else { continue };
        found[place].consequence_of = found[root].layer.as_ref().map(|layer| layer.name.clone());
        found[root].consequences += 1;
        if bytes.refusals > 1 {
            found[place].fix = None; // It would make the file agree with the wrong bytes.
        }
    }
    for (offset, bytes) in &wrong {
        let Some(root) = bytes.root() else { continue };
        found[root].notes.push(bytes.note(*offset));
    }
    for finding in found {
        sink.report(finding);
    }
}

/// The bytes that are wrong, each with errors that are told of no others.
fn wrong(all: BTreeMap<u64, Bytes>) -> BTreeMap<u64, Bytes> {
    let mut all: Vec<(u64, Bytes)> = all.into_iter().filter(|(_, bytes)| bytes.are_wrong()).collect();
    // Where bytes are read by just those layers that are at fault, it is these.
    let innocent = |bytes: &Bytes| (bytes.readers - bytes.faulty) * 1000 / bytes.readers.max(1);
    all.sort_by_key(|(_, bytes)| (bytes.refusals < 2, innocent(bytes), usize::MAX - bytes.faulty));
    let mut told: BTreeMap<usize, u64> = BTreeMap::new();
    let mut wrong: BTreeMap<u64, Bytes> = BTreeMap::new();
    for (offset, mut bytes) in all {
        let twin = bytes.root().and_then(|root| wrong.get_mut(told.get(&root)?));
        if let Some(twin) = twin.filter(|twin| (twin.readers, &twin.errors) == (bytes.readers, &bytes.errors)) {
            twin.twins.push(offset);
            continue;
        }
        bytes.errors.retain(|(.., place)| !told.contains_key(place));
        let layers: BTreeSet<(usize, u32)> = bytes.errors.iter().map(|(_, body, layer, _)| (*body, *layer)).collect();
        if layers.len() > 1 {
            told.extend(bytes.errors.iter().map(|(.., place)| (*place, offset)));
            wrong.insert(offset, bytes);
        }
    }
    wrong
}

/// The findings of a graph about shapes, by layer.
fn by_layer(checked: &Checked, findings: &[Diagnostic]) -> HashMap<u32, Vec<usize>> {
    let mut here: HashMap<u32, Vec<usize>> = HashMap::new();
    for (place, finding) in findings.iter().enumerate().filter(|(_, finding)| is_about_shapes(finding)) {
        if let Some(layer) = finding.layer.as_ref().filter(|_| finding.body == checked.scope.body) {
            here.entry(layer.span.start).or_default().push(place);
        }
    }
    here
}

/// For every layer, the constants that the numbers of what it takes are worked out of.
fn traced(checked: &Checked, order: &[NodeIndex]) -> Vec<Offsets> {
    let (graph, facts) = (checked.scope.graph, checked.facts);
    let mut taken = vec![Offsets::new(); graph.layers.len()];
    for node in order {
        let mut offsets = Offsets::new();
        for source in graph.inputs(&graph.layers[node.index()]).iter().filter_map(Port::source) {
            if facts.output(source).is_none_or(|fact| fact.value.is_none()) {
                continue;
            }
            let constant = graph.layer(source.layer).and_then(|layer| graph.constant(layer));
            let own = constant.map(|constant| constant.offset);
            for offset in own.into_iter().chain(taken[source.layer as usize].iter().copied()) {
                if offsets.len() < TRACED && !offsets.contains(&offset) {
                    offsets.push(offset);
                }
            }
        }
        taken[node.index()] = offsets;
    }
    taken
}

/// Notes what the layers of one graph make of the bytes that they read.
fn look(checked: &Checked, findings: &[Diagnostic], all: &mut BTreeMap<u64, Bytes>) {
    let (graph, facts) = (checked.scope.graph, checked.facts);
    let Ok(order) = toposort(&graph.dag, None) else { return };
    let here = by_layer(checked, findings);
    for ((index, layer), offsets) in (0_u32..).zip(&graph.layers).zip(traced(checked, &order)) {
        if graph.kind(layer).role == Role::Const {
            if let Some(constant) = graph.constant(layer) {
                all.entry(constant.offset).or_default().constants += 1;
            }
            continue;
        }
        let places = here.get(&layer.tag.start).map(Vec::as_slice).unwrap_or_default();
        let errors = || places.iter().filter(|place| is_error(&findings[**place]));
        let hands_on = facts.outputs(index).iter().any(|fact| fact.value.is_some());
        // A layer whose errors follow from others says nothing of what it reads.
        let is_misled = || places.iter().any(|place| findings[*place].severity == Severity::Error);
        if errors().next().is_none() && (hands_on || is_misled()) {
            continue;
        }
        for offset in offsets {
            let bytes = all.entry(offset).or_default();
            bytes.readers += 1;
            bytes.faulty += usize::from(errors().next().is_some());
            let mut is_refused = false;
            for place in errors() {
                let finding = &findings[*place];
                let refuses = finding.primary.weights.as_ref().is_some_and(|range| range.offset == offset);
                is_refused |= refuses;
                bytes.errors.insert((!refuses, finding.body.len(), layer.tag.start, *place));
            }
            bytes.refusals += usize::from(is_refused);
        }
    }
}

/// The findings of one graph that rest on wrong bytes: at layers that take their numbers, and at those that are given
/// another shape because of that.
fn rests_on(checked: &Checked, wrong: &BTreeMap<u64, Bytes>, findings: &[Diagnostic]) -> Vec<(usize, u64)> {
    let graph = checked.scope.graph;
    let mut follows = Vec::new();
    let Ok(order) = toposort(&graph.dag, None) else { return follows };
    let here = by_layer(checked, findings);
    let taken = traced(checked, &order);
    let mut shapes: Vec<Option<u64>> = vec![None; graph.layers.len()];
    for node in order {
        let index = node.index();
        let layer = &graph.layers[index];
        let of_number = taken[index].iter().copied().find(|offset| wrong.contains_key(offset));
        let of_shape = || {
            let mut sources = graph.inputs(layer).iter().filter_map(Port::source);
            sources.find_map(|source| shapes[source.layer as usize])
        };
        let Some(offset) = of_number.or_else(of_shape) else { continue };
        let places = here.get(&layer.tag.start).into_iter().flatten().copied();
        let places: SmallVec<[usize; 4]> = places.filter(|place| is_root(&findings[*place])).collect();
        follows.extend(places.iter().map(|place| (*place, offset)));
        let is_output =
            |place: &usize| findings[*place].port.as_ref().is_some_and(|port| port.direction == Direction::Output);
        shapes[index] = of_shape().or_else(|| of_number.filter(|_| places.iter().any(is_output)));
    }
    follows
}

/// Whether a finding about shapes follows from no other.
fn is_root(finding: &Diagnostic) -> bool {
    finding.consequence_of.is_none() && is_about_shapes(finding)
}

/// Whether it shows that what a layer takes is wrong.
fn is_error(finding: &Diagnostic) -> bool {
    let is_given = finding.port.as_ref().is_none_or(|port| port.direction == Direction::Output);
    is_root(finding) && finding.severity == Severity::Error && (is_given || finding.rule.group != Group::Declared)
}
