//! Wrong bytes that make several layers fail. OpenVINO stores equal constants once, so one wrong number in the weights
//! causes faults all over a model. They are reported as one.
//!
//! Layers vote: bytes are wrong if at least two layers fail with an error that points at them, or if at least two, and at least
//! half, of the layers that read them have any error.

use super::by_layer::ByLayer;
use super::wrong_weights::is_about_shapes;
use crate::arrange::{Arrange, Fill};
use crate::diagnostic::{Amendment, Diagnostic, Direction, FindingId, Group, Severity, Sink};
use crate::ir::{Port, Role};
use crate::lint::{Checked, for_every_graph};
use crate::text::alternatives;
use smallvec::SmallVec;
use std::cell::LazyCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The offsets of constants in the weights.
type Offsets = SmallVec<[u64; 4]>;

/// Maximum number of constants to which the inputs of one layer are traced back.
const TRACED: usize = 16;

/// Maximum number of further suspicious offsets that a note lists.
const SHOWN: usize = 3;

/// An error of a reader, as a sort key: errors that point at the bytes come first, then those in fewer bodies, then by place.
/// The first one is the root.
type Evidence = (bool, usize, Place, FindingId);

/// The place of a layer in an order that the graph alone decides. The start of its tag breaks ties.
type Place = (usize, u32);

/// The evidence about the bytes at one offset.
#[derive(Default)]
struct Bytes {
    /// The number of constants that share the bytes.
    constants: usize,
    /// The number of layers that use the bytes. Not counted: layers without errors that only pass on a computed value, and
    /// layers whose errors all follow from other findings.
    readers: usize,
    /// The number of readers with errors.
    faulty: usize,
    /// The number of readers for which OpenVINO fails.
    failing: usize,
    /// The errors of readers, sorted.
    errors: BTreeSet<Evidence>,
    /// The number of layers that fail with an error that points at the bytes.
    rejecting: usize,
    /// Offsets of other bytes with as many readers and exactly the same errors.
    twins: Vec<u64>,
}

impl Bytes {
    /// Whether the votes of the layers show that the bytes are wrong.
    fn are_wrong(&self) -> bool {
        self.rejecting > 1 || self.faulty > 1 && self.faulty * 2 >= self.readers
    }

    /// The finding that represents all others.
    fn root(&self) -> Option<FindingId> {
        self.errors.first().map(|(.., id)| *id)
    }

    /// The note to add to the root.
    fn note(&self, offset: u64) -> String {
        let Self { constants, faulty, failing, rejecting, twins, .. } = self;
        // OpenVINO accepts a layer whose only errors are contradicting ports.
        let fail = if failing == faulty { "fail" } else { "have errors" };
        let is_rejected = *rejecting > 1;
        match (is_rejected, constants, &twins[..]) {
            (false, _, [_, ..]) => {
                let mut all: Vec<u64> = twins.iter().take(SHOWN).copied().chain([offset]).collect();
                all.sort_unstable();
                let all: Vec<String> = all.iter().map(u64::to_string).collect();
                format!("{faulty} of the layers that use the bytes at {} {fail}", alternatives(&all))
            }
            (false, 0 | 1, _) => format!("{faulty} of the layers that use the bytes at {offset} {fail}"),
            (false, _, _) => {
                format!("{constants} constants read the bytes at {offset}; {faulty} of the layers that use them {fail}")
            }
            (true, 0 | 1, _) => format!("at least {rejecting} layers fail because of these bytes"),
            (true, _, _) => {
                format!("{constants} constants read these bytes; at least {rejecting} layers fail because of them")
            }
        }
    }
}

