//! The output of `ovlint diff`: the differences of two models as text, as Markdown for a pull request, and as JSON.

use crate::diagnostic::Direction;
use crate::query::diff::{Diff, EntryChange, LayerChange, Level, PortChange, Portability, ValueChange, WeightsChange};
use crate::report::{document, hang, markdown_text};
use crate::text::{counted, grouped, plain_text};
use serde::Serialize;
use std::fmt::Write;

/// The maximum number of entries of a list; JSON output has all.
const SHOWN: usize = 40;

/// The result of comparing an old and a new model.
#[derive(Debug, Serialize)]
pub struct Pair {
    /// The path of the new model, or of the only one.
    pub path: String,
    /// The path of the old model, if it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    /// `changed`, `same`, `renamed`, `added` or `removed`; `unknown` if something could not be compared and the rest is
    /// equal.
    pub state: &'static str,
    #[serde(flatten)]
    diff: Option<Diff>,
}

impl Pair {
    /// Creates the result for two compared models.
    pub fn compared(path: String, was: Option<String>, diff: Diff) -> Self {
        let state = match (diff.is_empty(), diff.unread()) {
            (true, None) if was.is_some() => "renamed",
            (true, None) => "same",
            (true, Some(_)) => "unknown",
            (false, _) => "changed",
        };
        Self { path, was, state, diff: Some(diff) }
    }

    /// Creates the result for a model in one folder only.
    pub fn alone(path: String, state: &'static str) -> Self {
        Self { path, was: None, state, diff: None }
    }

    /// Returns the differences; `None` if there was nothing to compare with.
    pub fn diff(&self) -> Option<&Diff> {
        self.diff.as_ref()
    }

    /// Whether nothing differs, not even the name.
    pub fn is_same(&self) -> bool {
        self.state == "same"
    }
}

#[derive(Serialize)]
struct Compared<'a> {
    level: Level,
    models: &'a [Pair],
}

/// Returns the document for all compared models.
pub fn json(models: &[Pair], level: Level) -> serde_json::Result<String> {
    document::of_all(&Compared { level, models })
}

/// Returns the end of a line about models without a difference: the parts that this level does not compare.
pub fn uncompared(level: Level, are_weights_skipped: bool) -> &'static str {
    match level {
        Level::Interface => "; layers and weights were not compared",
        Level::Shapes => "; attributes, wiring and weights were not compared",
        Level::Weights | Level::Bytes if !are_weights_skipped => "",
        Level::Graph | Level::Weights | Level::Bytes => "; weights were not compared",
    }
}

/// Returns the end of a line about models without a difference: the number of layers with other names.
pub fn renamed(diff: &Diff) -> String {
    match diff.layers.as_ref().map_or(0, |all| all.renamed) {
        0 => String::new(),
        count => format!("; {} renamed", counted(count, "layer")),
    }
}

/// Formats the differences by section, in lines of this width; empty if there are none.
pub fn text(diff: &Diff, width: usize) -> String {
    let mut out = String::new();
    for (title, lines) in sections(diff) {
        let _ = writeln!(out, "{}", hang(&title, width, 4));
        for line in lines {
            let _ = writeln!(out, "{}", hang(&format!("  {line}"), width, 8));
        }
    }
    out
}

/// Formats the differences as Markdown under a title; long lists are folded.
pub fn markdown(title: &str, diff: &Diff, uncompared: &str) -> String {
    let mut out = format!("### {}\n\n", markdown_text(&plain_text(title)));
    let sections = sections(diff);
    if sections.is_empty() {
        let _ = writeln!(out, "No differences{uncompared}{}.", renamed(diff));
    }
    for (title, lines) in sections {
        let folded = lines.len() > 12;
        let _ = writeln!(out, "**{title}**\n");
        if folded {
            let _ = writeln!(out, "<details><summary>{}</summary>\n", counted(lines.len(), "line"));
        }
        if !lines.is_empty() {
            // Text from a model cannot end a fence of four backticks.
            let _ = writeln!(out, "````diff\n{}\n````\n", lines.join("\n"));
        }
        if folded {
            out.push_str("</details>\n\n");
        }
    }
    out
}

