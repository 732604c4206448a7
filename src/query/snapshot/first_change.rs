//! Where a snapshot changes first. As producers stand before what takes from them, that is where a change starts.

use crate::diagnostic::Edit;

/// A sentence about the first line of a layer that is another, gone or new; `None` if no such line changes.
pub(super) fn first_change(old: &str, edits: &[Edit]) -> Option<String> {
    edits.iter().find_map(|edit| {
        let gone = old.get(edit.span.range()).and_then(|text| text.lines().find_map(Row::of));
        match (gone, edit.text.lines().find_map(Row::of)) {
            (Some(was), Some(is)) if was.label == is.label => {
                Some(format!("{} changes first, {} -> {}", is.label, was.shapes, is.shapes))
            }
            (Some(was), Some(is)) => Some(format!("{} is now {}", was.label, is.label)),
            (Some(was), None) => Some(format!("{} goes first", was.label)),
            (None, Some(is)) => Some(format!("{} is new", is.label)),
            (None, None) => None,
        }
    })
}

/// The line of a layer.
struct Row {
    label: String,
    shapes: String,
}

impl Row {
    fn of(line: &str) -> Option<Self> {
        if ["#", "model ", "weights "].iter().any(|other| line.starts_with(other)) {
            return None;
        }
        let parts: Vec<&str> = line.split("  ").map(str::trim).filter(|part| !part.is_empty()).collect();
        let (label, shapes) = match parts.as_slice() {
            [role @ ("in" | "out"), name, shapes @ ..] => {
                (format!("{} `{name}`", if *role == "in" { "input" } else { "output" }), shapes)
            }
            [name, ty, shapes @ ..] => (format!("`{name}` ({ty})"), shapes),
            _ => return None, // The name of a body
        };
        Some(Self { label, shapes: shapes.join(" ") })
    }
}
