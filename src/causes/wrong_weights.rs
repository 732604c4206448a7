//! A `.bin` that belongs to another `.xml`, recognised by constants that hold axes, dimensions and shapes.
//!
//! Only files with errors are checked: an implausible constant makes its consumer fail, or changes the consumer's output shape.

use crate::diagnostic::{
    Amendment, Diagnostic, FindingId, Group, LIMIT_EXCEEDED, Label, Note, Rule, Runtime, Severity, Sink, WeightsRange,
};
use crate::infer::with_call;
use crate::ir::{Constant, Layer, Role};
use crate::lint::rules::{EMPTY_TENSOR, WEIGHTS_TRAILING_BYTES, WEIGHTS_TRUNCATED, weights_rule};
use crate::lint::shapes::DYNAMIC_RANK;
use crate::lint::weights::{DEEP, zero_tail};
use crate::lint::{Checked, for_every_graph};
use crate::ops::apply::Call;
use crate::ops::rules::{AXIS_RANGE, INPUT_VALUE, SPLIT_LENGTHS_SUM};
use crate::ops::{Fault, Meaning};
use crate::source::Span;
use crate::text::plural;
use crate::types::Fact;
use std::collections::BTreeSet;

pub(crate) static SUSPICIOUS_SHAPE_CONSTANT: Rule = weights_rule(
    "suspicious-shape-constant",
    "constants that hold axes, lengths or shapes make no sense",
    "Small constants hold the axis along which a tensor is split, or the shape of a Reshape. If several of them hold \
     implausible numbers, such as an axis of 4575657222473777152, the bytes are not those that the `.xml` was written \
     with: the `.bin` belongs to another model, or bytes were lost or added. If the bytes a few positions away make \
     sense, the finding says so.\n\n\
     Reported once per file; findings about shapes are folded under it. Put the `.bin` beside the `.xml` that it was \
     exported with.",
);

