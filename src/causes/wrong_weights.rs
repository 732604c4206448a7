//! Weights that are not those of the model: a `.bin` of another `.xml`, or one whose bytes were lost, moved or set to 0. They
//! show in constants that hold axes, dimensions and shapes.
//!
//! Zeros at the end of a local file are always looked for, implausible constants only if there are findings about shapes: such
//! a constant makes its consumer fail, or changes the consumer's output shape.

mod damage;

use crate::arrange::Fill;
use crate::diagnostic::{
    Amendment, Diagnostic, FindingId, Group, LIMIT_EXCEEDED, Label, Note, Rule, Runtime, Severity, Sink, WeightsRange,
};
use crate::ir::{Constant, Layer, Role};
use crate::lint::rules::{EMPTY_TENSOR, WEIGHTS_TRAILING_BYTES, WEIGHTS_TRUNCATED, weights_rule};
use crate::lint::shapes::DYNAMIC_RANK;
use crate::lint::weights::{DEEP, zero_tail};
use crate::lint::{Checked, for_every_graph};
use crate::ops::Meaning;
use crate::ops::rules::{AXIS_RANGE, INPUT_VALUE, SPLIT_LENGTHS_SUM};
use crate::source::Span;
use crate::text::plural;
use damage::Damage;
use std::collections::BTreeSet;

pub(crate) static SUSPICIOUS_SHAPE_CONSTANT: Rule = weights_rule(
    "suspicious-shape-constant",
    "constants that hold axes, lengths or shapes are implausible",
    "Small constants hold the axis along which a tensor is split, or the shape of a Reshape. If several of them hold \
     implausible numbers, such as an axis of 4575657222473777152, the `.xml` was written with other bytes: the `.bin` \
     belongs to another model, or bytes were lost or added. If the bytes a few positions away make \
     sense, or the same bytes in another order, the finding says so.\n\n\
     Reported once per file; findings about shapes are folded under it. Put the `.bin` beside the `.xml` that it was \
     exported with.",
)
.whole();

/// Maximum number of elements of a constant to judge.
const ELEMENTS: u64 = 64;

/// Maximum number of implausible or rejected constants to read again at shifted offsets.
const LOOKED_AT: usize = 1000;
/// Maximum number of these constants that the finding lists.
const LISTED: usize = 3;

/// Maximum number of constants whose findings get an explanation.
const EXPLAINED: usize = 64;

/// The largest plausible dimension.
const LENGTH: i64 = 1 << 28;

/// The largest plausible number at another offset, where it is by chance that bytes make sense.
const NUMBER: i64 = 1 << 20;

/// Values that mean "no bound".
const ENDLESS: [i64; 4] = [i64::MAX, i64::MIN, i32::MAX as i64, i32::MIN as i64];

/// Rules by which operations reject the elements of a constant.
static REFUSALS: [&Rule; 3] = [&AXIS_RANGE, &INPUT_VALUE, &SPLIT_LENGTHS_SUM];

/// A constant that decides a shape.
struct Use {
    constant: Constant,
    /// The start of the tag of the layer that reads the constant.
    reader: u32,
    /// The index of the input that reads it, and its name.
    index: usize,
    input: &'static str,
    rank: Option<usize>,
    values: Vec<i64>,
    data: Span,
}

impl Use {
    /// Whether the elements are plausible.
    fn is_sensible(&self) -> bool {
        is_sensible(self.input, self.rank, &self.values)
    }

    /// Whether all of `odd` read its bytes.
    fn is_only(&self, odd: &[Self]) -> bool {
        odd.iter().all(|other| other.constant.offset == self.constant.offset)
    }

    /// The constant with another offset.
    fn moved(&self, shift: i64) -> Option<Constant> {
        let offset = self.constant.offset.checked_add_signed(shift)?;
        Some(Constant { offset, ..self.constant.clone() })
    }
}

