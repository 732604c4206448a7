//! The page of `ovlint cost`, `inputs` and `explain OPERATION`: sections with rows, as text for a terminal or data for a
//! browser.

use super::wrap::hang;
use crate::ir::LayerId;
use serde::Serialize;
use std::fmt::Write;

/// The maximum number of rows of a section that are shown; JSON output has all.
const ROWS: usize = 40;

/// The maximum width of a column with another one beside it.
const COLUMN: usize = 60;

/// Lines and sections, in order.
#[derive(Default, Serialize)]
#[serde(transparent)]
pub(crate) struct Page(Vec<Part>);

#[derive(Serialize)]
#[serde(untagged)]
enum Part {
    Line(String),
    Section { title: String, rows: Vec<Row> },
}

/// Two cells, and the layer of the main graph that they are about.
#[derive(Serialize)]
pub(crate) struct Row(String, String, Option<usize>);

impl Row {
    pub(crate) fn new(cell: impl Into<String>, rest: String) -> Self {
        Self(cell.into(), rest, None)
    }

    pub(crate) fn at(self, layer: LayerId) -> Self {
        Self(self.0, self.1, Some(layer.index()))
    }
}

impl Page {
    pub(crate) fn line(&mut self, line: impl Into<String>) {
        self.0.push(Part::Line(line.into()));
    }

    /// Adds a section, unless it has no rows.
    pub(crate) fn section(&mut self, title: impl Into<String>, rows: Vec<Row>) {
        if !rows.is_empty() {
            self.0.push(Part::Section { title: title.into(), rows });
        }
    }

    /// Formats the page in lines of this width; longer ones continue indented on the next line.
    pub(crate) fn text(&self, width: usize) -> String {
        let mut text = String::new();
        for part in &self.0 {
            match part {
                Part::Line(line) => write_line(&mut text, line, width),
                Part::Section { title, rows } => write_section(&mut text, title, rows, width),
            }
        }
        text
    }
}

fn write_line(text: &mut String, line: &str, width: usize) {
    let _ = writeln!(text, "{}", hang(line, width, 4));
}

fn write_section(text: &mut String, title: &str, rows: &[Row], width: usize) {
    write_line(text, title, width);
    let sizes = rows.iter().take(ROWS).map(|Row(cell, rest, _)| (cell.chars().count(), rest.chars().count()));
    let beside = sizes.filter(|(cell, rest)| *cell <= COLUMN && 4 + cell + rest <= width);
    let column = beside.map(|(cell, _)| cell).max().unwrap_or_default();
    for Row(cell, rest, _) in rows.iter().take(ROWS) {
        let whole = format!("  {cell:<column$}  {rest}");
        let line = if whole.chars().count() <= width {
            whole
        } else {
            // A cell too wide for the column goes on the next line.
            let below = hang(&format!("      {rest}"), width, 8);
            format!("{}\n{below}", hang(&format!("  {cell}"), width, 4))
        };
        let _ = writeln!(text, "{}", line.trim_end());
    }
    if rows.len() > ROWS {
        write_line(text, &format!("  and {} more (`--format json` lists all)", rows.len() - ROWS), width);
    }
}
