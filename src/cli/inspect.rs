//! `ovlint inspect`: shows one layer with all known facts.

use super::subject::{Format, Subject, print_json, refuse_nameless};
use super::{exit, print, refused};
use clap::Args;
use ovlint::internal::Model;
use ovlint::internal::query::inspect::inspect;
use ovlint::internal::query::names::{Place, Wanted};
use ovlint::internal::report::views::inspect::{json, text};

#[derive(Args)]
pub(crate) struct InspectArgs {
    /// Name or id of a layer, or of one of its tensors; `loop/body/layer` names one in a body
    #[arg(index = 2)]
    name: Option<String>,
    /// The same, as a flag
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

pub(crate) fn run(args: &InspectArgs) -> u8 {
    args.subject.with(|model| show(model, args))
}

fn show(model: &Model, args: &InspectArgs) -> u8 {
    let (name, wanted) = match (args.name.as_ref().or(args.layer.as_ref()), &args.constant) {
        (Some(name), _) => (name, Wanted::Layer),
        (None, Some(name)) => (name, Wanted::Constant),
        (None, None) => return refuse_nameless(model),
    };
    let place = match Place::find(model, name, wanted) {
        Ok(place) => place,
        Err(error) => return refused(&error),
    };
    let found = inspect(model, &place, args.print);
    match args.format {
        Format::Text => {
            print(&text(&found, model, &args.subject.model));
            exit::CLEAN
        }
        Format::Json => print_json(json(&found, &args.subject.model)),
    }
}
