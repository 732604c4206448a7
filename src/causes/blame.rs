//! The attribute or constant at fault, where several ports agree on a value that differs from the one in the file.
//!
//! Example: a Concat of two `[1,3]` and all ports after it declare `[1,6]`. `axis` = 1 would give that, so the likely
//! mistake is `axis="0"`, not the ports.

use super::candidates::variants;
use super::shared_bytes::SharedBytes;
use super::solve::{Change, NEAR, Slot, Solution, list_text, open_inputs, solve};
use crate::arrange::Fill;
use crate::diagnostic::{
    Amendment, Applicability, Diagnostic, Direction, FindingId, Fix, Group, Hint, Label, Note, Rule, Severity, Sink,
    WeightsRange,
};
use crate::infer::bodies::rules::BAD_PORT_MAP;
use crate::ir::{Layer, Net, Role, find_attribute};
use crate::limits::SOLUTIONS;
use crate::lint::declared::Declared;
use crate::lint::rules::DECLARED_PRECISION;
use crate::lint::{Checked, for_every_graph};
use crate::ops::rules::WRONG_OUTPUT_COUNT;
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) static CONTRADICTED_VALUE: Rule = Rule::error(
    Group::Declared,
    "contradicted-value",
    "the declared ports fit a different value of an attribute or constant",
    "The outputs of a layer follow from its attributes, and from constants such as an axis or a list of lengths. If a \
     different value would give exactly what the ports of the layer and of the layers after it declare, then the \
     value in the file is probably wrong, not the ports: somebody edited an attribute, or a byte of the `.bin` \
     changed.\n\n\
     The shape of a Const also counts as such a value if the ports that read it declare another shape with the same number \
     of elements.\n\n\
     The model uses the value in the file, so it gives different results than before, or is no longer valid.\n\n\
     Findings that follow from the value are folded under this one. Restore the value, or export the model again; if the \
     value is right, correct the ports.",
)
.accepted(Severity::Error)
.fixed(Applicability::Unsafe);

/// Maximum number of families to examine, as each may need many trials. A family is a root finding and all findings that
/// follow from it.
const EXAMINED: usize = 16;

/// Maximum number of suspicious values whose sources a finding shows.
const SHOWN: usize = 3;

/// The result of the search for one family: amendments of its root, or a new finding that becomes the cause of the root.
struct Blame {
    root: FindingId,
    /// The finding that becomes the cause of the root.
    finding: Option<Diagnostic>,
    /// Further findings that become consequences of `finding`.
    explains: Vec<FindingId>,
    /// Labels at the constants and attributes that may be wrong.
    labels: Vec<Label>,
    help: Option<Hint>,
    fix: Option<Fix>,
}

/// Reports each value that explains a whole family, and labels the suspicious values of the other roots. Skips `edges`, the
/// findings that wrong edges already explain.
pub(super) fn find(checked: &Checked, net: &Net, declared: &Declared, edges: &BTreeSet<FindingId>, sink: &mut Sink) {
    let families = families(sink);
    let is_candidate = |finding: &Diagnostic| {
        is_of_output(finding)
            || [Group::Shapes, Group::Operations].contains(&finding.rule.group)
            || finding.rule == &WRONG_OUTPUT_COUNT
    };
    let is_root_candidate = |(id, finding): &(FindingId, &Diagnostic)| {
        finding.severity == Severity::Error && sink.cause(*id).is_none() && is_candidate(finding)
    };
    let mut roots: Vec<(u32, FindingId)> = sink
        .numbered()
        .filter(|one| is_root_candidate(one) && !edges.contains(&one.0))
        .filter_map(|(id, finding)| Some((finding.layer.as_ref()?.span.start, id)))
        .collect();
    if roots.is_empty() {
        return;
    }
    roots.sort_unstable();
    roots.truncate(EXAMINED);
    let mut tries = SOLUTIONS;
    let mut shared = SharedBytes::new(checked, net, declared, sink);
    let mut blames: Vec<Blame> = Vec::new();
    for_every_graph(checked, &mut |checked| {
        for (start, root) in &roots {
            let graph = checked.scope.graph;
            let Some(layer) = graph.layer_at(*start).and_then(|index| graph.layer(index)) else { continue };
            let Some(finding) = sink.get(*root) else { continue };
            let family = families.get(root).map(Vec::as_slice).unwrap_or_default();
            let family: Vec<&Diagnostic> = family.iter().filter_map(|id| sink.get(*id)).collect();
            blames.extend(blame(checked, layer, (*root, finding), &family, &mut shared, &mut tries));
        }
    });
    let mut by_span: BTreeMap<Span, FindingId> = BTreeMap::new();
    for Blame { root, finding, explains, labels, help, fix } in blames {
        let Some(finding) = finding else {
            for label in labels.into_iter().rev() {
                sink.amend(root, Amendment::Suspect(label));
            }
            let more = help.map(Amendment::Help).into_iter().chain(fix.map(Amendment::Fix));
            for amendment in more {
                sink.amend(root, amendment);
            }
            continue;
        };
        if sink.cause(root).is_some() {
            continue; // Another value explains it as well.
        }
        let span = finding.primary.span;
        let known = by_span.get(&span).copied().or_else(|| sink.push_cause(finding));
        let Some(cause) = known else { continue };
        by_span.insert(span, cause);
        sink.hand_over(root, cause);
        for other in consequences(sink, &explains) {
            sink.hand_over(other, cause);
            sink.amend(other, Amendment::NoFix);
        }
        let members = families.get(&root).into_iter().flatten().copied().chain([root]);
        for member in members {
            sink.amend(member, Amendment::NoFix); // The fix would make the file agree with the wrong value.
        }
    }
}

