//! `ovlint inspect`: shows one layer with all known facts.

use super::subject::{Format, Subject, nameless, print_json};
use super::{Run, answer};
use clap::Args;
use ovlint::internal::Model;
use ovlint::internal::query::inspect::inspect;
use ovlint::internal::query::names::{Place, Wanted};
use ovlint::internal::report::views::inspect::{json, text};

#[derive(Args)]
pub(crate) struct InspectArgs {
    /// Name or id of a layer, or of one of its tensors; `loop/body/layer` names a layer in a body
    #[arg(index = 2)]
    name: Option<String>,
    /// The same as NAME, given as a flag
    #[arg(long, value_name = "NAME", conflicts_with_all = ["name", "constant"])]
    layer: Option<String>,
    /// Name or id of a constant
    #[arg(long = "const", value_name = "NAME", id = "constant", conflicts_with = "name")]
    constant: Option<String>,
    /// Number of elements to show of each value
    #[arg(long, value_name = "N", default_value_t = 16)]
    print: usize,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    #[command(flatten)]
    subject: Subject,
}

pub(crate) fn run(args: &InspectArgs) -> Run {
    args.subject.with(|model| show(model, args))
}

fn show(model: &Model, args: &InspectArgs) -> Run {
    let (name, wanted) = match (args.name.as_ref().or(args.layer.as_ref()), &args.constant) {
        (Some(name), _) => (name, Wanted::Layer),
        (None, Some(name)) => (name, Wanted::Constant),
        (None, None) => return Err(nameless(model)),
    };
    let found = inspect(model, &Place::find(model, name, wanted)?, args.print);
    match args.format {
        Format::Text => Ok(answer(&text(&found, model, &args.subject.model))),
        Format::Json => print_json(json(&found, &args.subject.model)),
    }
}
