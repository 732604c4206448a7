//! The notes and help of a finding in words, for all formats: each sentence about OpenVINO's reaction is written here once.

use crate::diagnostic::{Declared, Diagnostic, Effect, Elsewhere, Hint, Note, Refusal, Verdict};
use crate::text::path_text;
use std::borrow::Cow;

/// Returns the notes of a finding, one line each.
pub fn notes(finding: &Diagnostic) -> impl Iterator<Item = Cow<'_, str>> {
    // A refusal quotes OpenVINO's message on reading the file. When OpenVINO reshapes a model, the message has the layers'
    // own names.
    let refusal = finding.refusal.as_deref().filter(|_| !finding.verdict.is_some_and(Verdict::is_of_shapes));
    let verdict = finding.verdict.map(|verdict| Cow::Owned(sentence(verdict, refusal)));
    let quoted = match refusal {
        Some(Refusal::Says(text)) if verdict.is_some() => Some(Cow::Owned(format!("OpenVINO says: \"{text}\""))),
        _ => None,
    };
    finding.elsewhere.iter().map(elsewhere).chain(finding.notes.iter().map(note)).chain(verdict).chain(quoted)
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

/// Formats a place in another file, as `FILE:LINE:COLUMN: text`.
fn elsewhere(other: &Elsewhere) -> Cow<'_, str> {
    let at = other.place.map(|(_, start, _)| format!(":{}:{}", start.line, start.column)).unwrap_or_default();
    Cow::Owned(format!("{}{at}: {}", path_text(&other.path), other.message.shown()))
}

fn note(note: &Note) -> Cow<'_, str> {
    match note {
        Note::Text(text) | Note::Fits(text) => Cow::Borrowed(text.shown()),
        Note::Ignored { declared, loads } => Cow::Borrowed(match (declared, loads) {
            (Declared::Shape, true) => {
                "OpenVINO ignores declared port shapes and reads this file; Netron and converters show the declared shape"
            }
            (Declared::Shape, false) => {
                "OpenVINO ignores declared port shapes; Netron and converters show the declared shape"
            }
            (Declared::Type, true) => "OpenVINO ignores declared precisions and reads this file",
            (Declared::Type, false) => "OpenVINO ignores declared precisions",
        }),
        Note::LeadsTo { layer, message } => {
            let at = layer.as_ref().map(|name| format!(" at `{name}`")).unwrap_or_default();
            Cow::Owned(format!("this causes an error{at}: {}", message.shown()))
        }
    }
}

/// Formats the sentence about a verdict.
fn sentence(verdict: Verdict, refusal: Option<&Refusal>) -> String {
    let before = if verdict.loads { "the file loads; " } else { "" };
    let release = verdict.release;
    let late = if verdict.effect == Effect::RejectsLate { ", at the latest when it runs" } else { "" };
    let calls = match refusal {
        Some(Refusal::Calls(name)) => format!(" the layer `{name}_<n>`"),
        _ => String::new(),
    };
    let calling = |verb: &str| if calls.is_empty() { String::new() } else { format!(" and {verb}{calls}") };
    let effect = match (verdict.effect, verdict.since) {
        (Effect::Rejects | Effect::RejectsLate, Some(since)) if since < release => {
            format!(
                "OpenVINO {since} and newer reject this file{late}{}; older releases do not check this",
                calling("call")
            )
        }
        (Effect::Rejects | Effect::RejectsLate, since) => {
            let older = if since.is_some() { "; older releases do not check this" } else { "" };
            format!("OpenVINO {release} rejects this file{late}{}{older}", calling("calls"))
        }
        (Effect::MayReject, _) => format!("OpenVINO {release} may reject this file"),
        (Effect::Reads, _) => format!("OpenVINO {release} reads this file"),
        (Effect::NotCompiled, _) => format!("OpenVINO {release} reads this file, but compile_model fails"),
        (Effect::MayNotCompile, _) => format!("OpenVINO {release} reads this file, but compile_model may fail"),
        (Effect::NotEvenRead, _) => "compile_model would fail as well".to_owned(),
        (Effect::NotReshaped, _) => format!("OpenVINO {release} cannot reshape it to these input shapes"),
        (Effect::ReshapedLate, _) => {
            format!("with these input shapes OpenVINO {release} fails, at the latest when it runs")
        }
    };
    format!("{before}{effect}")
}
