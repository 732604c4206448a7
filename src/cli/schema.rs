//! `ovlint schema`: the JSON schemas of what ovlint writes.

use super::{exit, print};
use clap::{Args, ValueEnum};

#[derive(Args)]
pub(crate) struct SchemaArgs {
    /// What is described
    #[arg(value_enum)]
    of: Schema,
}

#[derive(Clone, Copy, ValueEnum)]
enum Schema {
    /// `check --format json`, and a line of `ndjson`
    Report,
    /// `shapes --format json`
    Shapes,
    /// `shapes --format snapshot`
    Snapshot,
}

pub(crate) fn run(args: &SchemaArgs) -> u8 {
    print(match args.of {
        Schema::Report => include_str!("../../schemas/report.schema.json"),
        Schema::Shapes => include_str!("../../schemas/shapes.schema.json"),
        Schema::Snapshot => include_str!("../../schemas/snapshot.schema.json"),
    });
    exit::CLEAN
}