/// Links the findings that follow from wrong bytes to one of them.
pub(super) fn find(checked: &Checked, sink: &mut Sink) {
    if sink.numbered().filter(|(id, finding)| is_error(sink, *id, finding)).nth(1).is_none() {
        return; // Fewer than two errors: nothing to vote on.
    }
    let about_shapes = ByLayer::new(sink, |_, finding| is_about_shapes(finding));
    let mut all: BTreeMap<u64, Bytes> = BTreeMap::new();
    for_every_graph(checked, &mut |checked| collect_readers(checked, &about_shapes, sink, &mut all));
    let wrong = select_wrong(all);
    if wrong.is_empty() {
        return;
    }
    let mut follows: BTreeMap<FindingId, u64> = BTreeMap::new();
    for_every_graph(checked, &mut |checked| follows.extend(consequences(checked, &wrong, &about_shapes, sink)));
    // A root stays a root, even if it follows from other wrong bytes.
    let roots: BTreeSet<FindingId> = wrong.values().filter_map(Bytes::root).into_set();
    for (id, offset) in follows.into_iter().filter(|(id, _)| !roots.contains(id)) {
        let Some((bytes, root)) = wrong.get(&offset).and_then(|bytes| Some((bytes, bytes.root()?))) else { continue };
        sink.follow(id, root);
        if bytes.rejecting > 1 {
            sink.amend(id, Amendment::NoFix); // A fix would make the file agree with the wrong bytes.
        }
    }
    for (offset, bytes) in &wrong {
        let Some(root) = bytes.root() else { continue };
        sink.amend(root, Amendment::Note(bytes.note(*offset).into()));
    }
}

/// Selects the wrong bytes. Attributes each error to one offset only.
fn select_wrong(all: BTreeMap<u64, Bytes>) -> BTreeMap<u64, Bytes> {
    let mut all: Vec<(u64, Bytes)> = all.into_iter().filter(|(_, bytes)| bytes.are_wrong()).collect();
    // The smaller the share of readers without errors, the likelier the bytes are wrong.
    let unaffected_per_mille = |bytes: &Bytes| (bytes.readers - bytes.faulty) * 1000 / bytes.readers.max(1);
    all.arrange_by_key(|(_, bytes)| {
        let first = bytes.errors.first().copied();
        (bytes.rejecting < 2, unaffected_per_mille(bytes), Reverse(bytes.faulty), first)
    });
    let mut attributed: BTreeMap<FindingId, u64> = BTreeMap::new();
    let mut wrong: BTreeMap<u64, Bytes> = BTreeMap::new();
    for (offset, mut bytes) in all {
        let twin = bytes.root().and_then(|root| wrong.get_mut(attributed.get(&root)?));
        if let Some(twin) = twin.filter(|twin| (twin.readers, &twin.errors) == (bytes.readers, &bytes.errors)) {
            twin.twins.push(offset);
            continue;
        }
        bytes.errors.retain(|(.., id)| !attributed.contains_key(id));
        let layers: BTreeSet<u32> = bytes.errors.iter().map(|(_, _, (_, tag), _)| *tag).into_set();
        if layers.len() > 1 {
            attributed.extend(bytes.errors.iter().map(|(.., id)| (*id, offset)));
            wrong.insert(offset, bytes);
        }
    }
    wrong
}

/// Returns, for each layer, the constants from which the known values of its inputs are computed.
fn traced(checked: &Checked) -> Vec<Offsets> {
    let (graph, facts) = (checked.scope.graph, checked.facts);
    let mut offsets_of = vec![Offsets::new(); graph.layers.len()];
    for &index in checked.facts.order() {
        let mut offsets = Offsets::new();
        let inputs = graph.layer(index).map(|layer| graph.inputs(layer)).unwrap_or_default();
        for source in inputs.iter().filter_map(Port::source) {
            if facts.output(source).is_none_or(|fact| fact.value.is_none()) {
                continue;
            }
            let constant = graph.layer(source.layer).and_then(|layer| graph.constant(layer));
            let own = constant.map(|constant| constant.offset);
            for offset in own.into_iter().chain(offsets_of[source.layer.index()].iter().copied()) {
                if offsets.len() < TRACED && !offsets.contains(&offset) {
                    offsets.push(offset);
                }
            }
        }
        offsets_of[index.index()] = offsets;
    }
    offsets_of
}

