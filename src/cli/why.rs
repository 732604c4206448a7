//! `ovlint why`: where the dimensions and the type of a tensor come from.

use super::subject::{Format, Subject, print_json};
use super::{exit, print, refused};
use clap::Args;
use ovlint::internal::Model;
use ovlint::internal::query::names::Tensor;
use ovlint::internal::report::views::why;

#[derive(Args)]
pub(crate) struct WhyArgs {
    /// Layer, `layer:output` or tensor name; `loop/body/layer` names one in a body
    #[arg(index = 2)]
    tensor: String,
    /// Number of computing steps to follow back; pass-through layers are not counted
    #[arg(long, value_name = "N", default_value_t = 6)]
    depth: usize,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    #[command(flatten)]
    subject: Subject,
}

pub(crate) fn run(args: &WhyArgs) -> u8 {
    args.subject.with(|model| show(model, args))
}

fn show(model: &Model, args: &WhyArgs) -> u8 {
    let tensor = match Tensor::find(model, &args.tensor) {
        Ok(tensor) => tensor,
        Err(error) => return refused(&error.to_string()),
    };
    let Some(found) = ovlint::internal::why(model, &tensor, args.depth) else {
        return refused(&format!("nothing is known of `{}`; run `ovlint check` to see why", args.tensor));
    };
    match args.format {
        Format::Text => {
            print(&why::text(&found, &args.subject.model, model.weights().path.as_deref()));
            exit::CLEAN
        }
        Format::Json => print_json(why::json(&found, &args.subject.model)),
    }
}