/// Reports constants that make no sense; `edges` are the findings about wrong edges, which say nothing of bytes.
pub(crate) fn check(checked: &Checked, edges: &BTreeSet<FindingId>, sink: &mut Sink) {
    let depends_on_weights = |finding: &&Diagnostic| finding.severity >= Severity::Warning && is_about_shapes(finding);
    let offsets = |finding| labels_of(finding).filter_map(|label| Some(label.weights.as_ref()?.offset));
    let last = sink.findings().iter().filter(depends_on_weights).flat_map(offsets).max();
    if report_zeros(checked, last, sink) || last.is_none() {
        return;
    }
    let is_refused = |finding: &&Diagnostic| finding.severity == Severity::Error && REFUSALS.contains(&finding.rule);
    let of_primary = |finding: &Diagnostic| finding.primary.weights.as_ref().map(|range| range.offset);
    let refused = sink.findings().iter().filter(is_refused).filter_map(of_primary);
    let refused: BTreeSet<u64> = refused.into_set();
    // Equal constants are stored once, so sets of offsets count them once, too.
    let [mut all, mut absurd, mut wrong] = [const { BTreeSet::new() }; 3];
    let (mut odd, mut listed) = (Vec::new(), Vec::new());
    for_every_graph(checked, &mut |checked| {
        for layer in &checked.scope.graph.layers {
            for (producer, used) in uses(checked, layer) {
                let offset = used.constant.offset;
                all.insert(offset);
                let is_absurd = !used.is_sensible();
                if !is_absurd && !refused.contains(&offset) {
                    continue;
                }
                if is_absurd {
                    absurd.insert(offset);
                }
                if wrong.insert(offset) && listed.len() < LISTED {
                    listed.push(describe(checked, layer, producer, &used));
                }
                if odd.len() < LOOKED_AT {
                    odd.push(used);
                }
            }
        }
    });
    let Some(first) = listed.first() else { return };
    let damage = Damage::find(checked, &odd);
    // A fault of the XML can also make operations reject some constants.
    let [all, absurd, count] = [all.len(), absurd.len(), wrong.len()];
    let is_told = absurd >= 2 && damage.as_ref().is_some_and(|damage| damage.is_certain(checked));
    let is_many = is_told || absurd >= 2 && absurd * 2 >= all || refused.len() >= 4 && count * 8 >= all;
    if !is_many {
        explain(checked, &odd, damage.as_ref(), edges, sink);
        return;
    }
    let path = checked.scope.weights.shown();
    let mut finding = first.clone();
    let places = if count == all { format!("all {all}") } else { format!("at least {count} of {all}") };
    finding.message = format!("the axes, lengths or shapes at {places} places in {path} are implausible").into();
    finding.notes = listed.into_iter().map(|one| one.message.into()).collect();
    finding.notes.extend(damage.map(|damage| Note::from(damage.note("all of them make"))));
    if odd.iter().flat_map(|used| &used.values).all(|value| *value == 0) {
        finding.notes.push("all bytes are 0; was the write interrupted?".into());
    }
    finding.help.push("was this .bin exported with this .xml?".into());
    // Causes are linked within one graph only. A wrong file also has the wrong size.
    let follows = |other: &Diagnostic| is_about_size(other) || is_about_shapes(other) && other.body == finding.body;
    let consequences = || sink.numbered().filter(|(_, other)| follows(other));
    // OpenVINO may accept implausible numbers, so the consequences decide.
    let failures = [Runtime::Rejects, Runtime::Unknown, Runtime::NotCompiled, Runtime::MayNotCompile];
    let is_found = |runtime: &Runtime| consequences().any(|(_, other)| other.runtime == *runtime);
    finding.runtime = failures.into_iter().find(is_found).unwrap_or(Runtime::Accepts);
    let consequences: Vec<FindingId> = consequences().map(|(id, _)| id).collect();
    let of_size = sink.findings().iter().filter(|other| is_about_size(other));
    finding.notes.extend(of_size.map(|other| other.message.clone().into()));
    push_cause(finding, consequences, sink);
}

