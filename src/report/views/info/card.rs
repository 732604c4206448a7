//! The lines of `ovlint info` about a model's card: makers, kind, weights, quantization, preprocessing, metadata and
//! options.

use super::{ROOM, clean, fitted, shown};
use crate::arrange::Arrange;
use crate::query::card::{
    Card, Declared, Entry, Form, Kind, Name, Preprocessed, Quantized, Scale, Scheme, State, Step, Uses,
};
use crate::report::wrap::KEPT;
use crate::text::{counted, grouped, plural};

/// The maximum number of forms of weights, of entries of a section and of options that are listed.
const FEW: usize = 8;

/// The columns of a section of metadata, which takes two lines.
const DECLARED: usize = 2 * ROOM - 12;

/// The width of a form of weights.
const FORM: usize = 28;

/// The keys that come first.
const FIRST: [&str; 8] =
    ["mode", "group_size", "ratio", "backup_mode", "preset", "model_type", "task_type", "subset_size"];

/// Values that say that something was not done.
const UNSET: [&str; 6] = ["", "False", "None", "[]", "{}", "no"];

/// Returns the tools that made a file, OpenVINO last.
pub(super) fn made_by(card: &Card, runtime: Option<&str>, framework: Option<&str>) -> String {
    let mut tools: Vec<String> =
        card.made_by.iter().map(|tool| shown(&format!("{} {}", tool.name, tool.version))).collect();
    tools.extend(runtime.map(|version| shown(&openvino(version))));
    let from = framework.filter(|from| !from.is_empty()).map(|from| format!("from {}", shown(from)));
    tools.into_iter().chain(from).collect::<Vec<_>>().join(", ")
}

/// Returns the kind of the model.
pub(super) fn kind(kind: &Kind) -> String {
    let name = match kind.kind {
        Name::Tokenizer => "tokenizer",
        Name::Detokenizer => "detokenizer",
        Name::LanguageModel => "language model with state",
        Name::Decoder => "decoder with state",
        Name::Detector => "detector",
        Name::Classifier => "classifier",
        Name::Encoder => "encoder",
    };
    let number = |count: i64| usize::try_from(count).unwrap_or_default();
    let classes =
        kind.classes.map(number).map(|count| format!("{} class{}", grouped(count), if count == 1 { "" } else { "es" }));
    let features = kind.features.map(|count| counted(number(count), "feature"));
    let state = kind.state.map(|State { attention_layers, variables, reordered }| {
        let attention = (attention_layers > 0).then(|| counted(attention_layers, "attention layer"));
        let by_beam = match reordered {
            0 => String::new(),
            all if all == variables => " reordered by beam_idx".to_owned(),
            some => format!(", {} of them reordered by beam_idx", grouped(some)),
        };
        let variables = format!("{}{by_beam}", counted(variables, "variable"));
        attention.into_iter().chain([variables]).collect::<Vec<_>>().join(", ")
    });
    let more = classes.or(features).or(state).map(|more| format!(": {more}")).unwrap_or_default();
    format!("{name}{more}")
}

/// Returns OpenVINO with its release.
pub(super) fn openvino(version: &str) -> String {
    format!("OpenVINO {}", release_of(version))
}

/// Returns the release in a version such as `2026.4.1-22982-e213a147257-releases/2026/4`.
fn release_of(version: &str) -> &str {
    let (release, _) = version.split_once('-').unwrap_or((version, ""));
    let is_release = release.starts_with("20") && release.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    if is_release { release } else { version }
}

/// Returns a line for each form of weights.
pub(super) fn weights(card: &Card) -> Vec<String> {
    let line = |scheme: &Scheme| {
        let form = format!("{:<FORM$} ", form(&scheme.form)).replace(' ', &KEPT.to_string());
        format!("{form}{KEPT}{}", uses(&scheme.operations))
    };
    let mut lines: Vec<String> = card.weights.iter().take(FEW).map(line).collect();
    let rest = card.weights.len().saturating_sub(FEW);
    lines.extend((rest > 0).then(|| format!("and {rest} more form{}", plural(rest))));
    lines
}

/// Returns the name of a form of weights.
pub(super) fn form(form: &Form) -> String {
    let symmetric = match form.symmetric {
        Some(true) => " symmetric",
        Some(false) => " asymmetric",
        None => "",
    };
    let scale = match (form.scale, form.group) {
        (Some(Scale::Group), Some(size)) => {
            format!(", groups of {}", grouped(usize::try_from(size).unwrap_or_default()))
        }
        (Some(Scale::Tensor), _) => ", by tensor".to_owned(),
        (Some(_), _) => ", by channel".to_owned(),
        (None, _) => String::new(),
    };
    let levels = form.levels.map(|levels| format!(", {levels} levels")).unwrap_or_default();
    let codebook = if form.codebook { " codebook" } else { "" };
    format!("{}{symmetric}{codebook}{scale}{levels}", form.ty.name())
}

fn uses(all: &[Uses]) -> String {
    let one = |uses: &Uses| format!("{}{KEPT}of{KEPT}{}{KEPT}{}", grouped(uses.layers), grouped(uses.of), uses.ty);
    all.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Returns the line about layers with quantized inputs.
pub(super) fn quantized(quantized: &Quantized) -> String {
    let levels: Vec<String> = quantized.levels.iter().map(ToString::to_string).collect();
    let levels = if levels.is_empty() { String::new() } else { format!(" ({} levels)", levels.join(" or ")) };
    format!("inputs of {}{levels}", uses(&quantized.operations))
}

/// Returns the line of a section of metadata.
pub(super) fn declared(declared: &Declared) -> String {
    let place = |entry: &&Entry| FIRST.iter().position(|key| *key == entry.key).unwrap_or(FIRST.len());
    let mut set: Vec<&Entry> = declared.entries.iter().filter(|entry| !UNSET.contains(&entry.value.as_str())).collect();
    set.arrange_by_key(place);
    let all = fitted(&format!("{}: ", declared.section), set.into_iter().map(entry), "key", DECLARED);
    let wrong = declared.contradicted.iter().map(|one| {
        let found = if one.found.is_empty() { "none".to_owned() } else { one.found.join(", ") };
        format!("; {} in the graph: {found}", one.key)
    });
    all + &wrong.collect::<String>()
}

/// Returns the line of the options.
pub(super) fn options(card: &Card) -> String {
    listed(card.options.iter())
}

fn entry(entry: &Entry) -> String {
    clean(&format!("{} {}", entry.key, entry.value), 60).replace(' ', &KEPT.to_string())
}

fn listed<'a>(all: impl ExactSizeIterator<Item = &'a Entry>) -> String {
    let rest = all.len().saturating_sub(FEW);
    let mut first: Vec<String> = all.take(FEW).map(entry).collect();
    first.extend((rest > 0).then(|| format!("and {rest} more")));
    first.join(", ")
}

/// Returns the line of an input with preprocessing.
pub(super) fn preprocessed(one: &Preprocessed) -> String {
    let step = |step: &Step| match step {
        Step::Convert => "convert",
        Step::Reverse => "reverse channels",
        Step::Resize => "resize",
        Step::Mean => "subtract mean",
        Step::Scale => "scale",
        Step::Transpose => "transpose",
    };
    let layout = one.layout.as_ref().map(|layout| format!(" {}", shown(layout))).unwrap_or_default();
    let steps: Vec<&str> = one.steps.iter().map(step).collect();
    format!("{} {}{layout}: {}", shown(&one.input), one.ty.name(), steps.join(", "))
}
