//! The flags that decide how much `ovlint check` shows, and the width in columns of what commands print.

use super::color::ColorArgs;
use clap::{ArgAction, Args};
use ovlint::internal::report::findings::text::TextOptions;

// The amount of output.
#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    /// If a rule has more findings than this in one file, only the first few are shown; 0 shows all
    #[arg(long, value_name = "N", default_value_t = Self::default().max_findings)]
    pub(crate) max_findings: usize,
    /// Show the number of findings of each rule instead of the findings
    #[arg(long)]
    pub(crate) statistics: bool,
    /// Show only findings, without summary and progress; if given twice, print nothing and only set the exit code
    #[arg(short, long, action = ArgAction::Count)]
    quiet: u8,
    /// Show infos, how each file was checked, every fix, layers that are not inferred, and more producers of tensors
    #[arg(short, long)]
    pub(crate) verbose: bool,
    #[command(flatten)]
    pub(crate) color: ColorArgs,
}

impl Default for ShowArgs {
    fn default() -> Self {
        Self { max_findings: 20, statistics: false, quiet: 0, verbose: false, color: ColorArgs::default() }
    }
}

impl ShowArgs {
    /// Whether only findings are shown.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet > 0
    }

    /// Whether nothing is shown.
    pub(crate) fn is_silent(&self) -> bool {
        self.quiet > 1
    }

    /// Returns the maximum number of producers of a tensor that a note names.
    pub(crate) fn chain(&self) -> usize {
        if self.verbose { 100 } else { 3 }
    }
}

/// Returns the width in columns: as set, that of the terminal, or else that of a CI log.
pub(crate) fn width() -> usize {
    columns().unwrap_or_else(|| TextOptions::default().width)
}

/// Returns the width of lines that other programs may parse: unlimited outside of a terminal.
pub(crate) fn width_of_lines() -> usize {
    columns().map_or(usize::MAX, |columns| columns.max(40))
}

fn columns() -> Option<usize> {
    let columns = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    columns.or_else(|| terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0)))
}
