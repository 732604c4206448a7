//! The sentences of findings, each written once.

use crate::diagnostic::{Declared, Diagnostic, Effect, Hint, Note, Refusal, Verdict};
use std::borrow::Cow;

/// Returns the notes of a finding, one line each.
pub fn notes(finding: &Diagnostic) -> impl Iterator<Item = Cow<'_, str>> {
    let is_reshaped = |verdict: Verdict| matches!(verdict.effect, Effect::NotReshaped | Effect::ReshapedLate);
    // A refusal quotes OpenVINO's message on reading the file. When OpenVINO reshapes a model, the message has the layers'
    // own names.
    let refusal = finding.refusal.as_deref().filter(|_| !finding.verdict.is_some_and(is_reshaped));
    let verdict = finding.verdict.map(|verdict| Cow::Owned(sentence(verdict, refusal)));
    let quoted = match refusal {
        Some(Refusal::Says(text)) if verdict.is_some() => Some(Cow::Owned(format!("OpenVINO says: \"{text}\""))),
        _ => None,
    };
    finding.notes.iter().map(note).chain(verdict).chain(quoted)
}

/// Returns the help of a finding, one line each.
pub fn help(finding: &Diagnostic) -> impl Iterator<Item = Cow<'_, str>> {
    finding.help.iter().map(|hint| match hint {
        Hint::Text(text) | Hint::OtherOperation(text) | Hint::Fits(text) => Cow::Borrowed(text.shown()),
        Hint::DidYouMean(name) => Cow::Owned(format!("did you mean `{name}`?")),
    })
}

/// Returns all notes and help, each with its kind.
pub(crate) fn lines(finding: &Diagnostic) -> impl Iterator<Item = (&'static str, Cow<'_, str>)> {
    notes(finding).map(|note| ("note", note)).chain(help(finding).map(|help| ("help", help)))
}

fn note(note: &Note) -> Cow<'_, str> {
    match note {
        Note::Text(text) | Note::Fits(text) => Cow::Borrowed(text.shown()),
        Note::Ignored { declared, loads } => Cow::Borrowed(match (declared, loads) {
            (Declared::Shape, true) => {
                "OpenVINO ignores declared port shapes and will load this file; Netron and converters show the wrong one"
            }
            (Declared::Shape, false) => {
                "OpenVINO ignores declared port shapes; Netron and converters show the wrong one"
            }
            (Declared::Type, true) => "OpenVINO ignores declared precisions and will load this file",
            (Declared::Type, false) => "OpenVINO ignores declared precisions",
        }),
        Note::LeadsTo { layer, message } => {
            let at = layer.as_ref().map(|name| format!(" at `{name}`")).unwrap_or_default();
            Cow::Owned(format!("this leads to an error{at}: {}", message.shown()))
        }
    }
}

/// Formats the sentence about a verdict.
fn sentence(verdict: Verdict, refusal: Option<&Refusal>) -> String {
    let before = if verdict.loads { "the file loads; " } else { "" };
    let effect = match verdict.effect {
        Effect::Rejects => "OpenVINO rejects this file",
        Effect::RejectsLate => "OpenVINO rejects this file, at the latest when it runs",
        Effect::MayReject => "OpenVINO may reject this file",
        Effect::NotCompiled => "OpenVINO reads this file; compile_model fails",
        Effect::NotEvenRead => "compile_model would fail as well",
        Effect::NotReshaped => "OpenVINO cannot reshape it to these input shapes",
        Effect::ReshapedLate => "with these input shapes OpenVINO fails, at the latest when it runs",
    };
    let calls = match refusal {
        Some(Refusal::Calls(name)) => format!(" and calls the layer `{name}_<n>`"),
        _ => String::new(),
    };
    format!("{before}{effect}{calls}")
}
