//! The members and links of a pipeline, as text.

use crate::pipeline::{Met, Overview};
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
    let member = |part: &crate::pipeline::Part| format!("{:<width$}  {}", clean(&part.role), clean(&part.file));
    rows("members", pipeline.members.iter().map(member).collect(), &mut text);
    if !pipeline.files.is_empty() {
        rows("files", vec![pipeline.files.iter().map(|file| clean(file)).collect::<Vec<_>>().join(", ")], &mut text);
    }
    let link = |met: &Met| {
        let fits = if met.fits { "" } else { "  does not fit" };
        format!(
            "{} {} {} -> {} {} {}{fits}",
            met.from,
            clean(&met.output),
            met.gives,
            met.to,
            clean(&met.input),
            met.takes
        )
    };
    rows("links", pipeline.links.iter().map(link).collect(), &mut text);
    rows("missing", pipeline.missing.iter().map(|file| clean(file)).collect(), &mut text);
    text
}
