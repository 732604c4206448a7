//! `ovlint cost`: shows the memory and the multiplications of a model.

use super::show::width_of_lines;
use super::subject::{Format, Subject, print_json};
use super::what_if::{SizeArgs, verdict};
use super::{Run, answer};
use clap::Args;
use ovlint::internal::Model;
use ovlint::internal::query::cost::Cost;
use ovlint::internal::report::document::about;
use ovlint::internal::report::views::cost::text;

#[derive(Args)]
pub(crate) struct CostArgs {
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    #[command(flatten)]
    size_args: SizeArgs,
    #[command(flatten)]
    subject: Subject,
}

pub(crate) fn run(args: &CostArgs) -> Run {
    args.subject.with_symbols(true, |model| show(model, args))
}

fn show(model: &Model, args: &CostArgs) -> Run {
    let sizes = args.size_args.sizes();
    let cost = match args.format {
        Format::Text => Cost::for_people(model, &sizes)?,
        Format::Json => Cost::for_programs(model, &sizes)?,
    };
    let code = match args.format {
        Format::Json => print_json(about(&args.subject.model, &cost))?,
        Format::Text => answer(&text(&cost, width_of_lines())),
    };
    Ok(if args.subject.asks_what_if() { code.max(verdict(model)) } else { code })
}