/// Reports a finding about wrong bytes with its consequences.
fn push_cause(finding: Diagnostic, consequences: Vec<FindingId>, sink: &mut Sink) {
    let Some(cause) = sink.push_cause(finding) else { return };
    for id in consequences {
        sink.hand_over(id, cause);
        sink.amend(id, Amendment::NoFix); // The fix would make the file agree with the wrong bytes.
    }
}

/// Reports a file that ends in zeros. Returns whether it explains the findings, of which one is about a constant at `last`.
fn report_zeros(checked: &Checked, last: Option<u64>, sink: &mut Sink) -> bool {
    let is_deep = DEEP.iter().any(|rule| checked.options.enables(rule));
    // Of remote files, only `--deep` fetches more.
    let is_read = is_deep || checked.scope.weights.traffic().is_none();
    let Some((start, mut finding)) = is_read.then(|| zero_tail(checked)).flatten() else { return false };
    let is_cause = last >= Some(start);
    finding.severity = if is_cause { Severity::Error } else { Severity::Warning };
    let follows = |other: &Diagnostic| is_cause && is_about_shapes(other) && other.body == finding.body;
    let consequences = sink.numbered().filter(|(_, other)| follows(other)).map(|(id, _)| id).collect();
    // Weights that are all 0 may be meant.
    if is_cause || start > 0 || is_deep {
        push_cause(finding, consequences, sink);
    }
    is_cause
}

/// The labels of a finding, the primary one included.
fn labels_of(finding: &Diagnostic) -> impl Iterator<Item = &Label> {
    finding.labels.iter().chain([&finding.primary])
}

/// Whether a finding compares the size of the weights with the expected one.
fn is_about_size(finding: &Diagnostic) -> bool {
    [&WEIGHTS_TRUNCATED, &WEIGHTS_TRAILING_BYTES].contains(&finding.rule)
}

/// Whether a wrong shape can be the cause of a finding.
pub(crate) fn is_about_shapes(finding: &Diagnostic) -> bool {
    let groups = [Group::Shapes, Group::Declared, Group::Types];
    let rules: [&Rule; 3] = [&LIMIT_EXCEEDED, &DYNAMIC_RANK, &EMPTY_TENSOR];
    groups.contains(&finding.rule.group) || finding.layer.is_some() && rules.contains(&finding.rule)
}

/// Returns the constants that decide the output shapes of a layer.
fn uses<'a>(checked: &'a Checked, layer: &'a Layer) -> impl Iterator<Item = (&'a Layer, Use)> {
    let graph = checked.scope.graph;
    let inputs = graph.inputs(layer);
    let spec = match graph.kind(layer).meaning {
        Meaning::Modelled(spec) => Some(spec),
        _ => None,
    };
    let rank = inputs.first().and_then(|port| checked.facts.of_port(port)?.rank());
    inputs.iter().enumerate().filter_map(move |(i, port)| {
        let input = spec?.input(i).filter(|input| input.reads_value)?.name;
        let producer = graph.layer(port.source()?.layer).filter(|layer| graph.kind(layer).role == Role::Const)?;
        let constant = graph.constant(producer).filter(|constant| constant.ty.is_integer())?.clone();
        let values = values(checked, &constant)?;
        let (reader, data) = (layer.tag.start, producer.data);
        Some((producer, Use { constant, reader, index: i, input, rank, values, data }))
    })
}

/// Returns the finding about an implausible constant.
fn describe(checked: &Checked, layer: &Layer, producer: &Layer, used: &Use) -> Diagnostic {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    let Use { constant, input, values, .. } = used;
    let shown: Vec<String> = values.iter().take(4).map(i64::to_string).collect();
    let shown = format!("[{}{}]", shown.join(", "), if values.len() > 4 { ", .." } else { "" });
    let (name, consumer) = (graph.name(source, producer), graph.name(source, layer));
    let message = format!("Const `{name}`, which is `{input}` of `{consumer}`, holds {shown}");
    let mut finding = checked.about(producer, Diagnostic::new(&SUSPICIOUS_SHAPE_CONSTANT, producer.data, message));
    finding.primary.message = format!("{input} = {shown}").into();
    finding.primary.weights = Some(WeightsRange { offset: constant.offset, size: constant.size });
    finding
}

