//! The first change in a snapshot. Producers come before consumers, so later changes are likely consequences of it.

use crate::diagnostic::Edit;
use crate::text::counted;
use std::collections::{HashMap, VecDeque};

/// Describes the first layer whose shapes change, or else the first that is gone or new, and the number of renamed layers;
/// `None` if no line of a layer changes.
pub(super) fn first_change(old: &str, edits: &[Edit]) -> Option<String> {
    let (mut cause, mut other, mut renamed): (Option<String>, Option<String>, Vec<String>) = Default::default();
    for edit in edits {
        let gone: Vec<Row> = old.get(edit.span.range()).into_iter().flat_map(str::lines).filter_map(Row::of).collect();
        let come: Vec<Row> = edit.text.lines().filter_map(Row::of).collect();
        let (mut by_label, mut alike): (Indices<String>, Indices<(&str, &str)>) = Default::default();
        for (index, is) in come.iter().enumerate() {
            by_label.entry(is.label()).or_default().push_back(index);
            alike.entry((&is.ty, &is.shapes)).or_default().push_back(index);
        }
        let mut taken = vec![false; come.len()];
        let mut take = |indices: Option<&mut VecDeque<usize>>| {
            let indices = indices?;
            while let Some(index) = indices.pop_front() {
                if let Some(taken @ false) = taken.get_mut(index) {
                    *taken = true;
                    return come.get(index);
                }
            }
            None
        };
        let mut open = Vec::new();
        for was in &gone {
            match take(by_label.get_mut(&was.label())) {
                Some(is) if (&is.shapes, &is.tensors) != (&was.shapes, &was.tensors) && cause.is_none() => {
                    let is_same = is.shapes == was.shapes;
                    let [before, now] = [was, is].map(|row| if is_same { &row.tensors } else { &row.shapes });
                    cause = Some(format!("{} changes first, {before} -> {now}", is.label()));
                }
                Some(_) => {}
                None => open.push(was),
            }
        }
        for was in open {
            // Assume that a new layer with the same type and shapes is this layer with a new name.
            match take(alike.get_mut(&(was.ty.as_str(), was.shapes.as_str()))) {
                Some(is) => renamed.push(format!("{} is now {}", was.label(), is.label())),
                None if other.is_none() => other = Some(format!("{} is gone", was.label())),
                None => {}
            }
        }
        let new = come.iter().zip(&taken).find(|(_, taken)| !**taken);
        other = other.or_else(|| new.map(|(is, _)| format!("{} is new", is.label())));
    }
    let more = renamed.len().saturating_sub(1);
    let names = renamed.into_iter().next().map(|first| match more {
        0 => first,
        more => format!("{first}, and {} renamed", counted(more, "more layer")),
    });
    let parts: Vec<String> = cause.or(other).into_iter().chain(names).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// The indices of lines by key, in order.
type Indices<K> = HashMap<K, VecDeque<usize>>;

/// A line of a snapshot.
struct Row {
    name: String,
    /// The type of the layer, or what else the line is about.
    ty: String,
    is_layer: bool,
    /// The tensor names of an input or output in quotes, or what an output without names returns.
    tensors: String,
    shapes: String,
}

impl Row {
    fn of(line: &str) -> Option<Self> {
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
        let [name, ty, tensors, shapes] = [name, ty, tensors.trim_start(), shapes].map(str::to_owned);
        Some(Self { name, ty, is_layer, tensors, shapes })
    }

    fn label(&self) -> String {
        let Self { name, ty, is_layer, .. } = self;
        if *is_layer { format!("`{name}` ({ty})") } else { format!("{ty} `{name}`") }
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
        let wanted = "`b` (Concat) changes first, f32[4] -> f32[6]; `a` (ReLU) is now `c` (ReLU)";
        assert_eq!(
            first_change_of(&[data, relu, join], &[data, renamed, "      b  Concat  f32[6]\n"]).as_deref(),
            Some(wanted)
        );
        let wanted = "input `x` changes first, f32[2] -> f32[3]";
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
        let wanted = "metadata `scale` changes first, 255 -> 1";
        assert_eq!(first_change_of(&["meta  scale = 255\n"], &["meta  scale = 1\n"]).as_deref(), Some(wanted));
        let wanted = "output `y` changes first, \"y\" -> \"z\"";
        assert_eq!(
            first_change_of(&["out   y \"y\"  f32[2]\n"], &["out   y \"z\"  f32[2]\n"]).as_deref(),
            Some(wanted)
        );
        assert_eq!(first_change_of(&[], &["needs a <= 8\n"]).as_deref(), Some("constraint `a <= 8` is new"));
    }
}
