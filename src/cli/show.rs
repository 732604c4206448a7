//! The flags that decide how much of what was found is shown.

use super::color::ColorArgs;
use clap::Args;
use ovlint::internal::report::findings::text::TextOptions;

// How much is shown.
#[derive(Args, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct ShowArgs {
    /// Number of findings of one rule in one file above which only the first few are shown; 0 shows all
    #[arg(long, value_name = "N", default_value_t = Self::default().max_findings)]
    pub(crate) max_findings: usize,
    /// Number of producers of a tensor to name in a note
    #[arg(long, value_name = "N", default_value_t = Self::default().chain, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) chain: u16,
    /// Also list the layers whose outputs are taken from the file, not inferred
    #[arg(long)]
    pub(crate) show_assumed: bool,
    /// Show the number of findings of each rule instead of the findings
    #[arg(long)]
    pub(crate) statistics: bool,
    /// Show only findings, no summary and no progress
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Show on stderr how each file was checked: its weights, its configuration and the time it took
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// Print nothing on stdout; only set the exit code
    #[arg(short, long)]
    pub(crate) silent: bool,
    #[command(flatten)]
    pub(crate) color: ColorArgs,
}

impl Default for ShowArgs {
    fn default() -> Self {
        Self {
            max_findings: 20,
            chain: 3,
            show_assumed: false,
            statistics: false,
            quiet: false,
            verbose: false,
            silent: false,
            color: ColorArgs::default(),
        }
    }
}

/// The columns that are asked for, those of the terminal, or those of a CI log.
pub(crate) fn width() -> usize {
    columns().unwrap_or_else(|| TextOptions::default().width)
}

/// The same for lines that other programs may take apart: elsewhere than in a terminal they are whole.
pub(crate) fn width_of_lines() -> usize {
    columns().map_or(usize::MAX, |columns| columns.max(40))
}

fn columns() -> Option<usize> {
    let columns = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    columns.or_else(|| terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0)))
}
