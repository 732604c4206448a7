//! A `.bin` that belongs to another `.xml`, told by the constants that hold axes, lengths and shapes.
//!
//! Only files with errors are looked at: a constant that makes no sense makes its consumer fail, or give another shape than
//! is declared.

use super::rules::weights_rule;
use super::{Checked, for_every_graph};
use crate::diagnostic::{Diagnostic, Group, Rule, Severity, Sink, WeightsRange};
use crate::ir::{Constant, Layer, Role};
use crate::ops::Meaning;
use crate::source::Span;

pub(crate) static SUSPICIOUS_SHAPE_CONSTANT: Rule = weights_rule(
    "suspicious-shape-constant",
    "constants that hold axes, lengths or shapes make no sense",
    "Small constants tell along which axis a tensor is split, or to which shape it is brought. Where most of them hold numbers \
     that cannot be meant, such as an axis of 4575657222473777152, the bytes are not those that the `.xml` was written with: \
     the `.bin` belongs to another model, or bytes were lost or added on the way. If the bytes a few places away make sense, \
     the finding says so.\n\n\
     Reported once per file; findings about shapes are folded under it. Put the `.bin` beside the `.xml` that was written \
     together with it.",
);

/// Bytes that may have been lost or added.
const SHIFT: i64 = 8;

/// Elements of a constant that is judged.
const ELEMENTS: u64 = 64;

/// A length beyond this is no length of a tensor.
const LENGTH: i64 = 1 << 28;

/// What stands for no bound at all.
const ENDLESS: [i64; 4] = [i64::MAX, i64::MIN, i32::MAX as i64, i32::MIN as i64];

/// A constant that decides a shape.
struct Use {
    constant: Constant,
    input: &'static str,
    rank: Option<usize>,
    values: Vec<i64>,
    data: Span,
    told: Diagnostic,
}

pub(super) fn check(checked: &Checked, sink: &mut Sink) {
    let rests_on_weights = |finding: &Diagnostic| {
        let mut labels = finding.labels.iter().chain([&finding.primary]);
        finding.severity >= Severity::Warning && is_about_shapes(finding) && labels.any(|label| label.weights.is_some())
    };
    if !sink.findings().iter().any(rests_on_weights) {
        return;
    }
    let (mut sensible, mut odd) = (0, Vec::new());
    for_every_graph(checked, &mut |checked| {
        for layer in &checked.scope.graph.layers {
            for used in uses(checked, layer) {
                if is_sensible(used.input, used.rank, &used.values) {
                    sensible += 1;
                } else {
                    odd.push(used);
                }
            }
        }
    });
    let Some(first) = odd.first() else { return };
    let shift = shift(checked, &odd);
    if odd.len() < 2 || odd.len() < sensible {
        explain(&odd, shift, sink);
        return;
    }
    let path = checked.scope.weights.path.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
    let all = odd.len() + sensible;
    let message = format!("{} of {all} constants that hold axes, lengths or shapes make no sense in {path}", odd.len());
    let mut finding = first.told.clone();
    finding.message = message;
    finding.notes = odd.iter().take(3).map(|used| used.told.message.clone()).collect();
    finding.notes.extend(shift.map(shift_note));
    finding.help.push("is it the .bin that was written together with this .xml?".to_owned());
    let name = finding.layer.as_ref().map(|layer| layer.name.clone());
    let mut found = sink.take_back(0);
    for other in found.iter_mut().filter(|other| is_about_shapes(other)) {
        other.consequence_of.clone_from(&name);
        finding.consequences += 1 + std::mem::take(&mut other.consequences);
    }
    sink.report(finding);
    for finding in found {
        sink.report(finding);
    }
}

fn is_about_shapes(finding: &Diagnostic) -> bool {
    matches!(finding.rule.group, Group::Shapes | Group::Declared | Group::Types)
        || finding.rule.name == "dynamic-rank"
        || finding.rule.name == "empty-tensor"
}

