//! `ovlint shapes`: the inferred shape and type of every tensor.

use super::what_if::{ShapeArgs, misfit, verdict};
use super::{ModelArgs, complain, exit, print, told};
use clap::{Args, ValueEnum};
use ovlint::Model;
use ovlint::report::shapes::{TableOptions, csv, json, markdown, snapshot, table};
use std::path::PathBuf;

/// What belongs to the formats `table`, `csv` and `md`.
const ROWS: &str = "Rows of table, csv and md";

#[derive(Args)]
pub(crate) struct ShapesArgs {
    /// The model's .xml
    model: PathBuf,
    /// How the shapes are written
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Only outputs that differ from what the file declares
    #[arg(long, help_heading = ROWS)]
    only_mismatch: bool,
    /// Only outputs that are not static
    #[arg(long, help_heading = ROWS)]
    only_dynamic: bool,
    /// Only layers of these types
    #[arg(long, help_heading = ROWS, value_name = "TYPES", value_delimiter = ',')]
    op: Vec<String>,
    /// Constants as well
    #[arg(long, help_heading = ROWS)]
    consts: bool,
    #[command(flatten)]
    shape_args: ShapeArgs,
    #[command(flatten)]
    model_args: ModelArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// A table beside the declared shapes
    Table,
    /// One JSON object
    Json,
    /// Comma-separated values, a line per output
    Csv,
    /// A table in Markdown
    Md,
    /// Stable text for commits and snapshot tests
    Snapshot,
}

pub(crate) fn run(args: &ShapesArgs) -> u8 {
    let options = match told(args.model_args.options()) {
        Ok(options) => args.shape_args.with(options),
        Err(code) => return code,
    };
    let model = match Model::open(&args.model, &options) {
        Ok(model) => model,
        Err(error) => {
            complain(&error.to_string());
            return exit::BROKEN;
        }
    };
    if let Some(message) = misfit(&model, &options) {
        complain(&message);
        return exit::BROKEN;
    }
    let shown = || TableOptions {
        only_mismatch: args.only_mismatch,
        only_dynamic: args.only_dynamic,
        types: args.op.clone(),
        consts: args.consts,
    };
    let text = match args.format {
        Format::Json => match json(&model, &args.model) {
            Ok(text) => text + "\n",
            Err(error) => {
                complain(&error.to_string());
                return exit::BROKEN;
            }
        },
        _ if model.net().is_none() => {
            for finding in model.findings() {
                complain(&format!("{}: {}", args.model.display(), finding.message));
            }
            return exit::FINDINGS;
        }
        Format::Snapshot => snapshot(&model),
        Format::Table => table(&model, &shown()),
        Format::Csv => csv(&model, &shown()),
        Format::Md => markdown(&model, &shown()),
    };
    print(&text);
    if options.shapes.is_empty() { exit::CLEAN } else { verdict(&model) }
}