/// The findings to link to a value: the uncaused ones among `gone`, which vanish if the value is replaced, and errors in the
/// port maps of their layers.
fn consequences(sink: &Sink, gone: &[FindingId]) -> Vec<FindingId> {
    let layers: BTreeSet<Span> = gone.iter().filter_map(|id| Some(sink.get(*id)?.layer.as_ref()?.span)).into_set();
    let is_of_map = |finding: &Diagnostic| {
        finding.rule == &BAD_PORT_MAP && finding.layer.as_ref().is_some_and(|layer| layers.contains(&layer.span))
    };
    let roots =
        sink.numbered().filter(|(id, finding)| sink.cause(*id).is_none() && finding.rule != &CONTRADICTED_VALUE);
    roots.filter(|(id, finding)| gone.contains(id) || is_of_map(finding)).map(|(id, _)| id).collect()
}

/// Whether a finding compares an output port with the inferred fact.
fn is_of_output(finding: &Diagnostic) -> bool {
    let is_declared = finding.rule.group == Group::Declared || finding.rule == &DECLARED_PRECISION;
    is_declared && finding.port.as_ref().is_some_and(|port| port.direction == Direction::Output)
}

/// The consequences, direct or not, of every root.
pub(super) fn families(sink: &Sink) -> BTreeMap<FindingId, Vec<FindingId>> {
    let mut families: BTreeMap<FindingId, Vec<FindingId>> = BTreeMap::new();
    for (id, _) in sink.numbered() {
        let Some(root) = std::iter::successors(sink.cause(id), |cause| sink.cause(*cause)).last() else { continue };
        families.entry(root).or_default().push(id);
    }
    families
}

fn blame(
    checked: &Checked,
    layer: &Layer,
    (root, finding): (FindingId, &Diagnostic),
    family: &[&Diagnostic],
    shared: &mut SharedBytes,
    tries: &mut usize,
) -> Option<Blame> {
    let graph = checked.scope.graph;
    let fails = std::iter::once(finding).chain(family.iter().copied()).any(|one| one.runtime.fails());
    // A single contradicting port may itself be wrong: it is no evidence against the value.
    let is_port = is_of_output(finding);
    let has_support = !is_port || !family.is_empty();
    // Editing an input or a constant is usually intended, unless something fails because of it.
    let is_source = matches!(graph.kind(layer).role, Role::Parameter | Role::Const);
    if !has_support || is_source && !fails {
        return None;
    }
    let mut solutions = solve(checked, layer, tries);
    solutions.retain_mut(|solution| suits_all(checked, root, solution, shared));
    let sole_finding = match solutions.as_slice() {
        [only] => describe(checked, layer, only),
        _ => None,
    };
    // The ports are no evidence for a value if they fit others as well.
    let are_proven = solutions.len() <= SHOWN && solutions.iter().all(|solution| solution.is_only);
    if is_port && let Some(found) = sole_finding {
        let explains = solutions.into_iter().flat_map(|solution| solution.explains).collect();
        return Some(Blame { root, finding: Some(found), explains, labels: Vec::new(), help: None, fix: None });
    }
    // The operation's own fix is more specific. A rule may only have fixes of the applicability that it declares.
    let fix = sole_finding
        .and_then(|found| found.fix)
        .filter(|_| are_proven && finding.fix.is_none() && finding.rule.fix == CONTRADICTED_VALUE.fix);
    let labels: Vec<Label> = match solutions.as_slice() {
        [] if is_port => open_inputs(checked, layer)
            .into_iter()
            .take(SHOWN)
            .filter_map(|i| producer_label(checked, layer, i))
            .collect(),
        [] => return None,
        all => all.iter().take(SHOWN).filter_map(|one| source_label(checked, layer, one)).collect(),
    };
    let already_points_at = |span: Span| !is_port && spans_of(finding).any(|pointed| overlap(pointed, span));
    let labels = labels.into_iter().filter(|label| !already_points_at(label.span)).collect();
    let one = |Solution { change, .. }: &Solution| {
        format!("`{}` = {}", slot_name(checked, layer, change.slot()), change.texts().1)
    };
    let fitting: Vec<String> = solutions.iter().filter(|_| are_proven).map(one).collect();
    let already_says_what_fits = finding.notes.iter().any(|note| matches!(note, Note::Fits(_)))
        || finding.help.iter().any(|hint| matches!(hint, Hint::Fits(_)));
    let help = (!fitting.is_empty() && !already_says_what_fits)
        .then(|| format!("the declared ports fit {}", fitting.join(", or ")).into());
    Some(Blame { root, finding: None, explains: Vec::new(), labels, help, fix })
}

