//! The members and links of a pipeline as text: for `ovlint info`, and as the snapshot to commit.

use crate::pipeline::{Met, Overview, Part};
use crate::text::escape::line as clean;
use crate::text::path_text;
use std::fmt::Write;

/// The maximum number of characters of a name.
const NAME: usize = 80;

/// Formats a pipeline: its members, the tensors that meet, and what is missing.
pub fn text(pipeline: &Overview) -> String {
    let mut text = format!("{}  {} pipeline\n", path_text(&pipeline.path), pipeline.kind);
    let clean = |text: &str| clean(text, NAME);
    let width = pipeline.members.iter().map(|part| part.role.len()).max().unwrap_or_default();
    let rows = |title: &str, rows: Vec<String>, text: &mut String| {
        for (index, row) in rows.into_iter().enumerate() {
            let title = if index == 0 { title } else { "" };
            let _ = writeln!(text, "  {title:<11} {row}");
        }
    };
    let member = |part: &Part| format!("{:<width$}  {}", clean(&part.role), clean(&part.file));
    rows("members", pipeline.members.iter().map(member).collect(), &mut text);
    if !pipeline.files.is_empty() {
        rows("files", vec![pipeline.files.iter().map(|file| clean(file)).collect::<Vec<_>>().join(", ")], &mut text);
    }
    rows("links", pipeline.links.iter().map(link).collect(), &mut text);
    rows("missing", pipeline.missing.iter().map(|file| clean(file)).collect(), &mut text);
    text
}

fn link(Met { from, output, gives, to, input, takes, fits, .. }: &Met) -> String {
    let (output, input, fits) = (clean(output, NAME), clean(input, NAME), if *fits { "" } else { "  does not fit" });
    format!("{from} {output} {gives} -> {to} {input} {takes}{fits}")
}

/// Returns the text to commit: the kind, the members and the links.
pub fn snapshot(pipeline: &Overview) -> String {
    let mut text = format!("# ovlint pipeline v1\nkind {}\n", pipeline.kind);
    for Part { role, file, .. } in &pipeline.members {
        let _ = writeln!(text, "member {}  {}", clean(role, NAME), clean(file, NAME));
    }
    for met in &pipeline.links {
        let _ = writeln!(text, "link {}", link(met));
    }
    text
}
