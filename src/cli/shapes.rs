//! `ovlint shapes`: shows the inferred shape and type of every tensor.

use super::show::width_of_lines;
use super::subject::{Subject, print_json};
use super::what_if::verdict;
use super::{Run, answer, complain};
use clap::{Args, ValueEnum};
use ovlint::internal::Model;
use ovlint::internal::query::snapshot::text::snapshot;
use ovlint::internal::report::views::shapes::{TableOptions, absent_types, csv, json, markdown, table};

/// The heading of flags for the formats `text`, `csv` and `md`.
const ROWS: &str = "Rows of text, csv and md";

#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "every flag stands on its own")]
pub(crate) struct ShapesArgs {
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Show only outputs that differ from what the file declares
    #[arg(long, help_heading = ROWS)]
    only_mismatch: bool,
    /// Show only outputs that are not static
    #[arg(long, help_heading = ROWS)]
    only_dynamic: bool,
    /// Show only layers of these types
    #[arg(long, help_heading = ROWS, value_name = "TYPES", value_delimiter = ',')]
    op: Vec<String>,
    /// Include constants
    #[arg(long, help_heading = ROWS)]
    consts: bool,
    /// Express dimensions in terms of the input dimensions: `past + s` instead of `?`
    #[arg(long)]
    symbolic: bool,
    #[command(flatten)]
    subject: Subject,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// A table with the declared shapes
    Text,
    /// One JSON object
    Json,
    /// Comma-separated values, one line per output
    Csv,
    /// A table in Markdown
    Md,
    /// Stable text for commits and snapshot tests
    Snapshot,
}

pub(crate) fn run(args: &ShapesArgs) -> Run {
    args.subject.with_symbols(args.symbolic, |model| show(model, args))
}

fn show(model: &Model, args: &ShapesArgs) -> Run {
    let shown = TableOptions {
        only_mismatch: args.only_mismatch,
        only_dynamic: args.only_dynamic,
        types: args.op.clone(),
        consts: args.consts,
        width: width_of_lines(),
    };
    for sentence in absent_types(model, &args.op) {
        complain(&sentence);
    }
    let code = match args.format {
        Format::Json => print_json(json(model, &args.subject.model))?,
        Format::Snapshot => answer(&snapshot(model)),
        Format::Text => answer(&table(model, &shown)),
        Format::Csv => answer(&csv(model, &shown)),
        Format::Md => answer(&markdown(model, &shown)),
    };
    Ok(if args.subject.asks_what_if() { code.max(verdict(model)) } else { code })
}