/// Collects the evidence that the layers of one graph give about the bytes that they read.
fn collect_readers(checked: &Checked, about_shapes: &ByLayer, sink: &Sink, all: &mut BTreeMap<u64, Bytes>) {
    let (graph, facts) = (checked.scope.graph, checked.facts);
    let places = LazyCell::new(|| facts.places(graph, checked.scope.source));
    for ((index, layer), offsets) in graph.entries().zip(traced(checked)) {
        if graph.kind(layer).role == Role::Const {
            if let Some(constant) = graph.constant(layer) {
                all.entry(constant.offset).or_default().constants += 1;
            }
            continue;
        }
        let here: SmallVec<[(FindingId, &Diagnostic); 4]> =
            about_shapes.of(layer).filter_map(|id| Some((id, sink.get(id)?))).collect();
        let errors = || here.iter().filter(|(id, finding)| is_error(sink, *id, finding));
        let passes_value_on = facts.outputs(index).iter().any(|fact| fact.value.is_some());
        // A layer whose errors all follow from other findings is no evidence about the bytes that it reads.
        let has_other_errors = || here.iter().any(|(_, finding)| finding.severity == Severity::Error);
        if errors().next().is_none() && (passes_value_on || has_other_errors()) {
            continue;
        }
        for offset in offsets {
            let bytes = all.entry(offset).or_default();
            bytes.readers += 1;
            bytes.faulty += usize::from(errors().next().is_some());
            bytes.failing += usize::from(errors().any(|(_, finding)| finding.runtime.fails()));
            let mut is_rejecting = false;
            for (id, finding) in errors() {
                let points_at_bytes = finding.primary.weights.as_ref().is_some_and(|range| range.offset == offset);
                is_rejecting |= points_at_bytes && finding.runtime.fails();
                let place = places.get(index.index()).copied().unwrap_or_default();
                bytes.errors.insert((!points_at_bytes, finding.body.len(), (place, layer.tag.start), *id));
            }
            bytes.rejecting += usize::from(is_rejecting);
        }
    }
}

/// Returns the findings of one graph that follow from wrong bytes: those at layers that compute with the values, and at
/// layers with an input whose shape depends on them.
fn consequences(
    checked: &Checked,
    wrong: &BTreeMap<u64, Bytes>,
    about_shapes: &ByLayer,
    sink: &Sink,
) -> Vec<(FindingId, u64)> {
    let graph = checked.scope.graph;
    let mut follows = Vec::new();
    let offsets_of = traced(checked);
    let mut shape_depends_on: Vec<Option<u64>> = vec![None; graph.layers.len()];
    for &layer_id in checked.facts.order() {
        let (index, Some(layer)) = (layer_id.index(), graph.layer(layer_id)) else { continue };
        let of_number = offsets_of[index].iter().copied().find(|offset| wrong.contains_key(offset));
        let of_shape = || {
            let mut sources = graph.inputs(layer).iter().filter_map(Port::source);
            sources.find_map(|source| shape_depends_on[source.layer.index()])
        };
        let Some(offset) = of_number.or_else(of_shape) else { continue };
        let here: SmallVec<[FindingId; 4]> = about_shapes.of(layer).filter(|id| sink.cause(*id).is_none()).collect();
        follows.extend(here.iter().map(|id| (*id, offset)));
        let is_output = |id: &FindingId| {
            let port = sink.get(*id).and_then(|finding| finding.port.as_ref());
            port.is_some_and(|port| port.direction == Direction::Output)
        };
        shape_depends_on[index] = of_shape().or_else(|| of_number.filter(|_| here.iter().any(is_output)));
    }
    follows
}

/// Whether a finding is evidence that the inputs of a layer are wrong: an error about shapes that follows from no other. Not
/// evidence: a wrong declaration of an input port, which says nothing of the layer.
fn is_error(sink: &Sink, id: FindingId, finding: &Diagnostic) -> bool {
    let is_given = finding.port.as_ref().is_none_or(|port| port.direction == Direction::Output);
    sink.cause(id).is_none()
        && is_about_shapes(finding)
        && finding.severity == Severity::Error
        && (is_given || finding.rule.group != Group::Declared)
}