fn values(checked: &Checked, constant: &Constant) -> Option<Vec<i64>> {
    let is_small = constant.elements().is_some_and(|count| (1..=ELEMENTS).contains(&count));
    let value = checked.scope.weights.value(constant).filter(|_| is_small)?;
    Some(value.exact_integers()?.to_vec())
}

/// Whether the elements are plausible for this input.
fn is_sensible(input: &str, rank: Option<usize>, values: &[i64]) -> bool {
    let all = |low: i64, high: i64| values.iter().all(|value| (low..=high).contains(value));
    match input {
        "axis" | "axes" | "reversed_axes" => {
            let rank = rank.and_then(|rank| i64::try_from(rank).ok()).unwrap_or(64).max(1);
            all(-rank - 1, rank) // The axes of Unsqueeze index its output, which has more dimensions.
        }
        "input_order" => (0..values.len()).all(|axis| values.iter().any(|value| usize::try_from(*value) == Ok(axis))),
        "output_shape" | "target_shape" | "split_lengths" | "repeats" => {
            let elements = values.iter().filter(|value| **value > 0).try_fold(1_i64, |n, value| n.checked_mul(*value));
            all(-1, LENGTH) && elements.is_some()
        }
        _ => values.iter().all(|value| (-LENGTH..=LENGTH).contains(value) || ENDLESS.contains(value)),
    }
}

/// Adds notes to findings about single constants: nearby bytes are plausible, or the elements cannot be right.
fn explain(checked: &Checked, odd: &[Use], damage: Option<&Damage>, edges: &BTreeSet<FindingId>, sink: &mut Sink) {
    let shift = damage.and_then(Damage::shift);
    let is_certain = damage.is_some_and(|damage| damage.is_certain(checked));
    let mut amendments: Vec<(FindingId, Amendment)> = Vec::new();
    for used in odd.iter().take(EXPLAINED) {
        let is_here = |(_, finding): &(FindingId, &Diagnostic)| {
            is_about_shapes(finding)
                && finding.severity == Severity::Error
                && labels_of(finding).any(|label| label.span == used.data)
        };
        let is_new = |id: &FindingId| !edges.contains(id) && amendments.iter().all(|(known, _)| known != id);
        let Some((id, _)) = sink.numbered().find(is_here).filter(|(id, _)| is_new(id)) else { continue };
        // If several constants share an offset, the offset is probably right, unless the size of the file says otherwise.
        let is_shared = |other: &&Use| other.constant.offset == used.constant.offset && other.data != used.data;
        let is_small = |value: &i64| (-NUMBER..=NUMBER).contains(value) || ENDLESS.contains(value);
        let is_there = |shift: &i64| {
            let moved = used.moved(*shift).and_then(|moved| values(checked, &moved));
            moved.is_some_and(|values| values.iter().all(is_small))
        };
        if let Some(shift) = shift.filter(is_there).filter(|_| is_certain || !odd.iter().any(|other| is_shared(&other)))
        {
            let (count, s) = (shift.abs(), plural(shift.unsigned_abs()));
            let side = if shift > 0 { "after" } else { "before" };
            let note = format!(
                "the value {count} byte{s} {side} the offset in the file would be a plausible `{}`",
                used.input
            );
            amendments.push((id, Amendment::Note(note.into())));
        } else if let Some(damage) = damage.filter(|damage| damage.is_reversed() && used.is_only(odd)) {
            amendments.push((id, Amendment::Note(damage.note("this constant makes").into())));
        } else if used.values.iter().any(|value| !(-LENGTH..=LENGTH).contains(value) && !ENDLESS.contains(value)) {
            let help = "this number is implausible: was this .bin exported with this .xml?";
            amendments.push((id, Amendment::Help(help.into())));
        }
    }
    for (id, amendment) in amendments {
        sink.amend(id, amendment);
    }
}