/// The largest distance in bytes, in both directions, by which the offsets of constants may be wrong.
const SHIFT: i64 = 8;

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
    let refused: BTreeSet<u64> = refused.collect();
    // Equal constants are stored once, so sets of offsets count them once, too.
    let [mut all, mut absurd, mut wrong] = [const { BTreeSet::new() }; 3];
    let (mut odd, mut listed) = (Vec::new(), Vec::new());
    for_every_graph(checked, &mut |checked| {
        for layer in &checked.scope.graph.layers {
            for (producer, used) in uses(checked, layer) {
                let offset = used.constant.offset;
                all.insert(offset);
                let is_absurd = !is_sensible(used.input, used.rank, &used.values);
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
    let size = checked.scope.weights.size().cast_signed();
    let extra = size.saturating_sub(checked.scope.graph.weights_end().cast_signed());
    let is_extra = || extra != 0 && would_make_sense(&odd, |used| values(checked, &used.moved(extra)?));
    let reversed = |used: &Use, value: &i64| value.swap_bytes() >> 64_u32.saturating_sub(used.constant.ty.bits());
    let all_reversed = |used: &Use| Some(used.values.iter().map(|value| reversed(used, value)).collect());
    let is_reversed = extra == 0 && would_make_sense(&odd, all_reversed);
    let shift = if is_extra() { Some(extra) } else { shift(checked, &odd).filter(|_| !is_reversed) };
    // A fault of the XML can also make operations reject some constants.
    let [all, absurd, count] = [all.len(), absurd.len(), wrong.len()];
    let is_many = absurd >= 2 && absurd * 2 >= all || refused.len() >= 4 && count * 8 >= all;
    if !is_many {
        explain(checked, &odd, shift, edges, sink);
        return;
    }
    let path = checked.scope.weights.shown();
    let mut finding = first.clone();
    finding.message =
        format!("{count} of {all} constants that hold axes, lengths or shapes make no sense in {path}").into();
    finding.notes = listed.into_iter().map(|one| one.message.into()).collect();
    finding.notes.extend(shift.map(shift_note).map(Note::from));
    if is_reversed {
        let note = "with the bytes of each number reversed all of them make sense: is the file big-endian?";
        finding.notes.push(note.into());
    }
    if odd.iter().flat_map(|used| &used.values).all(|value| *value == 0) {
        finding.notes.push("all bytes are 0; was the write interrupted?".into());
    }
    finding.help.push("was this .bin exported with this .xml?".into());
    // Causes are linked within one graph only. A wrong file also has the wrong size.
    let follows = |other: &Diagnostic| is_about_size(other) || is_about_shapes(other) && other.body == finding.body;
    let consequences = || sink.numbered().filter(|(_, other)| follows(other));
    // OpenVINO may accept implausible numbers, so the consequences decide.
    let failures = [Runtime::Rejects, Runtime::Unknown, Runtime::NotCompiled];
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

/// Reports a file that ends in zeros, if a finding is about a constant in them, at `last`, or if `--deep` reads all bytes.
/// Returns whether it explains the findings.
fn report_zeros(checked: &Checked, last: Option<u64>, sink: &mut Sink) -> bool {
    let is_deep = DEEP.iter().any(|rule| checked.options.enables(rule));
    // Of remote files, no more is fetched.
    let is_read = (is_deep || last.is_some()) && checked.scope.weights.traffic().is_none();
    let Some((start, mut finding)) = is_read.then(|| zero_tail(checked)).flatten() else { return false };
    let is_cause = last >= Some(start);
    finding.severity = if is_cause { Severity::Error } else { Severity::Warning };
    let follows = |other: &Diagnostic| is_cause && is_about_shapes(other) && other.body == finding.body;
    let consequences = sink.numbered().filter(|(_, other)| follows(other)).map(|(id, _)| id).collect();
    if is_deep || is_cause {
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
    let message = format!("Const `{name}` is `{input}` of `{consumer}` and holds {shown}");
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

/// Whether all constants in `odd` are plausible with other values, and most are not with theirs.
fn would_make_sense(odd: &[Use], other: impl Fn(&Use) -> Option<Vec<i64>>) -> bool {
    // The rank of an input follows from other constants, which are wrong as well.
    let makes_sense = |used: &Use| other(used).is_some_and(|values| is_sensible(used.input, None, &values));
    let absurd = odd.iter().filter(|used| !is_sensible(used.input, used.rank, &used.values)).count();
    let are_sensible = || odd.iter().all(makes_sense);
    absurd >= 2 && absurd * 2 > odd.len() && are_sensible()
}

/// Returns the smallest shift of the offsets, in bytes, with which every constant in `odd` is plausible and accepted by the
/// layer that reads it, and at least one of them is not 0. Constants that such a shift moves out of the weights are ignored.
fn shift(checked: &Checked, odd: &[Use]) -> Option<i64> {
    let plausible = odd.iter().filter(|used| is_sensible(used.input, used.rank, &used.values)).count();
    if plausible * 2 > odd.len() {
        return None; // Most are plausible as they are.
    }
    let all_make_sense = |shift: &i64| {
        let mut is_nonzero = false;
        for used in odd {
            let Some(moved) = used.moved(*shift).and_then(|moved| values(checked, &moved)) else { continue };
            if !is_sensible(used.input, used.rank, &moved) {
                return false;
            }
            is_nonzero |= moved.iter().any(|value| *value != 0);
        }
        is_nonzero
    };
    let mut shifts: Vec<i64> = (1..=SHIFT).flat_map(|distance| [distance, -distance]).filter(all_make_sense).collect();
    for_every_graph(checked, &mut |checked| {
        for used in odd.chunk_by(|a, b| a.reader == b.reader) {
            shifts.retain(|shift| accepts(checked, used, *shift) != Some(false));
        }
    });
    shifts.first().copied()
}

/// Whether a layer accepts the bytes that lie `shift` after those of its constants; `None` if the layer is in another graph.
fn accepts(checked: &Checked, used: &[Use], shift: i64) -> Option<bool> {
    let graph = checked.scope.graph;
    let layer = graph.layer(graph.layer_at(used.first()?.reader)?)?;
    let spec = graph.kind(layer).spec()?;
    with_call(checked.scope.source, graph, checked.facts, layer, spec, |call| {
        let mut inputs: Vec<Fact> = call.inputs.iter().map(|fact| (*fact).clone()).collect();
        for one in used {
            let value = one.moved(shift).and_then(|moved| checked.scope.weights.value(&moved));
            let input = inputs.get_mut(one.index)?;
            *input = std::mem::replace(input, Fact::unknown()).with_value(value);
        }
        let inputs: Vec<&Fact> = inputs.iter().collect();
        let result = Call { inputs: &inputs, ..*call }.apply(checked.scope.limits);
        Some(!result.faults.iter().any(Fault::is_error))
    })
}

fn shift_note(shift: i64) -> String {
    let (count, s) = (shift.abs(), plural(shift.unsigned_abs()));
    let (side, change) = if shift > 0 { ("after", "added") } else { ("before", "lost") };
    let header = if shift > SHIFT && count.count_ones() == 1 { ": is it a header?" } else { "" };
    format!("{count} byte{s} {side} their offsets all of them make sense, so bytes were {change} in front{header}")
}

/// Adds notes to findings about single constants: nearby bytes are plausible, or the elements cannot be right.
fn explain(checked: &Checked, odd: &[Use], shift: Option<i64>, edges: &BTreeSet<FindingId>, sink: &mut Sink) {
    let mut amendments: Vec<(FindingId, Amendment)> = Vec::new();
    for used in odd.iter().take(EXPLAINED) {
        let is_here = |(_, finding): &(FindingId, &Diagnostic)| {
            is_about_shapes(finding)
                && finding.severity == Severity::Error
                && labels_of(finding).any(|label| label.span == used.data)
        };
        let Some((id, _)) = sink.numbered().find(is_here).filter(|(id, _)| !edges.contains(id)) else { continue };
        // If several constants share an offset, the offset is probably right.
        let is_shared = |other: &&Use| other.constant.offset == used.constant.offset && other.data != used.data;
        let is_there = |shift: &i64| used.moved(*shift).and_then(|moved| values(checked, &moved)).is_some();
        if let Some(shift) = shift.filter(is_there).filter(|_| !odd.iter().any(|other| is_shared(&other))) {
            let (count, s) = (shift.abs(), plural(shift.unsigned_abs()));
            let side = if shift > 0 { "after" } else { "before" };
            let note = format!("the bytes {count} place{s} {side} its offset make sense as `{}`", used.input);
            amendments.push((id, Amendment::Note(note.into())));
        } else if used.values.iter().any(|value| !(-LENGTH..=LENGTH).contains(value) && !ENDLESS.contains(value)) {
            let help = "no model needs such a number: was this .bin exported with this .xml?";
            amendments.push((id, Amendment::Help(help.into())));
        }
    }
    for (id, amendment) in amendments {
        sink.amend(id, amendment);
    }
}
