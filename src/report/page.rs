//! Pages of text with sections of rows, for a terminal.

use super::wrap::hang;
use std::fmt::Write;

/// Rows of one section that are shown; JSON has them all.
const ROWS: usize = 40;

/// The widest column that others stand beside.
const COLUMN: usize = 60;

/// Lines of a limited width.
pub(crate) struct Page {
    text: String,
    width: usize,
}

impl Page {
    pub(crate) fn new(width: usize) -> Self {
        Self { text: String::new(), width }
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// A line; what does not fit goes on below, indented.
    pub(crate) fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{}", hang(line, self.width, 4));
    }

    /// A title and rows of two cells; nothing without rows.
    pub(crate) fn section(&mut self, title: &str, rows: &[[String; 2]]) {
        if rows.is_empty() {
            return;
        }
        self.line(title);
        let sizes = rows.iter().take(ROWS).map(|[cell, rest]| (cell.chars().count(), rest.chars().count()));
        let beside = sizes.filter(|(cell, rest)| *cell <= COLUMN && 4 + cell + rest <= self.width);
        let column = beside.map(|(cell, _)| cell).max().unwrap_or_default();
        for [cell, rest] in rows.iter().take(ROWS) {
            let whole = format!("  {cell:<column$}  {rest}");
            let line = if whole.chars().count() <= self.width {
                whole
            } else {
                // What does not fit beside it stands below.
                let below = hang(&format!("      {rest}"), self.width, 8);
                format!("{}\n{below}", hang(&format!("  {cell}"), self.width, 4))
            };
            let _ = writeln!(self.text, "{}", line.trim_end());
        }
        if rows.len() > ROWS {
            self.line(&format!("  and {} more (`--format json` lists all)", rows.len() - ROWS));
        }
    }
}
