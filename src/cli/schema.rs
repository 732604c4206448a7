//! `ovlint generate schema` and `ovlint generate operations`: the JSON schemas of what ovlint reads and writes, and the
//! specifications of operations.

use super::subject::print_json;
use super::{Run, answer};
use clap::{Args, ValueEnum};
use ovlint::internal::report::document::of_all;
use ovlint::internal::report::views::operations::Operations;

#[derive(Args)]
pub(crate) struct SchemaArgs {
    /// File or output to describe
    #[arg(value_enum)]
    of: Schema,
}

#[derive(Clone, Copy, ValueEnum)]
enum Schema {
    /// `ovlint.toml`
    Config,
    /// `check --format json`, and a line of `ndjson`
    Report,
    /// `shapes --format json`
    Shapes,
    /// `inputs --format json`
    Inputs,
    /// `cost --format json`
    Cost,
    /// `info --format json`
    Info,
    /// `inspect --format json`
    Inspect,
    /// `why --format json`
    Why,
    /// `diff --format json`
    Diff,
    /// `shapes --format snapshot`
    Snapshot,
    /// `generate operations`
    Operations,
}

pub(crate) fn run(args: &SchemaArgs) -> u8 {
    answer(match args.of {
        Schema::Config => include_str!("../../schemas/config.schema.json"),
        Schema::Report => include_str!("../../schemas/report.schema.json"),
        Schema::Shapes => include_str!("../../schemas/shapes.schema.json"),
        Schema::Inputs => include_str!("../../schemas/inputs.schema.json"),
        Schema::Cost => include_str!("../../schemas/cost.schema.json"),
        Schema::Info => include_str!("../../schemas/info.schema.json"),
        Schema::Inspect => include_str!("../../schemas/inspect.schema.json"),
        Schema::Why => include_str!("../../schemas/why.schema.json"),
        Schema::Diff => include_str!("../../schemas/diff.schema.json"),
        Schema::Snapshot => include_str!("../../schemas/snapshot.schema.json"),
        Schema::Operations => include_str!("../../schemas/operations.schema.json"),
    })
}

pub(crate) fn operations() -> Run {
    print_json(of_all(&Operations::all()))
}