/// Returns the titles and lines of all sections; lines start with `+`, `-` or `~` for new, removed and changed.
fn sections(diff: &Diff) -> Vec<(String, Vec<String>)> {
    let mut sections = Vec::new();
    if !diff.interface.is_empty() {
        sections.push(("interface".to_owned(), interface(&diff.interface)));
    }
    for (title, changes) in [("states", &diff.states), ("metadata", &diff.metadata)] {
        if !changes.is_empty() {
            sections.push((title.to_owned(), list(changes, |change| vec![entry(change)])));
        }
    }
    if !diff.needs.is_empty() {
        let signed = |sign: char, needs: &[String]| list(needs, |need| vec![plain_text(&format!("{sign} {need}"))]);
        let lines = signed('-', &diff.needs.removed).into_iter().chain(signed('+', &diff.needs.added)).collect();
        sections.push(("constraints".to_owned(), lines));
    }
    if !diff.portability.is_empty() {
        let line = |change: &Portability| {
            let because = if change.because.is_empty() { String::new() } else { format!("  ({})", change.because) };
            plain_text(&format!("~ {}  {} -> {}{because}", change.what, change.old, change.new))
        };
        sections.push(("portability".to_owned(), diff.portability.iter().map(line).collect()));
    }
    if let Some(all) = diff.operations.as_ref().filter(|all| !all.by_type.is_empty()) {
        let signed = |more: i64| if more > 0 { '+' } else { '-' };
        let parts = all.by_type.iter().map(|(ty, more)| format!("{} {ty} {}", signed(*more), more.unsigned_abs()));
        let title = format!("operations  {} -> {}", grouped(all.old), grouped(all.new));
        sections.push((title, parts.map(|part| plain_text(&part)).collect()));
    }
    if let Some(all) = diff.layers.as_ref().filter(|all| !all.is_same()) {
        let title = format!(
            "layers  matched {} by name, {} by structure; added {}, removed {}, changed {}",
            grouped(all.matched_by_name),
            grouped(all.matched_by_structure),
            grouped(all.added.len()),
            grouped(all.removed.len()),
            grouped(all.changed.len())
        );
        let mut lines = list(&all.removed, |layer| vec![layer_line('-', layer)]);
        lines.extend(list(&all.added, |layer| vec![layer_line('+', layer)]));
        let roots: Vec<&LayerChange> = all.changed.iter().filter(|layer| !layer.follows).collect();
        lines.extend(list(&roots, |layer| changed(layer)));
        let follow = all.changed.len() - roots.len();
        lines.extend((follow > 0).then(|| {
            let (layers, their) = if follow == 1 { ("layer", "its") } else { ("layers", "their") };
            format!("~ {} more {layers} downstream, as {their} inputs have other shapes", grouped(follow))
        }));
        sections.push((title, lines));
    }
    if let Some(change) = diff.weights.as_ref().filter(|change| !change.is_same() || change.unread > 0) {
        sections.push(weights(change));
    }
    if !diff.bytes.is_empty() {
        let lines = diff.bytes.iter().map(|file| format!("~ the bytes of the .{file} differ")).collect();
        sections.push(("bytes".to_owned(), lines));
    }
    sections
}

/// Formats the first entries of a list and counts the rest.
fn list<T>(all: &[T], lines: impl Fn(&T) -> Vec<String>) -> Vec<String> {
    let mut shown: Vec<String> = all.iter().take(SHOWN).flat_map(lines).collect();
    if all.len() > SHOWN {
        shown.push(format!("... and {} more (`--format json` has all)", grouped(all.len() - SHOWN)));
    }
    shown
}

fn interface(changes: &[PortChange]) -> Vec<String> {
    let side = |change: &PortChange| if change.direction == Direction::Input { "input " } else { "output" };
    let width = changes.iter().map(|change| change.name.chars().count()).max().unwrap_or(0).min(40);
    list(changes, |change| {
        let shapes = match (&change.old, &change.new) {
            (Some(old), Some(new)) if old == new => new.clone(),
            (Some(old), Some(new)) => format!("{old} -> {new}"),
            (old, new) => old.as_ref().or(new.as_ref()).cloned().unwrap_or_default(),
        };
        let sign = match (&change.old, &change.new) {
            (Some(_), Some(_)) => '~',
            (Some(_), None) => '-',
            _ => '+',
        };
        let notes = if change.notes.is_empty() { String::new() } else { format!("  ({})", change.notes.join("; ")) };
        let name = plain_text(&change.name);
        vec![plain_text(&format!("{sign} {} {name:<width$}  {shapes}{notes}", side(change)))]
    })
}

