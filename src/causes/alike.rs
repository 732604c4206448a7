//! Findings that repeat on many layers, linked to the first of their kind, which stands for all; and attributes rejected for
//! the notation of a number, linked to the finding about that.

use crate::arrange::{Arrange, Fill};
use crate::diagnostic::{Amendment, Diagnostic, FindingId, Group, Hint, Severity, Sink};
use crate::lint::rules::{
    DECLARED_PRECISION, EXTENSION_REQUIRED, INTERNAL_OP, OP_NOT_IN_OPSET, UNKNOWN_OP, UNKNOWN_OPSET,
};
use crate::ops::rules::{ATTRIBUTE_VALUE, LENIENT_NUMBER, UNKNOWN_OP_ATTRIBUTE, WRONG_OUTPUT_COUNT};
use crate::ops::{Meaning, meaning};
use crate::source::{Source, Span};
use crate::text::counted;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of layer types or kinds of attributes that a note lists.
const LISTED: usize = 8;

/// Links repeated findings of one kind to the first, and a rejected attribute to the finding about the notation of its number.
pub(super) fn find(source: &Source, sink: &mut Sink) {
    let is_uncaused = |(id, _): &(FindingId, &Diagnostic)| sink.cause(*id).is_none();
    let uncaused_of = |rule| sink.numbered().filter(is_uncaused).filter(move |(_, finding)| finding.rule == rule);
    let notation_findings: BTreeMap<Span, FindingId> =
        uncaused_of(&LENIENT_NUMBER).map(|(id, finding)| (finding.primary.span, id)).into_map();
    let follows = |(id, finding): (FindingId, &Diagnostic)| Some((id, *notation_findings.get(&finding.primary.span)?));
    for (rejected, cause) in uncaused_of(&ATTRIBUTE_VALUE).filter_map(follows).collect::<Vec<_>>() {
        sink.follow(rejected, cause);
        sink.amend(cause, Amendment::NoFix); // The fix would write the rejected value.
    }
    // No fix where declared ports contradict the number that OpenVINO reads: it would cement a wrong number.
    let contradicted_at: BTreeSet<u32> = sink
        .findings()
        .iter()
        .filter(|finding| finding.rule.group == Group::Declared && finding.severity == Severity::Error)
        .map(|finding| finding.primary.span.start)
        .into_set();
    let is_contradicted = |span: Span| contradicted_at.range(span.start..span.end).next().is_some();
    let contradicted =
        sink.numbered().filter(|(_, one)| one.rule == &LENIENT_NUMBER && is_contradicted(one.primary.span));
    for id in contradicted.map(|(id, _)| id).collect::<Vec<_>>() {
        sink.amend(id, Amendment::NoFix);
    }
    let mut kinds: BTreeMap<(&str, Cow<str>), Vec<FindingId>> = BTreeMap::new();
    for (id, finding) in sink.numbered().filter(|(id, _)| sink.cause(*id).is_none()) {
        if let Some(kind) = kind(source, finding) {
            kinds.entry((finding.rule.name, kind)).or_default().push(id);
        }
    }
    let kinds: Vec<(Box<str>, Vec<FindingId>)> =
        kinds.into_iter().map(|((_, kind), group)| (kind.into(), group)).collect();
    for (kind, group) in kinds {
        for id in &group {
            sink.amend(*id, Amendment::Kind(kind.clone()));
        }
        let [first, others @ ..] = group.as_slice() else { continue };
        if others.is_empty() {
            continue;
        }
        let note = note(source, sink, *first, others);
        for other in others {
            sink.follow(*other, *first);
        }
        if let Some(note) = note {
            sink.amend(*first, Amendment::Note(note.into()));
        }
    }
}

/// Returns the key that findings of one kind share; `None` if the finding is never grouped with others.
fn kind<'a>(source: &Source, finding: &'a Diagnostic) -> Option<Cow<'a, str>> {
    let layer = finding.layer.as_ref();
    if [&EXTENSION_REQUIRED, &UNKNOWN_OPSET].contains(&finding.rule) {
        let layer = layer?;
        return Some(match meaning(&layer.ty, &layer.version) {
            Meaning::Extension { library: Some(library) } => Cow::Borrowed(library),
            _ => Cow::Borrowed(layer.version.as_str()),
        });
    }
    // At most one finding per type, version and reachability was reported, at its first layer; this joins the rest.
    if [&UNKNOWN_OP, &OP_NOT_IN_OPSET, &INTERNAL_OP].contains(&finding.rule) {
        return layer.map(|layer| Cow::Owned(format!("{} {}", layer.ty, layer.version)));
    }
    let is_minor = finding.severity <= Severity::Info;
    if finding.rule == &UNKNOWN_OP_ATTRIBUTE && !is_minor {
        let is_misspelt = finding.help.iter().any(|hint| matches!(hint, Hint::DidYouMean(_)));
        let attribute = source.text(finding.primary.span);
        return (!is_misspelt).then(|| Cow::Owned(format!("{} {attribute}", layer.map_or("", |layer| &layer.ty))));
    }
    let rules = [&UNKNOWN_OP_ATTRIBUTE, &WRONG_OUTPUT_COUNT, &DECLARED_PRECISION];
    (is_minor && rules.contains(&finding.rule)).then_some(Cow::Borrowed(""))
}

/// A note on what the grouped findings are about: attributes with counts, or the types of the others.
fn note(source: &Source, sink: &Sink, first: FindingId, others: &[FindingId]) -> Option<String> {
    let first = sink.get(first)?;
    let others = others.iter().filter_map(|other| sink.get(*other));
    if first.rule == &UNKNOWN_OP_ATTRIBUTE && first.severity <= Severity::Info {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for finding in std::iter::once(first).chain(others) {
            let (name, layer) = (source.text(finding.primary.span), finding.layer.as_ref()?);
            *counts.entry(format!("`{name}` of {}", layer.ty)).or_default() += 1;
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.arrange_by_key(|(_, count)| std::cmp::Reverse(*count));
        let all = counts.iter().map(|(what, count)| format!("{what} ({count})"));
        return (counts.len() > 1).then(|| format!("such attributes here: {}", listed(all, "kind")));
    }
    let types = others.filter_map(|finding| Some(format!("`{}`", finding.layer.as_ref()?.ty)));
    let is_about_types = [&EXTENSION_REQUIRED, &UNKNOWN_OPSET].contains(&first.rule);
    is_about_types.then(|| format!("other types of this library: {}", listed(types, "type")))
}

/// Lists the first [`LISTED`] texts and gives the number of the rest.
fn listed(all: impl Iterator<Item = String>, noun: &str) -> String {
    let mut all: Vec<String> = all.collect();
    let more = all.len().saturating_sub(LISTED);
    all.truncate(LISTED);
    if more > 0 { format!("{} and {}", all.join(", "), counted(more, &format!("more {noun}"))) } else { all.join(", ") }
}
