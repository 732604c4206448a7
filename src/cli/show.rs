//! The flags that decide how much of what was found is shown.

use clap::{Args, ValueEnum};

/// How much is shown.
#[derive(Args, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct ShowArgs {
    /// Findings of one rule in one file beyond which only the first few are shown; 0 shows all
    #[arg(long, value_name = "N", default_value_t = Self::default().max_findings)]
    pub(crate) max_findings: usize,
    /// How many producers of a tensor a note names
    #[arg(long, value_name = "N", default_value_t = Self::default().chain, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) chain: u16,
    /// List the layers whose outputs are taken from what the file declares, too
    #[arg(long)]
    pub(crate) show_assumed: bool,
    /// How often each rule is broken, instead of the findings as text
    #[arg(long)]
    pub(crate) statistics: bool,
    /// Findings only, no summary and no progress
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Tell on stderr how each file was checked: its weights, its configuration and the time it took
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// Nothing on stdout, only the exit code
    #[arg(short, long)]
    pub(crate) silent: bool,
    /// Whether the text is coloured
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    color: Color,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Color {
    /// Where the terminal wants it
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
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
            color: Color::default(),
        }
    }
}

impl ShowArgs {
    /// Has all that is printed coloured as it is asked for.
    pub(crate) fn apply_color(&self) {
        let choice = match self.color {
            Color::Auto => return,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}