/// Formats a state or an entry of the metadata.
fn entry(change: &EntryChange) -> String {
    let name = &change.name;
    plain_text(&match (&change.old, &change.new) {
        (Some(old), Some(new)) => format!("~ {name}  {old} -> {new}"),
        (Some(old), None) => format!("- {name}  {old}"),
        (None, new) => format!("+ {name}  {}", new.as_deref().unwrap_or_default()),
    })
}

fn layer_line(sign: char, layer: &LayerChange) -> String {
    plain_text(&format!("{sign} {}  {}  {}", layer.name, layer.ty, layer.new.join(" ")))
}

fn changed(layer: &LayerChange) -> Vec<String> {
    let mut lines = vec![format!("~ {}  {}  {}", layer.name, layer.ty, layer.details.join("; "))];
    if layer.old != layer.new {
        lines.push(format!("    {} -> {}", layer.old.join(" "), layer.new.join(" ")));
    }
    lines.iter().map(|line| plain_text(line.trim_end())).collect()
}

fn weights(change: &WeightsChange) -> (String, Vec<String>) {
    let sizes = format!("  {} -> {}", size(change.old_size), size(change.new_size));
    // The size of a missing file is meaningless.
    let title = format!("weights{}", if change.unread_because.is_some() { "" } else { &sizes });
    let plain = |count: usize| counted(count, "constant");
    let mut lines: Vec<String> =
        change.types.iter().map(|(from, to, count)| format!("~ {from} -> {to} x {}", plain(*count))).collect();
    for (names, what) in [(&change.shapes, "in shape"), (&change.values, "in value")] {
        if !names.is_empty() {
            let has_amounts = what == "in value" && change.amounts.len() == names.len();
            let shown: Vec<&str> = names.iter().take(3).map(String::as_str).collect();
            let more = if names.len() > shown.len() { ", ..." } else { "" };
            let verb = if names.len() == 1 { "differs" } else { "differ" };
            let shown = if has_amounts { String::new() } else { format!(": {}{more}", shown.join(", ")) };
            lines.push(format!("~ {} {verb} {what}{shown}", plain(names.len())));
        }
    }
    lines.extend(list(&change.amounts, |amount| vec![format!("    {}", amount_line(amount))]));
    if let Some([old, new]) = &change.files {
        let short = |oid: &str| oid.get(..12).unwrap_or(oid).to_owned();
        lines.push(format!("~ the files differ (Git LFS: sha256 {} -> {})", short(old), short(new)));
    }
    if change.unread > 0 {
        let because = change.unread_because.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
        lines.push(format!("? {} could not be compared{because}", plain(change.unread)));
    }
    (title, lines.iter().map(|line| plain_text(line)).collect())
}

/// Formats a changed constant: `w  f32[2,2]  2 of 4 elements differ, by at most 0.5, first at [0,1]`.
fn amount_line(amount: &ValueChange) -> String {
    let ValueChange { name, ty, elements, different, largest, first } = amount;
    let verb = if *different == 1 { "differs" } else { "differ" };
    let of = counted(usize::try_from(*elements).unwrap_or(usize::MAX), "element");
    let different = grouped(usize::try_from(*different).unwrap_or(usize::MAX));
    let largest = match largest {
        Some(largest) => format!("by at most {}", number(*largest)),
        None => "to or from NaN".to_owned(),
    };
    let first: Vec<String> = first.iter().map(usize::to_string).collect();
    format!("{name}  {ty}  {different} of {of} {verb}, {largest}, first at [{}]", first.join(","))
}

/// Formats a number with few digits.
fn number(number: f64) -> String {
    if number == 0.0 || (1e-3..1e15).contains(&number) || !number.is_finite() {
        let digits = format!("{number:.4}");
        let short = digits.trim_end_matches('0').trim_end_matches('.');
        short.to_owned()
    } else {
        format!("{number:.2e}")
    }
}

/// Formats a number of bytes in a suitable unit.
pub fn size(bytes: u64) -> String {
    #[allow(clippy::cast_precision_loss, reason = "a rounded size for people")]
    let scaled = |unit: u64| bytes as f64 / unit as f64;
    match bytes {
        0..10_000 => format!("{bytes} B"),
        10_000..1_000_000 => format!("{:.1} kB", scaled(1_000)),
        1_000_000..1_000_000_000 => format!("{:.1} MB", scaled(1_000_000)),
        _ => format!("{:.1} GB", scaled(1_000_000_000)),
    }
}
