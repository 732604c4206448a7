//! The first change in a snapshot. Producers come before consumers, so later changes are likely consequences of it.

use crate::arrange::Fill;
use crate::diagnostic::Edit;
use crate::text::counted;
use crate::text::escape::line;
use std::collections::{BTreeSet, HashMap, VecDeque};

/// Describes the first line that changes, and the number of renamed layers; `None` if layers only move. What callers see comes
/// first, of constraints those that are new; of layers those whose shapes change.
pub(super) fn first_change(old: &str, edits: &[Edit]) -> Option<String> {
    let gone_from = |edit: &Edit| old.get(edit.span.range()).into_iter().flat_map(str::lines);
    let come: BTreeSet<&str> = edits.iter().flat_map(|edit| edit.text.lines()).into_set();
    let moved: BTreeSet<&str> = edits.iter().flat_map(gone_from).filter(|line| come.contains(line)).into_set();
    let row = |line| if moved.contains(line) { None } else { Row::of(line) };
    let (mut early, mut cause, mut other): (Option<String>, Option<String>, Option<String>) = Default::default();
    let (mut eased, mut renamed): (Option<String>, Vec<String>) = Default::default();
    for edit in edits {
        let gone: Vec<Row> = gone_from(edit).filter_map(row).collect();
        let come: Vec<Row> = edit.text.lines().filter_map(row).collect();
        let (mut by_label, mut alike): (Indices<String>, Indices<(&str, &str)>) = Default::default();
        for (index, is) in come.iter().enumerate() {
            by_label.entry(is.label()).or_default().push_back(index);
            alike.entry((&is.ty, &is.shapes)).or_default().push_back(index);
        }
        let mut left: Vec<Option<&Row>> = come.iter().map(Some).collect();
        let mut take = |indices: Option<&mut VecDeque<usize>>| {
            let indices = indices?;
            std::iter::from_fn(|| indices.pop_front()).find_map(|index| left.get_mut(index)?.take())
        };
        let known: Vec<Option<&Row>> = gone.iter().map(|was| take(by_label.get_mut(&was.label()))).collect();
        let mut say = |row: &Row, is_cause: bool, text: String| {
            let slot = match (row.is_early, is_cause) {
                (true, _) => &mut early,
                (false, true) => &mut cause,
                (false, false) => &mut other,
            };
            slot.get_or_insert(text);
        };
        for (was, known) in gone.iter().zip(known) {
            let label = was.label();
            // Assume that a new line of the same kind, with the same shapes, is this one with a new name; of constraints only the
            // single one.
            let is_sure = was.ty != "constraint" || [gone.len(), come.len()] == [1; 2];
            let alike = alike.get_mut(&(was.ty.as_str(), was.shapes.as_str())).filter(|_| is_sure);
            match known.or_else(|| take(alike)) {
                None if was.ty == "constraint" => _ = eased.get_or_insert(format!("{label} is gone")),
                None => say(was, false, format!("{label} is gone")),
                Some(is) if is.label() != label => {
                    let text = format!("{label} is now {}", is.label());
                    if was.is_layer { renamed.push(text) } else { say(was, false, text) }
                }
                Some(Row { shapes, tensors, .. }) => {
                    let mut parts = [(&was.shapes, shapes), (&was.tensors, tensors)];
                    if was.tensors.starts_with('"') {
                        parts.reverse(); // Dimensions are named after tensors.
                    }
                    if let Some((before, now)) = parts.into_iter().find(|(before, now)| before != now) {
                        let [before, now] = differing(
                            [before, now].map(|text| if text.is_empty() { "no name" } else { text.as_str() }),
                        );
                        say(was, true, format!("first change: {label}, {before} -> {now}"));
                    }
                }
            }
        }
        left.into_iter().flatten().for_each(|is| say(is, false, format!("{} is new", is.label())));
    }
    let more = renamed.len().saturating_sub(1);
    let names = renamed.into_iter().next().map(|first| match more {
        0 => first,
        more => format!("{first}, and {} renamed", counted(more, "more layer")),
    });
    let mut parts: Vec<String> = early.or(eased).or(cause).or(other).into_iter().chain(names).collect();
    if parts.is_empty() {
        let mut rows = edits.iter().flat_map(gone_from).filter_map(Row::of);
        parts.extend(rows.find(|row| !row.is_layer).map(|row| format!("{} is at another place", row.label())));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// The maximum number of characters of a text that is shown in full.
const SHOWN: usize = 200;

/// The number of characters that are shown on either side of a difference.
const AROUND: usize = 20;

/// Returns the parts in which two texts differ, with what stands around them; both in full if they are short.
fn differing(texts: [&str; 2]) -> [String; 2] {
    if texts.iter().all(|text| text.len() <= SHOWN) {
        return texts.map(str::to_owned);
    }
    let [old, new] = texts.map(|text| text.chars().collect::<Vec<_>>());
    let start = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let rest = old.len().min(new.len()) - start;
    let alike = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(old, new)| old == new).count();
    [old, new].map(|text| {
        let (from, to) = (start.saturating_sub(AROUND), text.len().min(text.len() - alike + AROUND));
        let part: String = text.iter().skip(from).take(to - from).collect();
        let cut = |is_cut| if is_cut { "..." } else { "" };
        format!("{}{}{}", cut(from > 0), line(&part, SHOWN), cut(to < text.len()))
    })
}

/// The indices of lines by key, in order.
type Indices<K> = HashMap<K, VecDeque<usize>>;

/// A line of a snapshot.
struct Row {
    name: String,
    /// The type of the layer, or what else the line is about.
    ty: String,
    is_layer: bool,
    /// Set if callers see it before they see any layer: all but outputs and errors.
    is_early: bool,
    /// The tensor names of an input or output in quotes, or what an output without names returns.
    tensors: String,
    shapes: String,
}

impl Row {
    fn of(line: &str) -> Option<Self> {
        let is_inner = line.starts_with(' ');
        let line = line.trim_start();
        let (name, ty, is_layer, shapes) = if let Some(need) = line.strip_prefix("needs ") {
            (need, "constraint", false, "")
        } else if let Some(error) = line.strip_prefix("fails ") {
            (error, "error", false, "")
        } else if let Some((key, value)) = line.strip_prefix("meta  ").and_then(|entry| entry.split_once(" = ")) {
            (key, "metadata", false, value)
        } else {
            let end = [("in    ", "input"), ("out   ", "output"), ("state ", "state")];
            let end = end.into_iter().find_map(|(head, ty)| Some((line.strip_prefix(head)?.trim_start(), ty)));
            match end {
                Some((rest, ty)) => rest.split_once("  ").map(|(name, shapes)| (name, ty, false, shapes))?,
                None if ["#", "model ", "weights "].iter().any(|other| line.starts_with(other)) => return None,
                None => {
                    let (name, rest) = line.split_once("  ")?; // Otherwise the heading of a body.
                    let (ty, shapes) = rest.split_once("  ").unwrap_or((rest, ""));
                    (name, ty, true, shapes)
                }
            }
        };
        let place = if is_layer { None } else { name.find(" \"").or(name.find(" <- ")) };
        let (name, tensors) = name.split_at(place.unwrap_or(name.len()));
        let is_early = !is_inner && ["input", "state", "constraint", "metadata"].contains(&ty);
        let [name, ty, tensors, shapes] = [name, ty, tensors.trim_start(), shapes].map(str::to_owned);
        Some(Self { name, ty, is_layer, is_early, tensors, shapes })
    }

    fn label(&self) -> String {
        let Self { name, ty, tensors, .. } = self;
        match self.is_layer {
            true => format!("`{name}` ({ty})"),
            // Programs do not see names that exporters make up.
            false if !name.ends_with("_*") => format!("{ty} `{name}`"),
            false if tensors.starts_with('"') => format!("{ty} {tensors}"),
            false => format!("{ty} without a name"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::lines::edits;
    use super::first_change;

    fn first_change_of(old: &[&str], new: &[&str]) -> Option<String> {
        let [old, new] = [old, new].map(<[&str]>::concat);
        first_change(&old, &edits(&old, &new))
    }

    #[test]
    fn the_layer_that_changes_is_named_whatever_else_has_another_name() {
        let (data, relu, join) = ("in    x  f32[2]\n", "      a  ReLU  f32[2]\n", "      b  Concat  f32[4]\n");
        let renamed = "      c  ReLU  f32[2]\n";
        assert_eq!(first_change_of(&[data, relu], &[data, renamed]).as_deref(), Some("`a` (ReLU) is now `c` (ReLU)"));
        let wanted = "first change: `b` (Concat), f32[4] -> f32[6]; `a` (ReLU) is now `c` (ReLU)";
        assert_eq!(
            first_change_of(&[data, relu, join], &[data, renamed, "      b  Concat  f32[6]\n"]).as_deref(),
            Some(wanted)
        );
        let wanted = "first change: input `x`, f32[2] -> f32[3]";
        assert_eq!(
            first_change_of(&[data, relu], &["in    x  f32[3]\n", "      a  ReLU  f32[3]\n"]).as_deref(),
            Some(wanted)
        );
        assert_eq!(first_change_of(&[data, relu, join], &[data, join]).as_deref(), Some("`a` (ReLU) is gone"));
        assert_eq!(first_change_of(&[data, join], &[data, relu, join]).as_deref(), Some("`a` (ReLU) is new"));
        let two = "`a` (ReLU) is now `c` (ReLU), and 1 more layer renamed";
        assert_eq!(
            first_change_of(&[data, relu, join], &[data, renamed, "      d  Concat  f32[4]\n"]).as_deref(),
            Some(two)
        );
        assert_eq!(first_change_of(&["model a\n"], &["model b\n"]), None);
        let wanted = "first change: metadata `scale`, 255 -> 1";
        assert_eq!(first_change_of(&["meta  scale = 255\n"], &["meta  scale = 1\n"]).as_deref(), Some(wanted));
        let labels = |label: &str| format!("meta  labels = {}{label}{}\n", "cat ".repeat(60), " dog".repeat(60));
        let wanted = "first change: metadata `labels`, \
                      ...cat cat cat cat cat cow dog dog dog dog d... -> \
                      ...cat cat cat cat cat sow dog dog dog dog d...";
        assert_eq!(first_change_of(&[&labels("cow")], &[&labels("sow")]).as_deref(), Some(wanted));
        let wanted = "first change: metadata `labels`, \
                      ...cat cat cat cat cow dog dog dog dog dog ... -> \
                      ...cat cat cat cat cow cow dog dog dog dog dog ...";
        assert_eq!(first_change_of(&[&labels("cow")], &[&labels("cow cow")]).as_deref(), Some(wanted));
        let wanted = "first change: output `y`, \"y\" -> \"z\"";
        assert_eq!(
            first_change_of(&["out   y \"y\"  f32[2]\n"], &["out   y \"z\"  f32[2]\n"]).as_deref(),
            Some(wanted)
        );
        assert_eq!(first_change_of(&[], &["needs a <= 8\n"]).as_deref(), Some("constraint `a <= 8` is new"));
        let wanted = "constraint `a <= 8` is now constraint `a <= 4`";
        assert_eq!(first_change_of(&["needs a <= 8\n"], &["needs a <= 4\n"]).as_deref(), Some(wanted));
    }

    #[test]
    fn what_callers_see_comes_before_layers() {
        let (relu, other) = ("      a  ReLU  f32[n]\n", "      a  ReLU  f32[m]\n");
        let states = ["state 4  f32[n]\n", "state 5  f32[m]\n"];
        assert_eq!(
            first_change_of(&[states[0], "needs n == k\n", relu], &[states[1], "needs n == k\n", other]).as_deref(),
            Some("state `4` is gone")
        );
        let renamed = first_change_of(&["in    x \"x\"  f32[x_batch]\n"], &["in    x \"y\"  f32[y_batch]\n"]);
        assert_eq!(renamed.as_deref(), Some("first change: input `x`, \"x\" -> \"y\""));
        let needs = first_change_of(&["needs a == b\n"], &["needs a <= 4\n", "needs a == c\n"]);
        assert_eq!(needs.as_deref(), Some("constraint `a <= 4` is new"));
        let gone = first_change_of(&["needs a == b\n", relu], &[other]);
        assert_eq!(gone.as_deref(), Some("constraint `a == b` is gone"));
        let new = first_change_of(&[relu], &["needs m >= 5\n", other]);
        assert_eq!(new.as_deref(), Some("constraint `m >= 5` is new"));
        let behind = first_change_of(&["in    x  f32[n]\n"], &["in    x  f32[m]\n", "needs m >= 5\n"]);
        assert_eq!(behind.as_deref(), Some("first change: input `x`, f32[n] -> f32[m]"));
        let lost = first_change_of(&["in    x \"x\"  f32[2]\n"], &["in    x  f32[2]\n"]);
        assert_eq!(lost.as_deref(), Some("first change: input `x`, \"x\" -> no name"));
        let [start, end] = ["out   Result_* \"start\"  f32[2]\n", "out   Result_* \"end\"  f32[2]\n"];
        assert_eq!(first_change_of(&[start, end], &[start]).as_deref(), Some("output \"end\" is gone"));
        assert_eq!(
            first_change_of(&[start, end], &[end, start]).as_deref(),
            Some("output \"end\" is at another place")
        );
        let lost = first_change_of(&[end], &["out   Result_* <- a  f32[2]\n"]);
        assert_eq!(lost.as_deref(), Some("output \"end\" is now output without a name"));
        let abs = "      b  Abs  f32[n]\n";
        assert_eq!(first_change_of(&[relu, abs], &[abs, relu]), None);
    }
}