/// Whether all readers of the constant accept the proposed elements. Replaces the proposal by nearby elements if only those
/// suit all readers.
fn suits_all(checked: &Checked, root: FindingId, solution: &mut Solution, shared: &mut SharedBytes) -> bool {
    let (Change::Input(_, found, wanted), Some(leaf)) = (&mut solution.change, &mut solution.leaf) else { return true };
    let Some(constant) = checked.scope.graph.constant(leaf.layer) else { return true };
    // The layer reads the constant itself, not a value computed from it.
    let is_direct = *found == leaf.found && *wanted == leaf.wanted;
    let others = variants(found, &(-NEAR..=NEAR).collect::<Vec<_>>()).into_iter().filter(|_| is_direct);
    let candidates = std::iter::once(leaf.wanted.clone()).chain(others);
    let Some((best, explains)) = shared.best(root, constant, candidates) else { return false };
    solution.explains = explains;
    if is_direct {
        wanted.clone_from(&best);
    }
    leaf.wanted = best;
    true
}

/// The spans that a finding points at.
fn spans_of(finding: &Diagnostic) -> impl Iterator<Item = Span> {
    std::iter::once(&finding.primary).chain(&finding.labels).map(|label| label.span)
}

fn overlap(a: Span, b: Span) -> bool {
    a.start < b.end && b.start < a.end
}

/// A label at the source of a value that may be wrong.
fn source_label(checked: &Checked, layer: &Layer, Solution { change, leaf, .. }: &Solution) -> Option<Label> {
    let what = slot_name(checked, layer, change.slot());
    match (change, leaf) {
        (Change::Attr(name, ..), _) => {
            let span = find_attribute(checked.scope.source, layer.data, name)?.value;
            Some(Label::new(span, format!("is `{what}` right?")))
        }
        (_, Some(leaf)) => constant_label(checked, leaf.layer, format!("is `{what}` right?")),
        (Change::Input(input, ..), None) => producer_label(checked, layer, *input),
    }
}

/// A label at the producer of an input.
fn producer_label(checked: &Checked, layer: &Layer, input: usize) -> Option<Label> {
    let graph = checked.scope.graph;
    let what = slot_name(checked, layer, Slot::Input(input));
    let producer = graph.layer(graph.inputs(layer).get(input)?.source()?.layer)?;
    constant_label(checked, producer, format!("is `{what}` right?"))
        .or_else(|| Some(Label::new(producer.tag, format!("`{what}` is computed here: is it right?"))))
}

/// A label at the bytes of a constant.
fn constant_label(checked: &Checked, holder: &Layer, message: String) -> Option<Label> {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    let constant = graph.constant(holder)?;
    let mut label = Label::new(holder.data, message);
    label.weights = Some(WeightsRange { offset: constant.offset, size: constant.size });
    label.layer = Some(graph.name(source, holder).into_owned());
    Some(label)
}

pub(super) fn slot_name(checked: &Checked, layer: &Layer, slot: Slot) -> String {
    match slot {
        Slot::Attr(name) => name.to_owned(),
        Slot::Input(i) => {
            let input = checked.scope.graph.kind(layer).spec().and_then(|spec| spec.input(i));
            input.map_or_else(|| format!("input {i}"), |input| input.name.to_owned())
        }
    }
}

/// The finding about a value that should be replaced; `None` if its place in the file is unknown.
fn describe(checked: &Checked, layer: &Layer, Solution { change, leaf, .. }: &Solution) -> Option<Diagnostic> {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    let (found, wanted) = change.texts();
    let (what, of) = (slot_name(checked, layer, change.slot()), graph.name(source, layer));
    let message = format!("`{what}` of `{of}` is {found}, but all declared ports fit {wanted}");
    let label = format!("in this {} layer", graph.kind(layer).ty);
    match change {
        Change::Attr(name, ..) => {
            let span = find_attribute(source, layer.data, name)?.value;
            let finding = Diagnostic::new(&CONTRADICTED_VALUE, span, message).label(layer.tag, label);
            let mut finding = checked.about(layer, finding.fix(Fix::write(span, wanted)));
            finding.primary.message = format!("{what} = {found}").into();
            Some(finding)
        }
        Change::Input(..) => {
            let leaf = leaf.as_ref()?;
            let finding = Diagnostic::new(&CONTRADICTED_VALUE, leaf.layer.data, message).label(layer.tag, label);
            let mut finding = checked.about(leaf.layer, finding);
            let [holds, fits] = [&leaf.found, &leaf.wanted].map(|list| list_text(list));
            finding.primary = constant_label(checked, leaf.layer, format!("holds {holds}; {fits} would fit"))?;
            Some(finding.help("was the .bin changed after the export, or the offset of the constant?"))
        }
    }
}
