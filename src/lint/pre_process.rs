//! The means of a `<pre-process>` and the input that OpenVINO subtracts them from.

use super::Checked;
use crate::diagnostic::{Diagnostic, Group, Rule, Runtime, Severity, Sink};
use crate::ir::{Layer, LayerId, Mean, PreProcess, Role, unescape};
use crate::source::Span;
use crate::text::{did_you_mean, nearest, plural};
use crate::types::{ElementType, Fact};
use std::collections::BTreeMap;

pub(crate) static BAD_PRE_PROCESS: Rule = Rule::error(
    Group::Graph,
    "bad-pre-process",
    "a `<pre-process>` does not fit its input",
    "Older converters wrote the mean of each channel into the IR, to be subtracted from the input that \
     `reference-layer-name` names, or from the first input of 4 dimensions. A mean is a number (`value`), or an \
     image in the weights (`offset` and `size`) that has the type, the height and the width of the input. The input \
     must be static and have 2 to 5 dimensions, and each of its channels needs a mean.\n\n\
     Two means for one channel leave another channel without one.\n\n\
     Correct the means, or convert the original model again: current converters write layers instead.",
);

/// The input that the means belong to.
struct Target<'a> {
    name: String,
    layer: &'a Layer,
    fact: &'a Fact,
    channels: u64,
    /// The number of elements of one image.
    elements: u64,
}

pub(super) fn check(checked: &Checked, all: Option<&PreProcess>, sink: &mut Sink) {
    let Some(all) = all else { return };
    let Some((index, layer)) = input(checked, all, sink) else { return };
    if checked.options.no_infer || checked.options.is_reshaped {
        return; // The declared shape is unknown.
    }
    let [fact] = checked.facts.outputs(index) else { return };
    let name = checked.scope.graph.name(checked.scope.source, layer).into_owned();
    let fault = |message: String| {
        let finding = Diagnostic::new(&BAD_PRE_PROCESS, reference(all), message);
        checked.about(layer, finding).label(layer.tag, "this input")
    };
    let Some(lengths) = fact.shape.lengths() else {
        sink.report(fault(format!("input `{name}` is {}, means need a static shape", fact.shape)));
        return;
    };
    let (channels, sizes) = match lengths.as_slice() {
        [_, channels] => (channels, &[][..]),
        [channels, height, width] => (channels, &[*height, *width][..]),
        [_, channels, sizes @ ..] if (2..=3).contains(&sizes.len()) => (channels, sizes),
        _ => {
            sink.report(fault(format!("input `{name}` is {}, means need 2 to 5 dimensions", fact.shape)));
            return;
        }
    };
    let unsigned = |length: &i64| u64::try_from(*length).unwrap_or(0);
    let elements = sizes.iter().map(unsigned).fold(1, u64::saturating_mul);
    let target = Target { name, layer, fact, channels: unsigned(channels), elements };
    means(checked, all, &target, sink);
}

/// The span in which a `<pre-process>` names its input, or its tag.
fn reference(all: &PreProcess) -> Span {
    all.reference.filter(|span| !span.is_empty()).unwrap_or(all.tag)
}

/// The input that the means belong to.
fn input<'a>(checked: &Checked<'a>, all: &PreProcess, sink: &mut Sink) -> Option<(LayerId, &'a Layer)> {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    let is_input = |(_, layer): &(LayerId, &Layer)| graph.kind(layer).role == Role::Parameter;
    let inputs: Vec<(LayerId, &Layer)> = graph.entries().filter(is_input).collect();
    let written = all.reference.map(|span| unescape(source.slice(span))).unwrap_or_default();
    let wanted = written.trim_matches([' ', '\t', '\n', '\r', '\u{b}', '\u{c}']);
    if wanted.is_empty() {
        let is_picture = |(index, _): &&(LayerId, &Layer)| {
            checked.facts.outputs(*index).first().is_some_and(|fact| fact.shape.rank() == Some(4))
        };
        let first = inputs.iter().find(is_picture).or(inputs.first()).copied();
        if first.is_none() {
            sink.report(Diagnostic::new(&BAD_PRE_PROCESS, all.tag, "the model has no input to subtract means from"));
        }
        return first;
    }
    let found = inputs.iter().find(|(_, layer)| graph.full_name(source, layer) == wanted).copied();
    // A layer without a name gets one when it is read.
    let is_made_up =
        wanted.strip_prefix("Parameter_").is_some_and(|digits| digits.bytes().all(|one| one.is_ascii_digit()));
    if found.is_none() && (!is_made_up || inputs.iter().all(|(_, layer)| !layer.name.is_empty())) {
        let names: Vec<String> = inputs.iter().map(|(_, layer)| graph.name(source, layer).into_owned()).collect();
        let near = did_you_mean(nearest(wanted, names.iter().map(String::as_str)));
        let message = format!("`reference-layer-name` is `{wanted}`, which is not an input of the model{near}");
        let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
        let finding = Diagnostic::new(&BAD_PRE_PROCESS, reference(all), message);
        sink.report(finding.help(format!("inputs of the model: {}", shown.join(", "))));
    }
    found
}

/// The maximum number of inputs that a message lists.
const SHOWN: usize = 8;