/// The constants that decide what a layer gives.
fn uses<'a>(checked: &'a Checked, layer: &'a Layer) -> impl Iterator<Item = Use> + 'a {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    let inputs = graph.inputs(layer);
    let spec = match graph.kind(layer).meaning {
        Meaning::Modelled(spec) => Some(spec),
        _ => None,
    };
    let rank = inputs.first().and_then(|port| checked.facts.of_port(port)?.rank());
    inputs.iter().enumerate().filter_map(move |(i, port)| {
        let input = spec?.input(i).filter(|input| input.reads_value)?;
        let producer = graph.layer(port.source()?.layer).filter(|layer| graph.kind(layer).role == Role::Const)?;
        let constant = graph.constant(producer).filter(|constant| constant.ty.is_integer())?;
        let values = values(checked, constant)?;
        let name = graph.name(source, producer);
        let shown: Vec<String> = values.iter().take(4).map(i64::to_string).collect();
        let more = if values.len() > 4 { ", .." } else { "" };
        let consumer = graph.name(source, layer);
        let message =
            format!("Const `{name}` is `{}` of `{consumer}` and holds [{}{more}]", input.name, shown.join(", "));
        let mut told = checked.about(producer, Diagnostic::new(&SUSPICIOUS_SHAPE_CONSTANT, producer.data, message));
        told.primary.message = format!("{} = [{}{more}]", input.name, shown.join(", "));
        told.primary.weights = Some(WeightsRange { offset: constant.offset, size: constant.size });
        told.labels.clear();
        let constant = constant.clone();
        Some(Use { constant, input: input.name, rank, values, data: producer.data, told })
    })
}

fn values(checked: &Checked, constant: &Constant) -> Option<Vec<i64>> {
    let is_small = constant.elements().is_some_and(|count| (1..=ELEMENTS).contains(&count));
    let value = checked.scope.weights.value(constant).filter(|_| is_small)?;
    Some(value.exact_integers()?.to_vec())
}

/// Whether somebody can have meant these numbers.
fn is_sensible(input: &str, rank: Option<usize>, values: &[i64]) -> bool {
    let all = |low: i64, high: i64| values.iter().all(|value| (low..=high).contains(value));
    match input {
        "axis" | "axes" | "reversed_axes" => {
            let rank = rank.and_then(|rank| i64::try_from(rank).ok()).unwrap_or(64).max(1);
            all(-rank - 1, rank) // Unsqueeze counts the axes that it adds.
        }
        "input_order" => (0..values.len()).all(|axis| values.iter().any(|value| usize::try_from(*value) == Ok(axis))),
        "output_shape" | "target_shape" | "split_lengths" | "repeats" => {
            let elements = values.iter().filter(|value| **value > 0).try_fold(1_i64, |n, value| n.checked_mul(*value));
            all(-1, LENGTH) && elements.is_some()
        }
        _ => values.iter().all(|value| (-LENGTH..=LENGTH).contains(value) || ENDLESS.contains(value)),
    }
}

/// How many bytes on all constants would make sense that can be read there, and not only as zeros; the least such distance.
fn shift(checked: &Checked, odd: &[Use]) -> Option<i64> {
    let all_make_sense = |shift: &i64| {
        let mut is_told = false;
        for used in odd {
            let moved = used.constant.offset.checked_add_signed(*shift);
            let moved = moved.and_then(|offset| values(checked, &Constant { offset, ..used.constant.clone() }));
            let Some(moved) = moved else { continue };
            if !is_sensible(used.input, used.rank, &moved) {
                return false;
            }
            is_told |= moved.iter().any(|value| *value != 0);
        }
        is_told
    };
    (1..=SHIFT).flat_map(|distance| [distance, -distance]).find(all_make_sense)
}

fn shift_note(shift: i64) -> String {
    let (count, side) = (shift.abs(), if shift > 0 { "after" } else { "before" });
    let plural = if count == 1 { "" } else { "s" };
    let change = if shift > 0 { "added" } else { "lost" };
    format!("{count} byte{plural} {side} their offsets all of them make sense, so bytes were {change} in front")
}

/// Adds to findings about single constants that the bytes nearby make sense.
fn explain(odd: &[Use], shift: Option<i64>, sink: &mut Sink) {
    let Some(shift) = shift else { return };
    let mut found = sink.take_back(0);
    for used in odd {
        let is_here = |finding: &&mut Diagnostic| {
            is_about_shapes(finding)
                && finding.severity == Severity::Error
                && finding.labels.iter().chain([&finding.primary]).any(|label| label.span == used.data)
        };
        if let Some(finding) = found.iter_mut().find(is_here) {
            let (count, side) = (shift.abs(), if shift > 0 { "after" } else { "before" });
            let plural = if count == 1 { "" } else { "s" };
            finding
                .notes
                .push(format!("the bytes {count} place{plural} {side} its offset make sense as `{}`", used.input));
        }
    }
    for finding in found {
        sink.report(finding);
    }
}
