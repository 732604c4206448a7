//! The inferred shapes beside the declared ones as a Markdown table.

use super::rows::{TableOptions, rows};
use crate::analysis::Model;
use crate::query::stops::Stops;
use crate::report::findings::markdown::text as plain;
use crate::report::views::stops::{self, MEANING, mark};
use crate::text::counted;
use std::fmt::Write;

/// Formats one row per output, and a line with the number of differences.
pub fn markdown(model: &Model, options: &TableOptions) -> String {
    let mut text = String::from("| layer | op | output | inferred | declared | from |\n|---|---|---|---|---|---|\n");
    let (rows, count) = rows(model, options);
    for row in rows {
        let once = |text: &str| if row.is_first { plain(text) } else { String::new() };
        let (layer, ty, from) = (once(&row.layer), once(&row.ty), once(&row.from));
        let mark = mark(row.basis);
        let declared = match &row.declared {
            None => "-".to_owned(),
            Some(declared) if row.differs => format!("**`{declared}`**"),
            Some(_) => "=".to_owned(),
        };
        let (output, inferred) = (&row.output, &row.inferred);
        let _ = writeln!(text, "| {layer} | {ty} | {output} | `{inferred}`{mark} | {declared} | {from} |");
    }
    let _ = writeln!(text, "\n{}", count.differing());
    if count.assumed > 0 {
        let _ = writeln!(text, "\n{} marked; {MEANING}", counted(count.assumed, "output"));
        for line in stops::lines(&Stops::of(model)) {
            let _ = writeln!(text, "- {}", plain(&line));
        }
    }
    text
}