/// Checks each mean, then that every channel has one.
fn means(checked: &Checked, all: &PreProcess, target: &Target, sink: &mut Sink) {
    let (mut numbers, mut images) = (BTreeMap::new(), BTreeMap::new());
    let (mut faults, mut ignored): (Vec<Diagnostic>, Vec<Diagnostic>) = Default::default();
    // If one mean is unreadable, the number of channels with a mean is unknown.
    let mut is_whole = true;
    for channel in &all.channels {
        let Some(mean) = &channel.mean else { continue };
        let Some(id) = channel.id else {
            is_whole = false;
            continue;
        };
        match mean_fault(checked, mean, target) {
            Some(fault) if fault.runtime == Runtime::Accepts => ignored.push(fault),
            fault => faults.extend(fault),
        }
        if id >= target.channels {
            let Target { name, channels, .. } = target;
            let message = format!("channel {id} is outside the {channels} channels of input `{name}`");
            faults.push(Diagnostic::new(&BAD_PRE_PROCESS, channel.tag, message));
        }
        match mean.value {
            Some(Some(value)) => _ = numbers.insert((id, value.to_bits()), channel.tag),
            Some(None) => is_whole = false,
            None => {}
        }
        match (mean.offset, mean.size) {
            (offset, size) if offset.span.is_none() || size.span.is_none() => {}
            (offset, size) => match offset.number.zip(size.number) {
                Some(place) => _ = images.insert((id, place), channel.tag),
                None => is_whole = false,
            },
        }
    }
    let is_rejected = !faults.is_empty();
    for (found, what) in [(ignored, "are ignored"), (faults, "do not fit")] {
        let more = found.len().saturating_sub(1);
        let Some(first) = found.into_iter().next() else { continue };
        let finding = checked.about(target.layer, first);
        sink.report(if more > 0 { finding.note(format!("other means that {what}: {more}")) } else { finding });
    }
    if is_rejected || !is_whole {
        return;
    }
    let fault = |span: Span, message: String| {
        let finding = Diagnostic::new(&BAD_PRE_PROCESS, span, message);
        checked.about(target.layer, finding).label(target.layer.tag, "this input")
    };
    let Target { name, channels, fact, .. } = target;
    if let (Some(number), Some(image)) = (numbers.values().next(), images.values().next()) {
        let message = "one channel has a number, one an image; wanted the same for all".to_owned();
        sink.report(fault(*image, message).label(*number, "a number"));
        return;
    }
    let ids: Vec<(u64, Span)> = numbers.iter().map(|((id, _), tag)| (*id, *tag)).collect();
    let ids = if ids.is_empty() { images.iter().map(|((id, _), tag)| (*id, *tag)).collect() } else { ids };
    if ids.is_empty() {
        return;
    }
    if ids.len() as u64 != *channels {
        let have = ids.len();
        let s = plural(have);
        sink.report(fault(all.tag, format!("{have} mean{s} for the {channels} channels of input `{name}`")));
        return;
    }
    let twice = ids.windows(2).find(|pair| matches!(pair, [a, b] if a.0 == b.0));
    if let Some([(id, first), (_, second)]) = twice {
        let finding = fault(*second, format!("channel {id} has two different means"));
        let finding = finding.label(*first, "the other one");
        sink.report(if images.is_empty() {
            let note = "so another channel has no mean";
            finding.severity(Severity::Warning).runtime(Runtime::Accepts).note(note)
        } else {
            finding
        });
    }
    if matches!(fact.ty, ElementType::Boolean | ElementType::String | ElementType::Dynamic) {
        sink.report(fault(all.tag, format!("input `{name}` is {}, from which nothing can be subtracted", fact.ty)));
    }
}

/// The fault of a mean, if it has one.
fn mean_fault(checked: &Checked, mean: &Mean, target: &Target) -> Option<Diagnostic> {
    let fault = |span: Span, message: String| Some(Diagnostic::new(&BAD_PRE_PROCESS, span, message));
    if mean.value.is_none() && mean.size.span.is_none() {
        return fault(mean.tag, "<mean> has neither `value` nor `size`".to_owned());
    }
    if mean.value.is_none() && mean.offset.span.is_none() {
        let finding = fault(mean.tag, "<mean> has a `size` but no `offset`, so OpenVINO ignores it".to_owned());
        return finding.map(|finding| finding.severity(Severity::Warning).runtime(Runtime::Accepts));
    }
    let (offset, size) = mean.offset.number.zip(mean.size.number)?;
    let (ty, elements) = (target.fact.ty, target.elements);
    // OpenVINO rounds the size of an element up to whole bytes.
    let need = elements.saturating_mul(u64::from(ty.bits().div_ceil(8)));
    if size != need && ty != ElementType::String {
        let (bytes, s) = (plural(size), plural(elements));
        let message = format!("the mean has {size} byte{bytes}, but {elements} element{s} of {ty} need {need}");
        return fault(mean.size.span?, message);
    }
    if ty.storage(elements).is_some_and(|bytes| bytes != need) && ty != ElementType::String {
        return fault(mean.tag, format!("the mean is an image of {ty}, whose elements take less than a byte each"));
    }
    let weights = checked.scope.weights;
    if !weights.is_available() {
        weights.path.as_ref()?; // The user wants no weights.
        return fault(mean.tag, "the mean is an image, and there is no weights file".to_owned());
    }
    let (end, have) = (offset.saturating_add(size), weights.size());
    // OpenVINO takes no image from an empty file, not even an empty one.
    (end > have || have == 0)
        .then(|| fault(mean.offset.span?, format!("the mean takes bytes {offset}..{end}, the weights have {have}")))?
}
